//! Models in the flow: never one that nobody can ask.

use serde_json::{Value as Json, json};

use super::bench::{Bench, rules};
use crate::fake::chatbot;
use crate::work::Rules;

fn model(provider: &str, name: &str) -> Json {
    json!([{ "provider": provider, "name": name }])
}

#[tokio::test]
async fn a_model_is_named_in_many_ways_and_ends_as_one_that_can_be_asked() {
    let bench = Bench::on(chatbot());
    for (wanted, expected, changed) in [
        (json!("gpt-4o"), model("OpenAI", "gpt-4o"), false),
        (json!("GPT 4o"), model("OpenAI", "gpt-4o"), false),
        (
            json!("claude-sonnet-4-6"),
            model("Anthropic", "claude-sonnet-4-6"),
            false,
        ),
        (model("openai", "gpt-4o"), model("OpenAI", "gpt-4o"), false),
        (
            json!({ "provider": "Anthropic", "name": "claude-opus-9" }),
            model("Anthropic", "claude-opus-9"),
            false,
        ),
        (
            json!("[{\"provider\": \"OpenAI\", \"name\": \"gpt-4o\"}]"),
            model("OpenAI", "gpt-4o"),
            false,
        ),
        (model("Groq", "llama-3"), model("OpenAI", "gpt-5.4"), true),
        (json!("gemini-2.5-pro"), model("OpenAI", "gpt-5.4"), true),
        (json!([]), model("OpenAI", "gpt-5.4"), false),
        (json!(""), model("OpenAI", "gpt-5.4"), false),
    ] {
        let call = json!({ "component_id": "Agent-00002", "params": { "model": wanted } });
        let told = bench.call("configure_component", call).await.unwrap();
        assert_eq!(bench.value("Agent-00002", "model"), expected, "{wanted}");
        let said = told["text"].as_str().is_some_and(|text| text.contains("instead"));
        assert_eq!(said, changed, "{wanted}: {told}");
    }
    let call = json!({ "component_id": "Agent-00002", "params": { "model": 3 } });
    assert!(
        bench
            .refusal("configure_component", call)
            .await
            .contains("provider")
    );
}

#[tokio::test]
async fn the_model_a_person_named_goes_first() {
    let requested = |provider: Option<&str>, name: &str| Rules {
        requested: Some((provider.map(str::to_owned), name.to_owned())),
        ..rules()
    };
    let (own, claude) = (
        model("OpenAI", "gpt-5.4"),
        model("Anthropic", "claude-sonnet-4-6"),
    );
    for (rules, expected, note) in [
        (requested(None, "claude-sonnet-4-6"), &claude, ""),
        (requested(Some("anthropic"), "Claude Sonnet 4-6"), &claude, ""),
        (requested(Some("Groq"), "llama-3"), &own, "Groq is not set up"),
        (
            requested(None, "llama-3"),
            &own,
            "a model llama-3; gpt-5.4 of OpenAI was taken instead",
        ),
    ] {
        let bench = Bench::with(None, rules, Vec::new());
        let added = bench
            .call("add_component", json!({ "component_type": "Agent" }))
            .await
            .unwrap();
        assert_eq!(bench.value(added["id"].as_str().unwrap(), "model"), *expected);
        assert!(added["text"].as_str().unwrap().contains(note), "{added}");
    }
    // What cannot be had is replaced by what the person named, and the note says by what.
    let bench = Bench::with(Some(chatbot()), requested(None, "claude-sonnet-4-6"), Vec::new());
    let call = json!({ "component_id": "Agent-00002", "params": { "model": model("Groq", "llama-3") } });
    let told = bench.call("configure_component", call).await.unwrap();
    assert!(
        told["text"]
            .as_str()
            .unwrap()
            .contains("claude-sonnet-4-6 of Anthropic"),
        "{told}"
    );
    assert_eq!(bench.value("Agent-00002", "model"), claude);
}

#[tokio::test]
async fn a_spec_with_a_provider_nobody_set_up_is_built_with_another_and_says_so() {
    let bench = Bench::empty();
    let spec = "nodes:\n  A: ChatInput\n  B: Agent\nedges:\n  A.message -> B.input_value\nconfig:\n  B.model: [{\"provider\": \"Groq\", \"name\": \"llama-3\"}]";
    let built = bench.call("build_flow", json!({ "spec": spec })).await.unwrap();
    let text = built["text"].as_str().unwrap();
    assert!(
        text.contains("Groq is not set up") && text.contains("gpt-5.4"),
        "{text}"
    );
    assert_eq!(
        bench.value(built["node_id_map"]["B"].as_str().unwrap(), "model"),
        model("OpenAI", "gpt-5.4")
    );
}

#[tokio::test]
async fn embeddings_get_no_language_model() {
    let bench = Bench::empty();
    let added = bench
        .call("add_component", json!({ "component_type": "EmbeddingModel" }))
        .await
        .unwrap();
    let id = added["id"].as_str().unwrap();
    assert_eq!(bench.value(id, "model"), json!([]));
    let call =
        json!({ "component_id": id, "params": { "model": { "provider": "Cohere", "name": "embed" } } });
    bench.call("configure_component", call).await.unwrap();
    assert_eq!(bench.value(id, "model"), model("Cohere", "embed"));
}
