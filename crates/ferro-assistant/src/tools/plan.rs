//! `propose_plan`: what would be done, before it is done.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use serde_json::json;

use super::{Kit, Told, made};
use crate::event::FlowUpdate;

/// It comes back with the person's changes to it, and must fit into that request.
const LONGEST: usize = 12_000;

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "propose_plan",
        description: "Shows a plan in Markdown and ends your work until the person agrees. Only for large or unclear requests.",
        arguments: json!({ "plan": { "type": "string" } }),
        required: &["plan"],
    };
    made(kit, told, async |kit, arguments| {
        let plan = arguments.whole_text("plan")?;
        if plan.chars().count() > LONGEST {
            return Err(ToolError::new(format!(
                "The plan is longer than {LONGEST} characters; say the same in fewer words."
            )));
        }
        if kit.work.rules.headless {
            return Ok(json!({ "text": "Nobody is there to ask: go on with the plan now." }));
        }
        kit.work.set_plan(&plan);
        kit.work.tell_only(FlowUpdate::ProposePlan { markdown: plan });
        Ok(json!({
            "status": "awaiting_user_approval",
            "text": "The person sees the plan. Stop now: call no other tool and end with one short sentence.",
        }))
    })
}
