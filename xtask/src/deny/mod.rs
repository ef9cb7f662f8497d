//! `cargo xtask deny`: licences, banned crates and sources of everything we depend on.
//!
//! The rules are those of deny.toml, in cargo-deny's own format. We judge them ourselves because building
//! cargo-deny takes longer than the rest of `check`; where it is installed it runs as well.

mod rules;

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::sh;
use rules::{Package, Rules};

pub fn deny() -> Result<()> {
    let text = fs::read_to_string(sh::root().join("deny.toml")).context("cannot read deny.toml")?;
    let rules = Rules::parse(&text).context("deny.toml")?;
    let packages = packages(&metadata(&rules)?, &built(&rules)?)?;
    let verdict = rules.judge(&packages);
    if !verdict.duplicates.is_empty() {
        sh::say(&format!("in several versions: {}", verdict.duplicates.join(", ")));
    }
    if !verdict.faults.is_empty() {
        bail!("\n   {}", verdict.faults.join("\n   "));
    }
    sh::say(&format!(
        "{} packages: licences, bans and sources are as deny.toml wants them",
        packages.len()
    ));
    cargo_deny()
}

fn metadata(rules: &Rules) -> Result<Value> {
    let targets = rules
        .targets
        .iter()
        .map(|target| format!("--filter-platform={target}"));
    let args: Vec<String> = targets.chain(features(rules)).collect();
    sh::metadata(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What is really built, as (name, version). `cargo metadata` also lists what an optional feature could pull in.
fn built(rules: &Rules) -> Result<BTreeSet<(String, String)>> {
    let mut tree = sh::cargo(&["tree", "--workspace", "--locked", "--prefix=none", "--format={p}"]);
    tree.args(rules.targets.iter().map(|target| format!("--target={target}")))
        .args(features(rules));
    Ok(listed(&sh::capture(tree.arg("--edges=normal,build,dev"))?))
}

fn features(rules: &Rules) -> Option<String> {
    rules.all_features.then(|| "--all-features".to_owned())
}

/// Lines like `syn v2.0.1 (proc-macro) (*)`.
fn listed(tree: &str) -> BTreeSet<(String, String)> {
    let parsed = tree.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some((
            words.next()?.to_owned(),
            words.next()?.strip_prefix('v')?.to_owned(),
        ))
    });
    parsed.collect()
}

/// The original, for what we do not judge (known vulnerabilities) and as a second opinion.
fn cargo_deny() -> Result<()> {
    if sh::find_program("cargo-deny").is_none() {
        sh::say("cargo-deny is not installed: known vulnerabilities were not looked up");
        return Ok(());
    }
    let cargo_deny = || sh::cargo(&["deny", "--locked", "--log-level=error", "check"]);
    sh::run(cargo_deny().args(["bans", "licenses", "sources"]))?;
    let advisories = sh::capture(cargo_deny().arg("advisories"));
    match advisories {
        Ok(_) => sh::say("no known vulnerabilities"),
        Err(error) if format!("{error:#}").contains("failed to fetch") => {
            sh::say("the list of known vulnerabilities cannot be reached from here: not looked up");
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

fn packages(metadata: &Value, built: &BTreeSet<(String, String)>) -> Result<Vec<Package>> {
    let list = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut packages = Vec::with_capacity(built.len());
    for package in list {
        let key = (
            text(&package["name"]).context("a package without a name")?,
            text(&package["version"]).context("a package without a version")?,
        );
        if !built.contains(&key) {
            continue;
        }
        let (name, version) = key;
        let asked = package["dependencies"].as_array().into_iter().flatten();
        let wild = asked
            .filter(|d| d["req"] == "*" && d["path"].is_null())
            .filter_map(|d| text(&d["name"]));
        let (license, source) = (text(&package["license"]), text(&package["source"]));
        packages.push(Package {
            name,
            version,
            license,
            source,
            wild: wild.collect(),
        });
    }
    if packages.len() < built.len() {
        bail!(
            "cargo tree lists {} packages, cargo metadata knows {} of them",
            built.len(),
            packages.len()
        );
    }
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_built_is_judged_and_all_of_it() {
        let built = listed("a v1.0.0 (*)\nb v2.0.0 (proc-macro)\na v1.0.0\n\n");
        assert_eq!(built.len(), 2);
        let package = |name: &str, version: &str| {
            serde_json::json!({"name": name, "version": version, "license": "MIT", "source": null, "dependencies": [
                {"name": "wild", "req": "*"}, {"name": "ours", "req": "*", "path": "x"}, {"name": "fine", "req": "^1"},
            ]})
        };
        let metadata = serde_json::json!({"packages": [package("a", "1.0.0"), package("b", "2.0.0"), package("c", "1.0.0")]});
        let found = packages(&metadata, &built).unwrap();
        assert_eq!(
            found
                .iter()
                .map(|package| package.name.as_str())
                .collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(found[0].wild, ["wild"]);
        let metadata = serde_json::json!({"packages": [package("a", "1.0.0")]});
        assert!(packages(&metadata, &built).is_err());
    }
}
