//! Finding lines in files.

use regex::RegexBuilder;

use super::glob::Glob;
use super::read::{MOST_SHOWN, bytes, is_binary};
use super::walk::{Seen, walk};
use super::{FileError, Sandbox};

/// Lines of one answer.
pub(crate) const MOST_MATCHES: usize = 100;
const LONGEST_PATTERN: usize = 500;
/// Characters of a line that are shown.
const AROUND: usize = 200;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) path: String,
    /// From 1.
    pub(crate) line: usize,
    pub(crate) text: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Matches {
    pub(crate) matches: Vec<Match>,
    pub(crate) more: bool,
    /// Files that are too large or no text.
    pub(crate) skipped: usize,
}

impl Sandbox {
    pub(crate) fn grep(&self, pattern: &str, glob: Option<&str>) -> Result<Matches, FileError> {
        if pattern.is_empty() || pattern.len() > LONGEST_PATTERN {
            return Err(FileError::Unfit(
                "The pattern must have 1 to 500 bytes".to_owned(),
            ));
        }
        // The engine takes time in proportion to the text whatever the pattern; only its own size needs a limit.
        let regex = RegexBuilder::new(pattern)
            .size_limit(1 << 20)
            .dfa_size_limit(1 << 20)
            .build()
            .map_err(|error| {
                let error = error.to_string();
                let why = error
                    .lines()
                    .last()
                    .unwrap_or_default()
                    .trim_start_matches("error: ");
                FileError::Unfit(format!(
                    "The pattern is no regular expression: {why}; put \\ before signs that are meant as such"
                ))
            })?;
        let wanted = glob.filter(|glob| !glob.is_empty()).map(Glob::new).transpose()?;
        let mut found = Matches::default();
        let mut shown = 0;
        let whole = walk(&self.root, self.limits.visited, |seen| {
            let Seen::File {
                folder, name, path, ..
            } = seen
            else {
                return;
            };
            if found.more || wanted.as_ref().is_some_and(|glob| !glob.fits(path)) {
                return;
            }
            let read = bytes(folder, name, path, self.limits.file)
                .ok()
                .filter(|bytes| !is_binary(bytes));
            let Some(text) = read.and_then(|bytes| String::from_utf8(bytes).ok()) else {
                found.skipped += 1;
                return;
            };
            for (number, line) in (1..).zip(text.lines()) {
                let Some(hit) = regex.find(line) else { continue };
                let text = around(line, hit.start());
                shown += text.len() + path.len();
                if found.matches.len() == MOST_MATCHES || shown > MOST_SHOWN {
                    found.more = true;
                    return;
                }
                found.matches.push(Match {
                    path: path.to_owned(),
                    line: number,
                    text,
                });
            }
        });
        found.more |= !whole;
        Ok(found)
    }
}

/// The part of a line where the hit is.
fn around(line: &str, hit: usize) -> String {
    let before = line[..hit].chars().count();
    let from = before.saturating_sub(AROUND / 4);
    let mut text: String = line.chars().skip(from).take(AROUND).collect();
    if from > 0 {
        text.insert(0, '…');
    }
    if line.chars().nth(from + AROUND).is_some() {
        text.push('…');
    }
    text
}
