//! Which models there are, and tokens for those who ask with a key first.

use serde_json::{Value as Json, json};

use super::format::CREATED;
use super::http::Asked;

/// What every provider here has.
const NAMES: [&str; 3] = ["fake-model", "fake-small", "fake-embedding"];

pub(super) fn answer(asked: &Asked) -> Option<Json> {
    let path = asked.path.as_str();
    match asked.method.as_str() {
        "POST" if path == "/identity/token" => Some(token()),
        // Ollama: what one model can do.
        "POST" if path == "/api/show" => Some(json!({
            "details": {"family": "fake"}, "capabilities": capabilities(asked.json()["model"].as_str()),
        })),
        "GET" if path.ends_with("/v1beta/models") => Some(gemini()),
        "GET" if path.ends_with("/ml/v1/foundation_model_specs") => Some(watsonx()),
        "GET" if path.ends_with("/api/tags") => Some(ollama()),
        "GET" if path.ends_with("/models") => {
            // Anthropic's addresses are OpenAI's; its callers say which version they speak.
            let is_anthropic = asked.headers.iter().any(|(name, _)| name == "anthropic-version");
            Some(if is_anthropic { anthropic() } else { openai() })
        }
        _ => None,
    }
}

fn token() -> Json {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    json!({
        "access_token": "fake-access-token", "refresh_token": "not_supported", "token_type": "Bearer",
        "expires_in": 3600, "expiration": now.as_secs() + 3600, "scope": "ibm openid",
    })
}

fn openai() -> Json {
    let model = |name| json!({"id": name, "object": "model", "created": CREATED, "owned_by": "fake"});
    json!({"object": "list", "data": NAMES.map(model)})
}

fn anthropic() -> Json {
    let model = |name| json!({"type": "model", "id": name, "display_name": name, "created_at": "2025-06-15T00:00:00Z"});
    json!({"data": NAMES.map(model), "has_more": false, "first_id": NAMES[0], "last_id": NAMES[2]})
}

fn gemini() -> Json {
    let model = |name: &str| {
        let methods: &[&str] = if name.ends_with("embedding") {
            &["embedContent", "countTextTokens"]
        } else {
            &["generateContent", "countTokens"]
        };
        json!({
            "name": format!("models/{name}"), "version": "001", "displayName": name,
            "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536, "supportedGenerationMethods": methods,
        })
    };
    json!({"models": NAMES.map(model)})
}

fn ollama() -> Json {
    let model = |name| {
        let tag = format!("{name}:latest");
        json!({
            "name": tag, "model": tag, "modified_at": "2025-06-15T15:06:40Z", "size": 3_338_801_804_u64,
            "digest": "a2af6cc3eb7fa8be8504abaf9b04e88f17a119ec3f04a3addf55f92841195f5a",
            "details": {
                "parent_model": "", "format": "gguf", "family": "fake", "families": ["fake"],
                "parameter_size": "4.3B", "quantization_level": "Q4_K_M",
            },
        })
    };
    json!({"models": NAMES.map(model)})
}

fn capabilities(model: Option<&str>) -> Json {
    match model {
        Some(name) if name.contains("embedding") => json!(["embedding"]),
        _ => json!(["completion", "tools"]),
    }
}

fn watsonx() -> Json {
    let model = |name: &str| {
        let function = if name.ends_with("embedding") {
            "embedding"
        } else {
            "text_chat"
        };
        json!({
            "model_id": name, "label": name, "provider": "fake", "functions": [{"id": function}],
            "model_limits": {"max_sequence_length": 131_072, "max_output_tokens": 8192},
        })
    };
    json!({"total_count": 3, "limit": 100, "first": {"href": ""}, "resources": NAMES.map(model)})
}
