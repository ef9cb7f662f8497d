//! Loads comma-separated values as a list of JSON objects, one for each row. New flows use Read File.
//!
//! - **CSV File**, **CSV File Path**, **CSV String**: fill in exactly one of them.
//! - **Text Key**: the column that counts as the text of a row.
//!
//! Columns of numbers become numbers, empty cells become null. Commas, semicolons and tabs are told apart by the first
//! line.
//!
//! Example: the string `name,age` and, on the next line, `Ada,36` gives `[{"name": "Ada", "age": 36}]`.
//!
//! Common mistakes: the first line must hold the names of the columns; filling in two of the three sources.

use std::borrow::Cow;

use ferro_engine::{Call, Component, Data, Outputs, Step};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use super::one_source;
use crate::documents::separated;
use crate::text::fields;
use crate::wait::busy;

pub(super) struct LoadCsv;

impl Component for LoadCsv {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("CSVtoData", "Load CSV")
            .category("data_source")
            .icon("file-spreadsheet")
            .description("Loads comma-separated values as JSON.")
            .help(include_str!("load_csv.rs"))
            .legacy()
            .field(FieldSpec::file("csv_file", "CSV File", &["csv"]).info("One of your files."))
            .field(
                FieldSpec::message_text("csv_path", "CSV File Path").info("The path of one of your files."),
            )
            .field(FieldSpec::multiline("csv_string", "CSV String").info("The values themselves."))
            .field(
                FieldSpec::message_text("text_key", "Text Key")
                    .info("The column that counts as the text.")
                    .value("text"),
            )
            .output(OutputSpec::new(
                "data_list",
                "JSON List",
                "load_csv_to_data",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move {
            let text = one_source::text(&call, "csv").await?;
            let table = busy(&call.cx, move || {
                separated::read(text.trim_start_matches(['\n', '\r']))
            })
            .await?;
            let key = fields::text_or(&call, "text_key", "text");
            let rows = table.rows().map(|row| {
                let mut data = Data::new(row);
                if !key.is_empty() {
                    data.text_key = Cow::Owned(key.clone());
                }
                data
            });
            Ok(Outputs::one("data_list", fields::list(rows)))
        })
    }
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, Failure, NodeInfo, Outcome, Value};
    use serde_json::{Value as Json, json};

    use super::*;

    async fn run(fields: Json) -> Result<Value, Failure> {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let call = Call::new(NodeInfo::default(), fields, vec![], Context::nowhere());
        let Step::Later(work) = LoadCsv.run(call) else {
            panic!("it takes a while")
        };
        let Outcome::Done(outputs) = work.await? else {
            panic!("it is done")
        };
        Ok(outputs.get("data_list").cloned().unwrap_or_default())
    }

    #[tokio::test]
    async fn rows_become_objects() {
        let loaded = run(json!({ "csv_string": "name,age\nAda,36\n", "text_key": "name" }))
            .await
            .unwrap();
        assert_eq!(loaded.to_json(), json!([{ "name": "Ada", "age": 36 }]));
        assert_eq!(loaded.to_text(), "Ada");
    }

    #[tokio::test]
    async fn exactly_one_source() {
        assert!(run(json!({})).await.unwrap_err().message.contains("nothing"));
        let both = run(json!({ "csv_string": "a\n1", "csv_path": "x.csv" }))
            .await
            .unwrap_err();
        assert!(both.message.contains("more than one"));
        assert!(
            run(json!({ "csv_path": "x.csv" })).await.is_err(),
            "nobody to ask for files"
        );
    }
}
