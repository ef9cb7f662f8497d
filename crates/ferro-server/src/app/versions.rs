//! Versions of a flow.

use ferro_model::{FlowDiff, diff};
use ferro_store::{Activation, Flow, FlowId, Version, VersionId};

use crate::{
    app::flows::{fields::document, stale_or, stored, without_secrets},
    error::{AppError, Result},
    http::identity::Actor,
    state::App,
};

const MAX_DESCRIPTION: usize = 500;

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    /// The flow as it is saved now.
    Draft,
    Version(VersionId),
}

impl std::str::FromStr for Side {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "draft" {
            Ok(Self::Draft)
        } else {
            text.parse().map(Self::Version)
        }
    }
}

pub async fn create_version(
    app: &App,
    actor: &Actor,
    flow: FlowId,
    description: Option<String>,
) -> Result<Version> {
    let description = checked(description)?;
    Ok(app
        .store
        .create_version(&actor.principal(), flow, description, keep(app))
        .await?)
}

pub async fn describe_version(
    app: &App,
    actor: &Actor,
    flow: FlowId,
    id: VersionId,
    description: Option<String>,
) -> Result<Version> {
    let description = checked(description)?;
    Ok(app
        .store
        .describe_version(&actor.principal(), flow, id, description)
        .await?)
}

/// A version with its document, secrets left out.
pub async fn version(
    app: &App,
    actor: &Actor,
    flow: FlowId,
    id: VersionId,
) -> Result<(Version, Option<String>)> {
    let found = app.store.version(&actor.principal(), flow, id).await?;
    let data = found.data.as_deref().map(without_secrets).transpose()?;
    Ok((found.version, data))
}

/// Makes the version the draft again. The draft is kept as a version first, unless `save_draft` says not to.
pub async fn activate_version(
    app: &App,
    actor: &Actor,
    flow: FlowId,
    id: VersionId,
    save_draft: bool,
    expected: Option<i64>,
) -> Result<Flow> {
    let by = actor.principal();
    let found = app.store.version(&by, flow, id).await?;
    let Some(text) = found.data else {
        return Err(AppError::bad_request("This version holds no document."));
    };
    let draft = save_draft.then(|| format!("Auto-saved before activating v{}", found.version.number));
    let activation = Activation {
        document: document(&stored(&text)?),
        save_draft: draft,
        keep: keep(app),
        expected,
    };
    let activated = app.store.activate_version(&by, flow, activation).await;
    let header = match activated {
        Ok(header) => header,
        Err(error) => return Err(stale_or(app, actor, flow, error).await),
    };
    Ok(Flow {
        header,
        data: Some(text),
    })
}

pub async fn diff_versions(app: &App, actor: &Actor, flow: FlowId, from: Side, to: Side) -> Result<FlowDiff> {
    let (from, to) = (
        text(app, actor, flow, from).await?,
        text(app, actor, flow, to).await?,
    );
    let (from, to) = (stored(&from)?, stored(&to)?);
    tokio::task::spawn_blocking(move || diff(&from, &to))
        .await
        .map_err(AppError::internal)
}

async fn text(app: &App, actor: &Actor, flow: FlowId, side: Side) -> Result<String> {
    let data = match side {
        Side::Draft => app.store.flow(&actor.principal(), flow).await?.data,
        Side::Version(id) => app.store.version(&actor.principal(), flow, id).await?.data,
    };
    Ok(data.unwrap_or_else(|| "{}".to_owned()))
}

fn checked(description: Option<String>) -> Result<Option<String>> {
    let description = description
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty());
    match &description {
        Some(text) if text.chars().count() > MAX_DESCRIPTION => Err(AppError::invalid(
            "description",
            format!("must have at most {MAX_DESCRIPTION} characters"),
        )),
        _ => Ok(description),
    }
}

fn keep(app: &App) -> i64 {
    i64::from(app.config.max_versions)
}
