//! The crate table, read from xtask/crates.toml, and whether it makes sense in itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use toml::{Table as Toml, Value};

use super::Finding;

pub(crate) const FILE: &str = "xtask/crates.toml";
pub(crate) const TESTKIT: &str = "ferro-testkit";

#[derive(Default)]
pub(crate) struct Table {
    pub(crate) crates: BTreeMap<String, Room>,
    /// Libraries with one home.
    pub(crate) only: BTreeMap<String, Home>,
    pub(crate) process: Home,
    pub(crate) providers: Vec<String>,
    pub(crate) providers_instead: String,
}

#[derive(Default)]
pub(crate) struct Room {
    pub(crate) may: Vec<String>,
    pub(crate) never: Vec<String>,
    pub(crate) dev: Vec<String>,
    pub(crate) dev_only: bool,
    pub(crate) instead: String,
}

#[derive(Default)]
pub(crate) struct Home {
    pub(crate) homes: Vec<String>,
    pub(crate) instead: String,
}

impl Home {
    /// A home is a crate, or a file or folder of one, such as `ferro-server/src/main.rs`.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        let path = path.strip_prefix("crates/").unwrap_or(path);
        self.homes.iter().any(|home| {
            let rest = path.strip_prefix(home.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Whether some part of this crate is one.
    pub(crate) fn is_in(&self, member: &str) -> bool {
        self.homes.iter().any(|home| crate_in(home) == member)
    }
}

fn crate_in(home: &str) -> &str {
    home.split('/').next().unwrap_or_default()
}

impl Room {
    pub(crate) fn may_use(&self, name: &str) -> bool {
        self.may.iter().any(|allowed| allowed == name || allowed == "*")
    }
}

impl Table {
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
        Self::parse(&text).with_context(|| FILE.to_owned())
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        let file: Toml = text.parse()?;
        let mut table = Self::default();
        for (name, entry) in sections(&file, "crate")? {
            let keys = ["about", "may", "never", "dev", "dev-only", "instead"];
            let room = Room {
                may: strings(entry, "may")?,
                never: strings(entry, "never")?,
                dev: strings(entry, "dev")?,
                dev_only: entry.get("dev-only").and_then(Value::as_bool).unwrap_or(false),
                instead: string(entry, "instead"),
            };
            known(entry, &keys).with_context(|| name.clone())?;
            table.crates.insert(name.clone(), room);
        }
        for (name, entry) in sections(&file, "only")? {
            table.only.insert(name.clone(), home(entry)?);
        }
        table.process = home(
            file.get("process")
                .and_then(Value::as_table)
                .context("no [process]")?,
        )?;
        let providers = file
            .get("providers")
            .and_then(Value::as_table)
            .context("no [providers]")?;
        table.providers = strings(providers, "words")?;
        table.providers_instead = string(providers, "instead");
        Ok(table)
    }

    /// A table that contradicts itself protects nothing.
    pub(crate) fn faults(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut fault = |what: String| findings.push(Finding::new("crates", FILE, 0, what));
        for (name, room) in &self.crates {
            for used in room.may.iter().filter(|used| *used != "*") {
                if !self.crates.contains_key(used) {
                    fault(format!("{name} may use {used}, which the table does not know"));
                }
                if room.never.contains(used) {
                    fault(format!("{name} both may and must never use {used}"));
                }
            }
            if let Some(way) = self.way(name, name, &mut vec![]) {
                fault(format!(
                    "a circle: {name} → {}; the one that needs less declares a trait",
                    way.join(" → ")
                ));
            }
        }
        let homes = self
            .only
            .values()
            .chain([&self.process])
            .flat_map(|home| &home.homes);
        for home in homes.filter(|home| !self.crates.contains_key(crate_in(home))) {
            fault(format!("{home} is a home but not a crate of the table"));
        }
        findings
    }

    fn way(&self, from: &str, to: &str, seen: &mut Vec<String>) -> Option<Vec<String>> {
        for next in &self.crates.get(from)?.may {
            if next == to {
                return Some(vec![to.to_owned()]);
            }
            if !seen.contains(next) {
                seen.push(next.clone());
                if let Some(mut rest) = self.way(next, to, seen) {
                    rest.insert(0, next.clone());
                    return Some(rest);
                }
            }
        }
        None
    }
}

fn sections<'a>(file: &'a Toml, key: &str) -> Result<Vec<(&'a String, &'a Toml)>> {
    let table = file
        .get(key)
        .and_then(Value::as_table)
        .with_context(|| format!("no [{key}.…]"))?;
    table
        .iter()
        .map(|(name, value)| Ok((name, value.as_table().context("not a table")?)))
        .collect()
}

fn home(entry: &Toml) -> Result<Home> {
    known(entry, &["homes", "instead"])?;
    Ok(Home {
        homes: strings(entry, "homes")?,
        instead: string(entry, "instead"),
    })
}

fn known(entry: &Toml, keys: &[&str]) -> Result<()> {
    match entry.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => bail!("unknown key {key}"),
        None => Ok(()),
    }
}

fn strings(entry: &Toml, key: &str) -> Result<Vec<String>> {
    let list = entry
        .get(key)
        .map(|value| value.as_array().with_context(|| format!("{key} is no list")));
    let list = list.transpose()?.into_iter().flatten();
    list.map(|value| {
        value
            .as_str()
            .map(str::to_owned)
            .with_context(|| format!("{key}: not a text"))
    })
    .collect()
}

fn string(entry: &Toml, key: &str) -> String {
    entry
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::expect;
    use super::*;

    pub(crate) const REST: &str =
        "[only.sqlx]\nhomes = [\"a\"]\n[process]\nhomes = []\n[providers]\nwords = []\n";

    fn check(crates: &str, parts: &[&str]) {
        expect(
            &Table::parse(&format!("{crates}\n{REST}")).unwrap().faults(),
            parts,
        );
    }

    #[test]
    fn the_real_table_is_sound_and_knows_the_crates_to_come() {
        let table = Table::read(crate::sh::root()).unwrap();
        expect(&table.faults(), &[]);
        let names = "model net llm python engine agent mcp components assistant deploy store server testkit";
        for name in names.split(' ') {
            assert!(
                table.crates.contains_key(&format!("ferro-{name}")),
                "ferro-{name} is missing"
            );
        }
    }

    #[test]
    fn contradictions_are_found() {
        check("[crate.a]\nmay = []", &[]);
        check("[crate.a]\nmay = [\"b\"]", &["b, which the table does not know"]);
        check(
            "[crate.a]\nmay = [\"b\"]\nnever = [\"b\"]\n[crate.b]\n",
            &["both may and must never"],
        );
        check(
            "[crate.a]\nmay = [\"b\"]\n[crate.b]\nmay = [\"c\"]\n[crate.c]\nmay = [\"a\"]",
            &["a → b → c → a", "b → c → a → b", "c → a → b → c"],
        );
        check("[crate.b]\n", &["a is a home but not a crate"]);
    }

    #[test]
    fn a_misspelt_key_is_refused() {
        let error = Table::parse(&format!("[crate.a]\nnewer = []\n{REST}"))
            .err()
            .unwrap();
        assert!(format!("{error:#}").contains("newer"), "{error:#}");
    }
}
