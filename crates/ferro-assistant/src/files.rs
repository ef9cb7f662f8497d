//! A person's own folder, and the file tools that work in it.
//!
//! A path is checked by its shape (`path.rs`) and then walked folder by folder over open handles without following
//! links, so that what is swapped for a link after a check leads nowhere. Nothing here knows where the folder is.

mod edit;
mod error;
mod glob;
mod grep;
mod path;
mod read;
mod tools;
mod walk;
mod write;

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap_fs_ext::DirExt as _;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

pub use error::FileError;
pub(crate) use tools::{read_tools, tools};

use path::RelPath;

/// What one person's folder may hold, and what one call may move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// Of one file, read or written.
    pub(crate) file: u64,
    /// Entries looked at by one search.
    pub(crate) visited: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            files: 1_000,
            bytes: 50 * 1024 * 1024,
            file: 1024 * 1024,
            visited: 20_000,
        }
    }
}

/// One person's folder. Every method here blocks: call it where blocking is allowed.
pub struct Sandbox {
    root: Dir,
    limits: Limits,
    /// One writer at a time. The file is the folder itself: its lock holds against other turns and servers as well,
    /// where the system knows such locks.
    writer: Mutex<Option<File>>,
}

impl Sandbox {
    /// Opens a folder that exists.
    pub fn open(root: PathBuf) -> io::Result<Self> {
        let folder = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Self {
            root: folder,
            limits: Limits::default(),
            writer: Mutex::new(File::open(&root).ok()),
        })
    }

    #[cfg(test)]
    fn limited(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The folder of a path, opened part by part.
    fn folder(&self, path: &RelPath, make: Make) -> Result<Dir, FileError> {
        let not_there = || FileError::NotThere {
            path: path.as_str().to_owned(),
            hint: "; glob_search lists the files there are",
        };
        let disk = |source| FileError::Disk {
            path: path.as_str().to_owned(),
            deed: "reached",
            source,
        };
        let mut folder = self.root.try_clone().map_err(disk)?;
        for part in path.split().0 {
            folder = match folder.open_dir_nofollow(part) {
                Ok(inner) => inner,
                Err(error) if error.kind() == io::ErrorKind::NotFound && make == Make::Yes => {
                    match folder.create_dir(part) {
                        // Somebody else made it meanwhile: whether it is a folder, the next line says.
                        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                            return Err(disk(error));
                        }
                        _ => folder.open_dir_nofollow(part).map_err(|_| not_there())?,
                    }
                }
                // Missing, a file, a link: all the same to whoever asks.
                Err(_) => return Err(not_there()),
            };
        }
        Ok(folder)
    }

    fn lock(&self) -> Writing<'_> {
        let held = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = held.as_ref() {
            // A disk without such locks still has the one of this process.
            let _ = file.lock();
        }
        Writing(held)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Make {
    Yes,
    No,
}

/// While it lives, nobody else writes.
struct Writing<'a>(MutexGuard<'a, Option<File>>);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        if let Some(file) = self.0.as_ref() {
            let _ = file.unlock();
        }
    }
}
