//! `list_templates`, `use_template`: flows to begin from.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::edit::Edit;
use ferro_model::read::{NodeKind, read};
use ferro_model::{Document, FlowData};
use serde_json::{Value as Json, json};

use super::{Kit, Told, build, describe, find, made};
use crate::host::Template;
use crate::work::{Whole, refused};

/// So much of a description is shown.
const DESCRIPTION: usize = 120;

pub(super) fn list(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "list_templates",
        description: "Lists ready-made flows to begin from.",
        arguments: json!({}),
        required: &[],
    };
    made(kit, told, async |kit, _| {
        let templates = kit.work.host.templates();
        let shown = templates.iter().map(|one| {
            json!({ "name": one.name, "description": describe::first_sentence(&one.description, DESCRIPTION) })
        });
        let shown: Vec<Json> = shown.collect();
        let text = shown
            .is_empty()
            .then_some("There are no templates here; build the flow with build_flow.");
        Ok(json!({ "templates": shown, "count": templates.len(), "text": text }))
    })
}

pub(super) fn take(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "use_template",
        description: "Proposes a ready-made flow in the place of the canvas.",
        arguments: json!({ "template_name": { "type": "string" } }),
        required: &["template_name"],
    };
    made(kit, told, async |kit, arguments| {
        let templates = kit.work.host.templates();
        let template = chosen(&templates, &arguments.text("template_name")?)?;
        let (data, notes) = with_models(&kit, &template.data)?;
        let types: Vec<String> = {
            let view = read(&data);
            let nodes = view.nodes.iter().filter(|node| node.kind != NodeKind::Note);
            nodes.map(|node| node.r#type.to_string()).collect()
        };
        let said = format!(
            "Opened the template {} with {} components.",
            template.name,
            types.len()
        );
        let summary = data.summary();
        let whole = Whole {
            name: template.name.clone(),
            description: template.description.clone(),
            data,
            said: said.clone(),
        };
        kit.work.replace(whole).await?;
        let text: Vec<String> = std::iter::once(said).chain(notes).collect();
        Ok(json!({
            "template": template.name, "node_count": summary.nodes, "edge_count": summary.edges,
            "node_types": types, "text": text.join(" "),
        }))
    })
}

fn chosen<'t>(templates: &'t [Template], name: &str) -> Result<&'t Template, ToolError> {
    let wanted = name.to_lowercase();
    if let Some(one) = templates.iter().find(|one| one.name.to_lowercase() == wanted) {
        return Ok(one);
    }
    let near: Vec<&Template> = templates
        .iter()
        .filter(|one| one.name.to_lowercase().contains(&wanted))
        .collect();
    match near.as_slice() {
        [one] => Ok(one),
        near => {
            let names = if near.is_empty() {
                templates.iter().collect()
            } else {
                near.to_vec()
            };
            let names: Vec<&str> = names.iter().map(|one| one.name.as_str()).collect();
            Err(ToolError::new(format!(
                "There is no template `{name}`. There is {}.",
                find::listed(names.iter())
            )))
        }
    }
}

/// Its agents ask a model this person has.
fn with_models(kit: &Kit, data: &FlowData) -> Result<(FlowData, Vec<String>), ToolError> {
    let mut document = Document::new(data);
    let mut notes = Vec::new();
    for id in document.ids().to_vec() {
        let values = build::models(&kit.work, &document, &id, &mut notes);
        if !values.is_empty() {
            let edit = Edit::Configure { node: id, values };
            kit.work.apply_all(&mut document, vec![edit]).map_err(refused)?;
        }
    }
    let data = document
        .to_data()
        .map_err(|error| ToolError::new(error.to_string()))?;
    Ok((data, notes))
}
