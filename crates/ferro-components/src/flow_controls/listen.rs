//! Gives what a Notify component with the same key was handed.
//!
//! - **Context Key**: the name of the value, as the Notify component spells it.
//!
//! It runs after every Notify of that key. One value comes as it is, several as a list; when no Notify of that key
//! ran, an empty text comes.
//!
//! Example: see Notify.
//!
//! Common mistakes: keys that differ in case or in a space; a Notify on a branch that was not taken says nothing.

use ferro_engine::{Call, Component, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

/// The field in which the engine brings what Notify components were handed.
const NOTIFIED: &str = "__notified";

pub(super) struct Listen;

impl Component for Listen {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("Listen", "Listen")
            .category("flow_controls")
            .icon("radio")
            .description("Gives the value that a Notify component with the same key was handed.")
            .help(include_str!("listen.rs"))
            .field(
                FieldSpec::message_text("context_key", "Context Key")
                    .info("The name of the value.")
                    .required(),
            )
            .output(OutputSpec::new("data", "Data", "listen_for_data", &["JSON"]))
    }

    fn run(&self, call: Call) -> Step {
        let outcome = call.required_text("context_key").map(|_| {
            let value = match call.get(NOTIFIED).map(std::borrow::Cow::into_owned) {
                Some(Value::List(items)) if items.len() == 1 => items[0].clone(),
                Some(value) => value,
                None => Value::text(""),
            };
            Outputs::one("data", value)
        });
        outcome.into()
    }
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo, Outcome};
    use serde_json::json;

    use super::*;

    fn heard(wired: Vec<(&str, Value)>) -> String {
        let Ok(fields) = serde_json::from_value(json!({ "context_key": "city" })) else {
            panic!("fields")
        };
        let call = Call::new(NodeInfo::default(), fields, wired, Context::nowhere());
        let Step::Now(Ok(Outcome::Done(outputs))) = Listen.run(call) else {
            panic!("it answers at once")
        };
        outputs.get("data").unwrap().to_text().into_owned()
    }

    #[test]
    fn gives_what_was_said() {
        assert_eq!(heard(vec![(NOTIFIED, Value::text("Oslo"))]), "Oslo");
        let several = Value::List([Value::text("Oslo"), Value::text("Rome")].into());
        assert_eq!(heard(vec![(NOTIFIED, several)]), "Oslo\nRome");
        assert_eq!(heard(vec![]), "");
    }

    #[test]
    fn needs_a_key() {
        let call = Call::new(
            NodeInfo::default(),
            serde_json::Map::new(),
            vec![],
            Context::nowhere(),
        );
        assert!(matches!(Listen.run(call), Step::Now(Err(_))));
    }
}
