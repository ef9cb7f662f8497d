//! The hidden command on its own, without a server around it: `worker python-worker '<set-up as JSON>'`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(2).collect();
    ferro_worker::run(&arguments)
}
