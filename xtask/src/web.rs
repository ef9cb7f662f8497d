//! The web app's packages and its build, each done only when what it depends on has changed.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::sh;

const BUILT: &str = "dist/.ferro-stamp";

/// Not part of what is built: changing them must not cost a build.
const NOT_SOURCES: [&str; 8] = [
    "node_modules",
    "dist",
    "e2e",
    "bench",
    "coverage",
    "test-results",
    "playwright-report",
    ".vite",
];

/// `npm ci`, unless the packages are those of the lockfile already.
pub fn install() -> Result<()> {
    let web = sh::root().join("web");
    let lock = fs::read(web.join("package-lock.json")).context("cannot read web/package-lock.json")?;
    let stamp = Stamp {
        file: web.join("node_modules/.ferro-stamp"),
        hash: hash_of(&[lock]),
    };
    if stamp.is_fresh() {
        sh::say("npm packages are up to date");
        return Ok(());
    }
    sh::say("installing npm packages from web/package-lock.json");
    sh::run(&mut sh::npm(&["ci", "--no-audit", "--no-fund"]))?;
    // The build keeps its list of chunks in node_modules, which has just been emptied.
    let _ = fs::remove_file(web.join(BUILT));
    stamp.write()
}

/// `npm run build`, unless web/dist was built from these very sources.
pub fn build() -> Result<()> {
    let web = sh::root().join("web");
    let stamp = Stamp {
        file: web.join(BUILT),
        hash: sources_hash(&web)?,
    };
    if stamp.is_fresh() && web.join("dist/index.html").is_file() {
        sh::say("web UI is up to date");
        return Ok(());
    }
    sh::say("building the web UI into web/dist");
    sh::run(&mut sh::npm(&["run", "--silent", "build"]))?;
    stamp.write()
}

struct Stamp {
    file: PathBuf,
    hash: String,
}

impl Stamp {
    fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|found| found == self.hash)
    }

    fn write(&self) -> Result<()> {
        fs::write(&self.file, &self.hash).with_context(|| format!("cannot write {}", self.file.display()))
    }
}

fn sources_hash(web: &Path) -> Result<String> {
    let mut files = Vec::new();
    collect(web, &mut files)?;
    files.sort();
    let mut parts = Vec::with_capacity(files.len() * 2);
    for file in files {
        parts.push(
            file.strip_prefix(web)
                .unwrap_or(&file)
                .as_os_str()
                .as_encoded_bytes()
                .to_vec(),
        );
        parts.push(fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    Ok(hash_of(&parts))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        if NOT_SOURCES.iter().any(|skipped| name == *skipped) {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn hash_of(parts: &[Vec<u8>]) -> String {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        part.hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fixture::Fixture;

    #[test]
    fn the_hash_follows_sources_and_nothing_else() {
        let tree = Fixture::new().file("package.json", "{}").file("src/app.tsx", "a");
        let before = sources_hash(tree.root()).unwrap();
        let tree = tree
            .file("dist/index.html", "x")
            .file("node_modules/a/b.js", "x")
            .file("e2e/a.ts", "x");
        assert_eq!(sources_hash(tree.root()).unwrap(), before);
        let tree = tree.file("src/app.tsx", "b");
        let changed = sources_hash(tree.root()).unwrap();
        assert_ne!(changed, before);
        let tree = tree.file("src/new.ts", "");
        assert_ne!(sources_hash(tree.root()).unwrap(), changed);
    }

    #[test]
    fn a_stamp_is_fresh_only_with_its_own_hash() {
        let tree = Fixture::new().file("dist/index.html", "");
        let file = tree.root().join("dist/.ferro-stamp");
        let stamp = Stamp {
            file: file.clone(),
            hash: "1".into(),
        };
        assert!(!stamp.is_fresh());
        stamp.write().unwrap();
        assert!(stamp.is_fresh());
        assert!(
            !Stamp {
                file,
                hash: "2".into()
            }
            .is_fresh()
        );
    }
}
