//! A flow that runs as one node of another.

use std::sync::Arc;

use ferro_engine::{Failure, FlowAnswer, FlowCall, Overrides, RunInfo, Selection, Start, run_inside};
use ferro_model::FlowData;
use ferro_store::{FlowFilter, FlowId, FlowOrder, Window};
use uuid::Uuid;

use super::host::{ServerHost, storage};
use super::live::hash_of;
use super::{limits, read_document};
use crate::{app::python, starters, state::App};

pub(super) async fn run(
    app: &Arc<App>,
    parent: &ServerHost,
    call: FlowCall,
) -> Result<Vec<FlowAnswer>, Failure> {
    let flow = find(app, parent, &call).await?;
    if call.stack.contains(&flow.id.0) {
        return Err(Failure::input(
            "flow_name_selected",
            format!("the flow `{}` would run itself", flow.name),
        )
        .advice("Choose another flow, or put a Loop where the repetition should be."));
    }
    let data = flow.data;
    let ready = app
        .runs
        .ready(hash_of(&data), &data, Selection::Whole)
        .map_err(|error| {
            Failure::input(
                "flow_name_selected",
                format!("the flow `{}` cannot run: {error}", flow.name),
            )
        })?;
    let plan = ready.plan;
    if let Some(why) = python::barred_from(app, parent.owner, &plan) {
        return Err(Failure::unavailable(format!("the flow `{}` cannot run", flow.name)).advice(why));
    }
    let host = ServerHost {
        app: Arc::clone(app),
        owner: parent.owner,
        user_id: parent.user_id,
        flow_id: flow.id,
        visit: None,
        conversation: None,
        globals: parent.globals.clone(),
        lost_globals: parent.lost_globals.clone(),
    };
    let mut stack = call.stack;
    stack.push(flow.id.0);
    let mut overrides = Overrides::from_tweaks(&plan, &call.tweaks);
    super::text_inputs(&plan, &mut overrides, &call.input_value);
    let inner = Start {
        info: RunInfo {
            run_id: Uuid::now_v7(),
            flow_id: flow.id.0,
            flow_name: flow.name.clone(),
            session_id: call.session_id,
            input_value: call.input_value,
            stack,
            ..RunInfo::default()
        },
        overrides,
        host: Arc::new(host),
        log: None,
        limits: limits(app, super::Pace::Hurried),
        seeds: Default::default(),
        history: Vec::new(),
        plan: Arc::clone(&plan),
    };
    run_inside(inner, call.outer).await
}

struct Found {
    id: FlowId,
    name: String,
    data: FlowData,
}

impl Found {
    fn own(flow: ferro_store::Flow) -> Result<Self, Failure> {
        Ok(Self {
            data: read_document(flow.data.as_deref()).map_err(|error| Failure::outside(error.to_string()))?,
            id: flow.header.id,
            name: flow.header.name,
        })
    }
}

/// By id, by name, or the starter of that name for those who have no such flow.
async fn find(app: &App, parent: &ServerHost, call: &FlowCall) -> Result<Found, Failure> {
    if let Some(id) = call.flow_id {
        match app.store.flow(&parent.owner, FlowId(id)).await {
            Ok(flow) => return Found::own(flow),
            Err(ferro_store::StoreError::NotFound(_)) => {}
            Err(error) => return Err(storage(error)),
        }
    }
    let name = call.flow_name.as_deref().unwrap_or_default();
    if !name.is_empty() {
        let headers = app
            .store
            .flow_headers(
                &parent.owner,
                FlowFilter::default(),
                FlowOrder::NameUp,
                Window::ALL,
            )
            .await;
        let headers = headers.map_err(storage)?;
        if let Some(header) = headers.items.into_iter().find(|header| header.name == name) {
            return Found::own(app.store.flow(&parent.owner, header.id).await.map_err(storage)?);
        }
        if let Some(starter) = starters::all(&app.runs.catalog)
            .iter()
            .find(|starter| starter.name == name)
        {
            return Ok(Found {
                id: FlowId(starter.id),
                name: starter.name.clone(),
                data: starter.data.clone(),
            });
        }
    }
    Err(
        Failure::input("flow_name_selected", format!("there is no flow `{name}`"))
            .advice("Choose one of your flows."),
    )
}
