//! How flows look in the OpenAPI document. The texts themselves are written by `app::flows::json`, which keeps the
//! document byte for byte; a test holds the two together.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Who may read a flow.
#[derive(Serialize, ToSchema)]
pub enum AccessType {
    #[serde(rename = "PRIVATE")]
    Private,
    #[serde(rename = "PUBLIC")]
    Public,
}

/// The canvas: `nodes`, `edges` and `viewport`, in Langflow's form. Kept exactly as sent.
#[derive(Serialize, ToSchema)]
pub struct FlowDocument {
    #[schema(value_type = Vec<Object>)]
    pub nodes: Vec<serde_json::Value>,
    #[schema(value_type = Vec<Object>)]
    pub edges: Vec<serde_json::Value>,
    #[schema(value_type = Option<Object>)]
    pub viewport: Option<serde_json::Value>,
}

/// A flow. Top-level fields this server does not know are kept and given back.
#[derive(Serialize, ToSchema)]
pub struct FlowRead {
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    pub icon: Option<String>,
    pub icon_bg_color: Option<String>,
    pub gradient: Option<String>,
    pub is_component: bool,
    pub endpoint_name: Option<String>,
    pub tags: Vec<String>,
    pub locked: bool,
    pub mcp_enabled: bool,
    pub action_name: Option<String>,
    pub action_description: Option<String>,
    pub flow_type: String,
    pub a2a_enabled: bool,
    pub access_type: AccessType,
    /// Whether a webhook starts it.
    pub webhook: bool,
    pub user_id: Uuid,
    pub folder_id: Uuid,
    /// Counts the changes; the `ETag`.
    pub revision: i64,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
    pub data: Option<FlowDocument>,
}

/// A flow without its document, and what was counted in it.
#[derive(Serialize, ToSchema)]
pub struct FlowHeader {
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    pub icon: Option<String>,
    pub icon_bg_color: Option<String>,
    pub gradient: Option<String>,
    pub is_component: bool,
    pub endpoint_name: Option<String>,
    pub tags: Vec<String>,
    pub locked: bool,
    pub mcp_enabled: bool,
    pub action_name: Option<String>,
    pub action_description: Option<String>,
    pub flow_type: String,
    pub a2a_enabled: bool,
    pub access_type: AccessType,
    pub webhook: bool,
    pub user_id: Uuid,
    pub folder_id: Uuid,
    pub revision: i64,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
    pub node_count: i64,
    pub edge_count: i64,
    pub note_count: i64,
}

#[derive(Serialize, ToSchema)]
pub struct FlowPage {
    pub items: Vec<FlowRead>,
    pub total: i64,
    pub page: i64,
    pub size: i64,
    pub pages: i64,
}

#[derive(Serialize, ToSchema)]
pub struct FlowHeaderPage {
    pub items: Vec<FlowHeader>,
    pub total: i64,
    pub page: i64,
    pub size: i64,
    pub pages: i64,
}

/// An array without `page`, a page with it; headers with `header_flows`, whole flows without.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum FlowListAnswer {
    Flows(Vec<FlowRead>),
    Headers(Vec<FlowHeader>),
    Page(FlowPage),
    HeaderPage(FlowHeaderPage),
}

#[derive(Serialize, ToSchema)]
pub struct FlowCreate {
    /// Kept if it is free.
    pub id: Option<Uuid>,
    pub name: String,
    pub description: Option<String>,
    pub data: Option<FlowDocument>,
    pub folder_id: Option<Uuid>,
    pub endpoint_name: Option<String>,
    pub icon: Option<String>,
    pub icon_bg_color: Option<String>,
    pub gradient: Option<String>,
    pub tags: Option<Vec<String>>,
    pub locked: Option<bool>,
    pub is_component: Option<bool>,
    pub mcp_enabled: Option<bool>,
    pub action_name: Option<String>,
    pub action_description: Option<String>,
    pub access_type: Option<AccessType>,
    pub flow_type: Option<String>,
    pub a2a_enabled: Option<bool>,
}

#[derive(Serialize, ToSchema)]
pub struct FlowUpdate {
    pub name: Option<String>,
    pub description: Option<String>,
    pub data: Option<FlowDocument>,
    pub folder_id: Option<Uuid>,
    pub endpoint_name: Option<String>,
    pub icon: Option<String>,
    pub icon_bg_color: Option<String>,
    pub gradient: Option<String>,
    pub tags: Option<Vec<String>>,
    pub locked: Option<bool>,
    pub is_component: Option<bool>,
    pub mcp_enabled: Option<bool>,
    pub action_name: Option<String>,
    pub action_description: Option<String>,
    pub access_type: Option<AccessType>,
    pub flow_type: Option<String>,
    pub a2a_enabled: Option<bool>,
}

#[derive(Serialize, ToSchema)]
pub struct FlowBatch {
    pub flows: Vec<FlowCreate>,
}

#[derive(Serialize, ToSchema)]
pub struct DocumentBody {
    pub data: FlowDocument,
}

/// One or more files, in any fields.
#[derive(Serialize, ToSchema)]
pub struct Upload {
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
}

/// The flow was changed meanwhile; `current` is how it is now.
#[derive(Serialize, ToSchema)]
pub struct StaleBody {
    pub detail: String,
    #[schema(example = "stale")]
    pub code: String,
    pub request_id: String,
    pub current: Option<FlowRead>,
    pub etag: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct NodeRef {
    pub id: String,
    pub name: String,
    #[schema(example = "component")]
    pub kind: String,
    #[serde(rename = "type")]
    pub node_type: String,
}

#[derive(Serialize, ToSchema)]
pub struct WireEnd {
    pub node: String,
    pub name: String,
    pub port: String,
}

#[derive(Serialize, ToSchema)]
pub struct WireRef {
    pub from: WireEnd,
    pub to: WireEnd,
}

#[derive(Serialize, ToSchema)]
pub struct ValueChange {
    #[schema(example = "fields.model.value")]
    pub path: String,
    pub label: String,
    #[schema(value_type = Object)]
    pub old: Option<serde_json::Value>,
    #[schema(value_type = Object)]
    pub new: Option<serde_json::Value>,
}

#[derive(Serialize, ToSchema)]
pub struct NodeChange {
    pub node: NodeRef,
    pub changes: Vec<ValueChange>,
}

#[derive(Serialize, ToSchema)]
pub struct DiffSummary {
    pub nodes_added: u64,
    pub nodes_removed: u64,
    pub nodes_changed: u64,
    pub wires_added: u64,
    pub wires_removed: u64,
    pub flow_changed: u64,
}

/// What is different between two documents; secret values are masked.
#[derive(Serialize, ToSchema)]
pub struct FlowDiffRead {
    pub identical: bool,
    pub summary: DiffSummary,
    /// The whole difference as plain text.
    pub text: String,
    pub nodes_added: Vec<NodeRef>,
    pub nodes_removed: Vec<NodeRef>,
    pub nodes_changed: Vec<NodeChange>,
    pub wires_added: Vec<WireRef>,
    pub wires_removed: Vec<WireRef>,
    pub flow_changes: Vec<ValueChange>,
}
