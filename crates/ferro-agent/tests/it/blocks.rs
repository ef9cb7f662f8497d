//! What people see of it.

use expect_test::expect;
use ferro_agent::{Blocks, Ended};
use ferro_llm::ChatEvent;

use crate::support::{Script, agent, broken, calls, run, says, upper};

#[tokio::test(start_paused = true)]
async fn blocks_tell_what_happened_in_order() {
    let mut first = vec![
        Ok(ChatEvent::Reasoning("hm".to_owned())),
        Ok(ChatEvent::Reasoning("m".to_owned())),
        Ok(ChatEvent::Text("I look.".to_owned())),
    ];
    first.extend(calls(&[
        ("shout", r#"{"text":"a"}"#),
        ("find", r#"{"text":"b"}"#),
    ]));
    let model = Script::new([first, says("found")]);
    let (ended, heard) = run(&agent(&model, vec![upper("shout"), broken("find")])).await;
    let mut live = Blocks::default();
    for event in heard.events() {
        live.add(&event);
    }
    let Ended::Answer(answer) = ended.unwrap() else {
        panic!("an answer")
    };
    assert_eq!(answer.blocks, live, "who listens can show the same");
    expect![[r#"
        [
          {
            "type": "reasoning",
            "text": "hmm"
          },
          {
            "type": "text",
            "text": "I look."
          },
          {
            "type": "tool_use",
            "id": "call_0",
            "name": "shout",
            "tool_input": {
              "text": "a"
            },
            "output": "A",
            "error": null,
            "duration": 0,
            "header": {
              "title": "Executed **shout**",
              "icon": "Hammer"
            }
          },
          {
            "type": "tool_use",
            "id": "call_1",
            "name": "find",
            "tool_input": {
              "text": "b"
            },
            "output": null,
            "error": "no such city",
            "duration": 0,
            "header": {
              "title": "Failed to use **find**",
              "icon": "Hammer"
            }
          },
          {
            "type": "text",
            "text": "found"
          }
        ]"#]]
    .assert_eq(&serde_json::to_string_pretty(&live.to_json()).unwrap());
}
