//! The world around a turn: everything here acts for the person whose turn it is, and with their rights.

use std::path::PathBuf;
use std::sync::Arc;

use ferro_assistant::{Host, HostError, Invalid, RunReport, Template, Validated};
use ferro_engine::Selection;
use ferro_model::{FlowData, Problem, Registry};
use ferro_store::FlowId;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json};

use super::{effects, persist, run, validate};
use crate::app::runs::live::hash_of;
use crate::app::runs::{self, KnownFlow};
use crate::app::{components, user_components};
use crate::error::AppError;
use crate::http::identity::Actor;
use crate::starters;
use crate::state::App;

/// A person's own model of a kind, as a model field keeps it.
pub type OwnModel = Box<dyn Fn(&str) -> Option<Json> + Send + Sync>;

pub struct TurnHost {
    pub app: Arc<App>,
    pub actor: Actor,
    /// The flow of the turn; `None` where there is none yet.
    pub flow_id: Option<FlowId>,
    /// What runs are called: the flow as the turn began with it, or one that is not there yet.
    pub known: KnownFlow,
    /// The session of runs; never one of the playground's.
    pub session: String,
    /// Nobody looks on: the version from before is made together with the change.
    pub headless: bool,
    /// What goes into model fields of templates instead of the rehearsal model.
    pub own_model: Option<OwnModel>,
}

fn told(error: AppError) -> HostError {
    if error.is_internal() {
        tracing::warn!(%error, "something around a turn of the assistant does not work");
    }
    HostError(error.said().to_owned())
}

impl Host for TurnHost {
    fn registry(&self) -> BoxFuture<'_, Result<Arc<Registry>, HostError>> {
        Box::pin(async move {
            let known = user_components::registry_for(&self.app, &self.actor).await;
            Ok(known.map_err(told)?.registry())
        })
    }

    fn validate(&self, code: String) -> BoxFuture<'_, Result<Validated, Invalid>> {
        Box::pin(async move { validate::validate(&self.app, &self.actor, &code).await })
    }

    fn register(&self, class_name: String, code: String) -> BoxFuture<'_, Result<bool, HostError>> {
        Box::pin(async move {
            let kept = user_components::register_if_valid(&self.app, &self.actor, &class_name, &code).await;
            kept.map_err(told)
        })
    }

    fn problems(&self, flow: FlowData) -> BoxFuture<'_, Result<Vec<Problem>, HostError>> {
        Box::pin(async move { runs::problems(&self.app, &self.actor, flow).await.map_err(told) })
    }

    fn run(&self, flow: FlowData, input: Option<String>) -> BoxFuture<'_, RunReport> {
        let given = (flow, input);
        Box::pin(async move { run::run(&self.app, &self.actor, &self.known, &self.session, given).await })
    }

    fn refreshed(&self, r#type: &str, component: Json, field: &str) -> Option<Json> {
        let change = components::Change {
            r#type: Some(r#type.to_owned()),
            code: String::new(),
            template: Map::new(),
            field: field.to_owned(),
            value: component["template"][field]["value"].clone(),
            tool_mode: component["tool_mode"] == true,
            node: Some(component),
        };
        components::change_node(&self.app.runs.catalog, change).ok()
    }

    fn effects(&self, flow: &FlowData) -> Option<String> {
        let ready = self.app.runs.ready(hash_of(flow), flow, Selection::Whole);
        // What cannot be planned cannot run either.
        effects::of_flow(flow, &ready.ok()?.plan)
    }

    fn templates(&self) -> Vec<Template> {
        let template = |starter: &starters::Starter| Template {
            name: starter.name.clone(),
            description: starter.description.clone(),
            data: match &self.own_model {
                Some(own) => starters::with_models(&starter.data, own),
                None => starter.data.clone(),
            },
        };
        starters::all(&self.app.runs.catalog)
            .iter()
            .map(template)
            .collect()
    }

    fn restore_point(&self) -> BoxFuture<'_, Result<Option<String>, HostError>> {
        Box::pin(async move {
            let Some(id) = self.flow_id.filter(|_| !self.headless) else {
                return Ok(None);
            };
            let version = persist::restore_point(&self.app, &self.actor, id).await;
            Ok(version.map_err(told)?.map(|id| id.to_string()))
        })
    }

    fn files(&self) -> Option<PathBuf> {
        match self.app.files.workspace(self.actor.user.id) {
            Ok(folder) => Some(folder),
            Err(error) => {
                tracing::warn!(%error, "the folder for what the assistant writes cannot be made");
                None
            }
        }
    }

    fn saved(&self) -> BoxFuture<'_, Result<Option<FlowData>, HostError>> {
        Box::pin(async move {
            match self.flow_id {
                Some(id) => persist::saved(&self.app, &self.actor, id)
                    .await
                    .map(Some)
                    .map_err(told),
                None => Ok(None),
            }
        })
    }
}
