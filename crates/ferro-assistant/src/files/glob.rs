//! Finding files by name.

use regex::{Regex, RegexBuilder};

use super::path::unfit;
use super::walk::{Seen, walk};
use super::{FileError, Sandbox};

/// Files of one answer.
pub(crate) const MOST_FOUND: usize = 200;
const LONGEST_PATTERN: usize = 256;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// With sizes in bytes, by path.
    pub(crate) files: Vec<(String, u64)>,
    /// Not all of them.
    pub(crate) more: bool,
}

impl Sandbox {
    pub(crate) fn glob(&self, pattern: &str) -> Result<Found, FileError> {
        let wanted = Glob::new(pattern)?;
        let mut found = Found {
            files: Vec::new(),
            more: false,
        };
        let whole = walk(&self.root, self.limits.visited, |seen| {
            if let Seen::File { path, size, .. } = seen
                && wanted.fits(path)
            {
                if found.files.len() < MOST_FOUND {
                    found.files.push((path.to_owned(), size));
                } else {
                    found.more = true;
                }
            }
        });
        found.more |= !whole;
        Ok(found)
    }
}

/// `*` and `?` within a name, `**` over folders, `[abc]` and `{one,other}`. A pattern without a slash fits names in
/// any folder.
pub(super) struct Glob(Regex);

impl Glob {
    pub(super) fn new(pattern: &str) -> Result<Self, FileError> {
        let bad = |reason: &str| FileError::Unfit(format!("{pattern:?} cannot be searched for: {reason}"));
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        if pattern.len() > LONGEST_PATTERN {
            return Err(FileError::Unfit(
                "The pattern is longer than 256 bytes: search for less".to_owned(),
            ));
        }
        for part in pattern.split('/') {
            // With the wildcards out of the way a part must be one a path can have.
            let plain: String = part
                .chars()
                .map(|c| if "*?[]{},!".contains(c) { 'x' } else { c })
                .collect();
            if let Some(reason) = unfit(&plain) {
                return Err(bad(reason));
            }
        }
        let anywhere = if pattern.contains('/') { "" } else { "(?:.*/)?" };
        let body = translate(pattern).ok_or_else(|| bad("a [ or { is not closed"))?;
        let regex = RegexBuilder::new(&format!("(?s)^{anywhere}{body}$"))
            .size_limit(1 << 20)
            .build()
            .map_err(|_| bad("write it like *.md, docs/** or report-?.txt"))?;
        Ok(Self(regex))
    }

    pub(super) fn fits(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}

fn translate(pattern: &str) -> Option<String> {
    let mut regex = String::new();
    let mut braces = 0_usize;
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '*' if rest.peek() == Some(&'*') => {
                while rest.next_if_eq(&'*').is_some() {}
                // `**/` also stands for no folder at all.
                regex.push_str(if rest.next_if_eq(&'/').is_some() {
                    "(?:.*/)?"
                } else {
                    ".*"
                });
            }
            '*' => regex.push_str("[^/]*"),
            '?' => regex.push_str("[^/]"),
            '[' => {
                let mut set: String = (&mut rest).take_while(|&c| c != ']').collect();
                // `take_while` swallowed the bracket, or there was none.
                if set.is_empty() || !pattern.contains(&format!("[{set}]")) {
                    return None;
                }
                let not = if set.starts_with(['!', '^']) {
                    set.remove(0);
                    "^/"
                } else {
                    ""
                };
                regex.push_str(&format!(
                    "[{not}{}]",
                    set.replace('\\', "\\\\")
                        .replace('[', "\\[")
                        .replace('&', "\\&")
                        .replace('~', "\\~")
                ));
            }
            '{' => {
                braces += 1;
                regex.push_str("(?:");
            }
            '}' if braces > 0 => {
                braces -= 1;
                regex.push(')');
            }
            ',' if braces > 0 => regex.push('|'),
            c => regex.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    (braces == 0).then_some(regex)
}
