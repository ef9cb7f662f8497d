//! Going through all files of a folder, always in the same order.

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;

use super::path::{DEEPEST, TEMPORARY, visible};

/// What a walk comes across.
pub(super) enum Seen<'a> {
    File {
        folder: &'a Dir,
        name: &'a str,
        /// From the top folder on.
        path: &'a str,
        size: u64,
    },
    /// A half-written file.
    Temporary { folder: &'a Dir, name: &'a str },
}

/// Shows every ordinary file that could also be named: no links, nothing reserved. `false` when there were too many
/// entries to look at all of them. What cannot be read is passed over.
pub(super) fn walk(root: &Dir, most: usize, mut on: impl FnMut(Seen<'_>)) -> bool {
    let Ok(top) = root.try_clone() else { return true };
    let mut left = most;
    // Folders in folders are few (`DEEPEST`), so the open handles are, too.
    inside(&top, "", DEEPEST, &mut left, &mut on)
}

fn inside(folder: &Dir, above: &str, depth: usize, left: &mut usize, on: &mut dyn FnMut(Seen<'_>)) -> bool {
    let Ok(entries) = folder.entries() else {
        return true;
    };
    let mut names = Vec::new();
    for entry in entries.flatten() {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        if let Ok(name) = entry.file_name().into_string() {
            names.push(name);
        }
    }
    names.sort_unstable();
    for name in &names {
        if name.starts_with(TEMPORARY) {
            on(Seen::Temporary { folder, name });
            continue;
        }
        if !visible(name) {
            continue;
        }
        let Ok(about) = folder.symlink_metadata(name) else {
            continue;
        };
        let path = if above.is_empty() {
            name.clone()
        } else {
            format!("{above}/{name}")
        };
        if about.is_file() {
            let size = about.len();
            on(Seen::File {
                folder,
                name,
                path: &path,
                size,
            });
        } else if about.is_dir()
            && depth > 1
            && let Ok(inner) = folder.open_dir_nofollow(name)
            && !inside(&inner, &path, depth - 1, left, on)
        {
            return false;
        }
    }
    true
}
