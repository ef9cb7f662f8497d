//! Cuts long text into chunks, one row each.
//!
//! The text is cut at the separator, and the pieces are put together again until a chunk is full. Each chunk begins
//! with the last pieces of the one before, so that no thought is torn in two.
//!
//! | field | what it does |
//! |---|---|
//! | Input | texts to cut: Messages, JSON or rows of a table |
//! | Chunk Size | how many characters a chunk may have |
//! | Chunk Overlap | how many characters chunks may share |
//! | Separator | where to cut; `\n` is a line break, `\n\n` a paragraph, nothing means anywhere |
//! | Text Key | the key or column that holds the text |
//! | Keep Separator | whether separators stay, at the start or the end of a piece |
//! | Clean Output | gives only the text, without the other columns of its source |
//!
//! **Example.** Read File → Split Text (size 1000, overlap 200, separator `\n\n`) → Knowledge.
//!
//! **Common mistakes.** A piece without a separator stays whole, even when it is longer than a chunk may be: choose a
//! separator that occurs, or take Recursive Character Text Splitter. The overlap must not be larger than a chunk.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use crate::text::fields::{count, missing_key, paced, text_or, weight};
use crate::text::split::{Keep, Sizes, by_separator};
use crate::text::template::{show, unescape};

pub(crate) struct SplitText;

impl Component for SplitText {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("SplitText", "Split Text")
            .category("processing")
            .icon("scissors-line-dashed")
            .description("Cuts text into chunks.")
            .help(include_str!("split_text.rs"))
            .field(
                FieldSpec::handle(
                    "data_inputs",
                    "Input",
                    &["Data", "JSON", "DataFrame", "Table", "Message"],
                )
                .required()
                .info("Texts to cut."),
            )
            .field(
                FieldSpec::int("chunk_overlap", "Chunk Overlap", 200)
                    .info("Characters that chunks may share."),
            )
            .field(FieldSpec::int("chunk_size", "Chunk Size", 1000).info("Characters a chunk may have."))
            .field(
                FieldSpec::message_text("separator", "Separator")
                    .value("\n")
                    .info("Where to cut. \\n is a line break."),
            )
            .field(
                FieldSpec::message_text("text_key", "Text Key")
                    .value("text")
                    .advanced()
                    .info("The key or column that holds the text."),
            )
            .field(
                FieldSpec::dropdown(
                    "keep_separator",
                    "Keep Separator",
                    &["False", "True", "Start", "End"],
                    "False",
                )
                .advanced()
                .info("Whether separators stay, and on which side."),
            )
            .field(
                FieldSpec::bool("clean_output", "Clean Output", false)
                    .advanced()
                    .info("Only the text, without other columns."),
            )
            .output(OutputSpec::new("dataframe", "Chunks", "split_text", &["Table"]))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_inputs"), move || split(&call))
    }
}

fn split(call: &Call) -> Result<Outcome, Failure> {
    let sizes = Sizes::new(
        count(call, "chunk_size", 1000, 1)?,
        count(call, "chunk_overlap", 200, 0)?,
    )?;
    let separator = separator(&text_or(call, "separator", "\n"));
    let keep = match call.text("keep_separator").to_lowercase().as_str() {
        "true" | "start" => Keep::Start,
        "end" => Keep::End,
        _ => Keep::No,
    };
    let key = Some(call.text("text_key"))
        .filter(|key| !key.is_empty())
        .unwrap_or_else(|| "text".to_owned());
    let input = call.required("data_inputs")?;
    let mut rows = Vec::new();
    for mut row in sources(&input, &key) {
        let text = match row.remove(&key) {
            Some(text) => show(&text).into_owned(),
            None => return Err(missing_key("text_key", &key, &row)),
        };
        if call.bool("clean_output") {
            row.clear();
        }
        for chunk in by_separator(&text, &separator, keep, sizes)? {
            let mut out = Map::from_iter([(key.clone(), Json::String(chunk))]);
            out.extend(row.clone());
            rows.push(out);
        }
    }
    Ok(Outputs::one("dataframe", Value::table(Table::from_rows(rows))))
}

/// Rows with the text under `key`. A Message has its text whatever the key is called.
fn sources(input: &Value, key: &str) -> Vec<Map<String, Json>> {
    let mut rows = Vec::new();
    for item in input.items() {
        match item {
            Value::Message(message) => {
                rows.push(Map::from_iter([(key.to_owned(), message.text.clone().into())]))
            }
            Value::Data(data) if !data.map.contains_key(key) && data.map.contains_key(&*data.text_key) => {
                let Data { mut map, text_key } = (*data).clone();
                let text = map.remove(&*text_key).unwrap_or_default();
                map.insert(key.to_owned(), text);
                rows.push(map);
            }
            Value::Plain(json) if json.is_string() => {
                rows.push(Map::from_iter([(key.to_owned(), (*json).clone())]));
            }
            other => rows.extend(other.rows()),
        }
    }
    rows
}

/// `/n` and `/t` are a common slip for `\n` and `\t`.
fn separator(written: &str) -> String {
    match written {
        "/n" => "\n".to_owned(),
        "/t" => "\t".to_owned(),
        "/n/n" => "\n\n".to_owned(),
        other => unescape(other),
    }
}
