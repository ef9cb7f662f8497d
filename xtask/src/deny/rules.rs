//! deny.toml as far as we judge it, and the judgement of one package after another.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use spdx::{Expression, Licensee, ParseMode};
use toml::Table;

pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) license: Option<String>,
    pub(super) source: Option<String>,
    /// Dependencies asked for as `*`.
    pub(super) wild: Vec<String>,
}

#[derive(Default)]
pub(super) struct Rules {
    pub(super) targets: Vec<String>,
    pub(super) all_features: bool,
    allowed: Vec<Licensee>,
    exceptions: BTreeMap<String, Vec<Licensee>>,
    clarified: BTreeMap<String, String>,
    banned: BTreeMap<String, String>,
    registries: Vec<String>,
}

pub(super) struct Verdict {
    pub(super) faults: Vec<String>,
    pub(super) duplicates: Vec<String>,
}

impl Rules {
    /// Reads the parts we judge, and refuses keys in them that we would otherwise silently not enforce.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let file: Table = text.parse()?;
        let mut rules = Self::default();

        let graph = section(&file, "graph", &["targets", "all-features"])?;
        rules.targets = strings(&graph, "targets")?;
        rules.all_features = graph
            .get("all-features")
            .and_then(toml::Value::as_bool)
            .unwrap_or(false);

        let keys = [
            "allow",
            "exceptions",
            "clarify",
            "confidence-threshold",
            "private",
        ];
        let licenses = section(&file, "licenses", &keys)?;
        rules.allowed = licensees(&strings(&licenses, "allow")?)?;
        for entry in tables(&licenses, "exceptions")? {
            let (name, _) = named(entry, &["crate", "allow"])?;
            rules
                .exceptions
                .insert(name, licensees(&strings(entry, "allow")?)?);
        }
        for entry in tables(&licenses, "clarify")? {
            let (name, _) = named(entry, &["crate", "expression", "license-files"])?;
            let expression = entry
                .get("expression")
                .and_then(toml::Value::as_str)
                .context("clarify: no expression")?;
            rules.clarified.insert(name, expression.to_owned());
        }

        let keys = ["multiple-versions", "wildcards", "allow-wildcard-paths", "deny"];
        let bans = section(&file, "bans", &keys)?;
        for entry in tables(&bans, "deny")? {
            let (name, reason) = named(entry, &["crate", "reason"])?;
            rules.banned.insert(name, reason);
        }

        let keys = ["unknown-registry", "unknown-git", "allow-registry", "allow-git"];
        let sources = section(&file, "sources", &keys)?;
        if !strings(&sources, "allow-git")?.is_empty() {
            bail!("allow-git: a dependency from git cannot be allowed here");
        }
        rules.registries = strings(&sources, "allow-registry")?;
        Ok(rules)
    }

    pub(super) fn judge(&self, packages: &[Package]) -> Verdict {
        let mut faults = Vec::new();
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for package in packages {
            versions
                .entry(&package.name)
                .or_default()
                .insert(&package.version);
            let mut fault =
                |what: String| faults.push(format!("{} {}: {what}", package.name, package.version));
            if let Err(what) = self.licence(package) {
                fault(what);
            }
            if let Some(reason) = self.banned.get(&package.name) {
                fault(format!(
                    "banned ({reason}); `cargo tree --invert {}` says who wants it",
                    package.name
                ));
            }
            match &package.source {
                None => package
                    .wild
                    .iter()
                    .for_each(|name| fault(format!("asks for {name} as `*`: name a version"))),
                Some(source) if self.knows(source) => {}
                Some(source) => fault(format!("comes from {source}; only crates.io is allowed")),
            }
        }
        let duplicates = versions
            .into_iter()
            .filter(|(_, versions)| versions.len() > 1)
            .map(|(name, versions)| {
                format!("{name} ({})", versions.into_iter().collect::<Vec<_>>().join(", "))
            });
        Verdict {
            faults,
            duplicates: duplicates.collect(),
        }
    }

    fn knows(&self, source: &str) -> bool {
        source
            .strip_prefix("registry+")
            .is_some_and(|address| self.registries.iter().any(|known| known == address))
    }

    fn licence(&self, package: &Package) -> Result<(), String> {
        let stated = self.clarified.get(&package.name).or(package.license.as_ref());
        let stated = stated.ok_or("states no licence; read its files and add it to [[licenses.clarify]]")?;
        // LAX: old manifests write MIT/Apache-2.0.
        let expression = Expression::parse_mode(stated, ParseMode::LAX)
            .map_err(|error| format!("its licence {stated:?} cannot be read: {}", error.reason))?;
        let extra = self
            .exceptions
            .get(&package.name)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let fits = expression.evaluate(|wanted| {
            self.allowed
                .iter()
                .chain(extra)
                .any(|allowed| allowed.satisfies(wanted))
        });
        fits.then_some(())
            .ok_or_else(|| format!("its licence is {stated}, which deny.toml does not allow"))
    }
}

fn section(file: &Table, name: &str, known: &[&str]) -> Result<Table> {
    let table = file
        .get(name)
        .and_then(toml::Value::as_table)
        .with_context(|| format!("no [{name}]"))?;
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
        bail!("[{name}] {key}: `cargo xtask deny` does not know this key and would not enforce it");
    }
    Ok(table.clone())
}

fn strings(table: &Table, key: &str) -> Result<Vec<String>> {
    let list = table.get(key).and_then(toml::Value::as_array);
    let text = |value: &toml::Value| value.as_str().map(str::to_owned);
    list.into_iter()
        .flatten()
        .map(|value| text(value).with_context(|| format!("{key}: not a text")))
        .collect()
}

fn tables<'a>(table: &'a Table, key: &str) -> Result<Vec<&'a Table>> {
    let list = table.get(key).and_then(toml::Value::as_array);
    list.into_iter()
        .flatten()
        .map(|value| {
            value
                .as_table()
                .with_context(|| format!("{key}: write {{ crate = \"…\", … }}"))
        })
        .collect()
}

fn named(entry: &Table, known: &[&str]) -> Result<(String, String)> {
    if let Some(key) = entry.keys().find(|key| !known.contains(&key.as_str())) {
        bail!("{key}: `cargo xtask deny` does not know this key and would not enforce it");
    }
    let text = |key: &str| entry.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    Ok((
        text("crate").context("an entry without `crate`")?,
        text("reason").unwrap_or_default(),
    ))
}

fn licensees(names: &[String]) -> Result<Vec<Licensee>> {
    names
        .iter()
        .map(|name| Licensee::parse(name).with_context(|| format!("{name:?} is no SPDX licence")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";
    const RULES: &str = r#"
        [graph]
        [licenses]
        allow = ["MIT", "Apache-2.0", "Unicode-3.0"]
        exceptions = [{ crate = "odd", allow = ["MPL-2.0"] }]
        clarify = [{ crate = "silent", expression = "MIT" }]
        [bans]
        deny = [{ crate = "openssl", reason = "rustls" }]
        [sources]
        allow-registry = ["https://github.com/rust-lang/crates.io-index"]
    "#;

    fn package(name: &str, license: Option<&str>, source: Option<&str>) -> Package {
        let text = |text: &str| text.to_owned();
        let (license, source) = (license.map(text), source.map(text));
        Package {
            name: name.into(),
            version: "1.0.0".into(),
            license,
            source,
            wild: Vec::new(),
        }
    }

    #[track_caller]
    fn check(package: Package, expected: &[&str]) {
        let verdict = Rules::parse(RULES).unwrap().judge(&[package]);
        assert_eq!(verdict.faults.len(), expected.len(), "{:?}", verdict.faults);
        for (fault, part) in verdict.faults.iter().zip(expected) {
            assert!(fault.contains(part), "{fault}");
        }
    }

    #[test]
    fn licences() {
        let from = Some(CRATES_IO);
        check(package("a", Some("MIT"), from), &[]);
        check(package("a", Some("MIT/Apache-2.0"), from), &[]);
        check(package("a", Some("GPL-3.0-only OR MIT"), from), &[]);
        check(
            package("a", Some("(MIT OR Apache-2.0) AND Unicode-3.0"), from),
            &[],
        );
        check(package("a", Some("GPL-3.0-only"), from), &["GPL-3.0-only"]);
        check(
            package("a", Some("MIT AND GPL-3.0-only"), from),
            &["does not allow"],
        );
        check(package("a", Some("MPL-2.0"), from), &["MPL-2.0"]);
        check(package("odd", Some("MPL-2.0"), from), &[]);
        check(package("a", None, from), &["states no licence"]);
        check(package("silent", None, from), &[]);
        check(package("a", Some("Be nice"), from), &["cannot be read"]);
    }

    #[test]
    fn bans_and_sources() {
        let mit = Some("MIT");
        check(package("openssl", mit, Some(CRATES_IO)), &["banned (rustls)"]);
        check(
            package("a", mit, Some("git+https://example.com/a")),
            &["git+https"],
        );
        check(
            package("a", mit, Some("registry+https://example.com/index")),
            &["only crates.io"],
        );
        check(package("ours", mit, None), &[]);
        check(
            Package {
                wild: vec!["serde".into()],
                ..package("ours", mit, None)
            },
            &["serde as `*`"],
        );
    }

    #[test]
    fn several_versions_are_told_but_no_fault() {
        let newer = Package {
            version: "2.0.0".into(),
            ..package("a", Some("MIT"), None)
        };
        let verdict = Rules::parse(RULES)
            .unwrap()
            .judge(&[package("a", Some("MIT"), None), newer]);
        assert_eq!(verdict.duplicates, ["a (1.0.0, 2.0.0)"]);
        assert!(verdict.faults.is_empty());
    }

    #[test]
    fn a_key_we_do_not_enforce_is_refused() {
        let error = Rules::parse(&RULES.replace("[bans]", "[bans]\nskip = []"))
            .err()
            .unwrap();
        assert!(error.to_string().contains("skip"), "{error}");
        let error = Rules::parse(&RULES.replace("reason =", "wrappers = [], reason ="))
            .err()
            .unwrap();
        assert!(error.to_string().contains("wrappers"), "{error}");
    }
}
