//! A conversation that goes on until the model did something, or said what it has to say.

use ferro_agent::{AgentError, Answer, Conversation, Stopped};
use ferro_llm::ChatMessage;

use super::desk::Desk;
use super::ending::out_of_rounds;
use super::flags::Flags;
use super::pipeline::Pipeline;
use super::prose::holds_flow_json;
use super::{Intent, flags};
use crate::event::Step;
use crate::models::Phase;
use crate::prompts;

const UNREADABLE: &str = include_str!("../prompts/unreadable.md");
const WRITTEN_OUT: &str = include_str!("../prompts/written_out.md");

/// What came of it.
pub(super) struct Talked {
    pub text: String,
    pub conversation: Conversation,
    /// It came to its own end; otherwise it was not allowed to go on.
    pub finished: bool,
    pub attempts: u32,
}

/// Talks, again where the model's calls cannot be read, as long as there are attempts.
pub(super) async fn talk(
    pipeline: &Pipeline,
    desk: &Desk,
    mut conversation: Conversation,
    mut attempt: u32,
) -> Result<Talked, Box<Stopped>> {
    loop {
        tracing::info!(
            attempt,
            max_retries = pipeline.attempts,
            "assistant.generation.attempt"
        );
        let mut stopped = match desk.talk(Phase::Main, conversation).await {
            Ok(Answer {
                text, conversation, ..
            }) => {
                return Ok(Talked {
                    text,
                    conversation,
                    finished: true,
                    attempts: attempt,
                });
            }
            Err(stopped) => stopped,
        };
        if let Some(text) = out_of_rounds(&stopped, desk) {
            return Ok(Talked {
                text,
                conversation: stopped.conversation,
                finished: false,
                attempts: attempt,
            });
        }
        if attempt >= pipeline.attempts || !is_unreadable(&stopped.error) {
            return Err(stopped);
        }
        conversation = std::mem::take(&mut stopped.conversation);
        attempt = again(pipeline, &mut conversation, attempt, UNREADABLE);
    }
}

/// The same for a request that wants something done: a model that did nothing gets one more chance.
pub(super) async fn talk_until_done(
    pipeline: &Pipeline,
    desk: &Desk,
    conversation: Conversation,
    (intent, flags): (Intent, Flags),
) -> Result<Talked, Box<Stopped>> {
    let talked = talk(pipeline, desk, conversation, 1).await?;
    let idle = talked.finished && flags.must_act && !desk.acted() && !desk.did();
    let written_out = idle && holds_flow_json(&talked.text);
    if written_out {
        tracing::warn!("flow_builder.text_fallback: the model wrote a flow into its answer");
    }
    if !idle || talked.attempts >= pipeline.attempts || !something_to_do(pipeline, intent) {
        return Ok(talked);
    }
    let act_now = prompts::act_now(flags::own_words(&pipeline.input));
    let mut conversation = talked.conversation;
    let urge = if written_out {
        WRITTEN_OUT
    } else {
        act_now.as_str()
    };
    let attempt = again(pipeline, &mut conversation, talked.attempts, urge);
    talk(pipeline, desk, conversation, attempt).await
}

/// Asks once more; the number of the new attempt.
fn again(pipeline: &Pipeline, conversation: &mut Conversation, attempt: u32, urge: &str) -> u32 {
    pipeline.progress(Step::Retrying, attempt + 1, "Trying again...");
    conversation.messages.push(ChatMessage::user(urge.trim_end()));
    attempt + 1
}

/// An empty canvas cannot be run, however often one asks.
fn something_to_do(pipeline: &Pipeline, intent: Intent) -> bool {
    let empty = pipeline
        .turn
        .canvas
        .as_ref()
        .is_none_or(|canvas| canvas.data.summary().is_empty);
    intent != Intent::RunFlow || !empty
}

fn is_unreadable(error: &AgentError) -> bool {
    match error {
        AgentError::Malformed { .. } => true,
        AgentError::Model(error) => {
            let text = format!("{} {}", error.message, error.cause).to_lowercase();
            text.contains("error parsing tool call")
        }
        _ => false,
    }
}
