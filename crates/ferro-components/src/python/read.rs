//! Values on their way back from Python. All of it is a stranger's word: what makes no sense becomes plain JSON or null.

use std::borrow::Cow;
use std::sync::Arc;

use ferro_engine::{Data, Message, Sender, Table, Tool, Value};
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::wire::{KIND, Tables, time};

/// What a tool of Python's says of itself.
pub(super) struct Told {
    pub name: String,
    pub description: String,
    pub schema: Json,
}

/// Reads what Python gives back.
pub(super) struct Reader<'a> {
    pub tables: &'a Tables,
    /// The message that Python means by an id.
    pub message: &'a dyn Fn(&str) -> Option<Uuid>,
    pub tool: &'a dyn Fn(Told) -> Tool,
}

impl Reader<'_> {
    pub(super) fn value(&self, wire: Json) -> Value {
        match wire {
            Json::Null => Value::Null,
            Json::Array(items) if items.iter().any(holds_kinds) => {
                let mut tools: Vec<Tool> = Vec::new();
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    match self.value(item) {
                        Value::Tools(more) => tools.extend(more.iter().cloned()),
                        value => values.push(value),
                    }
                }
                if values.is_empty() && !tools.is_empty() {
                    return Value::Tools(tools.into());
                }
                if !tools.is_empty() {
                    values.push(Value::Tools(tools.into()));
                }
                Value::List(values.into())
            }
            Json::Object(map) => match kind_of(&map) {
                Some("Message") => Value::Message(Arc::new(self.read_message(map))),
                Some("Data") => Value::Data(Arc::new(read_data(map))),
                Some("DataFrame") => Value::table(read_table(map)),
                Some("Tools") => self.read_tools(&map),
                Some("Live") => match place(&map).and_then(|at| self.tables.lives.get(at)) {
                    Some(live) => Value::Live(live.clone()),
                    None => Value::Null,
                },
                _ => Value::plain(flatten(Json::Object(map))),
            },
            other => Value::plain(flatten(other)),
        }
    }

    pub(super) fn read_message(&self, mut map: Map<String, Json>) -> Message {
        let mut text = |key: &str| match map.remove(key) {
            Some(Json::String(text)) => text,
            _ => String::new(),
        };
        let (said, sender) = (text("text"), text("sender"));
        let (sender_name, session_id, context_id) =
            (text("sender_name"), text("session_id"), text("context_id"));
        let category = text("category");
        let id = text("id");
        let object = |json: Option<Json>| match json.map(flatten) {
            Some(Json::Object(map)) => map,
            _ => Map::new(),
        };
        let properties = object(map.remove("properties"));
        let mut data = object(map.remove("data"));
        let blocks = match data.remove("content_blocks") {
            Some(Json::Array(blocks)) => blocks,
            _ => Vec::new(),
        };
        let files = map.get("files").and_then(Json::as_array);
        let files = files.into_iter().flatten().filter_map(Json::as_str);
        Message {
            id: (self.message)(&id),
            text: said,
            sender: if sender == "User" {
                Sender::User
            } else {
                Sender::Machine
            },
            sender_name,
            session_id,
            context_id,
            files: files.map(str::to_owned).collect(),
            category,
            error: map.get("error") == Some(&Json::Bool(true)),
            properties,
            content_blocks: blocks,
            timestamp: time(map.get("timestamp")),
            data,
            usage: None,
        }
    }

    /// Those that came in go out as they are; others are Python's own.
    fn read_tools(&self, map: &Map<String, Json>) -> Value {
        if let Some(tools) = place(map).and_then(|at| self.tables.tools.get(at)) {
            return Value::Tools(Arc::clone(tools));
        }
        let told = map.get("tools").and_then(Json::as_array);
        let tools = told.into_iter().flatten().filter_map(|tool| {
            let text = |key: &str| {
                tool.get(key)
                    .and_then(Json::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            let told = Told {
                name: Some(text("name")).filter(|name| !name.is_empty())?,
                description: text("description"),
                schema: tool
                    .get("schema")
                    .filter(|schema| schema.is_object())
                    .cloned()
                    .unwrap_or_else(|| json!({ "type": "object", "properties": {} })),
            };
            Some((self.tool)(told))
        });
        Value::Tools(tools.collect())
    }
}

/// Something in a list, or in lists in it, is more than plain JSON.
fn holds_kinds(json: &Json) -> bool {
    match json {
        Json::Array(items) => items.iter().any(holds_kinds),
        Json::Object(map) => kind_of(map).is_some(),
        _ => false,
    }
}

fn kind_of(map: &Map<String, Json>) -> Option<&str> {
    let kind = map.get(KIND)?.as_str()?;
    ["Message", "Data", "DataFrame", "Tools", "Live"]
        .contains(&kind)
        .then_some(kind)
}

fn place(map: &Map<String, Json>) -> Option<usize> {
    map.get("ref")
        .and_then(Json::as_u64)
        .and_then(|at| usize::try_from(at).ok())
}

fn read_data(mut map: Map<String, Json>) -> Data {
    let mut data = match map.remove("data").map(flatten) {
        Some(Json::Object(data)) => Data::new(data),
        _ => Data::new(Map::new()),
    };
    if let Some(Json::String(key)) = map.remove("text_key").filter(|key| key != "text") {
        data.text_key = Cow::Owned(key);
    }
    data
}

fn read_table(mut map: Map<String, Json>) -> Table {
    let list = |json: Option<Json>| match json {
        Some(Json::Array(items)) => items,
        _ => Vec::new(),
    };
    let columns = list(map.remove("columns"))
        .into_iter()
        .map(|column| match column {
            Json::String(name) => name,
            other => other.to_string(),
        });
    let mut table = Table::new(columns.collect());
    for row in list(map.remove("rows")) {
        let mut cells: Vec<Json> = list(Some(row)).into_iter().map(flatten).collect();
        cells.resize(table.columns.len(), Json::Null);
        table.cells.push(cells);
    }
    table
}

/// Plain JSON, whatever Python put into its dicts and lists.
pub(super) fn flatten(wire: Json) -> Json {
    match wire {
        Json::Array(items) => items.into_iter().map(flatten).collect(),
        Json::Object(mut map) => match map.get(KIND).and_then(Json::as_str) {
            Some("dict") => {
                let items = match map.remove("items") {
                    Some(Json::Array(items)) => items,
                    _ => Vec::new(),
                };
                let pairs = items.into_iter().filter_map(|pair| match pair {
                    Json::Array(mut pair) if pair.len() == 2 => {
                        let value = pair.pop()?;
                        Some((pair.pop()?.as_str()?.to_owned(), flatten(value)))
                    }
                    _ => None,
                });
                Json::Object(pairs.collect())
            }
            Some("bytes") => map.remove("b64").unwrap_or_default(),
            Some("Data") => Json::Object(read_data(map).map),
            Some("DataFrame") => read_table(map).to_json(),
            Some("Live") => map.remove("kind").unwrap_or_default(),
            Some("Tools") => flatten(map.remove("tools").unwrap_or_default()),
            Some("Message") => {
                map.remove(KIND);
                let data = map.remove("data").map(flatten);
                let mut flat = match data {
                    Some(Json::Object(data)) => data,
                    _ => Map::new(),
                };
                flat.extend(map.into_iter().map(|(key, value)| (key, flatten(value))));
                Json::Object(flat)
            }
            _ => Json::Object(
                map.into_iter()
                    .map(|(key, value)| (key, flatten(value)))
                    .collect(),
            ),
        },
        other => other,
    }
}

/// What came as plain JSON, as the output says it should be: text is a message, an object JSON, rows a table.
pub(super) fn fit(value: Value, types: &[Cow<'static, str>]) -> Value {
    let is = |names: &[&str]| types.iter().any(|known| names.contains(&known.as_ref()));
    let Value::Plain(json) = &value else { return value };
    match &**json {
        Json::String(text) if is(&["Message", "Text"]) => Value::text(text.clone()),
        Json::Object(map) if is(&["Data", "JSON"]) => Value::data(map.clone()),
        Json::Array(rows) if !rows.is_empty() && rows.iter().all(Json::is_object) => {
            if is(&["DataFrame", "Table"]) {
                Value::table(Table::from_rows(value.rows()))
            } else if is(&["Data", "JSON"]) {
                Value::List(value.items().into())
            } else {
                value
            }
        }
        _ => value,
    }
}
