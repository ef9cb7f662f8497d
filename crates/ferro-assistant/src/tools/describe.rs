//! `describe_component`: what one must know of a component to build with it.

use std::borrow::Cow;
use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::{Descriptor, FieldSpec, OutputSpec, Registry};
use serde_json::{Value as Json, json};

use super::{Kit, Told, find, made, search};

/// Choices of a field that are listed.
const OPTIONS: usize = 12;
/// So much of what a field says of itself is shown.
const INFO: usize = 90;
/// Longer values that a field begins with are left out.
const DEFAULT: usize = 40;

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "describe_component",
        description: "Shows inputs, fields and outputs of a component type. Ask before you build with it.",
        arguments: json!({ "component_type": { "type": "string" } }),
        required: &["component_type"],
    };
    made(kit, told, async |kit, arguments| {
        let r#type = arguments.text("component_type")?;
        let registry = kit.work.registry();
        Ok(described(known(&registry, &r#type)?))
    })
}

/// The component of this type, however it is spelt.
pub(super) fn known<'r>(registry: &'r Registry, r#type: &str) -> Result<&'r Arc<Descriptor>, ToolError> {
    let plain = |text: &str| text.replace([' ', '_', '-'], "").to_lowercase();
    let alike = |known: &&Arc<Descriptor>| {
        let wanted = plain(r#type);
        plain(&known.r#type) == wanted || !known.legacy && plain(&known.display_name) == wanted
    };
    let found = registry.get(r#type).or_else(|| registry.iter().find(alike));
    found.ok_or_else(|| {
        let near = search::nearest(registry, r#type);
        let near = match near.as_slice() {
            [] => "Find one with search_components.".to_owned(),
            near => format!("The nearest are {}.", find::listed(near.iter())),
        };
        ToolError::new(format!("There is no component of the type `{type}`. {near}"))
    })
}

pub(super) fn described(known: &Descriptor) -> Json {
    let (visible, hidden): (Vec<&FieldSpec>, Vec<&FieldSpec>) = known
        .fields
        .iter()
        .filter(|field| field.show && field.r#type != "code")
        .partition(|field| !field.advanced || field.required);
    let (inputs, fields): (Vec<&FieldSpec>, Vec<&FieldSpec>) = visible
        .into_iter()
        .partition(|field| !field.input_types.is_empty());
    let loops = known
        .outputs
        .iter()
        .filter(|output| output.allows_loop)
        .map(|output| {
            let own = output.types.first().into_iter();
            let types: Vec<&Cow<'_, str>> = own.chain(&output.loop_types).collect();
            json!({ "name": output.name, "input_types": types, "closes_loop": true })
        });
    let mut outputs: Vec<Json> = known
        .outputs
        .iter()
        .filter(|output| !output.hidden)
        .map(output)
        .collect();
    if known.tool_capable() {
        outputs.push(json!({ "name": "component_as_tool", "types": ["Tool"] }));
    }
    json!({
        "type": known.r#type,
        "category": known.category,
        "display_name": known.display_name,
        "description": first_sentence(&known.description, 300),
        "inputs": inputs.into_iter().map(described_field).chain(loops).collect::<Vec<_>>(),
        "fields": fields.into_iter().map(described_field).collect::<Vec<_>>(),
        "advanced_fields": hidden.iter().map(|field| &field.name).collect::<Vec<_>>(),
        "outputs": outputs,
        "legacy": known.legacy.then_some(true),
        "beta": known.beta.then_some(true),
    })
}

fn output(output: &OutputSpec) -> Json {
    json!({
        "name": output.name,
        "types": output.types,
        "allows_loop": output.allows_loop.then_some(true),
        "description": first_sentence(&output.info, INFO),
    })
}

fn described_field(field: &FieldSpec) -> Json {
    let more = field.options.len().saturating_sub(OPTIONS);
    let short = |value: &Json| match value {
        Json::String(text) => !text.is_empty() && text.len() <= DEFAULT,
        Json::Bool(_) | Json::Number(_) => true,
        _ => false,
    };
    let secret = super::secrets::is_secret_spec(field);
    super::compact(json!({
        "name": field.name,
        "type": field.r#type,
        "input_types": field.input_types,
        "required": field.required.then_some(true),
        "options": field.options.iter().take(OPTIONS).collect::<Vec<_>>(),
        "more_options": (more > 0).then_some(more),
        "default": (!secret && short(&field.value)).then(|| match &field.value {
            Json::String(text) => super::secrets::without_keys_in(text).into(),
            other => other.clone(),
        }),
        "secret": secret.then_some("the person sets it"),
        "info": first_sentence(&field.info, INFO),
    }))
}

/// The first sentence, and of that no more than so many characters; nothing for an empty text.
pub(super) fn first_sentence(text: &str, most: usize) -> Option<String> {
    let text = text.trim();
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    let sentence = &text[..end];
    match sentence.char_indices().nth(most) {
        _ if sentence.is_empty() => None,
        Some((end, _)) => Some(format!("{}…", sentence[..end].trim_end())),
        None => Some(sentence.to_owned()),
    }
}
