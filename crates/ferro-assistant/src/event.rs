//! What a turn tells while it works, as server-sent events have it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use utoipa::ToSchema;

/// One event. In JSON the kind is `event`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum AssistEvent {
    Progress {
        step: Step,
        /// Counted from 1, never beyond `max_attempts`.
        attempt: u32,
        max_attempts: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        class_name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        component_code: Option<String>,
    },
    /// More of an answer in words.
    Token { chunk: String },
    /// A tool that changes something begins to work.
    ToolStart {
        tool: String,
        /// For people.
        label: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        component_type: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        component_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        template_name: Option<String>,
    },
    /// The canvas changes, or is proposed to.
    FlowUpdate(FlowUpdate),
    /// A whole flow to look at.
    FlowPreview {
        #[schema(value_type = Object)]
        flow: Json,
        name: String,
        node_count: usize,
        edge_count: usize,
        /// Drawn with letters.
        graph: String,
    },
    FileWritten {
        action: FileAction,
        /// Relative to the person's own folder.
        path: String,
        size: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<String>,
    },
    /// The turn is over; always the last event.
    Complete { data: Box<Completed> },
    /// The turn failed; always the last event.
    Error {
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<ErrorDetail>,
    },
    /// The turn was stopped; always the last event.
    Cancelled {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistStep)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    Generating,
    GeneratingComponent,
    GeneratingPlan,
    GeneratingFlow,
    Orchestrating,
    GenerationComplete,
    ExtractingCode,
    Validating,
    Validated,
    ValidationFailed,
    Retrying,
    SearchingComponents,
    BuildingFlow,
    FlowBuilt,
    FlowBuildFailed,
    FlowProposalReady,
    GeneratingDocument,
    DocumentReady,
    /// A built flow is tried out before it is proposed.
    Verifying,
}

/// In JSON the kind is `action`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistUpdate)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum FlowUpdate {
    AddComponent {
        #[schema(value_type = Object)]
        node: Json,
    },
    RemoveComponent {
        component_id: String,
    },
    Connect {
        #[schema(value_type = Object)]
        edge: Json,
    },
    Configure {
        component_id: String,
        #[schema(value_type = Object)]
        params: Map<String, Json>,
    },
    /// A whole flow in the place of the canvas: a proposal, unless `auto_apply`.
    SetFlow {
        /// `{name, description, data}`.
        #[schema(value_type = Object)]
        flow: Json,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        auto_apply: bool,
    },
    EditField(FieldEdit),
    ProposePlan {
        markdown: String,
    },
    SelectOutput {
        component_id: String,
        output_name: String,
    },
    SetConnectionMode {
        component_id: String,
        enabled: bool,
    },
    EnableToolMode {
        component_id: String,
        #[schema(value_type = Vec<Object>)]
        outputs: Vec<Json>,
    },
    /// Wires that go, where a removal of a node does not say so.
    Disconnect {
        source_id: String,
        target_id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source_output: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target_input: Option<String>,
    },
    /// A node has another name.
    RenameComponent {
        component_id: String,
        name: String,
    },
    /// Fields of a node that changed because another was set: what is new in their template entries, to be merged into
    /// them; `null` for a field, or a part of one, that went.
    UpdateFields {
        component_id: String,
        #[schema(value_type = Object)]
        fields: Map<String, Json>,
    },
    /// A node has other outputs because a field was set.
    UpdateOutputs {
        component_id: String,
        #[schema(value_type = Vec<Object>)]
        outputs: Vec<Json>,
    },
    /// The flow was run as it is now. Between tools and gate only: it is never sent.
    FlowRan {
        flow_id: String,
    },
}

/// A new value for one field, to be agreed to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistFieldEdit)]
pub struct FieldEdit {
    /// Eight hexadecimal digits.
    pub id: String,
    pub component_id: String,
    pub component_type: String,
    pub field: String,
    pub old_value: Json,
    pub new_value: Json,
    pub description: String,
    /// JSON Patch on the flow as the turn saw it. Whoever applies it later goes by `component_id` and `field`: places of
    /// nodes may have changed.
    #[schema(value_type = Vec<Object>)]
    pub patch: Vec<Json>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistFileAction)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    WriteFile,
    EditFile,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistUsage)]
pub struct TurnUsage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub total_tokens: u64,
}

/// What one run of a flow cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistRunMetrics)]
pub struct RunMetrics {
    pub duration_seconds: f64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub total_tokens: u64,
}

/// How a turn ended, whatever it was about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistCompleted)]
pub struct Completed {
    /// What the assistant says.
    pub result: String,
    /// What the request was taken for, such as `build_flow`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// A component was asked for: whether it passed every check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validated: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component_code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_attempts: Option<u32>,
    /// A flow was built or changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_flow: Option<bool>,
    /// A step waits until the proposed edits are on the canvas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation_expected: Option<bool>,
    /// Ids of proposed edits that still make sense; others of this turn were taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending_edits: Vec<String>,
    /// The flow that was built passed its proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// What was not proven, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_caveat: Option<Caveat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_attempts: Option<u32>,
    /// The proof made the assistant build it anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_rebuilt: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component_generation_failed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component_failure_caveat: Option<String>,
    /// What really changed, in sentences, whatever the model claims.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// Places in the documentation the answer comes from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// The flow was changed by somebody else meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Of the last run of the flow in this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_metrics: Option<RunMetrics>,
    /// The version of the flow from before the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore_version_id: Option<String>,
    /// The flow that was written, where the assistant writes flows itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow_id: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// Of the whole turn.
    pub usage: TurnUsage,
    /// Of the whole turn, to the millisecond.
    pub duration_seconds: f64,
    /// Who spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_name: Option<String>,
    /// Not an AI spoke but the rehearsal model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rehearsal: bool,
}

/// What was not proven, and why.
pub type Caveat = String;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistSource)]
pub struct Source {
    pub title: String,
    /// Below `docs/`, with the heading after a `#`.
    pub path: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistConflict)]
pub struct Conflict {
    pub component_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What happened, and which of the two counts now.
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistNoticeKind)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    ModelFallback,
    ModelRemediation,
}

/// Something about the model that people should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistNotice)]
pub struct Notice {
    #[serde(rename = "type")]
    pub kind: NoticeKind,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_model: Option<String>,
}

/// Where a turn failed, and what to do about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AssistErrorDetail)]
pub struct ErrorDetail {
    pub step: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The deepest cause in the provider's words; for admins only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_cause: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// The version of the flow from before the turn, if it changed something before it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore_version_id: Option<String>,
}
