//! What a turn leaves in the store: the flow from before it, and, where nobody looks on, the flow it made.

use ferro_assistant::{Canvas, Changed};
use ferro_model::{Document, FlowData};
use ferro_store::{Activation, Flow, FlowId, StoreError, Timestamp, VersionId, Window};

use crate::api::wire::{Moment, Rfc3339};
use crate::app::flows;
use crate::app::flows::fields::{FlowFields, document};
use crate::app::projects::checked_name;
use crate::app::runs::read_document;
use crate::app::versions;
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;

/// Somebody who keeps saving the flow while it is written gets their way after so many tries.
const TRIES: usize = 5;
const NEW_FLOW: &str = "New flow";

/// What was written.
pub struct Written {
    pub flow_id: FlowId,
    /// The version with what was there before.
    pub restore: Option<VersionId>,
}

fn description() -> String {
    format!("assistant-pre-edit {}", Rfc3339(Moment(Timestamp::now().0)))
}

/// The flow as it is saved now, as a version: the newest one if that is the same. None of an empty canvas.
pub async fn restore_point(app: &App, actor: &Actor, id: FlowId) -> Result<Option<VersionId>> {
    let flow = app.store.flow(&actor.principal(), id).await?;
    if is_empty(&flow)? {
        return Ok(None);
    }
    if let Some(newest) = same_version(app, actor, &flow).await? {
        return Ok(Some(newest));
    }
    let version = versions::create_version(app, actor, id, Some(description())).await?;
    Ok(Some(version.id))
}

fn is_empty(flow: &Flow) -> Result<bool> {
    Ok(read_document(flow.data.as_deref())?.summary().is_empty)
}

/// The newest version, if it is the flow as it is now.
async fn same_version(app: &App, actor: &Actor, flow: &Flow) -> Result<Option<VersionId>> {
    let by = actor.principal();
    let window = Window { limit: 1, offset: 0 };
    let newest = app.store.versions(&by, flow.header.id, window).await?;
    let Some(newest) = newest.items.into_iter().next() else {
        return Ok(None);
    };
    let kept = app.store.version(&by, flow.header.id, newest.id).await?;
    Ok((kept.data == flow.data).then_some(newest.id))
}

/// Writes what a turn did, with the version from before it, in one step. `read` is the flow as the turn began with it;
/// without one a new flow is made.
pub async fn write(
    app: &App,
    actor: &Actor,
    read: Option<(FlowId, &Canvas)>,
    changed: Changed,
) -> Result<Written> {
    let written = match read {
        Some((id, canvas)) => replace(app, actor, id, canvas, &changed).await?,
        None => create(app, actor, changed).await?,
    };
    // It is written: whoever asked must not be told otherwise.
    if let Err(error) = app.audit(actor, "assistant.write", written.flow_id).await {
        tracing::error!(%error, flow = %written.flow_id, "that the assistant wrote a flow could not be written down");
    }
    Ok(written)
}

async fn create(app: &App, actor: &Actor, changed: Changed) -> Result<Written> {
    let name = checked_name(&changed.name).or_else(|_| checked_name(NEW_FLOW))?;
    let fields = FlowFields {
        name: Some(name),
        description: Some(Some(changed.description).filter(|text| !text.is_empty())),
        data: Some(changed.data),
        ..FlowFields::default()
    };
    let flow = flows::create_flow(app, actor, fields).await?;
    Ok(Written {
        flow_id: flow.header.id,
        restore: None,
    })
}

async fn replace(
    app: &App,
    actor: &Actor,
    id: FlowId,
    canvas: &Canvas,
    changed: &Changed,
) -> Result<Written> {
    let by = actor.principal();
    for _ in 0..TRIES {
        let flow = app.store.flow(&by, id).await?;
        let now = read_document(flow.data.as_deref())?;
        let data = merged(&now, canvas, changed)?;
        if data == now {
            return Ok(Written {
                flow_id: id,
                restore: None,
            });
        }
        let known = if is_empty(&flow)? {
            None
        } else {
            Some(same_version(app, actor, &flow).await?)
        };
        let activation = Activation {
            document: document(&data),
            save_draft: matches!(known, Some(None)).then(description),
            keep: i64::from(app.config.max_versions),
            expected: Some(flow.header.revision),
        };
        match app.store.replace_draft(&by, id, activation).await {
            Ok((_, kept)) => {
                return Ok(Written {
                    flow_id: id,
                    restore: kept.map(|version| version.id).or(known.flatten()),
                });
            }
            // Saved in between: the change is put on top of that, too.
            Err(error) if matches!(error.root(), StoreError::Stale { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(overtaken())
}

/// The change on top of whatever was saved since the turn began.
fn merged(now: &FlowData, canvas: &Canvas, changed: &Changed) -> Result<FlowData> {
    if *now == canvas.data {
        return Ok(changed.data.clone());
    }
    if changed.patch.is_empty() {
        return Err(overtaken());
    }
    let mut document = Document::new(now);
    changed.patch.apply(&mut document).map_err(|_| overtaken())?;
    let has = |id: &str| document.node_text(id).is_some();
    if document
        .wires()
        .iter()
        .any(|wire| !has(wire.source) || !has(wire.target))
    {
        return Err(overtaken());
    }
    Ok(document.to_data()?)
}

fn overtaken() -> AppError {
    AppError::conflict(
        "The flow was changed elsewhere while the assistant worked on it, and the two changes do not go together; \
         nothing was written. Ask again to work on the flow as it is now",
    )
}

/// The flow as it is saved now.
pub async fn saved(app: &App, actor: &Actor, id: FlowId) -> Result<FlowData> {
    let flow = app.store.flow(&actor.principal(), id).await?;
    read_document(flow.data.as_deref())
}
