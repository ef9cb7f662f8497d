//! Runs another flow and gives everything it answers as JSON. New flows use Run Flow instead.
//!
//! - **Flow Name**: which of your flows.
//! - Fields named `<node>|<field>` set that field of the inner flow for this run.
//! - **Flow Outputs**: a list with one object for each answer: the node it came from, the output, and its value;
//!   `text` holds the value as text.
//!
//! Example: Sub Flow (`Summarise`) → Parser with `{text}` → Chat Output.
//!
//! Common mistakes: a flow that runs itself, straight or by way of another, is refused.

use ferro_engine::{Call, Component, FlowAnswer, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use super::run_flow::{answers, request};

pub(super) struct SubFlow;

impl Component for SubFlow {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("SubFlow", "Sub Flow")
            .category("flow_controls")
            .icon("workflow")
            .description("Runs another flow and gives its answers as JSON.")
            .help(include_str!("sub_flow.rs"))
            .legacy()
            .field(
                FieldSpec::dropdown("flow_name", "Flow Name", &[], "")
                    .info("Which flow to run.")
                    .refresh()
                    .set("refresh_button", true)
                    .set("options", Json::Array(Vec::new())),
            )
            .output(OutputSpec::new(
                "flow_outputs",
                "Flow Outputs",
                "generate_results",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move {
            let request = request(&call, '|')?;
            let answers = answers(&call, request).await?;
            Ok(Outputs::one(
                "flow_outputs",
                Value::List(answers.into_iter().map(as_data).collect()),
            ))
        })
    }
}

fn as_data(answer: FlowAnswer) -> Value {
    let mut map = Map::new();
    map.insert("text".to_owned(), answer.value.to_text().into_owned().into());
    map.insert("value".to_owned(), answer.value.to_json());
    map.insert("node_id".to_owned(), answer.node_id.into());
    map.insert("output".to_owned(), answer.output.into());
    Value::data(map)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ferro_engine::Outcome;
    use serde_json::json;

    use super::super::run_flow::tests::{Flows, call};
    use super::*;

    #[tokio::test]
    async fn gives_every_answer() {
        let host = Arc::new(Flows::default());
        let fields = json!({ "flow_name": "Inner", "TextInput-1|input_value": "hi" });
        let Step::Later(work) = SubFlow.run(call(&host, fields)) else {
            panic!("it takes a while")
        };
        let Ok(Outcome::Done(outputs)) = work.await else {
            panic!("it is done")
        };
        let rows = outputs.get("flow_outputs").unwrap().rows();
        assert_eq!(rows[0]["text"], json!("heard hi"));
        assert_eq!(rows[0]["node_id"], json!("ChatOutput-1"));
    }

    #[tokio::test]
    async fn needs_a_flow() {
        let Step::Later(work) = SubFlow.run(call(&Arc::default(), json!({}))) else {
            panic!("it takes a while")
        };
        assert_eq!(work.await.unwrap_err().field.as_deref(), Some("flow_name"));
    }
}
