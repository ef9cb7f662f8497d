//! Finding files and lines.

use super::{Place, kind};

fn filled() -> Place {
    let place = Place::new();
    let files = [
        ("README.md", "# Notes\nThe API key goes into Settings."),
        ("docs/guide.md", "First line\nthe api KEY\n"),
        ("docs/deep/more.txt", "nothing here"),
        ("report-1.txt", "a.b"),
        ("report-12.txt", "axb"),
        ("[odd].md", "brackets"),
    ];
    for (path, content) in files {
        place.sandbox.write(path, content).unwrap();
    }
    std::fs::create_dir(place.real(".components")).unwrap();
    std::fs::write(place.real(".components/Sum.py"), "API key").unwrap();
    place
}

#[test]
fn patterns_find_files() {
    let place = filled();
    let table: [(&str, &[&str]); 14] = [
        ("*.md", &["README.md", "[odd].md", "docs/guide.md"]),
        ("**/*.md", &["README.md", "[odd].md", "docs/guide.md"]),
        ("docs/*", &["docs/guide.md"]),
        ("docs/**", &["docs/deep/more.txt", "docs/guide.md"]),
        ("docs/**/*.txt", &["docs/deep/more.txt"]),
        ("./docs/*", &["docs/guide.md"]),
        ("report-?.txt", &["report-1.txt"]),
        ("report-[0-9].txt", &["report-1.txt"]),
        ("report-[!2]*.txt", &["report-1.txt", "report-12.txt"]),
        (
            "*.{txt,py}",
            &["docs/deep/more.txt", "report-1.txt", "report-12.txt"],
        ),
        ("[[]odd].md", &["[odd].md"]),
        ("readme.md", &[]),
        (
            "*",
            &[
                "README.md",
                "[odd].md",
                "docs/deep/more.txt",
                "docs/guide.md",
                "report-1.txt",
                "report-12.txt",
            ],
        ),
        ("**/Sum.py", &[]),
    ];
    for (pattern, wanted) in table {
        let found = place
            .sandbox
            .glob(pattern)
            .unwrap_or_else(|error| panic!("{pattern}: {error}"));
        let paths: Vec<&str> = found.files.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, wanted, "{pattern}");
        assert!(!found.more);
    }
    for pattern in ["[", "{a,b", "x[", "[]"] {
        assert_eq!(
            kind(&place.sandbox.glob(pattern).unwrap_err()),
            "unfit",
            "{pattern}"
        );
    }
    assert_eq!(kind(&place.sandbox.glob(&"*".repeat(257)).unwrap_err()), "unfit");
}

#[test]
fn expressions_find_lines() {
    let place = filled();
    let lines = |pattern: &str, glob: Option<&str>| -> Vec<String> {
        let found = place.sandbox.grep(pattern, glob).unwrap();
        found
            .matches
            .into_iter()
            .map(|hit| format!("{}:{} {}", hit.path, hit.line, hit.text))
            .collect()
    };
    assert_eq!(
        lines("API key", None),
        ["README.md:2 The API key goes into Settings."],
        "nothing reserved is searched"
    );
    assert_eq!(
        lines("(?i)api key", None),
        [
            "README.md:2 The API key goes into Settings.",
            "docs/guide.md:2 the api KEY"
        ]
    );
    assert_eq!(
        lines("(?i)api key", Some("docs/**")),
        ["docs/guide.md:2 the api KEY"]
    );
    assert_eq!(lines("a\\.b", None), ["report-1.txt:1 a.b"]);
    assert_eq!(lines("zebra", None), [""; 0]);
    let long = format!("{}needle{}", "é".repeat(500), "x".repeat(500));
    place.sandbox.write("long.txt", &long).unwrap();
    let found = place.sandbox.grep("needle", None).unwrap().matches;
    assert!(
        found[0].text.contains("needle") && found[0].text.chars().count() <= 202,
        "{}",
        found[0].text
    );
    assert!(found[0].text.starts_with('…') && found[0].text.ends_with('…'));
}

#[test]
fn a_search_finds_so_much_and_says_that_there_is_more() {
    let place = Place::new();
    for number in 0..201 {
        std::fs::write(place.real(&format!("{number:03}.md")), "hit\nhit\n").unwrap();
    }
    let found = place.sandbox.glob("*.md").unwrap();
    assert_eq!((found.files.len(), found.more), (200, true));
    let found = place.sandbox.grep("hit", None).unwrap();
    assert_eq!((found.matches.len(), found.more), (100, true));
    let found = place.sandbox.grep("hit", Some("00[0-9].md")).unwrap();
    assert_eq!((found.matches.len(), found.more), (20, false));
}

#[test]
fn expressions_that_would_blow_up_are_refused_or_done_at_once() {
    let place = Place::new();
    place.sandbox.write("a.txt", &"a".repeat(100_000)).unwrap();
    for bomb in ["(a+)+$b", "(a|aa)*b", "(.*)*x", "a{1,1000}b", "(?:a?){50}a{50}b"] {
        let found = place.sandbox.grep(bomb, None).unwrap();
        assert!(found.matches.is_empty(), "{bomb}");
    }
    for refused in [
        "((a{100}){100}){100}",
        "(",
        "[z-a]",
        "(?<=a)b",
        "\\1",
        "",
        &"a".repeat(501),
    ] {
        let told = place.sandbox.grep(refused, None).unwrap_err();
        assert_eq!(kind(&told), "unfit", "{refused}");
        assert!(told.to_string().len() < 300, "{told}");
    }
}
