//! The tools of an agent: what is wired in, and the two small ones it has by itself.

use std::sync::{Arc, Mutex, PoisonError};

use ferro_agent::{Tool, ToolError, ToolOutput};
use ferro_engine::{Call, Cause, Context, Failure, Usage, Value};
use ferro_llm::ToolSpec;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json, json};

use crate::utilities::{calculator, current_date};

/// What tools spend while the agent works: agents and models that serve as tools.
#[derive(Clone, Default)]
pub(super) struct Spent(Arc<Mutex<Option<Usage>>>);

impl Spent {
    fn add(&self, usage: Usage) {
        let mut sum = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *sum.get_or_insert_default() += usage;
    }

    pub(super) fn sum(&self) -> Option<Usage> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everything the agent can use. Agents of older files have neither of the small tools, nor the fields for them.
pub(super) fn all(call: &Call, spent: &Spent) -> Result<Vec<Arc<dyn Tool>>, Failure> {
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    if let Some(value) = call.get("tools") {
        add(call, &value, spent, &mut tools)?;
    }
    // One that is wired in takes the place of the small one.
    let has = |tools: &[Arc<dyn Tool>], name: &str| tools.iter().any(|tool| tool.spec().name == name);
    if call.bool("add_current_date_tool") && !has(&tools, "get_current_date") {
        tools.push(Arc::new(Small {
            spec: ToolSpec {
                name: "get_current_date".to_owned(),
                description: "Tells the date and time in a time zone.".to_owned(),
                schema: json!({
                    "type": "object",
                    "properties": { "timezone": { "type": "string", "description": "A place such as Europe/Berlin; UTC when left out." } },
                }),
            },
            work: |arguments| {
                let zone = arguments.get("timezone").and_then(Json::as_str).unwrap_or("UTC");
                let told = current_date::now_in(zone);
                told.map(Json::String).map_err(|failure| said(&failure))
            },
        }));
    }
    if call.bool("add_calculator_tool") && !has(&tools, "evaluate_expression") {
        tools.push(Arc::new(Small {
            spec: ToolSpec {
                name: "evaluate_expression".to_owned(),
                description: "Works out an arithmetic expression, such as 4 * (2 + 3) or sqrt(2).".to_owned(),
                schema: json!({
                    "type": "object",
                    "properties": { "expression": { "type": "string", "description": "Numbers, operators and functions." } },
                    "required": ["expression"],
                }),
            },
            work: |arguments| {
                let expression = arguments.get("expression").map(|value| match value {
                    Json::String(text) => text.clone(),
                    other => other.to_string(),
                });
                let mut answer = calculator::answer(&expression.unwrap_or_default());
                match answer.remove("result") {
                    Some(result) => Ok(result),
                    None => Err(answer.remove("error").and_then(|error| error.as_str().map(str::to_owned)).unwrap_or_default()),
                }
            },
        }));
    }
    Ok(tools)
}

fn add(call: &Call, value: &Value, spent: &Spent, tools: &mut Vec<Arc<dyn Tool>>) -> Result<(), Failure> {
    match value {
        Value::Tools(found) => {
            for tool in found.iter() {
                tools.push(Arc::new(Wired {
                    spec: ToolSpec {
                        name: tool.name.clone(),
                        description: tool.description.clone(),
                        schema: tool.schema.clone(),
                    },
                    tool: tool.clone(),
                    agent: call.cx.clone(),
                    spent: spent.clone(),
                }));
            }
            Ok(())
        }
        Value::List(items) => items.iter().try_for_each(|item| add(call, item, spent, tools)),
        Value::Null => Ok(()),
        Value::Plain(json) if json.as_array().is_some_and(Vec::is_empty) || json.as_str() == Some("") => {
            Ok(())
        }
        other => Err(Failure::input(
            "tools",
            format!(
                "{} got {}, which is not a tool",
                call.label("tools"),
                other.kind()
            ),
        )
        .advice("Turn on tool mode at the component whose output is wired in.")),
    }
}

/// A component, a flow or a server's tool.
struct Wired {
    spec: ToolSpec,
    tool: ferro_engine::Tool,
    /// What the tool does to the outside world is written down as the agent's doing, since it is the agent that would
    /// be run again.
    agent: Context,
    spent: Spent,
}

impl Tool for Wired {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn approval(&self) -> bool {
        self.tool.approval
    }

    fn call(&self, arguments: Map<String, Json>) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let work = (self.tool.call)(arguments, Some(self.agent.clone()));
        let spent = self.spent.clone();
        Box::pin(async move {
            match work.await {
                Ok(called) => {
                    if let Some(usage) = called.usage {
                        spent.add(usage);
                    }
                    Ok(output(&called.value))
                }
                Err(failure) if failure.cause == Cause::Cancelled => Err(ToolError::fatal(failure.message)),
                Err(failure) => Err(ToolError::new(said(&failure))),
            }
        })
    }
}

/// What happened and what helps: the model can make use of both.
fn said(failure: &Failure) -> String {
    let parts = [&failure.message, &failure.detail, &failure.advice];
    let said: Vec<&str> = parts
        .into_iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    said.join(". ")
}

/// Text as it is; everything else as JSON, which models read better than anything made for people.
fn output(value: &Value) -> ToolOutput {
    match value {
        Value::Message(message) => ToolOutput::text(message.text.clone()),
        other => {
            let value = other.to_json();
            let text = match &value {
                Json::String(text) => text.clone(),
                other => other.to_string(),
            };
            ToolOutput { text, value }
        }
    }
}

/// A tool that needs nothing but its arguments.
struct Small {
    spec: ToolSpec,
    work: fn(Map<String, Json>) -> Result<Json, String>,
}

impl Tool for Small {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(&self, arguments: Map<String, Json>) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let done = (self.work)(arguments);
        Box::pin(async move {
            let value = done.map_err(ToolError::new)?;
            Ok(output(&Value::plain(value)))
        })
    }
}
