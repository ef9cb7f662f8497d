//! What every call has in common: it is counted, announced, kept in order, answered from the cache where that is
//! right, and measured.

use std::sync::Arc;
use std::time::Instant;

use ferro_agent::{Tool, ToolError, ToolOutput};
use ferro_llm::ToolSpec;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json};

use super::{Kit, start};

/// Tools that read only what cannot change during a turn, except by `generate_component`.
const CACHED: [&str; 4] = [
    "search_components",
    "describe_component",
    "list_templates",
    "search_docs",
];

/// Tools that change the flow or depend on what others changed: one after the other, and not once a plan waits.
const ORDERED: [&str; 12] = [
    "add_component",
    "remove_component",
    "connect_components",
    "disconnect_components",
    "configure_component",
    "rename_component",
    "propose_field_edit",
    "build_flow",
    "use_template",
    "propose_plan",
    "run_flow",
    "generate_component",
];

pub(super) struct Tracked {
    tool: Arc<dyn Tool>,
    kit: Kit,
}

impl Tracked {
    pub(super) fn new(tool: Arc<dyn Tool>, kit: &Kit) -> Self {
        Self {
            tool,
            kit: kit.clone(),
        }
    }
}

impl Tool for Tracked {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn approval(&self) -> bool {
        self.tool.approval()
    }

    fn call(&self, arguments: Map<String, Json>) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let (tool, kit) = (Arc::clone(&self.tool), self.kit.clone());
        Box::pin(async move {
            kit.work.count_call()?;
            let name = tool.spec().name.clone();
            let begun = Instant::now();
            let result = answer(&tool, &kit, arguments).await;
            let success = if result.is_ok() { "true" } else { "false" };
            metrics::counter!("mcp_tool_invocations_total", "tool" => name.clone(), "success" => success)
                .increment(1);
            metrics::histogram!("mcp_tool_duration_ms", "tool" => name.clone())
                .record(begun.elapsed().as_secs_f64() * 1000.0);
            if let Err(error) = &result {
                // The words may quote the flow, so they are the model's alone.
                tracing::warn!(tool_name = name, fatal = error.fatal, "flow_builder.tool.failed");
            }
            result
        })
    }
}

async fn answer(
    tool: &Arc<dyn Tool>,
    kit: &Kit,
    arguments: Map<String, Json>,
) -> Result<ToolOutput, ToolError> {
    let name = tool.spec().name.as_str();
    let text = |key: &str| -> Option<String> {
        let letters = arguments.get(key).and_then(Json::as_str)?.chars();
        Some(letters.filter(|letter| !letter.is_control()).take(80).collect())
    };
    tracing::info!(
        tool_name = name,
        component_id = text("component_id"),
        component_type = text("component_type"),
        "flow_builder.tool.invoked"
    );
    if CACHED.contains(&name) {
        if let Some(known) = kit.cache.get(name, &arguments) {
            return Ok(known);
        }
        let output = tool.call(arguments.clone()).await?;
        kit.cache.put(name, &arguments, &output);
        return Ok(output);
    }
    let _turn = match ORDERED.contains(&name) {
        true => {
            let turn = kit.work.in_order().await;
            kit.work.check_no_plan()?;
            Some(turn)
        }
        false => None,
    };
    if let Some(event) = start::event(name, &arguments) {
        kit.work.out.say(event);
    }
    tool.call(arguments).await
}
