//! A request as the skills see it: what is asked now, what was said before, what tools have answered.

use super::LABEL;
use crate::chat::{ChatRequest, Media, Part, Role, ToolCall};

pub(super) struct Ask<'r> {
    pub request: &'r ChatRequest,
    /// All system messages.
    pub system: String,
    /// The last thing the person said.
    pub task: String,
    /// What was said before that, by whom.
    pub history: Vec<(Role, String)>,
    /// Images and files that came with the task.
    pub media: Vec<&'r Media>,
    /// Calls made since the task was set.
    pub calls: Vec<&'r ToolCall>,
    /// Their results.
    pub results: Vec<Outcome<'r>>,
}

pub(super) struct Outcome<'r> {
    pub name: &'r str,
    pub content: &'r str,
    pub is_error: bool,
}

impl<'r> Ask<'r> {
    pub fn read(request: &'r ChatRequest) -> Self {
        let messages = &request.messages;
        let last = messages.iter().rposition(|message| message.role == Role::User);
        let mut ask = Self {
            request,
            system: String::new(),
            task: String::new(),
            history: Vec::new(),
            media: Vec::new(),
            calls: Vec::new(),
            results: Vec::new(),
        };
        for (place, message) in messages.iter().enumerate() {
            // Answers of ours may come back inside a prompt; the label is no part of what they say.
            let text = message.text().replace(LABEL, "").trim().to_owned();
            match message.role {
                Role::System => {
                    if !ask.system.is_empty() {
                        ask.system.push('\n');
                    }
                    ask.system.push_str(&text);
                }
                Role::User if Some(place) == last => {
                    ask.task = text;
                    ask.media
                        .extend(message.parts.iter().filter_map(|part| match part {
                            Part::Image(media) | Part::File(media) => Some(media),
                            _ => None,
                        }));
                }
                role if last.is_some_and(|last| place < last) && !text.is_empty() => {
                    ask.history.push((role, text))
                }
                _ => {}
            }
            if last.is_none_or(|last| place > last) {
                ask.calls.extend(message.tool_calls());
                ask.results
                    .extend(message.parts.iter().filter_map(|part| match part {
                        Part::ToolResult {
                            name,
                            content,
                            is_error,
                            ..
                        } => Some(Outcome {
                            name,
                            content,
                            is_error: *is_error,
                        }),
                        _ => None,
                    }));
            }
        }
        ask
    }

    /// Where facts are looked for: the task and what tools found out.
    pub fn source(&self) -> String {
        let mut text = self.task.clone();
        for result in self.results.iter().filter(|result| !result.is_error) {
            text.push('\n');
            text.push_str(result.content);
        }
        text
    }
}
