//! Rule `npm-lock`: npm's lockfile holds no download addresses, and every package for every platform.
//!
//! npm leaves out an optional package its registry lacks, keeps working where node_modules exists, and then refuses
//! the lockfile in a fresh checkout.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Finding, Tree};

const RULE: &str = "npm-lock";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in tree.with_ending(&["package-lock.json"]) {
        let mut fault = |what: String| findings.push(Finding::new(RULE, path, 0, what));
        let lock: Value = match serde_json::from_str(&tree.read(path)) {
            Ok(lock) => lock,
            Err(error) => {
                fault(format!("cannot be read: {error}"));
                continue;
            }
        };
        let Some(packages) = lock["packages"].as_object() else {
            fault("has no packages: make it with npm 7 or newer".into());
            continue;
        };
        let addresses = packages.values().filter(|package| {
            package["resolved"]
                .as_str()
                .is_some_and(|address| address.starts_with("http"))
        });
        let count = addresses.count();
        if count > 0 {
            fault(format!(
                "has {count} download addresses: npm install --omit-lockfile-registry-resolved"
            ));
        }
        let names = packages.keys().filter_map(|key| key.rsplit_once("node_modules/"));
        let present: BTreeSet<&str> = names.map(|(_, name)| name).collect();
        let wanted = packages
            .values()
            .filter_map(|package| package["optionalDependencies"].as_object());
        let wanted: BTreeSet<&str> = wanted
            .flat_map(|optional| optional.keys())
            .map(String::as_str)
            .collect();
        let missing: Vec<&str> = wanted.difference(&present).copied().collect();
        if let Some(first) = missing.first() {
            fault(format!(
                "lacks {first} and {} more, so `npm ci` refuses it: pin a version that the registry has for every \
                 platform, remove node_modules and the lockfile, and npm install",
                missing.len() - 1
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    #[track_caller]
    fn verdict(lock: &str, parts: &[&str]) {
        expect(
            &check(&Fixture::new().file("web/package-lock.json", lock).tree()),
            parts,
        );
    }

    #[test]
    fn a_lockfile_is_complete_and_knows_no_registry() {
        let whole = r#"{"packages": {"": {}, "node_modules/a": {"optionalDependencies": {"@b/mac": "1", "@b/win": "1"}},
            "node_modules/@b/mac": {}, "node_modules/a/node_modules/@b/win": {"resolved": "packages/win"}}}"#;
        verdict(whole, &[]);
        verdict(
            &whole.replace("node_modules/@b/mac", "node_modules/c"),
            &["lacks @b/mac and 0 more"],
        );
        verdict(
            &whole.replace("packages/win", "https://example.com/win.tgz"),
            &["1 download addresses"],
        );
        verdict("{}", &["has no packages"]);
        verdict("nonsense", &["cannot be read"]);
    }
}
