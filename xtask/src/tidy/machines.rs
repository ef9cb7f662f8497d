//! Rule `machines`: nothing that is committed knows the machine or the mirror it was made on.

use super::homes::numbered;
use super::{Finding, Tree};

const RULE: &str = "machines";

/// In pieces, so that this file does not break its own rule.
fn folders() -> [String; 5] {
    ["root", "home", "Users", "work/main", "work/shared"].map(|name| format!("/{name}/"))
}

fn addresses() -> [String; 8] {
    [
        ["arti", "factory"],
        ["registry.npmjs", ".org"],
        ["registry.yarnpkg", ".com"],
        ["index.crates", ".io"],
        ["static.crates", ".io"],
        ["pypi", ".org/simple"],
        ["deb.debian", ".org"],
        ["files.pythonhosted", ".org"],
    ]
    .map(|parts| parts.concat())
}

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let (folders, addresses) = (folders(), addresses());
    let mut findings = Vec::new();
    for path in &tree.files {
        if path.ends_with(".npmrc") {
            findings.push(Finding::new(
                RULE,
                path,
                0,
                "a registry belongs in the settings of the machine",
            ));
        }
        for (line, text) in numbered(&tree.read(path)) {
            if let Some(folder) = folders.iter().find(|folder| names_folder(text, folder)) {
                let what = format!("names a folder of one machine ({folder}…): make the path relative");
                findings.push(Finding::new(RULE, path, line, what));
            }
            if let Some(address) = addresses.iter().find(|address| text.contains(address.as_str())) {
                let what = format!("names a registry ({address}): leave it to the machine's settings");
                findings.push(Finding::new(RULE, path, line, what));
            }
        }
    }
    findings
}

/// The folder at the start of a path, with something in it: not part of an address, and not a bare route.
fn names_folder(text: &str, folder: &str) -> bool {
    text.match_indices(folder).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + folder.len()..).unwrap_or_default();
        let starts = !before.ends_with(|c: char| c.is_alphanumeric() || "/._-~}*".contains(c));
        starts && after.starts_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    #[track_caller]
    fn verdict(path: &str, text: &str, parts: &[&str]) {
        expect(&check(&Fixture::new().file(path, text).tree()), parts);
    }

    #[test]
    fn folders_of_one_machine() {
        let path = |name: &str| format!("see \"/{name}/ann/x\"");
        verdict("a.md", &path("home"), &["a.md:1: names a folder"]);
        verdict("a.rs", &format!("\n{}", path("root")), &["a.rs:2"]);
        verdict("a.ts", &path("Users"), &["make the path relative"]);
        verdict(
            "a.rs",
            "route(\"/home/\"); get(\"https://example.com/home/x\"); \"../home/x\"",
            &[],
        );
    }

    #[test]
    fn registries() {
        verdict("a.md", &format!("from {}", addresses()[1]), &["names a registry"]);
        verdict("web/.npmrc", "engine-strict=true", &["settings of the machine"]);
        verdict("a.md", "from https://crates.io/crates/serde", &[]);
    }
}
