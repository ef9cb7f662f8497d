//! Stored messages.

use std::borrow::Cow;

use axum::{extract::State, http::StatusCode, response::Response};
use ferro_store::{FlowId, MessageFilter, MessageId, MessageOrder, MessageRecord, Timestamp};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    api::{
        AppState, json_text,
        monitor::json,
        said,
        wire::message::{Blocks, MessageRead, Properties, grouped, millis, or_message},
    },
    app::messages::{self, NewMessage, Said, Wanted},
    error::{AppError, ErrorBody, Result},
    http::{
        extract::{Json, Path, Query},
        identity::Actor,
    },
};

impl<'a> MessageRead<'a> {
    pub fn stored(record: &'a MessageRecord, blocks: Blocks) -> Self {
        let properties: Map<String, Value> = serde_json::from_str(&record.properties).unwrap_or_default();
        let kept = record.duration_ms.and_then(|millis| u64::try_from(millis).ok());
        let duration = kept.or_else(|| properties.get("build_duration").and_then(millis));
        let content_blocks = Cow::Owned(serde_json::from_str(&record.content_blocks).unwrap_or_default());
        let metadata = record
            .session_metadata
            .as_deref()
            .and_then(|text| serde_json::from_str(text).ok());
        Self {
            id: Some(record.id.0),
            flow_id: Some(record.flow_id.0),
            run_id: record.run_id.map(|run| run.0),
            timestamp: record.timestamp.0,
            sender: &record.sender,
            sender_name: &record.sender_name,
            session_id: &record.session_id,
            context_id: record.context_id.as_deref(),
            text: &record.text,
            files: Cow::Owned(serde_json::from_str(&record.files).unwrap_or_default()),
            error: record.error,
            edit: record.edit,
            duration,
            properties: Properties {
                given: Cow::Owned(properties),
                usage: None,
                duration,
            },
            category: or_message(&record.category),
            content_blocks: match blocks {
                Blocks::Flat => content_blocks,
                Blocks::Grouped => grouped(content_blocks),
            },
            session_metadata: metadata.map(Cow::Owned),
            is_output: record.is_output,
        }
    }
}

pub fn list_answer(found: &[MessageRecord], blocks: Blocks) -> Response {
    let list: Vec<_> = found
        .iter()
        .map(|record| MessageRead::stored(record, blocks))
        .collect();
    json_text(StatusCode::OK, json(&list))
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderBy {
    Timestamp,
    Sender,
    SenderName,
    SessionId,
    Text,
}

impl From<OrderBy> for MessageOrder {
    fn from(order: OrderBy) -> Self {
        match order {
            OrderBy::Timestamp => Self::Timestamp,
            OrderBy::Sender => Self::Sender,
            OrderBy::SenderName => Self::SenderName,
            OrderBy::SessionId => Self::SessionId,
            OrderBy::Text => Self::Text,
        }
    }
}

#[derive(Clone, Copy, Deserialize, ToSchema, PartialEq, Eq)]
pub enum MessageDirection {
    #[serde(rename = "ASC", alias = "asc")]
    Up,
    #[serde(rename = "DESC", alias = "desc")]
    Down,
}

/// How content blocks are told.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlockShape {
    /// As Langflow's clients know them: groups only.
    #[default]
    Grouped,
    /// Every block, in order.
    Flat,
}

impl From<BlockShape> for Blocks {
    fn from(shape: BlockShape) -> Self {
        match shape {
            BlockShape::Grouped => Self::Grouped,
            BlockShape::Flat => Self::Flat,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessageList {
    pub flow_id: Option<Uuid>,
    pub session_id: Option<String>,
    pub context_id: Option<String>,
    /// `User` or `Machine`.
    pub sender: Option<String>,
    pub sender_name: Option<String>,
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
    #[param(inline)]
    pub blocks: Option<BlockShape>,
}

/// Messages of one's flows.
#[utoipa::path(get, path = "/api/v1/monitor/messages", tag = "messages", params(MessageList),
    responses((status = 200, body = Vec<MessageRead<'static>>), (status = 422, body = ErrorBody)))]
pub async fn list_messages(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<MessageList>,
) -> Result<Response> {
    let wanted = Wanted {
        filter: MessageFilter {
            flow_id: query.flow_id.map(FlowId),
            session_id: query.session_id,
            context_id: query.context_id,
            sender: query.sender,
            sender_name: query.sender_name,
            ids: None,
            order_by: query.order_by.map(MessageOrder::from).unwrap_or_default(),
            descending: query.order == Some(MessageDirection::Down),
        },
        limit: query.limit,
        offset: query.offset.unwrap_or(0),
    };
    let found = messages::list_messages(&app, &actor, wanted).await?;
    Ok(list_answer(&found, query.blocks.unwrap_or_default().into()))
}

/// What may be said of a message. Clients send whole messages back; what they cannot change is not looked at.
#[derive(Deserialize, ToSchema)]
pub struct MessageUpdate {
    pub text: Option<String>,
    /// `User` or `Machine`.
    pub sender: Option<String>,
    pub sender_name: Option<String>,
    pub session_id: Option<String>,
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<String>)]
    pub context_id: Option<Option<String>>,
    pub files: Option<Vec<String>>,
    pub error: Option<bool>,
    pub edit: Option<bool>,
    /// Added to those it has.
    #[schema(value_type = Option<Object>)]
    pub properties: Option<Map<String, Value>>,
    pub category: Option<String>,
    #[schema(value_type = Option<Vec<Object>>)]
    pub content_blocks: Option<Vec<Value>>,
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<Object>)]
    pub session_metadata: Option<Option<Map<String, Value>>>,
    /// Milliseconds the answer took.
    pub duration: Option<f64>,
}

impl From<MessageUpdate> for Said {
    fn from(body: MessageUpdate) -> Self {
        Self {
            of_flow: None,
            text: body.text,
            sender: body.sender,
            sender_name: body.sender_name,
            session_id: body.session_id,
            context_id: body.context_id,
            files: body.files,
            error: body.error,
            edit: body.edit,
            properties: body.properties,
            category: body.category,
            content_blocks: body.content_blocks,
            session_metadata: body.session_metadata,
            duration: body.duration.and_then(|millis_said| millis(&millis_said.into())),
        }
    }
}

/// What only a new message says.
#[derive(Deserialize, ToSchema)]
pub struct MessageHead {
    pub flow_id: Uuid,
    /// A new one when not said.
    pub id: Option<Uuid>,
    #[serde(default, deserialize_with = "moment")]
    #[schema(value_type = Option<String>, example = "2027-01-31 12:00:00.000000 UTC")]
    pub timestamp: Option<Timestamp>,
}

#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only described here: its parts are read one by one, so that a refusal can name the field"
)]
pub struct MessageFields {
    #[schema(inline)]
    #[serde(flatten)]
    head: MessageHead,
    #[serde(flatten)]
    said: MessageUpdate,
}

/// The message itself, or inside `message`.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum MessageCreate {
    Wrapped { message: Box<MessageFields> },
    Bare(Box<MessageFields>),
}

/// RFC 3339, or the way messages are written.
fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let bare = text
        .trim()
        .trim_end_matches("UTC")
        .trim_end()
        .replacen(' ', "T", 1);
    let at = bare
        .parse()
        .map_err(|_| de::Error::custom("not a date and time like 2027-01-31T12:00:00Z"))?;
    Ok(Some(at))
}

/// Keep a message that no run made.
#[utoipa::path(post, path = "/api/v1/monitor/messages", tag = "messages", request_body = MessageCreate,
    responses((status = 201, body = MessageRead<'static>), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
pub async fn create_message(State(app): AppState, actor: Actor, Json(body): Json<Value>) -> Result<Response> {
    let (head, update) = parts(body)?;
    let new = NewMessage {
        id: head.id,
        timestamp: head.timestamp,
        said: update.into(),
    };
    let flow = FlowId(head.flow_id);
    let record = messages::create_message(&app, &actor, flow, new).await?;
    Ok(json_text(
        StatusCode::CREATED,
        json(&MessageRead::stored(&record, Blocks::Flat)),
    ))
}

fn parts(mut body: Value) -> Result<(MessageHead, MessageUpdate)> {
    let (inner, prefix) = match body.get_mut("message").filter(|message| message.is_object()) {
        Some(message) => (message.take(), "message."),
        None => (body, ""),
    };
    Ok((part(&inner, prefix)?, part(&inner, prefix)?))
}

fn part<T: de::DeserializeOwned>(message: &Value, prefix: &str) -> Result<T> {
    serde_path_to_error::deserialize(message).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." {
            String::new()
        } else {
            format!("{prefix}{path}")
        };
        AppError::invalid(field, error.into_inner().to_string())
    })
}

/// Change a message; a different text marks it as edited.
#[utoipa::path(put, path = "/api/v1/monitor/messages/{message_id}", tag = "messages", params(("message_id" = Uuid, Path)),
    request_body = MessageUpdate, responses((status = 200, body = MessageRead<'static>), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
pub async fn update_message(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<MessageId>,
    Json(body): Json<MessageUpdate>,
) -> Result<Response> {
    let record = messages::change_message(&app, &actor, id, body.into()).await?;
    Ok(json_text(
        StatusCode::OK,
        json(&MessageRead::stored(&record, Blocks::Flat)),
    ))
}

/// Delete messages by their ids.
#[utoipa::path(delete, path = "/api/v1/monitor/messages", tag = "messages", request_body = Vec<Uuid>,
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn delete_messages(
    State(app): AppState,
    actor: Actor,
    Json(ids): Json<Vec<MessageId>>,
) -> Result<StatusCode> {
    messages::delete_messages(&app, &actor, ids).await?;
    Ok(StatusCode::NO_CONTENT)
}
