//! A fake provider, and models that are sent to it.

use std::sync::Arc;

use ferro_llm::{
    ChatEvent, ChatModel, ChatRequest, ChatResponse, Credentials, Interrupted, LlmError, Models, Options,
    collect,
};
use ferro_testkit::{ModelServer, Received};
use futures_util::StreamExt as _;
use serde_json::Value as Json;

use crate::support;

pub(crate) const KEY: &str = "plain.words.4711";

pub(crate) struct World {
    pub server: ModelServer,
    pub models: Models,
}

impl World {
    pub(crate) async fn new() -> Self {
        let server = ModelServer::start().await;
        let models = support::models(&server);
        Self { server, models }
    }

    /// What a provider's settings are when it is the fake.
    pub(crate) fn credentials(&self, provider: &str) -> Credentials {
        let found = self.models.catalog().provider(provider).unwrap();
        let mut credentials = Credentials::new();
        for variable in &found.variables {
            let is_address = variable.field.contains("base_url") || variable.field.contains("endpoint");
            let speaks_openai =
                ["openai", "groq", "openrouter", "openai-compatible"].contains(&found.id.as_str());
            let value = match variable.field.as_str() {
                _ if variable.secret => KEY.to_owned(),
                "iam_url" => self.server.url(),
                "project_id" => "project-1".to_owned(),
                _ if is_address && speaks_openai => format!("{}/v1", self.server.url()),
                _ if is_address => self.server.url(),
                _ => continue,
            };
            credentials.set(&variable.key, value);
        }
        credentials
    }

    pub(crate) fn model(&self, provider: &str, model: &str) -> Arc<dyn ChatModel> {
        let credentials = self.credentials(provider);
        self.models
            .language(provider, model, &credentials, &Options::default())
            .unwrap()
    }

    pub(crate) async fn ask(
        &self,
        provider: &str,
        model: &str,
        request: ChatRequest,
    ) -> Result<ChatResponse, Box<Interrupted>> {
        collect(self.model(provider, model).stream(request)).await
    }

    /// Every event, and the error at the end if there is one.
    pub(crate) async fn events(
        &self,
        provider: &str,
        model: &str,
        request: ChatRequest,
    ) -> (Vec<ChatEvent>, Option<LlmError>) {
        let mut stream = self.model(provider, model).stream(request);
        let mut events = Vec::new();
        while let Some(event) = stream.next().await {
            match event {
                Ok(event) => events.push(event),
                Err(error) => return (events, Some(error)),
            }
        }
        (events, None)
    }

    /// The body of the request that a question becomes.
    pub(crate) async fn body(&self, provider: &str, model: &str, request: ChatRequest) -> Json {
        self.ask(provider, model, request).await.unwrap();
        self.last().body
    }

    pub(crate) fn last(&self) -> Received {
        self.server.requests().pop().unwrap()
    }
}
