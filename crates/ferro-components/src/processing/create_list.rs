//! Makes a list out of texts.
//!
//! Each text of **Texts** becomes an object `{"text": …}`. The outputs give the same list as JSON and as a table with the column
//! `text`.
//!
//! **Example.** `red`, `green` and `blue` make three rows that a Loop can go through.
//!
//! **Common mistakes.** Empty texts are left out. A text with commas or line breaks is still one text: cut it with Split Text.

use ferro_engine::{Call, Component, Data, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::list;

pub(crate) struct CreateList;

impl Component for CreateList {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("CreateList", "Create List")
            .category("processing")
            .icon("list")
            .description("Makes a list out of texts.")
            .help(include_str!("create_list.rs"))
            .legacy()
            .field(FieldSpec::text("texts", "Texts").list().info("One entry each."))
            .output(OutputSpec::new("list", "Data List", "create_list", &["JSON"]))
            .output(OutputSpec::new("dataframe", "Table", "as_dataframe", &["Table"]))
    }

    fn run(&self, call: Call) -> Step {
        let items: Vec<Data> = call
            .texts("texts")
            .iter()
            .map(|text| Data::from_text(text))
            .collect();
        let table = Table::from_rows(items.iter().map(|data| data.map.clone()));
        Step::Now(Ok(Outputs::new()
            .with("list", list(items))
            .with("dataframe", Value::table(table))
            .done()))
    }
}
