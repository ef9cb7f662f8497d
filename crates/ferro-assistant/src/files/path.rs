//! Paths a model may name: relative, forward slashes, and the same file on every system.
//!
//! The shape alone decides. A path that would mean something else on Windows or macOS than here is refused here, too:
//! a folder may be moved, or lie on a disk that does not tell upper from lower case.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::FileError;

/// Of the whole path, in bytes, as the API has it.
const LONGEST_PATH: usize = 1024;
/// Of one part, in bytes. Disks take 255; what encrypts names leaves less.
const LONGEST_PART: usize = 200;
/// Folders in folders.
pub(crate) const DEEPEST: usize = 16;

/// What only the server itself may touch, as [`skeleton`] writes it.
const RESERVED: [&str; 2] = [".COMPONENTS", ".LFSIG"];
/// Half-written files.
pub(super) const TEMPORARY: &str = ".ferro-part-";

/// What Windows takes for a device, whatever the ending.
const DEVICES: [&str; 7] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];

/// A path that names nothing but a file of the folder it is used in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RelPath {
    text: String,
}

impl RelPath {
    pub(crate) fn parse(path: &str) -> Result<Self, FileError> {
        // Models like to write it, and it says nothing.
        let text = path.strip_prefix("./").unwrap_or(path);
        let bad = |reason| FileError::BadPath {
            path: path.chars().take(100).collect(),
            reason,
        };
        if text.is_empty() {
            return Err(bad("it is empty; give a name such as \"notes.md\""));
        }
        if text.len() > LONGEST_PATH {
            return Err(bad("it is longer than 1024 bytes"));
        }
        if text.starts_with(['/', '\\']) || text.chars().nth(1) == Some(':') {
            return Err(bad(
                "it must be relative to the person's folder, such as \"docs/notes.md\"",
            ));
        }
        if text.split('/').count() > DEEPEST {
            return Err(bad("it has more than 16 parts"));
        }
        for part in text.split('/') {
            if let Some(reason) = unfit(part) {
                return Err(bad(reason));
            }
        }
        Ok(Self {
            text: text.to_owned(),
        })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The folders on the way, and the name.
    pub(super) fn split(&self) -> (impl Iterator<Item = &str>, &str) {
        let (folders, name) = self.text.rsplit_once('/').unwrap_or(("", &self.text));
        (folders.split('/').filter(|part| !part.is_empty()), name)
    }
}

/// Whether an entry on disk may be seen: what could not be named is not listed either.
pub(super) fn visible(part: &str) -> bool {
    unfit(part).is_none()
}

/// Why this part of a path is refused.
pub(super) fn unfit(part: &str) -> Option<&'static str> {
    if part.is_empty() {
        return Some("it has an empty part; write single slashes, and none at the end");
    }
    if part == "." || part == ".." {
        return Some("\".\" and \"..\" are not allowed; name the file from the person's folder on");
    }
    if part.len() > LONGEST_PART {
        return Some("one of its parts is longer than 200 bytes");
    }
    if part.chars().any(char::is_control) {
        return Some("it holds control characters");
    }
    if part.chars().any(unseen) {
        return Some("it holds characters that cannot be seen");
    }
    if part.contains(['\\', ':', '<', '>', '"', '|', '?', '*']) {
        return Some("none of \\ : < > \" | ? * may be in it; folders are separated by /");
    }
    if part.starts_with(char::is_whitespace) || part.ends_with(char::is_whitespace) || part.ends_with('.') {
        return Some("a part begins or ends with a space, or ends with a dot");
    }
    let skeleton = skeleton(part);
    let bare = skeleton.trim_end_matches(['.', ' ']);
    if RESERVED.contains(&bare) || part.to_lowercase().starts_with(TEMPORARY) {
        return Some("this name is reserved for the server");
    }
    if device(&skeleton) {
        return Some("Windows takes this name for a device; choose another");
    }
    // `COMPON~1` is `.components` where short names are made.
    if skeleton
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0] == b'~' && pair[1].is_ascii_digit())
    {
        return Some("~ before a digit may stand for another file on Windows; choose another name");
    }
    None
}

fn device(skeleton: &str) -> bool {
    let stem = skeleton.split('.').next().unwrap_or(skeleton).trim();
    let numbered = |name: &str| {
        let digits = stem.strip_prefix(name).unwrap_or("");
        digits.len() == 1 && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    DEVICES.contains(&stem) || numbered("COM") || numbered("LPT")
}

/// What is left of a name for a disk that knows no case, no width, no accents, and skips what it does not see: more
/// than any real one forgives, so nothing slips through between two of them.
fn skeleton(part: &str) -> String {
    let plain = part.nfkd().filter(|&c| !is_combining_mark(c) && !unseen(c));
    plain
        .flat_map(char::to_uppercase)
        .nfkd()
        .filter(|&c| !is_combining_mark(c))
        .collect()
}

/// Joiners, direction marks, selectors, tags and the like: two names would look the same.
fn unseen(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFD}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}
