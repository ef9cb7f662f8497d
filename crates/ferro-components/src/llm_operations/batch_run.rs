//! Asks a model about every row of a table.
//!
//! | field | what it does |
//! |---|---|
//! | Language Model | which model |
//! | Instructions | what the model should do with each row |
//! | Table | the rows |
//! | Column Name | the column that is sent; empty sends the whole row as `key = value` lines |
//! | Output Column Name | where the answer goes: `model_response` unless you change it |
//! | Enable Metadata | adds a column `metadata` with the model, the length of text and answer, and any error |
//!
//! The answer is the table with the answers and a column `batch_index`. Rows are asked several at a time and stay in
//! their order.
//!
//! **Example.** Read File (CSV) → Batch Run with `Is this review positive or negative? One word.` → Chat Output.
//!
//! **Common mistakes.** A column that does not exist is an error that names the columns there are. When one row fails, the
//! node fails, unless Enable Metadata is on: then the row says what happened and the others go on.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Table, Usage, Value};
use ferro_llm::{ChatMessage, ChatRequest, Models};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::{Map, Value as Json, json};

use crate::llm::{self, LanguageModel};

pub(super) struct BatchRun {
    pub models: Models,
}

/// Rows asked at once: enough to be quick, few enough for a provider's limits.
const AT_ONCE: usize = 8;

impl Component for BatchRun {
    fn descriptor(&self) -> Descriptor {
        let mut descriptor = Descriptor::new("BatchRunComponent", "Batch Run")
            .category("llm_operations")
            .icon("list-checks")
            .description("Asks a model about every row of a table.")
            .help(include_str!("batch_run.rs"));
        for field in llm::language_fields(false) {
            descriptor = descriptor.field(field);
        }
        descriptor
            .field(
                FieldSpec::multiline("system_message", "Instructions")
                    .info("What the model should do with each row."),
            )
            .field(
                FieldSpec::handle("df", "Table", &["DataFrame", "Table"])
                    .required()
                    .info("The rows."),
            )
            .field(
                FieldSpec::message_text("column_name", "Column Name")
                    .info("The column that is sent; empty for the whole row."),
            )
            .field(
                FieldSpec::message_text("output_column_name", "Output Column Name")
                    .value("model_response")
                    .advanced()
                    .info("Where the answers go."),
            )
            .field(
                FieldSpec::bool("enable_metadata", "Enable Metadata", false)
                    .advanced()
                    .info("Adds a column about each answer; a failed row then does not stop the others."),
            )
            .output(OutputSpec::new(
                "batch_results",
                "LLM Results",
                "run_batch",
                &["Table"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let models = self.models.clone();
        Step::later(async move {
            let model = llm::open(&models, &call).await?;
            run(&call, &model).await
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        llm::refresh(node, field, value);
        Ok(())
    }
}

async fn run(call: &Call, model: &LanguageModel) -> Result<Outcome, Failure> {
    call.required("df")?;
    let Some(table) = call.table("df")? else {
        return Err(Failure::input("df", "Table is empty").advice("Wire a table into it."));
    };
    let column = call.text("column_name");
    if !column.is_empty() && table.column(&column).is_none() {
        return Err(
            Failure::input("column_name", format!("the table has no column `{column}`"))
                .advice(format!("Use one of {}.", table.columns.join(", "))),
        );
    }
    let output = Some(call.text("output_column_name")).filter(|name| !name.is_empty());
    let output = output.unwrap_or_else(|| "model_response".to_owned());
    let system = call.text("system_message");
    let with_metadata = call.bool("enable_metadata");
    let rows: Vec<Map<String, Json>> = table.rows().collect();
    let asked = stream::iter(rows.into_iter().enumerate().map(|(index, mut row)| {
        let text = if column.is_empty() {
            lines(&row)
        } else {
            shown(row.get(&column))
        };
        let mut messages = Vec::new();
        if !system.trim().is_empty() {
            messages.push(ChatMessage::system(system.clone()));
        }
        messages.push(ChatMessage::user(text.clone()));
        let output = &output;
        async move {
            let answer = llm::ask_quietly(call, model, ChatRequest::new(messages)).await;
            let (answer, usage, about) = judged(model, &text, answer, with_metadata)?;
            row.insert(output.clone(), answer.into());
            row.insert("batch_index".to_owned(), index.into());
            if with_metadata {
                row.insert("metadata".to_owned(), about);
            }
            Ok((row, usage))
        }
    }))
    .buffered(AT_ONCE);
    let done: Vec<(Map<String, Json>, Option<Usage>)> = asked.try_collect().await?;
    let mut usage: Option<Usage> = None;
    let mut rows = Vec::with_capacity(done.len());
    for (row, spent) in done {
        if let Some(spent) = spent {
            *usage.get_or_insert_default() += spent;
        }
        rows.push(row);
    }
    let mut outputs = Outputs::new().with("batch_results", Value::table(Table::from_rows(rows)));
    outputs.usage = usage;
    Ok(outputs.done())
}

/// The answer's text, and what is told about it. A failure counts as an answer when there is a place to tell it.
fn judged(
    model: &LanguageModel,
    text: &str,
    answer: Result<(ferro_llm::ChatResponse, Option<Usage>), Failure>,
    with_metadata: bool,
) -> Result<(String, Option<Usage>, Json), Failure> {
    let (answer, usage, error) = match answer {
        Ok((response, usage)) => (response.text, usage, None),
        Err(failure) if with_metadata && failure.cause != ferro_engine::Cause::Cancelled => {
            (String::new(), None, Some(failure.message))
        }
        Err(failure) => return Err(failure),
    };
    let about = json!({
        "model": model.info().name,
        "input_length": text.chars().count(),
        "response_length": answer.chars().count(),
        "processing_status": if error.is_some() { "failed" } else { "success" },
        "error": error,
    });
    Ok((answer, usage, about))
}

/// A row as a model reads it best: one line for each value.
fn lines(row: &Map<String, Json>) -> String {
    let line = |(key, value): (&String, &Json)| format!("{key} = {}", shown(Some(value)));
    row.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn shown(value: Option<&Json>) -> String {
    value
        .map(|value| crate::text::template::show(value).into_owned())
        .unwrap_or_default()
}
