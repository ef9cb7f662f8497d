//! Makes a JSON object out of fields that you define in a table.
//!
//! Each row of **Input Configuration** is a field: its name and what kind of value it takes. After the table is saved, the
//! node has these fields, and each can be typed into or wired.
//!
//! | type | what the value becomes |
//! |---|---|
//! | Text | a text |
//! | Number | a number; a text that is none is refused |
//! | Boolean | true or false |
//! | Data, Handle | whatever the wire brings, as JSON |
//!
//! **Include Metadata** adds the names and types under `form_metadata`. The second output gives the same as a Message with one
//! line per field.
//!
//! **Example.** The rows `title` (Text) and `stars` (Number) give `{"title": "Dune", "stars": 5}`.
//!
//! **Common mistakes.** Names must differ. A field without a value is null in the JSON and left out of the Message.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

use crate::text::fields;
use crate::text::tabular::number;
use crate::text::template::show;

pub(crate) struct DynamicCreateData;

const PREFIX: &str = "dynamic_";
const TYPES: [&str; 5] = ["Text", "Data", "Number", "Handle", "Boolean"];
const MAX: usize = 100;

impl Component for DynamicCreateData {
    fn descriptor(&self) -> Descriptor {
        let schema = json!([
            { "name": "field_name", "display_name": "Field Name", "type": "str", "description": "What the key is called." },
            {
                "name": "field_type",
                "display_name": "Type",
                "type": "str",
                "description": "What kind of value it takes.",
                "options": TYPES,
                "default": "Text",
            },
        ]);
        Descriptor::new("DynamicCreateData", "Dynamic Create Data")
            .category("processing")
            .icon("list-filter")
            .description("Makes a JSON object out of fields you define.")
            .help(include_str!("dynamic_create_data.rs"))
            .field(
                FieldSpec::table("form_fields", "Input Configuration", schema, json!([]))
                    .refresh()
                    .info("One row per field."),
            )
            .field(
                FieldSpec::bool("include_metadata", "Include Metadata", false)
                    .advanced()
                    .info("Add the names and types of the fields."),
            )
            .output(OutputSpec::new("form_data", "Data", "process_form", &["JSON"]))
            .output(OutputSpec::new("message", "Message", "get_message", &["Message"]))
    }

    fn run(&self, call: Call) -> Step {
        Step::Now(create(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field != "form_fields" {
            return Ok(());
        }
        let form = form(value)?;
        let present: Vec<String> = fields::template(node)
            .map(|template| {
                template
                    .keys()
                    .filter(|name| name.starts_with(PREFIX))
                    .cloned()
                    .collect()
            })
            .unwrap_or_default();
        for name in &present {
            let kept = form.iter().any(|(known, kind)| {
                name.strip_prefix(PREFIX) == Some(known)
                    && node["template"][name]["type"] == *entry(known, kind).r#type
            });
            if !kept {
                fields::remove_field(node, name);
            }
        }
        for (name, kind) in &form {
            fields::add_field(node, &entry(name, kind));
        }
        Ok(())
    }
}

/// Name and type of each field, in the order of the rows.
fn form(rows: &Json) -> Result<Vec<(String, String)>, Failure> {
    let mut form: Vec<(String, String)> = Vec::new();
    for row in Value::from_json(rows.clone()).rows() {
        let cell = |key: &str| {
            row.get(key)
                .map(|cell| show(cell).trim().to_owned())
                .unwrap_or_default()
        };
        let (name, kind) = (cell("field_name"), cell("field_type"));
        if name.is_empty() {
            continue;
        }
        if form.iter().any(|(known, _)| *known == name) {
            return Err(
                Failure::input("form_fields", format!("Two fields are called {name:?}"))
                    .advice("Give each its own name."),
            );
        }
        if form.len() == MAX {
            return Err(
                Failure::input("form_fields", format!("There are more than {MAX} fields"))
                    .advice("Use fewer fields."),
            );
        }
        form.push((name, if kind.is_empty() { "Text".to_owned() } else { kind }));
    }
    Ok(form)
}

fn entry(name: &str, kind: &str) -> FieldSpec {
    let field = format!("{PREFIX}{name}");
    match kind {
        "Number" => FieldSpec::float(&field, name, 0.0).accepts(&["Message"]),
        "Boolean" => FieldSpec::bool(&field, name, false),
        "Data" => FieldSpec::handle(&field, name, &["Data", "JSON"]),
        "Handle" => FieldSpec::handle(&field, name, &["Message", "Data", "JSON", "DataFrame", "Table"]),
        _ => FieldSpec::multiline(&field, name),
    }
}

fn create(call: &Call) -> Result<Outcome, Failure> {
    let form = form(&call.json("form_fields"))?;
    let mut map = Map::new();
    for (name, kind) in &form {
        map.insert(name.clone(), value(call, name, kind)?);
    }
    let lines: Vec<String> = map
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| format!("{name}: {}", show(value)))
        .collect();
    if call.bool("include_metadata") {
        let described: Json = form
            .iter()
            .map(|(name, kind)| json!({ "field_name": name, "field_type": kind }))
            .collect();
        map.insert("form_metadata".to_owned(), described);
    }
    Ok(Outputs::new()
        .with("form_data", Value::data(map))
        .with("message", Value::text(lines.join("\n")))
        .done())
}

fn value(call: &Call, name: &str, kind: &str) -> Result<Json, Failure> {
    let field = format!("{PREFIX}{name}");
    let Some(value) = call.get(&field) else {
        return Ok(Json::Null);
    };
    Ok(match kind {
        "Number" => {
            let text = value.to_text();
            number(&text).ok_or_else(|| {
                Failure::input(
                    &field,
                    format!(
                        "{name} is not a number: {:?}",
                        text.chars().take(40).collect::<String>()
                    ),
                )
                .advice("Give it a number, or change its type to Text.")
            })?
        }
        "Boolean" => call.bool(&field).into(),
        "Data" | "Handle" => match &*value {
            Value::Message(message) => message.text.clone().into(),
            other => other.to_json(),
        },
        _ => value.to_text().into(),
    })
}
