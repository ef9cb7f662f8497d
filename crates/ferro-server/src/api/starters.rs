//! Starter flows, to begin from: a client makes a flow of one by sending it to `POST /api/v1/flows`.

use std::{borrow::Cow, sync::OnceLock};

use axum::{extract::State, http::HeaderMap, response::Response};
use ferro_engine::Catalog;
use ferro_model::FlowData;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    api::{
        AppState, Cached,
        flows::schema::{AccessType, FlowDocument},
    },
    app::models,
    error::Result,
    http::identity::Actor,
    starters::{self, Starter},
};

/// A starter in the form of a flow that nobody owns.
#[derive(Serialize, ToSchema)]
pub struct StarterRead {
    /// Always the same for this starter.
    pub id: Uuid,
    pub name: &'static str,
    pub description: &'static str,
    pub icon: &'static str,
    pub icon_bg_color: Option<String>,
    pub gradient: Option<String>,
    pub is_component: bool,
    pub endpoint_name: Option<String>,
    pub tags: &'static [&'static str],
    pub locked: bool,
    pub mcp_enabled: bool,
    pub action_name: Option<String>,
    pub action_description: Option<String>,
    pub flow_type: &'static str,
    pub a2a_enabled: bool,
    pub access_type: AccessType,
    /// Whether a webhook starts it.
    pub webhook: bool,
    pub user_id: Option<Uuid>,
    pub folder_id: Option<Uuid>,
    #[schema(format = DateTime)]
    pub updated_at: Option<String>,
    #[schema(value_type = FlowDocument)]
    pub data: Cow<'static, FlowData>,
}

impl StarterRead {
    fn new(starter: &'static Starter) -> Self {
        Self::with(starter, Cow::Borrowed(&starter.data))
    }

    fn with(starter: &'static Starter, data: Cow<'static, FlowData>) -> Self {
        Self {
            id: starter.id,
            name: &starter.name,
            description: &starter.description,
            icon: starter.icon,
            icon_bg_color: None,
            gradient: None,
            is_component: false,
            endpoint_name: None,
            tags: starter.tags,
            locked: false,
            mcp_enabled: true,
            action_name: None,
            action_description: None,
            flow_type: "workflow",
            a2a_enabled: false,
            access_type: AccessType::Private,
            webhook: starter.data.summary().has_webhook,
            user_id: None,
            folder_id: None,
            updated_at: None,
            data,
        }
    }
}

/// A starter as Langflow's second list has it: its graph and little else.
#[derive(Serialize, ToSchema)]
pub struct StarterGraph {
    #[schema(value_type = FlowDocument)]
    pub data: &'static FlowData,
    pub is_component: bool,
    pub name: &'static str,
    pub description: &'static str,
    pub endpoint_name: Option<String>,
}

impl StarterGraph {
    fn new(starter: &'static Starter) -> Self {
        Self {
            data: &starter.data,
            is_component: false,
            name: &starter.name,
            description: &starter.description,
            endpoint_name: None,
        }
    }
}

fn listed<T: Serialize>(catalog: &Catalog, shape: fn(&'static Starter) -> T) -> Cached {
    let all: Vec<T> = starters::all(catalog).iter().map(shape).collect();
    Cached::new(serde_json::to_vec(&all).unwrap_or_default())
}

/// List the starter flows. They come with the rehearsal model, or with the model of a person who has a provider of
/// their own.
#[utoipa::path(get, path = "/api/v1/flows/basic_examples", tag = "flows",
    responses((status = 200, body = Vec<StarterRead>), (status = 304, description = "The client has it already")), security(()))]
pub async fn list_examples(
    State(app): AppState,
    actor: Option<Actor>,
    headers: HeaderMap,
) -> Result<Response> {
    static LIST: OnceLock<Cached> = OnceLock::new();
    let own = match &actor {
        Some(actor) => models::own_models(&app, actor).await?,
        None => None,
    };
    if let Some(own) = own {
        let all = starters::all(&app.runs.catalog).iter().map(|starter| {
            let data = starters::with_models(&starter.data, &own);
            StarterRead::with(starter, Cow::Owned(data))
        });
        let all: Vec<StarterRead> = all.collect();
        let body = serde_json::to_vec(&all).unwrap_or_default();
        return Ok(Cached::new(body).answer(&headers));
    }
    let list = LIST.get_or_init(|| listed(&app.runs.catalog, StarterRead::new));
    Ok(list.answer(&headers))
}

/// List the graphs of the starter flows.
#[utoipa::path(get, path = "/api/v1/starter-projects", tag = "flows",
    responses((status = 200, body = Vec<StarterGraph>), (status = 304, description = "The client has it already")))]
pub async fn list_starters(State(app): AppState, _: Actor, headers: HeaderMap) -> Response {
    static LIST: OnceLock<Cached> = OnceLock::new();
    LIST.get_or_init(|| listed(&app.runs.catalog, StarterGraph::new))
        .answer(&headers)
}
