//! Turning an answer into events: word by word, within the limits of the request, counted.

use std::collections::VecDeque;

use super::Reply;
use crate::chat::{ChatEvent, ChatMessage, ChatRequest, Part, StopReason, Usage};

/// A long run without spaces counts as several words.
const LETTERS: usize = 12;

/// Tokens in thirds: a word is four thirds of one, which is what English comes to with the tokenizers of real models.
fn thirds(text: &str) -> u64 {
    let word = |word: &str| word.chars().count().div_ceil(LETTERS) as u64 * 4;
    text.split_whitespace().map(word).sum()
}

/// An estimate: no tokenizer is asked.
pub(super) fn tokens(text: &str) -> u64 {
    thirds(text).div_ceil(3)
}

fn asked(request: &ChatRequest) -> u64 {
    let part = |part: &Part| match part {
        Part::Text(text) | Part::Reasoning { text, .. } => tokens(text),
        Part::ToolCall(call) => tokens(&call.name) + tokens(&call.arguments),
        Part::ToolResult { content, .. } => tokens(content),
        // What an image costs elsewhere, roughly.
        Part::Image(_) | Part::File(_) => 256,
    };
    let message = |message: &ChatMessage| message.parts.iter().map(part).sum::<u64>();
    let tools = request
        .tools
        .iter()
        .map(|tool| tokens(&tool.name) + tokens(&tool.description) + tokens(&tool.schema.to_string()));
    request.messages.iter().map(message).sum::<u64>() + tools.sum::<u64>()
}

/// Everything that is said, in order. Those that take time to say are the texts and arguments.
pub(super) fn events(request: &ChatRequest, reply: Reply) -> VecDeque<ChatEvent> {
    let limit = request
        .max_tokens
        .map_or(u64::MAX, |most| u64::from(most).saturating_mul(3));
    let mut speech = Speech {
        events: VecDeque::new(),
        spent: 0,
        limit,
    };
    let mut whole = speech.say(&reply.reasoning, ChatEvent::Reasoning);
    let reasoning = speech.spent.div_ceil(3);
    let text = stopped(&reply.text, &request.stop);
    whole = whole && speech.say(text, ChatEvent::Text);
    let calls = !reply.calls.is_empty();
    for (index, call) in reply.calls.into_iter().enumerate() {
        if !whole {
            break;
        }
        speech.events.push_back(ChatEvent::ToolStart {
            index,
            id: format!("call_{index}"),
            name: call.name,
            signature: None,
        });
        let arguments = call.arguments.to_string();
        whole = speech.say(&arguments, |chunk| ChatEvent::ToolArguments { index, chunk });
    }
    let stop = match (whole, calls) {
        (false, _) => StopReason::Length,
        (true, true) => StopReason::ToolCalls,
        (true, false) => StopReason::End,
    };
    let usage = Usage {
        input: asked(request),
        output: speech.spent.div_ceil(3),
        cached: 0,
        reasoning,
    };
    speech
        .events
        .extend([ChatEvent::Usage(usage), ChatEvent::Stop(stop)]);
    speech.events
}

struct Speech {
    events: VecDeque<ChatEvent>,
    /// In thirds of tokens.
    spent: u64,
    limit: u64,
}

impl Speech {
    /// Says a text in pieces; false when there was not room for all of it.
    fn say(&mut self, text: &str, event: impl Fn(String) -> ChatEvent) -> bool {
        for piece in pieces(text) {
            let cost = thirds(piece);
            if self.spent + cost > self.limit {
                return false;
            }
            self.spent += cost;
            self.events.push_back(event(piece.to_owned()));
        }
        true
    }
}

/// Words with the white space after them; long ones in parts. Together they are the text.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = 0;
    let mut space = false;
    for (at, c) in text.char_indices() {
        if (space && !c.is_whitespace()) || (letters == LETTERS && !c.is_whitespace()) {
            found.push(&text[start..at]);
            (start, letters) = (at, 0);
        }
        space = c.is_whitespace();
        if !space {
            letters += 1;
        }
    }
    if start < text.len() {
        found.push(&text[start..]);
    }
    found
}

/// The text up to the first stop sequence.
fn stopped<'t>(text: &'t str, stop: &[String]) -> &'t str {
    let found = stop
        .iter()
        .filter(|stop| !stop.is_empty())
        .filter_map(|stop| text.find(stop.as_str()));
    found.min().map_or(text, |at| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text() {
        for text in [
            "",
            " ",
            "one two\n three",
            "incomprehensibilities, all of them",
            "  x",
            "日本語のとても長い文章です。はい",
        ] {
            assert_eq!(pieces(text).concat(), text);
        }
        assert_eq!(pieces("one two"), ["one ", "two"]);
    }

    #[test]
    fn three_words_are_four_tokens() {
        assert_eq!(tokens("one two three"), 4);
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("x"), 2);
    }
}
