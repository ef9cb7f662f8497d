//! Exceptions in the sources: a comment on the line, or on the one above it, that names the rule and gives a reason.

use super::homes::numbered;
use super::{Finding, Tree};

const RULE: &str = "markers";
/// In two pieces, so that this file does not carry one.
const MARK: [&str; 2] = ["tidy: ", "allow("];
const MAY_ALLOW: [&str; 5] = ["homes", "machines", "process", "providers", "sql"];
const SHORTEST_REASON: usize = 12;

struct Marker {
    path: String,
    line: usize,
    rule: String,
    used: bool,
}

/// The findings without those that a marker excuses, and with those that markers themselves deserve.
pub(crate) fn apply(tree: &Tree, findings: Vec<Finding>) -> Vec<Finding> {
    let mut left = Vec::new();
    let mut markers = collect(tree, &mut left);
    for finding in findings {
        let excuse = markers.iter_mut().find(|marker| {
            let near = marker.line == finding.line || marker.line + 1 == finding.line;
            marker.path == finding.path && near && marker.rule == finding.rule
        });
        match excuse {
            Some(marker) => marker.used = true,
            None => left.push(finding),
        }
    }
    for marker in markers.into_iter().filter(|marker| !marker.used) {
        left.push(Finding::new(
            RULE,
            &marker.path,
            marker.line,
            "excuses nothing any more: remove it",
        ));
    }
    left
}

fn collect(tree: &Tree, faults: &mut Vec<Finding>) -> Vec<Marker> {
    let mark = MARK.concat();
    let mut markers = Vec::new();
    for path in tree.with_ending(&[
        ".rs", ".ts", ".tsx", ".mjs", ".toml", ".sh", ".sql", ".py", ".yaml", ".yml",
    ]) {
        for (line, text) in numbered(&tree.read(path)) {
            let Some((rule, reason)) = text.split_once(&mark).and_then(|(_, rest)| rest.split_once(')'))
            else {
                continue;
            };
            if !MAY_ALLOW.contains(&rule) {
                let what = format!(
                    "there is no exception from `{rule}`, only from {}",
                    MAY_ALLOW.join(", ")
                );
                faults.push(Finding::new(RULE, path, line, what));
            } else if reason.chars().filter(|c| c.is_alphanumeric()).count() < SHORTEST_REASON {
                faults.push(Finding::new(
                    RULE,
                    path,
                    line,
                    "an exception needs its reason on the same line",
                ));
            } else {
                markers.push(Marker {
                    path: path.to_owned(),
                    line,
                    rule: rule.to_owned(),
                    used: false,
                });
            }
        }
    }
    markers
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    fn marker(rule: &str, reason: &str) -> String {
        format!("// {}{rule}) {reason}\n", MARK.concat())
    }

    #[track_caller]
    fn verdict(source: &str, found: &[(&'static str, usize)], parts: &[&str]) {
        let tree = Fixture::new().file("a.rs", source);
        let findings = found
            .iter()
            .map(|(rule, line)| Finding::new(rule, "a.rs", *line, "bad"))
            .collect();
        expect(&apply(&tree.tree(), findings), parts);
    }

    #[test]
    fn an_exception_with_a_reason_holds_for_its_line_and_the_next() {
        let good = marker("sql", "the table's name is a constant of ours");
        verdict(&good, &[("sql", 1)], &[]);
        verdict(&good, &[("sql", 2)], &[]);
        verdict(&good, &[("sql", 2), ("sql", 3)], &["a.rs:3: bad"]);
        verdict(&good, &[("homes", 2)], &["bad", "excuses nothing"]);
        verdict(&good, &[], &["a.rs:1: excuses nothing any more"]);
    }

    #[test]
    fn an_exception_needs_a_reason_and_a_rule_that_has_any() {
        verdict(&marker("sql", ""), &[("sql", 2)], &["needs its reason", "bad"]);
        verdict(
            &marker("crates", "because I would like to"),
            &[],
            &["no exception from `crates`"],
        );
    }
}
