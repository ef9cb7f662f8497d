//! All or nothing, and nothing lost between two who write.

use std::io;
use std::time::{Duration, SystemTime};

use super::super::path::{RelPath, TEMPORARY};
use super::{Place, Sandbox, kind, read};
use crate::files::edit::Places;

#[test]
fn a_write_makes_folders_and_replaces_what_was_there() {
    let place = Place::new();
    let first = place.sandbox.write("docs/deep/notes.md", "one").unwrap();
    assert!(first.created);
    let second = place.sandbox.write("docs/deep/notes.md", "zwölf").unwrap();
    assert_eq!((second.created, second.size), (false, 6));
    assert_eq!(read(&place.sandbox, "docs/deep/notes.md"), Ok("zwölf".to_owned()));
    assert_eq!(
        place.names("docs/deep"),
        ["notes.md"],
        "nothing half-written stays"
    );
}

#[test]
fn a_write_that_fails_leaves_the_old_content_and_no_rest() {
    let place = Place::new();
    place.sandbox.write("notes.md", "old").unwrap();
    for (path, there) in [("notes.md", Ok("old".to_owned())), ("new.md", Err("not there"))] {
        let held = place.sandbox.lock();
        let path = RelPath::parse(path).unwrap();
        let told = place.sandbox.put(&path, "new", &held, |folder, part, _| {
            assert_eq!(
                folder.read_to_string(part).unwrap(),
                "new",
                "it was complete by then"
            );
            Err(io::Error::other("the disk is gone"))
        });
        let told = told.unwrap_err();
        assert_eq!(kind(&told), "disk");
        assert!(
            !told.to_string().contains("the disk is gone"),
            "the cause is for the log: {told}"
        );
        assert_eq!(read(&place.sandbox, path.as_str()), there);
    }
    assert_eq!(place.names(""), ["notes.md"]);
}

#[test]
fn half_written_files_are_not_seen_and_old_ones_go() {
    let place = Place::new();
    let young = format!("{TEMPORARY}0000000000000001");
    let old = format!("{TEMPORARY}0000000000000002");
    for name in [&young, &old] {
        std::fs::write(place.real(name), "half").unwrap();
    }
    let file = std::fs::File::options()
        .write(true)
        .open(place.real(&old))
        .unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(2 * 60 * 60))
        .unwrap();
    assert!(place.all().is_empty());
    assert!(place.sandbox.grep("half", None).unwrap().matches.is_empty());
    place.sandbox.write("notes.md", "x").unwrap();
    assert_eq!(place.names(""), [young, "notes.md".to_owned()]);
}

#[test]
fn readers_see_one_content_or_the_other() {
    let place = Place::new();
    let (one, other) = ("a".repeat(200_000), "b".repeat(100_000));
    place.sandbox.write("notes.md", &one).unwrap();
    std::thread::scope(|threads| {
        threads.spawn(|| {
            for round in 0..40 {
                place
                    .sandbox
                    .write("notes.md", if round % 2 == 0 { &other } else { &one })
                    .unwrap();
            }
        });
        for _ in 0..200 {
            let seen = read(&place.sandbox, "notes.md").unwrap();
            assert!(seen == one || seen == other, "{} bytes", seen.len());
        }
    });
}

/// Two turns have a folder each of their own making; the limits and the edits are of both together.
#[test]
fn of_edits_at_once_none_is_lost() {
    let place = Place::new();
    let second = Sandbox::open(place.real("")).unwrap();
    place.sandbox.write("count.txt", "").unwrap();
    place.sandbox.write("count.txt", "end").unwrap();
    std::thread::scope(|threads| {
        for sandbox in [&place.sandbox, &place.sandbox, &second, &second] {
            threads.spawn(move || {
                for _ in 0..25 {
                    sandbox.edit("count.txt", "end", "xend", Places::One).unwrap();
                }
            });
        }
    });
    assert_eq!(
        read(&place.sandbox, "count.txt"),
        Ok(format!("{}end", "x".repeat(100)))
    );
}

#[test]
fn the_number_of_files_holds_against_many_writers() {
    let limits = super::Limits {
        files: 10,
        ..super::Limits::default()
    };
    let place = Place::limited(limits);
    let second = Sandbox::open(place.real("")).unwrap().limited(limits);
    std::thread::scope(|threads| {
        for (number, sandbox) in [&place.sandbox, &second, &place.sandbox, &second]
            .into_iter()
            .enumerate()
        {
            threads.spawn(move || {
                for file in 0..10 {
                    let _ = sandbox.write(&format!("{number}-{file}.md"), "x");
                }
            });
        }
    });
    assert_eq!(place.all().len(), 10);
}

#[test]
fn an_edit_changes_one_place_or_all() {
    let place = Place::new();
    let sandbox = &place.sandbox;
    sandbox.write("notes.md", "one two one").unwrap();
    let done = sandbox.edit("notes.md", "two", "2", Places::One).unwrap();
    assert_eq!((done.content.as_str(), done.replaced), ("one 2 one", 1));
    let refused = [
        ("one", "1", "2 times"),
        ("three", "3", "not in it"),
        ("", "x", "empty"),
        ("2", "2", "the same"),
    ];
    for (old, new, why) in refused {
        let told = sandbox.edit("notes.md", old, new, Places::One).unwrap_err();
        assert_eq!(kind(&told), "unfit");
        assert!(told.to_string().contains(why), "{told}");
    }
    assert_eq!(read(sandbox, "notes.md"), Ok("one 2 one".to_owned()));
    let done = sandbox.edit("notes.md", "one", "1", Places::All).unwrap();
    assert_eq!((done.content.as_str(), done.replaced), ("1 2 1", 2));
    assert_eq!(
        kind(&sandbox.edit("no.md", "a", "b", Places::One).unwrap_err()),
        "not there"
    );
    // Line ends are part of the text: nobody straightens them.
    sandbox.write("dos.txt", "a\r\nb\r\n").unwrap();
    assert_eq!(
        sandbox
            .edit("dos.txt", "b\r\n", "c\r\n", Places::One)
            .unwrap()
            .content,
        "a\r\nc\r\n"
    );
}
