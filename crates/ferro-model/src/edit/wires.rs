//! Wires that come and go.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::EditError;
use super::record::Record;
use crate::descriptor::Registry;
use crate::handle::{FieldHandle, SourceHandle, TargetHandle};
use crate::ports::{Entry, Refusal, join};
use crate::read::Node;

impl Record<'_> {
    /// Draws a wire. One that is there already is left as it is, whatever id the canvas gave it.
    pub(super) fn connect(
        &mut self,
        registry: &Registry,
        (source, output): (&str, &str),
        (target, input): (&str, &str),
    ) -> Result<(), EditError> {
        let find = |id: &str| {
            self.document.node(id).ok_or_else(|| Refusal::UnknownNode {
                node: id.to_owned(),
                available: self.document.ids().to_vec(),
            })
        };
        let (from, to) = (find(source)?, find(target)?);
        let wires = self.document.wires();
        let there = wires.iter().any(|wire| {
            (wire.source, wire.output, wire.target, wire.input) == (source, output, target, input)
        });
        if there {
            return Ok(());
        }
        let permitted = join(registry, (&from, output), (&to, input), &wires)?;
        let edge = match permitted.into {
            Entry::Control => control_edge((source, output), (target, input)),
            Entry::Field { input_types, r#type } => data_edge(
                SourceHandle {
                    data_type: Some(permitted.source_type),
                    id: source.to_owned(),
                    name: Some(output.to_owned()),
                    output_types: permitted.output_types,
                    base_classes: Vec::new(),
                },
                TargetHandle::Field(FieldHandle {
                    field_name: input.to_owned(),
                    id: target.to_owned(),
                    input_types: Some(input_types),
                    r#type: Some(r#type),
                    proxy: to.field(input).and_then(|field| field.proxy.clone()),
                }),
            ),
            Entry::Loop {
                data_type,
                output_types,
            } => data_edge(
                SourceHandle {
                    data_type: Some(permitted.source_type),
                    id: source.to_owned(),
                    name: Some(output.to_owned()),
                    output_types: permitted.output_types,
                    base_classes: Vec::new(),
                },
                TargetHandle::Loop(SourceHandle {
                    data_type: Some(data_type),
                    id: target.to_owned(),
                    name: Some(input.to_owned()),
                    output_types,
                    base_classes: Vec::new(),
                }),
            ),
        };
        if permitted.flips_tool_mode {
            self.become_tool(source)?;
        }
        self.insert_wire(&edge)?;
        self.sync_selected_output(source)
    }

    /// Removes what matches; nothing is fine too.
    pub(super) fn disconnect(
        &mut self,
        (source, output): (&str, Option<&str>),
        (target, input): (&str, Option<&str>),
    ) {
        self.remove_wires(|wire| {
            wire.source == source
                && wire.target == target
                && output.is_none_or(|output| output == wire.output)
                && input.is_none_or(|input| input == wire.input)
        });
    }

    /// Lets a node with a choice of outputs show the one its wires leave by; the canvas would drop them otherwise.
    fn sync_selected_output(&mut self, id: &str) -> Result<(), EditError> {
        let wires = self.document.wires();
        let used: HashSet<&str> = wires
            .iter()
            .filter(|wire| wire.source == id)
            .map(|wire| wire.output)
            .collect();
        let (Some(&used), 1) = (used.iter().next(), used.len()) else {
            return Ok(());
        };
        let node = self.node(id)?;
        let mut choice = node.outputs.iter().filter(|output| !output.group);
        if choice.clone().count() < 2 || choice.all(|output| output.name != used) {
            return Ok(());
        }
        let tab = tab_for(&node, used);
        let used = used.to_owned();
        self.set(id, &["data", "selected_output"], &used.into())?;
        match tab {
            Some(option) => self.set(
                id,
                &["data", "node", "template", "output_type", "value"],
                &option.into(),
            ),
            None => Ok(()),
        }
    }
}

/// The option of an `output_type` tab that stands for the output, when another is chosen.
fn tab_for(node: &Node<'_>, output: &str) -> Option<String> {
    let tab = node.field("output_type").filter(|field| field.r#type == "tab")?;
    let entry = tab.json.to_value();
    let types = &node.output(output)?.types;
    let options = entry.get("options")?.as_array()?.iter().filter_map(Value::as_str);
    let wanted = options
        .into_iter()
        .find(|option| types.iter().any(|name| name == option))?;
    let now = entry.get("value").and_then(Value::as_str);
    (now != Some(wanted)).then(|| wanted.to_owned())
}

fn data_edge(from: SourceHandle, to: TargetHandle) -> Value {
    let (source, target) = (from.id.clone(), to.id().to_owned());
    let (source_handle, target_handle) = (from.to_string(), to.to_string());
    json!({
        "animated": false,
        "className": "",
        "data": { "sourceHandle": from.to_value(), "targetHandle": to.to_value() },
        "id": format!("reactflow__edge-{source}{source_handle}-{target}{target_handle}"),
        "selected": false,
        "source": source,
        "sourceHandle": source_handle,
        "target": target,
        "targetHandle": target_handle,
    })
}

fn control_edge((source, output): (&str, &str), (target, input): (&str, &str)) -> Value {
    let named = |port: &str| (!port.is_empty()).then(|| port.to_owned());
    json!({
        "id": format!("reactflow__edge-{source}{output}-{target}{input}"),
        "source": source,
        "sourceHandle": named(output),
        "target": target,
        "targetHandle": named(input),
    })
}
