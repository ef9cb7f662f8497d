//! Rule `leftovers`: no test is switched off, no debugging aid and no empty promise is committed.

use super::code::{self, Strings};
use super::homes::numbered;
use super::{Finding, Tree, is_generated};

const RULE: &str = "leftovers";

const RUST: [(&str, &str); 5] = [
    (
        "#[ignore",
        "a test that is not run protects nothing: mend it or delete it",
    ),
    (
        "todo!(",
        "finish it, or return an error that says what is missing",
    ),
    (
        "unimplemented!(",
        "finish it, or return an error that says what is missing",
    ),
    ("dbg!(", "remove it, or use tracing"),
    ("#![allow(warnings", "allow the one lint you mean, with a reason"),
];

const TYPESCRIPT: [(&str, &str); 10] = [
    (
        "test.skip",
        "a test that is not run protects nothing: mend it or delete it",
    ),
    (
        "it.skip",
        "a test that is not run protects nothing: mend it or delete it",
    ),
    (
        "describe.skip",
        "a test that is not run protects nothing: mend it or delete it",
    ),
    ("test.todo", "write the test"),
    ("it.todo", "write the test"),
    ("test.only", "it switches all other tests off"),
    ("it.only", "it switches all other tests off"),
    ("describe.only", "it switches all other tests off"),
    ("debugger;", "remove it"),
    (
        "console.log(",
        "remove it; a failure goes to the error reporter, a script writes to process.stdout",
    ),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in tree.with_ending(&[".rs", ".ts", ".tsx", ".mjs", ".css", ".sql", ".sh", ".py"]) {
        if is_generated(path) {
            continue;
        }
        let source = tree.read(path);
        let (bare, banned): (String, &[(&str, &str)]) = match path.rsplit_once('.').map(|(_, ending)| ending)
        {
            Some("rs") => (code::rust(&source, Strings::Blank), &RUST),
            Some("ts" | "tsx") => (code::typescript(&source, Strings::Blank), &TYPESCRIPT),
            _ => (String::new(), &[]),
        };
        for (line, text) in numbered(&bare) {
            for (word, why) in banned.iter().filter(|(word, _)| has_word(text, word)) {
                let shown = word.trim_end_matches(['(', ';']);
                findings.push(Finding::new(RULE, path, line, format!("{shown}: {why}")));
            }
        }
        for (line, text) in numbered(&source).filter(|(_, text)| empty_promise(text)) {
            let what = format!(
                "{:?} promises nothing: say what is to be done, and why not now",
                text.trim()
            );
            findings.push(Finding::new(RULE, path, line, what));
        }
    }
    findings
}

/// The word where a word starts: `it.only` is not in `commit.only`.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        word.starts_with('#') || !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
    })
}

/// A comment whose TODO, FIXME or XXX says nothing more.
fn empty_promise(text: &str) -> bool {
    let Some(start) = ["//", "/*", "--", "#", "* "]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min()
    else {
        return false;
    };
    let comment = text.get(start..).unwrap_or_default();
    ["TODO", "FIXME", "XXX"].iter().any(|word| {
        comment.split_once(word).is_some_and(|(before, after)| {
            let alone = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
            alone && after.chars().filter(|c| c.is_alphanumeric()).count() < 8
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    #[track_caller]
    fn verdict(path: &str, source: &str, parts: &[&str]) {
        expect(&check(&Fixture::new().file(path, source).tree()), parts);
    }

    #[test]
    fn rust() {
        verdict(
            "a.rs",
            "#[test]\n#[ignore]\nfn a() { todo!() }",
            &["a.rs:2: #[ignore", "a.rs:3: todo!"],
        );
        verdict("a.rs", "#[ignore = \"slow\"]", &["mend it or delete it"]);
        verdict("a.rs", "dbg!(a); unimplemented!();", &["unimplemented!", "dbg!"]);
        verdict("a.rs", "// dbg!(a)\nlet a = \"todo!()\"; my_todo!();", &[]);
    }

    #[test]
    fn typescript() {
        verdict(
            "a.test.ts",
            "test.skip('a', f)\nit.only('b', f)",
            &["test.skip", "it.only"],
        );
        verdict("a.ts", "commit.only(1); // test.skip\nconst a = 'it.only'", &[]);
        verdict("a.tsx", "console.log(1); debugger;", &["debugger", "console.log"]);
        verdict("src/api/__generated__/a.ts", "it.only()", &[]);
    }

    #[test]
    fn promises_say_something() {
        verdict("a.rs", "// TODO", &["promises nothing"]);
        verdict("a.ts", "f(); // FIXME: later", &["promises nothing"]);
        verdict("a.rs", "// TODO: read the size from the settings", &[]);
        verdict("a.rs", "let a = \"TODO\";", &[]);
    }
}
