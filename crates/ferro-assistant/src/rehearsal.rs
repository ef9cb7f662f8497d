//! The rehearsal assistant: offline, deterministic, not an AI.
//!
//! It lets somebody without a key see everything the assistant does. It is a model like any other to the rest of this
//! crate: it sees a request and answers with words or tool calls, and knows nothing that is not in the request. Types,
//! ids and ports come from the canvas reference and from what the tools answer, never from here.
//!
//! `ask.rs` takes a request apart, `tape.rs` lets rules read as one line of work although each answer is a request of
//! its own, `builder.rs`, `question.rs`, `classify.rs` and `write.rs` are the four parts it plays.

mod ask;
mod build;
mod builder;
mod change;
mod classify;
mod design;
mod files;
mod mend;
mod names;
mod parts;
mod ports;
mod question;
mod said;
mod tape;
mod template;
#[cfg(test)]
mod tests;
mod translate;
mod wish;
mod write;

use std::sync::Arc;
use std::time::Duration;

use ferro_llm::rehearsal::LABEL;
use ferro_llm::{ChatModel, ChatRequest, ChatStream, ModelInfo, Role, ToolChoice};

use self::ask::Ask;
use self::tape::{Next, Tape};
use crate::prompts;

/// The rehearsal model with the assistant's rules before those of `general`, which answers everything that is not the
/// assistant's. `pace` is the pause before each word.
pub fn rehearsal(general: Arc<dyn ChatModel>, pace: Option<Duration>) -> Arc<dyn ChatModel> {
    Arc::new(Rehearsal { general, pace })
}

struct Rehearsal {
    general: Arc<dyn ChatModel>,
    pace: Option<Duration>,
}

impl ChatModel for Rehearsal {
    fn info(&self) -> &ModelInfo {
        self.general.info()
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let Some(part) = part(&request) else {
            return self.general.stream(request);
        };
        // Only words for people are said at a pace that can be read: classes, code and calls are for programs.
        let (text, calls, pace) = match next(&request, part) {
            Next::Say(text) if matches!(part, Part::Builder | Part::Reader) => (text, Vec::new(), self.pace),
            Next::Say(text) => (text, Vec::new(), Some(Duration::ZERO)),
            Next::Call(mut calls) => {
                if request.parallel_tools == Some(false) {
                    calls.truncate(1);
                }
                (String::new(), calls, Some(Duration::ZERO))
            }
        };
        ferro_llm::rehearsal::say(&request, text, calls, pace)
    }
}

/// What it is asked to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Classifier,
    Writer,
    Builder,
    Reader,
}

/// By the prompt; `None` when it is not one of the assistant's.
fn part(request: &ChatRequest) -> Option<Part> {
    let system = request
        .messages
        .iter()
        .find(|message| message.role == Role::System)?
        .text();
    let parts = [
        (prompts::CLASSIFIER, Part::Classifier),
        (prompts::GENERATOR, Part::Writer),
        (prompts::BUILDER, Part::Builder),
        (prompts::READER, Part::Reader),
    ];
    let is = |prompt: &str| system.trim_start().starts_with(prompt.trim());
    parts
        .into_iter()
        .find(|(prompt, _)| is(prompt))
        .map(|(_, part)| part)
}

fn next(request: &ChatRequest, part: Part) -> Next {
    let ask = Ask::read(request);
    // Whoever forbids tools wants words: the rules say what they would say without.
    let tools: &[_] = if request.tool_choice == ToolChoice::None {
        &[]
    } else {
        &request.tools
    };
    if ask.urged {
        return Next::Say(said_before(request));
    }
    let mut tape = Tape::read(&request.messages, tools);
    let answer = match part {
        Part::Classifier => return Next::Say(classify::answer(&ask)),
        Part::Writer => return Next::Say(write::answer(&ask)),
        Part::Builder => builder::answer(&mut tape, &ask),
        Part::Reader => question::answer(&mut tape, &ask),
    };
    match answer {
        Ok(text) | Err(Next::Say(text)) => Next::Say(format!("{LABEL} {text}")),
        Err(calls) => tape.allowed(calls, ask.lang),
    }
}

/// The rules come to the same end each time: what was said before is all there is to say.
fn said_before(request: &ChatRequest) -> String {
    let mut answers = request
        .messages
        .iter()
        .rev()
        .filter(|message| message.role == Role::Assistant);
    let text = answers
        .find(|message| message.tool_calls().next().is_none())
        .map(|message| message.text());
    text.unwrap_or_else(|| format!("{LABEL} {}", question::abilities(said::Lang::En)))
}
