//! A run with all that is needed to explain it: what was asked, the plan it followed, and its log.

use std::sync::Arc;

use ferro_engine::{Overrides, Plan};
use ferro_store::{Run, RunId};

use super::reader::Reader;
use super::request::{InputType, RunRequest};
use super::text_inputs;
use crate::api::wire::Meta;
use crate::app::flows::stored;
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;

pub struct Looked {
    pub run: Run,
    pub request: RunRequest,
    pub meta: Arc<Meta>,
    /// `None` when the document cannot be planned any more.
    pub plan: Option<Arc<Plan>>,
    /// Tweaks, without the run's input.
    pub tweaks: Overrides,
    /// Tweaks and the run's input.
    pub overrides: Overrides,
    /// From the first event on.
    pub reader: Reader,
}

/// One's own run, under way or over.
pub async fn look(app: &Arc<App>, actor: &Actor, id: RunId) -> Result<Looked> {
    let by = actor.principal();
    let run = app.store.run(&by, id).await?;
    let request: RunRequest = serde_json::from_str(&run.request).map_err(AppError::internal)?;
    let data = stored(&app.store.run_document(&by, run.document_hash).await?)?;
    let ready = app.runs.ready(run.document_hash, &data, request.selection());
    let (meta, plan) = match ready {
        Ok(ready) => (ready.meta, Some(ready.plan)),
        Err(_) => (Arc::new(Meta::of(&ferro_model::read(&data))), None),
    };
    let tweaks = plan.as_ref().map_or_else(Overrides::default, |plan| {
        Overrides::from_tweaks(plan, &request.tweaks)
    });
    let mut overrides = tweaks.clone();
    if let Some(plan) = plan.as_ref().filter(|_| request.input_type != InputType::Chat) {
        text_inputs(
            plan,
            &mut overrides,
            request.input_value.as_deref().unwrap_or_default(),
        );
    }
    let follower = app.runs.live(id).map(|live| live.handle.follow(0));
    Ok(Looked {
        reader: Reader::new(app, id, follower, 0),
        run,
        request,
        meta,
        plan,
        tweaks,
        overrides,
    })
}
