//! When there is no answer.

use ferro_agent::AgentError;
use ferro_llm::{ChatEvent, Class, LlmError, StopReason, Usage};

use crate::support::{Script, agent, answer, calls, says, stopped, upper};

#[tokio::test]
async fn the_iteration_limit_says_what_was_done() {
    let again = |text: &str| calls(&[("shout", text), ("sing", r#"{"text":"la"}"#)]);
    let mut last = vec![Ok(ChatEvent::Text("let me see".to_owned()))];
    last.extend(again(r#"{"text":"c"}"#));
    let model = Script::new([again(r#"{"text":"a"}"#), again(r#"{"text":"b"}"#), last]);
    let mut agent = agent(&model, vec![upper("shout"), upper("sing")]);
    agent.max_iterations = 2;
    let stopped = stopped(&agent).await;
    assert_eq!(
        stopped.to_string(),
        "the agent used its tools for 2 rounds without coming to an answer (shout twice, sing twice)"
    );
    assert_eq!(stopped.text, "let me see");
    assert_eq!(stopped.usage.total(), 30);
    assert_eq!(
        stopped.conversation.messages.len(),
        6,
        "no call without its result"
    );
    assert_eq!(model.times(), 3);
    let open = |block: &serde_json::Value| block["type"] == "tool_use" && block["duration"].is_null();
    assert!(
        !stopped.blocks.to_json().iter().any(open),
        "every call has an end"
    );
}

#[tokio::test]
async fn within_the_limit_it_answers() {
    let model = Script::new([calls(&[("shout", r#"{"text":"a"}"#)]), says("A")]);
    let mut agent = agent(&model, vec![upper("shout")]);
    agent.max_iterations = 1;
    assert_eq!(answer(&agent).await.text, "A");
}

#[tokio::test]
async fn a_model_that_breaks_off_leaves_what_it_said() {
    let error = LlmError::new(Class::Network, "the connection broke");
    let model = Script::new([
        calls(&[("shout", r#"{"text":"a"}"#)]),
        vec![
            Ok(ChatEvent::Text("half an ans".to_owned())),
            Ok(ChatEvent::Usage(Usage {
                input: 7,
                output: 3,
                ..Usage::default()
            })),
            Err(error.clone()),
        ],
    ]);
    let stopped = stopped(&agent(&model, vec![upper("shout")])).await;
    assert_eq!(stopped.error, AgentError::Model(Box::new(error)));
    assert_eq!(stopped.text, "half an ans");
    assert_eq!(stopped.usage.total(), 20);
    assert_eq!(stopped.conversation.messages.len(), 4);
    let shown = stopped.blocks.to_json();
    assert_eq!((shown.len(), &shown[1]["text"]), (2, &"half an ans".into()));
}

#[tokio::test]
async fn a_call_that_breaks_off_is_not_made() {
    let mut turn = calls(&[("shout", r#"{"text":"a"}"#)]);
    turn.truncate(2);
    turn.push(Err(LlmError::new(Class::Server, "gone")));
    let model = Script::new([turn]);
    let tool = upper("shout");
    let given = tool.given.clone();
    let stopped = stopped(&agent(&model, vec![tool])).await;
    assert!(given.lock().unwrap().is_empty());
    let shown = stopped.blocks.to_json();
    assert_eq!(shown[0]["error"], "It was not run: the model broke off.");
}

#[tokio::test]
async fn an_answer_that_the_provider_withheld_is_an_error() {
    let model = Script::new([vec![Ok(ChatEvent::Stop(StopReason::ContentFilter))]]);
    let stopped = stopped(&agent(&model, vec![])).await;
    let AgentError::Model(error) = stopped.error else {
        panic!("{:?}", stopped.error)
    };
    assert_eq!(error.class, Class::ContentPolicy);
}
