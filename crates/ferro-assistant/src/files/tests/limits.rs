//! What is too much, and what is no text.

use super::{Limits, Place, kind, read};
use crate::files::edit::Places;

fn small() -> Limits {
    Limits {
        files: 3,
        bytes: 100,
        file: 40,
        visited: 50,
    }
}

#[test]
fn a_file_has_a_size_it_may_not_go_beyond() {
    let place = Place::limited(small());
    let sandbox = &place.sandbox;
    sandbox.write("fits.md", &"x".repeat(40)).unwrap();
    let told = sandbox.write("large.md", &"x".repeat(41)).unwrap_err();
    assert_eq!(
        told.to_string(),
        "\"large.md\" is too large: 41 bytes, and at most 40 are taken"
    );
    let told = sandbox.edit("fits.md", "x", "yy", Places::All).unwrap_err();
    assert_eq!(kind(&told), "too large", "an edit cannot blow a file up either");
    assert_eq!(read(sandbox, "fits.md"), Ok("x".repeat(40)));
    std::fs::write(place.real("laid.md"), "x".repeat(41)).unwrap();
    assert_eq!(kind(&sandbox.read("laid.md", 1, None).unwrap_err()), "too large");
    assert_eq!(kind(&sandbox.read_bytes("laid.md", 40).unwrap_err()), "too large");
    assert_eq!(sandbox.read_bytes("laid.md", 41).unwrap().len(), 41);
    assert_eq!(sandbox.grep("x", None).unwrap().skipped, 1);
}

#[test]
fn the_defaults_are_those_that_are_told() {
    let place = Place::new();
    let largest = "x".repeat(1024 * 1024);
    place.sandbox.write("largest.txt", &largest).unwrap();
    assert_eq!(
        kind(
            &place
                .sandbox
                .write("more.txt", &format!("{largest}x"))
                .unwrap_err()
        ),
        "too large"
    );
    let limits = Limits::default();
    assert_eq!((limits.files, limits.bytes), (1_000, 50 << 20));
}

#[test]
fn a_folder_holds_so_many_files_and_bytes() {
    let place = Place::limited(small());
    let sandbox = &place.sandbox;
    for name in ["a", "b/c", "d"] {
        sandbox.write(name, "1234567890").unwrap();
    }
    let told = sandbox.write("e", "x").unwrap_err();
    assert_eq!(kind(&told), "full");
    assert!(told.to_string().contains("3 files already"), "{told}");
    assert!(!place.real("e").exists());
    assert_eq!(kind(&sandbox.write("new/folder/e", "x").unwrap_err()), "full");
    assert!(
        !place.real("new").exists(),
        "no folder is made for a file that is not"
    );
    // What is there may still change, within the bytes of the folder.
    sandbox.write("a", &"x".repeat(40)).unwrap();
    sandbox.write("b/c", &"x".repeat(40)).unwrap();
    sandbox.write("d", &"x".repeat(20)).unwrap();
    let told = sandbox.write("d", &"x".repeat(21)).unwrap_err();
    assert!(
        told.to_string().contains("101 bytes, and 100 are allowed"),
        "{told}"
    );
    assert_eq!(read(sandbox, "d"), Ok("x".repeat(20)));
}

#[test]
fn a_search_looks_at_so_many_entries_and_says_so() {
    let place = Place::limited(Limits {
        visited: 10,
        ..small()
    });
    for number in 0..20 {
        std::fs::write(place.real(&format!("{number:02}.md")), "x").unwrap();
    }
    let found = place.sandbox.glob("*").unwrap();
    assert!(found.more && found.files.len() <= 10, "{found:?}");
    assert!(place.sandbox.grep("x", None).unwrap().more);
    assert_eq!(kind(&place.sandbox.write("new.md", "x").unwrap_err()), "full");
}

#[test]
fn folders_in_folders_are_searched_only_so_deep() {
    let place = Place::new();
    let mut path = place.real("");
    for _ in 0..40 {
        path.push("d");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("x.md"), "x").unwrap();
    }
    let found = place.sandbox.glob("**").unwrap();
    assert_eq!(found.files.len(), 15, "as many as a path may have parts");
    for (path, _) in found.files {
        assert_eq!(
            read(&place.sandbox, &path),
            Ok("x".to_owned()),
            "what is listed can be read"
        );
    }
}

#[test]
fn what_is_no_text_is_not_read_as_text() {
    let place = Place::new();
    let mut late = vec![b'x'; 8192];
    late.push(0);
    let files: [(&str, &[u8], Option<&str>); 6] = [
        ("zero.bin", b"a\0b", Some("binary")),
        ("zero-at-the-edge", &late[1..], Some("binary")),
        ("zero-later", &late, None),
        ("latin1.txt", b"caf\xe9", None),
        ("half.txt", b"\xf0\x9f\xa6", None),
        ("empty.txt", b"", None),
    ];
    for (name, bytes, refused) in files {
        std::fs::write(place.real(name), bytes).unwrap();
        let read = place.sandbox.read_bytes(name, 1 << 20);
        assert_eq!(read.as_ref().err().map(kind), refused, "{name}");
        let as_text = place.sandbox.read(name, 1, None).map_err(|error| kind(&error));
        let edited = place
            .sandbox
            .edit(name, "a", "b", Places::One)
            .map_err(|error| kind(&error));
        match std::str::from_utf8(bytes) {
            Ok(_) if refused.is_none() => assert!(as_text.is_ok(), "{name}"),
            _ => {
                assert_eq!(as_text, Err("binary"), "{name}");
                assert_eq!(edited, Err("binary"), "{name}");
            }
        }
    }
    assert_eq!(place.sandbox.grep(".", None).unwrap().skipped, 4);
    assert_eq!(kind(&place.sandbox.write("x", "a\0b").unwrap_err()), "unfit");
}

#[test]
fn a_long_file_is_read_in_pieces_that_join() {
    let place = Place::new();
    let lines: Vec<String> = (1..=3_000)
        .map(|number| format!("This is line number {number}."))
        .collect();
    place.sandbox.write("long.txt", &lines.join("\n")).unwrap();
    let mut read = Vec::new();
    let mut from = 1;
    loop {
        let piece = place.sandbox.read("long.txt", from, None).unwrap();
        assert!(piece.text.chars().count() <= 20_000);
        assert_eq!(piece.total, 3_000);
        read.extend(
            piece
                .text
                .lines()
                .map(|line| line.split_once('\t').unwrap().1.to_owned()),
        );
        match piece.next {
            Some(next) => from = next,
            None => break,
        }
    }
    assert_eq!(read, lines);
    let two = place.sandbox.read("long.txt", 10, Some(2)).unwrap();
    assert_eq!(
        two.text,
        "10\tThis is line number 10.\n11\tThis is line number 11."
    );
    assert_eq!(two.next, Some(12));
    let told = place.sandbox.read("long.txt", 3_001, None).unwrap_err();
    assert!(told.to_string().contains("3000 lines"), "{told}");
}

#[test]
fn a_line_without_end_is_cut_and_says_so() {
    let place = Place::new();
    place.sandbox.write("one.json", &"é".repeat(100_000)).unwrap();
    let piece = place.sandbox.read("one.json", 1, None).unwrap();
    assert!(piece.text.chars().count() < 2_100);
    assert!(
        piece.text.contains("[98000 more characters"),
        "{}",
        &piece.text[piece.text.len() - 80..]
    );
    assert_eq!(piece.next, None);
    place.sandbox.write("empty", "").unwrap();
    assert_eq!(place.sandbox.read("empty", 1, None).unwrap().text, "");
}
