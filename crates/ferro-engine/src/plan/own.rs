//! Nodes with Python of their own: whether it runs, and whether it may.

use std::collections::HashMap;

use ferro_model::read::Node;
use ferro_model::{FlowData, read, ungroup};
use serde_json::Value as Json;

use super::PlanError;
use crate::catalog::{Catalog, Entry};
use crate::failure::Failure;
use crate::own_code::OwnNode;

/// More findings than this make no message clearer.
const FINDINGS: usize = 20;

/// What a node says of its code.
pub(super) struct Own {
    id: String,
    r#type: String,
    name: String,
    code: String,
    code_hash: Option<String>,
    component: Json,
    verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The code is a built-in component's own, which runs instead of it.
    BuiltIn,
    /// Nobody has changed the code, as far as the node says: the built-in component runs instead of it.
    Presumed,
    /// The code is what runs.
    Own,
}

impl Own {
    /// `None` for nodes without code.
    pub(super) fn read(node: &Node<'_>, catalog: &Catalog) -> Option<Self> {
        let code = node.code()?.into_owned();
        let code_hash = node.code_hash().map(|hash| hash.into_owned());
        let entry = catalog.get(&node.r#type);
        let native = entry.is_some_and(|entry| !entry.descriptor.by_code) && !node.edited;
        let verdict = match (catalog.own_code(), &code_hash) {
            _ if !native => Verdict::Own,
            (Some(maker), Some(hash)) if maker.fits(&code, hash) => Verdict::BuiltIn,
            (Some(_), Some(_)) => Verdict::Own,
            _ => Verdict::Presumed,
        };
        Some(Self {
            id: node.id.to_string(),
            r#type: node.r#type.to_string(),
            name: node.name.to_string(),
            code,
            code_hash,
            component: match verdict {
                Verdict::Own => node.component(),
                Verdict::BuiltIn | Verdict::Presumed => Json::Null,
            },
            verdict,
        })
    }

    fn node(&self) -> OwnNode<'_> {
        OwnNode {
            id: &self.id,
            r#type: &self.r#type,
            name: &self.name,
            code: &self.code,
            code_hash: self.code_hash.as_deref(),
            component: &self.component,
        }
    }

    /// It is the code that runs, not a built-in component.
    fn runs(&self) -> bool {
        self.verdict == Verdict::Own
    }
}

/// Code of a node that may not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsafe {
    pub node: String,
    pub name: String,
    /// `line 3: …`
    pub finding: String,
}

/// Everything for which a run of this flow would be refused as unsafe.
pub fn unsafe_code(flow: &FlowData, catalog: &Catalog) -> Vec<Unsafe> {
    let document = ungroup(read(flow));
    let nodes: Vec<Own> = document
        .nodes
        .iter()
        .filter_map(|node| Own::read(node, catalog))
        .collect();
    findings(nodes.iter(), catalog)
}

/// Looks at all code that is not known to be a built-in component's.
fn findings<'a>(nodes: impl Iterator<Item = &'a Own>, catalog: &Catalog) -> Vec<Unsafe> {
    let Some(maker) = catalog.own_code() else {
        // Without it no code runs.
        return Vec::new();
    };
    let mut seen: HashMap<&str, Vec<String>> = HashMap::new();
    let mut found = Vec::new();
    for node in nodes.filter(|node| node.verdict != Verdict::BuiltIn) {
        let findings = seen.entry(&node.code).or_insert_with(|| maker.scan(&node.code));
        found.extend(findings.iter().map(|finding| Unsafe {
            node: node.id.clone(),
            name: node.name.clone(),
            finding: finding.clone(),
        }));
    }
    found
}

pub(super) fn refuse_unsafe<'a>(
    nodes: impl Iterator<Item = &'a Own>,
    catalog: &Catalog,
) -> Result<(), PlanError> {
    let found = findings(nodes, catalog);
    if found.is_empty() {
        return Ok(());
    }
    let told = |found: &Unsafe| format!("{} ({}), {}", found.name, found.node, found.finding);
    let mut lines: Vec<String> = found.iter().take(FINDINGS).map(told).collect();
    if found.len() > FINDINGS {
        lines.push(format!("and {} more", found.len() - FINDINGS));
    }
    Err(PlanError::UnsafeCode(lines))
}

/// A node, whether it has code or not.
pub(super) struct Who<'a> {
    pub r#type: &'a str,
    pub name: &'a str,
    pub edited: bool,
}

/// What runs, or why nothing does.
pub(super) fn entry(who: Who<'_>, own: Option<&Own>, catalog: &Catalog) -> Result<Entry, Failure> {
    let by_code = |entry: &Entry| who.edited || entry.descriptor.by_code;
    match (own, catalog.own_code(), catalog.get(who.r#type)) {
        (Some(own), Some(maker), _) if own.runs() => maker.entry(own.node()),
        (Some(own), None, _) if own.runs() => Err(Failure::unavailable(format!(
            "{} has its own Python code, which cannot run here",
            who.name
        ))
        .advice("Run the flow on a server that runs Python, or put a built-in component in its place.")),
        (None, _, Some(entry)) if by_code(entry) => Err(Failure::unavailable(format!(
            "{} should have Python code of its own, and has none",
            who.name
        ))
        .advice("Write its code, or put a built-in component in its place.")),
        (_, _, Some(entry)) => Ok(entry.clone()),
        (_, _, None) => Err(Failure::unavailable(format!(
            "the component `{}` is not available here",
            who.r#type
        ))
        .advice("Replace the node, or run the flow where that component is installed.")),
    }
}
