//! Code of nodes' own, in a language of one word and a text: `add x` puts the text behind what comes in, `tools x` gives
//! a tool that does, `bad` and `worse` are unsafe. The hash of a code is its length.

use std::sync::Arc;

use ferro_engine::{Call, Called, Component, Entry, Failure, Outputs, OwnCode, OwnNode, Step, Tool, Value};
use ferro_model::Descriptor;
use serde_json::{Value as Json, json};

use super::World;

pub struct FakeCode(pub Arc<World>);

impl OwnCode for FakeCode {
    fn entry(&self, node: OwnNode<'_>) -> Result<Entry, Failure> {
        let component = Coded {
            world: Arc::clone(&self.0),
            code: node.code.to_owned(),
            descriptor: Descriptor::from_node(node.r#type, node.component),
        };
        Ok(Entry {
            descriptor: Arc::new(component.descriptor()),
            component: Arc::new(component),
        })
    }

    fn scan(&self, code: &str) -> Vec<String> {
        let words = code.split(' ').zip(1..);
        words
            .filter(|(word, _)| ["bad", "worse"].contains(word))
            .map(|(word, place)| format!("line {place}: {word} is not safe"))
            .collect()
    }

    fn fits(&self, code: &str, code_hash: &str) -> bool {
        code.len().to_string() == code_hash
    }
}

struct Coded {
    world: Arc<World>,
    code: String,
    descriptor: Descriptor,
}

impl Component for Coded {
    fn descriptor(&self) -> Descriptor {
        self.descriptor.clone()
    }

    fn run(&self, call: Call) -> Step {
        self.world.began(&format!("{}.code", call.node.id));
        let (word, text) = self.code.split_once(' ').unwrap_or((&self.code, ""));
        let text = text.to_owned();
        assert!(!call.field_names().any(|name| name == "code"), "code is no field");
        match word {
            "tools" => {
                let tool = Tool {
                    name: "add".to_owned(),
                    description: String::new(),
                    schema: json!({ "type": "object", "properties": { "in": { "type": "string" } } }),
                    approval: false,
                    call: Arc::new(move |arguments, _| {
                        let given = arguments.get("in").and_then(Json::as_str).unwrap_or_default();
                        let said = format!("{given}{text}");
                        Box::pin(async move { Ok(Called::from(Value::text(said))) })
                    }),
                };
                Step::later(async move { Ok(Outputs::one("out", Value::Tools([tool].into()))) })
            }
            _ => {
                let said = format!("{}{text}", call.text("in"));
                Step::later(async move { Ok(Outputs::one("out", Value::text(said))) })
            }
        }
    }
}
