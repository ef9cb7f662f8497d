//! `--model`: another model than the flow says, for one run.

use anyhow::bail;
use ferro_components::{asks_model, replace_model};
use ferro_engine::Catalog;
use ferro_llm::{ModelKind, Provider};
use ferro_model::FlowData;
use serde_json::Value as Json;

/// What every node that asks a model is given.
#[derive(Clone)]
pub struct Choice {
    provider: &'static Provider,
    language: Option<String>,
    embedding: Option<String>,
}

impl Choice {
    /// `openai/gpt-4o`; a provider alone means its usual models, a name alone the provider that has it.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let catalog = ferro_llm::catalog();
        let (provider, name) = text.split_once('/').unwrap_or((text, ""));
        let (provider, name) = match catalog.provider(provider) {
            Some(found) => (found, name.trim()),
            None => match catalog.find_model(text.trim()) {
                Some((found, model)) => (found, model.name.as_str()),
                None => {
                    let known = catalog.providers.iter().map(|known| known.id.as_str());
                    bail!(
                        "there is no model provider `{provider}`; there are {}",
                        known.collect::<Vec<_>>().join(", ")
                    )
                }
            },
        };
        let usual = |kind| provider.default_model(kind).map(|model| model.name.clone());
        let is_embedding = provider
            .model(name)
            .is_some_and(|model| model.kind == ModelKind::Embedding);
        let named = Some(name.to_owned());
        let (language, embedding) = match (name.is_empty(), is_embedding) {
            (true, _) => (usual(ModelKind::Language), usual(ModelKind::Embedding)),
            (false, true) => (None, named),
            (false, false) => (named, None),
        };
        if language.is_none() && embedding.is_none() {
            bail!(
                "{} has no usual model: say which, as in --model {}/NAME",
                provider.name,
                provider.id
            );
        }
        Ok(Self {
            provider,
            language,
            embedding,
        })
    }

    /// The flow with this model wherever it asks one.
    pub fn put(&self, data: &FlowData, catalog: &Catalog) -> anyhow::Result<FlowData> {
        let mut tree: Json = serde_json::from_str(data.as_str())?;
        self.put_in(&mut tree, catalog);
        Ok(FlowData::parse(&tree.to_string())?)
    }

    fn put_in(&self, flow: &mut Json, catalog: &Catalog) {
        let nodes = flow.get_mut("nodes").and_then(Json::as_array_mut);
        for node in nodes.into_iter().flatten() {
            // A group holds nodes of its own.
            if let Some(inner) = node.pointer_mut("/data/node/flow/data") {
                self.put_in(inner, catalog);
            }
            let Some(data) = node.get_mut("data") else {
                continue;
            };
            let r#type = data.get("type").and_then(Json::as_str).unwrap_or_default();
            let r#type = r#type.to_owned();
            let kind = catalog
                .get(&r#type)
                .and_then(|entry| asks_model(&entry.descriptor));
            let name = match kind {
                Some(ModelKind::Language) => &self.language,
                Some(ModelKind::Embedding) => &self.embedding,
                None => continue,
            };
            if let (Some(name), Some(node)) = (name, data.get_mut("node")) {
                replace_model(&r#type, node, self.provider, name);
            }
        }
    }
}
