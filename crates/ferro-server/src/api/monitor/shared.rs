//! What a visitor of a shared flow said to it. Each visitor has conversations of their own, under a flow id that is made of
//! the visitor's id and the flow's: nobody else's are reached by these addresses, not the owner's either.

use axum::{Json as Answer, extract::State, http::StatusCode, response::Response};
use ferro_store::{FlowId, MessageFilter, MessageId, MessageOrder};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    api::{
        AppState, json_text,
        monitor::{
            json,
            messages::{MessageDirection, MessageUpdate, OrderBy, list_answer},
        },
        wire::message::{Blocks, MessageRead},
    },
    app::messages::{self, Said, Wanted, visited},
    error::{ErrorBody, Result},
    http::{
        extract::{Json, Path, Query},
        identity::Actor,
    },
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SharedFlow {
    /// The flow that is shared.
    pub source_flow_id: Uuid,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SharedList {
    /// The flow that is shared.
    pub source_flow_id: Uuid,
    pub session_id: Option<String>,
    #[param(inline)]
    pub order_by: Option<OrderBy>,
    /// `ASC` when not said.
    #[param(inline)]
    pub order: Option<MessageDirection>,
    /// The newest 1000 when not said.
    #[param(minimum = 0, maximum = 1000)]
    pub limit: Option<i64>,
    #[param(minimum = 0)]
    pub offset: Option<i64>,
}

/// One's messages with a shared flow.
#[utoipa::path(get, path = "/api/v1/monitor/messages/shared", tag = "messages", params(SharedList),
    responses((status = 200, body = Vec<MessageRead<'static>>), (status = 422, body = ErrorBody)))]
pub async fn list_shared_messages(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<SharedList>,
) -> Result<Response> {
    let wanted = Wanted {
        filter: MessageFilter {
            flow_id: Some(visited(&actor, FlowId(query.source_flow_id))),
            session_id: query.session_id,
            order_by: query.order_by.map(MessageOrder::from).unwrap_or_default(),
            descending: query.order == Some(MessageDirection::Down),
            ..MessageFilter::default()
        },
        limit: query.limit,
        offset: query.offset.unwrap_or(0),
    };
    let found = messages::list_messages(&app, &actor, wanted).await?;
    Ok(list_answer(&found, Blocks::Grouped))
}

/// Names of one's sessions with a shared flow, the last used first.
#[utoipa::path(get, path = "/api/v1/monitor/messages/shared/sessions", tag = "messages", params(SharedFlow),
    responses((status = 200, body = Vec<String>), (status = 422, body = ErrorBody)))]
pub async fn list_shared_sessions(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<SharedFlow>,
) -> Result<Answer<Vec<String>>> {
    let flow = visited(&actor, FlowId(query.source_flow_id));
    Ok(Answer(messages::list_sessions(&app, &actor, Some(flow)).await?))
}

/// Change a message of one's own with a shared flow; a different text marks it as edited.
#[utoipa::path(put, path = "/api/v1/monitor/messages/shared/{message_id}", tag = "messages",
    params(("message_id" = Uuid, Path), SharedFlow), request_body = MessageUpdate,
    responses((status = 200, body = MessageRead<'static>), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn update_shared_message(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<MessageId>,
    Query(query): Query<SharedFlow>,
    Json(body): Json<MessageUpdate>,
) -> Result<Response> {
    let said = Said {
        of_flow: Some(visited(&actor, FlowId(query.source_flow_id))),
        ..body.into()
    };
    let record = messages::change_message(&app, &actor, id, said).await?;
    Ok(json_text(
        StatusCode::OK,
        json(&MessageRead::stored(&record, Blocks::Flat)),
    ))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SharedRename {
    pub new_session_id: String,
    /// The flow that is shared.
    pub source_flow_id: Uuid,
}

/// Give a session with a shared flow another name. Answers with its messages.
#[utoipa::path(patch, path = "/api/v1/monitor/messages/shared/session/{session_id}", tag = "messages",
    params(("session_id" = String, Path), SharedRename),
    responses((status = 200, body = Vec<MessageRead<'static>>), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
pub async fn rename_shared_session(
    State(app): AppState,
    actor: Actor,
    Path(old): Path<String>,
    Query(query): Query<SharedRename>,
) -> Result<Response> {
    let flow = visited(&actor, FlowId(query.source_flow_id));
    let found = messages::rename_session(&app, &actor, Some(flow), &old, &query.new_session_id).await?;
    Ok(list_answer(&found, Blocks::Grouped))
}

/// Delete a session with a shared flow and its messages.
#[utoipa::path(delete, path = "/api/v1/monitor/messages/shared/session/{session_id}", tag = "messages",
    params(("session_id" = String, Path), SharedFlow), responses((status = 204), (status = 422, body = ErrorBody)))]
pub async fn delete_shared_session(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
    Query(query): Query<SharedFlow>,
) -> Result<StatusCode> {
    let flow = visited(&actor, FlowId(query.source_flow_id));
    messages::delete_sessions(&app, &actor, Some(flow), vec![name]).await?;
    Ok(StatusCode::NO_CONTENT)
}
