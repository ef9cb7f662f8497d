//! Does one of several things to a table.
//!
//! | operation | what comes out |
//! |---|---|
//! | Add Column | the table with one more column, the same value in each row |
//! | Concatenate | the rows of all tables that are wired in, one below the other |
//! | Drop Column, Rename Column, Select Columns | fewer columns, another name, only those you name |
//! | Filter | rows whose cell compares as you say |
//! | Head, Tail | the first or last rows |
//! | Merge | two tables side by side, matched on a column both have |
//! | Replace Value | another value wherever a column holds a certain one |
//! | Sort | rows in the order of a column, empty cells last |
//! | Drop Duplicates | the first of rows that have the same value in a column, or in all of them |
//!
//! Choose the **Operation** first: the fields that belong to it appear then.
//!
//! **Example.** Filter with the column `price`, *greater than* and `10` keeps what costs more than ten.
//!
//! **Common mistakes.** Names of columns are exact: `Price` is not `price`. Numbers are compared as numbers when both sides are
//! numbers, otherwise as text, where `9` comes after `10`. Merge needs both tables on its own two ports, not on the first one.

use ferro_engine::{Call, Component, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use super::table_work::{OPERATIONS, apply, effort, fields as operation_fields};
use crate::text::fields::{self, choice, chosen, paced};

pub(crate) struct DataFrameOperations;

impl Component for DataFrameOperations {
    fn descriptor(&self) -> Descriptor {
        let options: Vec<_> = OPERATIONS.iter().map(|(name, icon, _)| (*name, *icon)).collect();
        let descriptor = Descriptor::new("DataFrameOperations", "Table Operations")
            .category("processing")
            .icon("table")
            .description("Filters, sorts, joins or changes tables.")
            .help(include_str!("dataframe_operations.rs"))
            .legacy()
            .field(
                FieldSpec::handle("df", "Table", &["DataFrame", "Table"])
                    .class("DataFrameInput")
                    .required()
                    .list()
                    .info("The table to work on; several to concatenate."),
            )
            .field(
                FieldSpec::sortable_list("operation", "Operation", &options)
                    .refresh()
                    .set("limit", 1)
                    .info("What to do with it."),
            )
            .output(OutputSpec::new(
                "output",
                "Table",
                "perform_operation",
                &["Table"],
            ));
        operation_fields().into_iter().fold(descriptor, Descriptor::field)
    }

    fn run(&self, call: Call) -> Step {
        paced(effort(&call), move || {
            Ok(Outputs::one(
                "output",
                Value::table(apply(&call, &chosen(&call, "operation"))?),
            ))
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field == "operation" {
            refresh(node, &choice(value));
        }
        Ok(())
    }
}

fn refresh(node: &mut Json, operation: &str) {
    let all: Vec<&str> = OPERATIONS
        .iter()
        .flat_map(|(_, _, names)| names.iter().copied())
        .collect();
    let shown = OPERATIONS
        .iter()
        .find(|(name, ..)| *name == operation)
        .map_or(&[][..], |(_, _, names)| names);
    fields::show_only(node, &all, shown);
    // Merge reads its own two ports: the first one would be reported as missing.
    fields::set(node, "df", "required", operation != "Merge");
}
