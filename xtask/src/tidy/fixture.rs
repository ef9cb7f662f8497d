//! A small tree of files to break rules in.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Finding, Tree};

pub(crate) struct Fixture {
    root: PathBuf,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("ferroflow-tidy-{}-{number}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        Self { root }
    }

    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
        self
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn tree(&self) -> Tree {
        Tree::walk(&self.root).unwrap()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// What was found, as `place: what`, must have these parts, in this order and nothing more.
#[track_caller]
pub(crate) fn expect(findings: &[Finding], parts: &[&str]) {
    let shown: Vec<String> = findings
        .iter()
        .map(|finding| format!("{}: {}", finding.place(), finding.what))
        .collect();
    assert_eq!(shown.len(), parts.len(), "{shown:#?}");
    for (line, part) in shown.iter().zip(parts) {
        assert!(line.contains(part), "{line:?} lacks {part:?}");
    }
}
