//! A turn that is dropped stops everything, wherever it was.

use std::time::Duration;

use ferro_assistant::assist;

use crate::fake::{Said, Script, World, calls, chatbot, intent, pending, says};
use crate::paths::build;

/// Drops the turn when it waits for what never comes; nothing is left then.
async fn dropped(world: &std::sync::Arc<World>, answers: Vec<Said>, input: &str) -> std::sync::Arc<Script> {
    let script = Script::new(answers);
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let turn = world.turn_on(chatbot(), script.choice(), input);
    // Long before anything of ours gives up by itself.
    let ended = tokio::time::timeout(Duration::from_secs(20), assist(turn, sender)).await;
    assert!(ended.is_err(), "it was to wait for ever");
    assert_eq!(script.open(), 0, "no answer is listened to");
    assert_eq!(world.running(), 0, "no flow runs");
    while receiver.recv().await.is_some() {}
    script
}

#[tokio::test(start_paused = true)]
async fn while_it_finds_out_what_is_wanted() {
    dropped(&World::new(), vec![pending()], "Build a chatbot").await;
}

#[tokio::test(start_paused = true)]
async fn while_the_model_thinks() {
    dropped(
        &World::new(),
        vec![intent("build_flow"), pending()],
        "Build a chatbot",
    )
    .await;
    dropped(
        &World::new(),
        vec![intent("question"), pending()],
        "What is a flow?",
    )
    .await;
    dropped(
        &World::new(),
        vec![intent("generate_component"), pending()],
        "A component",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn while_the_model_speaks() {
    let mut half = says("I will build");
    half.truncate(1);
    half.extend(pending());
    dropped(&World::new(), vec![intent("build_flow"), half], "Build a chatbot").await;
}

#[tokio::test(start_paused = true)]
async fn while_a_tool_runs_the_flow() {
    let world = World::new();
    world.next_run_never_ends();
    dropped(
        &world,
        vec![intent("run_flow"), calls(&[("run_flow", "{}")])],
        "Run the flow",
    )
    .await;
    assert_eq!(world.times_run(), 1);
}

#[tokio::test(start_paused = true)]
async fn while_a_tool_writes_a_component() {
    let answers = vec![
        intent("build_flow"),
        calls(&[("generate_component", r#"{"spec":"doubles"}"#)]),
        pending(),
    ];
    dropped(&World::new(), answers, "Add a doubler").await;
}

#[tokio::test(start_paused = true)]
async fn while_the_flow_is_tried_out_or_mended() {
    let built = || {
        vec![
            intent("build_flow"),
            calls(&[("build_flow", &build())]),
            says("Here it is."),
        ]
    };
    let world = World::new();
    world.next_run_never_ends();
    dropped(&world, built(), "Build a chatbot").await;
    assert_eq!(world.times_run(), 1);

    let world = World::new();
    world.next_run(Err("KeyError: 'x'"));
    dropped(&world, [built(), vec![pending()]].concat(), "Build a chatbot").await;
}

#[tokio::test]
async fn nobody_needs_to_listen() {
    let script = Script::new([intent("question"), says("Hi.")]);
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    drop(receiver);
    let outcome = assist(World::new().turn(script.choice(), "Hello"), sender).await;
    assert!(outcome.record.is_some());
}
