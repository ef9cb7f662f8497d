//! Answers that must be JSON.

use ferro_agent::{Agent, AgentError};
use ferro_llm::{Format, Role, ToolChoice};
use serde_json::json;

use crate::support::{Fake, Script, agent, answer, calls, run, says, stopped, upper};
use std::sync::Arc;

fn city() -> Format {
    Format::Schema {
        name: "city".to_owned(),
        schema: json!({
            "type": "object",
            "properties": { "name": { "type": "string" }, "people": { "type": "integer" } },
            "required": ["name", "people"],
        }),
    }
}

fn shaped(model: &Arc<Script>, tools: Vec<Fake>) -> Agent {
    let mut agent = agent(model, tools);
    agent.request.format = city();
    agent
}

#[tokio::test]
async fn an_answer_that_fits_is_read() {
    for said in [
        r#"{"name":"Rome","people":3}"#,
        "```json\n{\"name\":\"Rome\",\"people\":3}\n```",
        "Here it is: {\"name\":\"Rome\",\"people\":\"3\"}",
    ] {
        let model = Script::new([says(said)]);
        let answer = answer(&shaped(&model, vec![])).await;
        assert_eq!(
            answer.structured,
            Some(json!({ "name": "Rome", "people": 3 })),
            "{said}"
        );
        assert_eq!(answer.text, said);
        assert_eq!(model.request(0).format, city());
    }
}

#[tokio::test]
async fn one_that_does_not_is_sent_back_once() {
    let model = Script::new([says(r#"{"name":"Rome"}"#), says(r#"{"name":"Rome","people":3}"#)]);
    let agent = shaped(&model, vec![]);
    let (ended, heard) = run(&agent).await;
    let ferro_agent::Ended::Answer(answer) = ended.unwrap() else {
        panic!("an answer")
    };
    assert_eq!(answer.structured.unwrap()["people"], 3);
    assert!(
        heard.trace().contains("again: people is missing\n"),
        "{}",
        heard.trace()
    );
    let complaint = model.request(1).messages.last().cloned().unwrap();
    assert_eq!(complaint.role, Role::User);
    assert!(
        complaint.text().contains("people is missing"),
        "{}",
        complaint.text()
    );
    // What did not count is not shown.
    let shown = answer.blocks.to_json();
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0]["text"], r#"{"name":"Rome","people":3}"#);

    let model = Script::new([says("Rome"), says("Rome!")]);
    let stopped = stopped(&shaped(&model, vec![])).await;
    assert!(matches!(stopped.error, AgentError::Shape { .. }), "{stopped:?}");
    assert!(
        stopped.to_string().contains("the answer is not JSON"),
        "{stopped}"
    );
    assert_eq!(stopped.text, "Rome!");
}

#[tokio::test]
async fn with_tools_the_shape_is_asked_for_in_words() {
    let model = Script::new([
        calls(&[("shout", r#"{"text":"a"}"#)]),
        says("not yet"),
        says(r#"{"name":"A","people":1}"#),
    ]);
    let answer = answer(&shaped(&model, vec![upper("shout")])).await;
    assert_eq!(answer.structured.unwrap()["name"], "A");
    let asked = model.request(0);
    assert_eq!(asked.format, Format::Text);
    assert_eq!(asked.messages[0].text(), "be good");
    assert_eq!(asked.messages[1].role, Role::System);
    assert!(
        asked.messages[1]
            .text()
            .contains(r#""required":["name","people"]"#)
    );
    assert_eq!(model.request(2).tool_choice, ToolChoice::None);
    assert!(
        answer
            .conversation
            .messages
            .iter()
            .all(|message| !message.text().contains("JSON Schema"))
    );
}

#[tokio::test]
async fn any_object_will_do_for_json() {
    let model = Script::new([says("[1]"), says(r#"{"a":1}"#)]);
    let mut agent = agent(&model, vec![]);
    agent.request.format = Format::Json;
    assert_eq!(answer(&agent).await.structured, Some(json!({ "a": 1 })));
}
