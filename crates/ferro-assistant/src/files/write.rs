//! Writing a file: all of it or nothing.

use std::io::{self, Write as _};
use std::time::{Duration, SystemTime};

use cap_fs_ext::OpenOptionsFollowExt as _;
use cap_std::fs::{Dir, OpenOptions};

use super::path::{RelPath, TEMPORARY};
use super::walk::{Seen, walk};
use super::{FileError, Make, Sandbox, Writing};

/// What came of a write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) path: String,
    pub(crate) size: u64,
    /// There was no such file before.
    pub(crate) created: bool,
}

/// A half-written file this old belongs to a server that is gone.
const LEFT_OVER: Duration = Duration::from_secs(60 * 60);

impl Sandbox {
    /// The content in the place of whatever the file held, its folders made where they are missing.
    pub(crate) fn write(&self, path: &str, content: &str) -> Result<Written, FileError> {
        let path = RelPath::parse(path)?;
        let held = self.lock();
        self.put(&path, content, &held, |folder, from, to| {
            folder.rename(from, folder, to)
        })
    }

    /// `rename` puts the finished file in its place; another one is for tests that let it fail.
    pub(super) fn put(
        &self,
        path: &RelPath,
        content: &str,
        _held: &Writing<'_>,
        rename: impl FnOnce(&Dir, &str, &str) -> io::Result<()>,
    ) -> Result<Written, FileError> {
        let size = content.len() as u64;
        if size > self.limits.file {
            return Err(FileError::TooLarge {
                path: path.as_str().to_owned(),
                size,
                most: self.limits.file,
            });
        }
        if content.contains('\0') {
            return Err(FileError::Unfit(
                "A file holds text: the content has a NUL character in it".to_owned(),
            ));
        }
        let replaced = self.size_of(path)?;
        self.check_room(path, size, replaced)?;
        let (_, name) = path.split();
        let folder = self.folder(path, Make::Yes)?;
        replace(&folder, name, content.as_bytes(), rename).map_err(|source| FileError::Disk {
            path: path.as_str().to_owned(),
            deed: "written",
            source,
        })?;
        Ok(Written {
            path: path.as_str().to_owned(),
            size,
            created: replaced.is_none(),
        })
    }

    /// The size of the file there is. Only ordinary files may be replaced.
    fn size_of(&self, path: &RelPath) -> Result<Option<u64>, FileError> {
        let Ok(folder) = self.folder(path, Make::No) else {
            return Ok(None);
        };
        let (_, name) = path.split();
        match folder.symlink_metadata(name) {
            Ok(about) if about.is_file() => Ok(Some(about.len())),
            Ok(_) => Err(FileError::NotThere {
                path: path.as_str().to_owned(),
                hint: " that could be written: something else has this name; choose another",
            }),
            Err(_) => Ok(None),
        }
    }

    fn check_room(&self, path: &RelPath, size: u64, replaced: Option<u64>) -> Result<(), FileError> {
        let (mut files, mut bytes) = (0_usize, 0_u64);
        let whole = walk(&self.root, self.limits.visited, |seen| match seen {
            Seen::File { size, .. } => {
                files += 1;
                bytes = bytes.saturating_add(size);
            }
            Seen::Temporary { folder, name } => sweep(folder, name),
        });
        let limits = &self.limits;
        if replaced.is_none() && files >= limits.files || !whole {
            return Err(FileError::Full(format!(
                "The folder holds {files} files already, and {} are allowed: change one of them instead of writing {:?}",
                limits.files,
                path.as_str()
            )));
        }
        let then = bytes.saturating_sub(replaced.unwrap_or(0)).saturating_add(size);
        if then > limits.bytes {
            return Err(FileError::Full(format!(
                "With {:?} the folder would hold {then} bytes, and {} are allowed: write less, or shorten another file",
                path.as_str(),
                limits.bytes
            )));
        }
        Ok(())
    }
}

/// Takes away what a crash left behind. A younger one is somebody's work.
fn sweep(folder: &Dir, name: &str) {
    let written = folder.symlink_metadata(name).and_then(|about| about.modified());
    let old = written.is_ok_and(|at| {
        SystemTime::now()
            .duration_since(at.into_std())
            .is_ok_and(|age| age > LEFT_OVER)
    });
    if old {
        let _ = folder.remove_file(name);
    }
}

/// A reader sees the old content or the new one, also after a crash. A link with this name is replaced, not followed.
fn replace(
    folder: &Dir,
    name: &str,
    content: &[u8],
    rename: impl FnOnce(&Dir, &str, &str) -> io::Result<()>,
) -> io::Result<()> {
    let mut random = [0_u8; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let part = format!("{TEMPORARY}{:016x}", u64::from_le_bytes(random));
    let mut options = OpenOptions::new();
    options
        .write(true)
        .create_new(true)
        .follow(cap_fs_ext::FollowSymlinks::No);
    let done = folder.open_with(&part, &options).and_then(|mut file| {
        file.write_all(content)?;
        // Before the name leads to it: else a power cut could leave an empty file in the place of a full one.
        file.sync_all()?;
        drop(file);
        rename(folder, &part, name)
    });
    if let Err(error) = done {
        let _ = folder.remove_file(&part);
        return Err(error);
    }
    // The file is there; whether its name outlives a power cut is up to systems that let folders be synced.
    if let Ok(itself) = folder.open(".") {
        let _ = itself.sync_all();
    }
    Ok(())
}
