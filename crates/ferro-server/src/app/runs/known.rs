//! The flow that is about to run, remembered for the requests that follow.

use std::sync::Arc;

use ferro_model::FlowData;
use ferro_store::{Flow, FlowHeader, FlowId, RunDocument, StoreError, UserId};

use super::live::hash_of;
use crate::app::flows::stored;
use crate::cache::Reading;
use crate::error::Result;
use crate::http::{identity::Actor, rarely};
use crate::state::App;

/// A flow that is about to run: its header, and its document checked and hashed.
pub struct KnownFlow {
    pub header: FlowHeader,
    pub data: FlowData,
    pub document: RunDocument,
}

impl KnownFlow {
    pub fn of(flow: Flow) -> Result<Self> {
        let data = read_document(flow.data.as_deref())?;
        Ok(Self {
            document: document_of(&data),
            header: flow.header,
            data,
        })
    }
}

/// The flow with this id or endpoint name.
pub async fn find_flow(app: &App, actor: &Actor, id_or_name: &str) -> Result<Arc<KnownFlow>> {
    let key = (actor.user.id, id_or_name.to_owned());
    if let Some(known) = app.known_flows.get(&app.store, &key) {
        return Ok(known);
    }
    rarely(read_flow(app, actor, key)).await
}

async fn read_flow(app: &App, actor: &Actor, key: (UserId, String)) -> Result<Arc<KnownFlow>> {
    let id_or_name = key.1.as_str();
    let reading = Reading::begin(&app.store);
    let by = actor.principal();
    let by_id = match id_or_name.parse::<FlowId>() {
        Ok(id) => match app.store.flow(&by, id).await {
            Err(StoreError::NotFound(_)) => None,
            found => Some(found?),
        },
        Err(_) => None,
    };
    let flow = match by_id {
        Some(flow) => flow,
        None => app.store.flow_by_endpoint(&by, id_or_name).await?,
    };
    let known = Arc::new(KnownFlow::of(flow)?);
    app.known_flows.put(reading, key, Arc::clone(&known));
    Ok(known)
}

pub(super) fn document_of(data: &FlowData) -> RunDocument {
    RunDocument {
        hash: hash_of(data),
        text: data.as_str().into(),
    }
}

pub fn read_document(text: Option<&str>) -> Result<FlowData> {
    stored(text.unwrap_or("{\"nodes\":[],\"edges\":[]}"))
}
