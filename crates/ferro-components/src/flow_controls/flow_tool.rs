//! Makes one of your flows a tool that an agent can use. New flows use Run Flow in tool mode instead.
//!
//! - **Flow Name**: which flow.
//! - **Tool Name** and **Tool Description**: how the agent knows it; the flow's name when empty.
//! - **Return Direct**: kept for older files.
//!
//! The agent gives the flow one text, `input_value`, which its Chat Input or Text Input gets, and is told the answer.
//!
//! **Common mistakes.** Say in the description when the tool is worth using: the agent has nothing else to go by. A flow that
//! would run itself this way is refused.

use std::sync::Arc;

use ferro_engine::{Call, Component, Failure, Outputs, Step, Tool, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

use super::run_flow::{INPUT, answers, joined, request};

pub(super) struct FlowTool;

impl Component for FlowTool {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("FlowTool", "Flow as Tool")
            .category("flow_controls")
            .icon("hammer")
            .description("Makes one of your flows a tool for an agent.")
            .help(include_str!("flow_tool.rs"))
            .legacy()
            .field(
                FieldSpec::dropdown("flow_name", "Flow Name", &[], "")
                    .info("Which flow.")
                    .refresh()
                    .set("refresh_button", true)
                    .set("options", Json::Array(Vec::new())),
            )
            .field(FieldSpec::text("tool_name", "Tool Name").info("How the agent calls it."))
            .field(
                FieldSpec::text("tool_description", "Tool Description")
                    .info("What it does and when it is worth using."),
            )
            .field(
                FieldSpec::bool("return_direct", "Return Direct", false)
                    .advanced()
                    .info("Kept for older files."),
            )
            .output(OutputSpec::new("api_build_tool", "Tool", "build_tool", &["Tool"]))
    }

    fn run(&self, call: Call) -> Step {
        let made = tool(&call).map(|tool| Outputs::one("api_build_tool", Value::Tools(Arc::from([tool]))));
        made.into()
    }
}

fn tool(call: &Call) -> Result<Tool, Failure> {
    // Fails here, while the flow is being looked at, rather than when the agent calls.
    request(call, '|')?;
    let flow = call.text("flow_name");
    let named = Some(call.text("tool_name")).filter(|name| !name.trim().is_empty());
    let allowed = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
            c
        } else {
            '_'
        }
    };
    let name: String = named
        .unwrap_or_else(|| flow.clone())
        .trim()
        .chars()
        .map(allowed)
        .take(64)
        .collect();
    let said = Some(call.text("tool_description")).filter(|text| !text.trim().is_empty());
    let call = call.clone();
    Ok(Tool {
        name,
        description: said.unwrap_or_else(|| format!("Runs the flow {flow} and gives its answer.")),
        schema: json!({
            "type": "object",
            "properties": { INPUT: { "type": "string", "description": "What the flow is asked." } },
            "required": [INPUT],
        }),
        approval: false,
        call: Arc::new(move |arguments: Map<String, Json>, caller| {
            let mut call = call.clone();
            if let Some(caller) = caller {
                call.cx.act_for(&caller);
            }
            Box::pin(async move {
                let mut request = request(&call, '|')?;
                if let Some(text) = arguments.get(INPUT).and_then(Json::as_str) {
                    text.clone_into(&mut request.input_value);
                }
                Ok(joined(answers(&call, request).await?).into())
            })
        }),
    })
}
