//! The two steps from a fresh process to a nursery. The first one enters new namespaces; only its children live in
//! the new process namespace, so it starts the program a second time and waits.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};

use rustix::process::{self, DumpableBehavior, Signal};

use crate::setup::{Setup, Walls};
use crate::{COMMAND, nursery, walls};

/// The server reads the reason from standard error.
const FAILED: u8 = 78;

pub fn run(arguments: &[OsString]) -> ExitCode {
    let text = |at: usize| arguments.get(at).and_then(|argument| argument.to_str());
    let outcome = match text(0) {
        Some("nursery") => parse(text(1)).and_then(|setup| {
            let walls = text(2).and_then(|walls| serde_json::from_str(walls).ok());
            second(&setup, walls.unwrap_or_default())
        }),
        start => parse(start).and_then(|setup| first(&setup)),
    };
    match outcome {
        Ok(code) => code,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}");
            ExitCode::from(FAILED)
        }
    }
}

fn parse(text: Option<&str>) -> Result<Setup, String> {
    let text = text.ok_or("this command is for the server's own use")?;
    serde_json::from_str(text).map_err(|error| format!("the set-up cannot be read: {error}"))
}

/// Dies with whoever started it.
fn die_with_parent() -> Result<(), String> {
    process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())
}

fn first(setup: &Setup) -> Result<ExitCode, String> {
    die_with_parent()?;
    walls::close_descriptors();
    walls::prefer_for_killing();
    let skipped = |name: &str| setup.without.iter().any(|wall| wall == name);
    let mut missing = Vec::new();
    if skipped("namespaces") {
        missing.push(("namespaces".to_owned(), "left out".to_owned()));
    } else if let Err(why) = walls::namespaces::enter() {
        missing.push(("namespaces".to_owned(), why));
    }
    let arguments = [COMMAND, "nursery", &json(setup)?, &json(&missing)?].map(str::to_owned);
    let mut inner = Command::new("/proc/self/exe")
        .args(arguments)
        .env_clear()
        .envs(ALLOCATOR)
        .current_dir("/")
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| format!("the second step cannot be started: {error}"))?;
    // Its own copy of the socket would keep the nursery alive after the server is gone.
    walls::let_go_of_stdin();
    let status = inner.wait().map_err(|error| error.to_string())?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(FAILED)))
}

/// Memory is limited by address space, so the allocator must not reserve more of it than it uses.
const ALLOCATOR: [(&str, &str); 2] = [
    ("MIMALLOC_ARENA_RESERVE", "8MiB"),
    ("MIMALLOC_ARENA_EAGER_COMMIT", "0"),
];

fn json(value: &impl serde::Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

fn second(setup: &Setup, missing: Vec<(String, String)>) -> Result<ExitCode, String> {
    die_with_parent()?;
    walls::close_descriptors();
    let statm = std::fs::File::open("/proc/self/statm").ok();
    let nothing = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/null")
        .map_err(|error| format!("/dev/null: {error}"))?;
    let skipped = |name: &str| setup.without.iter().any(|wall| wall == name);
    let unless = |name: &str, put_up: &dyn Fn() -> Result<(), String>| {
        if skipped(name) {
            Err("left out".to_owned())
        } else {
            put_up()
        }
    };
    let namespaced = missing.is_empty();
    let mut walls = Walls {
        standing: Vec::new(),
        missing,
    };
    if namespaced {
        walls.standing.push("namespaces".to_owned());
        let root = unless("root", &|| walls::root::replace(setup.external.as_ref()));
        walls.note("root", root);
    }
    walls.note(
        "landlock",
        unless("landlock", &|| walls::landlock::enforce(setup.external.as_ref())),
    );
    walls.note("privileges", unless("privileges", &walls::drop_privileges));
    process::set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| error.to_string())?;
    // Tried out in each worker; here only whether it can be.
    walls.note("seccomp", unless("seccomp", &walls::seccomp::available));
    nursery::serve(setup, walls, statm, nothing)
}
