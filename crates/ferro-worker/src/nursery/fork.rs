//! The one place that forks.

use rustix::process::Pid;

/// The child's number, or `None` in the child.
#[allow(unsafe_code)]
pub fn fork() -> Result<Option<Pid>, String> {
    // SAFETY: the only other thread waits in `join` and holds no lock. The child goes on with this thread's stack
    // and the interpreter on it, and never returns to what the parent was doing.
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error().to_string()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

/// Ends the worker without running what the parent has registered for its own end.
#[allow(unsafe_code)]
pub fn end() -> ! {
    // SAFETY: it does not return, and nothing in the worker needs to be put in order.
    unsafe { libc::_exit(0) }
}
