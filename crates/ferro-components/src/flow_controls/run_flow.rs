//! Runs another flow as a part of this one and gives its answer.
//!
//! - **Flow Name**: which of your flows. It is looked up by its id where the node knows one, else by name.
//! - **Flow Inputs**: once a flow is chosen, the node has a field for each of its inputs, such as `Input Text (Chat
//!   Input)`. What you leave as it is follows the inner flow; refresh the node when that flow has changed.
//! - **Input**: what the flow's Chat Input and Text Input get, for flows that are not known yet. It wins over the fields above.
//! - **Session ID**: the session of the inner run; this run's own when empty.
//! - Outputs: one for each answer of the flow. One that the inner run did not reach is not taken here either.
//! - **Flow Output**: the answer of a flow that is not known yet. When it gives several, they come as a list.
//!
//! Fields are named `<node>~<field>` and outputs `<node>~<output>`, after the nodes of the inner flow. In tool mode
//! the inputs are the tool's arguments.
//!
//! Example: Chat Input → Run Flow (`Summarise`) → Chat Output.
//!
//! Common mistakes: a flow that runs itself, straight or by way of another, is refused; messages of the inner run
//! belong to the inner flow's session; a flow that was renamed is still found by its id, not by its old name.

use ferro_engine::{Call, Component, Failure, FlowAnswer, FlowCall, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::wait::unless_stopped;

pub(super) struct RunFlow;

const OUTPUT: &str = "flow_output";
/// What a flow is asked: the name of this field here and in the inner flow.
pub(super) const INPUT: &str = "input_value";
/// Between an inner node and its field or output.
pub(super) const SEPARATOR: char = '~';

/// The answer of a flow, whatever its nodes are called.
pub(super) fn own_output() -> OutputSpec {
    OutputSpec::new(OUTPUT, "Flow Output", "flow_output", &["Message"])
}

impl Component for RunFlow {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("RunFlow", "Run Flow")
            .category("flow_controls")
            .icon("workflow")
            .description("Runs another flow and gives its answer.")
            .help(include_str!("run_flow.rs"))
            .field(
                FieldSpec::dropdown("flow_name_selected", "Flow Name", &[], "")
                    .info("Which flow to run.")
                    .refresh()
                    .set("refresh_button", true)
                    .set("options", Json::Array(Vec::new())),
            )
            .field(
                FieldSpec::text("flow_id_selected", "Flow ID")
                    .info("The flow's id, which survives renaming.")
                    .hidden(),
            )
            .field(
                FieldSpec::message_text(INPUT, "Input")
                    .info("What the flow is asked.")
                    .tool(),
            )
            .field(
                FieldSpec::message_text("session_id", "Session ID")
                    .info("The session of the inner run; this run's own when empty.")
                    .advanced(),
            )
            .field(
                FieldSpec::bool("cache_flow", "Cache Flow", false)
                    .info("Kept for older files: flows are always planned once and kept.")
                    .advanced(),
            )
            .output(own_output())
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move {
            let request = request(&call, SEPARATOR)?;
            let answers = answers(&call, request).await?;
            let mut outputs = Outputs::new();
            for answer in &answers {
                outputs = outputs.with(
                    format!("{}{SEPARATOR}{}", answer.node_id, answer.output),
                    answer.value.clone(),
                );
            }
            // A branch that the inner run did not take is not taken here.
            let wired = call.node.wired_outputs.iter();
            for name in wired.filter(|name| name.contains(SEPARATOR)) {
                if outputs.get(name).is_none() {
                    outputs = outputs.stop(name.clone());
                }
            }
            Ok(outputs.with(OUTPUT, joined(answers)).done())
        })
    }
}

/// The run to ask for. Fields named `<node><separator><field>` are set in the inner flow.
pub(super) fn request(call: &Call, separator: char) -> Result<FlowCall, Failure> {
    let id = call.text("flow_id_selected");
    let name = Some(call.text("flow_name_selected")).filter(|name| !name.is_empty());
    let name = name.or_else(|| Some(call.text("flow_name")).filter(|name| !name.is_empty()));
    let flow_id = Uuid::parse_str(id.trim()).ok();
    if flow_id.is_none() && name.is_none() {
        let field = if separator == SEPARATOR {
            "flow_name_selected"
        } else {
            "flow_name"
        };
        return Err(Failure::input(field, "No flow is chosen").advice("Choose the flow to run."));
    }
    let mut tweaks: Map<String, Json> = Map::new();
    for field in call.field_names() {
        let Some((node, inner)) = field.split_once(separator) else {
            continue;
        };
        let Some(value) = call.get(field) else { continue };
        let value = match &*value {
            Value::Message(message) => Json::String(message.text.clone()),
            other => other.to_json(),
        };
        let entry = tweaks
            .entry(node.to_owned())
            .or_insert_with(|| Json::Object(Map::new()));
        if let Json::Object(entry) = entry {
            entry.insert(inner.to_owned(), value);
        }
    }
    let session = call.text("session_id");
    Ok(FlowCall {
        flow_id,
        flow_name: name,
        input_value: call.text(INPUT),
        session_id: if session.is_empty() {
            call.cx.run.session_id.clone()
        } else {
            session
        },
        tweaks,
        stack: call.cx.run.stack.clone(),
        outer: Some(call.cx.clone()),
    })
}

pub(super) async fn answers(call: &Call, request: FlowCall) -> Result<Vec<FlowAnswer>, Failure> {
    unless_stopped(&call.cx, call.cx.host.run_flow(request)).await
}

pub(super) fn joined(mut answers: Vec<FlowAnswer>) -> Value {
    match answers.len() {
        0 => Value::text(""),
        1 => answers.pop().map_or(Value::Null, |answer| answer.value),
        _ => Value::List(answers.into_iter().map(|answer| answer.value).collect()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::{Arc, Mutex};

    use ferro_engine::{Context, Host, NodeInfo, Outcome, RunInfo};
    use futures_util::future::BoxFuture;
    use serde_json::json;

    use super::*;

    /// Answers every run with what it was asked, and remembers the calls.
    #[derive(Default)]
    pub(in super::super) struct Flows(pub Mutex<Vec<FlowCall>>);

    impl Host for Flows {
        fn run_flow(&self, call: FlowCall) -> BoxFuture<'_, Result<Vec<FlowAnswer>, Failure>> {
            if call.input_value == "hang" {
                return Box::pin(std::future::pending());
            }
            let asked = call.tweaks.values().find_map(|fields| fields[INPUT].as_str());
            let value = Value::text(format!("heard {}", asked.unwrap_or(&call.input_value)));
            let answer = FlowAnswer {
                node_id: "ChatOutput-1".to_owned(),
                output: "message".to_owned(),
                value,
            };
            if let Ok(mut calls) = self.0.lock() {
                calls.push(call);
            }
            Box::pin(async move { Ok(vec![answer]) })
        }
    }

    pub(in super::super) fn call(host: &Arc<Flows>, fields: Json) -> Call {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let run = RunInfo {
            session_id: "outer".to_owned(),
            stack: vec![Uuid::nil()],
            ..RunInfo::default()
        };
        let host = Arc::clone(host) as Arc<dyn Host>;
        Call::new(NodeInfo::default(), fields, vec![], Context::silent(run, host))
    }

    async fn run(call: Call) -> Result<Outcome, Failure> {
        let Step::Later(work) = RunFlow.run(call) else {
            panic!("it takes a while")
        };
        work.await
    }

    #[tokio::test]
    async fn runs_the_flow_with_its_values() {
        let host = Arc::new(Flows::default());
        let fields = json!({
            "flow_name_selected": "Inner", "ChatInput-9~input_value": "hi", "Prompt-2~template": "x {a}", "session_id": "",
        });
        let Outcome::Done(outputs) = run(call(&host, fields)).await.unwrap() else {
            panic!("it is done")
        };
        assert_eq!(outputs.get(OUTPUT).unwrap().to_text(), "heard hi");
        assert_eq!(outputs.get("ChatOutput-1~message").unwrap().to_text(), "heard hi");
        let calls = host.0.lock().unwrap();
        assert_eq!(calls[0].flow_name.as_deref(), Some("Inner"));
        assert_eq!(calls[0].session_id, "outer");
        assert_eq!(calls[0].stack, [Uuid::nil()]);
        assert_eq!(
            Json::Object(calls[0].tweaks.clone()),
            json!({ "ChatInput-9": { "input_value": "hi" }, "Prompt-2": { "template": "x {a}" } })
        );
    }

    #[tokio::test]
    async fn an_answer_that_did_not_come_stops_its_branch() {
        let mut call = call(
            &Arc::default(),
            json!({ "flow_name_selected": "Inner", "input_value": "x" }),
        );
        call.node = Arc::new(NodeInfo {
            wired_outputs: vec![
                "ChatOutput-1~message".to_owned(),
                "ChatOutput-2~message".to_owned(),
            ],
            ..NodeInfo::default()
        });
        let Outcome::Done(outputs) = run(call).await.unwrap() else {
            panic!("it is done")
        };
        assert_eq!(outputs.stopped, ["ChatOutput-2~message"]);
    }

    #[tokio::test]
    async fn needs_a_flow() {
        let failure = run(call(&Arc::default(), json!({ "input_value": "hi" })))
            .await
            .unwrap_err();
        assert_eq!(failure.field.as_deref(), Some("flow_name_selected"));
    }

    #[tokio::test]
    async fn stops_with_the_run() {
        let call = call(
            &Arc::default(),
            json!({ "flow_name_selected": "Inner", "input_value": "hang" }),
        );
        call.cx.cancel.cancel();
        assert_eq!(run(call).await.unwrap_err().cause, ferro_engine::Cause::Cancelled);
    }
}
