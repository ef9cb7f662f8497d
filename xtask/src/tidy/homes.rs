//! Rule `homes`: sources outside a library's home do not name it. Rule `process`: nor do they start programs.

use super::code::{self, Strings};
use super::table::Table;
use super::{Finding, Tree, crate_of, is_test};

pub(crate) fn check(tree: &Tree, table: &Table) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in tree.with_ending(&[".rs"]) {
        let Some(member) = crate_of(path) else { continue };
        let source = tree.read(path);
        for (library, home) in &table.only {
            if home.is_at(path) {
                continue;
            }
            let library = &library.replace('-', "_");
            // Tests count too: a test that goes around the store proves nothing about it.
            let text = code::rust(&source, Strings::Blank);
            for (line, _) in numbered(&text).filter(|(_, line)| names(line, library)) {
                let what = format!(
                    "names {library}, whose home is {}: {}",
                    home.homes.join(", "),
                    home.instead
                );
                findings.push(Finding::new("homes", path, line, what));
            }
        }
        if table.process.is_in(member) || is_test(path) {
            continue;
        }
        let text = code::rust_outside_tests(&source, Strings::Blank);
        for (line, _) in numbered(&text).filter(|(_, line)| starts_programs(line)) {
            let what = format!("starts programs: {}", table.process.instead);
            findings.push(Finding::new("process", path, line, what));
        }
    }
    findings
}

pub(crate) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// `library::` as the start of a path, not inside `crate::library::` or `my_library::`.
fn names(line: &str, library: &str) -> bool {
    let in_path = line.match_indices(&format!("{library}::")).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        let before = before.strip_suffix("::").unwrap_or(before);
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    });
    let imported = line
        .trim_start()
        .trim_start_matches("pub ")
        .strip_prefix("use ")
        .is_some_and(|rest| {
            let rest = rest.trim_start_matches("::").strip_prefix(library);
            rest.is_some_and(|rest| rest.starts_with([';', ' ']))
        });
    in_path || imported
}

fn starts_programs(line: &str) -> bool {
    let grouped = line
        .split("process::{")
        .nth(1)
        .is_some_and(|group| group.split([',', '}', '{', ' ']).any(|name| name == "Command"));
    line.contains("process::Command") || grouped
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    const TABLE: &str = "[crate.ferro-store]\n[only.sqlx]\nhomes = [\"ferro-store\"]\ninstead = \"use the store\"\n\
        [process]\nhomes = [\"ferro-python\"]\ninstead = \"use the worker\"\n[providers]\nwords = []";

    #[track_caller]
    fn verdict(path: &str, source: &str, parts: &[&str]) {
        let tree = Fixture::new().file(path, source);
        expect(&check(&tree.tree(), &Table::parse(TABLE).unwrap()), parts);
    }

    #[test]
    fn a_library_stays_home() {
        verdict("crates/ferro-store/src/a.rs", "use sqlx::Row;", &[]);
        verdict(
            "crates/ferro-server/src/a.rs",
            "\nuse sqlx::Row;",
            &["a.rs:2: names sqlx"],
        );
        verdict(
            "crates/ferro-server/src/a.rs",
            "fn f(e: sqlx::Error) {}",
            &["use the store"],
        );
        verdict(
            "crates/ferro-server/src/a.rs",
            "use ::sqlx::Row;",
            &["names sqlx"],
        );
        verdict("crates/ferro-server/src/a.rs", "use sqlx as db;", &["names sqlx"]);
        verdict(
            "crates/ferro-server/tests/it/a.rs",
            "sqlx::query(\"\")",
            &["names sqlx"],
        );
        verdict(
            "crates/ferro-server/src/a.rs",
            "// sqlx::Row\nlet a = \"sqlx::Row\";",
            &[],
        );
        verdict(
            "crates/ferro-server/src/a.rs",
            "crate::sqlx::f(); my_sqlx::g();",
            &[],
        );
    }

    #[test]
    fn a_home_may_be_a_single_file() {
        let table = TABLE.replace(
            "[process]",
            "[only.ferro-worker]\nhomes = [\"ferro-server/src/main.rs\"]\ninstead = \"ask\"\n[process]",
        );
        let judged = |path: &str| {
            let tree = Fixture::new().file(path, "ferro_worker::run(&[])");
            check(&tree.tree(), &Table::parse(&table).unwrap()).len()
        };
        assert_eq!(judged("crates/ferro-server/src/main.rs"), 0);
        assert_eq!(judged("crates/ferro-server/src/main.rs.rs"), 1);
        assert_eq!(judged("crates/ferro-server/src/serve.rs"), 1);
    }

    #[test]
    fn only_some_start_programs() {
        let command = "use std::process::Command;";
        verdict(
            "crates/ferro-server/src/a.rs",
            command,
            &["starts programs: use the worker"],
        );
        verdict(
            "crates/ferro-server/src/a.rs",
            "use tokio::process::{Child, Command};",
            &["starts programs"],
        );
        verdict(
            "crates/ferro-server/src/a.rs",
            "use std::process::{ExitCode, Stdio};",
            &[],
        );
        verdict("crates/ferro-python/src/a.rs", command, &[]);
        verdict("crates/ferro-server/tests/it/a.rs", command, &[]);
        verdict(
            "crates/ferro-server/src/a.rs",
            "#[cfg(test)]\nmod tests {\nuse std::process::Command;\n}",
            &[],
        );
    }
}
