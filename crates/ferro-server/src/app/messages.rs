//! Messages and sessions: what people and flows said to each other.

use ferro_store::{
    FlowId, MessageChange, MessageFilter, MessageId, MessageOrder, MessageRecord, Principal, Timestamp,
    UserId, Window,
};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::{
    error::{AppError, FieldError, Result},
    http::identity::Actor,
    state::App,
};

/// The most messages one answer holds.
pub const MAX_MESSAGES: i64 = 1000;
const MAX_SESSION: usize = 512;
const MAX_TEXT: usize = 2 << 20;
const MAX_NAME: usize = 255;

/// The flow id under which somebody's conversations with a shared flow are kept: theirs alone, and the same each time they come
/// back. Langflow's page works it out in the same way.
pub fn visited(actor: &Actor, flow: FlowId) -> FlowId {
    visited_by(actor.user.id, flow)
}

/// As `visited`, for a browser without an account.
pub fn visited_by_client(client: Uuid, flow: FlowId) -> FlowId {
    let name = format!("client:{client}_{flow}");
    FlowId(Uuid::new_v5(&Uuid::NAMESPACE_DNS, name.as_bytes()))
}

fn visited_by(visitor: UserId, flow: FlowId) -> FlowId {
    let name = format!("user:{visitor}_{flow}");
    FlowId(Uuid::new_v5(&Uuid::NAMESPACE_DNS, name.as_bytes()))
}

/// Which messages, and how many of them.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub filter: MessageFilter,
    pub limit: Option<i64>,
    pub offset: i64,
}

/// In the order asked for. Without a limit: the newest there is room for, the oldest of them first.
/// Those with the assistant only when their session is named.
pub async fn list_messages(app: &App, actor: &Actor, wanted: Wanted) -> Result<Vec<MessageRecord>> {
    let Wanted {
        mut filter,
        limit,
        offset,
    } = wanted;
    if limit.is_some_and(|limit| !(0..=MAX_MESSAGES).contains(&limit)) {
        return Err(AppError::invalid(
            "limit",
            format!("must be between 0 and {MAX_MESSAGES}"),
        ));
    }
    if offset < 0 {
        return Err(AppError::invalid("offset", "must not be negative"));
    }
    let window = Window {
        offset,
        limit: limit.unwrap_or(MAX_MESSAGES),
    };
    let turn =
        limit.is_none() && offset == 0 && !filter.descending && filter.order_by == MessageOrder::Timestamp;
    filter.descending |= turn;
    let mut found = app
        .store
        .messages(&actor.principal(), filter, window)
        .await?
        .items;
    if turn {
        found.reverse();
    }
    Ok(found)
}

/// What a person or program says of a message; `None` where it says nothing.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// It must be a message of this flow.
    pub of_flow: Option<FlowId>,
    pub text: Option<String>,
    pub sender: Option<String>,
    pub sender_name: Option<String>,
    pub session_id: Option<String>,
    pub context_id: Option<Option<String>>,
    pub files: Option<Vec<String>>,
    pub error: Option<bool>,
    pub edit: Option<bool>,
    pub properties: Option<Map<String, Json>>,
    pub category: Option<String>,
    pub content_blocks: Option<Vec<Json>>,
    pub session_metadata: Option<Option<Map<String, Json>>>,
    /// Milliseconds.
    pub duration: Option<u64>,
}

impl Said {
    fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        let mut wrong = |field: &str, message: String| {
            errors.push(FieldError {
                field: field.to_owned(),
                message,
            });
        };
        if self.text.as_ref().is_some_and(|text| text.len() > MAX_TEXT) {
            wrong("text", format!("must not be longer than {} MB", MAX_TEXT >> 20));
        }
        if self
            .sender
            .as_deref()
            .is_some_and(|sender| !matches!(sender, "User" | "Machine"))
        {
            wrong("sender", "must be User or Machine".to_owned());
        }
        for (field, name) in [("sender_name", &self.sender_name), ("category", &self.category)] {
            if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME) {
                wrong(field, format!("must not have more than {MAX_NAME} characters"));
            }
        }
        if let Some(Err(message)) = self.session_id.as_deref().map(check_session) {
            wrong("session_id", message);
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(AppError::invalid_fields(errors))
        }
    }

    /// Where it says how long an answer took, outright or among the properties.
    fn duration(&self) -> Option<i64> {
        let property = self.properties.as_ref().and_then(|map| map.get("build_duration"));
        let millis = self
            .duration
            .or_else(|| property.and_then(crate::api::wire::message::millis));
        millis.map(|millis| i64::try_from(millis).unwrap_or(i64::MAX))
    }
}

fn check_session(name: &str) -> Result<(), String> {
    if name.trim().is_empty() || name.len() > MAX_SESSION {
        return Err(format!("must have 1 to {MAX_SESSION} characters"));
    }
    if name.chars().any(char::is_control) {
        return Err("must not have control characters".to_owned());
    }
    Ok(())
}

/// A message that no run has made.
pub async fn create_message(
    app: &App,
    actor: &Actor,
    flow_id: FlowId,
    new: NewMessage,
) -> Result<MessageRecord> {
    let NewMessage { id, timestamp, said } = new;
    said.check()?;
    let by = actor.principal();
    app.store.flow_header(&by, flow_id).await?;
    let duration_ms = said.duration();
    let sender = said.sender.unwrap_or_else(|| "User".to_owned());
    let name = if sender == "User" { "User" } else { "AI" };
    let record = MessageRecord {
        id: id.map_or_else(MessageId::new, MessageId),
        flow_id,
        session_id: said.session_id.unwrap_or_else(|| flow_id.to_string()),
        context_id: said.context_id.flatten(),
        run_id: None,
        timestamp: timestamp.unwrap_or_else(Timestamp::now),
        sender_name: said.sender_name.unwrap_or_else(|| name.to_owned()),
        sender,
        text: said.text.unwrap_or_default(),
        files: text_of(&said.files.unwrap_or_default()),
        error: said.error.unwrap_or(false),
        edit: said.edit.unwrap_or(false),
        properties: text_of(&said.properties.unwrap_or_default()),
        category: said
            .category
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| "message".to_owned()),
        content_blocks: text_of(&said.content_blocks.unwrap_or_default()),
        session_metadata: said.session_metadata.flatten().map(|map| text_of(&map)),
        is_output: false,
        duration_ms,
    };
    Ok(app.store.create_message(&by, record).await?)
}

#[derive(Clone, Debug, Default)]
pub struct NewMessage {
    pub id: Option<Uuid>,
    pub timestamp: Option<Timestamp>,
    pub said: Said,
}

/// Changes what is said and leaves the rest. Properties are added to: a client that knows only some of them must
/// not lose the others, the usage and the duration above all.
pub async fn change_message(app: &App, actor: &Actor, id: MessageId, said: Said) -> Result<MessageRecord> {
    said.check()?;
    let by = actor.principal();
    let duration_ms = said.duration();
    let properties = match said.properties {
        Some(given) => Some(text_of(&merged(
            &find_message(app, &by, id).await?.properties,
            given,
        ))),
        None => None,
    };
    let change = MessageChange {
        of_flow: said.of_flow,
        text: said.text,
        sender: said.sender,
        sender_name: said.sender_name,
        session_id: said.session_id,
        context_id: said.context_id,
        files: said.files.as_ref().map(text_of),
        error: said.error,
        edit: said.edit,
        properties,
        category: said.category.filter(|text| !text.is_empty()),
        content_blocks: said.content_blocks.as_ref().map(text_of),
        session_metadata: said.session_metadata.map(|map| map.as_ref().map(text_of)),
        duration_ms,
    };
    Ok(app.store.change_message(&by, id, change).await?)
}

async fn find_message(app: &App, by: &Principal, id: MessageId) -> Result<MessageRecord> {
    let filter = MessageFilter {
        ids: Some(vec![id]),
        ..MessageFilter::default()
    };
    let found = app
        .store
        .messages(by, filter, Window { offset: 0, limit: 1 })
        .await?;
    found
        .items
        .into_iter()
        .next()
        .ok_or_else(|| AppError::not_found("message"))
}

fn merged(stored: &str, given: Map<String, Json>) -> Map<String, Json> {
    let mut properties: Map<String, Json> = serde_json::from_str(stored).unwrap_or_default();
    for (key, value) in given {
        let keep = value.is_null() && matches!(key.as_str(), "usage" | "build_duration");
        if !keep {
            properties.insert(key, value);
        }
    }
    properties
}

pub async fn delete_messages(app: &App, actor: &Actor, ids: Vec<MessageId>) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    match app.store.delete_messages(&actor.principal(), ids).await? {
        0 => Err(AppError::not_found("message")),
        _ => Ok(()),
    }
}

/// The last used first.
pub async fn list_sessions(app: &App, actor: &Actor, flow_id: Option<FlowId>) -> Result<Vec<String>> {
    let mut sessions: Vec<String> = Vec::new();
    for summary in app.store.message_sessions(&actor.principal(), flow_id).await? {
        if !sessions.contains(&summary.session_id) {
            sessions.push(summary.session_id);
        }
    }
    Ok(sessions)
}

/// Gives a session another name and tells its messages.
pub async fn rename_session(
    app: &App,
    actor: &Actor,
    flow_id: Option<FlowId>,
    old: &str,
    new: &str,
) -> Result<Vec<MessageRecord>> {
    check_session(new).map_err(|message| AppError::invalid("new_session_id", message))?;
    let by = actor.principal();
    if app.store.rename_session(&by, flow_id, old, new).await? == 0 {
        return Err(AppError::not_found("session"));
    }
    let filter = MessageFilter {
        flow_id,
        session_id: Some(new.to_owned()),
        ..MessageFilter::default()
    };
    let wanted = Wanted {
        filter,
        ..Wanted::default()
    };
    list_messages(app, actor, wanted).await
}

pub async fn delete_sessions(
    app: &App,
    actor: &Actor,
    flow_id: Option<FlowId>,
    names: Vec<String>,
) -> Result<()> {
    app.store
        .delete_sessions(&actor.principal(), flow_id, names)
        .await?;
    Ok(())
}

fn text_of(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Langflow's page computes the same id, and looks for messages under it.
    #[test]
    fn a_visitors_flow_id_is_langflows() {
        let id = |text: &str| text.parse::<Uuid>().unwrap();
        let visitor = UserId(id("11111111-1111-4111-8111-111111111111"));
        let flow = FlowId(id("22222222-2222-4222-8222-222222222222"));
        assert_eq!(
            visited_by(visitor, flow).0,
            id("abd6879c-5341-5bb7-a82e-a6d5e5da5ebd")
        );
    }
}
