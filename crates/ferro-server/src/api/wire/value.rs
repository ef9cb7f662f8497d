//! What nodes produced, as shown to people: written straight from the shared values, large parts cut.

use std::borrow::Cow;

use ferro_engine::{Table, Value};
use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::{Map, Value as Json};

use super::message::{Blocks, Ids, MessageRead};
use super::meta::Limits;
use super::shortened;

/// What Langflow calls this kind of value beside an output.
pub fn log_type(value: &Value) -> &'static str {
    match value {
        Value::Message(_) => "text",
        Value::Data(_) => "object",
        Value::Table(_) | Value::List(_) | Value::Tools(_) => "array",
        Value::Plain(json) => json_type(json),
        Value::Null | Value::Live(_) => "unknown",
    }
}

pub fn json_type(json: &Json) -> &'static str {
    match json {
        Json::String(_) | Json::Number(_) | Json::Bool(_) => "text",
        Json::Object(_) => "object",
        Json::Array(_) => "array",
        Json::Null => "unknown",
    }
}

/// The type of its port, in the words of the second API.
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Message(_) => "message",
        Value::Data(_) => "data",
        Value::Table(_) => "dataframe",
        Value::List(_) => "list",
        Value::Plain(json) if json.is_string() => "text",
        Value::Plain(_) => "data",
        Value::Tools(_) => "tool",
        Value::Live(_) => "live",
        Value::Null => "unknown",
    }
}

/// The text, where the value is one.
pub fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Message(message) => Some(&message.text),
        Value::Plain(json) => json.as_str(),
        _ => None,
    }
}

/// One line about a value.
pub fn summary(value: &Value) -> String {
    const FEW: Limits = Limits { text: 500, items: 10 };
    let as_json = || {
        let text = serde_json::to_string(&Shown(value, FEW)).unwrap_or_default();
        shortened(&text, FEW.text).into_owned()
    };
    match value {
        Value::Null => String::new(),
        Value::Table(table) => format!("{} rows, {} columns", table.len(), table.columns.len()),
        Value::List(items) => format!("{} values", items.len()),
        Value::Tools(tools) => format!("{} tools", tools.len()),
        Value::Live(live) => live.kind.to_string(),
        Value::Message(message) => shortened(&message.text, FEW.text).into_owned(),
        Value::Data(data) => match data.map.get(&*data.text_key).and_then(Json::as_str) {
            Some(text) => shortened(text, FEW.text).into_owned(),
            None => as_json(),
        },
        Value::Plain(json) => match json.as_str() {
            Some(text) => shortened(text, FEW.text).into_owned(),
            None => as_json(),
        },
    }
}

/// A value for people: a message as its text, a table as its rows.
pub struct Shown<'a>(pub &'a Value, pub Limits);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value, limits) = *self;
        match value {
            Value::Null => serializer.serialize_str(""),
            Value::Message(message) => serializer.serialize_str(&shortened(&message.text, limits.text)),
            Value::Data(data) => CutMap(&data.map, limits).serialize(serializer),
            Value::Table(table) => rows(table, limits, serializer),
            Value::List(items) => several(items, limits, serializer, |item| Shown(item, limits)),
            Value::Plain(json) => Cut(json, limits).serialize(serializer),
            // Few and small: what a tool is called and takes.
            Value::Tools(_) | Value::Live(_) => value.to_json().serialize(serializer),
        }
    }
}

/// A value the way Langflow writes its classes: a message and a `Data` with their own members around the payload.
pub struct Whole<'a> {
    pub value: &'a Value,
    pub ids: &'a Ids,
    pub limits: Limits,
}

#[derive(Serialize)]
struct WholeMessage<'a> {
    text_key: &'static str,
    data: &'a MessageRead<'a>,
    default_value: &'static str,
    #[serde(flatten)]
    message: &'a MessageRead<'a>,
}

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { value, ids, limits } = *self;
        match value {
            Value::Message(message) => {
                let message = &MessageRead::new(message, ids, Blocks::Grouped);
                WholeMessage {
                    text_key: "text",
                    data: message,
                    default_value: "",
                    message,
                }
                .serialize(serializer)
            }
            Value::Data(data) => {
                let mut whole = serializer.serialize_map(Some(3))?;
                whole.serialize_entry("text_key", &data.text_key)?;
                whole.serialize_entry("data", &CutMap(&data.map, limits))?;
                whole.serialize_entry("default_value", "")?;
                whole.end()
            }
            Value::List(items) => several(items, limits, serializer, |value| Whole { value, ids, limits }),
            other => Shown(other, limits).serialize(serializer),
        }
    }
}

/// JSON with long texts and lists cut.
pub struct Cut<'a>(pub &'a Json, pub Limits);

impl Serialize for Cut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(json, limits) = *self;
        match json {
            Json::String(text) => serializer.serialize_str(&shortened(text, limits.text)),
            Json::Array(items) => several(items, limits, serializer, |item| Cut(item, limits)),
            Json::Object(map) => CutMap(map, limits).serialize(serializer),
            other => other.serialize(serializer),
        }
    }
}

struct CutMap<'a>(&'a Map<String, Json>, Limits);

impl Serialize for CutMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, Cut(value, self.1))))
    }
}

/// A table as a list of objects.
fn rows<S: Serializer>(table: &Table, limits: Limits, serializer: S) -> Result<S::Ok, S::Error> {
    let columns = &table.columns;
    several(&table.cells, limits, serializer, |cells| Row {
        columns,
        cells,
        limits,
    })
}

struct Row<'a> {
    columns: &'a [String],
    cells: &'a [Json],
    limits: Limits,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.cells.iter().chain(std::iter::repeat(&Json::Null));
        serializer.collect_map(self.columns.iter().zip(cells.map(|cell| Cut(cell, self.limits))))
    }
}

/// The first so many, then how many there are besides.
fn several<'a, S: Serializer, I, T: Serialize>(
    items: &'a [I],
    limits: Limits,
    serializer: S,
    shape: impl Fn(&'a I) -> T,
) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(None)?;
    for item in items.iter().take(limits.items) {
        list.serialize_element(&shape(item))?;
    }
    if items.len() > limits.items {
        list.serialize_element(&format!("… ({} more)", items.len() - limits.items))?;
    }
    list.end()
}

/// A log line's message, cut.
pub fn cut_text(json: &Json, limits: Limits) -> Cow<'_, Json> {
    match json {
        Json::String(text) if text.len() > limits.text => {
            Cow::Owned(Json::String(shortened(text, limits.text).into_owned()))
        }
        other => Cow::Borrowed(other),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(record: Json, expected: &Expect) {
        let limits = Limits { text: 8, items: 2 };
        let value = &Value::from_record(record).unwrap();
        let shown = serde_json::to_string(&Shown(value, limits)).unwrap();
        let ids = &Ids::default();
        let whole = match value {
            Value::Message(_) => String::new(),
            _ => serde_json::to_string(&Whole { value, ids, limits }).unwrap(),
        };
        let (kind, log_type, summary) = (kind(value), log_type(value), summary(value));
        expected.assert_eq(&format!("{shown}\n{whole}\n{kind} {log_type}: {summary}"));
    }

    #[test]
    fn values_are_shown_as_people_expect() {
        check(
            json!({ "message": { "text": "a long answer" } }),
            &expect![[r#"
                "a long a… (5 more bytes)"

                message text: a long answer"#]],
        );
        check(
            json!({ "data": { "text": "t", "n": [1, 2, 3] }, "key": "text" }),
            &expect![[r#"
                {"text":"t","n":[1,2,"… (1 more)"]}
                {"text_key":"text","data":{"text":"t","n":[1,2,"… (1 more)"]},"default_value":""}
                data object: t"#]],
        );
        check(
            json!({ "table": { "columns": ["a", "b"], "cells": [[1, 2], [3], [5, 6]] } }),
            &expect![[r#"
                [{"a":1,"b":2},{"a":3,"b":null},"… (1 more)"]
                [{"a":1,"b":2},{"a":3,"b":null},"… (1 more)"]
                dataframe array: 3 rows, 2 columns"#]],
        );
        check(
            json!({ "list": [{ "plain": 1 }, { "data": {}, "key": "text" }] }),
            &expect![[r#"
                [1,{}]
                [1,{"text_key":"text","data":{},"default_value":""}]
                list array: 2 values"#]],
        );
        check(
            json!({ "plain": { "x": true } }),
            &expect![[r#"
                {"x":true}
                {"x":true}
                data object: {"x":true}"#]],
        );
        check(
            json!(null),
            &expect![[r#"
                ""
                ""
                unknown unknown: "#]],
        );
    }
}
