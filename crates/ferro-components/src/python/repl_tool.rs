//! Python for an agent, as older flows have it; new ones use Python Interpreter in tool mode.
//!
//! - **Tool Name** and **Tool Description**: how the agent knows it.
//! - **Global Imports**: modules the code can use without importing them, separated by commas.
//! - **Python Code**: what runs when the node itself does. As a tool, the agent writes it.
//!
//! Common mistakes: only what the code prints is the result.

use ferro_engine::{Call, Called, Component, Outputs, Step, Tool, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use super::PythonNodes;
use super::interpreter::{execute, imports_field, result};

pub(super) struct ReplTool {
    nodes: Option<PythonNodes>,
}

const RUN: &str = "api_run_model";
const TOOL: &str = "api_build_tool";

impl ReplTool {
    pub(super) fn new(nodes: Option<PythonNodes>) -> Self {
        Self { nodes }
    }
}

impl Component for ReplTool {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("PythonREPLTool", "Python REPL")
            .category("tools")
            .icon("square-terminal")
            .description("Runs Python code for an agent.")
            .help(include_str!("repl_tool.rs"))
            .legacy()
            .field(
                FieldSpec::text("name", "Tool Name")
                    .info("What the agent calls it.")
                    .value("python_repl"),
            )
            .field(
                FieldSpec::text("description", "Tool Description")
                    .info("What the agent is told of it.")
                    .value("Runs Python code and gives what it prints. Print what you want to know."),
            )
            .field(imports_field())
            .field(
                FieldSpec::text("python_code", "Python Code")
                    .info("The code to run.")
                    .value("print('Hello from Python')"),
            )
            .output(OutputSpec::new(RUN, "JSON", "run_model", &["JSON"]))
            .output(OutputSpec::new(TOOL, "Tool", "build_tool", &["Tool"]))
    }

    fn run(&self, call: Call) -> Step {
        let nodes = self.nodes.clone();
        Step::later(async move {
            let mut outputs = Outputs::new();
            if call.wants(TOOL) {
                outputs = outputs.with(TOOL, Value::Tools([tool(nodes.clone(), &call)].into()));
            }
            // A tool alone runs nothing yet.
            if call.wants(RUN) && !call.text("python_code").trim().is_empty() {
                let printed = execute(nodes.as_ref(), call, None).await?;
                outputs = outputs.with(RUN, Value::data(result(printed)));
            }
            Ok(outputs.done())
        })
    }
}

fn tool(nodes: Option<PythonNodes>, call: &Call) -> Tool {
    let or = |field: &str, usual: &str| match call.text(field).trim() {
        "" => usual.to_owned(),
        text => text.to_owned(),
    };
    let call = call.clone();
    Tool {
        name: or("name", "python_repl")
            .replace(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-', "-"),
        description: or("description", "Runs Python code."),
        schema: json!({
            "type": "object",
            "properties": { "code": { "type": "string", "description": "The Python code to run." } },
            "required": ["code"],
        }),
        approval: false,
        call: std::sync::Arc::new(move |arguments, caller| {
            let (nodes, mut call) = (nodes.clone(), call.clone());
            if let Some(caller) = caller {
                call.cx.act_for(&caller);
            }
            Box::pin(async move {
                let code = arguments
                    .get("code")
                    .and_then(Json::as_str)
                    .unwrap_or_default()
                    .to_owned();
                let cx = call.cx.clone();
                let printed = execute(nodes.as_ref(), call, Some(code)).await;
                let printed = printed.map_err(|failure| cx.masked(failure))?;
                Ok(Called::from(Value::data(result(printed))))
            })
        }),
    }
}
