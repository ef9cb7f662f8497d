//! Rule `crates`: every dependency in every manifest is one the table allows.

use anyhow::{Context, Result};
use serde_json::Value;

use super::Finding;
use super::table::{FILE, Room, TESTKIT, Table};

const RULE: &str = "crates";

pub(crate) struct Member {
    name: String,
    uses: Vec<Use>,
}

struct Use {
    name: String,
    dev: bool,
}

/// The workspace's crates and what they ask for, from `cargo metadata --no-deps`.
pub(crate) fn members(metadata: &Value) -> Result<Vec<Member>> {
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    packages
        .iter()
        .map(|package| {
            let uses = package["dependencies"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|dependency| {
                    Some(Use {
                        name: text(&dependency["name"])?,
                        dev: dependency["kind"] == "dev",
                    })
                });
            Ok(Member {
                name: text(&package["name"]).context("a package without a name")?,
                uses: uses.collect(),
            })
        })
        .collect()
}

pub(crate) fn check(table: &Table, members: &[Member]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let Some(room) = table.crates.get(&member.name) else {
            let what = format!(
                "`{}` is not in {FILE}: say there what it may use and what it forbids",
                member.name
            );
            findings.push(Finding::new(RULE, FILE, 0, what));
            continue;
        };
        let manifest = match member.name.as_str() {
            "xtask" => "xtask/Cargo.toml".to_owned(),
            name => format!("crates/{name}/Cargo.toml"),
        };
        for used in &member.uses {
            if let Some(what) = judge(table, &member.name, room, used) {
                findings.push(Finding::new(RULE, &manifest, 0, what));
            }
        }
    }
    findings
}

fn judge(table: &Table, member: &str, room: &Room, used: &Use) -> Option<String> {
    let name = used.name.as_str();
    if used.dev && (name == TESTKIT || room.dev.iter().any(|allowed| allowed == name)) {
        return None;
    }
    if let Some(home) = table.only.get(name).filter(|home| !home.is_in(member)) {
        return Some(format!(
            "{member} must not use {name}, its home is {}: {}",
            home.homes.join(", "),
            home.instead
        ));
    }
    if room.never.iter().any(|banned| banned == name) {
        return Some(format!("{member} must never use {name}: {}", room.instead));
    }
    let target = table.crates.get(name)?;
    if target.dev_only {
        return Some(format!(
            "{member} uses {name} outside its tests: it belongs under [dev-dependencies]"
        ));
    }
    if !room.may_use(name) {
        let allowed = if room.may.is_empty() {
            "none of ours".to_owned()
        } else {
            room.may.join(", ")
        };
        return Some(format!(
            "{member} may use {allowed}, not {name}: {}",
            room.instead
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::fixture::expect;
    use super::*;

    const TABLE: &str = r#"
        [crate.ferro-model]
        may = []
        never = ["tokio"]
        instead = "stay pure"
        [crate.ferro-store]
        may = ["ferro-model"]
        dev = ["tokio-test"]
        instead = "decide in the server"
        [crate.ferro-server]
        may = ["*"]
        [crate.ferro-testkit]
        may = ["*"]
        dev-only = true
        [only.sqlx]
        homes = ["ferro-store"]
        instead = "add a function to ferro-store"
        [process]
        homes = []
        [providers]
        words = []
    "#;

    #[track_caller]
    fn verdict(member: &str, uses: &[(&str, bool)], parts: &[&str]) {
        let uses = uses
            .iter()
            .map(|(name, dev)| Use {
                name: (*name).to_owned(),
                dev: *dev,
            })
            .collect();
        let member = Member {
            name: member.to_owned(),
            uses,
        };
        expect(&check(&Table::parse(TABLE).unwrap(), &[member]), parts);
    }

    #[test]
    fn edges() {
        verdict(
            "ferro-store",
            &[("ferro-model", false), ("sqlx", false), ("serde", false)],
            &[],
        );
        verdict(
            "ferro-model",
            &[("ferro-store", false)],
            &["may use none of ours, not ferro-store: stay pure"],
        );
        verdict(
            "ferro-store",
            &[("ferro-server", false)],
            &["may use ferro-model, not ferro-server"],
        );
        verdict(
            "ferro-model",
            &[("tokio", false)],
            &["must never use tokio: stay pure"],
        );
        verdict(
            "ferro-server",
            &[("ferro-store", false), ("ferro-model", false)],
            &[],
        );
        verdict(
            "ferro-server",
            &[("sqlx", false)],
            &["its home is ferro-store: add a function"],
        );
        verdict("ferro-new", &[], &["`ferro-new` is not in xtask/crates.toml"]);
    }

    #[test]
    fn tests_may_use_the_test_kit_and_what_the_table_adds() {
        verdict(
            "ferro-store",
            &[("ferro-testkit", true), ("tokio-test", true)],
            &[],
        );
        verdict(
            "ferro-store",
            &[("ferro-testkit", false)],
            &["belongs under [dev-dependencies]"],
        );
        verdict(
            "ferro-server",
            &[("ferro-testkit", false)],
            &["belongs under [dev-dependencies]"],
        );
        verdict("ferro-store", &[("ferro-server", true)], &["not ferro-server"]);
        verdict("ferro-model", &[("tokio", true)], &["must never use tokio"]);
        verdict("ferro-model", &[("sqlx", true)], &["its home is ferro-store"]);
    }

    #[test]
    fn metadata_is_read_by_the_package_and_not_by_its_alias() {
        let metadata = serde_json::json!({"packages": [{"name": "ferro-model", "dependencies": [
            {"name": "tokio", "rename": "harmless", "kind": null},
            {"name": "serde", "kind": "dev"},
            {"name": "ferro-store", "kind": "build"},
        ]}]});
        let members = members(&metadata).unwrap();
        expect(
            &check(&Table::parse(TABLE).unwrap(), &members),
            &["tokio", "ferro-store"],
        );
    }
}
