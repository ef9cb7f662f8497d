//! Models that fail, and what people are told then.

use std::sync::Arc;

use ferro_assistant::{AssistEvent, End, ErrorDetail, Outcome};
use ferro_llm::{ChatModel, Class, LlmError};

use crate::fake::{
    Said, Script, World, all, broken_off, calls, chatbot, completed, fails, intent, says, trace, unavailable,
};

fn failed(outcome: &Outcome) -> (&str, &ErrorDetail) {
    match &outcome.end {
        End::Failed { message, detail } => (message, detail),
        End::Completed(done) => panic!("it completed: {}", done.result),
    }
}

fn refused() -> Said {
    fails(
        LlmError::new(Class::RateLimit, "OpenAI takes no more questions")
            .cause("Rate limit reached for org-42"),
    )
}

#[tokio::test]
async fn a_failure_is_told_in_plain_words_and_raw_only_to_admins() {
    for admin in [false, true] {
        let script = Script::new([intent("build_flow"), refused()]);
        let mut turn = World::new().turn(script.choice(), "Build a chatbot");
        turn.request.admin = admin;
        let (outcome, events) = all(turn).await;
        let (message, detail) = failed(&outcome);
        assert!(message.contains("rate limit"), "{message}");
        assert_eq!(detail.raw_cause.is_some(), admin);
        assert_eq!(detail.step, "building");
        assert!(
            matches!(events.last(), Some(AssistEvent::Error { .. })),
            "{:?}",
            trace(&events)
        );
        assert!(outcome.record.is_none());
    }
}

#[tokio::test]
async fn what_was_done_before_the_failure_is_said() {
    let script = Script::new([
        intent("build_flow"),
        calls(&[("add_component", r#"{"component_type":"Agent"}"#)]),
        broken_off("And now"),
    ]);
    let (outcome, _) = all(World::new().turn_on(chatbot(), script.choice(), "Add two agents")).await;
    let (message, _) = failed(&outcome);
    assert!(message.contains("Done before it failed: Added"), "{message}");
    assert_eq!(outcome.changed.as_ref().unwrap().data.summary().nodes, 4);
}

#[tokio::test]
async fn calls_that_cannot_be_read_are_tried_again() {
    let garbage = || calls(&[("add_component", "{\"component_type\":")]);
    let script = Script::new([
        intent("build_flow"),
        garbage(),
        garbage(),
        garbage(),
        calls(&[("add_component", r#"{"component_type":"Agent"}"#)]),
        says("Added."),
    ]);
    let (outcome, events) = all(World::new().turn_on(chatbot(), script.choice(), "Add an agent")).await;
    assert_eq!(completed(&outcome).result, "Added.");
    assert!(trace(&events).contains(&"progress retrying 2/3".to_owned()));

    let script = Script::with(move |_, number| match number {
        0 => intent("build_flow"),
        _ => calls(&[("add_component", "{\"component_type\":")]),
    });
    let (outcome, _) = all(World::new().turn_on(chatbot(), script.choice(), "Add an agent")).await;
    let (_, detail) = failed(&outcome);
    assert_eq!(detail.tool.as_deref(), Some("add_component"));
    assert!(script.times() <= 10, "{}", script.times());
}

#[tokio::test]
async fn another_model_takes_over_without_costing_an_attempt() {
    let second = Script::new([
        intent("build_flow"),
        calls(&[("add_component", r#"{"component_type":"Agent"}"#)]),
        says("Added."),
    ]);
    let first = Script::with(|_, _| unavailable("gpt-9"));
    let open = {
        let second = Arc::clone(&second);
        move |name: &str| match name {
            "gpt-9" => Ok(Arc::clone(&first) as Arc<dyn ChatModel>),
            _ => Ok(Arc::clone(&second) as Arc<dyn ChatModel>),
        }
    };
    let choice = Script::choice_of("gpt-9", &["gpt-9", "gpt-5"], Arc::new(open));
    let (outcome, events) = all(World::new().turn_on(chatbot(), choice, "Add an agent")).await;
    let done = completed(&outcome);
    assert_eq!(done.model_name.as_deref(), Some("gpt-5"));
    assert_eq!(done.notices.len(), 1);
    assert!(!trace(&events).iter().any(|line| line.contains("retrying")));
}

#[tokio::test]
async fn when_no_model_can_be_used_all_that_were_tried_are_named() {
    let open = |_: &str| Ok(Script::with(|_, _| unavailable("x")) as Arc<dyn ChatModel>);
    let choice = Script::choice_of("gpt-9", &["gpt-8"], Arc::new(open));
    let (outcome, _) = all(World::new().turn(choice, "Build a chatbot")).await;
    let (message, _) = failed(&outcome);
    assert!(message.contains("gpt-9, gpt-8"), "{message}");
}

#[tokio::test]
async fn a_component_request_fails_only_when_the_model_does() {
    let script = Script::new([intent("generate_component"), refused()]);
    let (outcome, _) = all(World::new().turn(script.choice(), "A component that doubles")).await;
    assert_eq!(failed(&outcome).1.step, "generating_component");

    let bad = || says("```python\nx = 1\n```");
    let script = Script::new([intent("generate_component"), bad(), bad(), bad()]);
    let (outcome, _) = all(World::new().turn(script.choice(), "A component that doubles")).await;
    let done = completed(&outcome);
    assert_eq!((done.validated, done.validation_attempts), (Some(false), Some(3)));
}

#[tokio::test]
async fn a_flow_that_was_built_before_the_failure_can_still_be_taken() {
    let script = Script::new([
        intent("build_flow"),
        calls(&[("build_flow", &crate::paths::build())]),
        refused(),
    ]);
    let (outcome, events) = all(World::new().turn(script.choice(), "Build a chatbot")).await;
    let told = trace(&events);
    assert!(
        told.contains(&"progress flow_proposal_ready 1/3".to_owned()),
        "{told:?}"
    );
    assert!(failed(&outcome).0.contains("Done before it failed"));
    assert_eq!(outcome.changed.as_ref().unwrap().data.summary().nodes, 3);
}

#[tokio::test]
async fn an_answer_whose_calls_cannot_be_read_is_tried_again_too() {
    let parsing =
        || fails(LlmError::new(Class::Server, "Ollama failed").cause("error parsing tool call: raw='{'"));
    let script = Script::new([intent("question"), parsing(), says("It is a flow.")]);
    let (outcome, _) = all(World::new().turn(script.choice(), "What is it?")).await;
    assert_eq!(completed(&outcome).result, "It is a flow.");
    let script = Script::new([intent("question"), parsing(), parsing(), parsing()]);
    let (outcome, _) = all(World::new().turn(script.choice(), "What is it?")).await;
    assert_eq!(failed(&outcome).1.step, "answering");
}
