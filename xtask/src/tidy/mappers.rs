//! Rule `providers`: routes and the deployment orchestration name no provider. Rule `mappers`: a mapper does no IO,
//! so it has no `async fn`.

use super::code::{self, Strings};
use super::homes::numbered;
use super::table::Table;
use super::{Finding, Tree};

const ORCHESTRATION: &str = "deployments/orchestrate.rs";
const MAPPERS: &str = "/deployments/mapper/";
const ROUTES: [&str; 2] = [
    "crates/ferro-server/src/router.rs",
    "crates/ferro-server/src/api/deployments",
];

pub(crate) fn check(tree: &Tree, table: &Table) -> Vec<Finding> {
    let mut words: Vec<String> = table.providers.clone();
    words.extend(
        tree.with_ending(&[".rs"])
            .filter_map(mapper_of)
            .map(str::to_owned),
    );
    words.sort();
    words.dedup();

    let mut findings = Vec::new();
    for path in tree.with_ending(&[".rs"]) {
        if path.ends_with(ORCHESTRATION) || ROUTES.iter().any(|route| path.starts_with(route)) {
            // Strings count: a provider in a route's path is a provider named.
            let text = code::rust_outside_tests(&tree.read(path), Strings::Keep).to_lowercase();
            for (line, text) in numbered(&text) {
                for word in words.iter().filter(|word| text.contains(word.as_str())) {
                    let what = format!("names the provider {word}: {}", table.providers_instead);
                    findings.push(Finding::new("providers", path, line, what));
                }
            }
        }
        if path.contains(MAPPERS) {
            let text = code::rust_outside_tests(&tree.read(path), Strings::Blank);
            for (line, _) in
                numbered(&text).filter(|(_, text)| text.contains("async ") || text.contains(".await"))
            {
                let what = "a mapper is a plain fn: let the adapter do the IO and hand in what it found";
                findings.push(Finding::new("mappers", path, line, what));
            }
        }
    }
    findings
}

/// `watsonx` for `…/deployments/mapper/watsonx.rs` and `…/mapper/watsonx/request.rs`.
fn mapper_of(path: &str) -> Option<&str> {
    let (_, inside) = path.split_once(MAPPERS)?;
    let name = inside.split('/').next()?.trim_end_matches(".rs");
    (!matches!(name, "mod" | "tests" | "contract" | "registry")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    const TABLE: &str =
        "[crate.a]\n[only.b]\n[process]\n[providers]\nwords = [\"watsonx\"]\ninstead = \"use the trait\"";

    #[track_caller]
    fn verdict(tree: &Fixture, parts: &[&str]) {
        expect(&check(&tree.tree(), &Table::parse(TABLE).unwrap()), parts);
    }

    #[test]
    fn nobody_above_the_adapter_names_a_provider() {
        let tree = Fixture::new()
            .file(
                "crates/ferro-server/src/router.rs",
                "// Watsonx\nroute(\"/deployments/{provider}\")",
            )
            .file(
                "crates/ferro-server/src/deployments/orchestrate.rs",
                "fn deploy() {}",
            )
            .file(
                "crates/ferro-server/src/deployments/mapper/acme.rs",
                "fn resolve() { acme() }",
            );
        verdict(&tree, &[]);
        let tree = tree
            .file(
                "crates/ferro-server/src/router.rs",
                "route(\"/deployments/watsonx\")",
            )
            .file(
                "crates/ferro-server/src/deployments/orchestrate.rs",
                "\nlet a = Acme::new();",
            );
        verdict(
            &tree,
            &[
                "orchestrate.rs:2: names the provider acme: use the trait",
                "router.rs:1: names the provider watsonx",
            ],
        );
    }

    #[test]
    fn mappers_are_plain() {
        let path = "crates/ferro-server/src/deployments/mapper/acme.rs";
        verdict(
            &Fixture::new().file(path, "pub async fn resolve() {}"),
            &["plain fn"],
        );
        verdict(
            &Fixture::new().file(path, "#[cfg(test)]\nmod tests {\nasync fn a() {}\n}"),
            &[],
        );
    }
}
