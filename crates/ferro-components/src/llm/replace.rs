//! Another model for a node than its file says, for whoever runs a flow with a model of their own.

use ferro_llm::{ModelKind, Provider, catalog};
use ferro_model::model_value;
use serde_json::{Map, Value as Json, json};

use super::{choose, legacy};

/// Fields that name a model or its provider in older files.
const NAMES: [&str; 4] = ["model_name", "model_id", "provider", "agent_llm"];

/// Gives a node (`data.node`) of a component that asks a model another one. What the node knew of another provider,
/// its key and its address, is forgotten: they would go to the wrong place.
pub fn replace_model(r#type: &str, node: &mut Json, provider: &Provider, name: &str) {
    let Some(Json::Object(template)) = node.get_mut("template") else {
        return;
    };
    let before = before(r#type, template);
    if before.is_none_or(|before| before.id != provider.id) {
        let old = legacy::find(r#type).into_iter();
        let old = old.flat_map(|old| old.key.iter().chain(old.url));
        let own = before.into_iter().flat_map(|before| &before.variables);
        let own = own.map(|variable| variable.field.as_str());
        let all = choose::PROVIDER_FIELDS.iter().chain(&["api_key"]).chain(old);
        for field in all.copied().chain(own) {
            clear(template, field);
        }
    }
    for field in NAMES {
        clear(template, field);
    }
    let field = template.entry("model").or_insert_with(|| json!({}));
    if !field.is_object() {
        *field = json!({});
    }
    field["type"] = "model".into();
    field["load_from_db"] = false.into();
    field["value"] = json!([{ "provider": provider.name, "name": name, "icon": provider.icon }]);
}

/// Whether a component asks a model, and of which kind.
pub fn asks_model(descriptor: &ferro_model::Descriptor) -> Option<ModelKind> {
    let field = descriptor.fields.iter().find(|field| field.r#type == "model")?;
    let kind = field.to_json();
    Some(match kind.get("model_type").and_then(Json::as_str) {
        Some("embedding") => ModelKind::Embedding,
        _ => ModelKind::Language,
    })
}

fn clear(template: &mut Map<String, Json>, field: &str) {
    if let Some(Json::Object(entry)) = template.get_mut(field) {
        entry.insert("value".to_owned(), "".into());
        entry.insert("load_from_db".to_owned(), false.into());
    }
}

/// The provider the node has now.
fn before(r#type: &str, template: &Map<String, Json>) -> Option<&'static Provider> {
    let value = |field: &str| template.get(field).and_then(|entry| entry.get("value"));
    let listed = value("model").and_then(|value| model_value::parse(value).ok());
    let listed = listed.and_then(|all| all.into_iter().next());
    let written = ["provider", "agent_llm"].into_iter().find_map(|field| {
        value(field)
            .and_then(Json::as_str)
            .filter(|text| !text.is_empty())
    });
    match (legacy::find(r#type), listed) {
        (_, Some(chosen)) if !chosen.provider.is_empty() => catalog().provider(&chosen.provider),
        (Some(old), _) => catalog().provider(old.provider),
        (None, listed) => match written {
            Some(written) => catalog().provider(written),
            None => listed.and_then(|chosen| catalog().find_model(&chosen.name).map(|(found, _)| found)),
        },
    }
}
