//! The project's commands, started with `cargo xtask <command>`.
//!
//! It starts programs, reads files and compiles in seconds; it knows nothing of the crates it builds.
//! What each command does is one file of that name. Read first: `src/test.rs` (the longest walk through
//! the helpers) and `src/tidy/mod.rs` (the house rules; the crate table they check is `crates.toml`).

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool: it talks to a terminal, starts programs, reads the environment and waits"
)]

mod bench;
mod browser;
mod check;
mod debian;
mod deny;
mod dev;
mod generate;
mod postgres;
mod run;
mod screenshots;
mod sh;
mod steps;
mod test;
mod tidy;
mod toolchain;
mod web;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask <command>

  run [-- args]    build the web UI and the server (release) and start it; args go to `ferroflow`
  dev [-- args]    the same for working on it: debug server on port 7860 that is rebuilt and restarted
                   when crates/ changes, and Vite with hot reload in front of it; Ctrl-C stops both
  test [filter] [--rust] [--web] [--e2e]
                   install what the tests need (npm packages; chromium and PostgreSQL from Debian's
                   packages when missing and root), then web tests, Rust tests on SQLite and
                   PostgreSQL, and browser tests. Flags pick parts; filter picks tests by name (Rust)
                   or file (web, browser)
  check            formatting, clippy, tidy, deny, web lint and types; goes on after a failure and
                   says at the end what failed and how to mend it
  tidy             the house rules alone: who may depend on whom, where SQL, HTTP and processes live,
                   file lengths, crate headers, leftovers, web imports, links (a second or two)
  deny             licences, banned crates and sources of everything we depend on, from deny.toml
  generate         write docs/openapi.json from the server and the web client's types from that
  bench [names]    build for release, run the benchmarks, write target/bench/*.json, print a table; `web` is
                   the page in a real browser, and with FERROFLOW_BIN set it measures that server
  screenshots [pages]
                   pictures of the pages in both themes into docs/screenshots, from a server of its own

Needs Rust 1.95 and Node 20.19 or newer. CARGO_TARGET_DIR is respected.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let Some((command, rest)) = args.split_first() else {
        bail!("no command given\n\n{HELP}");
    };
    if matches!(command.as_str(), "-h" | "--help" | "help") || rest.first().is_some_and(|arg| arg == "--help")
    {
        println!("{HELP}");
        return Ok(());
    }
    sh::catch_signals()?;
    match command.as_str() {
        "run" => run::run(after_dashes(rest)),
        "dev" => dev::dev(after_dashes(rest)),
        "test" => test::test(&test::Options::parse(rest)?),
        "bench" => bench::bench(after_dashes(rest)),
        "screenshots" => screenshots::screenshots(after_dashes(rest)),
        "check" => no_args(rest).and_then(|()| check::check()),
        "tidy" => no_args(rest).and_then(|()| tidy::tidy()),
        "deny" => no_args(rest).and_then(|()| deny::deny()),
        "generate" => no_args(rest).and_then(|()| generate::generate()),
        other => bail!("there is no command `{other}`\n\n{HELP}"),
    }
}

/// `cargo xtask run -- --port 1` and `cargo xtask run --port 1` mean the same.
fn after_dashes(rest: &[String]) -> &[String] {
    match rest.split_first() {
        Some((first, tail)) if first == "--" => tail,
        _ => rest,
    }
}

fn no_args(rest: &[String]) -> Result<()> {
    match rest {
        [] => Ok(()),
        [first, ..] => bail!("this command takes no arguments, got `{first}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(args: &[&str]) -> Vec<String> {
        args.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn help_names_every_command() {
        let commands = [
            "run",
            "dev",
            "test",
            "check",
            "tidy",
            "deny",
            "generate",
            "bench",
            "screenshots",
        ];
        for command in commands {
            assert!(
                HELP.contains(&format!("\n  {command} ")),
                "{command} is not explained"
            );
        }
    }

    #[test]
    fn unknown_commands_and_stray_arguments_are_refused() {
        assert!(
            dispatch(&strings(&["frobnicate"]))
                .unwrap_err()
                .to_string()
                .contains("frobnicate")
        );
        assert!(
            dispatch(&strings(&["tidy", "--fast"]))
                .unwrap_err()
                .to_string()
                .contains("--fast")
        );
        assert!(dispatch(&[]).is_err());
    }

    #[test]
    fn dashes_are_optional() {
        assert_eq!(
            after_dashes(&strings(&["--", "--port", "1"])),
            strings(&["--port", "1"])
        );
        assert_eq!(
            after_dashes(&strings(&["--port", "1"])),
            strings(&["--port", "1"])
        );
    }
}
