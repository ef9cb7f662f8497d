//! The process that workers come from. It hears from the server over one socket of whole messages: `start` brings
//! the descriptor of a new worker's own socket, `kill` ends one. It never runs anybody's code and never reads what
//! workers say.

mod control;
mod fork;

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid};
use seccompiler::BpfProgram;
use serde_json::{Value, json};

use crate::external;
use crate::interpreter::Python;
use crate::line::Line;
use crate::setup::{External, Setup, Walls};
use crate::walls::limits::{self, Limits};
use crate::walls::seccomp;
use control::{Control, Heard};

/// Python recurses on this stack; the interpreter's own limit is reached long before its end.
const STACK: usize = 128 << 20;

pub fn serve(setup: &Setup, walls: Walls, statm: Option<File>, nothing: File) -> Result<ExitCode, String> {
    let control = Control::take_stdin()?;
    let said = json!({ "walls": walls });
    if !walls.missing.is_empty() && !setup.accept_missing {
        control.say(&json!({ "refused": walls }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let nursery = Nursery {
        control,
        children: Vec::new(),
        setup: setup.clone(),
        statm,
        nothing,
        has_seccomp: walls.standing.iter().any(|wall| wall == "seccomp"),
    };
    if let Some(external) = &setup.external {
        let shim = external::shim()?;
        nursery.control.say(&said)?;
        return nursery.watch(&Kind::External(external.clone(), shim));
    }
    // Walls hold for the thread that put them up and for those it starts: this one comes after them.
    let thread = std::thread::Builder::new()
        .name("python".to_owned())
        .stack_size(STACK);
    let thread = thread.spawn(move || {
        let python = Python::start()?;
        nursery.control.say(&said)?;
        nursery.watch(&Kind::Embedded(Box::new(python)))
    });
    let thread = thread.map_err(|error| error.to_string())?;
    thread
        .join()
        .unwrap_or_else(|_| Err("the interpreter stopped unexpectedly".to_owned()))
}

enum Kind {
    Embedded(Box<Python>),
    External(External, OwnedFd),
}

struct Nursery {
    control: Control,
    children: Vec<Child>,
    setup: Setup,
    /// Open since there was a `/proc`.
    statm: Option<File>,
    /// `/dev/null`, which is not there any more.
    nothing: File,
    has_seccomp: bool,
}

struct Child {
    id: u64,
    pidfd: OwnedFd,
}

impl Nursery {
    fn watch(mut self, kind: &Kind) -> Result<ExitCode, String> {
        loop {
            let (heard, ended) = self.wait()?;
            for at in ended.into_iter().rev() {
                let child = self.children.swap_remove(at);
                self.control.say(&ending(&child))?;
            }
            if !heard {
                continue;
            }
            match self.control.hear()? {
                Heard::Start(id, socket) => match self.start(kind, socket) {
                    Ok(pidfd) => self.children.push(Child { id, pidfd }),
                    Err(why) => self.control.say(&json!({ "ended": id, "why": why }))?,
                },
                Heard::Kill(id) => {
                    if let Some(child) = self.children.iter().find(|child| child.id == id) {
                        let _ = pidfd_send_signal(&child.pidfd, Signal::KILL);
                    }
                }
                // With this process all of its namespace ends.
                Heard::Gone => return Ok(ExitCode::SUCCESS),
            }
        }
    }

    /// Whether the server said something, and which children have ended.
    fn wait(&self) -> Result<(bool, Vec<usize>), String> {
        let mut watched = vec![PollFd::new(&self.control, PollFlags::IN)];
        watched.extend(
            self.children
                .iter()
                .map(|child| PollFd::new(&child.pidfd, PollFlags::IN)),
        );
        match poll(&mut watched, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok((false, Vec::new())),
            Err(error) => return Err(error.to_string()),
        }
        let ready: Vec<bool> = watched.iter().map(|fd| !fd.revents().is_empty()).collect();
        let ended = (1..ready.len())
            .filter(|at| ready[*at])
            .map(|at| at - 1)
            .collect();
        Ok((ready[0], ended))
    }

    /// The new worker's handle. Does not return in the worker itself.
    fn start(&mut self, kind: &Kind, socket: UnixStream) -> Result<OwnedFd, String> {
        let filter = if self.has_seccomp {
            Some(seccomp::embedded()?)
        } else {
            None
        };
        let limits = Limits {
            address_space: limits::address_space(self.statm.as_ref()) + (self.setup.memory_mb << 20),
            cpu_seconds: self.setup.cpu_seconds,
            open_files: 0,
        };
        if let Some(pid) = fork::fork()? {
            return pidfd_open(pid, PidfdFlags::empty()).map_err(|error| error.to_string());
        }
        // From here on this is the worker. Nothing it holds may be the nursery's.
        self.children.clear();
        self.control.close(&self.nothing);
        let trouble = match kind {
            Kind::External(external, shim) => Err(external::become_python(
                &self.setup,
                external,
                &socket,
                shim,
                &self.nothing,
            )),
            Kind::Embedded(_) => self.confine(&limits, filter.as_ref()),
        };
        let mut line = Line::new(socket);
        match (trouble, kind) {
            (Ok(()), Kind::Embedded(python)) => python.work(line),
            (Ok(()), Kind::External(..)) => {}
            (Err(why), _) => {
                let _ = line.failed(&format!("a worker could not begin: {why}"));
            }
        }
        fork::end()
    }

    fn confine(&self, limits: &Limits, filter: Option<&BpfProgram>) -> Result<(), String> {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
            .and_then(|()| rustix::stdio::dup2_stdin(&self.nothing))
            .and_then(|()| rustix::stdio::dup2_stdout(&self.nothing))
            .and_then(|()| rustix::stdio::dup2_stderr(&self.nothing))
            .map_err(|error| error.to_string())?;
        limits::apply(limits)?;
        filter.map_or(Ok(()), seccomp::apply)
    }
}

fn ending(child: &Child) -> Value {
    let status = waitid(WaitId::PidFd(child.pidfd.as_fd()), WaitIdOptions::EXITED);
    let status = status.ok().flatten();
    json!({
        "ended": child.id,
        "signal": status.as_ref().and_then(|status| status.terminating_signal()),
        "code": status.as_ref().and_then(|status| status.exit_status()),
    })
}
