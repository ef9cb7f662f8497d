//! Asking a person before an agent uses a tool.

use std::collections::HashMap;

use ferro_agent::{AgentState, Decision, PendingCall};
use ferro_engine::{Call, Message, Question};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// What is put away while a person decides about a call.
#[derive(Serialize, Deserialize)]
pub(super) struct Paused {
    pub agent: AgentState,
    pub message: Message,
}

/// What the person is asked.
pub(super) fn question(pending: &PendingCall) -> Question {
    let arguments = serde_json::to_string_pretty(&pending.arguments).unwrap_or_default();
    Question {
        kind: "tool_approval".to_owned(),
        prompt: format!(
            "The agent wants to use **{}** with:\n\n```json\n{arguments}\n```",
            pending.name
        ),
        options: vec![
            json!({ "id": "approve", "label": "Approve", "tool": pending.name }),
            json!({ "id": "reject", "label": "Reject", "tool": pending.name }),
        ],
        fields: vec![
            json!({ "name": "arguments", "display_name": "Arguments", "type": "NestedDict", "value": pending.arguments }),
            json!({ "name": "reason", "display_name": "Reason", "type": "str", "value": "" }),
        ],
        ..Question::default()
    }
}

/// The person's answer about the call that waits first.
pub(super) fn decisions(call: &Call, state: &AgentState) -> HashMap<String, Decision> {
    let pending = state.pending().into_iter().next();
    let (Some(pending), Some(answer)) = (pending, &call.answer) else {
        return HashMap::new();
    };
    let decision = if answer.action_id == "approve" {
        match answer.values.get("arguments") {
            Some(Json::Object(arguments)) if *arguments != pending.arguments => Decision::Edit {
                arguments: arguments.clone(),
            },
            _ => Decision::Approve,
        }
    } else {
        let reason = answer.values.get("reason").and_then(Json::as_str);
        Decision::Reject {
            reason: reason.unwrap_or_default().to_owned(),
        }
    };
    HashMap::from([(pending.id, decision)])
}
