//! What the chat shows and keeps of an answer while it is being written.

use std::collections::BTreeSet;

use ferro_engine::Body;
use ferro_testkit::Turn;

use crate::flows::{Ran, World};

fn agent(output: &str) -> String {
    format!(
        "
nodes:
  in: ChatInput
  bot: Agent
  out: ChatOutput
edges:
  in.message -> bot.input_value
  bot.{output} -> out.input_value
config:
  bot.add_calculator_tool: false
  bot.add_current_date_tool: false
"
    )
}

/// How many messages of the machine the chat has, and how many of them are kept.
fn machines(ran: &Ran) -> (usize, usize) {
    let (mut shown, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for event in &ran.events {
        if let Body::Message { message, store, .. } = &event.body
            && message.sender == ferro_engine::Sender::Machine
        {
            shown.insert(message.id);
            kept.extend(store.then_some(message.id));
        }
    }
    (shown.len(), kept.len())
}

#[tokio::test]
async fn an_answer_is_one_message_whatever_its_form() {
    let world = World::new().await;
    for output in ["response", "structured_response"] {
        world.says(&["{\"a\": 1}"]);
        let ran = world.run(&world.flow(&agent(output)), "JSON please").await;
        assert_eq!(machines(&ran), (1, 1), "{output}: {:?}", ran.failure());
        assert_eq!(ran.last_shown().properties["state"], "complete", "{output}");
    }
}

#[tokio::test]
async fn a_chat_that_is_not_kept_is_not_kept_while_it_is_written_either() {
    let world = World::new().await;
    world.says(&["hello"]);
    let flow = world
        .flow(&agent("response"))
        .set("out", "should_store_message", false);
    let ran = world.run(&flow, "hi").await;
    assert_eq!(ran.text("out", "message"), "hello");
    assert_eq!(machines(&ran), (1, 0));
}

#[tokio::test]
async fn an_answer_that_cannot_be_put_into_its_form_does_not_stay_half_done() {
    let world = World::new().await;
    let both = agent("response").replace(
        "  bot.response -> out.input_value\n",
        "  bot.response -> out.input_value\n  bot.structured_response -> data.input_data\n",
    );
    let both = both.replace(
        "  out: ChatOutput\n",
        "  out: ChatOutput\n  data: ParserComponent\n",
    );
    let both = both.replace("config:\n", "config:\n  data.pattern: x\n");
    world.says(&["Twelve."]);
    world.models.push(Turn::text("I would rather not."));
    let ran = world.run(&world.flow(&both), "How many?").await;
    ran.failed("JSON");
    let message = ran.last_shown();
    assert_eq!(
        (message.text.as_str(), &message.properties["state"]),
        ("Twelve.", &"complete".into())
    );
    assert!(
        message
            .content_blocks
            .iter()
            .any(|block| block["type"] == "error")
    );
}
