//! Hands a value to every Listen component with the same key, without a wire.
//!
//! - **Context Key**: the name under which the value is known. Listen components with this key get it.
//! - **Input Data**: the value: JSON, a message or a table.
//! - **Append**: off, the newest value counts. On, values pile up, and Listen gets all of them as a list.
//!
//! The value also leaves through **Data**, so that the flow can go on from here.
//!
//! Example: Notify with key `city` and the text `Oslo`; a Listen with key `city` elsewhere in the flow gives `Oslo`.
//!
//! Common mistakes: keys that differ in case or in a space; expecting a value in the next run (a run begins with
//! no values at all); a wire would do, and is easier to follow.

use ferro_engine::{Call, Component, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

pub(super) struct Notify;

impl Component for Notify {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("Notify", "Notify")
            .category("flow_controls")
            .icon("bell")
            .description("Hands a value to every Listen component with the same key.")
            .help(include_str!("notify.rs"))
            .field(
                FieldSpec::text("context_key", "Context Key")
                    .info("The name of the value.")
                    .required(),
            )
            .field(
                FieldSpec::handle(
                    "input_value",
                    "Input Data",
                    &["Data", "JSON", "Message", "DataFrame", "Table"],
                )
                .info("The value to hand on."),
            )
            .field(
                FieldSpec::bool("append", "Append", false)
                    .info("Keep earlier values of this key too, instead of replacing them."),
            )
            .output(OutputSpec::new("result", "Data", "notify_components", &["JSON"]))
    }

    fn run(&self, call: Call) -> Step {
        let outcome = call.required_text("context_key").map(|_| {
            let value = call
                .get("input_value")
                .map_or_else(|| Value::text(""), std::borrow::Cow::into_owned);
            Outputs::one("result", value)
        });
        outcome.into()
    }
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo, Outcome};
    use serde_json::json;

    use super::*;

    fn run(key: &str) -> Result<Outcome, ferro_engine::Failure> {
        let Ok(fields) = serde_json::from_value(json!({ "context_key": key })) else {
            panic!("fields")
        };
        let wired = vec![("input_value", Value::text("Oslo"))];
        let Step::Now(outcome) =
            Notify.run(Call::new(NodeInfo::default(), fields, wired, Context::nowhere()))
        else {
            panic!("it answers at once")
        };
        outcome
    }

    #[test]
    fn hands_its_value_on() {
        let Outcome::Done(outputs) = run("city").unwrap() else {
            panic!("it is done")
        };
        assert_eq!(outputs.get("result").unwrap().to_text(), "Oslo");
    }

    #[test]
    fn needs_a_key() {
        assert_eq!(run("").unwrap_err().field.as_deref(), Some("context_key"));
    }
}
