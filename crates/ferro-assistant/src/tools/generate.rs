//! `generate_component`: a component in Python where none of those there are will do.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use serde_json::{Value as Json, json};

use super::{Kit, Told, describe, made};
use crate::generate::Generated;
use crate::work::GeneratedOne;

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "generate_component",
        description: "Writes and checks a new component in Python. Only when no existing one does it.",
        arguments: json!({
            "spec": { "type": "string", "description": "What it does, its inputs and its outputs." },
        }),
        required: &["spec"],
    };
    made(kit, told, async |kit, arguments| {
        let ask = arguments.text("spec")?;
        match kit.generator.generate(&ask, true).await {
            Generated::Done {
                class_name,
                code,
                registered,
                ..
            } => kept(&kit, class_name, code, registered).await,
            Generated::Words { text, .. } => {
                remember(&kit, None, None, &text);
                Err(ToolError::new(format!(
                    "No component was written. The answer was: {}",
                    short(&text)
                )))
            }
            Generated::Failed {
                error,
                code,
                class_name,
                ..
            } => {
                remember(&kit, class_name, code, &error);
                Err(ToolError::new(format!(
                    "No component was written, so none can be used: {error} Do without it, and tell the person."
                )))
            }
        }
    })
}

async fn kept(kit: &Kit, class_name: String, code: String, registered: bool) -> Result<Json, ToolError> {
    if !registered {
        let error = "It passed every check, but could not be kept, so it cannot be put into a flow.";
        remember(kit, Some(class_name), Some(code), error);
        return Err(ToolError::new(format!(
            "{error} Try again with another class name."
        )));
    }
    kit.work.remember_generated(GeneratedOne {
        class_name: Some(class_name.clone()),
        code,
        error: None,
    });
    kit.cache.clear();
    kit.work.refresh_registry().await?;
    let registry = kit.work.registry();
    let ports = registry.get(&class_name).map(|known| {
        let described = describe::described(known);
        json!({ "inputs": described["inputs"], "fields": described["fields"], "outputs": described["outputs"] })
    });
    let Some(ports) = ports else {
        return Err(ToolError::new(format!(
            "{class_name} was written and kept, but cannot be put into a flow here; the person finds out why in the \
             list of components."
        )));
    };
    let mut told = json!({ "class_name": class_name, "text": format!("{class_name} can be used as a component type now.") });
    for key in ["inputs", "fields", "outputs"] {
        told[key] = ports[key].clone();
    }
    Ok(told)
}

fn remember(kit: &Kit, class_name: Option<String>, code: Option<String>, error: &str) {
    kit.work.remember_generated(GeneratedOne {
        class_name,
        code: code.unwrap_or_default(),
        error: Some(error.to_owned()),
    });
}

fn short(text: &str) -> String {
    text.chars().take(500).collect()
}
