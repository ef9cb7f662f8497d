//! The tool kit: what the model can do in a turn, and the one place where every call is counted, measured and kept in
//! order.
//!
//! Results are compact JSON for the model; what they quote of the flow is data. A refusal says what to do instead.

mod add;
mod arguments;
mod build;
mod configure;
mod describe;
mod edit;
mod find;
mod fit;
mod flow_io;
mod generate;
mod plan;
mod run;
mod search;
pub(crate) mod secrets;
mod start;
mod templates;
#[cfg(test)]
mod tests;
mod tracked;
mod values;
mod wires;

use std::future::Future;
use std::sync::Arc;

use ferro_agent::{Tool, ToolError, ToolOutput};
use ferro_llm::ToolSpec;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json, json};

use crate::cache::Cache;
use crate::files::Sandbox;
use crate::generate::Generator;
use crate::work::Work;
use arguments::Arguments;
use tracked::Tracked;

/// What the tools of one turn work with.
#[derive(Clone)]
pub(crate) struct Kit {
    pub work: Arc<Work>,
    pub generator: Arc<Generator>,
    pub sandbox: Option<Arc<Sandbox>>,
    pub cache: Arc<Cache>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toolset {
    /// Everything.
    Builder,
    /// What changes nothing.
    Reader,
}

/// The tools of a turn, always in the same order: a prompt that begins alike can be cached by providers.
pub(crate) fn tools(kit: &Kit, set: Toolset) -> Vec<Arc<dyn Tool>> {
    let mut tools = vec![
        search::tool(kit),
        describe::tool(kit),
        flow_io::tool(kit),
        values::tool(kit),
        templates::list(kit),
        crate::docs::tool({
            let work = Arc::clone(&kit.work);
            move || work.registry()
        }),
    ];
    if set == Toolset::Builder {
        tools.extend([
            add::add(kit),
            add::remove(kit),
            wires::connect(kit),
            wires::disconnect(kit),
            configure::tool(kit),
            add::rename(kit),
            edit::tool(kit),
            build::tool(kit),
            templates::take(kit),
            plan::tool(kit),
            run::tool(kit),
            generate::tool(kit),
        ]);
    }
    if let Some(sandbox) = &kit.sandbox {
        tools.extend(match set {
            Toolset::Builder => crate::files::tools(sandbox, &kit.work, &kit.work.out),
            Toolset::Reader => crate::files::read_tools(sandbox),
        });
    }
    tools
        .into_iter()
        .map(|tool| Arc::new(Tracked::new(tool, kit)) as Arc<dyn Tool>)
        .collect()
}

/// A tool out of a function.
struct Made<F> {
    spec: ToolSpec,
    kit: Kit,
    run: F,
}

/// What the model is told of a tool.
struct Told {
    name: &'static str,
    description: &'static str,
    /// By name; those that must be there are in `required`.
    arguments: Json,
    required: &'static [&'static str],
}

fn made<F, R>(kit: &Kit, told: Told, run: F) -> Arc<dyn Tool>
where
    F: Fn(Kit, Arguments) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Json, ToolError>> + Send + 'static,
{
    let mut schema = json!({ "type": "object", "properties": told.arguments });
    if !told.required.is_empty() {
        schema["required"] = told.required.into();
    }
    Arc::new(Made {
        spec: ToolSpec {
            name: told.name.to_owned(),
            description: told.description.to_owned(),
            schema,
        },
        kit: kit.clone(),
        run,
    })
}

impl<F, R> Tool for Made<F>
where
    F: Fn(Kit, Arguments) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Json, ToolError>> + Send + 'static,
{
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(&self, arguments: Map<String, Json>) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let result = (self.run)(self.kit.clone(), Arguments(arguments));
        Box::pin(async move {
            let value = compact(result.await?);
            Ok(ToolOutput {
                text: value.to_string(),
                value,
            })
        })
    }
}

/// Members whose emptiness says something.
const MEANT: [&str; 3] = ["value", "fields", "result"];

/// Without nulls and empty lists: they cost tokens and say nothing.
fn compact(value: Json) -> Json {
    let is_empty = |value: &Json| match value {
        Json::Null => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    };
    match value {
        Json::Object(members) => {
            let kept = members.into_iter().filter_map(|(key, value)| {
                if MEANT.contains(&key.as_str()) {
                    return Some((key, value));
                }
                let value = compact(value);
                (!is_empty(&value)).then_some((key, value))
            });
            Json::Object(kept.collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(compact).collect()),
        other => other,
    }
}
