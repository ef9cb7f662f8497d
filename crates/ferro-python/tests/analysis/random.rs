//! Broken copies of real code: whatever comes in, an answer comes out.

use super::check;
use ferro_python::analysis::scan;
use proptest::prelude::*;

const SEEDS: [&str; 4] = [
    include_str!("refused.py"),
    include_str!("refused_flow.py"),
    include_str!("clean.py"),
    include_str!("components.py"),
];
const PIECES: [&str; 24] = [
    "\0",
    "\u{feff}",
    "\r",
    "\t",
    "(",
    ")",
    "[",
    "{",
    "}",
    "'",
    "\"\"\"",
    "f'{",
    "\\",
    ":",
    "lambda",
    "async ",
    "match x:\n case ",
    "\u{301}",
    "漢",
    "💥",
    "\n    ",
    "*",
    ":=",
    "__globals__",
];

fn piece_of_code() -> impl Strategy<Value = String> {
    (0..SEEDS.len(), any::<prop::sample::Index>(), 0..40usize).prop_map(|(seed, from, lines)| {
        let all: Vec<&str> = SEEDS[seed].lines().collect();
        let from = from.index(all.len());
        all[from..(from + lines).min(all.len())].join("\n")
    })
}

fn mutated() -> impl Strategy<Value = String> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..PIECES.len(), 0..8usize), 0..12);
    (piece_of_code(), edits).prop_map(|(code, edits)| {
        let mut characters: Vec<char> = code.chars().collect();
        for (at, piece, remove) in edits {
            let at = at.index(characters.len() + 1);
            let end = (at + remove).min(characters.len());
            characters.splice(at..end, PIECES[piece].chars());
        }
        characters.into_iter().collect()
    })
}

fn answers(code: &str) -> Result<(), TestCaseError> {
    let lines = u32::try_from(code.split(['\n', '\r']).count()).unwrap_or(u32::MAX);
    for found in check(code).diagnostics.into_iter().chain(scan(code)) {
        prop_assert!(found.code != "not-analysed", "{code:?}");
        prop_assert!(
            found.span.line >= 1 && found.span.column >= 1 && found.span.end_line <= lines + 1,
            "{found:?} in {code:?}"
        );
        let (start, end) = (
            (found.span.line, found.span.column),
            (found.span.end_line, found.span.end_column),
        );
        prop_assert!(start <= end, "{found:?} in {code:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_code_is_answered(code in mutated()) {
        answers(&code)?;
    }

    #[test]
    fn noise_is_answered(code in "\\PC{0,200}") {
        answers(&code)?;
    }
}
