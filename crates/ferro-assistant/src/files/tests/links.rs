//! Links, pipes, and folders that are swapped while somebody works in them.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, Mode, RenameFlags, mkfifoat, renameat_with};

use super::{Place, SECRET, read};
use crate::files::edit::Places;

#[test]
fn links_are_followed_nowhere() {
    let place = Place::new();
    let before = place.others();
    symlink(place.other(), place.real("folder")).unwrap();
    symlink(place.other().join("secret.txt"), place.real("file.txt")).unwrap();
    symlink(place.other().join("new.txt"), place.real("dangling.txt")).unwrap();
    symlink("..", place.real("up")).unwrap();
    symlink("loop", place.real("loop")).unwrap();
    place.sandbox.write("real/notes.md", SECRET).unwrap();
    symlink("real", place.real("inward")).unwrap();
    symlink("notes.md", place.real("real/also.md")).unwrap();
    let sandbox = &place.sandbox;
    let paths = [
        "folder/secret.txt",
        "folder/new.txt",
        "file.txt",
        "dangling.txt",
        "up/other/secret.txt",
        "up/x",
        "loop",
        "loop/x",
        "inward/notes.md",
        "inward/new.md",
        "real/also.md",
        "folder",
        "inward",
    ];
    for path in paths {
        assert_eq!(read(sandbox, path), Err("not there"), "{path}");
        assert!(sandbox.write(path, "mine").is_err(), "{path}");
        assert!(
            sandbox.edit(path, "business", "x", Places::All).is_err(),
            "{path}"
        );
    }
    assert_eq!(place.all(), ["real/notes.md"], "links are not listed");
    let found = sandbox.grep("business", None).unwrap();
    assert_eq!(found.matches.len(), 1, "nor searched");
    assert_eq!(place.others(), before);
}

#[test]
fn pipes_and_folders_are_no_files_and_nobody_waits_for_them() {
    let place = Place::new();
    let pipe = place.real("pipe");
    mkfifoat(CWD, &pipe, Mode::RWXU).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(place.real("socket")).unwrap();
    std::fs::create_dir(place.real("folder")).unwrap();
    for path in ["pipe", "socket", "folder"] {
        assert_eq!(read(&place.sandbox, path), Err("not there"), "{path}");
        assert!(place.sandbox.write(path, "x").is_err(), "{path}");
    }
    assert!(place.all().is_empty());
    assert!(place.sandbox.grep("x", None).unwrap().matches.is_empty());
    // A file in the way of a folder.
    place.sandbox.write("file", "x").unwrap();
    assert_eq!(read(&place.sandbox, "file/inner"), Err("not there"));
    assert!(place.sandbox.write("file/inner", "x").is_err());
}

#[test]
fn hard_links_are_ordinary_files_and_writing_parts_them() {
    let place = Place::new();
    std::fs::hard_link(place.other().join("secret.txt"), place.real("linked.txt")).unwrap();
    assert_eq!(read(&place.sandbox, "linked.txt"), Ok(SECRET.to_owned()));
    place.sandbox.write("linked.txt", "mine").unwrap();
    assert_eq!(
        std::fs::read_to_string(place.other().join("secret.txt")).unwrap(),
        SECRET
    );
}

/// Two names change places in one step, so that there is never a moment without one of them.
fn swap(one: &Path, other: &Path) {
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
}

/// A neighbour turns a folder into a link and back, again and again, while the sandbox works through it.
#[test]
fn a_folder_swapped_for_a_link_leads_nowhere() {
    let place = Place::new();
    place.sandbox.write("door/secret.txt", "mine").unwrap();
    symlink(place.other(), place.real("aside")).unwrap();
    let before = place.others();
    let done = AtomicBool::new(false);
    let (mut seen, mut written, mut refused) = (Vec::new(), 0, 0);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                swap(&place.real("door"), &place.real("aside"));
            }
        });
        let sandbox = &place.sandbox;
        // Until both were met, so that the test is about something.
        let mut round = 0;
        while round < 1_000 || ((written == 0 || refused == 0) && round < 100_000) {
            seen.extend(read(sandbox, "door/secret.txt").ok());
            let found = sandbox.grep("business", None);
            seen.extend(
                found
                    .iter()
                    .flat_map(|found| &found.matches)
                    .map(|hit| hit.text.clone()),
            );
            match sandbox.write(&format!("door/{}.md", round % 5), "mine") {
                Ok(_) => written += 1,
                Err(_) => refused += 1,
            }
            let _ = sandbox.edit("door/secret.txt", "business", "theft", Places::All);
            round += 1;
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(written > 0 && refused > 0, "{written} written, {refused} refused");
    assert!(seen.iter().all(|text| text == "mine"), "{seen:?}");
    assert_eq!(place.others(), before);
}

/// The same for the last part: a file swapped for a link between looking and opening, and between looking and writing.
#[test]
fn a_file_swapped_for_a_link_is_replaced_not_followed() {
    let place = Place::new();
    let before = place.others();
    place.sandbox.write("notes.md", "mine").unwrap();
    symlink(place.other().join("secret.txt"), place.real("aside.md")).unwrap();
    let done = AtomicBool::new(false);
    let mut seen = Vec::new();
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                swap(&place.real("notes.md"), &place.real("aside.md"));
            }
        });
        for _ in 0..1_500 {
            seen.extend(read(&place.sandbox, "notes.md").ok());
            let _ = place.sandbox.write("notes.md", "mine");
            let _ = place.sandbox.edit("notes.md", "business", "theft", Places::All);
            // A write may have replaced the link.
            let link = [place.real("notes.md"), place.real("aside.md")]
                .iter()
                .any(|path| path.is_symlink());
            if !link {
                let _ = symlink(place.other().join("secret.txt"), place.real("again.md"));
                let _ = std::fs::rename(place.real("again.md"), place.real("aside.md"));
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(
        !seen.is_empty() && seen.iter().all(|text| text == "mine"),
        "{seen:?}"
    );
    assert_eq!(place.others(), before);
}
