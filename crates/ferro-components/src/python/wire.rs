//! Values on their way to Python; `read.rs` has the way back. What lives only in this process goes as a number: its place in [`Tables`].

use std::sync::Arc;

use ferro_engine::{Cause, Failure, Live, Message, Tool, Value};
use serde_json::{Map, Value as Json, json};

/// Deeper values are refused, by Python too.
const MAX_DEPTH: usize = 60;
pub(super) const KIND: &str = "$type";

/// What Python knows by number only, for one call.
#[derive(Default)]
pub(super) struct Tables {
    pub tools: Vec<Arc<[Tool]>>,
    pub lives: Vec<Live>,
}

impl Tables {
    pub(super) fn write(&mut self, value: &Value) -> Result<Json, Failure> {
        self.write_at(value, 0)
    }

    fn write_at(&mut self, value: &Value, depth: usize) -> Result<Json, Failure> {
        Ok(match value {
            Value::Null => Json::Null,
            Value::Message(message) => message_to_wire(message)?,
            Value::Data(data) => json!({
                KIND: "Data",
                "data": map_to_wire(&data.map, depth + 1)?,
                "text_key": data.text_key,
                "default_value": "",
            }),
            Value::Table(table) => {
                let row = |cells: &Vec<Json>| list_to_wire(cells, depth + 1);
                json!({
                    KIND: "DataFrame",
                    "columns": table.columns,
                    "rows": table.cells.iter().map(row).collect::<Result<Vec<_>, _>>()?,
                    "text_key": "text",
                })
            }
            Value::List(items) => {
                deep_enough(depth)?;
                let items = items.iter().map(|item| self.write_at(item, depth + 1));
                Json::Array(items.collect::<Result<_, _>>()?)
            }
            Value::Plain(json) => plain_to_wire(json, depth)?,
            Value::Tools(tools) => {
                self.tools.push(Arc::clone(tools));
                let told = |tool: &Tool| json!({ "name": tool.name, "description": tool.description, "schema": tool.schema });
                json!({ KIND: "Tools", "ref": self.tools.len() - 1, "tools": tools.iter().map(told).collect::<Vec<_>>() })
            }
            Value::Live(live) => {
                self.lives.push(live.clone());
                json!({ KIND: "Live", "kind": live.kind, "ref": self.lives.len() - 1 })
            }
        })
    }
}

fn deep_enough(depth: usize) -> Result<(), Failure> {
    if depth > MAX_DEPTH {
        return Err(Failure::new(
            Cause::Input,
            format!("a value is nested more than {MAX_DEPTH} levels deep, which Python is not given"),
        )
        .advice("Flatten it before it goes into the component."));
    }
    Ok(())
}

fn plain_to_wire(json: &Json, depth: usize) -> Result<Json, Failure> {
    match json {
        Json::Array(items) => Ok(Json::Array(list_to_wire(items, depth)?)),
        Json::Object(map) => map_to_wire(map, depth),
        other => Ok(other.clone()),
    }
}

fn list_to_wire(items: &[Json], depth: usize) -> Result<Vec<Json>, Failure> {
    deep_enough(depth)?;
    items.iter().map(|item| plain_to_wire(item, depth + 1)).collect()
}

/// An object that says `$type` itself must not be taken for one of ours.
fn map_to_wire(map: &Map<String, Json>, depth: usize) -> Result<Json, Failure> {
    deep_enough(depth)?;
    if map.contains_key(KIND) {
        let pair = |(key, value): (&String, &Json)| Ok(json!([key, plain_to_wire(value, depth + 2)?]));
        let items = map.iter().map(pair).collect::<Result<Vec<Json>, Failure>>()?;
        return Ok(json!({ KIND: "dict", "items": items }));
    }
    let pair = |(key, value): (&String, &Json)| Ok((key.clone(), plain_to_wire(value, depth + 1)?));
    Ok(Json::Object(
        map.iter().map(pair).collect::<Result<_, Failure>>()?,
    ))
}

fn message_to_wire(message: &Message) -> Result<Json, Failure> {
    let mut data = message.data.clone();
    if !message.content_blocks.is_empty() {
        data.insert("content_blocks".to_owned(), message.content_blocks.clone().into());
    }
    // `data` beside the text is Python's for anything else, so a key of its own cannot say what kind the whole is.
    let mut wire = json!({
        KIND: "Message",
        "text": message.text,
        "sender": message.sender.as_str(),
        "sender_name": message.sender_name,
        "session_id": message.session_id,
        "context_id": message.context_id,
        "files": message.files,
        "properties": map_to_wire(&message.properties, 1)?,
        "data": map_to_wire(&data, 1)?,
    });
    if let Some(id) = message.id {
        wire["id"] = id.to_string().into();
    }
    if message.timestamp != 0 {
        wire["timestamp"] = written(message.timestamp).into();
    }
    if !message.category.is_empty() {
        wire["category"] = message.category.clone().into();
    }
    if message.error {
        wire["error"] = true.into();
    }
    Ok(wire)
}

/// As Langflow's messages have it.
fn written(micros: i64) -> String {
    let at = jiff::Timestamp::from_microsecond(micros).unwrap_or_default();
    let form = if micros % 1_000_000 == 0 {
        "%Y-%m-%d %H:%M:%S UTC"
    } else {
        "%Y-%m-%d %H:%M:%S.%6f UTC"
    };
    at.strftime(form).to_string()
}

pub(super) fn time(json: Option<&Json>) -> i64 {
    let text = json.and_then(Json::as_str).unwrap_or_default();
    let text = text.trim_end_matches("UTC").trim();
    let civil: Option<jiff::civil::DateTime> = text.replacen(' ', "T", 1).parse().ok();
    let zoned = civil.and_then(|civil| civil.to_zoned(jiff::tz::TimeZone::UTC).ok());
    let stamp = zoned
        .map(|zoned| zoned.timestamp())
        .or_else(|| text.parse::<jiff::Timestamp>().ok());
    stamp.map_or(0, jiff::Timestamp::as_microsecond)
}

#[cfg(test)]
mod tests;
