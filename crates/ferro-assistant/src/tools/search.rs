//! `search_components`: which components there are for what.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferro_agent::Tool;
use ferro_model::{Descriptor, Registry};
use serde_json::{Value as Json, json};

use super::{Kit, Told, made};

/// Results of one search.
const MOST: usize = 12;
/// So much of a description is shown.
const DESCRIPTION: usize = 120;

/// Words that fit nearly everything, or nothing.
const FILLERS: [&str; 15] = [
    "a",
    "an",
    "and",
    "the",
    "for",
    "to",
    "of",
    "with",
    "in",
    "component",
    "components",
    "node",
    "nodes",
    "some",
    "tool",
];

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "search_components",
        description: "Finds component types by name, category or purpose. An empty query lists the categories.",
        arguments: json!({ "query": { "type": "string" } }),
        required: &[],
    };
    made(kit, told, async |kit, arguments| {
        let query = arguments.some_text("query").unwrap_or_default();
        Ok(found(&kit.work.registry(), &query))
    })
}

fn found(registry: &Registry, query: &str) -> Json {
    let words = words(query);
    if words.is_empty() {
        return categories(registry);
    }
    let mut fitting: Vec<(usize, u32, &Arc<Descriptor>)> = offered(registry)
        .filter_map(|known| {
            let scores = words.iter().map(|word| score(known, word));
            let (fits, sum) = scores.fold((0, 0), |(fits, sum), one| {
                (fits + usize::from(one > 0), sum + one)
            });
            (fits > 0).then_some((fits, sum, known))
        })
        .collect();
    // Stable: components that fit alike stay in the order of their names.
    fitting.sort_by_key(|(fits, sum, _)| std::cmp::Reverse((*fits, *sum)));
    let most = fitting.first().map_or(0, |(fits, ..)| *fits);
    // Where something fits every word, what fits one of them is noise.
    fitting.retain(|(fits, ..)| *fits * 2 > most);
    let results: Vec<Json> = fitting
        .iter()
        .take(MOST)
        .map(|(.., known)| shown(known))
        .collect();
    let text = match fitting.len() {
        0 => Some(format!(
            "Nothing fits {query:?}. Try one general word, or an empty query for the categories."
        )),
        count if count > MOST => Some(format!("The best {MOST} of {count}.")),
        _ => None,
    };
    json!({ "results": results, "count": fitting.len(), "text": text })
}

fn offered(registry: &Registry) -> impl Iterator<Item = &Arc<Descriptor>> {
    registry.iter().filter(|known| !known.legacy)
}

fn categories(registry: &Registry) -> Json {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for known in offered(registry) {
        *counts.entry(&known.category).or_default() += 1;
    }
    json!({
        "categories": counts,
        "count": offered(registry).count(),
        "text": "Search with a word for what the component should do, or with a category.",
    })
}

fn shown(known: &Descriptor) -> Json {
    json!({
        "type": known.r#type,
        "category": known.category,
        "display_name": (known.display_name != known.r#type).then_some(&known.display_name),
        "description": super::describe::first_sentence(&known.description, DESCRIPTION),
        "beta": known.beta.then_some(true),
    })
}

fn words(query: &str) -> Vec<String> {
    let all = || {
        let words = query.split(|letter: char| !letter.is_alphanumeric());
        words.map(str::to_lowercase).filter(|word| !word.is_empty())
    };
    let meant: Vec<String> = all().filter(|word| !FILLERS.contains(&word.as_str())).collect();
    let words = if meant.is_empty() { all().collect() } else { meant };
    let known = words.into_iter().flat_map(|word: String| match word.as_str() {
        "llm" | "llms" => vec!["language".to_owned(), "model".to_owned()],
        _ => vec![word],
    });
    known.collect()
}

/// How well a component fits one word; nothing at all is 0.
fn score(known: &Descriptor, word: &str) -> u32 {
    let r#type = known.r#type.to_lowercase();
    let name = known.display_name.to_lowercase();
    let names = || std::iter::once(&r#type).chain([&name]);
    let is_word = |text: &str| {
        text.split(|letter: char| !letter.is_alphanumeric())
            .any(|one| one == word)
    };
    // `agents` should find the Agent.
    let stem = word
        .strip_suffix('s')
        .filter(|stem| stem.len() > 2)
        .unwrap_or(word);
    let has = |text: &str| text.contains(stem);
    if names().any(|text| *text == word || *text == stem) {
        return 100;
    }
    if names().any(|text| is_word(text)) {
        return 60;
    }
    if names().any(|text| text.starts_with(stem)) {
        return 50;
    }
    if names().any(|text| has(text)) || known.aliases.iter().any(|alias| has(&alias.to_lowercase())) {
        return 40;
    }
    if has(&known.category.to_lowercase()) {
        return 20;
    }
    let description = known.description.to_lowercase();
    if is_word(&description) {
        return 15;
    }
    if stem.len() > 2 && has(&description) {
        10
    } else {
        0
    }
}

/// The best few for a type that does not exist.
pub(super) fn nearest(registry: &Registry, r#type: &str) -> Vec<String> {
    // `OpenAIModelComponent` is written as one word; its parts are what can be found.
    let mut parts = String::new();
    let mut before = ' ';
    for letter in r#type.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            parts.push(' ');
        }
        parts.push(letter);
        before = letter;
    }
    let found = found(registry, &parts);
    let results = found
        .get("results")
        .and_then(Json::as_array)
        .into_iter()
        .flatten();
    let types = results.filter_map(|one| one.get("type").and_then(Json::as_str));
    types.take(5).map(str::to_owned).collect()
}
