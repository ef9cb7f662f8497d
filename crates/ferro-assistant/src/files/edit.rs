//! Replacing a piece of a file.

use super::path::RelPath;
use super::write::Written;
use super::{FileError, Sandbox};

/// A change, and the whole file after it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Edited {
    pub(crate) written: Written,
    pub(crate) content: String,
    pub(crate) replaced: usize,
}

/// How many places may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    One,
    All,
}

impl Sandbox {
    /// Puts `new` where `old` is. With [`Places::One`], `old` must be there exactly once.
    pub(crate) fn edit(&self, path: &str, old: &str, new: &str, places: Places) -> Result<Edited, FileError> {
        let path = RelPath::parse(path)?;
        // Held over reading and writing, so that of two edits neither is lost.
        let held = self.lock();
        let text = self.text(path.as_str())?;
        let found = if old.is_empty() {
            0
        } else {
            text.matches(old).count()
        };
        let advice = match found {
            _ if old.is_empty() => {
                Some("the text to replace is empty; write_file writes a whole file".to_owned())
            }
            _ if old == new => Some("the new text is the same as the old one".to_owned()),
            0 => Some(
                "the text to replace is not in it; read_file shows the exact text, without its line numbers"
                    .to_owned(),
            ),
            1 => None,
            many if places == Places::One => Some(format!(
                "the text to replace is in it {many} times; give more of what stands around it, or set replace_all"
            )),
            _ => None,
        };
        if let Some(advice) = advice {
            return Err(FileError::Unfit(format!(
                "{:?} was not changed: {advice}",
                path.as_str()
            )));
        }
        let grown = text.len() as u64 + found as u64 * (new.len() as u64).saturating_sub(old.len() as u64);
        if grown > self.limits.file {
            return Err(FileError::TooLarge {
                path: path.as_str().to_owned(),
                size: grown,
                most: self.limits.file,
            });
        }
        let content = text.replace(old, new);
        let written = self.put(&path, &content, &held, |folder, from, to| {
            folder.rename(from, folder, to)
        })?;
        Ok(Edited {
            written,
            content,
            replaced: found,
        })
    }
}
