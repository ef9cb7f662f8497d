//! Things of this machine that a hostile program is told of, and whether it got at one of them.

use std::fs::Permissions;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

const SECRET: &str = "LEAK-canary";

pub struct Traps {
    folder: tempfile::TempDir,
    listener: TcpListener,
}

impl Traps {
    /// A folder that everybody may use, with a file that everybody may read, and a port that listens.
    pub fn set() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("ferro-hostile-")
            .tempdir()
            .unwrap();
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        std::fs::write(folder.path().join("secret"), SECRET).unwrap();
        std::fs::set_permissions(folder.path().join("secret"), Permissions::from_mode(0o644)).unwrap();
        std::fs::create_dir(folder.path().join("empty")).unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        Self { folder, listener }
    }

    fn secret(&self) -> PathBuf {
        self.folder.path().join("secret")
    }

    pub fn fill_in(&self, code: &str) -> String {
        let port = self.listener.local_addr().unwrap().port();
        code.replace("@SECRET@", &self.secret().display().to_string())
            .replace("@DIR@", &self.folder.path().display().to_string())
            .replace("@PORT@", &port.to_string())
            .replace("@PID@", &std::process::id().to_string())
    }

    pub fn sprung(&mut self) -> Option<String> {
        if self.listener.accept().is_ok() {
            return Some("it connected to a port of this machine".to_owned());
        }
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        if names != ["empty", "secret"] {
            return Some(format!("it changed the folder: {names:?}"));
        }
        let mode = std::fs::metadata(self.secret()).unwrap().permissions().mode();
        let same = std::fs::read_to_string(self.secret()).unwrap() == SECRET && mode & 0o777 == 0o644;
        (!same).then(|| "it changed a file".to_owned())
    }
}
