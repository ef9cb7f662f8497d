//! The assistant: who may have a turn, with which model, on which flow, and what becomes of it.

mod choice;
mod effects;
mod files;
mod heard;
mod host;
pub mod memory;
mod persist;
mod run;
mod turns;
mod validate;

use std::sync::Arc;
use std::time::Duration;

use ferro_assistant::{
    AssistEvent, Canvas, EDIT_CONTINUATION_INPUT, End, ErrorDetail, Outcome, PLAN_APPROVAL_INPUT, Request,
    Turn, assist,
};
use ferro_llm::LlmError;
use ferro_store::{Access, FlowHeader, FlowId, ProjectId, Role, Timestamp};
use tokio::sync::mpsc::UnboundedSender;
use uuid::Uuid;

use crate::app::models;
use crate::app::runs::{KnownFlow, read_document};
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;
pub use choice::{Offer, Wanted, offer};
pub use files::read_file;
use heard::Heard;
use host::TurnHost;
pub use turns::{AssistantTurns, Place};

/// However much a model still finds to do: nobody waits longer.
const TURN_TIME: Duration = Duration::from_secs(15 * 60);

/// What somebody asks of the assistant.
#[derive(Default)]
pub struct Ask {
    pub input: String,
    /// `None`: a new one is made.
    pub flow_id: Option<FlowId>,
    pub wanted: Wanted,
    pub session_id: Option<String>,
    pub max_attempts: Option<u32>,
    pub history_limit: Option<usize>,
    pub iterations_limit: Option<u32>,
    /// The component the person has before them, and the field of it.
    pub focus: Option<(String, Option<String>)>,
    /// Nobody looks on: what would be proposed is done and saved.
    pub headless: bool,
}

/// A turn that may begin. Dropping it, or the work, ends it and frees its place.
pub struct Begun {
    app: Arc<App>,
    actor: Actor,
    turn: Turn,
    flow_id: Option<FlowId>,
    canvas: Option<Canvas>,
    heard: Heard,
    place: Place,
}

/// How a turn ended.
pub struct Ended {
    pub end: End,
    /// What the model failed with, if that is why.
    pub error: Option<LlmError>,
}

pub fn check_enabled(app: &App) -> Result<()> {
    if app.config.assistant.enabled {
        return Ok(());
    }
    Err(AppError::not_available())
}

pub async fn begin(app: &Arc<App>, actor: &Actor, ask: Ask) -> Result<Begun> {
    let most = app.config.assistant.turns;
    let place = app
        .assistant_turns
        .take_soon(actor.user.id, ask.flow_id, most)
        .await?;
    let flow = match ask.flow_id {
        Some(id) => Some(app.store.flow(&actor.principal(), id).await?),
        None => None,
    };
    let chosen = choice::choose(app, actor, &ask.wanted).await?;
    let canvas = match &flow {
        Some(flow) => Some(Canvas {
            flow_id: flow.header.id.to_string(),
            name: flow.header.name.clone(),
            description: flow.header.description.clone().unwrap_or_default(),
            data: read_document(flow.data.as_deref())?,
        }),
        None => None,
    };
    let known = match flow {
        Some(flow) => KnownFlow::of(flow)?,
        None => KnownFlow::of(not_there_yet(actor))?,
    };
    let session = ask
        .session_id
        .clone()
        .unwrap_or_else(|| Uuid::new_v4().to_string());
    let host = TurnHost {
        app: Arc::clone(app),
        actor: actor.clone(),
        flow_id: ask.flow_id,
        known,
        session: format!("agentic_{session}"),
        headless: ask.headless,
        own_model: own_model(app, actor).await?,
    };
    let settings = &app.config.assistant;
    let history_limit = ask.history_limit.unwrap_or(settings.history);
    // The page goes on with what was said last: without it there is nothing to go on with.
    let goes_on = [PLAN_APPROVAL_INPUT, EDIT_CONTINUATION_INPUT].contains(&ask.input.trim());
    let history_limit = history_limit.max(usize::from(goes_on));
    let history = memory::recent(app, actor, ask.session_id.as_deref(), history_limit).await?;
    let turn = Turn {
        request: Request {
            input: ask.input,
            max_attempts: ask.max_attempts,
            history_limit: Some(history_limit),
            iterations_limit: ask.iterations_limit,
            focus: ask.focus,
            headless: ask.headless,
            admin: actor.user.role == Role::Admin,
            user_id: actor.user.id.to_string(),
            session_id: ask.session_id,
        },
        canvas: canvas.clone(),
        model: chosen.model,
        available: chosen.available,
        history,
        host: Arc::new(host),
        verify: settings.verify,
    };
    Ok(Begun {
        app: Arc::clone(app),
        actor: actor.clone(),
        turn,
        flow_id: ask.flow_id,
        canvas,
        heard: chosen.heard,
        place,
    })
}

async fn own_model(app: &App, actor: &Actor) -> Result<Option<host::OwnModel>> {
    let own = models::own_models(app, actor).await?;
    Ok(own.map(|own| Box::new(own) as host::OwnModel))
}

/// For runs of a flow that is only being made.
fn not_there_yet(actor: &Actor) -> ferro_store::Flow {
    let now = Timestamp::now();
    let header = FlowHeader {
        id: FlowId::new(),
        user_id: actor.user.id,
        folder_id: ProjectId::new(),
        name: "New flow".to_owned(),
        description: None,
        endpoint_name: None,
        icon: None,
        icon_bg_color: None,
        gradient: None,
        tags: "[]".to_owned(),
        locked: false,
        is_component: false,
        webhook: false,
        mcp_enabled: false,
        action_name: None,
        action_description: None,
        access_type: Access::Private,
        flow_type: "workflow".to_owned(),
        a2a_enabled: false,
        extra: "{}".to_owned(),
        node_count: 0,
        edge_count: 0,
        note_count: 0,
        revision: 0,
        created_at: now,
        updated_at: now,
    };
    ferro_store::Flow { header, data: None }
}

impl Begun {
    /// Works through the turn, and keeps what is to be kept. The last event is not told on the way: it is made of what
    /// this gives back, when everything is kept.
    pub async fn work(self, out: UnboundedSender<AssistEvent>) -> Ended {
        let Self {
            app,
            actor,
            turn,
            flow_id,
            canvas,
            heard,
            place,
        } = self;
        let session = turn.request.session_id.clone();
        let headless = turn.request.headless;
        let working = tokio::time::timeout(TURN_TIME, assist(turn, out));
        let mut outcome = working.await.unwrap_or_else(|_| too_long());
        if headless {
            write(&app, &actor, flow_id.zip(canvas.as_ref()), &mut outcome).await;
        }
        memory::record(&app, &actor, session.as_deref(), outcome.record.as_ref()).await;
        // Whoever reads the last event may ask again at once.
        drop(place);
        let failed = matches!(outcome.end, End::Failed { .. });
        Ended {
            end: outcome.end,
            error: heard.take().filter(|_| failed),
        }
    }
}

fn too_long() -> Outcome {
    Outcome {
        intent: None,
        end: End::Failed {
            message: "The assistant took longer than 15 minutes and was stopped. Ask for less at once."
                .to_owned(),
            detail: ErrorDetail {
                step: "time".to_owned(),
                ..ErrorDetail::default()
            },
        },
        record: None,
        changed: None,
    }
}

/// Saves what a turn did that nobody looked at; a turn whose flow cannot be saved has failed.
async fn write(app: &App, actor: &Actor, read: Option<(FlowId, &Canvas)>, outcome: &mut Outcome) {
    let (End::Completed(completed), Some(changed)) = (&mut outcome.end, outcome.changed.take()) else {
        return;
    };
    match persist::write(app, actor, read, changed).await {
        Ok(written) => {
            completed.flow_id = Some(written.flow_id.to_string());
            completed.restore_version_id = written.restore.map(|id| id.to_string());
        }
        Err(error) => {
            if error.is_internal() {
                tracing::warn!(%error, "what the assistant built could not be saved");
            }
            outcome.record = None;
            outcome.end = End::Failed {
                message: error.said().to_owned(),
                detail: ErrorDetail {
                    step: "saving".to_owned(),
                    ..ErrorDetail::default()
                },
            };
        }
    }
}
