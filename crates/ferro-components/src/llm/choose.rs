//! Choosing a model: the fields, and what is shown for which provider.

use std::sync::Arc;

use ferro_engine::{Call, Failure, Value};
use ferro_llm::{Models, Options, Provider, catalog};
use ferro_model::FieldSpec;
use ferro_model::model_value::{self, ModelValueError};
use serde_json::{Value as Json, json};

use super::credentials::credentials;
use super::{Embedding, LanguageModel, failure, legacy};
use crate::text::fields;

/// The field of the chosen model.
const MODEL: &str = "model";

/// Fields that only some providers need; hidden for the others.
pub(super) const PROVIDER_FIELDS: [&str; 4] = [
    "base_url_ibm_watsonx",
    "project_id",
    "ollama_base_url",
    "api_base",
];

const WATSONX_REGIONS: [&str; 6] = ["us-south", "eu-de", "eu-gb", "au-syd", "jp-tok", "ca-tor"];

fn model_field(kind: &str, port: &'static str) -> FieldSpec {
    FieldSpec::other(
        MODEL,
        if kind == "language" {
            "Language Model"
        } else {
            "Embedding Model"
        },
        "model",
        "ModelInput",
    )
    .accepts(&[port])
    .required()
    .refresh()
    .info("Which model is asked. Providers are set up in Settings › Model providers.")
    .value(json!([]))
    .set("model_type", kind)
    .set("refresh_button", true)
    .set("placeholder", "Setup Provider")
    .set("options", json!([]))
    .set(
        "external_options",
        json!({ "fields": { "data": { "node": {
                "name": "connect_other_models",
                "display_name": "Connect other models",
                "icon": "CornerDownLeft",
            } } } }),
    )
}

fn api_key_field() -> FieldSpec {
    FieldSpec::secret("api_key", "API Key")
        .lenient()
        .advanced()
        .info("A key for this node alone. Empty: the provider's own from Settings › Model providers.")
}

fn provider_fields() -> [FieldSpec; 3] {
    let regions = WATSONX_REGIONS.map(|region| format!("https://{region}.ml.cloud.ibm.com"));
    let regions = regions.each_ref().map(String::as_str);
    [
        FieldSpec::dropdown(
            "base_url_ibm_watsonx",
            "watsonx API Endpoint",
            &regions,
            regions[0],
        )
        .hidden()
        .info("The region of the watsonx service."),
        FieldSpec::text("project_id", "watsonx Project ID")
            .hidden()
            .info("The project the model belongs to."),
        FieldSpec::text("ollama_base_url", "Ollama API URL")
            .hidden()
            .info("Where Ollama listens, such as http://localhost:11434."),
    ]
}

/// The fields of a component that asks a language model.
pub(crate) fn language_fields(tool_calling: bool) -> Vec<FieldSpec> {
    let mut model = model_field("language", "LanguageModel");
    if tool_calling {
        model = model.set("filters", json!({ "tool_calling": true }));
    }
    let mut all = vec![model, api_key_field()];
    all.extend(provider_fields());
    all
}

pub(crate) fn embedding_fields() -> Vec<FieldSpec> {
    let mut all = vec![model_field("embedding", "Embeddings"), api_key_field()];
    all.extend(provider_fields());
    all
}

/// Shows the fields of the chosen provider and hides those of the others.
pub(crate) fn refresh(node: &mut Json, field: &str, value: &Json) {
    if field != MODEL {
        return;
    }
    let chosen = model_value::parse(value)
        .ok()
        .and_then(|all| all.into_iter().next());
    let provider = chosen
        .as_ref()
        .and_then(|chosen| provider_of(&chosen.provider, &chosen.name));
    if let Some(provider) = provider {
        forget_key(node, provider);
    }
    let shown: Vec<&str> = provider.map_or_else(Vec::new, |provider| {
        let known = provider
            .variables
            .iter()
            .map(|variable| match variable.field.as_str() {
                // The one field for the address of those that have no field of their own for it.
                "base_url" => "api_base",
                field => field,
            });
        known.filter(|field| PROVIDER_FIELDS.contains(field)).collect()
    });
    fields::show_only(node, &PROVIDER_FIELDS, &shown);
}

/// A key field that names the variable of another provider would send that provider's key to this one.
fn forget_key(node: &mut Json, provider: &Provider) {
    let named = fields::value_of(node, "api_key");
    let Some(named) = named.as_str() else { return };
    let is_key = catalog()
        .variables()
        .any(|known| known.secret && known.key == named);
    let is_own = provider.variables.iter().any(|known| known.key == named);
    if is_key && !is_own {
        fields::set(node, "api_key", "value", "");
        fields::set(node, "api_key", "load_from_db", false);
    }
}

/// By its name, or by the model's where only that is known.
fn provider_of(provider: &str, model: &str) -> Option<&'static Provider> {
    if provider.is_empty() {
        catalog().find_model(model).map(|(provider, _)| provider)
    } else {
        catalog().provider(provider)
    }
}

/// The model of a node's `model` field, or the one that is wired in.
pub(crate) async fn open(models: &Models, call: &Call) -> Result<LanguageModel, Failure> {
    // Older agents take their model from a wire into `llm`.
    for field in [MODEL, "llm"] {
        if let Some(live) = live::<LanguageModel>(call, field)? {
            return Ok((*live).clone());
        }
    }
    let (provider, name) = chosen(call, MODEL)?;
    let credentials = credentials(call, &provider).await?;
    let model = models
        .language(&provider, &name, &credentials, &Options::default())
        .map_err(|error| failure(&error))?;
    Ok(LanguageModel {
        model,
        temperature: call.float("temperature")?,
        max_tokens: tokens(call)?,
    })
}

pub(crate) async fn open_embedder(models: &Models, call: &Call) -> Result<Embedding, Failure> {
    if let Some(live) = live::<Embedding>(call, MODEL)? {
        return Ok((*live).clone());
    }
    let (provider, name) = chosen(call, MODEL)?;
    let credentials = credentials(call, &provider).await?;
    let dimensions = call
        .int("dimensions")?
        .and_then(|number| u32::try_from(number).ok());
    let options = Options {
        dimensions: dimensions.filter(|number| *number > 0),
        ..Options::default()
    };
    let embedder = models
        .embedding(&provider, &name, &credentials, &options)
        .map_err(|error| failure(&error))?;
    Ok(Embedding { embedder })
}

/// At most so many tokens; 0 means as many as the model likes.
fn tokens(call: &Call) -> Result<Option<u32>, Failure> {
    let Some(number) = call.int("max_tokens")?.filter(|number| *number != 0) else {
        return Ok(None);
    };
    match u32::try_from(number) {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(Failure::input("max_tokens", format!("Max Tokens is {number}"))
            .advice("Use a number above 0, or leave it empty.")),
    }
}

/// What a wire brought, when it is of this kind.
fn live<T: Send + Sync + 'static>(call: &Call, field: &str) -> Result<Option<Arc<T>>, Failure> {
    if !call.is_wired(field) {
        return Ok(None);
    }
    let Some(value) = call.get(field) else {
        return Ok(None);
    };
    let Value::Live(live) = &*value else {
        // A model's name may come along a wire too.
        return Ok(None);
    };
    match Arc::clone(&live.value).downcast::<T>() {
        Ok(found) => Ok(Some(found)),
        Err(_) => Err(Failure::input(
            field,
            format!(
                "{} got a {} from its wire, which it cannot use",
                call.label(field),
                live.kind
            ),
        )
        .advice("Wire in a model made by a component of this server.")),
    }
}

/// Provider and name of what is chosen. Separate `provider` and `model_name` fields win over the list.
fn chosen(call: &Call, field: &str) -> Result<(String, String), Failure> {
    let none = || {
        Failure::input(field, "No model is chosen")
            .advice("Choose one in the model field; providers are set up in Settings › Model providers.")
    };
    let value = match call.get(field).as_deref() {
        // A name that came along a wire.
        Some(Value::Message(message)) => Json::String(message.text.clone()),
        Some(other) => other.to_json(),
        None => Json::Null,
    };
    let is_list = value.as_array().is_some_and(|list| !list.is_empty());
    if let Some(old) = legacy::find(&call.node.r#type).filter(|_| !is_list) {
        let names = old.model.iter().map(|field| call.text(field));
        let name = names
            .into_iter()
            .find(|name| !name.is_empty() && name != "[]")
            .ok_or_else(none)?;
        return Ok((old.provider.to_owned(), name));
    }
    let listed = match model_value::parse(&value) {
        Ok(listed) => listed,
        Err(ModelValueError::Empty) => Vec::new(),
        Err(problem) => {
            return Err(Failure::input(field, problem.to_string())
                .advice("Reselect a model from the list in the model field."));
        }
    };
    let mut first = listed
        .into_iter()
        .next()
        .map(|model| (model.provider, model.name));
    // Older agents name their provider in `agent_llm`.
    let provider = fields::text_or(call, "provider", &call.text("agent_llm"));
    let name = call.text("model_name");
    if !name.is_empty() {
        let provider_of_list = first.map(|(provider, _)| provider).unwrap_or_default();
        first = Some((
            if provider.is_empty() {
                provider_of_list
            } else {
                provider
            },
            name,
        ));
    }
    let (provider, name) = first.ok_or_else(none)?;
    if name.trim().is_empty() {
        return Err(none());
    }
    if provider.is_empty()
        && let Some(found) = provider_of("", &name)
    {
        return Ok((found.name.clone(), name));
    }
    Ok((provider, name))
}
