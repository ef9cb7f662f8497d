//! Public flows: what anybody may see of them, and talking with them. Every answer here is for strangers.

pub mod legacy;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use ferro_store::{FlowId, RunId};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::flows::schema::{AccessType, FlowDocument};
use super::wire::meta::NodeMeta;
use super::wire::sse::Numbers;
use super::wire::visitor::Discreet;
use super::wire::{Meta, job_status};
use super::workflows::{Protocol, ResumeBody, flow_not_found, job_not_found, resume};
use super::{AppState, stream};
use crate::app::auth::auto_login_user;
use crate::app::visits::{self, Question, Visitor};
use crate::error::{AppError, ErrorBody, Result};
use crate::http::client::Client;
use crate::http::extract::{Json as Body, Path};
use crate::http::guard::comes_from_elsewhere;
use crate::http::identity::Actor;
use crate::http::visitor;
use crate::state::App;

const BODY_LIMIT: usize = 512 << 10;
const MAX_INPUT: usize = 64 << 10;
const MAX_SESSION: usize = 256;

/// A visitor, and what makes their browser remember that.
struct Guest {
    visitor: Visitor,
    cookie: Option<header::HeaderValue>,
}

impl Guest {
    /// Who asks: the id the request says, the account if there is more than one person here, the browser.
    async fn of(
        app: &App,
        client: &Client,
        actor: Option<Actor>,
        headers: &HeaderMap,
        said: Option<Uuid>,
    ) -> Result<Self> {
        let known = said.or_else(|| visitor::said(headers));
        if let Some(id) = known {
            return Ok(Self {
                visitor: Visitor::Client(id),
                cookie: None,
            });
        }
        // With automatic sign-in everybody on this machine would be the same visitor.
        if let Some(actor) = actor.filter(|_| !comes_from_elsewhere(headers))
            && auto_login_user(app).await?.is_none()
        {
            return Ok(Self {
                visitor: Visitor::Person(actor),
                cookie: None,
            });
        }
        Ok(match visitor::remembered(headers) {
            Some(id) => Self {
                visitor: Visitor::Client(id),
                cookie: None,
            },
            None => {
                let id = Uuid::new_v4();
                Self {
                    visitor: Visitor::Client(id),
                    cookie: visitor::cookie(id, headers, client.is_https),
                }
            }
        })
    }

    fn greet(self, mut response: Response) -> Response {
        if let Some(cookie) = self.cookie {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// A node people talk through.
#[derive(Serialize, ToSchema)]
pub struct ChatNode {
    pub id: String,
    pub name: String,
}

#[derive(Serialize, ToSchema)]
pub struct ChatNodes {
    pub inputs: Vec<ChatNode>,
    pub outputs: Vec<ChatNode>,
}

#[derive(Serialize, ToSchema)]
pub struct PublicAccess {
    pub can_read: bool,
    /// Visitors may run it.
    pub can_execute: bool,
}

/// What a visitor's page needs to know of a public flow. Not the document: that holds prompts and settings.
#[derive(Serialize, ToSchema)]
pub struct PublicFlowRead {
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    pub icon: Option<String>,
    pub icon_bg_color: Option<String>,
    pub gradient: Option<String>,
    pub access_type: AccessType,
    #[schema(format = DateTime, value_type = String)]
    pub updated_at: ferro_store::Timestamp,
    pub public_access: PublicAccess,
    pub has_chat_input: bool,
    pub has_chat_output: bool,
    pub chat: ChatNodes,
    /// The id under which this visitor's conversations with the flow are kept.
    pub virtual_flow_id: Uuid,
    /// The chat nodes alone, without their settings, for Langflow's page.
    pub data: FlowDocument,
}

/// A flow its owner made public: its name, and what people talk through.
#[utoipa::path(get, path = "/api/v1/flows/public_flow/{flow_id}", tag = "flows", params(("flow_id" = Uuid, Path),
        ("x-ferroflow-visitor" = Option<Uuid>, Header, description = "the visitor, for pages of other sites")),
    responses((status = 200, body = PublicFlowRead), (status = 404, body = ErrorBody)), security(()))]
pub async fn read_public_flow(
    State(app): AppState,
    client: Client,
    actor: Option<Actor>,
    Path(id): Path<FlowId>,
    headers: HeaderMap,
) -> Result<Response> {
    let shared = visits::find(&app, &client, id).await?;
    let guest = Guest::of(&app, &client, actor, &headers, None).await?;
    let meta = match &shared.ready {
        Some(ready) => Arc::clone(&ready.meta),
        None => Arc::new(Meta::of_document(&shared.flow.data)),
    };
    let of = |kind: &str| -> Vec<&NodeMeta> {
        let nodes = meta.nodes().iter();
        nodes.filter(|node| node.r#type == kind).collect()
    };
    let (inputs, outputs) = (of("ChatInput"), of("ChatOutput"));
    let called = |nodes: &[&NodeMeta]| {
        let node = |node: &&NodeMeta| ChatNode {
            id: node.id.clone(),
            name: node.display_name.clone(),
        };
        nodes.iter().map(node).collect()
    };
    let drawn = inputs.iter().chain(&outputs).map(|node| drawing(node));
    let flow = shared.flow.header;
    let answer = PublicFlowRead {
        id: flow.id.0,
        name: flow.name,
        description: flow.description,
        icon: flow.icon,
        icon_bg_color: flow.icon_bg_color,
        gradient: flow.gradient,
        access_type: AccessType::Public,
        updated_at: flow.updated_at,
        public_access: PublicAccess {
            can_read: true,
            can_execute: shared.ready.is_some(),
        },
        has_chat_input: !inputs.is_empty(),
        has_chat_output: !outputs.is_empty(),
        data: FlowDocument {
            nodes: drawn.collect(),
            edges: Vec::new(),
            viewport: Some(json!({ "x": 0, "y": 0, "zoom": 1 })),
        },
        chat: ChatNodes {
            inputs: called(&inputs),
            outputs: called(&outputs),
        },
        virtual_flow_id: guest.visitor.visit(id).flow_id.0,
    };
    Ok(guest.greet(axum::Json(answer).into_response()))
}

fn drawing(node: &NodeMeta) -> Json {
    json!({
        "id": node.id,
        "type": "genericNode",
        "position": { "x": 0, "y": 0 },
        "data": {
            "id": node.id,
            "type": node.r#type,
            "node": { "display_name": node.display_name, "template": {}, "outputs": [] },
        },
    })
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublicWorkflowBody {
    pub flow_id: Uuid,
    /// At most 64 kB.
    #[serde(default)]
    pub input_value: Option<String>,
    /// At most 256 bytes. Each visitor has sessions of their own, whatever they call them.
    #[serde(default)]
    pub session_id: Option<String>,
    /// `langflow` or `agui`.
    #[serde(default)]
    #[schema(example = "agui")]
    pub stream_protocol: Option<String>,
    /// Visitors cannot send files yet: must be empty.
    #[serde(default)]
    pub files: Option<Vec<String>>,
    /// A chat input.
    #[serde(default)]
    pub start_component_id: Option<String>,
    /// A chat output.
    #[serde(default)]
    pub stop_component_id: Option<String>,
    /// The visitor, as in the header `X-Ferroflow-Visitor`.
    #[serde(default)]
    pub visitor_id: Option<Uuid>,
}

fn check(question: &Question, files: Option<&[String]>) -> Result<()> {
    if question
        .input_value
        .as_ref()
        .is_some_and(|text| text.len() > MAX_INPUT)
    {
        return Err(AppError::invalid(
            "input_value",
            format!("must not be longer than {} kB", MAX_INPUT >> 10),
        ));
    }
    if question
        .session_id
        .as_ref()
        .is_some_and(|text| text.len() > MAX_SESSION)
    {
        return Err(AppError::invalid(
            "session_id",
            format!("must not be longer than {MAX_SESSION} bytes"),
        ));
    }
    if files.is_some_and(|files| !files.is_empty()) {
        return Err(AppError::invalid("files", "visitors cannot send files"));
    }
    if question.start.is_some() && question.stop.is_some() {
        return Err(AppError::invalid(
            "stop_component_id",
            "give start_component_id or stop_component_id, not both",
        ));
    }
    Ok(())
}

/// Stops a run when the one who watches it goes away.
struct Watching(ferro_engine::Handle);

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Talk with a public flow. The answer is a stream; closing it stops the run.
///
/// For anybody, from any site. Visitors have conversations of their own and learn nothing of how the flow is made.
#[utoipa::path(post, path = "/api/v2/workflows/public", tag = "workflows", request_body = PublicWorkflowBody,
    params(("x-ferroflow-visitor" = Option<Uuid>, Header, description = "the visitor, for pages of other sites")),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)), security(()))]
pub async fn run_public_workflow(
    State(app): AppState,
    client: Client,
    actor: Option<Actor>,
    headers: HeaderMap,
    Body(body): Body<PublicWorkflowBody, BODY_LIMIT>,
) -> Result<Response> {
    let protocol = Protocol::of(body.stream_protocol.as_deref())?;
    let question = Question {
        input_value: body.input_value,
        session_id: body.session_id,
        start: body.start_component_id,
        stop: body.stop_component_id,
    };
    check(&question, body.files.as_deref())?;
    visits::admit(&app, &client)?;
    let flow_id = FlowId(body.flow_id);
    let shared = visits::find(&app, &client, flow_id)
        .await
        .map_err(flow_not_found)?;
    let guest = Guest::of(&app, &client, actor, &headers, body.visitor_id).await?;
    let (begun, place) = visits::begin(&app, &shared, &guest.visitor, question).await?;
    let inner = protocol.encoder(Arc::clone(&begun.meta), Numbers::default());
    let shown_as = guest.visitor.visit(flow_id).flow_id.0;
    let encoder = Discreet::new(inner, Arc::clone(&begun.meta), shown_as);
    let held = (Watching(begun.handle.clone()), place);
    let response = stream::of_run(&app, begun, Box::new(encoder), stream::Media::Events);
    Ok(guest.greet(stream::holding(response, held)))
}

/// A visitor's run.
#[derive(Serialize, ToSchema)]
pub struct PublicJob {
    pub job_id: Uuid,
    /// As in the run's events.
    pub flow_id: Uuid,
    #[schema(example = "job")]
    pub object: &'static str,
    #[schema(example = "in_progress")]
    pub status: &'static str,
}

/// Answer a run that asked its visitor something. Only for the one who began it.
#[utoipa::path(post, path = "/api/v2/workflows/public/{job_id}/resume", tag = "workflows", params(("job_id" = Uuid, Path),
        ("x-ferroflow-visitor" = Option<Uuid>, Header, description = "the visitor, for pages of other sites")),
    request_body = ResumeBody,
    responses((status = 200, body = PublicJob), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)), security(()))]
pub async fn resume_public_workflow(
    State(app): AppState,
    client: Client,
    actor: Option<Actor>,
    Path(id): Path<RunId>,
    headers: HeaderMap,
    Body(body): Body<ResumeBody, BODY_LIMIT>,
) -> Result<Response> {
    visits::admit(&app, &client)?;
    let guest = Guest::of(&app, &client, actor, &headers, None).await?;
    let (owner, visit) = visits::own_run(&app, &client, &guest.visitor, id)
        .await
        .map_err(job_not_found)?;
    resume(&app, &owner, id, body, |question| {
        question.kind != "effect_unknown"
    })
    .await?;
    let job = PublicJob {
        job_id: id.0,
        flow_id: visit.flow_id.0,
        object: "job",
        status: job_status(ferro_engine::RunStatus::Running),
    };
    Ok((StatusCode::OK, axum::Json(job)).into_response())
}
