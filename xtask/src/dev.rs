//! `cargo xtask dev`: the server and Vite side by side, the server rebuilt when its sources change.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};

use crate::{sh, toolchain, web};

/// Vite's proxy points here.
const PORT: &str = "7860";
const PATIENCE: Duration = Duration::from_secs(5);

pub fn dev(args: &[String]) -> Result<()> {
    toolchain::require_rust()?;
    toolchain::require_node()?;
    web::install()?;
    build()?;
    let mut server = Running::start(&mut server(args)?)?;
    let mut vite = Running::start(&mut sh::npm(&["run", "dev"]))?;
    sh::say("open the address Vite prints; Ctrl-C stops both");

    let mut seen = newest_change()?;
    let mut up = true;
    while !sh::interrupted() {
        sh::pause(Duration::from_secs(1));
        if let Some(status) = vite.0.try_wait()? {
            bail!("Vite ended ({status})");
        }
        if up && let Some(status) = server.0.try_wait()? {
            sh::say(&format!(
                "the server ended ({status}); it starts again when crates/ changes"
            ));
            up = false;
        }
        let now = newest_change()?;
        if now == seen || sh::interrupted() {
            continue;
        }
        seen = now;
        sh::say("crates/ changed: building");
        match build() {
            Ok(()) => {
                drop(server);
                server = Running::start(&mut self::server(args)?)?;
                up = true;
            }
            Err(error) => sh::say(&format!("{error:#}; the server before the change goes on")),
        }
    }
    sh::say("stopping");
    Ok(())
}

fn build() -> Result<()> {
    sh::run(sh::cargo(&["build"]).args(sh::SERVER))
}

fn server(args: &[String]) -> Result<Command> {
    let mut command = Command::new(sh::target_dir()?.join("debug/ferroflow"));
    if !args
        .iter()
        .any(|arg| arg == "--port" || arg.starts_with("--port="))
    {
        command.args(["--port", PORT]);
    }
    command.args(args).current_dir(sh::root());
    Ok(command)
}

/// Stopped when dropped: an error in the loop must not leave a server on the port.
///
/// Each has a process group of its own, which is what gets the signal: npm passes none on to Vite.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Result<Self> {
        let started = command.process_group(0).stdin(Stdio::null()).spawn();
        Ok(Self(started.with_context(|| {
            format!("cannot start {}", command.get_program().display())
        })?))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = sh::stop_group(&mut self.0, "TERM", PATIENCE);
    }
}

/// When anything the server is built from last changed, and how many files there are (one may be deleted).
fn newest_change() -> Result<(SystemTime, usize)> {
    let mut newest = (SystemTime::UNIX_EPOCH, 0);
    look(&sh::root().join("crates"), &mut newest)?;
    note(&sh::root().join("Cargo.toml"), &mut newest);
    Ok(newest)
}

fn look(folder: &Path, newest: &mut (SystemTime, usize)) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if entry.file_name() != "tests" {
                look(&path, newest)?;
            }
        } else if path
            .extension()
            .is_some_and(|ext| ["rs", "toml", "sql"].iter().any(|known| ext == *known))
        {
            note(&path, newest);
        }
    }
    Ok(())
}

fn note(file: &Path, newest: &mut (SystemTime, usize)) {
    // A file may vanish between listing and asking: editors save that way.
    if let Ok(changed) = fs::metadata(file).and_then(|metadata| metadata.modified()) {
        newest.0 = newest.0.max(changed);
        newest.1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fixture::Fixture;

    fn state(tree: &Fixture) -> (SystemTime, usize) {
        let mut newest = (SystemTime::UNIX_EPOCH, 0);
        look(tree.root(), &mut newest).unwrap();
        newest
    }

    #[test]
    fn sources_count_and_tests_and_notes_do_not() {
        let tree = Fixture::new().file("a/src/lib.rs", "");
        let before = state(&tree);
        let tree = tree.file("a/tests/it.rs", "").file("a/README.md", "");
        assert_eq!(state(&tree), before);
        let tree = tree.file("a/migrations/1.sql", "");
        assert_ne!(state(&tree), before);
    }
}
