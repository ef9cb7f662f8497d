//! What keeps a worker in: each wall is put up on its own and says why it could not be.

pub mod landlock;
pub mod limits;
pub mod namespaces;
pub mod root;
pub mod seccomp;

use std::fs;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};

/// Everything above standard error that came from outside.
pub fn close_descriptors() {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else {
        return;
    };
    let open: Vec<RawFd> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|fd| *fd > 2)
        .collect();
    for fd in open {
        close(fd);
    }
}

pub fn let_go_of_stdin() {
    if let Ok(nothing) = fs::File::open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(nothing);
    }
}

/// Called before this process has opened anything of its own.
#[allow(unsafe_code)]
fn close(fd: RawFd) {
    // SAFETY: nothing in this program owns it: it was open when the program began. A number that is not open any
    // more (the folder just listed is one) is only refused by the kernel.
    if let Ok(stays) = rustix::io::fcntl_getfd(unsafe { std::os::fd::BorrowedFd::borrow_raw(fd) }) {
        let _ = stays;
        // SAFETY: as above.
        drop(unsafe { OwnedFd::from_raw_fd(fd) });
    }
}

/// When the machine runs out of memory, a worker goes first.
pub fn prefer_for_killing() {
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
}

/// No capability, and no way to get one.
pub fn drop_privileges() -> Result<(), String> {
    set_no_new_privs(true).map_err(|error| error.to_string())?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none).map_err(|error| error.to_string())
}
