//! The walls around Python workers, and the interpreter behind them.
//!
//! The program starts itself again with [`COMMAND`]. That process takes leave of the machine (namespaces, Landlock, no
//! privileges), starts an interpreter once, and forks a worker for each lease it is asked for. A worker has a socket
//! to the server, limits on all it may use, a list of the few system calls it needs, and nothing else.
//!
//! Read `stage.rs` (from a fresh process to a nursery), `nursery.rs` (workers come and go) and `walls/seccomp.rs`.
//! What is said on the sockets is in `docs/PYTHON.md`; the other end is the crate `ferro-python`.

#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_types, reason = "this is where processes are started")]
mod external;
#[cfg(target_os = "linux")]
mod interpreter;
#[cfg(target_os = "linux")]
mod line;
#[cfg(target_os = "linux")]
mod nursery;
#[cfg(target_os = "linux")]
mod setup;
#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_types, reason = "this is where processes are started")]
mod stage;
#[cfg(target_os = "linux")]
mod walls;

use std::ffi::OsString;
use std::process::ExitCode;

/// The hidden subcommand whose arguments [`run`] takes.
pub const COMMAND: &str = "python-worker";

/// Never returns to the caller's own program: what comes after it must not run in a worker.
#[cfg(target_os = "linux")]
pub fn run(arguments: &[OsString]) -> ExitCode {
    stage::run(arguments)
}

#[cfg(not(target_os = "linux"))]
pub fn run(_: &[OsString]) -> ExitCode {
    ExitCode::from(setup_failed())
}

#[cfg(not(target_os = "linux"))]
fn setup_failed() -> u8 {
    78
}
