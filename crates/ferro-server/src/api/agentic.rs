//! The assistant.

mod asked;
pub mod feedback;
pub mod files;
mod telling;

use axum::response::Response;
use axum::{Json as Answer, extract::State};
use ferro_assistant::{AssistEvent, Completed, End};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::unbounded_channel;
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::AppState,
    app::{assistant, user_components},
    error::{AppError, ErrorBody, Result},
    http::{
        extract::{Json, Query},
        identity::Actor,
        rarely,
    },
};
use asked::{AssistantRequest, HeadlessRequest, check_session};
use telling::{Told, of_turn};

/// Work with the assistant on a flow, and see it work.
///
/// Each event is one `data:` line with JSON whose `event` says what it is; the last is `complete`, `error` or `cancelled`.
/// Whoever stops reading stops the turn. The flow itself is not written: its page applies what it is told and saves.
#[utoipa::path(post, path = "/api/v1/agentic/assist/stream", tag = "agentic", request_body = AssistantRequest,
    responses((status = 200, body = AssistEvent, content_type = "text/event-stream"), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
pub async fn assist_stream(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<AssistantRequest>,
) -> Result<Response> {
    assistant::check_enabled(&app)?;
    let begun = rarely(assistant::begin(&app, &actor, body.into_ask()?)).await?;
    Ok(of_turn(&app, begun, Told::All))
}

/// The same in one answer, when the turn is over.
#[utoipa::path(post, path = "/api/v1/agentic/assist", tag = "agentic", request_body = AssistantRequest,
    responses((status = 200, body = Completed), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 502, body = ErrorBody)))]
pub async fn assist(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<AssistantRequest>,
) -> Result<Answer<Completed>> {
    assistant::check_enabled(&app)?;
    let begun = rarely(assistant::begin(&app, &actor, body.into_ask()?)).await?;
    let (out, mut events) = unbounded_channel();
    // Nobody reads them, and what nobody reads is not to pile up.
    let unread = async move { while events.recv().await.is_some() {} };
    let (ended, ()) = rarely(async move { tokio::join!(begun.work(out), unread) }).await;
    match ended.end {
        End::Completed(completed) => Ok(Answer(*completed)),
        End::Failed { message, detail } => {
            let told = match detail.recommendation {
                Some(advice) if !message.contains(&advice) => format!("{message} {advice}"),
                _ => message,
            };
            Err(AppError::assistant_failed(told, ended.error.as_ref()))
        }
    }
}

/// Let the assistant do something while nobody watches.
///
/// Events are `progress`, then `complete` or `error`. What would be proposed elsewhere is done: the flow is saved in one step,
/// with a version of what was there before; without a `flow_id` a new flow is made, whose id `complete` has. When the flow was
/// changed elsewhere meanwhile and the two changes do not go together, nothing is written.
#[utoipa::path(post, path = "/api/v1/agentic/assist/run", tag = "agentic", request_body = HeadlessRequest,
    responses((status = 200, body = AssistEvent, content_type = "text/event-stream"), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
pub async fn assist_run(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<HeadlessRequest>,
) -> Result<Response> {
    assistant::check_enabled(&app)?;
    let begun = rarely(assistant::begin(&app, &actor, body.into_ask()?)).await?;
    Ok(of_turn(&app, begun, Told::Progress))
}

#[derive(Serialize, ToSchema)]
pub struct AssistantModel {
    #[schema(example = "gpt-5.4")]
    pub name: String,
    pub display_name: String,
}

#[derive(Serialize, ToSchema)]
pub struct AssistantProvider {
    #[schema(example = "OpenAI")]
    pub name: String,
    pub configured: bool,
    pub default_model: Option<String>,
    /// Those that can work with tools, the best first.
    pub models: Vec<AssistantModel>,
    /// Not an AI: it follows rules, so that everything can be tried without a key.
    pub rehearsal: bool,
}

/// Whether the assistant is there, and what it can speak with.
#[derive(Serialize, ToSchema)]
pub struct AssistantConfig {
    /// Off when the operator switched the assistant off.
    pub enabled: bool,
    /// A real provider is set up.
    pub configured: bool,
    pub configured_providers: Vec<String>,
    pub providers: Vec<AssistantProvider>,
    /// Who speaks when nobody chose.
    pub default_provider: Option<String>,
    pub default_model: Option<String>,
}

/// Look whether the assistant can be used.
#[utoipa::path(get, path = "/api/v1/agentic/check-config", tag = "agentic", responses((status = 200, body = AssistantConfig)))]
pub async fn check_config(State(app): AppState, actor: Actor) -> Result<Answer<AssistantConfig>> {
    let offer = rarely(assistant::offer(&app, &actor)).await?;
    let default = |name: &str| {
        let own = offer.default.as_ref().filter(|own| own.provider == name);
        own.map(|own| own.model_name.clone())
    };
    let providers = offer.providers.iter().map(|one| AssistantProvider {
        name: one.provider.name.clone(),
        configured: true,
        default_model: default(&one.provider.name).or_else(|| one.models.first().cloned()),
        models: one.models.iter().map(|name| model(name)).collect(),
        rehearsal: one.provider.is_rehearsal(),
    });
    let providers: Vec<AssistantProvider> = providers.collect();
    let real = providers.iter().filter(|one| !one.rehearsal);
    let configured_providers: Vec<String> = real.map(|one| one.name.clone()).collect();
    Ok(Answer(AssistantConfig {
        enabled: app.config.assistant.enabled,
        configured: !configured_providers.is_empty(),
        configured_providers,
        providers,
        default_provider: offer.default.as_ref().map(|own| own.provider.clone()),
        default_model: offer.default.as_ref().map(|own| own.model_name.clone()),
    }))
}

fn model(name: &str) -> AssistantModel {
    AssistantModel {
        name: name.to_owned(),
        display_name: name.to_owned(),
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SessionReset {
    /// At most 128 characters.
    pub session_id: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SessionWasReset {
    #[schema(example = "ok")]
    pub status: &'static str,
    pub components_cleared: u64,
    pub session_id: Option<String>,
}

/// Begin a new session with the assistant: the components it wrote and what was said in the session are forgotten.
#[utoipa::path(post, path = "/api/v1/agentic/sessions/reset", tag = "agentic", params(SessionReset),
    responses((status = 200, body = SessionWasReset), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn reset_session(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<SessionReset>,
) -> Result<Answer<SessionWasReset>> {
    assistant::check_enabled(&app)?;
    check_session(query.session_id.as_deref())?;
    if let Some(session) = query.session_id.as_deref().filter(|id| !id.is_empty()) {
        assistant::memory::clear(&app, &actor, session).await?;
    }
    let components_cleared = user_components::clear_generated(&app, &actor).await?;
    metrics::counter!("assistant_session_reset_total").increment(1);
    metrics::counter!("assistant_session_reset_components_cleared_total").increment(components_cleared);
    Ok(Answer(SessionWasReset {
        status: "ok",
        components_cleared,
        session_id: query.session_id,
    }))
}
