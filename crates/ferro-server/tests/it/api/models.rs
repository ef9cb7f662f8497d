//! Model providers: what is set up, what is offered, and what a person chose.

use ferro_testkit::{Client, ModelServer, Turn};
use serde_json::{Value, json};

use crate::site::Site;

async fn set(client: &Client, name: &str, value: &str) -> String {
    let body = json!({ "name": name, "value": value, "type": "Credential" });
    client.post("/api/v1/variables", &body).await.expect(201).id()
}

/// A site that may reach the model server.
async fn site(server: &ModelServer) -> Site {
    let address = server.address().to_string();
    Site::with(move |config| config.egress_allow = vec![address]).await
}

async fn provider(client: &Client, name: &str) -> Value {
    let all = client.get("/api/v1/models").await.expect(200).json();
    let found = all
        .as_array()
        .unwrap()
        .iter()
        .find(|known| known["provider"] == name);
    found.unwrap().clone()
}

async fn effective(client: &Client) -> Value {
    let answer = client
        .get("/api/v1/models/default_model")
        .await
        .expect(200)
        .json();
    answer["effective_model"]["provider"].clone()
}

#[tokio::test]
async fn a_provider_is_ready_when_its_variables_are_set() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await.client, site.user("eve").await.client);
    assert_eq!(provider(&ada, "OpenAI").await["is_configured"], false);
    let rehearsal = provider(&ada, "Rehearsal").await;
    assert_eq!(
        (&rehearsal["is_configured"], &rehearsal["is_rehearsal"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(
        effective(&ada).await,
        "Rehearsal",
        "with nothing set up, something still works"
    );

    let key = set(&ada, "OPENAI_API_KEY", "sk-ada").await;
    let openai = provider(&ada, "OpenAI").await;
    assert_eq!(openai["is_configured"], true);
    assert!(
        !openai.to_string().contains("sk-ada"),
        "a key is never given back"
    );
    assert_eq!(
        effective(&ada).await,
        "OpenAI",
        "the rehearsal is never chosen beside a real provider"
    );
    assert_eq!(effective(&eve).await, "Rehearsal", "keys are one's own");
    let enabled = ada
        .get("/api/v1/models/enabled_providers")
        .await
        .expect(200)
        .json();
    assert_eq!(enabled["provider_status"]["OpenAI"], true);
    assert_eq!(enabled["provider_status"]["Anthropic"], false);

    ada.delete(&format!("/api/v1/variables/{key}")).await.expect(204);
    assert_eq!(effective(&ada).await, "Rehearsal");
}

#[tokio::test]
async fn settings_are_tried_before_they_are_kept() {
    let server = ModelServer::start().await;
    let site = site(&server).await;
    let client = site.user("ada").await.client;
    let ask = |key: &str| json!({ "provider": "OpenAI", "variables": { "OPENAI_API_KEY": key, "OPENAI_BASE_URL": format!("{}/v1", server.url()) } });
    let good = client
        .post("/api/v1/models/validate-provider", &ask("sk-good"))
        .await
        .expect(200)
        .json();
    assert_eq!(good["valid"], true, "{good}");
    let sent = server.requests();
    assert_eq!(sent[0].header("authorization"), Some("Bearer sk-good"));

    server.push(Turn::status(401, json!({ "error": { "message": "Incorrect API key provided: sk-bad-0123456789", "code": "invalid_api_key" } })));
    let bad = client
        .post("/api/v1/models/validate-provider", &ask("sk-bad-0123456789"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&bad["valid"], &bad["class"]),
        (&json!(false), &json!("authentication")),
        "{bad}"
    );
    assert!(!bad.to_string().contains("sk-bad-0123456789"), "{bad}");

    let missing = client
        .post(
            "/api/v1/models/validate-provider",
            &json!({ "provider": "Anthropic", "variables": {} }),
        )
        .await
        .expect(200)
        .json();
    assert!(
        missing["advice"].as_str().unwrap().contains("ANTHROPIC_API_KEY"),
        "{missing}"
    );
    client
        .post(
            "/api/v1/models/validate-provider",
            &json!({ "provider": "Nobody" }),
        )
        .await
        .refused(422, "invalid");
}

#[tokio::test]
async fn an_address_inside_is_refused_unless_the_operator_allows_it() {
    let server = ModelServer::start().await;
    let site = Site::new().await;
    let client = site.user("ada").await.client;
    let body = json!({ "provider": "Ollama", "variables": { "OLLAMA_BASE_URL": server.url() } });
    let answer = client
        .post("/api/v1/models/validate-provider", &body)
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&answer["valid"], &answer["class"]),
        (&json!(false), &json!("configuration")),
        "{answer}"
    );
    assert!(
        answer["cause"]
            .as_str()
            .unwrap()
            .contains("FERROFLOW_EGRESS_ALLOW"),
        "{answer}"
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn models_are_turned_on_and_off_and_one_is_the_default() {
    let site = Site::new().await;
    let client = site.user("ada").await.client;
    set(&client, "ANTHROPIC_API_KEY", "x").await;
    let models = provider(&client, "Anthropic").await;
    let first = models["models"][0]["model_name"].as_str().unwrap().to_owned();
    let switches = json!([
        { "provider": "Anthropic", "model_id": first, "enabled": false },
        { "provider": "anthropic", "model_id": "claude-of-tomorrow", "enabled": true },
    ]);
    let enabled = client
        .post("/api/v1/models/enabled_models", &switches)
        .await
        .expect(200)
        .json();
    assert_eq!(enabled["enabled_models"]["Anthropic"][&first], false);
    assert_eq!(enabled["enabled_models"]["Anthropic"]["claude-of-tomorrow"], true);
    let options = client
        .get("/api/v1/model_options/language")
        .await
        .expect(200)
        .json();
    let names: Vec<_> = options
        .as_array()
        .unwrap()
        .iter()
        .map(|option| option["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"claude-of-tomorrow") && !names.contains(&first.as_str()),
        "{names:?}"
    );

    let chosen = json!({ "provider": "Anthropic", "model_name": "claude-of-tomorrow" });
    let answer = client
        .post("/api/v1/models/default_model", &chosen)
        .await
        .expect(200)
        .json();
    assert_eq!(answer["effective_model"]["model_name"], "claude-of-tomorrow");
    let answer = client
        .delete("/api/v1/models/default_model")
        .await
        .expect(200)
        .json();
    assert_eq!(answer["default_model"], Value::Null);
    client
        .post(
            "/api/v1/models/default_model",
            &json!({ "provider": "Anthropic", "model_name": "" }),
        )
        .await
        .refused(422, "invalid");
    client
        .post(
            "/api/v1/models/enabled_models",
            &json!([{ "provider": "Nobody", "model_id": "x", "enabled": true }]),
        )
        .await
        .refused(422, "invalid");
}

#[tokio::test]
async fn a_model_field_offers_what_is_set_up() {
    let site = Site::new().await;
    let client = site.user("ada").await.client;
    let update = |node: Value, value: Value| json!({ "type": "Agent", "field": "model", "field_value": value, "frontend_node": node });
    let node = client
        .post("/api/v1/custom_component/update", &update(Value::Null, json!([])))
        .await
        .expect(200)
        .json();
    let field = &node["template"]["model"];
    assert_eq!(
        field["value"][0]["provider"], "Rehearsal",
        "a new node has a model that works"
    );
    assert!(
        field["options"]
            .as_array()
            .unwrap()
            .iter()
            .all(|option| option["provider"] == "Rehearsal")
    );

    set(&client, "GROQ_API_KEY", "x").await;
    let cleared = client
        .post("/api/v1/custom_component/update", &update(node, json!([])))
        .await
        .expect(200)
        .json();
    let field = &cleared["template"]["model"];
    assert_eq!(field["value"], json!([]), "a person who empties it means it");
    assert!(
        field["options"]
            .as_array()
            .unwrap()
            .iter()
            .any(|option| option["provider"] == "Groq")
    );

    let stuffed = json!([{ "name": "[{\"provider\": \"Groq\", \"name\": \"m\"}]", "provider": "Unknown" }]);
    let mended = client
        .post("/api/v1/custom_component/update", &update(cleared, stuffed))
        .await
        .expect(200)
        .json();
    let value = &mended["template"]["model"]["value"][0];
    assert_eq!(
        (&value["provider"], &value["name"]),
        (&json!("Groq"), &json!("m"))
    );

    let watsonx = json!([{ "provider": "IBM WatsonX", "name": "ibm/granite" }]);
    let node = client
        .post("/api/v1/custom_component/update", &update(Value::Null, watsonx))
        .await
        .expect(200)
        .json();
    assert_eq!(node["template"]["project_id"]["show"], true);
    assert_eq!(node["template"]["ollama_base_url"]["show"], false);
}

#[tokio::test]
async fn starters_come_with_the_models_one_has() {
    let site = Site::new().await;
    let client = site.user("ada").await.client;
    let models = |list: &Value| -> Vec<String> {
        let nodes = list
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|flow| flow["data"]["nodes"].as_array().unwrap().clone());
        nodes
            .filter_map(|node| {
                node.pointer("/data/node/template/model/value/0/provider")?
                    .as_str()
                    .map(str::to_owned)
            })
            .collect()
    };
    let path = "/api/v1/flows/basic_examples";
    let plain = models(&client.get(path).await.expect(200).json());
    assert!(
        plain.len() >= 7 && plain.iter().all(|provider| provider == "Rehearsal"),
        "{plain:?}"
    );
    set(&client, "OPENAI_API_KEY", "x").await;
    let own = models(&client.get(path).await.expect(200).json());
    assert!(own.iter().all(|provider| provider == "OpenAI"), "{own:?}");
    let nobody = models(&site.nobody().get(path).await.expect(200).json());
    assert!(
        nobody.iter().all(|provider| provider == "Rehearsal"),
        "{nobody:?}"
    );
}
