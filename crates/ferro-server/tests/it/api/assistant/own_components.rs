//! Components that were generated stay with the person who asked for them, until a new session.

use std::fs;

use ferro_server::config::CustomComponents;
use serde_json::{Value, json};

use super::components::UPPER;
use super::support::World;
use crate::site::{Person, texts};

const RESET: &str = "/api/v1/agentic/sessions/reset?session_id=agentic_new";

async fn kept(person: &Person) -> Vec<String> {
    let list = person.get("/api/v1/user_components").await.expect(200).json();
    texts(&list, "class_name")
}

/// A world in which `UppercaseText` was generated.
async fn generated() -> (World, String) {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("generate_component").writes(UPPER);
    let told = world.in_session(&flow, "agentic_1", "uppercase, please").await;
    assert_eq!(told.complete()["validated"], true);
    (world, flow)
}

fn with_own(class: &str, input: &str) -> String {
    format!(
        "nodes:\n  in: ChatInput\n  own: {class}\n  out: ChatOutput\nedges:\n  in.message -> own.{input}\n  \
         own.result -> out.input_value\n"
    )
}

#[tokio::test]
async fn user_component_auto_register_after_generation_passes_layer_2() {
    let (world, _) = generated().await;
    let file = world.site.components_of(&world.ada).join("UppercaseText.py");
    assert_eq!(fs::read_to_string(file).unwrap().trim(), UPPER.trim());
    assert_eq!(kept(&world.ada).await, ["UppercaseText"]);
}

#[tokio::test]
async fn user_component_appears_in_search_components_on_next_request() {
    let (world, flow) = generated().await;
    world
        .means("build_flow")
        .calls("search_components", json!({ "query": "uppercase" }))
        .says("There it is.");
    world
        .ask(&flow, "which component makes capital letters? use it")
        .await
        .complete();
    let found: Value = serde_json::from_str(&world.results()[0]).unwrap();
    assert!(
        texts(&found["results"], "type").contains(&"UppercaseText".to_owned()),
        "{found}"
    );
}

#[tokio::test]
async fn user_component_build_flow_materializes_a_node_with_the_real_code() {
    let (world, flow) = generated().await;
    let spec = with_own("UppercaseText", "text");
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": spec }))
        .says("Built.");
    let told = world.ask(&flow, "build a flow with UppercaseText").await;
    let nodes = told.update("set_flow")["flow"]["data"]["nodes"].clone();
    let node = nodes
        .as_array()
        .unwrap()
        .iter()
        .find(|node| node["id"].as_str().unwrap().starts_with("UppercaseText"));
    let template = &node.expect("its node")["data"]["node"]["template"];
    assert_eq!(template["code"]["value"].as_str().unwrap().trim(), UPPER.trim());
    assert!(
        template["text"].is_object(),
        "its own fields, not a scaffold's: {template}"
    );
    assert_eq!(
        told.complete()["verified"],
        true,
        "it was really run: {}",
        told.complete()
    );
}

#[tokio::test]
async fn user_component_runs_correctly_after_real_introspection() {
    let (world, flow) = generated().await;
    let spec = with_own("UppercaseText", "text") + "config:\n  in.input_value: loud and clear\n";
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": spec }))
        .calls("run_flow", json!({}))
        .says("LOUD.");
    let told = world
        .ask(&flow, "build a flow with UppercaseText and run the flow")
        .await;
    told.complete();
    let results = world.results();
    assert!(results[1].contains("LOUD AND CLEAR"), "{results:?}");
}

#[tokio::test]
async fn user_component_agents_fs_tools_refuse_components() {
    let (world, flow) = generated().await;
    world.means("manage_files");
    world.calls("read_file", json!({ "path": ".components/UppercaseText.py" }));
    world.calls(
        "write_file",
        json!({ "path": ".COMPONENTS/Evil.py", "content": "x" }),
    );
    world.calls(
        "edit_file",
        json!({ "path": ".Components/UppercaseText.py", "old": "upper", "new": "x" }),
    );
    world.calls("glob_search", json!({ "pattern": ".components/*.py" }));
    world.calls("grep_search", json!({ "pattern": "UppercaseText" }));
    world.says("No.");
    let told = world
        .ask(&flow, "show me the file .components/UppercaseText.py")
        .await;
    assert!(told.all("file_written").is_empty(), "{told:#?}");
    let results = world.results();
    assert!(
        results[..3].iter().all(|result| result.contains("reserved")),
        "{results:?}"
    );
    assert!(!results.concat().contains("class UppercaseText"), "{results:?}");
    let folder = world.site.components_of(&world.ada);
    let files = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let code: Vec<_> = files
        .filter(|name| name.to_string_lossy().ends_with(".py"))
        .collect();
    assert_eq!(code, ["UppercaseText.py"]);
    assert_eq!(
        fs::read_to_string(folder.join("UppercaseText.py"))
            .unwrap()
            .trim(),
        UPPER.trim()
    );
}

#[tokio::test]
async fn user_component_per_user_isolation_preserved_across_modes() {
    let (world, _) = generated().await;
    let eve = world.site.user("eve").await;
    world.give_open_ai(&eve).await;
    let flow = eve.flow("Hers").await.id();
    world
        .means("build_flow")
        .calls("search_components", json!({ "query": "UppercaseText" }))
        .says("No.");
    let body = super::support::body(&flow, "is there an UppercaseText?", json!({}));
    eve.post(super::support::STREAM, &body).await.expect(200);
    assert!(
        !world.results()[0].contains("UppercaseText\""),
        "{:?}",
        world.results()
    );
    assert!(kept(&eve).await.is_empty());
}

#[tokio::test]
async fn user_component_name_collisions_favor_the_base_registry() {
    let world = World::new().await;
    let flow = world.empty().await;
    let taken = UPPER.replace("UppercaseText", "ChatInput");
    world.means("generate_component").writes(&taken);
    let told = world
        .ask_with(&flow, "a chat input, please", json!({ "max_retries": 1 }))
        .await;
    told.complete();
    world
        .means("build_flow")
        .calls("describe_component", json!({ "component_type": "ChatInput" }))
        .says("So.");
    world.ask(&flow, "describe the chat input").await.complete();
    let described = &world.results()[0];
    assert!(
        described.contains("input_value") && !described.contains("capital letters"),
        "{described}"
    );
}

/// Nobody is anonymous here: without an account there is no turn, and so no component.
#[tokio::test]
async fn user_component_registration_refuses_anonymous_requests() {
    let world = World::new().await;
    let flow = world.empty().await;
    let body = super::support::body(&flow, "uppercase, please", json!({}));
    world
        .site
        .nobody()
        .post(super::support::STREAM, &body)
        .await
        .expect(401);
    assert!(world.asked().is_empty());
    // Where code of one's own is not allowed the answer says so, and nothing is kept.
    let world = World::with(|config| config.python.custom_components = CustomComponents::Admins).await;
    let flow = world.empty().await;
    world.means("generate_component").writes(UPPER);
    let told = world.ask(&flow, "uppercase, please").await;
    assert!(
        told.error().contains("allow") || told.error().contains("admin"),
        "{}",
        told.error()
    );
    assert!(
        !world
            .site
            .components_of(&world.ada)
            .join("UppercaseText.py")
            .exists()
    );
}

/// The code passes, its name does not: the person has the code all the same.
#[tokio::test]
async fn user_component_class_name_length_cap() {
    for (length, is_kept) in [(65, false), (64, true)] {
        let world = World::new().await;
        let flow = world.empty().await;
        let class = format!("A{}", "a".repeat(length - 1));
        world
            .means("generate_component")
            .writes(&UPPER.replace("UppercaseText", &class));
        let told = world
            .ask_with(&flow, "uppercase, please", json!({ "max_retries": 1 }))
            .await;
        let done = told.complete();
        assert!(
            done["component_code"].as_str().unwrap().contains(&class),
            "{done}"
        );
        assert_eq!(kept(&world.ada).await.len(), usize::from(is_kept), "{length}");
    }
}

#[tokio::test]
async fn user_component_name_validation_rejects_windows_reserved_devices() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("generate_component")
        .writes(&UPPER.replace("UppercaseText", "CON"));
    let told = world
        .ask_with(&flow, "uppercase, please", json!({ "max_retries": 1 }))
        .await;
    let code = told.complete()["component_code"]
        .as_str()
        .expect("the person has the code");
    assert!(code.contains("class CON("), "{code}");
    assert!(kept(&world.ada).await.is_empty());
    assert!(!world.site.components_of(&world.ada).join("CON.py").exists());
}

#[tokio::test]
async fn user_component_registry_overlay_skips_broken_files_silently() {
    let (world, flow) = generated().await;
    let broken = world.site.components_of(&world.ada).join("BrokenComponent.py");
    fs::write(broken, "class BrokenComponent(Component:\n  outputs = [").unwrap();
    world
        .means("build_flow")
        .calls("search_components", json!({ "query": "component" }));
    world
        .calls("search_components", json!({ "query": "uppercase" }))
        .says("Yes.");
    world.ask(&flow, "what do I have?").await.complete();
    let results = world.results();
    assert!(!results.concat().contains("BrokenComponent"), "{results:?}");
    assert!(results[1].contains("UppercaseText"), "{results:?}");
}

#[tokio::test]
async fn session_reset_wipes_components_on_explicit_new_session_click() {
    let (world, flow) = generated().await;
    let path = "/api/v1/agentic/sessions/reset?session_id=agentic_1";
    let reset = world.ada.post(path, &json!({})).await.expect(200).json();
    assert_eq!(
        (
            &reset["status"],
            &reset["components_cleared"],
            &reset["session_id"]
        ),
        (&json!("ok"), &json!(1), &json!("agentic_1"))
    );
    assert!(kept(&world.ada).await.is_empty());
    // The conversation of that session is gone too.
    world.means("question").says("I do not know.");
    world
        .in_session(&flow, "agentic_1", "what did I ask for?")
        .await
        .complete();
    let told: String = world.asked()[2..]
        .iter()
        .map(|body| body["messages"].to_string())
        .collect();
    assert!(!told.contains("uppercase, please"), "{told}");
}

/// What the panel does when it opens; the backend half is the same endpoint.
#[tokio::test]
async fn session_reset_wipes_components_on_panel_mount() {
    let (world, flow) = generated().await;
    world.ada.post(RESET, &json!({})).await.expect(200);
    world
        .means("build_flow")
        .calls("search_components", json!({ "query": "uppercase" }))
        .says("None.");
    world
        .ask(&flow, "is there one for capital letters?")
        .await
        .complete();
    assert!(
        !world.results()[0].contains("UppercaseText"),
        "{:?}",
        world.results()
    );
}

/// Loading an old session asks nothing of the server: no request but `reset` forgets components.
#[tokio::test]
async fn load_session_does_not_wipe_components() {
    let (world, flow) = generated().await;
    world.means("question").says("Hello again.");
    world.in_session(&flow, "agentic_older", "hello").await.complete();
    world.ada.get("/api/v1/agentic/check-config").await.expect(200);
    assert_eq!(kept(&world.ada).await, ["UppercaseText"]);
}

#[tokio::test]
async fn session_reset_endpoint_refuses_cross_user_wipes() {
    let (world, _) = generated().await;
    let eve = world.site.user("eve").await;
    let path = format!("{RESET}&user_id={}", world.ada.id);
    let reset = eve.post(&path, &json!({})).await;
    assert!(reset.status == 200 || reset.status == 422, "{}", reset.text());
    assert_eq!(kept(&world.ada).await, ["UppercaseText"]);
}

#[tokio::test]
async fn session_reset_endpoint_is_idempotent_and_tolerant() {
    let world = World::new().await;
    for _ in 0..2 {
        let reset = world.ada.post(RESET, &json!({})).await.expect(200).json();
        assert_eq!(
            (&reset["status"], &reset["components_cleared"]),
            (&json!("ok"), &json!(0))
        );
    }
    let long = format!("/api/v1/agentic/sessions/reset?session_id={}", "x".repeat(129));
    world.ada.post(&long, &json!({})).await.expect(422);
    world.site.nobody().post(RESET, &json!({})).await.expect(401);
}
