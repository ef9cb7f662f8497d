//! Fresh PostgreSQL databases: in the server `cargo xtask test` names, otherwise in one of our own.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the database server is a program that tests start"
)]

use std::{
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

use sqlx::{Postgres, migrate::MigrateDatabase as _};

use crate::{is_strict, variable, wait::PATIENCE};

/// The same as `cargo xtask test` uses for its server, so that each clears up after the other.
const PREFIX: &str = "ferroflow-test-postgres-";

/// An empty database; dropped with this.
pub struct Database {
    url: String,
}

impl Database {
    pub async fn create() -> Self {
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        let (server, _) = server()
            .rsplit_once('/')
            .expect("an address with a database in it");
        let url = format!("{server}/{name}");
        Postgres::create_database(&url)
            .await
            .expect("PostgreSQL makes a database");
        Self { url }
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let url = std::mem::take(&mut self.url);
        // A runtime of its own: the test's may be the one that is dropping this.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            // One that stays behind goes with its server.
            let _ = runtime.block_on(Postgres::force_drop_database(&url));
        });
        let _ = dropping.join();
    }
}

/// The server's address, with a database that is there.
fn server() -> &'static str {
    static SERVER: OnceLock<String> = OnceLock::new();
    SERVER.get_or_init(|| match variable("FERROFLOW_TEST_POSTGRES") {
        Some(url) => url,
        None if is_strict() => {
            panic!("FERROFLOW_TEST_POSTGRES is not set: `cargo xtask test` starts a PostgreSQL and sets it")
        }
        None => start(),
    })
}

/// One server for this process. It ends with us, because its parent thread lives exactly as long as we do.
fn start() -> String {
    let (found, url) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (mut child, url) = launch();
        let _ = found.send(url);
        let _ = child.wait();
    });
    url.recv()
        .expect("PostgreSQL starts; the message above says why not")
}

fn launch() -> (Child, String) {
    let programs = programs().expect("PostgreSQL's server is not installed: `cargo xtask test` installs it");
    sweep();
    let folder = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    let as_root = fs::metadata("/proc/self").is_ok_and(|us| std::os::unix::fs::MetadataExt::uid(&us) == 0);
    if as_root {
        run(Command::new("chown").arg("postgres:").arg(&folder));
    }
    let data = folder.join("data");
    let flags = [
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--no-sync",
    ];
    run(account(as_root, &programs.join("initdb"))
        .args(flags)
        .arg("--pgdata")
        .arg(&data)
        .current_dir(&folder));
    let port = TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut child = account(as_root, &programs.join("postgres"))
        .arg("-D")
        .arg(&data)
        .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"])
        .args(["-c", &format!("unix_socket_directories={}", folder.display())])
        .args([
            "-c",
            "fsync=off",
            "-c",
            "synchronous_commit=off",
            "-c",
            "full_page_writes=off",
        ])
        .args(["-c", "max_connections=200", "-c", "shared_buffers=64MB"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(folder.join("log")).unwrap())
        .spawn()
        .expect("postgres starts");
    wait_until_ready(&mut child, &programs, port, &folder);
    (child, format!("postgres://postgres@127.0.0.1:{port}/postgres"))
}

fn wait_until_ready(child: &mut Child, programs: &Path, port: u16, folder: &Path) {
    let started = Instant::now();
    loop {
        let ready = Command::new(programs.join("pg_isready"))
            .args(["--quiet", "--host=127.0.0.1", "--port", &port.to_string()])
            .status()
            .unwrap();
        if ready.success() {
            return;
        }
        let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
        assert!(
            child.try_wait().unwrap().is_none(),
            "postgres ended at once:\n{}",
            log()
        );
        assert!(
            started.elapsed() < PATIENCE,
            "postgres did not come up:\n{}",
            log()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// PostgreSQL refuses to run as root; and it is told to stop when the thread that started it ends.
fn account(as_root: bool, program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if as_root {
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
    }
    command.args(["--pdeathsig", "INT"]).arg(program);
    command
}

fn run(command: &mut Command) {
    let output = command.output().expect("a program that is installed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The newest version's folder of programs; Debian keeps it off PATH.
fn programs() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    let usable =
        folders.filter(|folder| folder.join("bin/initdb").is_file() && folder.join("bin/postgres").is_file());
    let major = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    usable.max_by_key(major).map(|folder| folder.join("bin"))
}

/// Folders of processes that are gone.
fn sweep() {
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let id = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX)?.parse::<u32>().ok());
        if id.is_some_and(|id| !Path::new(&format!("/proc/{id}")).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
