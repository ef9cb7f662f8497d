//! `search_docs`, as a model sees it.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError, ToolOutput};
use ferro_llm::ToolSpec;
use ferro_model::Registry;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json, json};

use super::{Passage, search};

/// Passages of one call.
const MOST: usize = 4;
/// Characters of a question that are looked at.
const LONGEST_QUERY: usize = 500;

/// Searches the documentation and the help pages of the components `registry` knows at the time of the call.
pub(crate) fn tool(registry: impl Fn() -> Arc<Registry> + Send + Sync + 'static) -> Arc<dyn Tool> {
    Arc::new(SearchDocs {
        spec: ToolSpec {
            name: "search_docs".to_owned(),
            description: "Searches the product's documentation. Ask in English, in a few words.".to_owned(),
            schema: json!({"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}),
        },
        registry: Arc::new(registry),
    })
}

struct SearchDocs {
    spec: ToolSpec,
    registry: Arc<dyn Fn() -> Arc<Registry> + Send + Sync>,
}

impl Tool for SearchDocs {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(&self, arguments: Map<String, Json>) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let registry = Arc::clone(&self.registry);
        Box::pin(async move {
            let query = arguments
                .get("query")
                .and_then(Json::as_str)
                .unwrap_or_default()
                .trim();
            if query.is_empty() {
                return Err(ToolError::new(
                    "\"query\" is missing: say in a few English words what to look for",
                ));
            }
            let query: String = query.chars().take(LONGEST_QUERY).collect();
            let work = move || search(&registry(), &query, MOST);
            let found = tokio::task::spawn_blocking(work).await;
            let found = found.map_err(|_| ToolError::new("The search broke off; try other words"))?;
            if found.is_empty() {
                let told = json!({"text": "Nothing in the documentation fits. Try other words; if that finds nothing either, say so."});
                return Ok(ToolOutput {
                    text: told.to_string(),
                    value: told,
                });
            }
            let passages: Vec<Json> = found.iter().map(told).collect();
            let told = json!({"passages": passages});
            Ok(ToolOutput {
                text: told.to_string(),
                value: told,
            })
        })
    }
}

fn told(passage: &Passage) -> Json {
    let mut told = json!({"title": passage.title, "path": passage.path, "text": passage.text});
    if passage.heading != passage.title && !passage.heading.is_empty() {
        told["heading"] = passage.heading.clone().into();
    }
    told
}
