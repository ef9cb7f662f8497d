//! Whatever a model does in a turn, one step takes it back and one step does it again.

use ferro_model::Document;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::bench::Bench;
use crate::fake::chatbot;

const TYPES: [&str; 6] = [
    "Agent",
    "ChatInput",
    "Prompt",
    "URLComponent",
    "ParserComponent",
    "LanguageModelComponent",
];
const OUTPUTS: [&str; 5] = [
    "message",
    "response",
    "component_as_tool",
    "prompt",
    "model_output",
];
const INPUTS: [&str; 5] = ["input_value", "tools", "model", "system_prompt", "who"];

/// One call out of five numbers; ids are taken from the flow as it is then.
fn call(bench: &Bench, numbers: [usize; 5]) -> (&'static str, Json) {
    let [what, one, two, three, four] = numbers;
    let ids = bench.kit.work.look(|document| document.ids().to_vec());
    let id = |number: usize| match ids.is_empty() {
        true => "nobody".to_owned(),
        false => ids[number % ids.len()].clone(),
    };
    match what % 7 {
        0 | 1 => (
            "add_component",
            json!({ "component_type": TYPES[one % TYPES.len()] }),
        ),
        2 => ("remove_component", json!({ "component_id": id(one) })),
        3 => (
            "connect_components",
            json!({
                "source_id": id(one), "source_output": OUTPUTS[two % OUTPUTS.len()],
                "target_id": id(three), "target_input": INPUTS[four % INPUTS.len()],
            }),
        ),
        4 => (
            "disconnect_components",
            json!({ "source_id": id(one), "target_id": id(two) }),
        ),
        5 => {
            let values = [
                json!({ "system_prompt": format!("Be {two}.") }),
                json!({ "template": format!("Say {{who}} and {{n{two}}}") }),
                json!({ "model": "gpt-4o" }),
                json!({ "tool_mode": true }),
                json!({ "urls": "https://example.com" }),
            ];
            let params = &values[three % values.len()];
            (
                "configure_component",
                json!({ "component_id": id(one), "params": params }),
            )
        }
        _ => (
            "rename_component",
            json!({ "component_id": id(one), "name": format!("Name {two}") }),
        ),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn one_step_takes_any_turn_back(calls in prop::collection::vec(any::<[u8; 5]>(), 1..25)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let before = chatbot();
        let bench = Bench::on(before.clone());
        runtime.block_on(async {
            for numbers in calls {
                let (tool, arguments) = call(&bench, numbers.map(usize::from));
                // Refused or not: a refusal must leave everything as it was.
                let text = bench.kit.work.data();
                if bench.call(tool, arguments).await.is_err() {
                    assert_eq!(bench.kit.work.data(), text);
                }
            }
        });
        if let Some(changed) = bench.kit.work.changed() {
            let mut document = Document::new(&before);
            changed.patch.apply(&mut document).unwrap();
            prop_assert_eq!(document.text(), changed.data.as_str());
            changed.patch.inverse().apply(&mut document).unwrap();
            prop_assert_eq!(document.text(), before.as_str());
        }
    }
}
