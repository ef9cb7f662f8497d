//! Which model answers, and what happens when it does not.

use ferro_testkit::{Fault, Turn};
use serde_json::{Value, json};

use super::support::{CHATBOT, KEY, World, variable};
use crate::specs;

fn missing() -> Turn {
    Turn::status(
        404,
        json!({ "error": { "message": "The model `x` does not exist or you do not have access to it.", "code": "model_not_found" } }),
    )
}

/// The models that were asked, one after another.
fn models(world: &World) -> Vec<String> {
    world
        .asked()
        .iter()
        .map(|body| body["model"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn select_a_specific_model_for_generation() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("question").says("Hello.");
    let told = world
        .ask_with(&flow, "hello", json!({ "model_name": "gpt-4o-mini" }))
        .await;
    assert!(
        models(&world).iter().all(|model| model == "gpt-4o-mini"),
        "{:?}",
        models(&world)
    );
    let done = told.complete();
    assert_eq!(
        (&done["provider"], &done["model_name"]),
        (&json!("OpenAI"), &json!("gpt-4o-mini"))
    );
    assert_eq!(
        world.models.requests()[0].header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
}

#[tokio::test]
async fn auto_select_first_available_model() {
    let world = World::new().await;
    let config = world
        .ada
        .get("/api/v1/agentic/check-config")
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&config["enabled"], &config["configured"]),
        (&json!(true), &json!(true)),
        "{config}"
    );
    assert_eq!(config["default_provider"], "OpenAI", "{config}");
    assert_eq!(
        config["configured_providers"].as_array().unwrap()[0],
        "OpenAI",
        "{config}"
    );
    let default = config["default_model"].as_str().unwrap();
    let provider = config["providers"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "OpenAI")
        .unwrap();
    assert!(
        provider["models"]
            .as_array()
            .unwrap()
            .iter()
            .any(|model| model["name"] == default),
        "{config}"
    );
    let flow = world.empty().await;
    world.models.always(Turn::text("Hello."));
    let body = json!({ "flow_id": flow, "input_value": "hello" });
    let answer = world.ada.post(super::support::STREAM, &body).await.expect(200);
    let done = super::support::Told::of(&answer);
    assert_eq!(done.complete()["model_name"], default);
}

#[tokio::test]
async fn no_model_provider_configured() {
    let world = World::keyless(|_| {}).await;
    let config = world
        .ada
        .get("/api/v1/agentic/check-config")
        .await
        .expect(200)
        .json();
    let configured = config["configured_providers"].as_array().unwrap();
    assert!(!configured.iter().any(|name| name == "OpenAI"), "{config}");
    let flow = world.empty().await;
    let refused = world.post(&flow, "hello", json!({})).await.expect(400).json();
    let detail = refused["detail"].to_string();
    assert!(
        detail.contains("not configured") && detail.contains("Rehearsal"),
        "{detail}"
    );
    assert!(world.asked().is_empty());
    // Whoever names no provider is answered by the one that needs no key, which says that it is not an AI.
    let body = json!({ "flow_id": flow, "input_value": "hello" });
    let told = super::support::Told::of(&world.ada.post(super::support::STREAM, &body).await.expect(200));
    assert_eq!(told.complete()["rehearsal"], true, "{}", told.complete());
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_said_before_anything_begins() {
    let world = World::new().await;
    let flow = world.empty().await;
    let eve = world.site.user("eve").await;
    let foreign = eve.flow("Hers").await.id();
    let long = "x".repeat(2001);
    for (status, flow, text, more) in [
        (400, flow.as_str(), "hi", json!({ "provider": "Mind Reader" })),
        (400, &flow, "hi", json!({ "provider": "Anthropic" })),
        (404, &foreign, "hi", json!({})),
        (404, "00000000-0000-4000-8000-000000000000", "hi", json!({})),
        (422, "not-an-id", "hi", json!({})),
        (422, &flow, long.as_str(), json!({})),
        (422, &flow, "hi", json!({ "max_retries": 0 })),
        (422, &flow, "hi", json!({ "max_retries": 6 })),
        (422, &flow, "hi", json!({ "history_limit": 101 })),
        (422, &flow, "hi", json!({ "iterations_limit": 0 })),
        (422, &flow, "hi", json!({ "iterations_limit": 201 })),
        (422, &flow, "hi", json!({ "session_id": "x".repeat(129) })),
        (422, &flow, "hi", json!({ "input_value": 7 })),
        (422, &flow, "hi", json!({ "flow_id": null })),
    ] {
        let answer = world.post(flow, text, more.clone()).await;
        assert_eq!(answer.status, status, "{more}: {}", answer.text());
        crate::site::is_clean_refusal(&answer);
    }
    assert!(world.asked().is_empty());
    world.means("question").says("Yes.");
    world.ask(&flow, &"é".repeat(2000)).await.complete();
}

#[tokio::test]
async fn api_key_expired_or_invalid() {
    let world = World::new().await;
    let flow = world.empty().await;
    let refused = || {
        Turn::status(
            401,
            json!({ "error": { "message": format!("Incorrect API key provided: {KEY}"), "code": "invalid_api_key" } }),
        )
    };
    world.then(refused()).then(refused());
    let told = world.ask(&flow, "hello").await;
    let error = told.error();
    assert!(error.contains("key") && error.contains("Settings"), "{error}");
    assert!(!told.text().contains(KEY), "{}", told.text());
}

#[tokio::test]
async fn model_not_found_falls_back_to_a_sibling_model_on_the_same_provider() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .then(missing())
        .means("generate_component")
        .then(missing())
        .writes(super::components::UPPER);
    let told = world
        .ask_with(&flow, "uppercase, please", json!({ "max_retries": 1 }))
        .await;
    let done = told.complete();
    assert_eq!(
        (&done["validated"], &done["validation_attempts"]),
        (&json!(true), &json!(1)),
        "no attempt is used up: {done}"
    );
    let asked = models(&world);
    assert_eq!(asked[0], "gpt-4o");
    assert_ne!(asked[1], "gpt-4o", "{asked:?}");
    assert_eq!(done["model_name"], *asked.last().unwrap());
    let notice = &done["notices"][0];
    assert_eq!(
        (&notice["type"], &notice["failed_model"]),
        (&json!("model_fallback"), &json!("gpt-4o")),
        "{done}"
    );
    assert!(
        world
            .models
            .requests()
            .iter()
            .all(|request| request.path.contains("/v1/")),
        "the same provider"
    );
}

#[tokio::test]
async fn all_candidate_models_exhausted_on_a_provider() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.models.always(missing());
    let told = world.ask(&flow, "hello").await;
    let error = told.error();
    assert!(
        error.contains("No accessible model on OpenAI") && error.contains("gpt-4o"),
        "{error}"
    );
    assert!(error.contains("Settings"), "{error}");
    let mut asked = models(&world);
    let all = asked.len();
    asked.sort();
    asked.dedup();
    assert!(
        asked.len() > 1 && all <= 2 * asked.len(),
        "each is tried once or twice at most: {all} {asked:?}"
    );
}

#[tokio::test]
async fn non_model_availability_errors_do_not_trigger_fallback() {
    for (turn, told_of) in [
        (
            Turn::status(
                401,
                json!({ "error": { "message": "Incorrect API key provided" } }),
            ),
            "key",
        ),
        (
            Turn::status(
                400,
                json!({ "error": { "message": "Your request was too strange." } }),
            ),
            "too strange",
        ),
        (Turn::fault(Fault::Reset), ""),
    ] {
        let world = World::new().await;
        let flow = world.empty().await;
        world.means("question");
        world.models.always(turn);
        let told = world.ask(&flow, "hello").await;
        assert!(told.error().contains(told_of), "{}", told.error());
        assert!(
            models(&world).iter().all(|model| model == "gpt-4o"),
            "{:?}",
            models(&world)
        );
    }
}

#[tokio::test]
async fn wrapped_errors_surface_the_deepest_meaningful_cause() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world
        .means("run_flow")
        .calls("run_flow", json!({ "input": "hi" }));
    world.then(Turn::status(
        400,
        json!({ "error": { "message": "Your organisation must be verified to use this model." } }),
    ));
    world.says("It failed.");
    world.ask(&flow, "run the flow").await.complete();
    let result = &world.results()[0];
    assert!(result.contains("must be verified"), "{result}");
    // The same when it is the assistant's own model.
    world.means("question").then(Turn::status(
        400,
        json!({ "error": { "message": "Your organisation must be verified to use this model." } }),
    ));
    let told = world.ask(&flow, "hello").await;
    assert!(told.error().contains("must be verified"), "{}", told.error());
}

#[tokio::test]
async fn api_key_error_names_the_users_variable_back_to_them() {
    let world = World::new().await;
    let mut flow = specs::flow(CHATBOT);
    let template = &mut flow["data"]["nodes"][1]["data"]["node"]["template"];
    template["model"]["value"] = json!([{ "provider": "Anthropic", "name": "claude-sonnet-4-6" }]);
    template["api_key"]["value"] = "MY_OWN_KEY".into();
    template["api_key"]["load_from_db"] = true.into();
    let id = world.save(&flow).await;
    world
        .means("run_flow")
        .calls("run_flow", json!({ "input": "hi" }))
        .says("No key.");
    world.ask(&id, "run the flow").await.complete();
    let result = &world.results()[0];
    assert!(
        result.contains("MY_OWN_KEY") && result.contains("ANTHROPIC_API_KEY"),
        "{result}"
    );
}

#[tokio::test]
async fn the_model_a_person_asks_for_is_the_model_of_the_flow() {
    let world = World::new().await;
    let flow = world.empty().await;
    let meant = json!({ "translation": "a chatbot with gpt-4o-mini", "intent": "build_flow", "requested_model": "gpt-4o-mini" });
    world
        .says(&meant.to_string())
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Done.");
    let told = world.ask(&flow, "a chatbot with gpt-4o-mini").await;
    let nodes = &told.update("set_flow")["flow"]["data"]["nodes"];
    let model = &nodes[1]["data"]["node"]["template"]["model"]["value"][0];
    assert_eq!(model["name"], "gpt-4o-mini", "{model}");
}

/// Who runs the assistant may have switched it off.
#[tokio::test]
async fn an_operator_can_switch_it_off() {
    let world = World::with(|config| config.assistant.enabled = false).await;
    let flow = world.empty().await;
    let config = world
        .ada
        .get("/api/v1/agentic/check-config")
        .await
        .expect(200)
        .json();
    assert_eq!(config["enabled"], false, "{config}");
    let gone: Value = world.post(&flow, "hello", json!({})).await.expect(404).json();
    assert!(
        gone["detail"].as_str().unwrap().contains("not available"),
        "{gone}"
    );
    world.ada.get("/api/v1/agentic/files?path=a").await.expect(404);
    variable(&world.ada, "SOMETHING", "else").await;
}
