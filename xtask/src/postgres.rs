//! A PostgreSQL that lives as long as the tests: own folder, free loopback port, no durability.
//!
//! The server is our child in the foreground and is told to stop when we die (setpriv's pdeathsig), so
//! neither a panic nor a kill leaves one behind. It refuses to run as root; root starts it as `postgres`.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{debian, sh};

const PREFIX: &str = "ferroflow-test-postgres-";
const START_PATIENCE: Duration = Duration::from_secs(30);

pub struct Postgres {
    server: Child,
    folder: PathBuf,
    port: u16,
}

impl Postgres {
    pub fn start() -> Result<Self> {
        let programs = programs().context("PostgreSQL's server programs are not installed")?;
        let temp = std::env::temp_dir();
        sweep(&temp);
        let folder = temp.join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let account = Account::for_server()?;
        account.own(&folder)?;

        let data = folder.join("data");
        let made = sh::capture(
            account
                .command(&programs.join("initdb"))
                .args([
                    "--username=postgres",
                    "--auth=trust",
                    "--encoding=UTF8",
                    "--locale=C.UTF-8",
                    "--no-sync",
                ])
                .arg("--pgdata")
                .arg(&data)
                .current_dir(&folder),
        );
        if let Err(error) = made {
            let _ = fs::remove_dir_all(&folder);
            return Err(error);
        }

        let port = free_port()?;
        let log = folder.join("log");
        let server = account
            .command(&programs.join("postgres"))
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
            .stderr(File::create(&log)?)
            .spawn()
            .context("cannot start postgres")?;
        let mut postgres = Self { server, folder, port };
        postgres.wait_until_ready(&programs)?;
        sh::say(&format!("PostgreSQL for the tests listens on 127.0.0.1:{port}"));
        Ok(postgres)
    }

    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    fn wait_until_ready(&mut self, programs: &Path) -> Result<()> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.server.try_wait()? {
                bail!("postgres ended at once ({status}):\n{}", self.log());
            }
            let ready = Command::new(programs.join("pg_isready"))
                .args(["--quiet", "--host=127.0.0.1", "--port", &self.port.to_string()])
                .status()
                .context("cannot start pg_isready")?;
            if ready.success() {
                return Ok(());
            }
            if started.elapsed() > START_PATIENCE || sh::interrupted() {
                bail!("postgres did not come up:\n{}", self.log());
            }
            sh::pause(Duration::from_millis(50));
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // INT is PostgreSQL's "fast": it drops its connections instead of waiting for them.
        let _ = sh::stop(&mut self.server, "INT", Duration::from_secs(10));
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder with initdb and postgres. Debian keeps it off PATH, one per major version: the newest wins.
pub fn programs() -> Option<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let newest = debian
        .filter(|folder| has_server(&folder.join("bin")))
        .max_by_key(|folder| major(folder))
        .map(|folder| folder.join("bin"));
    newest.or_else(|| {
        let on_path = sh::find_program("postgres")?
            .canonicalize()
            .ok()?
            .parent()?
            .to_path_buf();
        has_server(&on_path).then_some(on_path)
    })
}

fn has_server(folder: &Path) -> bool {
    ["initdb", "postgres", "pg_isready"]
        .into_iter()
        .all(|program| folder.join(program).is_file())
}

fn major(folder: &Path) -> u32 {
    folder
        .file_name()
        .and_then(|name| name.to_str()?.parse().ok())
        .unwrap_or(0)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Folders of runs that were killed before they could clean up.
fn sweep(temp: &Path) {
    for entry in fs::read_dir(temp).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX)?.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Who runs the server: ourselves, or `postgres` when we are root.
struct Account {
    other: bool,
    setpriv: Option<PathBuf>,
}

impl Account {
    fn for_server() -> Result<Self> {
        let other = debian::is_root()?;
        let setpriv = sh::find_program("setpriv");
        if other && setpriv.is_none() {
            bail!(
                "setpriv is missing (Debian's util-linux): root needs it to start PostgreSQL as another user"
            );
        }
        Ok(Self { other, setpriv })
    }

    fn own(&self, folder: &Path) -> Result<()> {
        if self.other {
            sh::capture(Command::new("chown").arg("postgres:").arg(folder))?;
        }
        Ok(())
    }

    fn command(&self, program: &Path) -> Command {
        let Some(setpriv) = &self.setpriv else {
            return Command::new(program);
        };
        let mut command = Command::new(setpriv);
        if self.other {
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
        }
        command.args(["--pdeathsig", "INT"]).arg(program);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fixture::Fixture;

    #[test]
    fn it_starts_answers_and_leaves_nothing() {
        let Some(programs) = programs() else {
            // `cargo xtask test` has installed it by now; a plain `cargo test` may not have it.
            assert!(
                std::env::var_os("FERROFLOW_TEST_STRICT").is_none(),
                "PostgreSQL is not installed"
            );
            return;
        };
        let postgres = Postgres::start().unwrap();
        let folder = postgres.folder.clone();
        let answer =
            sh::capture(Command::new(programs.join("psql")).args(["-Atqc", "show fsync", &postgres.url()]))
                .unwrap();
        assert_eq!(answer.trim(), "off");
        drop(postgres);
        assert!(!folder.exists());
    }

    #[test]
    fn leftovers_of_dead_runs_are_swept_and_nothing_else() {
        // Process ids end at 2^22, so the first belongs to nobody; the second is us.
        let (dead, alive) = (
            format!("{PREFIX}99999999"),
            format!("{PREFIX}{}", std::process::id()),
        );
        let tree = Fixture::new()
            .file(&format!("{dead}/data/x"), "")
            .file(&format!("{alive}/data/x"), "")
            .file("other/x", "");
        sweep(tree.root());
        assert!(!tree.root().join(dead).exists());
        assert!(tree.root().join(alive).exists() && tree.root().join("other/x").exists());
    }
}
