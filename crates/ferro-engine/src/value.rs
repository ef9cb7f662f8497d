//! What travels on wires: immutable, shared, never copied from node to node.

mod data;
mod message;
mod table;

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json, json};

use crate::context::Context;
use crate::failure::Failure;

pub use data::Data;
pub use message::{Message, Sender, Usage};
pub use table::Table;

/// One value. Cloning it copies a pointer.
#[derive(Clone, Debug, Default)]
pub enum Value {
    #[default]
    Null,
    Message(Arc<Message>),
    /// `JSON` on the canvas, `Data` in older files.
    Data(Arc<Data>),
    /// `Table` on the canvas, `DataFrame` in older files.
    Table(Arc<Table>),
    /// Several values of one output or several wires into one list field.
    List(Arc<[Value]>),
    /// A bare JSON value: a number, a flag, a text without a sender.
    Plain(Arc<Json>),
    Tools(Arc<[Tool]>),
    /// Something alive, such as a model client: it cannot be written down, so a resumed run makes it again.
    Live(Live),
}

/// A value with a life of its own.
#[derive(Clone)]
pub struct Live {
    /// The port type, such as `LanguageModel`.
    pub kind: &'static str,
    pub value: Arc<dyn Any + Send + Sync>,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Live({})", self.kind)
    }
}

/// What a tool does with its arguments, on behalf of the node that calls it.
type ToolCall = Arc<
    dyn Fn(Map<String, Json>, Option<Context>) -> BoxFuture<'static, Result<Called, Failure>> + Send + Sync,
>;

/// What came of a call.
#[derive(Clone, Debug, Default)]
pub struct Called {
    pub value: Value,
    /// Tokens the tool spent, when it asked a model itself.
    pub usage: Option<Usage>,
}

impl From<Value> for Called {
    fn from(value: Value) -> Self {
        Self { value, usage: None }
    }
}

/// Something a model can call.
#[derive(Clone)]
pub struct Tool {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments.
    pub schema: Json,
    /// A person is asked before each call.
    pub approval: bool,
    pub call: ToolCall,
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tool({})", self.name)
    }
}

impl Value {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Message(Arc::new(Message::text(text)))
    }

    pub fn data(map: Map<String, Json>) -> Self {
        Self::Data(Arc::new(Data::new(map)))
    }

    pub fn table(table: Table) -> Self {
        Self::Table(Arc::new(table))
    }

    pub fn plain(value: impl Into<Json>) -> Self {
        Self::Plain(Arc::new(value.into()))
    }

    /// What a value given in JSON is: text becomes text, an object `Data`, a list of objects a list of `Data`.
    pub fn from_json(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Object(map) => Self::data(map),
            Json::Array(items) if !items.is_empty() && items.iter().all(Json::is_object) => {
                Self::List(items.into_iter().map(Self::from_json).collect())
            }
            other => Self::plain(other),
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The name people see on ports.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Message(_) => "Message",
            Self::Data(_) => "JSON",
            Self::Table(_) => "Table",
            Self::List(_) => "a list",
            Self::Plain(_) => "a plain value",
            Self::Tools(_) => "Tool",
            Self::Live(live) => live.kind,
        }
    }

    /// Nothing in it lives only in this process.
    pub fn is_recordable(&self) -> bool {
        match self {
            Self::Tools(_) | Self::Live(_) => false,
            Self::List(items) => items.iter().all(Self::is_recordable),
            _ => true,
        }
    }

    /// As text, the way a `Message` field reads it.
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Self::Null => Cow::Borrowed(""),
            Self::Message(message) => Cow::Borrowed(&message.text),
            Self::Data(data) => data.text(),
            Self::Table(table) => Cow::Owned(table.to_markdown()),
            Self::List(items) => Cow::Owned(items.iter().map(Self::to_text).collect::<Vec<_>>().join("\n")),
            Self::Plain(json) => match &**json {
                Json::String(text) => Cow::Borrowed(text),
                other => Cow::Owned(other.to_string()),
            },
            Self::Tools(tools) => Cow::Owned(
                tools
                    .iter()
                    .map(|t| t.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
            Self::Live(live) => Cow::Borrowed(live.kind),
        }
    }

    /// As plain JSON, for people and programs; not for the log, which must know the kind again.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Message(message) => message.to_json(),
            Self::Data(data) => Json::Object(data.map.clone()),
            Self::Table(table) => table.to_json(),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Plain(json) => (**json).clone(),
            Self::Tools(tools) => tools
                .iter()
                .map(
                    |tool| json!({ "name": tool.name, "description": tool.description, "args": tool.schema }),
                )
                .collect(),
            Self::Live(live) => Json::String(live.kind.to_owned()),
        }
    }

    /// Rows, whatever came: a table's own, a list's items, one for anything else.
    pub fn rows(&self) -> Vec<Map<String, Json>> {
        match self {
            Self::Null => Vec::new(),
            Self::Table(table) => table.rows().collect(),
            Self::List(items) => items.iter().flat_map(Self::rows).collect(),
            Self::Data(data) => vec![data.map.clone()],
            Self::Plain(json) => match &**json {
                Json::Object(map) => vec![map.clone()],
                Json::Array(items) => items
                    .iter()
                    .cloned()
                    .flat_map(|item| Self::from_json(item).rows())
                    .collect(),
                other => vec![Data::from_text(&other.to_string()).map],
            },
            other => vec![Data::from_text(&other.to_text()).map],
        }
    }

    /// Items to go through one by one: a table's rows, a list's items, or itself.
    pub fn items(&self) -> Vec<Value> {
        match self {
            Self::Null => Vec::new(),
            Self::Table(table) => table.rows().map(Self::data).collect(),
            Self::List(items) => items.to_vec(),
            Self::Plain(json) => match &**json {
                Json::Array(items) => items.iter().cloned().map(Self::from_json).collect(),
                _ => vec![self.clone()],
            },
            other => vec![other.clone()],
        }
    }

    /// Bytes it takes in memory, roughly; what the output limit counts.
    pub fn weight(&self) -> usize {
        match self {
            Self::Null | Self::Live(_) => 0,
            Self::Message(message) => message.weight(),
            Self::Data(data) => weigh_map(&data.map),
            Self::Table(table) => table.weight(),
            Self::List(items) => items.iter().map(Self::weight).sum(),
            Self::Plain(json) => weigh(json),
            Self::Tools(tools) => tools.iter().map(|tool| weigh(&tool.schema)).sum(),
        }
    }

    /// For the log. `None` for what lives only in this process.
    pub fn to_record(&self) -> Option<Json> {
        Some(match self {
            Self::Null => Json::Null,
            Self::Message(message) => json!({ "message": message.to_record() }),
            Self::Data(data) => json!({ "data": data.map, "key": data.text_key }),
            Self::Table(table) => json!({ "table": table.to_record() }),
            Self::List(items) => {
                json!({ "list": items.iter().map(Self::to_record).collect::<Option<Vec<_>>>()? })
            }
            Self::Plain(json) => json!({ "plain": **json }),
            Self::Tools(_) | Self::Live(_) => return None,
        })
    }

    /// What [`Value::to_record`] wrote. `None` when it was not written by it.
    pub fn from_record(mut record: Json) -> Option<Self> {
        if record.is_null() {
            return Some(Self::Null);
        }
        let map = record.as_object_mut()?;
        if let Some(message) = map.remove("message") {
            return Some(Self::Message(Arc::new(Message::from_record(message)?)));
        }
        if let Some(Json::Object(data)) = map.remove("data") {
            let mut data = Data::new(data);
            if let Some(Json::String(key)) = map.remove("key") {
                data.text_key = Cow::Owned(key);
            }
            return Some(Self::Data(Arc::new(data)));
        }
        if let Some(table) = map.remove("table") {
            return Some(Self::table(Table::from_record(table)?));
        }
        if let Some(Json::Array(items)) = map.remove("list") {
            return items
                .into_iter()
                .map(Self::from_record)
                .collect::<Option<Vec<_>>>()
                .map(|items| Self::List(items.into()));
        }
        map.remove("plain").map(|json| Self::Plain(Arc::new(json)))
    }
}

fn weigh_map(map: &Map<String, Json>) -> usize {
    map.iter().map(|(key, value)| key.len() + weigh(value)).sum()
}

pub(crate) fn weigh(json: &Json) -> usize {
    16 + match json {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(weigh).sum(),
        Json::Object(map) => weigh_map(map),
        _ => 0,
    }
}
