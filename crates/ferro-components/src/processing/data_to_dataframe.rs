//! Makes a table out of JSON objects.
//!
//! **Data or Data List** is one object or several. Each becomes a row; each key becomes a column. What an object lacks stays
//! empty.
//!
//! **Example.** `{"name": "Ada", "age": 36}` and `{"name": "Bob"}` make two rows, the second without an age.
//!
//! **Common mistakes.** Lists and objects inside an object stay one cell: take them out first with JSON Operations.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::{objects, paced, weight};

pub(crate) struct DataToDataFrame;

impl Component for DataToDataFrame {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("DataToDataFrame", "Data → DataFrame")
            .category("processing")
            .icon("table")
            .description("Makes a table out of JSON objects.")
            .help(include_str!("data_to_dataframe.rs"))
            .legacy()
            .field(
                FieldSpec::handle("data_list", "Data or Data List", &["Data", "JSON"])
                    .class("DataInput")
                    .list()
                    .info("One row each."),
            )
            .output(OutputSpec::new(
                "dataframe",
                "Table",
                "build_dataframe",
                &["Table"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_list"), move || build(&call))
    }
}

fn build(call: &Call) -> Result<Outcome, Failure> {
    let rows = objects(call, "data_list")?.into_iter().map(|data| data.map);
    Ok(Outputs::one("dataframe", Value::table(Table::from_rows(rows))))
}
