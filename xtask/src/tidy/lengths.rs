//! Rule `lengths`: a file has at most 800 lines; over 400 it is listed as worth splitting.

use std::collections::BTreeMap;

use super::homes::numbered;
use super::{Finding, Tree, is_generated};

pub(crate) const SOFT: usize = 400;
const HARD: usize = 800;
const RULE: &str = "lengths";
const LIST: &str = "xtask/long-files.txt";

pub(crate) fn long(tree: &Tree) -> Vec<(String, usize)> {
    measured(tree)
        .filter(|(_, lines)| (SOFT + 1..=HARD).contains(lines))
        .map(|(path, lines)| (path.into(), lines))
        .collect()
}

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let list = tree.read(LIST);
    let mut excused = BTreeMap::new();
    for (line, text) in numbered(&list).filter(|(_, text)| !text.starts_with('#') && !text.trim().is_empty())
    {
        match text
            .split_once(' ')
            .and_then(|(path, most)| Some((path, most.trim().parse::<usize>().ok()?)))
        {
            Some((path, most)) => drop(excused.insert(path, (most, line))),
            None => findings.push(Finding::new(RULE, LIST, line, "write `path lines`")),
        }
    }
    for (path, lines) in measured(tree).filter(|(_, lines)| *lines > HARD) {
        let what = match excused.remove(path) {
            None => format!("{lines} lines, {HARD} is the most: split it by what its parts know"),
            Some((most, _)) if lines > most => {
                format!("{lines} lines, but {LIST} lets it have {most}: it may only get shorter")
            }
            Some(_) => continue,
        };
        findings.push(Finding::new(RULE, path, 0, what));
    }
    for (path, (_, line)) in excused {
        findings.push(Finding::new(
            RULE,
            LIST,
            line,
            format!("{path} no longer needs this: remove it"),
        ));
    }
    findings
}

fn measured(tree: &Tree) -> impl Iterator<Item = (&str, usize)> {
    let files = tree
        .with_ending(&[".rs", ".ts", ".tsx"])
        .filter(|path| !is_generated(path));
    files.map(|path| (path, tree.read(path).lines().count()))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    fn lines(count: usize) -> String {
        "x\n".repeat(count)
    }

    #[test]
    fn hard_and_soft_limits() {
        let tree = Fixture::new()
            .file("a.rs", &lines(801))
            .file("b.tsx", &lines(800))
            .file("c.ts", &lines(400))
            .file("web/src/api/__generated__/d.ts", &lines(2000));
        expect(&check(&tree.tree()), &["a.rs: 801 lines"]);
        assert_eq!(long(&tree.tree()), [("b.tsx".to_owned(), 800)]);
    }

    #[test]
    fn the_list_excuses_and_only_shrinks() {
        let tree = Fixture::new()
            .file("a.rs", &lines(900))
            .file(LIST, "# why\na.rs 900\n");
        expect(&check(&tree.tree()), &[]);
        let tree = tree.file("a.rs", &lines(901));
        expect(&check(&tree.tree()), &["lets it have 900"]);
        let tree = tree.file("a.rs", &lines(700));
        expect(
            &check(&tree.tree()),
            &["long-files.txt:2: a.rs no longer needs this: remove it"],
        );
        let tree = tree.file(LIST, "gone.rs 900\nnonsense\n");
        expect(&check(&tree.tree()), &["write `path lines`", "gone.rs no longer"]);
    }
}
