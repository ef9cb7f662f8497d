//! Which tools a request is about, and calls of them.
//!
//! A tool is called when the request names it, or when the request holds what the tool is for: an address for one that
//! takes addresses, a sum for a calculator, the question for today's date. Nothing is called twice with the same
//! arguments in one turn, so an agent's loop comes to an end.

mod arguments;

use serde_json::Value as Json;

use super::ask::Ask;
use super::extract::urls;
use super::words::{content, stem, words};
use crate::chat::{ToolChoice, ToolSpec};
use arguments::Arguments;

/// Calls in one answer.
const MOST: usize = 8;
/// From here on a tool is meant.
const MEANT: u32 = 3;

/// A call to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub name: String,
    pub arguments: Json,
}

/// The calls to make now; empty when it is time to answer.
pub(super) fn calls(ask: &Ask<'_>) -> Vec<Call> {
    let request = ask.request;
    let mut meant: Vec<(u32, &ToolSpec)> = match &request.tool_choice {
        ToolChoice::None => return Vec::new(),
        ToolChoice::Named(name) => request
            .tools
            .iter()
            .filter(|tool| tool.name == *name)
            .map(|tool| (MEANT, tool))
            .collect(),
        ToolChoice::Auto if unwanted(&ask.task) => return Vec::new(),
        ToolChoice::Auto => scored(ask),
        ToolChoice::Required => {
            let mut all = scored(ask);
            if all.is_empty() && ask.calls.is_empty() {
                all.extend(request.tools.first().map(|tool| (MEANT, tool)));
            }
            all
        }
    };
    // Stable: of two that are meant equally, the first one listed comes first.
    meant.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let forced = !matches!(request.tool_choice, ToolChoice::Auto);
    let mut made: Vec<Call> = Vec::new();
    for (_, tool) in meant {
        for arguments in Arguments::new(ask, tool).all(forced || named(&ask.task, tool)) {
            let again = ask
                .calls
                .iter()
                .any(|old| old.name == tool.name && same(&old.arguments, &arguments));
            if !again && made.len() < MOST {
                made.push(Call {
                    name: tool.name.clone(),
                    arguments,
                });
            }
        }
    }
    if request.parallel_tools == Some(false) {
        made.truncate(1);
    }
    made
}

fn same(old: &str, new: &Json) -> bool {
    serde_json::from_str::<Json>(old).is_ok_and(|old| old == *new)
}

fn scored<'r>(ask: &Ask<'r>) -> Vec<(u32, &'r ToolSpec)> {
    let all = ask.request.tools.iter().map(|tool| (score(ask, tool), tool));
    all.filter(|(score, _)| *score >= MEANT).collect()
}

/// How much the request is about a tool.
fn score(ask: &Ask<'_>, tool: &ToolSpec) -> u32 {
    let task = &ask.task;
    if task.is_empty() {
        return 0;
    }
    let mut score = if named(task, tool) { 4 } else { 0 };
    let said = content(task);
    let name: Vec<String> = content(&tool.name)
        .into_iter()
        .filter(|word| !EMPTY_NAMES.contains(&word.as_str()))
        .collect();
    let shared = name.iter().filter(|word| said.contains(word)).count();
    if shared > 0 {
        score += if shared == name.len() { 3 } else { 1 };
    }
    let first: String = tool.description.chars().take(300).collect();
    let mut described = content(&first);
    described.sort();
    described.dedup();
    let about = described
        .iter()
        .filter(|word| said.contains(word) && !name.contains(word))
        .count();
    score += u32::try_from(about.min(2)).unwrap_or_default();
    score + evidence(ask, tool)
}

/// Words in the names of tools that say nothing.
const EMPTY_NAMES: &[&str] = &[
    "tool",
    "run",
    "call",
    "component",
    "execute",
    "build",
    "output",
    "process",
    "invoke",
];

/// The request holds just what this tool takes.
fn evidence(ask: &Ask<'_>, tool: &ToolSpec) -> u32 {
    let task = &ask.task;
    let about = about(tool);
    let is = |list: &[&str]| about.iter().any(|word| list.contains(&word.as_str()));
    let takes = |list: &[&str]| {
        properties(tool).any(|(name, _)| words(name).iter().any(|word| list.contains(&stem(word).as_str())))
    };
    let mut sum = 0;
    if takes(&["url", "link", "uri"]) && !urls(task).is_empty() {
        sum += 3;
    }
    if is(&["calculate", "arithmetic", "math", "expression"]) && arguments::expression(task).is_some() {
        sum += 3;
    }
    if is(&["date", "time", "clock", "today"]) && asks_the_date(task) {
        sum += 3;
    }
    let lookup = ["search", "look", "find", "google", "wikipedia", "news"];
    let looks = words(task)
        .iter()
        .any(|word| lookup.contains(&stem(word).as_str()));
    if looks
        && is(&["search", "lookup", "find", "wikipedia", "news"])
        && takes(&["query", "search", "keyword", "term", "topic", "question"])
    {
        sum += 3;
    }
    sum
}

/// Stems of a tool's name, the beginning of its description and its arguments' names.
fn about(tool: &ToolSpec) -> Vec<String> {
    let first: String = tool.description.chars().take(120).collect();
    let mut all = content(&tool.name);
    all.extend(content(&first));
    all.extend(properties(tool).flat_map(|(name, _)| content(name)));
    all
}

fn properties(tool: &ToolSpec) -> impl Iterator<Item = (&String, &Json)> {
    tool.schema
        .get("properties")
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
}

/// The request calls the tool by its name.
fn named(task: &str, tool: &ToolSpec) -> bool {
    let task = task.to_lowercase();
    let name = tool.name.to_lowercase();
    let spaced = name.replace(['_', '-'], " ");
    !name.is_empty() && (task.contains(&name) || (spaced.contains(' ') && task.contains(&spaced)))
}

fn unwanted(task: &str) -> bool {
    let task = task.to_lowercase();
    [
        "without tools",
        "without using tools",
        "without any tool",
        "don't use any tool",
        "do not use any tool",
        "do not use tools",
    ]
    .iter()
    .any(|phrase| task.contains(phrase))
}

fn asks_the_date(task: &str) -> bool {
    let task = task.to_lowercase();
    [
        "what day",
        "what date",
        "what time",
        "which day",
        "current date",
        "current time",
        "current day",
        "date today",
        "today's date",
        "today’s date",
        "time is it",
        "date is it",
        "the date",
        "today",
        "right now",
    ]
    .iter()
    .any(|phrase| task.contains(phrase))
}
