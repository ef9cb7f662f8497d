//! Reading a file, whole or in part.

use std::io::{self, Read as _};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, OpenOptions};

use super::path::RelPath;
use super::{FileError, Make, Sandbox};

/// Where a NUL tells that a file is no text.
const SNIFFED: usize = 8 * 1024;
/// Characters of one answer.
pub(super) const MOST_SHOWN: usize = 20_000;
/// Characters of one line of an answer.
const LONGEST_LINE: usize = 2_000;

/// Lines of a file, each with its number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) text: String,
    /// How many lines the whole file has.
    pub(crate) total: usize,
    /// The line to read on from.
    pub(crate) next: Option<usize>,
}

impl Sandbox {
    /// A whole text file, at most `max` bytes of it.
    pub fn read_bytes(&self, path: &str, max: u64) -> Result<Vec<u8>, FileError> {
        let path = RelPath::parse(path)?;
        let (_, name) = path.split();
        let folder = self.folder(&path, Make::No)?;
        let bytes = bytes(&folder, name, path.as_str(), max)?;
        if is_binary(&bytes) {
            return Err(FileError::Binary {
                path: path.as_str().to_owned(),
            });
        }
        Ok(bytes)
    }

    pub(super) fn text(&self, path: &str) -> Result<String, FileError> {
        let bytes = self.read_bytes(path, self.limits.file)?;
        String::from_utf8(bytes).map_err(|_| FileError::Binary {
            path: path.to_owned(),
        })
    }

    /// Lines from `offset` on, counted from 1, as many as fit into one answer.
    pub(crate) fn read(&self, path: &str, offset: usize, limit: Option<usize>) -> Result<Lines, FileError> {
        let text = self.text(path)?;
        let total = text.lines().count();
        let first = offset.max(1);
        if first > total && total > 0 {
            return Err(FileError::Unfit(format!(
                "{path:?} has {total} lines, so it cannot be read from line {first} on"
            )));
        }
        let mut shown = String::new();
        let mut next = None;
        let wanted = limit.unwrap_or(usize::MAX).max(1);
        let mut length = 0;
        for (number, line) in (1..).zip(text.lines()).skip(first - 1) {
            let line = format!("{number}\t{}", cut(line));
            length += line.chars().count() + 1;
            // The first line always fits, or nobody would get on.
            if number - first >= wanted || (length > MOST_SHOWN && number > first) {
                next = Some(number);
                break;
            }
            if number > first {
                shown.push('\n');
            }
            shown.push_str(&line);
        }
        Ok(Lines {
            text: shown,
            total,
            next,
        })
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        None => line.to_owned(),
        Some((end, _)) => {
            let rest = line[end..].chars().count();
            format!(
                "{}… [{rest} more characters; grep_search finds places in them]",
                &line[..end]
            )
        }
    }
}

/// The bytes of an ordinary file in an open folder. Links are not followed, and a pipe does not make anybody wait.
pub(super) fn bytes(folder: &Dir, name: &str, path: &str, max: u64) -> Result<Vec<u8>, FileError> {
    let not_there = |hint| FileError::NotThere {
        path: path.to_owned(),
        hint,
    };
    let disk = |source| FileError::Disk {
        path: path.to_owned(),
        deed: "read",
        source,
    };
    // Looked at before it is opened, as opening a device may already do something; and after, as it may be another then.
    let before = folder
        .symlink_metadata(name)
        .map_err(|error| reached(error, path))?;
    if before.is_dir() {
        return Err(not_there(": it is a folder; glob_search lists what is in it"));
    }
    if !before.is_file() {
        return Err(not_there(""));
    }
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let file = folder
        .open_with(name, &options)
        .map_err(|error| reached(error, path))?;
    let size = match file.metadata() {
        Ok(about) if about.is_file() => about.len(),
        Ok(_) => return Err(not_there("")),
        Err(error) => return Err(disk(error)),
    };
    let too_large = |size| FileError::TooLarge {
        path: path.to_owned(),
        size,
        most: max,
    };
    if size > max {
        return Err(too_large(size));
    }
    let mut bytes = Vec::new();
    file.take(max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(disk)?;
    let size = bytes.len() as u64;
    if size > max {
        Err(too_large(size))
    } else {
        Ok(bytes)
    }
}

fn reached(source: io::Error, path: &str) -> FileError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::Other => FileError::Disk {
            path,
            deed: "read",
            source,
        },
        _ => FileError::NotThere {
            path,
            hint: "; glob_search lists the files there are",
        },
    }
}

pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(SNIFFED).any(|&byte| byte == 0)
}
