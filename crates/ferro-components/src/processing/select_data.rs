//! Takes one object out of a list.
//!
//! **Data List** is the list, or the rows of a table. **Data Index** is which one: 0 is the first, 1 the second, -1 the last.
//!
//! **Example.** Of three search results, the index 0 gives the best one, and -1 the last one.
//!
//! What comes out is the object as it is, ready for Parser or JSON Operations.
//!
//! **Common mistakes.** Counting begins at 0. An index beyond the end is an error that says how many there are.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::{int_or, objects, paced, weight};

pub(crate) struct SelectData;

impl Component for SelectData {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("SelectData", "Select Data")
            .category("processing")
            .icon("list-check")
            .description("Takes one object out of a list.")
            .help(include_str!("select_data.rs"))
            .legacy()
            .field(
                FieldSpec::handle("data_list", "Data List", &["Data", "JSON"])
                    .class("DataInput")
                    .list()
                    .info("The list."),
            )
            .field(FieldSpec::int("data_index", "Data Index", 0).info("Which one; 0 is the first."))
            .output(OutputSpec::new(
                "selected_data",
                "Selected Data",
                "select_data",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_list"), move || select(&call))
    }
}

fn select(call: &Call) -> Result<Outcome, Failure> {
    let mut items = objects(call, "data_list")?;
    let index = int_or(call, "data_index", 0)?;
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let place = if index < 0 {
        index.saturating_add(count)
    } else {
        index
    };
    if !(0..count).contains(&place) {
        return Err(Failure::input(
            "data_index",
            format!("There is no object number {index}: the list has {count}"),
        )
        .advice(if count == 0 {
            "Check why the list is empty.".to_owned()
        } else {
            format!("Use 0 to {}.", count - 1)
        }));
    }
    let chosen = items.swap_remove(usize::try_from(place).unwrap_or_default());
    Ok(Outputs::one("selected_data", Value::Data(chosen.into())))
}
