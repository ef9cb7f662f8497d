//! What a Run Flow node shows of the flow it runs: a field for each of its inputs and an output for each answer.
//!
//! They are named `<node>~<field>` and `<node>~<output>` after the inner nodes, so that values and wires stay where
//! they are for as long as those nodes do.

use std::collections::HashSet;

use ferro_model::read::{Field, Node, NodeKind};
use ferro_model::{Descriptor, Flow, FlowData, OutputSpec, Registry, read, ungroup};
use serde_json::{Map, Value as Json};

use super::run_flow::{INPUT, SEPARATOR, own_output};
use crate::text::fields::{self, template};

/// Where an entry remembers the inner flow's own value: a value that differs from it was set by a person.
const INNER_VALUE: &str = "inner_value";

/// Gives the node the fields and outputs of `inner`. What a person set stays; what the flow has no more goes.
pub fn show(node: &mut Json, inner: &FlowData, registry: &Registry) {
    let flow = ungroup(read(inner));
    let known = |node: &Node<'_>| match node.kind {
        NodeKind::Component => registry.get(&node.r#type).map(AsRef::as_ref),
        _ => None,
    };
    set_fields(node, inputs(&flow, known));
    set_outputs(node, answers(&flow, known));
}

/// Back to a node that runs nothing yet.
pub fn clear(node: &mut Json) {
    set_fields(node, Vec::new());
    set_outputs(node, Vec::new());
}

struct Input {
    name: String,
    /// What the flow is asked, rather than a setting.
    asked: bool,
    entry: Map<String, Json>,
}

fn inputs<'r>(flow: &Flow<'_>, known: impl Fn(&Node<'_>) -> Option<&'r Descriptor>) -> Vec<Input> {
    let wired: HashSet<(&str, &str)> = flow
        .edges
        .iter()
        .map(|edge| (&*edge.target, edge.to.name()))
        .collect();
    let entrances = flow
        .nodes
        .iter()
        .filter_map(|node| Some((node, known(node).filter(|known| known.is_input)?)));
    let entrances: Vec<_> = entrances.collect();
    let mut found = Vec::new();
    for (node, descriptor) in &entrances {
        let label = label(node, entrances.iter().map(|(other, _)| *other));
        // A wire inside wins over any value from outside, and what changes the inner node's look does nothing here.
        let free = descriptor.fields.iter().filter(|spec| !spec.refresh);
        let free = free.filter_map(|spec| node.field(&spec.name));
        for field in free.filter(|field| field.show && !wired.contains(&(&*node.id, &*field.name))) {
            if let Json::Object(entry) = field.json.to_value() {
                found.push(input(node, field, entry, &label));
            }
        }
    }
    found
}

fn input(node: &Node<'_>, field: &Field<'_>, mut entry: Map<String, Json>, label: &str) -> Input {
    let name = format!("{}{SEPARATOR}{}", node.id, field.name);
    // A copied secret would leave its flow; an empty field means the inner one.
    let value = match field.value {
        Some(value) if !field.is_secret() => value.to_value(),
        _ => Json::String(String::new()),
    };
    let takes_wires = field.input_types.as_ref().is_some_and(|types| !types.is_empty());
    let text = field.r#type == "str" && !field.password && !entry.contains_key("options");
    let mut put = |key: &str, value: Json| entry.insert(key.to_owned(), value);
    // A Chat Input's text is typed there; here another node may bring it.
    if text && !takes_wires {
        put("input_types", vec!["Message"].into());
    }
    put("name", name.clone().into());
    put("display_name", format!("{} ({label})", field.display_name).into());
    put("tool_mode", (!field.advanced).into());
    put("required", false.into());
    put(INNER_VALUE, value.clone());
    put("value", value);
    for gone in ["proxy", "real_time_refresh", "refresh_button"] {
        entry.remove(gone);
    }
    Input {
        name,
        asked: field.name == INPUT,
        entry,
    }
}

/// The node's name, and a part of its id when another has the same.
fn label<'n, 'a: 'n>(node: &Node<'_>, all: impl Iterator<Item = &'n Node<'a>>) -> String {
    if all.filter(|other| other.name == node.name).count() < 2 {
        return node.name.to_string();
    }
    let end = node.id.rsplit('-').next().unwrap_or_default();
    format!("{} {end}", node.name)
}

fn set_fields(node: &mut Json, inputs: Vec<Input>) {
    let Some(template) = template(node) else { return };
    let is_inner = |name: &str| name.contains(SEPARATOR);
    let names: Vec<String> = template.keys().filter(|name| is_inner(name)).cloned().collect();
    let mut before: Map<String, Json> = names
        .into_iter()
        .filter_map(|name| template.shift_remove_entry(&name))
        .collect();
    let mut order = Vec::new();
    let mut asked = None;
    for mut input in inputs {
        let kept = match before.remove(&input.name) {
            Some(Json::Object(old)) => keep(&mut input.entry, &old),
            _ => false,
        };
        if input.asked && !kept && asked.is_none() {
            asked = Some(input.name.clone());
        }
        order.push(Json::String(input.name.clone()));
        template.insert(input.name, Json::Object(input.entry));
    }
    general_input(template, asked.as_deref(), order.is_empty());
    if let Some(Json::Array(known)) = node.get_mut("field_order") {
        known.retain(|name| !name.as_str().is_some_and(is_inner));
        known.extend(order);
    }
}

/// Takes over what a person made of the field. Tells whether they set a value.
fn keep(entry: &mut Map<String, Json>, old: &Map<String, Json>) -> bool {
    if old.get("type") != entry.get("type") {
        return false;
    }
    if let Some(advanced) = old.get("advanced") {
        entry.insert("advanced".to_owned(), advanced.clone());
    }
    let set = old.get("value") != old.get(INNER_VALUE)
        || old.get("load_from_db") != entry.get("load_from_db")
        || old.get("file_path") != entry.get("file_path");
    for key in ["value", "load_from_db", "file_path"] {
        if let Some(value) = old.get(key).filter(|_| set) {
            entry.insert(key.to_owned(), value.clone());
        }
    }
    set
}

/// The node's own Input steps back when the flow has inputs with names, and hands over what was typed into it: it
/// would win over them, unseen.
fn general_input(template: &mut Map<String, Json>, asked: Option<&str>, alone: bool) {
    let Some(Json::Object(own)) = template.get_mut(INPUT) else {
        return;
    };
    own.insert("advanced".to_owned(), (!alone).into());
    own.insert("tool_mode".to_owned(), alone.into());
    let plain = own.get("load_from_db") != Some(&Json::Bool(true));
    let typed = own.get("value").and_then(Json::as_str).unwrap_or_default();
    let typed = Some(typed.to_owned()).filter(|typed| plain && !typed.is_empty());
    if let (Some(typed), Some(asked)) = (typed, asked) {
        own.insert("value".to_owned(), "".into());
        if let Some(Json::Object(entry)) = template.get_mut(asked) {
            entry.insert("value".to_owned(), typed.into());
        }
    }
}

/// One output for each answer of the flow: of its output nodes, or of its last nodes where it has none.
fn answers<'r>(flow: &Flow<'_>, known: impl Fn(&Node<'_>) -> Option<&'r Descriptor>) -> Vec<Json> {
    let sources: HashSet<&str> = flow.edges.iter().map(|edge| &*edge.source).collect();
    let all = || flow.nodes.iter().filter(|node| known(node).is_some());
    let mut exits: Vec<&Node<'_>> = all()
        .filter(|node| known(node).is_some_and(|known| known.is_output))
        .collect();
    if exits.is_empty() {
        exits = all().filter(|node| !sources.contains(&*node.id)).collect();
    }
    let mut found = Vec::new();
    for node in &exits {
        let name = label(node, exits.iter().copied());
        let given: Vec<(&str, &str, Json, Json)> = if node.outputs.is_empty() {
            let specs = known(node).map_or(&[][..], |known| known.outputs.as_slice());
            let given = |spec: &'r OutputSpec| {
                let types: Vec<&str> = spec.types.iter().map(AsRef::as_ref).collect();
                let first = types.first().copied().into();
                (&*spec.name, &*spec.display_name, types.into(), first)
            };
            specs.iter().map(given).collect()
        } else {
            let given = node.outputs.iter().filter(|_| !node.tool_mode).map(|output| {
                let types: Vec<&str> = output.types.iter().map(AsRef::as_ref).collect();
                let first = output.selected.as_deref().or(types.first().copied()).into();
                (&*output.name, &*output.display_name, types.into(), first)
            });
            given.collect()
        };
        let several = given.len() > 1;
        for (output, own, types, selected) in given {
            let shown = if several {
                format!("{own} ({name})")
            } else {
                name.clone()
            };
            let id = format!("{}{SEPARATOR}{output}", node.id);
            let mut entry = OutputSpec::new(&id, &shown, &id, &[]).group().to_json();
            entry["types"] = types;
            entry["selected"] = selected;
            found.push(entry);
        }
    }
    found
}

fn set_outputs(node: &mut Json, mut outputs: Vec<Json>) {
    // A tool offers itself, whatever flow it runs.
    if node["tool_mode"] == true {
        return;
    }
    // Wires that were drawn from it before the flow was known stay; without one it is not shown.
    let mut own = own_output().to_json();
    own["hidden"] = (!outputs.is_empty()).into();
    own["group_outputs"] = (!outputs.is_empty()).into();
    outputs.push(own);
    fields::put_outputs(node, outputs);
}
