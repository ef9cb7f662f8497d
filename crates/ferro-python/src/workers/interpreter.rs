//! Finding out which files an interpreter on this machine needs, so that it can be shut in with those alone.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio::process::Command;

const QUESTION: &str = "import json, sys, sysconfig
names = ('stdlib', 'platstdlib', 'purelib', 'platlib')
print(json.dumps({'version': sys.version_info[:2], 'executable': sys.executable, 'prefix': sys.prefix,
    'paths': [p for p in sys.path if p] + [sysconfig.get_paths()[n] for n in names]}))";

/// Where shared libraries are, on the systems that are known.
const LIBRARIES: [&str; 6] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
];

/// As `ferro-worker` wants it: the interpreter and all that it may read.
pub async fn examine(python: &Path) -> Result<Json, String> {
    let asked = Command::new(python)
        .args(["-I", "-B", "-c", QUESTION])
        .env_clear()
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let name = python.display();
    let asked = tokio::time::timeout(Duration::from_secs(20), asked).await;
    let asked = asked.map_err(|_| format!("{name} does not answer"))?;
    let asked = asked.map_err(|error| format!("{name}: {error}"))?;
    let answer: Json = serde_json::from_slice(&asked.stdout)
        .map_err(|_| format!("{name} is not a Python interpreter of version 3.10 or later"))?;
    let version = (answer["version"][0].as_u64(), answer["version"][1].as_u64());
    if version < (Some(3), Some(10)) {
        return Err(format!("{name} is too old: Python 3.10 or later is needed"));
    }
    let mut paths: BTreeSet<PathBuf> = LIBRARIES.iter().map(PathBuf::from).collect();
    let listed = answer["paths"].as_array().into_iter().flatten();
    paths.extend(listed.filter_map(Json::as_str).map(PathBuf::from));
    let prefix = Path::new(answer["prefix"].as_str().unwrap_or_default());
    paths.extend(["pyvenv.cfg", "lib", "lib64"].map(|part| prefix.join(part)));
    paths.extend(links(python));
    paths.extend(answer["executable"].as_str().map(PathBuf::from));
    paths.retain(|path| path.is_absolute() && path.exists());
    Ok(json!({ "python": python, "paths": paths }))
}

/// The path itself and every link on the way to the file.
fn links(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![path.to_owned()];
    while let Some(last) = found.last().cloned().filter(|_| found.len() < 16) {
        let Ok(next) = std::fs::read_link(&last) else {
            break;
        };
        let next = last.parent().map_or(next.clone(), |folder| folder.join(&next));
        found.push(next);
    }
    found.extend(std::fs::canonicalize(path));
    found
}
