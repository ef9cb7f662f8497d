//! Turns a Message, JSON or a Table into one of the others.
//!
//! | from | to Message | to JSON | to Table |
//! |---|---|---|---|
//! | Message | itself | `{"text": …}` | one row with the column `text` |
//! | JSON | a fenced block | itself | one row, or the rows of its `results` |
//! | Table | a markdown table | `{"results": [rows]}` | itself |
//!
//! **Output Type** chooses which output the node has. **Auto Parse** reads a text that is JSON or comma-separated values
//! instead of wrapping it: then `{"a": 1}` becomes that object, and `a,b` over `1,2` becomes a table.
//!
//! **Example.** A model answers with a JSON list. With Auto Parse and the type Table each object is a row, ready for
//! Data Operations or Loop.
//!
//! **Common mistakes.** Without Auto Parse a text is never looked into. With it, a text that is neither JSON nor a table is
//! wrapped as before, not refused.

use std::sync::Arc;

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use crate::text::fields::{self, paced, weight};
use crate::text::show::{Tidy, stringify};
use crate::text::tabular;

pub(crate) struct TypeConverter;

impl Component for TypeConverter {
    fn descriptor(&self) -> Descriptor {
        let mut descriptor = Descriptor::new("TypeConverterComponent", "Type Convert")
            .category("processing")
            .icon("repeat")
            .description("Turns a Message, JSON or a Table into one of the others.")
            .help(include_str!("type_converter.rs"))
            .field(
                FieldSpec::handle(
                    "input_data",
                    "Input",
                    &["Message", "Data", "JSON", "DataFrame", "Table"],
                )
                .required()
                .info("What to convert."),
            )
            .field(
                FieldSpec::bool("auto_parse", "Auto Parse", false)
                    .advanced()
                    .info("Read texts that are JSON or comma-separated values."),
            )
            .field(
                FieldSpec::tab(
                    "output_type",
                    "Output Type",
                    &["Message", "JSON", "Table"],
                    "Message",
                )
                .refresh()
                .info("What comes out."),
            );
        descriptor.outputs = ["Message", "JSON", "Table"].map(output).to_vec();
        descriptor
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "input_data"), move || convert(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field == "output_type" {
            fields::set_outputs(node, &[output(value.as_str().unwrap_or_default())]);
        }
        Ok(())
    }
}

/// Older files say `Data` and `DataFrame`.
fn output(kind: &str) -> OutputSpec {
    match kind {
        "JSON" | "Data" => OutputSpec::new("data_output", "JSON Output", "convert_to_data", &["JSON"]),
        "Table" | "DataFrame" => OutputSpec::new(
            "dataframe_output",
            "Table Output",
            "convert_to_dataframe",
            &["Table"],
        ),
        _ => OutputSpec::new(
            "message_output",
            "Message Output",
            "convert_to_message",
            &["Message"],
        ),
    }
}

fn convert(call: &Call) -> Result<Outcome, Failure> {
    let input = call.required("input_data")?;
    let read = if call.bool("auto_parse") {
        parsed(&input)
    } else {
        None
    };
    let source = read.as_ref().unwrap_or(&input);
    let chosen = output(&call.text("output_type"));
    let mut outputs = Outputs::new();
    for name in ["message_output", "data_output", "dataframe_output"] {
        let wired = call.node.wired_outputs.iter().any(|wired| wired == name);
        if name != chosen.name && !wired {
            continue;
        }
        let value = match name {
            "data_output" => Value::Data(Arc::new(to_data(source))),
            "dataframe_output" => Value::Table(to_table(source)),
            _ => to_message(&input),
        };
        outputs = outputs.with(name, value);
    }
    Ok(outputs.done())
}

fn to_message(value: &Value) -> Value {
    match value {
        Value::Message(_) => value.clone(),
        other => Value::text(stringify(other, Tidy::AsIs)),
    }
}

pub(super) fn to_data(value: &Value) -> Data {
    let results = |rows: Json| Data::new(Map::from_iter([("results".to_owned(), rows)]));
    match value {
        Value::Data(data) => (**data).clone(),
        Value::Table(table) => results(table.to_json()),
        Value::List(items) => match &**items {
            [one] => to_data(one),
            _ => results(value.to_json()),
        },
        Value::Plain(json) => match &**json {
            Json::Object(map) => Data::new(map.clone()),
            Json::Array(_) => results((**json).clone()),
            _ => Data::from_text(&value.to_text()),
        },
        other => Data::from_text(&other.to_text()),
    }
}

pub(super) fn to_table(value: &Value) -> Arc<Table> {
    match value {
        Value::Table(table) => Arc::clone(table),
        Value::Data(data) if data.map.len() == 1 => match data.map.get("results") {
            Some(Json::Array(rows)) if rows.iter().all(Json::is_object) => Arc::new(Table::from_rows(
                Value::from_json(Json::Array(rows.clone())).rows(),
            )),
            _ => Arc::new(Table::from_rows(value.rows())),
        },
        other => Arc::new(Table::from_rows(other.rows())),
    }
}

/// What a text turns out to hold; `None` when it is just text.
fn parsed(value: &Value) -> Option<Value> {
    let text = match value {
        Value::Message(message) => message.text.trim(),
        Value::Plain(json) => json.as_str()?.trim(),
        Value::Data(data) if data.map.len() == 1 => data.map.get(&*data.text_key)?.as_str()?.trim(),
        _ => return None,
    };
    let text = text
        .strip_prefix("```json")
        .and_then(|rest| rest.strip_suffix("```"))
        .unwrap_or(text);
    if text.trim_start().starts_with(['{', '[']) {
        return serde_json::from_str(text).ok().map(Value::from_json);
    }
    tabular::from_csv(text).map(Value::table)
}
