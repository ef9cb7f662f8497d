//! Paths that are never taken, whatever is on disk.

use proptest::prelude::*;

use super::super::path::RelPath;
use super::{Place, kind};
use crate::files::edit::Places;

/// Each is refused by every tool alike.
const HOSTILE: &[&str] = &[
    // nothing, and not a file
    "",
    ".",
    "..",
    "./",
    "/",
    "//",
    "a/",
    "a//b",
    "./.",
    " ",
    "\t",
    "a/./b",
    // upwards
    "../escape.md",
    "../../etc/passwd",
    "a/../b",
    "a/../../b",
    "a/..",
    "./../x",
    "..a/../x",
    "a/b/../../../x",
    "%2e%2e/x/..",
    "..\\x",
    "a\\..\\..\\x",
    ".. /x",
    "../ x",
    "．．/../x",
    // absolute, drives, shares, streams
    "/etc/passwd",
    "//server/share/x",
    "\\\\server\\share\\x",
    "\\\\?\\C:\\x",
    "\\\\.\\PhysicalDrive0",
    "C:\\x",
    "C:/x",
    "c:x",
    "a/C:/x",
    "file:///etc/passwd",
    "notes.md:stream",
    "notes.md::$DATA",
    "\\x",
    "~\\x",
    // what cannot be seen or typed
    "a\0b",
    "a\0/../b",
    "nul\0",
    "a\nb",
    "a\rb",
    "a\u{7}b",
    "a\u{1b}[31m",
    "a\u{7f}b",
    "a\u{85}b",
    "a\u{200b}b",
    "a\u{202e}txt.exe",
    "a\u{2066}b",
    "\u{feff}a",
    "a\u{ad}b",
    "a\u{fe0f}b",
    "a\u{e0041}b",
    "a\u{2028}b",
    // other systems take something off, or do not take it
    "a.",
    "a..",
    "a.md.",
    "a ",
    " a",
    "a/b /c",
    "a./b",
    "a\u{a0}",
    "\u{3000}a",
    "a|b",
    "a<b",
    "a>b",
    "a?b",
    "a*b",
    "a\"b",
    "...",
    ". .",
    // devices
    "CON",
    "con",
    "Con.txt",
    "a/NUL",
    "nul.tar.gz",
    "aux",
    "PRN.md",
    "COM1",
    "com9.log",
    "LPT1",
    "lpt9.x",
    "COM0",
    "COM¹",
    "lpt².txt",
    "CONIN$",
    "conout$",
    "CLOCK$",
    "ＣＯＮ",
    "con .txt",
    "ｎｕｌ.txt",
    // the server's own, in all the ways disks take for the same
    ".components/SumComponent.py",
    ".components",
    ".COMPONENTS/x",
    ".Components/x",
    "a/.components/x",
    ".componentſ/x",
    ".compone\u{301}nts/x",
    ".comp\u{200d}onents/x",
    "．components/x",
    ".ｃｏｍｐｏｎｅｎｔｓ/x",
    ".𝐜omponents/x",
    ".components./x",
    ".components /x",
    "COMPON~1/x",
    ".lfsig",
    ".LFSIG/key",
    ".lfsıg",
    ".lfsİg",
    ".lfsi\u{307}g",
    "LFSIG~1",
    "a/.lfSig/b",
    ".ⓛfsig",
    // half-written files
    ".ferro-part-0123456789abcdef",
    ".FERRO-PART-x",
    "a/.ferro-part-x",
];

#[test]
fn hostile_paths_are_refused_by_every_operation() {
    assert!(HOSTILE.len() >= 60);
    let place = Place::new();
    let before = place.others();
    let long_name = "x".repeat(201);
    let long_path = ["y"; 600].join("/");
    let deep = ["d"; 17].join("/");
    let rest = [long_name.as_str(), &long_path, &deep, &format!("a/{long_name}")];
    for path in HOSTILE.iter().chain(&rest) {
        let sandbox = &place.sandbox;
        let refused = [
            sandbox.read_bytes(path, 100).map(drop),
            sandbox.read(path, 1, None).map(drop),
            sandbox.write(path, "x").map(drop),
            sandbox.edit(path, "a", "b", Places::One).map(drop),
        ];
        for result in refused {
            let error = result.expect_err(path);
            assert_eq!(kind(&error), "bad path", "{path:?}: {error}");
            let said = error.to_string();
            assert!(!said.contains(place.around.path().to_str().unwrap()), "{said}");
            assert!(said.chars().count() < 400, "{said}");
        }
    }
    assert_eq!(place.names(""), [""; 0], "nothing was made");
    assert_eq!(place.others(), before);
}

#[test]
fn patterns_are_held_to_the_same_rules() {
    let place = Place::new();
    place.sandbox.write("notes.md", "x").unwrap();
    for pattern in [
        "../*",
        "/etc/*",
        "..",
        "a/../*",
        ".components/*",
        ".COMPONENTS/**",
        ".lfsig/*",
        "\\\\server\\*",
        "C:/*",
        "a\0*",
        "",
        "*/../x",
    ] {
        let error = place.sandbox.glob(pattern).expect_err(pattern);
        assert_eq!(kind(&error), "unfit", "{pattern:?}");
        let error = place.sandbox.grep("x", Some(pattern));
        assert!(pattern.is_empty() || error.is_err(), "{pattern:?}");
    }
}

#[test]
fn ordinary_names_are_taken() {
    let place = Place::new();
    let names = [
        "notes.md",
        "./notes.md",
        "docs/a/b/c.txt",
        ".gitignore",
        "read me.txt",
        "a..b",
        "über.md",
        "日本語.txt",
        "e\u{301}te.md",
        "🦀.md",
        "console.txt",
        "com.txt",
        "com10.txt",
        "null.md",
        "components/x.py",
        ".component",
        "lfsig",
        "a~",
        "~notes",
        "a'b&c=(d).md",
        "-rf",
        "%2e%2e",
        "$HOME",
        "a,b;c.md",
    ];
    for name in names {
        let written = place
            .sandbox
            .write(name, name)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(written.path, name.trim_start_matches("./"));
        assert_eq!(super::read(&place.sandbox, name), Ok(name.to_owned()));
    }
}

/// Pieces that paths go wrong with, and letters around them.
fn path() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just("/".to_owned()),
        Just("\\".to_owned()),
        Just("\0".to_owned()),
        Just("inside".to_owned()),
        Just("link".to_owned()),
        Just("other".to_owned()),
        Just("secret.txt".to_owned()),
        Just(".components".to_owned()),
        Just("C:".to_owned()),
        Just("~1".to_owned()),
        Just(" ".to_owned()),
        Just("\u{ff0e}".to_owned()),
        any::<char>().prop_map(String::from),
        "[a-z]{1,3}",
    ];
    proptest::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_path_escapes(path in path(), joined in proptest::collection::vec("\\.{0,2}|inside|link|other|secret\\.txt", 0..6)) {
        let place = Place::new();
        std::fs::create_dir(place.real("inside")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.other(), place.real("link")).unwrap();
        let before = place.others();
        for path in [path, joined.join("/")] {
            if let Ok(bytes) = place.sandbox.read_bytes(&path, 1 << 20) {
                prop_assert_ne!(bytes, super::SECRET.as_bytes());
            }
            if place.sandbox.write(&path, "mine").is_ok() {
                prop_assert!(place.real(&path).canonicalize().unwrap().starts_with(place.real("").canonicalize().unwrap()));
                prop_assert_eq!(super::read(&place.sandbox, &path), Ok("mine".to_owned()));
                // What can be written can be found: nothing hides.
                prop_assert!(place.all().iter().any(|found| path.ends_with(found.as_str())));
            }
            let _ = place.sandbox.edit(&path, "business", "x", Places::All);
            prop_assert_eq!(&place.others(), &before);
            prop_assert_eq!(std::fs::read_dir(place.around.path()).unwrap().count(), 2);
        }
    }

    #[test]
    fn what_is_taken_names_one_file_on_every_system(path in "\\PC{0,40}") {
        if let Ok(taken) = RelPath::parse(&path) {
            let path = taken.as_str();
            prop_assert!(!path.starts_with('/') && !path.contains(['\\', ':', '\0']));
            for part in path.split('/') {
                prop_assert!(!part.is_empty() && part != ".." && part != "." && !part.ends_with(['.', ' ']));
            }
        }
    }
}
