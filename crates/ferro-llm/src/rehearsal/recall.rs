//! What was said earlier in the conversation.

use super::ask::Ask;
use super::words::{sentences, shorten};
use crate::chat::Role;

/// Names and sayings from earlier in the conversation.
pub(super) fn recalled(ask: &Ask<'_>) -> Option<String> {
    let task = ask.task.to_lowercase();
    let last = sentences(&task)
        .last()
        .map_or(task.as_str(), |last| *last)
        .to_owned();
    if last.contains("my name")
        && (last.contains("what") || last.contains("who") || last.contains("remember"))
    {
        let mut said: Vec<&str> = ask
            .history
            .iter()
            .filter(|(role, _)| *role == Role::User)
            .map(|(_, text)| text.as_str())
            .collect();
        // Flows put the conversation into the prompt.
        said.push(&ask.system);
        said.push(&ask.task);
        let name = said.iter().rev().find_map(|text| introduced(text));
        return Some(match name {
            Some(name) => format!("You said that your name is {name}."),
            None => "You have not told me your name in this conversation.".to_owned(),
        });
    }
    let asks = [
        "what did i say",
        "what did i ask",
        "what was my",
        "what have i said",
        "did i tell you",
        "first message",
        "previous message",
        "last message",
    ];
    if !asks.iter().any(|phrase| last.contains(phrase)) {
        return None;
    }
    let mine: Vec<&String> = ask
        .history
        .iter()
        .filter(|(role, _)| *role == Role::User)
        .map(|(_, text)| text)
        .collect();
    let Some(latest) = mine.last() else {
        return Some("This is the first thing you have said in this conversation.".to_owned());
    };
    let chosen = if last.contains("first") {
        mine.first().unwrap_or(latest)
    } else {
        latest
    };
    Some(format!("You said: “{}”.", shorten(chosen, 300)))
}

/// The name in `my name is Ada` or `I am called Ada`.
fn introduced(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let mark = ["my name is ", "my name's ", "i am called ", "call me "].into_iter();
    let at = mark
        .filter_map(|mark| lower.rfind(mark).map(|at| at + mark.len()))
        .max()?;
    let rest = text.get(at..)?;
    let name: Vec<&str> = rest
        .split_whitespace()
        .take(3)
        .enumerate()
        .take_while(|(place, word)| *place == 0 || word.starts_with(char::is_uppercase))
        .map(|(_, word)| word)
        .collect();
    // A comma or point ends the name.
    let name = name.join(" ");
    let name = name
        .split([',', '.', '!', '?', ';'])
        .next()
        .unwrap_or_default()
        .trim();
    (!name.is_empty()).then(|| name.to_owned())
}
