//! Rule `manifests`: every crate takes its lints, version, edition, licence and Rust version from the workspace.

use toml::{Table, Value};

use super::{Finding, Tree};

const RULE: &str = "manifests";
/// The one crate with unsafe code: it forks. Its lints are the workspace's but for that.
const FORKS: &str = "crates/ferro-worker";
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
        if folder == FORKS {
            if manifest.get("lints") != forking_lints(tree).as_ref() {
                fault("its [lints] must be the workspace's with `unsafe_code = \"deny\"`".into());
            }
        } else if !inherits(manifest.get("lints")) {
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

fn forking_lints(tree: &Tree) -> Option<Value> {
    let root: Table = tree.read("Cargo.toml").parse().ok()?;
    let mut lints = root.get("workspace")?.get("lints")?.clone();
    let rust = lints.get_mut("rust")?.as_table_mut()?;
    rust.insert("unsafe_code".to_owned(), "deny".into());
    Some(lints)
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

    #[test]
    fn the_crate_that_forks_has_all_other_lints() {
        let workspace = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\nunused = \"deny\"\n";
        let with = |lints: &str| {
            let own = GOOD.replace("[lints]\nworkspace = true\n", lints);
            let fixture = Fixture::new().file("Cargo.toml", workspace);
            check(&fixture.file("crates/ferro-worker/Cargo.toml", &own).tree())
        };
        expect(
            &with("[lints.rust]\nunsafe_code = \"deny\"\nunused = \"deny\"\n"),
            &[],
        );
        expect(
            &with("[lints.rust]\nunsafe_code = \"allow\"\nunused = \"deny\"\n"),
            &["must be the workspace's"],
        );
        expect(
            &with("[lints.rust]\nunsafe_code = \"deny\"\n"),
            &["must be the workspace's"],
        );
    }
}
