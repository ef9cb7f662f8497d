//! The real program: run to its end, or served, killed and started again on the same folder.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "starting, killing and asking the program is what this is for"
)]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, mpsc},
};

use serde_json::Value;

use crate::{Client, wait::PATIENCE};

/// A built program and the data folder it works on.
#[derive(Clone, Debug)]
pub struct Program {
    executable: PathBuf,
    data: PathBuf,
    arguments: Vec<String>,
}

/// How a command ended and what it said.
#[derive(Clone, Debug)]
pub struct Output {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

impl Output {
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert!(self.success, "{}{}", self.stdout, self.stderr);
        self
    }

    /// Failed, and said why in these words.
    #[track_caller]
    pub fn failed_with(self, words: &str) -> Self {
        assert!(!self.success, "it succeeded: {}", self.stdout);
        assert!(
            self.stderr.contains(words),
            "{:?} does not say {words:?}",
            self.stderr
        );
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}

impl Program {
    /// `executable` is `env!("CARGO_BIN_EXE_ferroflow")` of the crate that builds it.
    pub fn new(executable: &str, data: &Path) -> Self {
        Self {
            executable: executable.into(),
            data: data.to_owned(),
            arguments: Vec::new(),
        }
    }

    /// The same program with more arguments on every start.
    #[must_use]
    pub fn with(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(ToString::to_string));
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        // Nothing of the machine's own settings: a test must not depend on them.
        command
            .env_clear()
            .args(&self.arguments)
            .arg("--data-dir")
            .arg(&self.data);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, "")
    }

    /// Runs to its end with this on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self
            .command()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // A program that refuses early does not read its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Output {
            success: output.status.success(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Serves on a free port; returns when it listens.
    pub fn serve(&self) -> Server {
        let mut child = self
            .command()
            .args(["--port", "0", "--log-format", "json"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(child.stderr.take().unwrap());
        let log = Arc::new(Mutex::new(String::new()));
        let (found, address) = mpsc::channel();
        let kept = log.clone();
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                if let Some(address) = listening(&line) {
                    let _ = found.send(address);
                }
                let mut log = kept.lock().unwrap();
                log.push_str(&line);
                log.push('\n');
            }
        });
        match address.recv_timeout(PATIENCE) {
            Ok(address) => Server {
                child: Some(child),
                address,
                log,
            },
            Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                panic!("the server did not come up:\n{}", log.lock().unwrap());
            }
        }
    }
}

/// The address in the line of the log that says the server listens.
fn listening(line: &str) -> Option<SocketAddr> {
    let line: Value = serde_json::from_str(line).ok()?;
    line["url"].as_str()?.strip_prefix("http://")?.parse().ok()
}

/// A program that serves; killed when it is dropped.
pub struct Server {
    child: Option<Child>,
    pub address: SocketAddr,
    log: Arc<Mutex<String>>,
}

impl Server {
    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Everything it has logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Without a warning, as power loss or the kernel would: SIGKILL.
    pub fn kill(mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Asks it to stop (SIGTERM) and does not wait for it.
    pub fn ask_to_stop(&self) {
        let id = self.child.as_ref().unwrap().id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(told.success());
    }

    /// Waits until it has ended by itself.
    pub fn wait(mut self) -> ExitStatus {
        self.child.take().unwrap().wait().unwrap()
    }

    /// Asks it to stop and waits until it has.
    pub fn stop(self) {
        self.ask_to_stop();
        let log = self.log.clone();
        let status = self.wait();
        assert!(status.success(), "{status}:\n{}", log.lock().unwrap());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
