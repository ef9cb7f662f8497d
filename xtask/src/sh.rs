//! Starting programs, and ending them: every child is waited for, also when Ctrl-C or a kill comes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The server's program. Always out of the whole workspace: built by its package alone, dependencies would have other
/// features, and the Python interpreter would be compiled once more for them.
pub const SERVER: [&str; 3] = ["--workspace", "--bin", "ferroflow"];

/// From here on a signal sets a flag, so that destructors run and no server is left behind.
pub fn catch_signals() -> Result<()> {
    let flag = INTERRUPTED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(flag)).context("cannot catch signals")?;
    }
    Ok(())
}

pub fn interrupted() -> bool {
    INTERRUPTED.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
}

/// Where cargo puts its output: `target`, or wherever the environment or a config says.
pub fn target_dir() -> Result<PathBuf> {
    let metadata = metadata(&["--no-deps"])?;
    let folder = metadata["target_directory"]
        .as_str()
        .context("cargo metadata names no target_directory")?;
    Ok(PathBuf::from(folder))
}

pub fn metadata(args: &[&str]) -> Result<serde_json::Value> {
    let text = capture(cargo(&["metadata", "--format-version", "1", "--locked"]).args(args))?;
    serde_json::from_str(&text).context("cargo metadata did not print JSON")
}

pub fn say(message: &str) {
    println!("› {message}");
}

pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(args).current_dir(root());
    // Set by the `cargo run` that started us; they would make every nested build think it is another one.
    for name in [
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PKG_NAME",
        "CARGO_PKG_VERSION",
    ] {
        command.env_remove(name);
    }
    command
}

pub fn npm(args: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(args).current_dir(root().join("web"));
    command
}

/// Runs it with our terminal and fails unless it succeeds.
pub fn run(command: &mut Command) -> Result<()> {
    println!("  $ {}", shown(command));
    let child = command
        .spawn()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    let status = wait(child)?;
    if interrupted() {
        bail!("interrupted");
    }
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs it quietly and returns what it printed; its complaints become the error.
pub fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!(
            "`{}` failed ({}): {}",
            shown(command),
            output.status,
            complaint.trim()
        );
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` printed no UTF-8", shown(command)))
}

fn wait(mut child: Child) -> Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupted() {
            return stop(&mut child, "TERM", Duration::from_secs(10));
        }
        pause(Duration::from_millis(20));
    }
}

/// Asks politely, then insists.
pub fn stop(child: &mut Child, signal: &str, patience: Duration) -> Result<ExitStatus> {
    let id = child.id().to_string();
    stop_by(child, &id, signal, patience)
}

/// The same for a child that leads a process group, and all that is in it.
pub fn stop_group(child: &mut Child, signal: &str, patience: Duration) -> Result<ExitStatus> {
    let group = format!("-{}", child.id());
    let status = stop_by(child, &group, signal, patience);
    send("KILL", &group);
    status
}

fn stop_by(child: &mut Child, whom: &str, signal: &str, patience: Duration) -> Result<ExitStatus> {
    if let Some(status) = child.try_wait()? {
        return Ok(status);
    }
    send(signal, whom);
    let asked = Instant::now();
    while asked.elapsed() < patience {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        pause(Duration::from_millis(20));
    }
    child.kill()?;
    Ok(child.wait()?)
}

fn send(signal: &str, whom: &str) {
    let _ = Command::new("kill")
        .args(["-s", signal, "--", whom])
        .stderr(Stdio::null())
        .status();
}

pub fn pause(time: Duration) {
    std::thread::sleep(time);
}

pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args().map(OsStr::to_string_lossy) {
        text.push(' ');
        if arg.is_empty() || arg.contains(' ') {
            text.push_str(&format!("'{arg}'"));
        } else {
            text.push_str(&arg);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::BufRead;
    use std::os::unix::process::CommandExt;

    use super::*;

    #[test]
    fn a_failing_program_is_an_error_that_names_it() {
        let error = run(Command::new("false").arg("--really"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("false --really"), "{error}");
        let error = capture(Command::new("sh").args(["-c", "echo why >&2; exit 3"]))
            .unwrap_err()
            .to_string();
        assert!(error.contains("why") && error.contains('3'), "{error}");
    }

    #[test]
    fn a_missing_program_is_an_error_that_names_it() {
        let error = run(&mut Command::new("ferro-no-such-program"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("ferro-no-such-program"), "{error}");
        assert_eq!(find_program("ferro-no-such-program"), None);
    }

    #[test]
    fn a_group_ends_with_its_leader() {
        let mut leader = Command::new("sh");
        leader
            .args(["-c", "sleep 60 & echo $!; wait"])
            .stdout(Stdio::piped())
            .process_group(0);
        let mut child = leader.spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let grandchild = format!("/proc/{}", line.trim());
        assert!(Path::new(&grandchild).exists());
        stop_group(&mut child, "TERM", Duration::from_secs(5)).unwrap();
        let started = Instant::now();
        while Path::new(&grandchild).join("exe").exists() {
            assert!(started.elapsed() < Duration::from_secs(5), "it goes on");
            pause(Duration::from_millis(20));
        }
    }

    #[test]
    fn a_deaf_child_is_killed() {
        let mut child = Command::new("sh")
            .args(["-c", "trap '' TERM; while :; do sleep 0.05; done"])
            .spawn()
            .unwrap();
        pause(Duration::from_millis(200));
        let status = stop(&mut child, "TERM", Duration::from_millis(300)).unwrap();
        assert!(!status.success());
    }
}
