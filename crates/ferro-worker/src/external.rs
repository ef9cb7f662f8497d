//! Workers that are another interpreter: the forked process shuts the last walls behind itself and becomes it.

use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::process::Signal;

use crate::setup::{External, Setup};
use crate::walls::limits::{self, Limits};
use crate::walls::seccomp;

/// All modules of the shim, as one JSON object that the interpreter imports from.
const SHIM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/shim.json"));
const BOOT: &str = include_str!("external/boot.py");

/// The shim in memory, open in every worker. Its files are nowhere on disk.
pub fn shim() -> Result<OwnedFd, String> {
    let failed = |error: rustix::io::Errno| error.to_string();
    let file = memfd_create("shim", MemfdFlags::ALLOW_SEALING).map_err(failed)?;
    let mut rest = SHIM;
    while !rest.is_empty() {
        let written = rustix::io::write(&file, rest).map_err(failed)?;
        rest = &rest[written..];
    }
    let seals = SealFlags::SEAL | SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK;
    fcntl_add_seals(&file, seals).map_err(failed)?;
    Ok(file)
}

/// Only ever comes back with the reason why it did not work.
pub fn become_python(
    setup: &Setup,
    external: &External,
    socket: &UnixStream,
    shim: &OwnedFd,
    nothing: &File,
) -> String {
    let confined = rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .and_then(|()| rustix::stdio::dup2_stdin(socket))
        .and_then(|()| rustix::stdio::dup2_stdout(nothing))
        .and_then(|()| rustix::stdio::dup2_stderr(nothing))
        .map_err(|error| error.to_string())
        .and_then(|()| {
            limits::apply(&Limits {
                // Its libraries are mapped, and a thread's stack counts too.
                address_space: (setup.memory_mb + 1024) << 20,
                cpu_seconds: setup.cpu_seconds,
                open_files: 64,
            })
        })
        .and_then(|()| {
            if setup.without.iter().any(|wall| wall == "seccomp") {
                return Ok(());
            }
            seccomp::apply(&seccomp::external()?)
        });
    if let Err(why) = confined {
        return why;
    }
    let error = Command::new(&external.python)
        .args([
            "-I",
            "-B",
            "-X",
            "utf8",
            "-c",
            BOOT,
            &shim.as_raw_fd().to_string(),
        ])
        .env_clear()
        .exec();
    format!("{} cannot be started: {error}", external.python.display())
}
