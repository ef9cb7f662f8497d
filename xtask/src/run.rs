//! `cargo xtask run`: from a fresh checkout to a running server.

use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{sh, toolchain, web};

pub fn run(args: &[String]) -> Result<()> {
    toolchain::require_rust()?;
    toolchain::require_node()?;
    web::install()?;
    web::build()?;
    sh::say("building the server for release (minutes the first time, then seconds)");
    sh::run(sh::cargo(&["build", "--release", "--locked"]).args(sh::SERVER))?;
    let program = sh::target_dir()?.join("release/ferroflow");
    sh::say(&format!("starting {}", program.display()));
    // Replaces this process, so that signals and the exit code are the server's own.
    let error = Command::new(&program).args(args).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}
