//! Works out an arithmetic expression, or lends an agent the ability to.
//!
//! This is the older calculator, kept for flows that have it. New flows use Calculator, which does the same and can be a tool as
//! well.
//!
//! **Expression** is what to work out. The first output is the answer, `{"result": "…"}` or `{"error": "…", "input": "…"}`. The second is a
//! tool for an agent.
//!
//! **Example.** `4 * (33 / 22) + 12 - 20` gives `-2`.
//!
//! **Common mistakes.** Decimals have a point, not a comma.

use std::sync::Arc;

use ferro_engine::{Call, Component, Outputs, Step, Tool, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

use super::calculator::answer;

pub(crate) struct CalculatorTool;

impl Component for CalculatorTool {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("CalculatorTool", "Calculator")
            .category("tools")
            .icon("calculator")
            .description("Works out an arithmetic expression.")
            .help(include_str!("calculator_tool.rs"))
            .legacy()
            .field(FieldSpec::message_text("expression", "Expression").info("For instance 4 * (2 + 3)."))
            .output(OutputSpec::new("api_run_model", "Data", "run_model", &["JSON"]))
            .output(OutputSpec::new("api_build_tool", "Tool", "build_tool", &["Tool"]))
    }

    fn run(&self, call: Call) -> Step {
        let mut outputs = Outputs::new();
        if call.wants("api_run_model") {
            outputs = outputs.with("api_run_model", Value::data(answer(&call.text("expression"))));
        }
        if call.wants("api_build_tool") {
            outputs = outputs.with("api_build_tool", Value::Tools([tool()].into()));
        }
        Step::Now(Ok(outputs.done()))
    }
}

fn tool() -> Tool {
    let call = |arguments: Map<String, Json>, _| -> futures_util::future::BoxFuture<'static, _> {
        let expression = arguments
            .get("expression")
            .and_then(Json::as_str)
            .unwrap_or_default()
            .to_owned();
        Box::pin(async move { Ok(Value::data(answer(&expression)).into()) })
    };
    Tool {
        name: "calculator".to_owned(),
        description: "Works out an arithmetic expression such as 4 * (2 + 3).".to_owned(),
        schema: json!({
            "type": "object",
            "properties": { "expression": { "type": "string", "description": "The expression to work out." } },
            "required": ["expression"],
        }),
        approval: false,
        call: Arc::new(call),
    }
}
