//! Rule `manifests`: every crate takes its lints, version, edition, licence and Rust version from the workspace.

use toml::{Table, Value};

use super::{Finding, Tree};

const RULE: &str = "manifests";
const INHERITED: [&str; 4] = ["version", "edition", "license", "rust-version"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in tree.crates() {
        let path = format!("{folder}/Cargo.toml");
        let mut fault = |what: String| findings.push(Finding::new(RULE, &path, 0, what));
        let manifest: Table = match tree.read(&path).parse() {
            Ok(manifest) => manifest,
            Err(error) => {
                fault(format!("cannot be read: {error}"));
                continue;
            }
        };
        if !inherits(manifest.get("lints")) {
            fault("lacks `[lints] workspace = true`".into());
        }
        let package = manifest.get("package").and_then(Value::as_table);
        for key in INHERITED {
            if !inherits(package.and_then(|package| package.get(key))) {
                fault(format!("lacks `{key}.workspace = true` under [package]"));
            }
        }
    }
    findings
}

fn inherits(value: Option<&Value>) -> bool {
    value
        .and_then(|value| value.get("workspace"))
        .and_then(Value::as_bool)
        == Some(true)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    const GOOD: &str = "[package]\nname = \"a\"\nversion.workspace = true\nedition.workspace = true\n\
        license.workspace = true\nrust-version.workspace = true\n[lints]\nworkspace = true\n";

    #[track_caller]
    fn verdict(manifest: &str, parts: &[&str]) {
        expect(
            &check(&Fixture::new().file("crates/a/Cargo.toml", manifest).tree()),
            parts,
        );
    }

    #[test]
    fn what_is_common_comes_from_the_workspace() {
        verdict(GOOD, &[]);
        verdict(
            &GOOD.replace(
                "version.workspace = true\nedition",
                "version = \"1.0.0\"\nedition",
            ),
            &["`version.workspace"],
        );
        verdict(
            &GOOD.replace("license.workspace = true\n", ""),
            &["`license.workspace"],
        );
        verdict(&GOOD.replace("[lints]\nworkspace = true\n", ""), &["[lints]"]);
        verdict(
            &GOOD.replace("[lints]\nworkspace = true", "[lints]\nworkspace = false"),
            &["[lints]"],
        );
        verdict("no toml", &["cannot be read"]);
    }
}
