//! Where the values of a node's fields come from: what a plan and the values set for one run tell before, during and
//! after it.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::plan::{Plan, Route};
use crate::tools::argument_fields;
use crate::tweaks::Overrides;
use crate::value::Value;

/// One field of a node.
pub struct FieldOrigin<'a> {
    pub name: &'a str,
    pub label: &'a str,
    /// What it holds is shown to nobody.
    pub secret: bool,
    /// They win over everything, if one of them brings something.
    pub wires: Vec<WireOrigin<'a>>,
    pub otherwise: Origin<'a>,
}

pub enum Origin<'a> {
    /// Set for this run.
    Tweak(&'a Value),
    /// The value of one of the person's variables.
    Variable(&'a str),
    /// Filled in by whoever calls the node as a tool.
    Agent,
    Literal(&'a Json),
    /// A literal that the component comes with.
    Default(&'a Json),
}

pub struct WireOrigin<'a> {
    pub from: &'a Arc<str>,
    pub output: &'a Arc<str>,
    pub brings: Brings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brings {
    /// What its source produced in the same round.
    Value,
    /// One item of a loop for each round.
    Item,
    /// The last value that left a loop or a cycle, or that the round before gave.
    Last,
    /// The results of a loop's rounds.
    Results,
}

impl Plan {
    /// The fields of a node that something gives a value, in the order of its template.
    pub fn origins<'a>(&'a self, node: &str, overrides: &'a Overrides) -> Vec<FieldOrigin<'a>> {
        let Some(&at) = self.index.get(node) else {
            return Vec::new();
        };
        let planned = &self.nodes[at as usize];
        let descriptor = planned.entry.as_ref().ok().map(|entry| &entry.descriptor);
        let asked: Vec<&str> = match descriptor.filter(|_| planned.tool_mode) {
            Some(descriptor) => argument_fields(descriptor, &planned.info.template),
            None => Vec::new(),
        };
        let set = overrides.by_node.get(&at).map_or(&[][..], Vec::as_slice);
        let named = overrides.variables_of(at).iter().chain(&planned.variables);
        let named: Vec<_> = named.collect();
        let mut found = Vec::new();
        for (name, entry) in &planned.info.template {
            let wires = self.wires_into(at, name);
            let tweak = set.iter().find(|(field, _)| **field == **name);
            let variable = named.iter().find(|known| *known.field == **name);
            let literal = planned.literals.iter().find(|(field, _)| **field == **name);
            let otherwise = if asked.contains(&name.as_str()) {
                Origin::Agent
            } else if let Some((_, value)) = tweak {
                Origin::Tweak(value)
            } else if let Some(known) = variable {
                Origin::Variable(&known.variable)
            } else if let Some((_, json)) = literal {
                let usual = descriptor.and_then(|descriptor| descriptor.find_field(name));
                if usual.is_some_and(|usual| usual.value == **json) {
                    Origin::Default(json)
                } else {
                    Origin::Literal(json)
                }
            } else if wires.is_empty() {
                continue;
            } else {
                Origin::Literal(&Json::Null)
            };
            let label = entry.get("display_name").and_then(Json::as_str);
            found.push(FieldOrigin {
                name,
                label: label.filter(|label| !label.is_empty()).unwrap_or(name),
                secret: planned.secrets.iter().any(|secret| **secret == **name),
                wires,
                otherwise,
            });
        }
        // Loop ports are no entries of the template.
        for field in &planned.fields {
            if !planned.info.template.contains_key(&**field) {
                let wires = self.wires_into(at, field);
                if !wires.is_empty() {
                    found.push(FieldOrigin {
                        name: field,
                        label: field,
                        secret: false,
                        wires,
                        otherwise: Origin::Literal(&Json::Null),
                    });
                }
            }
        }
        found
    }

    /// Ids of the nodes straight before this one.
    pub fn predecessors(&self, id: &str) -> Vec<&Arc<str>> {
        let Some(&at) = self.index.get(id) else {
            return Vec::new();
        };
        let wires = self.nodes[at as usize].ins.iter();
        wires
            .map(|&wire| &self.nodes[self.wires[wire as usize].from as usize].id)
            .collect()
    }

    fn wires_into(&self, node: u32, field: &str) -> Vec<WireOrigin<'_>> {
        let planned = &self.nodes[node as usize];
        let wires = planned.ins.iter().map(|&wire| &self.wires[wire as usize]);
        wires
            .filter(|wire| !wire.control && *planned.fields[wire.slot as usize] == *field)
            .map(|wire| WireOrigin {
                from: &self.nodes[wire.from as usize].id,
                output: &wire.output,
                brings: match wire.route {
                    Route::Plain => Brings::Value,
                    Route::Item => Brings::Item,
                    Route::Exit(_) | Route::Back => Brings::Last,
                    Route::Feedback => Brings::Results,
                },
            })
            .collect()
    }
}
