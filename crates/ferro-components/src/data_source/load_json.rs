//! Loads JSON. New flows use Read File.
//!
//! - **JSON File**, **JSON File Path**, **JSON String**: fill in exactly one of them.
//!
//! An object gives one JSON value, a list of objects gives a list of them. Small mistakes such as trailing commas or
//! single quotes are mended.
//!
//! Example: the string `[{"a": 1}, {"a": 2}]` gives two objects.
//!
//! Common mistakes: filling in two of the three sources; a file with one object on each line is not JSON.

use ferro_engine::{Call, Component, Data, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use super::one_source;
use crate::text::{fields, loose};
use crate::wait::busy;

pub(super) struct LoadJson;

impl Component for LoadJson {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("JSONtoData", "Load JSON")
            .category("data_source")
            .icon("braces")
            .description("Loads JSON from a file or a text.")
            .help(include_str!("load_json.rs"))
            .legacy()
            .field(FieldSpec::file("json_file", "JSON File", &["json"]).info("One of your files."))
            .field(
                FieldSpec::message_text("json_path", "JSON File Path").info("The path of one of your files."),
            )
            .field(FieldSpec::multiline("json_string", "JSON String").info("The JSON itself."))
            .output(OutputSpec::new("data", "JSON", "convert_json_to_data", &["JSON"]))
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move {
            let text = one_source::text(&call, "json").await?;
            let value = busy(&call.cx, move || parse(&text)).await?;
            Ok(Outputs::one("data", value))
        })
    }
}

fn parse(text: &str) -> Result<Value, Failure> {
    let json = match serde_json::from_str(text.trim()) {
        Ok(json) => json,
        Err(error) => loose::repaired(text).ok_or_else(|| {
            Failure::input("json_string", "This is not JSON")
                .advice("Correct it.")
                .detail(error.to_string())
        })?,
    };
    let wrapped = |value: Json| match value {
        Json::Object(map) => Data::new(map),
        other => {
            let mut map = Map::new();
            map.insert("value".to_owned(), other);
            Data::new(map)
        }
    };
    Ok(match json {
        Json::Array(items) => fields::list(items.into_iter().map(wrapped)),
        other => Value::Data(wrapped(other).into()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_lists_and_plain_values() {
        assert_eq!(parse("{\"a\": 1}").unwrap().to_json(), json!({ "a": 1 }));
        assert_eq!(
            parse("[{\"a\": 1}, 2]").unwrap().to_json(),
            json!([{ "a": 1 }, { "value": 2 }])
        );
        assert_eq!(
            parse("nothing like it <").unwrap_err().field.as_deref(),
            Some("json_string")
        );
    }

    #[tokio::test]
    async fn exactly_one_source() {
        let call = Call::new(
            ferro_engine::NodeInfo::default(),
            Map::new(),
            vec![],
            ferro_engine::Context::nowhere(),
        );
        let Step::Later(work) = LoadJson.run(call) else {
            panic!("it takes a while")
        };
        assert!(work.await.unwrap_err().message.contains("nothing"));
    }
}
