//! What a request is about, found out by the model itself: stateless, in any language, in one short question.

mod parse;
mod run;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use ferro_llm::{ChatMessage, ChatModel, ChatRequest, collect};

pub(crate) use self::run::asks_to_run;
use crate::framing;
use crate::prompts;
use crate::sanitise::refinement;
use crate::turn::Intent;

/// What the page sends when a plan was agreed to. Both sides keep it byte for byte.
pub const PLAN_APPROVAL_INPUT: &str = "User approved the plan. Proceed with the build.";

/// What the page sends when proposed edits are on the canvas and a step is left.
pub const EDIT_CONTINUATION_INPUT: &str = "The proposed canvas edits were applied. Continue with the remaining steps of my previous request (for example, running the flow). If editing was the entire request, just confirm briefly.";

/// The answer to what has nothing to do with us.
pub(crate) const OFF_TOPIC: &str = "I'm here for Ferroflow: building and changing flows, writing components, running \
     and deploying flows, finding out what went wrong. That question is outside of it. If it is about your flow after \
     all, please put it in other words.";

const TIMEOUT: Duration = Duration::from_secs(30);
/// Answers take about a hundred beside the translation, which is as long as the request; thinking counts as well, so
/// models that think get no limit.
const MAX_TOKENS: usize = 300;
/// Requests of this length are translated within the usual ceiling.
const SHORT: usize = 200;
const TEMPERATURE: f64 = 0.1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Classified {
    pub intent: Intent,
    /// The request in English; the request itself where there is no translation.
    pub translation: String,
    /// A model the person named for the flow, as they named it.
    pub requested_model: Option<String>,
    pub requested_provider: Option<String>,
}

impl Classified {
    fn plain(intent: Intent, input: &str) -> Self {
        Self {
            intent,
            translation: input.to_owned(),
            requested_model: None,
            requested_provider: None,
        }
    }
}

/// Whether the page said this, not a person.
pub(crate) fn is_protocol(input: &str) -> bool {
    let input = input.trim();
    input == PLAN_APPROVAL_INPUT || input == EDIT_CONTINUATION_INPUT
}

/// Never fails: a model that cannot be asked, or that answers something else, makes it a question, and the turn's next
/// call tells what is wrong with the model. `context` is what [`framing::intent_context`] gives.
pub(crate) async fn classify(model: &Arc<dyn ChatModel>, input: &str, context: &str) -> Classified {
    if let Some(known) = without_asking(input) {
        return known;
    }
    let answer = match tokio::time::timeout(TIMEOUT, ask(model, input, context)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => {
            tracing::warn!(%error, "intent.failed: taken for a question");
            return Classified::plain(Intent::Question, input);
        }
        Err(_) => {
            let seconds = TIMEOUT.as_secs();
            tracing::warn!(seconds, "intent.timeout: taken for a question");
            return Classified::plain(Intent::Question, input);
        }
    };
    let mut classified = parse::answer(&answer, words_of(input));
    // Small models take "run the flow" for a question about it.
    if classified.intent == Intent::Question && run::is_told_to_run(&classified.translation) {
        tracing::info!("intent.run_flow.rescued: the request asks for a run");
        classified.intent = Intent::RunFlow;
    }
    classified
}

fn without_asking(input: &str) -> Option<Classified> {
    let intent = match input.trim() {
        "" => Intent::Question,
        PLAN_APPROVAL_INPUT => {
            tracing::info!("intent.build_flow.deterministic: plan-approval continuation signal");
            Intent::BuildFlow
        }
        EDIT_CONTINUATION_INPUT => {
            tracing::info!("intent.build_flow.deterministic: edit continuation signal");
            Intent::BuildFlow
        }
        _ => return None,
    };
    Some(Classified::plain(intent, input))
}

async fn ask(model: &Arc<dyn ChatModel>, input: &str, context: &str) -> Result<String, ferro_llm::LlmError> {
    let request = ChatRequest {
        temperature: Some(TEMPERATURE),
        max_tokens: (!model.info().reasoning).then_some(ceiling(input)),
        ..ChatRequest::new(vec![
            ChatMessage::system(prompts::CLASSIFIER),
            ChatMessage::user(framing::to_classify(input, context)),
        ])
    };
    let response = collect(model.stream(request))
        .await
        .map_err(|broken| broken.error)?;
    Ok(response.text)
}

/// No script takes more than a token for a letter.
fn ceiling(input: &str) -> u32 {
    let request = framing::to_classify(input, "").chars().count();
    let long = request.saturating_sub(SHORT);
    u32::try_from(MAX_TOKENS + long).unwrap_or(u32::MAX)
}

/// What the person themselves said.
fn words_of(input: &str) -> &str {
    refinement(input).map_or(input, |refinement| refinement.ask)
}
