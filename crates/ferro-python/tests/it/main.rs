//! Everything that needs real workers. The test program is the program whose hidden command they are.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests, although the compiler does not know: they have a main of their own"
)]

mod components;
mod hostile;
mod matching;
mod program;
mod traps;
mod workers;

use std::ffi::OsString;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments
        .get(1)
        .is_some_and(|first| first == ferro_worker::COMMAND)
    {
        return ferro_worker::run(&arguments[2..]);
    }
    let mut trials = Vec::new();
    workers::list(&mut trials);
    matching::list(&mut trials);
    components::list(&mut trials);
    hostile::list(&mut trials);
    let mut chosen = Arguments::from_args();
    // Some look at all children of the process, so each must be alone in it.
    chosen.test_threads.get_or_insert(1);
    libtest_mimic::run(&chosen, trials).exit_code()
}

/// A test that awaits.
pub fn trial(name: &str, body: impl AsyncFnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        runtime
            .map_err(|error| Failed::from(error.to_string()))?
            .block_on(body());
        Ok(())
    })
}
