//! Runs a part of the flow once for each item.
//!
//! - **Inputs**: a table (its rows are the items), a list, one JSON object or a message.
//! - **Item**: wire it into the first component of the part that is to run again and again. The last component of
//!   that part is wired back into **Item**: what it gives is the result of the round.
//! - **Done**: the results of all rounds as a table, in the order of the items. It comes when the last round is over.
//!
//! Rounds run one after the other, each on its own: nothing of one round is seen in the next.
//!
//! Example: a table of titles → Loop; Item → Parser → Language Model → back into Item; Done → Chat Output.
//!
//! Common mistakes: no wire back into **Item** (there is nothing to collect then); a round that fails ends the
//! loop; an empty table runs no round and gives an empty table.

use ferro_engine::{Call, Component, Data, Outcome, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

pub(super) struct LoopEach;

impl Component for LoopEach {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("LoopComponent", "Loop")
            .category("flow_controls")
            .icon("infinity")
            .description("Runs what hangs on Item once for each row or item, and collects the results.")
            .help(include_str!("loop_each.rs"))
            .field(
                FieldSpec::handle("data", "Inputs", &["DataFrame", "Table", "Data", "Message"])
                    .info("What to go through, row by row."),
            )
            .output(
                OutputSpec::new("item", "Item", "item_output", &["Data", "JSON"])
                    .loops(&["Message"])
                    .group(),
            )
            .output(OutputSpec::new("done", "Done", "done_output", &["DataFrame", "Table"]).group())
    }

    fn run(&self, call: Call) -> Step {
        let outcome = match call.collected {
            Some(results) => done(&results),
            None => {
                let items: Vec<Value> = call.get("data").map(|data| data.items()).unwrap_or_default();
                if items.is_empty() {
                    done(&[])
                } else {
                    Outcome::Each(items.into_iter().map(as_item).collect())
                }
            }
        };
        Ok(outcome).into()
    }
}

fn done(results: &[Value]) -> Outcome {
    let table = Table::from_rows(results.iter().flat_map(Value::rows));
    let status = serde_json::json!({ "count": results.len() });
    let why = match results.len() {
        0 => "there was nothing to go through, so no round".to_owned(),
        1 => "one item, so one round".to_owned(),
        many => format!("{many} items, so {many} rounds"),
    };
    Outputs::new()
        .with("done", Value::table(table))
        .stop("item")
        .status(status)
        .because(why)
        .done()
}

/// `Item` carries JSON: a text becomes `{"text": …}`.
fn as_item(value: Value) -> Value {
    match &value {
        Value::Message(message) => match message.to_json() {
            Json::Object(map) => Value::data(map),
            _ => value,
        },
        Value::Plain(json) if !json.is_object() => Value::Data(Data::from_text(&value.to_text()).into()),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo};
    use serde_json::json;

    use super::*;

    fn call(data: Value) -> Call {
        Call::new(
            NodeInfo::default(),
            serde_json::Map::new(),
            vec![("data", data)],
            Context::nowhere(),
        )
    }

    fn run(call: Call) -> Outcome {
        let Step::Now(Ok(outcome)) = LoopEach.run(call) else {
            panic!("it answers at once")
        };
        outcome
    }

    #[test]
    fn gives_the_rows_one_by_one() {
        let Outcome::Each(items) = run(call(Value::from_json(json!([{ "a": 1 }, { "a": 2 }])))) else {
            panic!("items are gone through")
        };
        assert_eq!(
            items.iter().map(Value::to_json).collect::<Vec<_>>(),
            [json!({ "a": 1 }), json!({ "a": 2 })]
        );
        let Outcome::Each(items) = run(call(Value::text("hi"))) else {
            panic!("a message is one item")
        };
        assert_eq!(items[0].to_text(), "hi");
        assert_eq!(items[0].kind(), "JSON");
    }

    #[test]
    fn collects_results_into_a_table() {
        let mut call = call(Value::Null);
        call.collected = Some(vec![Value::text("x"), Value::from_json(json!({ "text": "y" }))]);
        let Outcome::Done(outputs) = run(call) else {
            panic!("it is done")
        };
        let Some(Value::Table(table)) = outputs.get("done") else {
            panic!("a table")
        };
        let texts: Vec<_> = table.rows().map(|row| row["text"].clone()).collect();
        assert_eq!(texts, [json!("x"), json!("y")]);
    }

    #[test]
    fn nothing_to_go_through_is_done_at_once() {
        let Outcome::Done(outputs) = run(call(Value::table(Table::default()))) else {
            panic!("it is done")
        };
        let Some(Value::Table(table)) = outputs.get("done") else {
            panic!("a table")
        };
        assert!(table.is_empty());
        assert_eq!(outputs.stopped, ["item"]);
    }
}
