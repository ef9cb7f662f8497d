//! A node whose Python is its component.

use std::collections::HashSet;
use std::sync::Arc;

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, OwnNode, Step, Value};
use ferro_model::{Descriptor, OutputSpec};
use ferro_python::analysis;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::desk::Desk;
use super::given::Given;
use super::read::{Reader, fit, flatten};
use super::{PythonNodes, tools, trouble};
use crate::wait::unless_stopped;

pub(super) struct NodeComponent {
    code: Arc<Code>,
}

/// What all executions of the node share.
pub(super) struct Code {
    pub nodes: PythonNodes,
    pub source: String,
    descriptor: Descriptor,
    /// The names of its outputs are those of methods.
    by_method: bool,
}

impl NodeComponent {
    pub(super) fn new(nodes: PythonNodes, node: OwnNode<'_>) -> Result<Self, Failure> {
        if node.code.len() > analysis::MAX_SOURCE {
            let limit = analysis::MAX_SOURCE >> 10;
            let message = format!("its Python code is longer than the {limit} KB that can run");
            return Err(Failure::limit(message).advice("Split it into several components."));
        }
        let mut descriptor = Descriptor::from_node(node.r#type, node.component);
        if descriptor.outputs.iter().any(|output| output.allows_loop) {
            let message = "its Python code is a loop, which cannot run as Python";
            return Err(Failure::unavailable(message)
                .advice("Use the built-in Loop, and put the Python into the loop's body."));
        }
        // In tool mode a node does not say which outputs it has. The code does, or the list of its tools.
        let mut by_method = false;
        if descriptor.outputs.is_empty() {
            descriptor.outputs = declared(node.code);
        }
        if descriptor.outputs.is_empty() {
            descriptor.outputs = listed(node.component);
            by_method = true;
        }
        Ok(Self {
            code: Arc::new(Code {
                nodes,
                source: node.code.to_owned(),
                descriptor,
                by_method,
            }),
        })
    }
}

fn declared(code: &str) -> Vec<OutputSpec> {
    let declared = analysis::check(code).outputs.into_iter();
    declared
        .filter(|output| !output.method.is_empty())
        .map(|output| OutputSpec::new(&output.name, &output.name, &output.method, &["Message"]))
        .collect()
}

/// By the methods that the node's table of tools names.
fn listed(component: &Json) -> Vec<OutputSpec> {
    let rows = component
        .pointer("/template/tools_metadata/value")
        .and_then(Json::as_array);
    let method = |row: &Json| Some(row.get("tags")?.get(0)?.as_str()?.to_owned());
    let methods = rows.into_iter().flatten().filter_map(method);
    methods
        .map(|method| OutputSpec::new(&method, &method, &method, &["Message"]))
        .collect()
}

impl Component for NodeComponent {
    fn descriptor(&self) -> Descriptor {
        self.code.descriptor.clone()
    }

    fn run(&self, call: Call) -> Step {
        let code = Arc::clone(&self.code);
        Step::later(async move { run(code, call).await })
    }
}

async fn run(code: Arc<Code>, call: Call) -> Result<Outcome, Failure> {
    let wanted = code
        .descriptor
        .outputs
        .iter()
        .filter(|output| call.wants(&output.name));
    let names = wanted.map(|output| match code.by_method {
        true => json!({ "name": output.name, "method": output.method }),
        false => output.name.as_str().into(),
    });
    let names: Json = names.collect();
    let given = Arc::new(Given::read(&call)?);
    let request = json!({
        "do": "run",
        "code": code.source,
        "fields": given.fields,
        "outputs": names,
        "context": context(&call),
    });
    let desk = Desk::new(call, Arc::clone(&given), code.nodes.net.clone());
    match ask(&code.nodes, &request, &desk).await {
        Ok(answer) => Ok(outputs(&code, &desk, answer)),
        Err(failure) => {
            desk.break_off(&failure);
            Err(failure)
        }
    }
}

/// Asks Python for the node that the desk is of, in the worker of this run and node.
pub(super) async fn ask(nodes: &PythonNodes, request: &Json, desk: &Desk) -> Result<Json, Failure> {
    let call = &desk.call;
    let scope = format!("{}/{}", call.cx.run.run_id, call.node.id);
    unless_stopped(&call.cx, async {
        let answer = nodes.python.ask(Some(&scope), request, desk).await;
        answer.map_err(|trouble| trouble::failure(&trouble))
    })
    .await
}

/// What the code may know of where it runs.
pub(super) fn context(call: &Call) -> Json {
    let run = &call.cx.run;
    json!({
        "run_id": run.run_id,
        "flow_id": run.flow_id,
        "flow_name": run.flow_name,
        "session_id": run.session_id,
        "node_id": call.node.id,
        "node_name": call.node.display_name,
    })
}

fn outputs(code: &Arc<Code>, desk: &Desk, mut answer: Json) -> Outcome {
    let mut outputs = Outputs::new();
    let mut values = match answer.get_mut("outputs").map(Json::take) {
        Some(Json::Object(values)) => values,
        _ => serde_json::Map::new(),
    };
    // In the order of the node: the first is what the canvas shows.
    for output in &code.descriptor.outputs {
        let Some(wire) = values.remove(&output.name) else {
            continue;
        };
        let reader = Reader {
            tables: &desk.given.tables,
            message: &|name| desk.message_id(name),
            tool: &|told| tools::tool(code, desk, &output.name, told),
        };
        outputs = outputs.with(output.name.clone(), fit(reader.value(wire), &output.types));
    }
    let stopped = answer.get("stopped").and_then(Json::as_array);
    for name in stopped.into_iter().flatten().filter_map(Json::as_str) {
        if code.descriptor.find_output(name).is_some() {
            outputs = outputs.stop(name.to_owned());
        }
    }
    outputs.status = answer
        .get_mut("status")
        .map(Json::take)
        .filter(|status| !status.is_null())
        .map(flatten);
    outputs.usage = desk.usage();
    desk.finish(&messages(&outputs));
    outputs.done()
}

fn messages(outputs: &Outputs) -> HashSet<Uuid> {
    fn collect(value: &Value, ids: &mut HashSet<Uuid>) {
        match value {
            Value::Message(message) => ids.extend(message.id),
            Value::List(items) => items.iter().for_each(|item| collect(item, ids)),
            _ => {}
        }
    }
    let mut ids = HashSet::new();
    for (_, value) in &outputs.values {
        collect(value, &mut ids);
    }
    ids
}
