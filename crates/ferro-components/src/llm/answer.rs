//! Asking a model and showing its answer while it speaks.

use ferro_engine::{Call, Failure, Message, Sender, Usage};
use ferro_llm::{ChatEvent, ChatRequest, ChatResponse, StopReason};
use futures_util::StreamExt as _;
use serde_json::json;

use super::{LanguageModel, failure};
use crate::wait::unless_stopped;

/// An answer as a flow uses it.
pub(crate) struct Asked {
    pub message: Message,
    pub usage: Option<Usage>,
}

/// Whether what the node says at this output goes straight to the chat. Another form of it, such as JSON, is a message
/// that the chat output makes.
pub(crate) fn is_live(call: &Call, output: &str) -> bool {
    call.node.chat_outputs.iter().any(|name| name == output)
}

/// Whether the chat is kept.
pub(crate) fn is_kept(call: &Call) -> bool {
    call.node.chat_is_kept && !call.cx.run.session_id.is_empty()
}

/// A message that grows in the chat while the model speaks, when this output goes there.
pub(crate) fn show_while_speaking(call: &Call, model: &LanguageModel, output: &str) -> Message {
    let mut message = Message {
        sender: Sender::Machine,
        sender_name: "AI".to_owned(),
        session_id: call.cx.run.session_id.clone(),
        context_id: call.text("context_id"),
        ..Message::default()
    };
    message.properties.insert(
        "source".to_owned(),
        json!({
            "id": call.node.id,
            "display_name": call.node.display_name,
            "source": model.info().name,
        }),
    );
    if is_live(call, output) {
        message.properties.insert("state".to_owned(), "partial".into());
        message = call.cx.message(message, is_kept(call), false);
    }
    message
}

/// Asks for what the node gives at `output`, and shows it as it comes. What had come before a failure stays in the chat.
pub(crate) async fn ask(
    call: &Call,
    model: &LanguageModel,
    request: ChatRequest,
    output: &str,
) -> Result<Asked, Failure> {
    let mut message = show_while_speaking(call, model, output);
    let shown = message.id.filter(|_| is_live(call, output));
    let mut stream = model.heard_by(&call.cx).stream(model.fit(request));
    let mut response = ChatResponse::default();
    let work = async {
        while let Some(event) = stream.next().await {
            let event = event.map_err(|error| failure(&error))?;
            if let (ChatEvent::Text(chunk), Some(id)) = (&event, shown) {
                call.cx.token(id, chunk.clone());
            }
            response.add(event);
        }
        withheld(model, &response)
    };
    let ended = unless_stopped(&call.cx, work).await;
    message.text.clone_from(&response.text);
    if !response.reasoning.is_empty() {
        message
            .content_blocks
            .push(json!({ "type": "reasoning", "text": response.reasoning }));
    }
    if let Err(failed) = ended {
        if shown.is_some() {
            message.properties.insert("state".to_owned(), "complete".into());
            message.content_blocks.push(json!({
                "type": "error",
                "component": call.node.display_name,
                "reason": failed.message,
                "solution": failed.advice,
            }));
            call.cx.message(message, is_kept(call), false);
        }
        return Err(failed);
    }
    if shown.is_none() {
        // Whoever shows it later makes it a message of the chat.
        message.properties.insert("state".to_owned(), "complete".into());
    }
    let usage = response.usage.map(|usage| model.usage(usage));
    Ok(Asked { message, usage })
}

/// Asks without showing anything.
pub(crate) async fn ask_quietly(
    call: &Call,
    model: &LanguageModel,
    request: ChatRequest,
) -> Result<(ChatResponse, Option<Usage>), Failure> {
    let stream = model.heard_by(&call.cx).stream(model.fit(request));
    let response = unless_stopped(&call.cx, async {
        ferro_llm::collect(stream)
            .await
            .map_err(|interrupted| failure(&interrupted.error))
    })
    .await?;
    withheld(model, &response)?;
    let usage = response.usage.map(|usage| model.usage(usage));
    Ok((response, usage))
}

/// Nothing at all because of a filter is not an answer.
fn withheld(model: &LanguageModel, response: &ChatResponse) -> Result<(), Failure> {
    if response.text.is_empty() && response.stop == Some(StopReason::ContentFilter) {
        let message = format!("{} withheld its answer", model.info().provider);
        return Err(Failure::outside(message).advice("Change the text; the provider's policy decides."));
    }
    Ok(())
}
