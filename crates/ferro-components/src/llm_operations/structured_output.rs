//! Gets values out of a text, in a form you describe.
//!
//! | field | what it does |
//! |---|---|
//! | Language Model | which model |
//! | Input Message | the text |
//! | Output Schema | the values you want: a name, what belongs into it, its type, and whether there can be several |
//! | Format Instructions | what the model is told about the task |
//! | Schema Name | a name for the whole |
//!
//! **Outputs.** *Structured Output* is one JSON object, or `{"results": […]}` when the text holds several. *Structured Table*
//! has a row for each.
//!
//! **Example.** Rows `name` (str) and `price` (float) turn `A lamp for 30 and a chair for 45.5` into two objects.
//!
//! **Common mistakes.** The schema needs at least one row. What the text does not say comes back as null: check for it
//! further on.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Table, Value};
use ferro_llm::{ChatMessage, ChatRequest, Format, Models, StopReason};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

use crate::llm::{self, LanguageModel};

pub(super) struct StructuredOutput {
    pub models: Models,
}

const OBJECT: &str = "structured_output";
const TABLE: &str = "dataframe_output";
const INSTRUCTIONS: &str = "Read the text and fill in the wanted fields from it. Make one object for every thing the text \
     describes, usually one. Take values from the text alone; where it says nothing, use null. Answer with JSON only.";

impl Component for StructuredOutput {
    fn descriptor(&self) -> Descriptor {
        let mut descriptor = Descriptor::new("StructuredOutput", "Structured Output")
            .category("llm_operations")
            .icon("braces")
            .description("Gets values out of a text, in a form you describe.")
            .help(include_str!("structured_output.rs"));
        for field in llm::language_fields(false) {
            descriptor = descriptor.field(field);
        }
        let rows = json!([{ "name": "field", "description": "description of field", "type": "str", "multiple": "False" }]);
        descriptor
            .field(
                FieldSpec::message("input_value", "Input Message")
                    .required()
                    .tool()
                    .info("The text."),
            )
            .field(
                FieldSpec::multiline("system_prompt", "Format Instructions")
                    .value(INSTRUCTIONS)
                    .required()
                    .advanced()
                    .info("What the model is told about the task."),
            )
            .field(
                FieldSpec::message_text("schema_name", "Schema Name")
                    .advanced()
                    .info("A name for what is wanted."),
            )
            .field(
                llm::schema_table("output_schema", rows)
                    .required()
                    .info("The values you want."),
            )
            .output(OutputSpec::new(
                OBJECT,
                "Structured Output",
                "build_structured_output",
                &["JSON"],
            ))
            .output(OutputSpec::new(
                TABLE,
                "Structured Table",
                "build_structured_dataframe",
                &["Table"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let models = self.models.clone();
        Step::later(async move {
            let model = llm::open(&models, &call).await?;
            extract(&call, &model).await
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        llm::refresh(node, field, value);
        Ok(())
    }
}

async fn extract(call: &Call, model: &LanguageModel) -> Result<Outcome, Failure> {
    let text = call.required_text("input_value")?;
    let rows = call
        .get("output_schema")
        .map(|value| value.rows())
        .unwrap_or_default();
    let one = llm::from_rows("output_schema", &rows)?;
    let name = Some(call.text("schema_name")).filter(|name| !name.trim().is_empty());
    let name: String = name
        .unwrap_or_else(|| "OutputModel".to_owned())
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let properties = one.get("properties").and_then(Json::as_object);
    let names: Vec<String> = properties.map_or_else(Vec::new, |all| all.keys().cloned().collect());
    let schema = json!({
        "type": "object",
        "required": ["objects"],
        "additionalProperties": false,
        "properties": { "objects": { "type": "array", "items": one } },
    });
    let system = Some(call.text("system_prompt")).filter(|text| !text.trim().is_empty());
    let mut request = ChatRequest::new(vec![
        ChatMessage::system(system.unwrap_or_else(|| INSTRUCTIONS.to_owned())),
        ChatMessage::user(text),
    ]);
    request.format = Format::Schema { name, schema };
    let (response, usage) = llm::ask_quietly(call, model, request).await?;
    if response.stop == Some(StopReason::Length) {
        // Half a list would look like a whole one once it is mended.
        return Err(
            Failure::limit("the model's answer was cut off, so that values may be missing from it")
                .advice("Raise Max Tokens of the model, or give it less text at a time."),
        );
    }
    let objects = objects(&response.text).ok_or_else(|| {
        let shown: String = response.text.chars().take(200).collect();
        Failure::outside("the model did not answer with the JSON it was asked for")
            .advice("Try again, or choose a model that can give structured answers.")
            .detail(shown)
    })?;
    if objects.is_empty() {
        return Err(Failure::outside("the model found nothing in the text").advice(
            "Check the text and the schema: their words should have something to do with each other.",
        ));
    }
    let complete = |object| complete(object, &names);
    let objects: Vec<Map<String, Json>> = objects.into_iter().map(complete).collect();
    let whole = match <[_; 1]>::try_from(objects.clone()) {
        Ok([one]) => Value::data(one),
        Err(several) => {
            let list = several.into_iter().map(Json::Object).collect();
            Value::data(Map::from_iter([("results".to_owned(), Json::Array(list))]))
        }
    };
    let mut outputs = Outputs::new()
        .with(OBJECT, whole)
        .with(TABLE, Value::table(Table::from_rows(objects)));
    outputs.usage = usage;
    Ok(outputs.done())
}

/// Every wanted value in its order, null where the answer has none, then whatever else it has.
fn complete(mut object: Map<String, Json>, names: &[String]) -> Map<String, Json> {
    let mut whole = Map::new();
    for name in names {
        whole.insert(name.clone(), object.remove(name).unwrap_or_default());
    }
    whole.extend(object);
    whole
}

/// The objects in an answer: in the wrapper that was asked for, alone, or as a list; fences are forgiven.
fn objects(answer: &str) -> Option<Vec<Map<String, Json>>> {
    let json = crate::text::loose::repaired(answer)?;
    let list = match json {
        Json::Object(mut map) => match map.remove("objects") {
            Some(Json::Array(items)) => items,
            Some(other) => vec![other],
            None => vec![Json::Object(map)],
        },
        Json::Array(items) => items,
        _ => return None,
    };
    list.into_iter()
        .map(|item| match item {
            Json::Object(map) => Some(map),
            _ => None,
        })
        .collect()
}
