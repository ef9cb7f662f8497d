//! A world of its own: users, processes, mounts, network, host name, message queues, control groups.

use std::fs;

use rustix::process::{DumpableBehavior, getegid, geteuid, set_dumpable_behavior};
use rustix::process::{Gid, Uid};
use rustix::thread::{UnshareFlags, set_thread_groups, set_thread_res_gid, set_thread_res_uid};

/// Who a root server's workers are. Everybody else's workers are who they are themselves.
const NOBODY: u32 = 65534;

/// The process must have one thread. Its children are in the new process namespace, it itself is not.
pub fn enter() -> Result<(), String> {
    if geteuid().is_root() {
        become_nobody()?;
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(
        UnshareFlags::NEWUSER
            | UnshareFlags::NEWPID
            | UnshareFlags::NEWNS
            | UnshareFlags::NEWNET
            | UnshareFlags::NEWIPC
            | UnshareFlags::NEWUTS
            | UnshareFlags::NEWCGROUP,
    )?;
    let write = |file: &str, text: String| {
        fs::write(format!("/proc/self/{file}"), text).map_err(|error| format!("{file}: {error}"))
    };
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("0 {user} 1"))?;
    write("gid_map", format!("0 {group} 1"))?;
    let _ = rustix::system::sethostname(b"worker");
    Ok(())
}

fn become_nobody() -> Result<(), String> {
    let failed = |error: rustix::io::Errno| format!("another user cannot be taken on: {error}");
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    set_thread_groups(&[]).map_err(failed)?;
    set_thread_res_gid(group, group, group).map_err(failed)?;
    set_thread_res_uid(user, user, user).map_err(failed)?;
    // Otherwise this process's own entries in /proc belong to root now, and the maps below cannot be written.
    set_dumpable_behavior(DumpableBehavior::Dumpable).map_err(failed)?;
    // Taken away by the change of user.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).map_err(failed)
}

#[allow(unsafe_code)]
fn unshare(flags: UnshareFlags) -> Result<(), String> {
    // SAFETY: the flags do not unshare descriptors, which is what could pull them from under other threads.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(|error| {
        format!("new namespaces are refused ({error}); allow unprivileged user namespaces for this program")
    })
}
