//! `connect_components`, `disconnect_components`.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::edit::Edit;
use ferro_model::read::{Node, Output};
use serde_json::{Value as Json, json};

use super::{Kit, Told, find, made};

/// The output by which a component serves an agent.
const TOOLSET: &str = "component_as_tool";

pub(super) fn connect(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "connect_components",
        description: "Draws a wire. An agent's `tools` takes only the output component_as_tool.",
        arguments: json!({
            "source_id": { "type": "string" }, "source_output": { "type": "string" },
            "target_id": { "type": "string" }, "target_input": { "type": "string" },
        }),
        required: &["source_id", "source_output", "target_id", "target_input"],
    };
    made(kit, told, async |kit, arguments| {
        let source = kit.work.find_node(&arguments.text("source_id")?)?;
        let target = kit.work.find_node(&arguments.text("target_id")?)?;
        let (output, input) = (arguments.text("source_output")?, arguments.text("target_input")?);
        let (by_wire, as_tool) = kit.work.look(|document| {
            let by_wire = document
                .node(&target)
                .is_some_and(|node| chooses_model(&node, &input));
            let is_tool = |node: &Node<'_>| node.outputs.iter().any(Output::is_toolset);
            let as_tool = output == TOOLSET && document.node(&source).is_some_and(|node| !is_tool(&node));
            (by_wire, as_tool)
        });
        let mut edits = Vec::new();
        if by_wire {
            edits.push(Edit::ConnectionMode {
                node: target.clone(),
                on: true,
            });
        }
        if as_tool {
            edits.push(Edit::ToolMode {
                node: source.clone(),
                on: true,
            });
        }
        edits.push(Edit::Connect {
            source,
            output,
            target,
            input,
        });
        let done = kit.work.change(edits).await?;
        let text = if done.unchanged {
            "They are connected so already.".to_owned()
        } else {
            done.said.join(" ")
        };
        Ok(json!({ "text": text }))
    })
}

/// The field takes a model by wire only after it is told so.
fn chooses_model(node: &Node<'_>, input: &str) -> bool {
    let is_model = node.field(input).is_some_and(|field| field.r#type == "model");
    is_model && !is_by_wire(node)
}

pub(super) fn is_by_wire(node: &Node<'_>) -> bool {
    node.json.to_value().pointer("/data/_connectionMode") == Some(&Json::Bool(true))
}

pub(super) fn disconnect(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "disconnect_components",
        description: "Removes the wires from one component to another, or only those at the named ports.",
        arguments: json!({
            "source_id": { "type": "string" }, "target_id": { "type": "string" },
            "source_output": { "type": "string" }, "target_input": { "type": "string" },
        }),
        required: &["source_id", "target_id"],
    };
    made(kit, told, async |kit, arguments| {
        let source = kit.work.find_node(&arguments.text("source_id")?)?;
        let target = kit.work.find_node(&arguments.text("target_id")?)?;
        let edit = Edit::Disconnect {
            source: source.clone(),
            target: target.clone(),
            output: arguments.some_text("source_output"),
            input: arguments.some_text("target_input"),
        };
        let done = kit.work.change(vec![edit]).await?;
        if done.unchanged {
            return Err(no_wire(&kit, &source, &target));
        }
        Ok(json!({ "text": done.said.join(" ") }))
    })
}

fn no_wire(kit: &Kit, source: &str, target: &str) -> ToolError {
    let wires: Vec<String> = kit.work.look(|document| {
        let wires = document.wires().into_iter();
        let near = wires.filter(|wire| wire.source == source || wire.target == target);
        near.map(|wire| {
            format!(
                "{}.{} -> {}.{}",
                wire.source, wire.output, wire.target, wire.input
            )
        })
        .collect()
    });
    ToolError::new(format!(
        "There is no such wire from `{source}` to `{target}`. Wires at them: {}.",
        find::listed(wires.iter())
    ))
}
