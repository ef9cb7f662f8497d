//! Changes data as you say in plain words.
//!
//! | field | what it does |
//! |---|---|
//! | Data | what comes in: JSON, a table or a message |
//! | Language Model | which model works out the change |
//! | Instructions | what should be done, such as `keep the rows with a price above 10 and sort them by name` |
//! | Sample Size | how much of large data the model is shown |
//! | Max Size | data up to this many characters is shown whole |
//!
//! The model never gets to run code here. It writes a query (the jq language, as in Data Operations) from your words and the
//! shape of the data, and the query is run over all of it: large data stays exact and costs no more than small data.
//! The query is shown in the node's log.
//!
//! **Outputs.** *Data* is JSON, *Table* has a row for each result, *Message* is the result as text.
//!
//! **Example.** From a list of orders: `sum of price by customer`.
//!
//! **Common mistakes.** Changes that need understanding of each text, such as translating, are for Batch Run: a query cannot
//! do them.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Table, Usage, Value};
use ferro_llm::{ChatMessage, ChatRequest, Format, Models};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

use crate::llm::{self, LanguageModel};
use crate::text::{fields, loose, query};

pub(super) struct SmartTransform {
    pub models: Models,
}

/// How often the model may try.
const TRIES: usize = 3;

const TASK: &str = "You turn a person's words into one query in the jq language over the JSON value they describe. You may use: \
     paths (.a.b, .[0], .[], .[\"a b\"]), pipes, object and list construction, select, map, sort_by, group_by, unique_by, min_by, \
     max_by, add, length, keys, to_entries, from_entries, with_entries, any, all, if then else, comparisons, arithmetic, test, \
     split, join, ascii_downcase, ascii_upcase, tostring, tonumber, range, first, last, limit, del. You may not use: def, \
     reduce, foreach, assignments, input, env, variables other than with `as`. Answer with JSON only: {\"query\": \"…\"}.";

impl Component for SmartTransform {
    fn descriptor(&self) -> Descriptor {
        let mut descriptor = Descriptor::new("Smart Transform", "Smart Transform")
            .aliases(&["LambdaFilterComponent"])
            .category("llm_operations")
            .icon("wand-sparkles")
            .description("Changes data as you say in plain words.")
            .help(include_str!("smart_transform.rs"))
            .field(
                FieldSpec::handle("data", "Data", &["Data", "JSON", "DataFrame", "Table", "Message"])
                    .list()
                    .required()
                    .info("What is changed."),
            );
        for field in llm::language_fields(false) {
            descriptor = descriptor.field(field);
        }
        descriptor
            .field(
                FieldSpec::multiline("filter_instruction", "Instructions")
                    .required()
                    .info("What should be done, in plain words."),
            )
            .field(
                FieldSpec::int("sample_size", "Sample Size", 1000)
                    .advanced()
                    .info("Characters the model is shown from the beginning and the end of large data."),
            )
            .field(
                FieldSpec::int("max_size", "Max Size", 30_000)
                    .advanced()
                    .info("Data up to this many characters is shown whole."),
            )
            .output(OutputSpec::new(
                "data_output",
                "Output",
                "process_as_data",
                &["JSON"],
            ))
            .output(OutputSpec::new(
                "dataframe_output",
                "Output",
                "process_as_dataframe",
                &["Table"],
            ))
            .output(OutputSpec::new(
                "message_output",
                "Output",
                "process_as_message",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let models = self.models.clone();
        Step::later(async move {
            let model = llm::open(&models, &call).await?;
            transform(&call, &model).await
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        llm::refresh(node, field, value);
        Ok(())
    }
}

async fn transform(call: &Call, model: &LanguageModel) -> Result<Outcome, Failure> {
    let wanted = call.required_text("filter_instruction")?;
    let input = incoming(call)?;
    let mut messages = vec![
        ChatMessage::system(TASK),
        ChatMessage::user(format!("{}\n\nWhat to do: {wanted}", described(call, &input)?)),
    ];
    let mut usage: Option<Usage> = None;
    let mut last = Failure::outside("the model gave no query");
    for _ in 0..TRIES {
        let mut request = ChatRequest::new(messages.clone());
        request.format = Format::Schema {
            name: "query".to_owned(),
            schema: json!({
                "type": "object",
                "required": ["query"],
                "additionalProperties": false,
                "properties": { "query": { "type": "string", "description": "the jq query", "default": "." } },
            }),
        };
        let (response, spent) = llm::ask_quietly(call, model, request).await?;
        if let Some(spent) = spent {
            *usage.get_or_insert_default() += spent;
        }
        let said = loose::repaired(&response.text);
        let written = said
            .as_ref()
            .and_then(|json| json.get("query"))
            .and_then(Json::as_str);
        let Some(written) = written.map(str::trim).filter(|written| !written.is_empty()) else {
            last = Failure::outside("the model did not answer with a query")
                .detail(response.text.chars().take(200).collect::<String>());
            messages.push(ChatMessage::assistant(response.text));
            messages.push(ChatMessage::user("Answer with JSON only: {\"query\": \"…\"}."));
            continue;
        };
        call.cx.log("Query", written);
        match query::run(written, &input, "filter_instruction") {
            Ok(found) => return Ok(outputs(found, usage)),
            Err(failure) => {
                messages.push(ChatMessage::assistant(json!({ "query": written }).to_string()));
                messages.push(ChatMessage::user(format!(
                    "That query does not work: {failure}. Write another one."
                )));
                last = failure;
            }
        }
    }
    Err(
        Failure::outside(format!("the model found no query that works in {TRIES} tries"))
            .advice("Say it more simply, or use Data Operations with a query of your own.")
            .detail(last.message),
    )
}

/// What comes in as one JSON value: rows as a list, text as a string unless it is JSON itself.
fn incoming(call: &Call) -> Result<Json, Failure> {
    let value = call.required("data")?;
    let plain = |value: &Value| match value {
        Value::Message(message) => {
            serde_json::from_str(&message.text).unwrap_or_else(|_| message.text.clone().into())
        }
        other => other.to_json(),
    };
    Ok(match &*value {
        Value::List(items) => match &**items {
            [one] => plain(one),
            several => several.iter().map(plain).collect(),
        },
        one => plain(one),
    })
}

/// The data as the model is shown it: whole when it is small, else its shape and its ends.
fn described(call: &Call, input: &Json) -> Result<String, Failure> {
    let text = input.to_string();
    let max = fields::count(call, "max_size", 30_000, 1)?;
    if text.len() <= max {
        return Ok(format!("The value:\n{text}"));
    }
    let sample = fields::count(call, "sample_size", 1000, 1)?;
    let head: String = text.chars().take(sample).collect();
    let tail: Vec<char> = text.chars().rev().take(sample).collect();
    let tail: String = tail.into_iter().rev().collect();
    let paths = query::paths(input);
    Ok(format!(
        "The value is large. Paths in it:\n{}\n\nIt begins with:\n{head}\n\nand ends with:\n{tail}",
        paths.join("\n")
    ))
}

fn outputs(mut found: Vec<Json>, usage: Option<Usage>) -> Outcome {
    let one = if found.len() == 1 {
        found.remove(0)
    } else {
        Json::Array(found)
    };
    let rows: Vec<Map<String, Json>> = match &one {
        Json::Array(items) => items.iter().map(row).collect(),
        other => vec![row(other)],
    };
    let text = match &one {
        Json::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    };
    let data = match one {
        Json::Object(map) => Value::data(map),
        Json::Array(items) => Value::data(Map::from_iter([("_results".to_owned(), Json::Array(items))])),
        other => Value::data(Map::from_iter([("text".to_owned(), other)])),
    };
    let mut outputs = Outputs::new()
        .with("data_output", data)
        .with("dataframe_output", Value::table(Table::from_rows(rows)))
        .with("message_output", Value::text(text));
    outputs.usage = usage;
    outputs.done()
}

fn row(json: &Json) -> Map<String, Json> {
    match json {
        Json::Object(map) => map.clone(),
        other => Map::from_iter([("value".to_owned(), other.clone())]),
    }
}
