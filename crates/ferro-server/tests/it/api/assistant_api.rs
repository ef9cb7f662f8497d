//! The assistant's addresses: who may ask, what is taken, with which model, and what a turn leaves behind.

use ferro_testkit::{Answer, Fault, Turn, until};
use serde_json::{Value, json};
use uuid::Uuid;

use super::assistant::support::{MODEL, STREAM, Told, World, body, variable};
use crate::site::{Site, is_clean_refusal};

const ASSIST: &str = "/api/v1/agentic/assist";
const RUN: &str = "/api/v1/agentic/assist/run";
const CONFIG: &str = "/api/v1/agentic/check-config";

fn asked(flow: &str, more: Value) -> Value {
    body(flow, "What is a flow?", more)
}

#[tokio::test]
async fn what_is_too_much_is_named() {
    let world = World::new().await;
    let flow = world.empty().await;
    let long = |count: usize| "x".repeat(count);
    let plan = "[Previous plan you proposed";
    for (more, field) in [
        (json!({ "flow_id": "no-id" }), "flow_id"),
        (json!({ "flow_id": null }), "flow_id"),
        (json!({ "flow_id": 7 }), "flow_id"),
        (json!({ "input_value": long(2001) }), "input_value"),
        (
            json!({ "input_value": format!("{plan}{}", long(20_000)) }),
            "input_value",
        ),
        (json!({ "input_value": ["a list"] }), "input_value"),
        (json!({ "max_retries": 0 }), "max_retries"),
        (json!({ "max_retries": 6 }), "max_retries"),
        (json!({ "max_retries": 1.5 }), "max_retries"),
        (json!({ "history_limit": -1 }), "history_limit"),
        (json!({ "history_limit": 101 }), "history_limit"),
        (json!({ "iterations_limit": 0 }), "iterations_limit"),
        (json!({ "iterations_limit": 201 }), "iterations_limit"),
        (json!({ "session_id": long(129) }), "session_id"),
        (json!({ "provider": long(501) }), "provider"),
        (json!({ "model_name": long(501) }), "model_name"),
        (json!({ "component_id": long(501) }), "component_id"),
        (json!({ "field_name": long(501) }), "field_name"),
    ] {
        for path in [STREAM, ASSIST] {
            let refused = world.ada.post(path, &asked(&flow, more.clone())).await;
            is_clean_refusal(&refused);
            let refused = refused.refused(422, "invalid");
            assert_eq!(refused["errors"][0]["field"], field, "{refused}");
        }
    }
    let no_flow = world.ada.post(STREAM, &json!({ "input_value": "hi" })).await;
    assert!(
        no_flow.refused(422, "invalid")["detail"]
            .to_string()
            .contains("flow_id")
    );
    for (more, field) in [
        (json!({ "instruction": "" }), "instruction"),
        (json!({ "instruction": " \n" }), "instruction"),
        (json!({ "instruction": long(2001) }), "instruction"),
        (json!({ "instruction": "x", "flow_id": "no-id" }), "flow_id"),
        (
            json!({ "instruction": "x", "session_id": long(129) }),
            "session_id",
        ),
    ] {
        let refused = world.ada.post(RUN, &more).await.refused(422, "invalid");
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
    assert!(world.asked().is_empty(), "no model was asked");
    // And the most there may be is taken.
    for input in [long(2000), format!("{plan}{}", long(10_000))] {
        let most = json!({ "input_value": input, "max_retries": 5, "history_limit": 100, "iterations_limit": 200,
            "session_id": long(128), "component_id": null, "more": "is not looked at" });
        Told::of(&world.ada.post(STREAM, &asked(&flow, most)).await.expect(200));
    }
}

#[tokio::test]
async fn somebody_elses_flow_is_not_there() {
    let world = World::new().await;
    let eve = world.site.user("eve").await;
    let hers = eve.flow("Hers").await.id();
    for flow in [hers, Uuid::new_v4().to_string()] {
        for path in [STREAM, ASSIST] {
            let refused = world.ada.post(path, &asked(&flow, json!({}))).await;
            refused.refused(404, "not_found");
        }
        let headless = json!({ "instruction": "Add a note", "flow_id": flow });
        world.ada.post(RUN, &headless).await.refused(404, "not_found");
    }
    assert!(world.asked().is_empty());
}

#[tokio::test]
async fn a_provider_that_cannot_be_used_is_named() {
    let world = World::new().await;
    let flow = world.empty().await;
    variable(&world.ada, "AZURE_OPENAI_API_KEY", "k").await;
    for (provider, told) in [
        ("Nobody", "Unknown provider: Nobody"),
        (
            "anthropic",
            "Provider 'Anthropic' is not configured. Available providers: [OpenAI, Rehearsal]",
        ),
        (
            "Azure OpenAI",
            "AZURE_OPENAI_ENDPOINT is required for the assistant with Azure OpenAI. Set it in Settings › Model Providers.",
        ),
    ] {
        for path in [STREAM, ASSIST, RUN] {
            let body =
                json!({ "flow_id": flow, "input_value": "hi", "instruction": "hi", "provider": provider });
            let refused = world.ada.post(path, &body).await;
            is_clean_refusal(&refused);
            assert_eq!(refused.refused(400, "no_model")["detail"], told, "{path}");
        }
    }
    // A key of blanks is none.
    let eve = world.site.user("eve").await;
    variable(&eve, "ANTHROPIC_API_KEY", " ").await;
    let flow = eve.flow("Hers").await.id();
    let refused = eve
        .post(ASSIST, &asked(&flow, json!({ "provider": "Anthropic" })))
        .await;
    let told = refused.refused(400, "no_model")["detail"].to_string();
    assert!(told.contains("ANTHROPIC_API_KEY is required"), "{told}");
    assert!(world.asked().is_empty());
}

#[tokio::test]
async fn a_provider_goes_by_its_name_and_its_id_in_any_case() {
    let world = World::new().await;
    let flow = world.empty().await;
    for provider in ["openai", "OpenAI", "OPENAI", " openai "] {
        world.means("question").says("A flow has nodes.");
        let told = world
            .ask_with(&flow, "What is a flow?", json!({ "provider": provider }))
            .await;
        let done = told.complete();
        assert_eq!(
            (&done["provider"], &done["model_name"]),
            (&json!("OpenAI"), &json!(MODEL))
        );
    }
}

#[tokio::test]
async fn the_configuration_says_who_can_speak() {
    let world = World::keyless(|_| {}).await;
    let config = world.ada.get(CONFIG).await.expect(200).json();
    assert_eq!(
        config,
        json!({
            "enabled": true, "configured": false, "configured_providers": [],
            "providers": [{ "name": "Rehearsal", "configured": true, "default_model": "rehearsal", "rehearsal": true,
                "models": [{ "name": "rehearsal", "display_name": "rehearsal" }] }],
            "default_provider": "Rehearsal", "default_model": "rehearsal",
        })
    );
    world.give_open_ai(&world.ada).await;
    let config = world.ada.get(CONFIG).await.expect(200).json();
    assert_eq!(
        (&config["configured"], &config["configured_providers"]),
        (&json!(true), &json!(["OpenAI"]))
    );
    assert_eq!(config["default_provider"], "OpenAI");
    assert_eq!(
        config["default_model"],
        config["providers"][0]["models"][0]["name"]
    );
    // Anthropic goes before OpenAI, and the person's own choice before both.
    world.give_anthropic(&world.ada).await;
    let config = world.ada.get(CONFIG).await.expect(200).json();
    assert_eq!(config["default_provider"], "Anthropic");
    let own = json!({ "provider": "OpenAI", "model_name": MODEL });
    world
        .ada
        .post("/api/v1/models/default_model", &own)
        .await
        .expect(200);
    let config = world.ada.get(CONFIG).await.expect(200).json();
    assert_eq!(
        (&config["default_provider"], &config["default_model"]),
        (&json!("OpenAI"), &json!(MODEL))
    );
    let openai = config["providers"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "OpenAI")
        .unwrap();
    assert_eq!(openai["default_model"], MODEL);
    // A model that is off is not offered; one that cannot call tools never is.
    let off = json!([{ "provider": "OpenAI", "model_id": MODEL, "enabled": false }]);
    world
        .ada
        .post("/api/v1/models/enabled_models", &off)
        .await
        .expect(200);
    let config = world.ada.get(CONFIG).await.expect(200).json();
    assert!(
        !config["providers"].to_string().contains("\"gpt-4o\""),
        "{config}"
    );
}

#[tokio::test]
async fn switched_off_it_is_not_there() {
    let world = World::with(|config| config.assistant.enabled = false).await;
    let flow = world.empty().await;
    let gone = |answer: Answer| {
        let refused = answer.refused(404, "not_available");
        assert_eq!(refused["detail"], "This endpoint is not available");
    };
    for path in [STREAM, ASSIST] {
        gone(world.ada.post(path, &asked(&flow, json!({}))).await);
    }
    gone(world.ada.post(RUN, &json!({ "instruction": "hi" })).await);
    gone(world.ada.post("/api/v1/agentic/sessions/reset", &json!({})).await);
    gone(world.ada.get("/api/v1/agentic/files?path=a.md").await);
    let config = world.ada.get(CONFIG).await.expect(200).json();
    assert_eq!(
        (&config["enabled"], &config["configured"]),
        (&json!(false), &json!(true))
    );
}

#[tokio::test]
async fn files_are_shown_and_taken_away() {
    let world = World::keyless(|_| {}).await;
    let folder = world.site.app.files.workspace(world.ada.user.id).unwrap();
    std::fs::create_dir(folder.join("notes")).unwrap();
    std::fs::write(folder.join("notes/plan.md"), "# Olá\n<script>").unwrap();
    std::fs::write(folder.join("image.bin"), b"PNG\0\x01").unwrap();
    std::fs::write(folder.join("large.txt"), vec![b'x'; (1 << 20) + 1]).unwrap();
    let get = |query: &str| {
        let path = format!("/api/v1/agentic/files?{query}");
        let client = world.ada.client.clone();
        async move { client.get(&path).await }
    };
    let shown = get("path=notes/plan.md").await.expect(200);
    assert_eq!(shown.text(), "# Olá\n<script>");
    assert_eq!(shown.header("content-type"), "text/plain; charset=utf-8");
    assert!(shown.header("content-security-policy").contains("sandbox"));
    let taken = get("path=notes/plan.md&download=true").await.expect(200);
    assert_eq!(taken.header("content-type"), "application/octet-stream");
    assert!(taken.header("content-disposition").contains("plan.md"));
    get("path=image.bin").await.refused(415, "not_text");
    get("path=image.bin&download=true").await.refused(415, "not_text");
    get("path=large.txt").await.refused(413, "too_large");
    for missing in ["gone.md", "notes", "notes/gone.md"] {
        get(&format!("path={missing}")).await.refused(404, "not_found");
    }
    for bad in [
        "../secret.key",
        "/etc/passwd",
        "notes/../../x",
        ".components/A.py",
        "C:\\x",
    ] {
        let refused = get(&format!("path={bad}")).await;
        is_clean_refusal(&refused);
        assert!(
            refused.status == 400 || refused.status == 404,
            "{bad}: {}",
            refused.text()
        );
    }
    get("path=").await.refused(422, "invalid");
    get(&format!("path={}", "x".repeat(1025)))
        .await
        .refused(422, "invalid");
    get("download=true").await.refused(422, "invalid");
    // Everybody has a folder of their own, and uploaded files are elsewhere.
    let eve = world.site.user("eve").await;
    eve.get("/api/v1/agentic/files?path=notes/plan.md")
        .await
        .refused(404, "not_found");
    let uploaded = world.ada.file("up.txt", b"words").await;
    get(&format!("path={}", uploaded.id()))
        .await
        .refused(404, "not_found");
    let names = world.ada.get("/api/v2/files").await.expect(200).text();
    assert!(!names.contains("plan.md"), "{names}");
    let folder = folder.parent().unwrap().to_owned();
    let admin = world.site.admin().await;
    admin
        .delete(&format!("/api/v1/users/{}", world.ada.id))
        .await
        .expect(200);
    assert!(!folder.exists(), "the files go with the account");
}

#[tokio::test]
async fn one_turn_at_a_time_on_a_flow_and_a_reader_who_leaves_ends_it() {
    let world = World::new().await;
    let (flow, other) = (world.empty().await, world.ada.flow("Other").await.id());
    world.then(Turn::fault(Fault::Silence));
    let reading = world.begin(&flow, "What is a flow?").await;
    until("the model to be asked", || async {
        (world.models.busy() == 1).then_some(())
    })
    .await;
    for path in [STREAM, ASSIST] {
        let refused = world
            .ada
            .post(path, &asked(&flow, json!({})))
            .await
            .refused(409, "refused");
        assert!(
            refused["detail"].to_string().contains("already working"),
            "{refused}"
        );
    }
    // Another flow is another matter.
    world.means("question").says("Nodes and wires.");
    world.ask(&other, "What is a flow?").await.complete();
    drop(reading);
    until("the model to be left alone", || async {
        (world.models.busy() == 0).then_some(())
    })
    .await;
    until("the place to be free", || async {
        (world.site.app.assistant_turns.count() == 0).then_some(())
    })
    .await;
    world.means("question").says("Nodes and wires.");
    world.ask(&flow, "What is a flow?").await.complete();
}

#[tokio::test]
async fn nobody_waits_in_line() {
    let world = World::with(|config| config.assistant.turns = 1).await;
    let (flow, other) = (world.empty().await, world.ada.flow("Other").await.id());
    world.then(Turn::fault(Fault::Silence));
    let _reading = world.begin(&flow, "What is a flow?").await;
    until("the model to be asked", || async {
        (world.models.busy() == 1).then_some(())
    })
    .await;
    let refused = world.ada.post(STREAM, &asked(&other, json!({}))).await;
    assert_eq!(refused.header("retry-after"), "5");
    refused.refused(429, "throttled");
}

#[tokio::test]
async fn an_answer_without_a_stream_has_the_status_of_its_end() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("question")
        .then(Turn::text("Nodes and wires.").usage(10, 3));
    let done = world
        .ada
        .post(ASSIST, &asked(&flow, json!({})))
        .await
        .expect(200)
        .json();
    assert!(done["result"].to_string().contains("Nodes and wires."), "{done}");
    assert!(done["usage"]["total_tokens"].as_u64() > Some(0), "{done}");
    let error = |kind: &str| json!({ "error": { "message": "no", "type": kind, "code": kind } });
    for (status, kind, expected, code) in [
        (401, "invalid_api_key", 400, "model_refused"),
        (429, "insufficient_quota", 429, "model_limit"),
        (500, "server_error", 502, "model_unreachable"),
    ] {
        world.models.always(Turn::status(status, error(kind)));
        let refused = world.ada.post(ASSIST, &asked(&flow, json!({}))).await;
        assert!(!refused.text().contains("sk-open"), "{}", refused.text());
        let refused = refused.refused(expected, code);
        assert!(
            refused["detail"].as_str().is_some_and(|told| !told.is_empty()),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn a_session_that_is_reset_is_forgotten() {
    let world = World::new().await;
    let flow = world.empty().await;
    let recalls = |world: &World| world.received().matches("Nodes and wires.").count();
    world.means("question").says("Nodes and wires.");
    world
        .in_session(&flow, "agentic_1", "What is a flow?")
        .await
        .complete();
    world.means("question").says("Yes.");
    world
        .in_session(&flow, "agentic_1", "Is that so?")
        .await
        .complete();
    let told = recalls(&world);
    assert!(told > 0, "the second turn knows of the first");
    let reset = "/api/v1/agentic/sessions/reset?session_id=";
    let eve = world.site.user("eve").await;
    eve.post(&format!("{reset}agentic_1"), &json!({}))
        .await
        .expect(200);
    world.means("question").says("Yes.");
    world.in_session(&flow, "agentic_1", "Really?").await.complete();
    assert!(recalls(&world) > told, "another person's reset is none of hers");
    let told = recalls(&world);
    let done = world
        .ada
        .post(&format!("{reset}agentic_1"), &json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(
        done,
        json!({ "status": "ok", "components_cleared": 0, "session_id": "agentic_1" })
    );
    world.means("question").says("Yes.");
    world.in_session(&flow, "agentic_1", "And now?").await.complete();
    assert_eq!(recalls(&world), told);
    let long = "x".repeat(129);
    world
        .ada
        .post(&format!("{reset}{long}"), &json!({}))
        .await
        .refused(422, "invalid");
}

#[tokio::test]
async fn a_server_that_stops_says_so() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.then(Turn::fault(Fault::Silence));
    let mut reading = world.begin(&flow, "What is a flow?").await;
    until("the model to be asked", || async {
        (world.models.busy() == 1).then_some(())
    })
    .await;
    world.site.app.stopping.cancel();
    let told = reading.read_to_end().await;
    assert!(told.contains("\"event\":\"cancelled\""), "{told}");
    until("the model to be left alone", || async {
        (world.models.busy() == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn without_a_key_the_rehearsal_speaks_and_says_so() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flow = ada.flow("Empty").await.id();
    let body = json!({ "flow_id": flow, "input_value": "What is a flow?" });
    let told = Told::of(&ada.post(STREAM, &body).await.expect(200));
    let done = told.complete();
    assert_eq!(
        (&done["provider"], &done["rehearsal"]),
        (&json!("Rehearsal"), &json!(true)),
        "{done}"
    );
}
