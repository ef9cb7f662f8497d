//! Components: the list of them, and what a node looks like after one of its fields was set.

mod list;

use axum::{Json as Answer, extract::State, http::HeaderMap, response::Response};
use ferro_components::prompt::Style;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{
    api::AppState,
    app::components::{self, Change},
    app::{custom_components, models},
    error::{ErrorBody, Result},
    http::{
        extract::{FLOW_LIMIT, Json},
        identity::Actor,
        rarely,
    },
};

/// Every component there is, by category and type, and `component_display_names`. One's own are under
/// `custom_component`.
#[utoipa::path(get, path = "/api/v1/all", tag = "components",
    responses((status = 200, body = Object), (status = 304, description = "The client has it already")))]
pub async fn list_components(State(app): AppState, actor: Actor, headers: HeaderMap) -> Result<Response> {
    list::answer(&app, &actor, &headers).await
}

#[derive(Deserialize, ToSchema)]
pub struct PromptCheck {
    /// The field that holds the prompt.
    #[serde(default)]
    #[schema(example = "template")]
    pub name: String,
    #[schema(example = "Hello {name}")]
    pub template: String,
    /// The node (`data.node`), to be given a field for each variable.
    #[schema(value_type = Option<Object>)]
    pub frontend_node: Option<Value>,
    /// Variables stand in double braces.
    #[serde(default)]
    pub mustache: bool,
}

#[derive(Serialize, ToSchema)]
pub struct PromptChecked {
    pub input_variables: Vec<String>,
    #[schema(value_type = Option<Object>)]
    pub frontend_node: Option<Value>,
}

/// Find a prompt's variables.
#[utoipa::path(post, path = "/api/v1/validate/prompt", tag = "components", request_body = PromptCheck,
    responses((status = 200, body = PromptChecked), (status = 400, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn validate_prompt(_: Actor, Json(body): Json<PromptCheck>) -> Result<Answer<PromptChecked>> {
    let style = if body.mustache {
        Style::DoubleBraces
    } else {
        Style::Braces
    };
    let name = if body.name.is_empty() {
        "template"
    } else {
        &body.name
    };
    let (input_variables, frontend_node) =
        components::check_prompt(name, &body.template, style, body.frontend_node)?;
    Ok(Answer(PromptChecked {
        input_variables,
        frontend_node,
    }))
}

#[derive(Deserialize, ToSchema)]
pub struct ComponentUpdate {
    /// The component's type. Langflow's clients send its code instead.
    pub r#type: Option<String>,
    #[serde(default)]
    pub code: String,
    #[serde(default)]
    #[schema(value_type = Object)]
    pub template: Map<String, Value>,
    /// The field that was set; `tool_mode` turns the node into a tool and back.
    pub field: String,
    #[serde(default)]
    #[schema(value_type = Object)]
    pub field_value: Value,
    #[serde(default)]
    pub tool_mode: Option<bool>,
    /// The node (`data.node`) as it is.
    #[schema(value_type = Option<Object>)]
    pub frontend_node: Option<Value>,
}

/// Tell what a node looks like after one of its fields was set. A node with code of its own is asked in the sandbox.
#[utoipa::path(post, path = "/api/v1/custom_component/update", tag = "components", request_body = ComponentUpdate,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_component(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<ComponentUpdate, FLOW_LIMIT>,
) -> Result<Answer<Value>> {
    let change = Change {
        r#type: body.r#type,
        code: body.code,
        template: body.template,
        field: body.field,
        value: body.field_value,
        tool_mode: body.tool_mode.unwrap_or(false),
        node: body.frontend_node,
    };
    let (field, is_new) = (change.field.clone(), change.node.is_none());
    let own = custom_components::own_code(&app.runs.catalog, &change).map(str::to_owned);
    let mut node = match own {
        Some(code) => rarely(custom_components::change_node(&app, &actor, &code, change)).await?,
        None => components::change_node(&app.runs.catalog, change)?,
    };
    models::fill_models(&app, &actor, &mut node, &field, is_new).await?;
    components::offer_flows(&app, &actor, &mut node).await?;
    Ok(Answer(node))
}
