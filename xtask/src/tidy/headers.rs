//! Rule `headers`: a crate opens with at most fifteen lines that say what it is and name two files to read first.

use super::{Finding, Tree};

const RULE: &str = "headers";
const MOST: usize = 15;
const FILES: usize = 2;
const ENDINGS: [&str; 8] = [".rs", ".md", ".toml", ".sql", ".ts", ".tsx", ".json", ".py"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in tree.crates() {
        let roots = ["src/lib.rs", "src/main.rs"].map(|file| format!("{folder}/{file}"));
        let Some(root) = roots.into_iter().find(|file| tree.exists(file)) else {
            findings.push(Finding::new(
                RULE,
                folder,
                0,
                "has neither src/lib.rs nor src/main.rs",
            ));
            continue;
        };
        let source = tree.read(&root);
        let header: Vec<&str> = source
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .collect();
        let mut fault = |what: String| findings.push(Finding::new(RULE, &root, 1, what));
        if header.is_empty() {
            fault("starts without `//!`: say what the crate is, what it refuses to know, and what to read first".into());
            continue;
        }
        if header.len() > MOST {
            fault(format!(
                "its header has {} lines, {MOST} is the most: move the rest to docs/",
                header.len()
            ));
        }
        let text = header.join("\n");
        let named: Vec<&str> = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|word| is_file(word))
            .collect();
        for missing in named.iter().filter(|file| !found(tree, folder, file)) {
            fault(format!("its header names `{missing}`, which is not there"));
        }
        if named.len() < FILES {
            fault(format!(
                "its header names {} files, {FILES} to read first are wanted, in backticks",
                named.len()
            ));
        }
    }
    findings
}

fn is_file(word: &str) -> bool {
    ENDINGS.iter().any(|ending| word.ends_with(ending)) && !word.contains([' ', '<', '*'])
}

fn found(tree: &Tree, folder: &str, file: &str) -> bool {
    [
        format!("{folder}/src/{file}"),
        format!("{folder}/{file}"),
        file.to_owned(),
    ]
    .iter()
    .any(|path| tree.exists(path))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    #[track_caller]
    fn verdict(header: &str, parts: &[&str]) {
        let tree = Fixture::new()
            .file("crates/a/Cargo.toml", "")
            .file("crates/a/src/flow.rs", "")
            .file("docs/b.md", "")
            .file("crates/a/src/lib.rs", header);
        expect(&check(&tree.tree()), parts);
    }

    #[test]
    fn a_header_is_short_and_true() {
        verdict(
            "//! What it is. Read `flow.rs` and `docs/b.md`; `text/plain` is no file.\nmod flow;",
            &[],
        );
        verdict("//! Read `src/flow.rs`, then `flow.rs`.", &[]);
        verdict("mod flow;", &["lib.rs:1: starts without `//!`"]);
        verdict("//! Read `flow.rs`.", &["names 1 files"]);
        verdict(
            "//! Read `flow.rs` and `gone.rs`.",
            &["names `gone.rs`, which is not there"],
        );
        verdict(
            &"//! `flow.rs` `docs/b.md`\n".repeat(16),
            &["16 lines, 15 is the most"],
        );
    }

    #[test]
    fn a_crate_without_a_root_is_told() {
        expect(
            &check(&Fixture::new().file("crates/a/Cargo.toml", "").tree()),
            &["neither"],
        );
    }
}
