//! Where keys go: a flow may come from anybody, and the address in it may be its author's.

use crate::flows::{Flow, World};

const ASK: &str = "
nodes:
  in: ChatInput
  llm: LanguageModelComponent
  out: ChatOutput
edges:
  in.message -> llm.input_value
  llm.text_output -> out.input_value
";

/// A person who keeps these variables and nothing else.
async fn person(kept: &[(&str, &str)]) -> World {
    let world = World::new().await;
    let kept = kept
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    *world.host.variables.lock().unwrap() = kept.collect();
    world
}

/// A flow that asks a model of this provider at the world's server.
fn ask(world: &World, provider: &str) -> Flow {
    let flow = world.flow(ASK);
    let model = serde_json::json!([{ "provider": provider, "name": "some-model" }]);
    let url = format!("{}/v1", world.models.url());
    flow.set("llm", "model", model).set("llm", "base_url", url)
}

/// The same for a component of an older file.
fn old(world: &World, r#type: &str, address: &str) -> Flow {
    let mut flow = world.flow(ASK);
    let text = flow.0.to_string().replace("LanguageModelComponent", r#type);
    flow.0 = serde_json::from_str(&text).unwrap();
    let template = flow.node("llm")["template"].as_object_mut().unwrap();
    template.remove("model");
    let url = format!("{}/v1", world.models.url());
    flow.set("llm", "model_name", "some-model")
        .set("llm", address, url)
}

/// Has the key field name a variable.
fn naming(flow: Flow, variable: &str) -> Flow {
    let mut flow = flow.set("llm", "api_key", variable);
    flow.node("llm")["template"]["api_key"]["load_from_db"] = true.into();
    flow
}

/// The keys that were sent, in order.
fn sent(world: &World) -> Vec<String> {
    let headers = world
        .models
        .requests()
        .into_iter()
        .flat_map(|request| request.headers);
    headers
        .filter(|(name, _)| name == "authorization" || name == "x-api-key")
        .map(|(_, value)| value)
        .collect()
}

#[tokio::test]
async fn a_kept_key_does_not_go_where_only_a_node_says() {
    let world = person(&[("OPENAI_API_KEY", "sk-kept"), ("ANTHROPIC_API_KEY", "ant-kept")]).await;
    for flow in [
        ask(&world, "OpenAI"),
        ask(&world, "Anthropic"),
        // Naming it does not make it the node's own, whatever the provider is called.
        naming(ask(&world, "OpenAI"), "OPENAI_API_KEY"),
        naming(ask(&world, "OpenAI-compatible"), "ANTHROPIC_API_KEY"),
        ask(&world, "OpenAI-compatible").set("llm", "api_key", "OPENAI_API_KEY"),
        naming(old(&world, "OpenAIModel", "openai_api_base"), "OPENAI_API_KEY"),
        old(&world, "AnthropicModel", "anthropic_api_url"),
    ] {
        let ran = world.run(&flow, "hello").await;
        let failure = ran.failed("127.0.0.1");
        assert!(failure.advice.contains("BASE_URL"), "{failure:?}");
        assert!(!format!("{:?}", ran.events).contains("-kept"));
    }
    assert_eq!(world.models.requests().len(), 0);
}

#[tokio::test]
async fn a_token_is_bought_only_where_the_person_or_the_provider_says() {
    let world = person(&[
        ("WATSONX_APIKEY", "ibm-kept"),
        ("WATSONX_PROJECT_ID", "p"),
        ("WATSONX_URL", "https://eu-de.ml.cloud.ibm.com"),
    ])
    .await;
    let url = world.models.url();
    let flow = ask(&world, "IBM WatsonX").set("llm", "iam_url", url);
    world.run(&flow, "hello").await.failed("127.0.0.1");
    assert_eq!(world.models.requests().len(), 0);
}

#[tokio::test]
async fn a_node_with_a_key_of_its_own_may_go_anywhere() {
    let world = person(&[("OPENAI_API_KEY", "sk-kept"), ("PROXY_KEY", "sk-proxy")]).await;
    for flow in [
        ask(&world, "OpenAI").set("llm", "api_key", "sk-own"),
        naming(ask(&world, "OpenAI"), "PROXY_KEY"),
        // Whoever wrote it into the flow knows it.
        ask(&world, "OpenAI").set("llm", "api_key", "sk-kept"),
    ] {
        world.run(&flow, "hello").await.outputs("out");
    }
    assert_eq!(
        sent(&world),
        ["Bearer sk-own", "Bearer sk-proxy", "Bearer sk-kept"]
    );
}

#[tokio::test]
async fn a_kept_key_goes_to_the_kept_address() {
    let world = person(&[("OPENAI_API_KEY", "sk-kept")]).await;
    let url = format!("{}/v1", world.models.url());
    let kept = ("OPENAI_BASE_URL".to_owned(), url.clone());
    world.host.variables.lock().unwrap().extend([kept]);
    for said in [String::new(), format!("{url}/")] {
        let flow = ask(&world, "OpenAI").set("llm", "base_url", said);
        world.run(&flow, "hello").await.outputs("out");
    }
    assert_eq!(sent(&world), ["Bearer sk-kept", "Bearer sk-kept"]);
}

#[tokio::test]
async fn a_server_that_needs_no_key_is_not_sent_another_servers() {
    let world = person(&[
        ("OPENAI_COMPATIBLE_API_KEY", "sk-kept"),
        ("OPENAI_COMPATIBLE_BASE_URL", "https://models.example/v1"),
    ])
    .await;
    let flow = ask(&world, "OpenAI-compatible");
    world.run(&flow, "hello").await.outputs("out");
    assert_eq!(world.models.requests().len(), 1);
    assert_eq!(sent(&world), [""; 0]);
}
