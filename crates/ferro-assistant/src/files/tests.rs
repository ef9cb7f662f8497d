//! The folder against everything that a path, a disk, a neighbour and a careless model can do to it.

mod limits;
#[cfg(target_os = "linux")]
mod links;
mod paths;
mod searches;
mod tools;
mod writes;

use std::path::PathBuf;

use tempfile::TempDir;

use super::{FileError, Limits, Sandbox};

/// A folder of a person, with something beside it that must stay as it is.
struct Place {
    sandbox: Sandbox,
    around: TempDir,
}

const SECRET: &str = "nobody's business";

impl Place {
    fn new() -> Self {
        Self::limited(Limits::default())
    }

    fn limited(limits: Limits) -> Self {
        let around = tempfile::tempdir().unwrap();
        std::fs::create_dir(around.path().join("mine")).unwrap();
        std::fs::create_dir(around.path().join("other")).unwrap();
        std::fs::write(around.path().join("other/secret.txt"), SECRET).unwrap();
        let sandbox = Sandbox::open(around.path().join("mine")).unwrap().limited(limits);
        Self { sandbox, around }
    }

    /// Where a path really is.
    fn real(&self, path: &str) -> PathBuf {
        self.around.path().join("mine").join(path)
    }

    fn other(&self) -> PathBuf {
        self.around.path().join("other")
    }

    /// What is beside the folder, all of it.
    fn others(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(self.other())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        entries
            .into_iter()
            .map(|path| (path.clone(), std::fs::read(&path).unwrap()))
            .collect()
    }

    /// Every name in the folder on disk, half-written files included.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.real(folder)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn all(&self) -> Vec<String> {
        self.sandbox
            .glob("**")
            .unwrap()
            .files
            .into_iter()
            .map(|(path, _)| path)
            .collect()
    }
}

fn kind(error: &FileError) -> &'static str {
    match error {
        FileError::BadPath { .. } => "bad path",
        FileError::NotThere { .. } => "not there",
        FileError::TooLarge { .. } => "too large",
        FileError::Binary { .. } => "binary",
        FileError::Full(_) => "full",
        FileError::Unfit(_) => "unfit",
        FileError::Disk { .. } => "disk",
    }
}

/// The kind of error, or what was read.
fn read(sandbox: &Sandbox, path: &str) -> Result<String, &'static str> {
    let bytes = sandbox.read_bytes(path, 1 << 20).map_err(|error| kind(&error))?;
    Ok(String::from_utf8(bytes).unwrap())
}
