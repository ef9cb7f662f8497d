//! Flows to begin from: which one the words mean.

use serde_json::{Value as Json, json};

use super::ask::Ask;
use super::build::failed;
use super::builder::{run, wants_run};
use super::said::{Lang, fold, words};
use super::tape::{Step, Tape};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// A template was asked for.
    Named,
    /// Nobody spoke of templates, and no rule knows the flow.
    Well,
    /// A rule knows a flow: only a template that is named as a whole comes before it.
    Whole,
}

/// Takes the template that fits the words, if one does.
pub(super) fn template(tape: &mut Tape<'_>, ask: &Ask, fit: Fit) -> Step<Option<String>> {
    let heard = tape.call("list_templates", &[])?;
    let english = super::translate::english(ask.said.text(), ask.lang);
    let folded = format!("{} {}", ask.said.folded(), fold(&english));
    let asked: Vec<&str> = words(&folded).map(stem).collect();
    let common = [
        "simple", "basic", "text", "flow", "agent", "chatbot", "page", "web", "report", "table", "row",
        "over", "human", "sub",
    ];
    let mut best: Option<(usize, &str)> = None;
    for one in heard.list("templates") {
        let text = |key: &str| one.get(key).and_then(Json::as_str).unwrap_or_default();
        let name = fold(text("name"));
        let of_name: Vec<&str> = words(&name).map(stem).collect();
        let own: Vec<&&str> = of_name
            .iter()
            .filter(|word| asked.iter().any(|asked| alike(asked, word)))
            .collect();
        let shared = own.len();
        let rare = own.iter().any(|word| !common.contains(*word));
        let whole = shared == of_name.len() && !of_name.is_empty();
        let about = fold(text("description"));
        let mut about: Vec<&str> = words(&about).filter(|word| word.len() > 4).map(stem).collect();
        about.sort_unstable();
        about.dedup();
        let about = about
            .iter()
            .filter(|word| asked.contains(word) && !of_name.contains(word))
            .count();
        let score = shared * 3 + about + usize::from(whole) * 4;
        let enough = match fit {
            Fit::Named => score >= 3,
            Fit::Well => whole || (shared >= 1 && about >= 2) || rare,
            Fit::Whole => whole,
        };
        if enough && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, text("name")));
        }
    }
    let Some((_, name)) = best else {
        return Ok(None);
    };
    let name = name.to_owned();
    let heard = tape.call("use_template", &[("template_name", json!(name))])?;
    if heard.failed {
        return Ok(Some(failed(ask.lang, heard.error())));
    }
    let mut text = match ask.lang {
        Lang::En => format!("Took the template \"{name}\"."),
        Lang::Pt => format!("Usei o modelo pronto \"{name}\"."),
    };
    if wants_run(&ask.said) {
        text = format!("{text} {}", run(tape, ask)?);
    }
    Ok(Some(text))
}

/// `extracts` and `extraction` are.
fn alike(one: &str, other: &str) -> bool {
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(one, other)| one == other)
        .count();
    one == other || same >= 7
}

fn stem(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

pub(super) fn no_template(tape: &mut Tape<'_>, lang: Lang) -> Step<String> {
    let none = lang.say(
        "No template fits these words.",
        "Nenhum modelo pronto combina com essas palavras.",
    );
    Ok(format!("{none} {}", listed(tape, lang)?))
}

pub(super) fn listed(tape: &mut Tape<'_>, lang: Lang) -> Step<String> {
    let heard = tape.call("list_templates", &[])?;
    let names: Vec<&str> = heard
        .list("templates")
        .iter()
        .filter_map(|one| one.get("name").and_then(Json::as_str))
        .collect();
    let names = names.join(", ");
    Ok(match lang {
        Lang::En => format!("There are: {names}."),
        Lang::Pt => format!("Existem: {names}."),
    })
}
