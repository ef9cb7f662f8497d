//! What somebody else did to the flow while the turn was at work, as far as it meets what the turn did.
//!
//! Three flows are compared: the one the turn began with, the one it ends with, the one that is saved now. A place
//! that only one side touched, or that both left alike, is no conflict. Linear in nodes, fields and wires.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ferro_model::FlowData;
use ferro_model::read::{Flow, Json, Node, read};

use crate::event::Conflict;

/// So many are told one by one.
const SHOWN: usize = 20;

/// Which of the two is the flow now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    /// The turn's changes are on the canvas.
    Ours,
    /// They wait for the person.
    Theirs,
}

impl Counts {
    fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "the assistant's counts now",
            Self::Theirs => "the other one counts until you take what the assistant proposes",
        }
    }
}

pub(crate) fn conflicts(
    began: &FlowData,
    ours: &FlowData,
    saved: &FlowData,
    counts: Counts,
) -> Vec<Conflict> {
    if began == saved || began == ours || ours == saved {
        return Vec::new();
    }
    let (began, ours, saved) = (read(began), read(ours), read(saved));
    let (old, mine, theirs) = (by_id(&began), by_id(&ours), by_id(&saved));
    let mut found = Vec::new();
    for node in &began.nodes {
        let id = node.id.as_ref();
        match (mine.get(id), theirs.get(id)) {
            (Some(mine), Some(theirs)) => fields(node, mine, theirs, &mut found),
            (None, Some(theirs)) if differs(node, theirs) => found.push(about(
                node,
                None,
                "was changed by somebody else while the assistant worked, and the assistant removed it",
            )),
            (Some(mine), None) if differs(node, mine) => found.push(about(
                node,
                None,
                "was removed by somebody else while the assistant worked, and the assistant changed it",
            )),
            _ => {}
        }
    }
    wires(&began, &ours, &old, &theirs, &mut found);
    for conflict in &mut found {
        conflict.message.push_str(&format!(": {}.", counts.as_str()));
    }
    let more = found.len().saturating_sub(SHOWN);
    if more > 0 {
        found.truncate(SHOWN);
        found.push(Conflict {
            component_id: String::new(),
            field: None,
            message: format!("There are {more} more places that somebody else changed meanwhile."),
        });
    }
    found
}

fn by_id<'f, 'a>(flow: &'f Flow<'a>) -> HashMap<&'f str, &'f Node<'a>> {
    flow.nodes.iter().map(|node| (node.id.as_ref(), node)).collect()
}

/// A node that both sides have: value by value.
fn fields(old: &Node<'_>, mine: &Node<'_>, theirs: &Node<'_>, found: &mut Vec<Conflict>) {
    let same_text = |a: &Node<'_>, b: &Node<'_>| a.json.as_str() == b.json.as_str();
    if same_text(old, mine) || same_text(old, theirs) || same_text(mine, theirs) {
        return;
    }
    let (before, now) = (values(old), values(theirs));
    for field in &mine.fields {
        let name = field.name.as_ref();
        let (was, is, there) = (before.get(name).copied(), field.value, now.get(name).copied());
        if !same(was, is) && !same(was, there) && !same(is, there) {
            let what = "was changed by somebody else too while the assistant worked";
            found.push(about(mine, Some((name, &field.display_name)), what));
        }
    }
    if old.name != mine.name && old.name != theirs.name && mine.name != theirs.name {
        let what = "was renamed by somebody else too while the assistant worked";
        found.push(about(mine, None, what));
    }
}

fn values<'n, 'a>(node: &'n Node<'a>) -> HashMap<&'n str, Json<'a>> {
    let fields = node.fields.iter();
    fields
        .filter_map(|field| Some((field.name.as_ref(), field.value?)))
        .collect()
}

fn same(a: Option<Json<'_>>, b: Option<Json<'_>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.as_str() == b.as_str() || a.to_value() == b.to_value(),
        (None, None) => true,
        _ => false,
    }
}

/// Where it stands on the canvas does not count.
fn differs(old: &Node<'_>, new: &Node<'_>) -> bool {
    if old.json.as_str() == new.json.as_str() {
        return false;
    }
    let (before, now) = (values(old), values(new));
    let changed = |(name, value): (&&str, &Json<'_>)| !same(Some(*value), before.get(name).copied());
    old.name != new.name || before.len() != now.len() || now.iter().any(changed)
}

/// A wire of ours whose end somebody else took away.
fn wires(
    began: &Flow<'_>,
    ours: &Flow<'_>,
    old: &HashMap<&str, &Node<'_>>,
    theirs: &HashMap<&str, &Node<'_>>,
    found: &mut Vec<Conflict>,
) {
    let known: HashSet<_> = began.edges.iter().map(ends).collect();
    let mut told: HashSet<String> = found
        .iter()
        .map(|conflict| conflict.component_id.clone())
        .collect();
    for edge in ours.edges.iter().filter(|edge| !known.contains(&ends(edge))) {
        for end in [edge.source.as_ref(), edge.target.as_ref()] {
            // Nodes the turn itself brought are not saved yet.
            if let Some(node) = old.get(end)
                && !theirs.contains_key(end)
                && told.insert(end.to_owned())
            {
                let what =
                    "was removed by somebody else while the assistant worked, and the assistant wired it";
                found.push(about(node, None, what));
            }
        }
    }
}

fn ends<'e>(edge: &'e ferro_model::read::Edge<'_>) -> (&'e str, &'e str, &'e str, &'e str) {
    (&edge.source, edge.from.name(), &edge.target, edge.to.name())
}

/// Values are not told: they may be secret.
fn about(node: &Node<'_>, field: Option<(&str, &Cow<'_, str>)>, what: &str) -> Conflict {
    let short = |text: &str| {
        text.chars()
            .filter(|letter| !letter.is_control())
            .take(60)
            .collect::<String>()
    };
    let place = match field {
        Some((_, label)) => format!("{} of {}", short(label), short(&node.name)),
        None => short(&node.name),
    };
    Conflict {
        component_id: node.id.to_string(),
        field: field.map(|(name, _)| name.to_owned()),
        message: format!("{place} {what}"),
    }
}

#[cfg(test)]
mod tests;
