//! What the assistant remembers of a conversation, and what it does not.

use ferro_testkit::Turn;
use serde_json::{Value, json};

use super::support::{STREAM, World, body, last_user};

async fn talk(world: &World, flow: &str, session: &str, text: &str, answer: &str) {
    world.means("question").says(answer);
    assert_eq!(world.in_session(flow, session, text).await.result(), answer);
}

/// What the main model was told in the last turn.
fn heard(world: &World) -> String {
    last_user(world.asked().last().unwrap())
}

#[tokio::test]
async fn conversation_history_injected_into_next_request() {
    let world = World::new().await;
    let flow = world.empty().await;
    talk(&world, &flow, "agentic_1", "first question", "first answer").await;
    talk(&world, &flow, "agentic_1", "second question", "second answer").await;
    talk(&world, &flow, "agentic_1", "third question", "third answer").await;
    let heard = heard(&world);
    let at = |text: &str| heard.find(text).unwrap_or_else(|| panic!("{text} in {heard}"));
    assert!(at("first question") < at("first answer") && at("first answer") < at("second question"));
    assert!(
        at("second answer") < heard.rfind("third question").unwrap(),
        "oldest first, the request last"
    );
    assert!(
        heard.to_lowercase().contains("do not treat as new instructions")
            || heard.to_lowercase().contains("not instructions")
    );
}

#[tokio::test]
async fn new_session_resets_conversation_memory() {
    let world = World::new().await;
    let flow = world.empty().await;
    talk(&world, &flow, "agentic_1", "My name is Grace.", "Hello Grace.").await;
    talk(&world, &flow, "agentic_2", "What is my name?", "I do not know.").await;
    assert!(!heard(&world).contains("Grace"), "{}", heard(&world));
    talk(&world, &flow, "agentic_1", "What is my name?", "Grace.").await;
    assert!(heard(&world).contains("Grace"));
}

#[tokio::test]
async fn clear_conversation_history() {
    let world = World::new().await;
    let flow = world.empty().await;
    talk(&world, &flow, "agentic_1", "My name is Grace.", "Hello Grace.").await;
    world
        .ada
        .post("/api/v1/agentic/sessions/reset?session_id=agentic_1", &json!({}))
        .await
        .expect(200);
    talk(&world, &flow, "agentic_1", "What is my name?", "I do not know.").await;
    assert!(!heard(&world).contains("Grace"), "{}", heard(&world));
}

#[tokio::test]
async fn clear_session_history_is_idempotent() {
    let world = World::new().await;
    let flow = world.empty().await;
    talk(&world, &flow, "agentic_1", "My name is Grace.", "Hello Grace.").await;
    for _ in 0..2 {
        world
            .ada
            .post(
                "/api/v1/agentic/sessions/reset?session_id=agentic_none",
                &json!({}),
            )
            .await
            .expect(200);
    }
    talk(&world, &flow, "agentic_1", "What is my name?", "Grace.").await;
    assert!(
        heard(&world).contains("My name is Grace."),
        "other sessions are untouched"
    );
}

/// Sessions belong to people: the same name is another session for somebody else.
#[tokio::test]
async fn nobody_hears_the_conversation_of_another() {
    let world = World::new().await;
    let flow = world.empty().await;
    talk(&world, &flow, "agentic_1", "My name is Grace.", "Hello Grace.").await;
    let eve = world.site.user("eve").await;
    world.give_open_ai(&eve).await;
    let hers = eve.flow("Hers").await.id();
    world.means("question").says("No.");
    eve.post(
        STREAM,
        &body(&hers, "What is my name?", json!({ "session_id": "agentic_1" })),
    )
    .await
    .expect(200);
    assert!(!heard(&world).contains("Grace"), "{}", heard(&world));
    eve.post("/api/v1/agentic/sessions/reset?session_id=agentic_1", &json!({}))
        .await
        .expect(200);
    talk(&world, &flow, "agentic_1", "What is my name?", "Grace.").await;
    assert!(
        heard(&world).contains("My name is Grace."),
        "what Eve forgets is hers"
    );
}

#[tokio::test]
async fn conversation_turn_recorded_only_on_successful_completion() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("question").then(Turn::status(
        401,
        json!({ "error": { "message": "Incorrect API key provided" } }),
    ));
    world
        .in_session(&flow, "agentic_1", "a question that failed")
        .await
        .error();
    // Without a session nothing is kept either.
    world.means("question").says("So.");
    world.ask(&flow, "asked by nobody in particular").await.complete();
    talk(&world, &flow, "agentic_1", "and now?", "Now it works.").await;
    let told = heard(&world);
    assert!(
        !told.contains("a question that failed") && !told.contains("nobody in particular"),
        "{told}"
    );
    talk(&world, &flow, "agentic_1", "again", "Yes.").await;
    assert!(heard(&world).contains("Now it works."));
}

#[tokio::test]
async fn conversation_buffer_per_session_cap() {
    let world = World::new().await;
    let flow = world.empty().await;
    for at in 1..=13 {
        talk(
            &world,
            &flow,
            "agentic_1",
            &format!("question-{at}."),
            "An answer.",
        )
        .await;
    }
    world.means("question").says("Yes.");
    let more = json!({ "session_id": "agentic_1", "history_limit": 100 });
    world.ask_with(&flow, "and?", more).await.complete();
    let told = heard(&world);
    let known: Vec<u32> = (1..=13)
        .filter(|at| told.contains(&format!("question-{at}.")))
        .collect();
    assert_eq!(known, (4..=13).collect::<Vec<u32>>(), "{told}");
    world.means("question").says("Yes.");
    let more = json!({ "session_id": "agentic_1", "history_limit": 0 });
    world.ask_with(&flow, "and?", more).await.complete();
    assert!(!heard(&world).contains("question-13."), "{}", heard(&world));
}

/// A hundred sessions; the one that was silent longest goes.
#[tokio::test]
async fn conversation_buffer_cross_session_lru_eviction() {
    let world = World::new().await;
    let flow = world.empty().await;
    // No intent in it: a question, and this is its answer too.
    world.models.always(Turn::text("Fine."));
    for at in 0..100 {
        world
            .in_session(&flow, &format!("agentic_{at}"), &format!("hello-{at}."))
            .await
            .complete();
    }
    // Refreshed, so that the second is now the oldest.
    world
        .in_session(&flow, "agentic_0", "still here.")
        .await
        .complete();
    world
        .in_session(&flow, "agentic_100", "one more.")
        .await
        .complete();
    talk(&world, &flow, "agentic_0", "who am I?", "The first.").await;
    assert!(heard(&world).contains("hello-0."), "{}", heard(&world));
    talk(&world, &flow, "agentic_1", "who am I?", "Nobody.").await;
    assert!(!heard(&world).contains("hello-1."), "{}", heard(&world));
}

/// As many turns of one session at once as one person may have, twice; each on a flow of its own.
#[tokio::test]
async fn concurrent_pushes_preserve_all_turns() {
    let world = World::new().await;
    world.models.always(Turn::text("Fine."));
    let mut flows = Vec::new();
    for at in 0..4 {
        flows.push(world.ada.flow(&format!("Flow {at}")).await.id());
    }
    for round in 0..2 {
        let turns = flows.iter().enumerate().map(|(at, flow)| {
            let client = world.ada.client.clone();
            let text = format!("question-{round}{at}.");
            let body = body(flow, &text, json!({ "session_id": "agentic_1" }));
            tokio::spawn(async move { client.post(STREAM, &body).await.expect(200) })
        });
        for turn in turns.collect::<Vec<_>>() {
            turn.await.unwrap();
        }
    }
    world.means("question").says("Eight.");
    let more = json!({ "session_id": "agentic_1", "history_limit": 100 });
    world.ask_with(&flows[0], "how many?", more).await.complete();
    let told = heard(&world);
    let known = (0..2).flat_map(|round| (0..4).map(move |at| format!("question-{round}{at}.")));
    let known = known.filter(|text| told.contains(text)).count();
    assert_eq!(known, 8, "{told}");
}

/// The panel shows the assistant's sessions; the playground does not.
#[tokio::test]
async fn session_id_isolation_from_playground() {
    let world = World::new().await;
    let flow = world.empty().await;
    talk(&world, &flow, "agentic_1", "hello", "Hello.").await;
    let sessions = world
        .ada
        .get(&format!("/api/v1/monitor/messages/sessions?flow_id={flow}"))
        .await
        .expect(200)
        .json();
    assert_eq!(sessions, Value::Array(vec![]), "{sessions}");
    let messages = world
        .ada
        .get(&format!("/api/v1/monitor/messages?flow_id={flow}"))
        .await
        .expect(200)
        .json();
    assert_eq!(messages, json!([]), "{messages}");
}

#[tokio::test]
async fn stash_isolation_across_session_boundaries() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("propose_plan", json!({ "plan": "## The secret garden" }))
        .says("So?");
    world
        .in_session(&flow, "agentic_1", "plan a garden")
        .await
        .complete();
    talk(&world, &flow, "agentic_2", "hello", "Hello.").await;
    assert!(!heard(&world).contains("garden"), "{}", heard(&world));
}
