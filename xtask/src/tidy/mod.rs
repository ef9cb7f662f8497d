//! `cargo xtask tidy`: the house rules that no compiler checks.
//!
//! A rule is one file with a function from the tree to findings, and tests with a tree that breaks it.
//! Rules marked `may_allow` can be lifted for one line by a comment on it or above it that gives a reason.

mod code;
mod crates;
#[cfg(test)]
pub(crate) mod fixture;
mod headers;
mod homes;
mod leftovers;
mod lengths;
mod links;
mod lockfile;
mod machines;
mod manifests;
mod mappers;
mod markers;
mod sql;
mod table;
mod web;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::sh;
use table::Table;

/// Something that breaks a rule; `line` 0 means the file as a whole.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) rule: &'static str,
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl Finding {
    fn new(rule: &'static str, path: &str, line: usize, what: impl Into<String>) -> Self {
        Self {
            rule,
            path: path.to_owned(),
            line,
            what: what.into(),
        }
    }

    pub(crate) fn place(&self) -> String {
        if self.line == 0 {
            self.path.clone()
        } else {
            format!("{}:{}", self.path, self.line)
        }
    }
}

pub fn tidy() -> Result<()> {
    let tree = Tree::from_git(sh::root())?;
    let table = Table::read(sh::root())?;
    let members = crates::members(&sh::metadata(&["--no-deps"])?)?;

    let mut findings = table.faults();
    findings.extend(crates::check(&table, &members));
    findings.extend(homes::check(&tree, &table));
    findings.extend(sql::check(&tree));
    findings.extend(lengths::check(&tree));
    findings.extend(headers::check(&tree));
    findings.extend(manifests::check(&tree));
    findings.extend(leftovers::check(&tree));
    findings.extend(machines::check(&tree));
    findings.extend(lockfile::check(&tree));
    findings.extend(mappers::check(&tree, &table));
    findings.extend(web::check(&tree));
    findings.extend(links::check(&tree));
    let findings = markers::apply(&tree, findings);

    let long = lengths::long(&tree);
    if !long.is_empty() {
        println!(
            "  over {} lines, worth splitting before they grow:",
            lengths::SOFT
        );
        long.iter()
            .for_each(|(path, lines)| println!("    {lines:>4}  {path}"));
    }
    if findings.is_empty() {
        sh::say(&format!("tidy: {} files, nothing to say", tree.files.len()));
        return Ok(());
    }
    for finding in &findings {
        println!("  {} [{}] {}", finding.place(), finding.rule, finding.what);
    }
    bail!("tidy: {} findings", findings.len())
}

/// The files the rules look at, named from the root with forward slashes, and sorted.
pub(crate) struct Tree {
    root: PathBuf,
    pub(crate) files: Vec<String>,
}

impl Tree {
    /// What git tracks or would: a rule must fail before the file is committed, not after.
    fn from_git(root: &Path) -> Result<Self> {
        let list = sh::capture(
            Command::new("git")
                .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
                .current_dir(root),
        )
        .context("tidy asks git for the list of files")?;
        let files = list
            .split_terminator('\0')
            .map(str::to_owned)
            .filter(|path| root.join(path).is_file());
        Ok(Self::with(root, files.collect()))
    }

    #[cfg(test)]
    fn walk(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        let mut folders = vec![root.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push(path.strip_prefix(root)?.to_string_lossy().into_owned());
                }
            }
        }
        Ok(Self::with(root, files))
    }

    fn with(root: &Path, mut files: Vec<String>) -> Self {
        files.sort();
        files.dedup();
        Self {
            root: root.to_path_buf(),
            files,
        }
    }

    /// The text of a file; a picture has none.
    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_default()
    }

    fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    fn with_ending<'a>(&'a self, endings: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
        self.files
            .iter()
            .map(String::as_str)
            .filter(|path| endings.iter().any(|ending| path.ends_with(ending)))
    }

    /// The folders with a Cargo.toml, except the workspace's own.
    fn crates(&self) -> impl Iterator<Item = &str> {
        self.files
            .iter()
            .filter_map(|path| path.strip_suffix("/Cargo.toml"))
            // A stand-in for somebody else's crate goes by that crate's rules.
            .filter(|folder| !folder.starts_with("patches/"))
    }
}

/// `ferro-store` for `crates/ferro-store/src/flows.rs`, `xtask` for what is in xtask.
fn crate_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("crates/").unwrap_or(path);
    let (name, _) = inside.split_once('/')?;
    (inside.len() != path.len() || name == "xtask").then_some(name)
}

fn is_test(path: &str) -> bool {
    let in_folder = ["/tests/", "/benches/", "/e2e/"]
        .iter()
        .any(|folder| path.contains(folder));
    let by_name = ["tests.rs", ".test.ts", ".test.tsx", ".spec.ts", ".spec.tsx"];
    in_folder || by_name.iter().any(|ending| path.ends_with(ending))
}

fn is_generated(path: &str) -> bool {
    path.contains("/__generated__/") || path.contains("/generated/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_sorted_into_crates_and_tests() {
        assert_eq!(crate_of("crates/ferro-store/src/flows.rs"), Some("ferro-store"));
        assert_eq!(crate_of("xtask/src/main.rs"), Some("xtask"));
        assert_eq!(crate_of("web/src/app.tsx"), None);
        assert_eq!(crate_of("README.md"), None);
        assert!(is_test("crates/a/tests/it/main.rs") && is_test("crates/a/src/b/tests.rs"));
        assert!(is_test("web/src/flow/json.test.ts") && !is_test("crates/a/src/lib.rs"));
    }

    #[test]
    fn this_repository_is_seen_through_git() {
        let tree = Tree::from_git(sh::root()).unwrap();
        assert!(tree.files.iter().any(|path| path == "xtask/crates.toml"));
        assert!(!tree.files.iter().any(|path| path.starts_with("target/")));
    }
}
