//! What the tests of all providers share.

use std::sync::Arc;
use std::time::Duration;

use ferro_llm::{
    Budget, ChatMessage, ChatModel, ChatRequest, ChatResponse, Credentials, Interrupted, Models, Options,
    collect,
};
use ferro_net::{AddressPolicy, Client};
use ferro_testkit::ModelServer;
use serde_json::Value as Json;

/// Models that may ask this server, and do not wait long between attempts.
pub(crate) fn models(server: &ModelServer) -> Models {
    let policy = AddressPolicy::default().allow(server.address().to_string().parse().unwrap());
    let budget = Budget {
        backoff: Duration::from_millis(1),
        idle: Duration::from_secs(5),
        ..Budget::default()
    };
    Models::new(Client::new(policy).unwrap(), budget)
}

pub(crate) fn open(
    server: &ModelServer,
    provider: &str,
    model: &str,
    settings: &[(&str, &str)],
) -> Arc<dyn ChatModel> {
    let mut credentials = Credentials::new();
    for (key, value) in settings {
        credentials.set(key, *value);
    }
    let opened = models(server).language(provider, model, &credentials, &Options::default());
    opened.unwrap_or_else(|error| panic!("{error:?}"))
}

pub(crate) fn hello() -> ChatRequest {
    ChatRequest::new(vec![ChatMessage::user("hello")])
}

pub(crate) async fn ask(model: &Arc<dyn ChatModel>, request: ChatRequest) -> ChatResponse {
    collect(model.stream(request))
        .await
        .unwrap_or_else(|broken| panic!("{broken:?}"))
}

pub(crate) async fn ask_in_vain(model: &Arc<dyn ChatModel>, request: ChatRequest) -> Interrupted {
    let answer = collect(model.stream(request)).await;
    *answer.expect_err("an answer came where none should")
}

/// Server-sent events without names.
pub(crate) fn events(frames: &[Json]) -> String {
    frames.iter().map(|frame| format!("data: {frame}\n\n")).collect()
}
