//! What is said is what happened, whatever the model claims.

use ferro_assistant::EDIT_CONTINUATION_INPUT;

use crate::fake::{Script, World, all, calls, chatbot, completed, intent, says, trace};
use crate::paths::build;

#[tokio::test]
async fn a_claim_without_a_deed_gets_one_more_chance_and_then_the_truth() {
    let claim = "Done! I added an agent to your flow.";
    let script = Script::new([intent("build_flow"), says(claim), says(claim)]);
    let (outcome, events) = all(World::new().turn_on(chatbot(), script.choice(), "Add an agent")).await;
    assert_eq!(script.times(), 3, "asked once more and no oftener");
    let done = completed(&outcome);
    assert_eq!(done.result, format!("{claim}\n\nNothing was changed."));
    assert!(done.changes.is_empty());
    assert!(outcome.changed.is_none());
    assert!(trace(&events).contains(&"progress retrying 2/3".to_owned()));
    let urged = script.request(2).messages.last().unwrap().text();
    assert!(urged.contains("Add an agent"), "{urged}");
}

#[tokio::test]
async fn the_second_chance_counts() {
    let script = Script::new([
        intent("build_flow"),
        says("I would add one. Shall I?"),
        calls(&[("add_component", r#"{"component_type":"Agent"}"#)]),
        says("Added an agent."),
    ]);
    let (outcome, _) = all(World::new().turn_on(chatbot(), script.choice(), "Add an agent")).await;
    let done = completed(&outcome);
    assert_eq!(done.result, "Added an agent.");
    assert_eq!(done.changes.len(), 1, "{:?}", done.changes);
}

#[tokio::test]
async fn with_one_attempt_there_is_no_second_chance() {
    let script = Script::new([intent("build_flow"), says("Done.")]);
    let mut turn = World::new().turn(script.choice(), "Build a chatbot");
    turn.request.max_attempts = Some(1);
    let (outcome, _) = all(turn).await;
    assert_eq!(completed(&outcome).result, "Done.\n\nNothing was changed.");
}

#[tokio::test]
async fn a_flow_written_into_the_answer_is_not_taken() {
    let written = "Here you go:\n```flow_json\n{\"nodes\":[],\"edges\":[]}\n```";
    let script = Script::new([
        intent("build_flow"),
        says(written),
        calls(&[("build_flow", &build())]),
        says("Built."),
    ]);
    let (outcome, _) = all(World::new().turn(script.choice(), "Build a chatbot")).await;
    let urged = script.request(2).messages.last().unwrap().text();
    assert!(urged.contains("build_flow"), "{urged}");
    assert_eq!(completed(&outcome).has_flow, Some(true));
}

#[tokio::test]
async fn a_flow_that_was_not_run_is_not_said_to_have_run() {
    let claim = "The flow answered: 42.";
    let script = Script::new([intent("run_flow"), says(claim), says(claim)]);
    let (outcome, _) = all(World::new().turn_on(chatbot(), script.choice(), "Run the flow")).await;
    assert!(
        completed(&outcome)
            .result
            .ends_with("The flow was not run and nothing was changed.")
    );
    // With nothing to run there is nothing to try again.
    let script = Script::new([intent("run_flow"), says("There is no flow.")]);
    let (outcome, _) = all(World::new().turn(script.choice(), "Run the flow")).await;
    assert!(completed(&outcome).result.starts_with("There is no flow."));
}

#[tokio::test]
async fn what_was_so_already_is_not_asked_for_again() {
    let same = r#"{"component_id":"ChatInput-00001","name":"Chat Input"}"#;
    let script = Script::new([
        intent("build_flow"),
        calls(&[("rename_component", same)]),
        says("It has that name already."),
    ]);
    let (outcome, _) = all(World::new().turn_on(chatbot(), script.choice(), "Call it Chat Input")).await;
    assert_eq!(script.times(), 3);
    assert_eq!(
        completed(&outcome).result,
        "It has that name already.\n\nNothing was changed."
    );
}

#[tokio::test]
async fn the_limit_of_rounds_ends_with_what_was_done() {
    let script = Script::with(|_, number| match number {
        0 => intent("build_flow"),
        _ => calls(&[("add_component", r#"{"component_type":"Agent"}"#)]),
    });
    let mut turn = World::new().turn_on(chatbot(), script.choice(), "Add agents");
    turn.request.iterations_limit = Some(4);
    let (outcome, _) = all(turn).await;
    let done = completed(&outcome);
    assert!(done.result.contains("after 4 rounds"), "{}", done.result);
    assert!(done.result.contains(&done.changes[0]), "{}", done.result);
    assert_eq!(outcome.changed.unwrap().data.summary().nodes, 7);
}

#[tokio::test]
async fn a_component_that_failed_is_told_under_whatever_is_said() {
    let script = Script::new([
        intent("component_then_flow"),
        calls(&[("generate_component", r#"{"spec":"doubles a number"}"#)]),
        says("```python\nx = 1\n```"),
        says("```python\nx = 2\n```"),
        says("```python\nx = 3\n```"),
        says("Your component is ready."),
    ]);
    let (outcome, _) = all(World::new().turn(script.choice(), "Write a doubler and build with it")).await;
    let done = completed(&outcome);
    assert_eq!(done.component_generation_failed, Some(true));
    assert!(done.result.contains("could not be written"), "{}", done.result);
}

#[tokio::test]
async fn somebody_who_edits_meanwhile_is_told() {
    let edit = r#"{"component_id":"Agent-00002","params":{"system_prompt":"Be brief."}}"#;
    let script = Script::new([calls(&[("configure_component", edit)]), says("Changed.")]);
    let world = World::new();
    let by_hand = crate::fake::parse(&chatbot().as_str().replacen("You are kind.", "You are rude.", 1));
    *world.saved.lock().unwrap() = Some(by_hand);
    let (outcome, _) = all(world.turn_on(chatbot(), script.choice(), EDIT_CONTINUATION_INPUT)).await;
    let conflicts = &completed(&outcome).conflicts;
    assert_eq!(conflicts.len(), 1, "{conflicts:?}");
    assert_eq!(conflicts[0].field.as_deref(), Some("system_prompt"));
}

#[tokio::test]
async fn what_was_done_speaks_for_a_model_without_words() {
    let script = Script::new([
        intent("build_flow"),
        calls(&[("add_component", r#"{"component_type":"Agent"}"#)]),
        says(""),
    ]);
    let (outcome, _) = all(World::new().turn_on(chatbot(), script.choice(), "Add an agent")).await;
    let done = completed(&outcome);
    assert_eq!(done.result, done.changes[0]);
    let script = Script::new([intent("question"), says("")]);
    let (outcome, _) = all(World::new().turn(script.choice(), "Why?")).await;
    assert!(completed(&outcome).result.contains("gave no answer"));
}
