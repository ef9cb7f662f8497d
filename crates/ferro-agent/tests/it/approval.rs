//! Calls that a person must allow.

use std::collections::HashMap;

use expect_test::expect;
use ferro_agent::{AgentState, Answer, Decision, Ended, Suspended};
use ferro_llm::Role;
use serde_json::json;

use crate::support::{Heard, Script, agent, calls, results, says, suspended, upper};

const TWO: [(&str, &str); 2] = [("delete", r#"{"text":"a"}"#), ("shout", r#"{"text":"b"}"#)];

/// As it comes back from a disk.
fn read_back(suspended: Suspended) -> AgentState {
    let text = serde_json::to_string(&suspended.state).unwrap();
    let read: AgentState = serde_json::from_str(&text).unwrap();
    assert_eq!(read, suspended.state);
    read
}

fn decisions<const N: usize>(all: [(&str, Decision); N]) -> HashMap<String, Decision> {
    all.into_iter()
        .map(|(id, decision)| (id.to_owned(), decision))
        .collect()
}

async fn answered(agent: &ferro_agent::Agent, state: AgentState, decision: Decision) -> Answer {
    let said = agent
        .resume(state, decisions([("call_0", decision)]), &|_| {})
        .await;
    match said.unwrap() {
        Ended::Answer(answer) => *answer,
        Ended::NeedsApproval(again) => panic!("asked again: {:?}", again.calls),
    }
}

#[tokio::test]
async fn what_needs_no_leave_runs_and_the_rest_waits() {
    let model = Script::new([calls(&TWO), says("done")]);
    let delete = upper("delete").asks();
    let deleted = delete.given.clone();
    let agent = agent(&model, vec![delete, upper("shout")]);
    let waiting = suspended(&agent).await;
    assert_eq!(waiting.calls.len(), 1);
    assert_eq!(
        (waiting.calls[0].id.as_str(), waiting.calls[0].name.as_str()),
        ("call_0", "delete")
    );
    assert_eq!(waiting.calls[0].arguments["text"], "a");
    assert!(deleted.lock().unwrap().is_empty());
    assert_eq!(waiting.state.usage().total(), 10);

    let heard = Heard::default();
    let allowed = decisions([("call_0", Decision::Approve)]);
    let ended = agent
        .resume(read_back(waiting), allowed, &|event| heard.hear(event))
        .await;
    expect![[r#"
        start call_0 {"text":"a"}
        done call_0 "A"
        ask 2
        text do
        text ne
    "#]]
    .assert_eq(&heard.trace());
    assert_eq!(
        results(&model.request(1)),
        ["call_0 delete: A", "call_1 shout: B"]
    );
    let Ended::Answer(answer) = ended.unwrap() else {
        panic!("an answer")
    };
    assert_eq!(answer.usage.total(), 22, "tokens from before count");
    let kinds: Vec<_> = answer
        .blocks
        .to_json()
        .iter()
        .map(|block| block["type"].clone())
        .collect();
    assert_eq!(
        kinds,
        ["tool_use", "tool_use", "text"],
        "blocks from before are kept"
    );
}

#[tokio::test]
async fn a_refusal_is_told_with_its_reason() {
    let model = Script::new([calls(&TWO), says("as you like")]);
    let delete = upper("delete").asks();
    let deleted = delete.given.clone();
    let agent = agent(&model, vec![delete, upper("shout")]);
    let state = read_back(suspended(&agent).await);
    let reason = "not on a Friday".to_owned();
    assert_eq!(
        answered(&agent, state, Decision::Reject { reason }).await.text,
        "as you like"
    );
    assert!(deleted.lock().unwrap().is_empty());
    let told = results(&model.request(1));
    assert_eq!(
        told[0],
        "call_0 delete! A person refused this call. Do not make it again. The reason: not on a Friday"
    );
}

#[tokio::test]
async fn arguments_can_be_changed_and_the_model_knows() {
    let model = Script::new([calls(&TWO), says("ok")]);
    let delete = upper("delete").asks();
    let deleted = delete.given.clone();
    let agent = agent(&model, vec![delete, upper("shout")]);
    let state = read_back(suspended(&agent).await);
    let arguments = json!({ "text": "b", "times": "2" }).as_object().unwrap().clone();
    answered(&agent, state, Decision::Edit { arguments }).await;
    assert_eq!(*deleted.lock().unwrap(), [json!({ "text": "b", "times": 2 })]);
    let told = &results(&model.request(1))[0];
    assert!(
        told.starts_with("call_0 delete: A person changed the arguments to {\"text\":\"b\""),
        "{told}"
    );
    assert!(told.ends_with("\nB"), "{told}");
}

#[tokio::test]
async fn changed_arguments_that_do_not_fit_are_not_run() {
    let model = Script::new([calls(&TWO), says("ok")]);
    let delete = upper("delete").asks();
    let deleted = delete.given.clone();
    let agent = agent(&model, vec![delete, upper("shout")]);
    let state = suspended(&agent).await.state;
    let arguments = serde_json::Map::new();
    answered(&agent, state, Decision::Edit { arguments }).await;
    assert!(deleted.lock().unwrap().is_empty());
    assert!(results(&model.request(1))[0].contains("text is missing"));
}

#[tokio::test]
async fn decisions_may_come_one_by_one() {
    let both = [("delete", r#"{"text":"a"}"#), ("delete", r#"{"text":"b"}"#)];
    let model = Script::new([calls(&both), says("done")]);
    let delete = upper("delete").asks();
    let deleted = delete.given.clone();
    let agent = agent(&model, vec![delete]);
    let waiting = suspended(&agent).await;
    assert_eq!(waiting.calls.len(), 2);
    // An answer to nothing changes nothing.
    let odd = decisions([("other", Decision::Approve)]);
    let Ended::NeedsApproval(waiting) = agent.resume(waiting.state, odd, &|_| {}).await.unwrap() else {
        panic!("still a question")
    };
    assert_eq!(waiting.calls.len(), 2);
    let second = decisions([("call_1", Decision::Approve)]);
    let Ended::NeedsApproval(waiting) = agent.resume(waiting.state, second, &|_| {}).await.unwrap() else {
        panic!("still a question")
    };
    assert_eq!(waiting.calls.len(), 1);
    assert_eq!(deleted.lock().unwrap().len(), 1);
    assert_eq!(model.times(), 1, "the model is not asked in the middle of a turn");
    answered(&agent, read_back(*waiting), Decision::Approve).await;
    assert_eq!(
        results(&model.request(1)),
        ["call_0 delete: A", "call_1 delete: B"]
    );
    assert_eq!(
        model
            .request(1)
            .messages
            .iter()
            .filter(|m| m.role == Role::Tool)
            .count(),
        1
    );
}

#[tokio::test]
async fn a_tool_that_is_gone_by_then_is_an_error_result() {
    let model = Script::new([calls(&TWO), says("hm")]);
    let before = agent(&model, vec![upper("delete").asks(), upper("shout")]);
    let state = suspended(&before).await.state;
    let after = agent(&model, vec![upper("shout")]);
    answered(&after, state, Decision::Approve).await;
    assert!(results(&model.request(1))[0].contains("There is no tool `delete`"));
}

#[tokio::test]
async fn the_limit_counts_across_a_suspension() {
    let model = Script::new([calls(&TWO), calls(&TWO)]);
    let mut agent = agent(&model, vec![upper("delete").asks(), upper("shout")]);
    agent.max_iterations = 1;
    let state = read_back(suspended(&agent).await);
    let allowed = decisions([("call_0", Decision::Approve)]);
    let stopped = agent.resume(state, allowed, &|_| {}).await.unwrap_err();
    assert!(
        stopped.to_string().contains("delete once, shout once"),
        "{stopped}"
    );
}

#[test]
fn decisions_read_as_people_send_them() {
    let read = |json| serde_json::from_value::<Decision>(json).unwrap();
    assert_eq!(read(json!({ "decision": "approve" })), Decision::Approve);
    assert_eq!(
        read(json!({ "decision": "reject" })),
        Decision::Reject {
            reason: String::new()
        }
    );
}
