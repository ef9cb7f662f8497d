//! Rule `links`: a link in a Markdown file leads to something that is there.

use super::homes::numbered;
use super::{Finding, Tree};

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in tree.with_ending(&[".md"]) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut fenced = false;
        for (line, text) in numbered(&tree.read(path)) {
            if text.trim_start().starts_with("```") {
                fenced = !fenced;
            }
            if fenced {
                continue;
            }
            for target in targets(&outside_code(text))
                .into_iter()
                .filter(|target| !leads(tree, folder, target))
            {
                findings.push(Finding::new(
                    "links",
                    path,
                    line,
                    format!("links to {target}, which is not there"),
                ));
            }
        }
    }
    findings
}

fn outside_code(text: &str) -> String {
    text.split('`').step_by(2).collect()
}

/// The targets of `[text](target)` and `[name]: target`.
fn targets(text: &str) -> Vec<String> {
    let inline = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next());
    let defined = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]: "))
        .map(|(_, target)| target.trim());
    inline
        .chain(defined)
        .map(|target| target.trim_matches(['<', '>']).to_owned())
        .collect()
}

fn leads(tree: &Tree, folder: &str, target: &str) -> bool {
    let path = target.split('#').next().unwrap_or_default();
    if path.is_empty() || path.contains(':') {
        return true;
    }
    match path.strip_prefix('/') {
        Some(from_root) => tree.exists(from_root),
        None if folder.is_empty() => tree.exists(path),
        None => tree.exists(&format!("{folder}/{path}")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    #[track_caller]
    fn verdict(text: &str, parts: &[&str]) {
        let tree = Fixture::new()
            .file("README.md", "")
            .file("docs/b.md", "")
            .file("docs/a.md", text);
        expect(&check(&tree.tree()), parts);
    }

    #[test]
    fn links_lead_somewhere() {
        verdict(
            "[b](b.md) [top](../README.md#start) [self](#x) [web](https://example.com) [root](/README.md)",
            &[],
        );
        verdict("\n[gone](gone.md)", &["docs/a.md:2: links to gone.md"]);
        verdict("![picture](pictures/a.png \"title\")", &["pictures/a.png"]);
        verdict("[gone]: ../gone.md", &["../gone.md"]);
        verdict("`[a](b)`\n```\n[c](d)\n```", &[]);
    }
}
