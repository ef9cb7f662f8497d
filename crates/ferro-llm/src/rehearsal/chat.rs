//! Plain answers: which rule a request falls under, and what is said then.

use super::LABEL;
use super::ask::Ask;
use super::classify::{choose, feeling, labels, subject};
use super::extract::asked_for;
use super::prose_json::{object, wants_json};
use super::recall::recalled;
use super::summary::{relevant, summary};
use super::words::{body, quoted, sentences, shorten, words};

/// From so many words on a text is summarised without being asked.
const LONG: usize = 120;

pub(super) struct Answer {
    /// The rule that was followed, in words.
    pub rule: &'static str,
    pub text: String,
}

impl Answer {
    fn said(rule: &'static str, text: impl AsRef<str>) -> Self {
        Self {
            rule,
            text: format!("{LABEL} {}", text.as_ref()),
        }
    }

    /// The caller reads the answer with a program: a label would break it.
    fn bare(rule: &'static str, text: impl Into<String>) -> Self {
        Self {
            rule,
            text: text.into(),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Wish {
    Summary,
    Extract,
    Classify,
    Translate,
}

pub(super) fn answer(ask: &Ask<'_>) -> Answer {
    if wants_json(&ask.task) || wants_json(&ask.system) {
        return Answer::bare("write the JSON that was asked for", object(ask).to_string());
    }
    let instruction = format!("{}\n{}", ask.system, ask.task);
    if bare_label(&instruction) {
        let choice = labels(&instruction);
        if let Some(first) = choice.first() {
            let fit = choose(&choice, &instruction, subject(&ask.task));
            let none = || {
                choice.iter().find(|label| {
                    ["other", "none", "no", "neutral", "unknown"].contains(&label.to_lowercase().as_str())
                })
            };
            let label = fit.unwrap_or_else(|| none().unwrap_or(first));
            return Answer::bare("answer with one of the labels and nothing else", label);
        }
    }
    if !ask.results.is_empty() {
        return results(ask);
    }
    // What the person says counts; what the role says, when it asks for one thing only.
    let wish = match (&wishes(&ask.task)[..], &wishes(&ask.system)[..]) {
        ([first, ..], _) => Some(*first),
        ([], [only]) => Some(*only),
        _ => None,
    };
    if let Some(text) = recalled(ask) {
        return Answer::said("look it up in the conversation", text);
    }
    match wish {
        Some(Wish::Translate) => return translation(ask),
        Some(Wish::Summary) if words(&ask.task).len() > 3 => return summarised(ask, 3),
        Some(Wish::Extract) => return extracted(ask, &instruction),
        Some(Wish::Classify) => return classified(ask, &instruction),
        _ => {}
    }
    if !ask.media.is_empty() {
        return Answer::said("say what came along", media(ask));
    }
    if let Some(text) = from_the_text(ask) {
        return Answer::said("answer from the text that came along", text);
    }
    if words(&ask.task).len() >= LONG {
        return summarised(ask, 3);
    }
    Answer::said("repeat the request", echo(ask))
}

fn wishes(text: &str) -> Vec<Wish> {
    let lower = text.to_lowercase();
    // The instruction comes first or last; what stands between is what it is about.
    let parts = sentences(&lower);
    let ends = parts.iter().take(4).chain(parts.iter().rev().take(2));
    let mut found = Vec::new();
    for part in ends {
        let all = words(part);
        let has = |list: &[&str]| {
            all.iter()
                .any(|word| list.iter().any(|stem| word.starts_with(stem)))
        };
        let mut add = |wish: Wish| {
            if !found.contains(&wish) {
                found.push(wish);
            }
        };
        if has(&["translat"]) {
            add(Wish::Translate);
        }
        if has(&["summar", "tldr"])
            || part.contains("tl;dr")
            || part.contains("key points")
            || part.contains("in one sentence")
        {
            add(Wish::Summary);
        }
        if has(&["extract"])
            || ((has(&["list", "find"])) && has(&["email", "date", "number", "name", "url", "link"]))
        {
            add(Wish::Extract);
        }
        if has(&["classif", "categori", "sentiment"]) || part.contains("positive or negative") {
            add(Wish::Classify);
        }
    }
    found
}

fn summarised(ask: &Ask<'_>, most: usize) -> Answer {
    let text = body(&ask.task).unwrap_or(&ask.task);
    let most = if ask.task.to_lowercase().contains("one sentence") {
        1
    } else {
        most
    };
    let chosen = summary(text, most);
    let count = words(text).len();
    let kept = chosen.join(" ");
    Answer::said(
        "choose the sentences that share most with the others",
        format!("In short, in the text's own sentences: {kept} (chosen from {count} words)"),
    )
}

fn extracted(ask: &Ask<'_>, instruction: &str) -> Answer {
    let head = body(&ask.task)
        .and_then(|body| ask.task.find(body))
        .map_or(instruction, |at| &ask.task[..at]);
    let text = body(&ask.task).unwrap_or(&ask.task);
    let found = asked_for(head, text);
    let mut lines = String::new();
    for (kind, list) in &found {
        let list = if list.is_empty() {
            "none".to_owned()
        } else {
            list.join(", ")
        };
        lines.push_str(&format!("\n- {kind}: {list}"));
    }
    if lines.is_empty() {
        lines.push_str(" nothing that I know by its shape.");
    }
    Answer::said("find things by their shape", format!("Found in the text:{lines}"))
}

fn classified(ask: &Ask<'_>, instruction: &str) -> Answer {
    let text = subject(&ask.task);
    let choice = labels(instruction);
    let label = match choice.is_empty() {
        true => Some(feeling(text)),
        false => choose(&choice, instruction, text),
    };
    let label = label.map_or_else(
        || format!("none of {} has a word in the text", choice.join(", ")),
        str::to_owned,
    );
    Answer::said(
        "count words that speak for each label",
        format!("{label} (by a list of words)."),
    )
}

fn translation(ask: &Ask<'_>) -> Answer {
    let text = body(&ask.task)
        .or_else(|| quoted(&ask.task).into_iter().next())
        .unwrap_or(&ask.task);
    Answer::said(
        "say that it cannot be done",
        format!(
            "I cannot translate: that takes a real model. The text was: “{}”.",
            shorten(text, 400)
        ),
    )
}

fn results(ask: &Ask<'_>) -> Answer {
    let mut text = String::new();
    for result in &ask.results {
        if !text.is_empty() {
            text.push('\n');
        }
        let (name, content) = (result.name, result.content.trim());
        if result.is_error {
            text.push_str(&format!("The tool `{name}` failed: {}", shorten(content, 400)));
        } else if wishes(&ask.task).contains(&Wish::Summary) && words(content).len() > 40 {
            text.push_str(&format!(
                "From what `{name}` gave: {}",
                summary(content, 3).join(" ")
            ));
        } else {
            text.push_str(&format!(
                "The tool `{name}` answered: “{}”",
                shorten(content, 800)
            ));
        }
    }
    Answer::said("quote what the tools answered", text)
}

fn media(ask: &Ask<'_>) -> String {
    let list = ask.media.iter().map(|media| {
        let name = if media.name.is_empty() {
            String::new()
        } else {
            format!(" `{}`", media.name)
        };
        format!("{}{name} ({} bytes)", media.mime, media.bytes.len())
    });
    let list: Vec<String> = list.collect();
    let about = if ask.task.is_empty() {
        String::new()
    } else {
        format!(" You wrote: “{}”.", shorten(&ask.task, 300))
    };
    format!("I got {} and cannot look inside.{about}", list.join(", "))
}

/// The sentences of the prompt or the conversation that answer the question in it.
fn from_the_text(ask: &Ask<'_>) -> Option<String> {
    let asked = sentences(&ask.task)
        .into_iter()
        .rev()
        .find(|sentence| sentence.ends_with('?'))?;
    let mut text = ask.task.clone();
    for (_, said) in ask.history.iter().rev().take(20) {
        text.push('\n');
        text.push_str(said);
    }
    let found = relevant(asked, &text, 2);
    if found.is_empty() {
        return None;
    }
    let found: Vec<String> = found
        .iter()
        .map(|sentence| format!("“{}”", shorten(sentence, 300)))
        .collect();
    Some(format!("What I was given says: {}", found.join(" ")))
}

fn echo(ask: &Ask<'_>) -> String {
    let mut text = if ask.task.is_empty() {
        "I was asked nothing.".to_owned()
    } else {
        let first = words(&ask.task).into_iter().next().unwrap_or_default();
        let hello = ["hello", "hi", "hey", "hallo", "hola", "olá"].contains(&first.as_str());
        format!(
            "{}You wrote: “{}”.",
            if hello { "Hello! " } else { "" },
            shorten(&ask.task, 400)
        )
    };
    if let Some(role) = sentences(&ask.system).first() {
        text.push_str(&format!(" My role here: “{}”.", shorten(role, 160)));
    }
    let tools: Vec<&str> = ask.request.tools.iter().map(|tool| tool.name.as_str()).collect();
    if !tools.is_empty() {
        text.push_str(&format!(
            " None of my tools ({}) is named or clearly needed.",
            shorten(&tools.join(", "), 300)
        ));
    }
    text.push_str(" Choose a model of a provider for a real answer.");
    text
}

/// "Answer with the label only": a program reads what comes.
fn bare_label(instruction: &str) -> bool {
    let lower = instruction.to_lowercase();
    sentences(&lower).iter().any(|sentence| {
        let all = words(sentence);
        let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
        let verb = ["respond", "answer", "reply", "return", "output"];
        let verb = all
            .iter()
            .any(|word| verb.iter().any(|verb| word.starts_with(verb)));
        // "Answer only questions about cooking" is a rule for people.
        let label = has(&[
            "category",
            "categories",
            "label",
            "class",
            "option",
            "word",
            "name",
            "route",
            "number",
            "choice",
            "yes",
            "no",
        ]) || sentence.contains("one of");
        verb && label && (has(&["only", "exactly", "solely"]) || sentence.contains("nothing else"))
    })
}
