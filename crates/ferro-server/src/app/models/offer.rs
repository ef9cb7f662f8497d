//! Model fields of nodes: what can be chosen, and what is chosen when a node is new.

use std::collections::BTreeSet;

use ferro_llm::{ModelEntry, ModelKind};
use ferro_model::FlowData;
use ferro_model::model_value::{self, ModelValueError};
use serde_json::{Map, Value as Json, json};

use super::{Ask, Chosen, Seen, own_default, pick, providers};
use crate::error::Result;
use crate::http::identity::Actor;
use crate::state::App;

/// What a `model` field may be asked to leave out.
struct Filter {
    tool_calling: bool,
}

impl Filter {
    fn of(field: &Map<String, Json>) -> Self {
        let filters = field.get("filters");
        Self {
            tool_calling: filters.and_then(|filters| filters.get("tool_calling")) == Some(&Json::Bool(true)),
        }
    }

    fn fits(&self, entry: &ModelEntry) -> bool {
        !self.tool_calling || entry.tool_calling
    }
}

fn kind_of(field: &Map<String, Json>) -> ModelKind {
    match field.get("model_type").and_then(Json::as_str) {
        Some("embedding") => ModelKind::Embedding,
        _ => ModelKind::Language,
    }
}

/// One entry of a model list, as saved flows have it.
pub(super) fn option(seen: &Seen, entry: &ModelEntry) -> Json {
    json!({
        "name": entry.name,
        "provider": seen.provider.name,
        "icon": seen.provider.icon,
        "category": seen.provider.name,
        "metadata": {
            "context_length": entry.context_tokens,
            "model_type": match entry.kind { ModelKind::Language => "llm", ModelKind::Embedding => "embeddings" },
            "tool_calling": entry.tool_calling,
            "reasoning": entry.reasoning,
            "vision": entry.vision,
            "rehearsal": seen.provider.is_rehearsal(),
            "price": entry.price.map(|price| json!({ "input": price.input, "output": price.output })),
        },
    })
}

/// Every model that is offered for a kind.
pub async fn offer_models(app: &App, actor: &Actor, kind: ModelKind) -> Result<Vec<Json>> {
    let seen = providers(app, actor, Some(kind), Ask::Needed).await?;
    Ok(options(&seen, |_| true))
}

fn options(seen: &[Seen], fits: impl Fn(&ModelEntry) -> bool) -> Vec<Json> {
    let mut list = Vec::new();
    for seen in seen {
        let models = seen
            .models
            .iter()
            .filter(|model| model.enabled && fits(&model.entry));
        list.extend(models.map(|model| option(seen, &model.entry)));
    }
    list
}

/// Gives every `model` field of a node its choices, and a model where none was ever chosen. `field` is the one that was
/// just set: a person who empties it means it.
pub async fn fill_models(app: &App, actor: &Actor, node: &mut Json, field: &str, is_new: bool) -> Result<()> {
    let Some(Json::Object(template)) = node.get_mut("template") else {
        return Ok(());
    };
    for (name, entry) in template {
        let Json::Object(entry) = entry else { continue };
        if entry.get("type").and_then(Json::as_str) != Some("model") {
            continue;
        }
        let kind = kind_of(entry);
        let filter = Filter::of(entry);
        let seen = providers(app, actor, Some(kind), Ask::Needed).await?;
        let own = own_default(app, actor, kind).await?;
        entry.insert(
            "options".to_owned(),
            options(&seen, |model| filter.fits(model)).into(),
        );
        let value = entry.get("value").cloned().unwrap_or_default();
        if value == model_value::BY_WIRE {
            continue;
        }
        let value = model_value::coerce(&value);
        let empty = matches!(model_value::parse(&value), Err(ModelValueError::Empty));
        let value = if empty && (is_new || name != field) {
            fallback(&seen, own.as_ref(), &filter).unwrap_or(value)
        } else {
            value
        };
        entry.insert("value".to_owned(), value);
    }
    Ok(())
}

/// What a person's own models are, by kind (`language`, `embedding`); `None` when they have no provider of their own.
pub async fn own_models(
    app: &App,
    actor: &Actor,
) -> Result<Option<impl Fn(&str) -> Option<Json> + Send + Sync + use<>>> {
    let any = Filter { tool_calling: false };
    let mut found = [None, None];
    for (place, kind) in found.iter_mut().zip([ModelKind::Language, ModelKind::Embedding]) {
        let seen = providers(app, actor, Some(kind), Ask::Nobody).await?;
        let own = own_default(app, actor, kind).await?;
        let taken = pick(&seen, own.as_ref(), |entry| any.fits(entry));
        if taken.is_some_and(|(seen, _)| !seen.provider.is_rehearsal()) {
            *place = fallback(&seen, own.as_ref(), &any);
        }
    }
    let [language, embedding] = found;
    if language.is_none() && embedding.is_none() {
        return Ok(None);
    }
    Ok(Some(move |kind: &str| {
        if kind == "embedding" {
            embedding.clone()
        } else {
            language.clone()
        }
    }))
}

/// The document with a model in every model field that is empty and has no wire; `None` when there is none such.
pub fn fill_empty(data: &FlowData, model: &impl Fn(&str) -> Option<Json>) -> Option<FlowData> {
    let mut tree: Json = serde_json::from_str(data.as_str()).ok()?;
    let wired: BTreeSet<(String, String)> = tree
        .get("edges")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(|edge| {
            let field = edge.pointer("/data/targetHandle/fieldName")?.as_str()?;
            Some((edge.get("target")?.as_str()?.to_owned(), field.to_owned()))
        })
        .collect();
    let mut filled = false;
    for node in tree.get_mut("nodes")?.as_array_mut()? {
        let id = node
            .get("id")
            .and_then(Json::as_str)
            .unwrap_or_default()
            .to_owned();
        let Some(Json::Object(template)) = node.pointer_mut("/data/node/template") else {
            continue;
        };
        for (name, entry) in template {
            let Json::Object(entry) = entry else { continue };
            let value = entry.get("value").unwrap_or(&Json::Null);
            let empty = matches!(model_value::parse(value), Err(ModelValueError::Empty));
            let is_model = entry.get("type").and_then(Json::as_str) == Some("model");
            if !is_model || !empty || wired.contains(&(id.clone(), name.clone())) {
                continue;
            }
            let kind = match kind_of(entry) {
                ModelKind::Language => "language",
                ModelKind::Embedding => "embedding",
            };
            if let Some(model) = model(kind) {
                entry.insert("value".to_owned(), model);
                filled = true;
            }
        }
    }
    filled.then(|| FlowData::parse(&tree.to_string()).ok()).flatten()
}

/// The canonical value of the model that is taken when nobody chose.
fn fallback(seen: &[Seen], own: Option<&Chosen>, filter: &Filter) -> Option<Json> {
    let (seen, model) = pick(seen, own, |entry| filter.fits(entry))?;
    Some(json!([option(seen, &model.entry)]))
}
