//! Sentiment and choosing among labels, by a short list of words.

use super::words::{body, content, quoted, sentences, words};

const GOOD: &[&str] = &[
    "amazing",
    "awesome",
    "beautiful",
    "best",
    "brilliant",
    "delicious",
    "delight",
    "delighted",
    "enjoyed",
    "excellent",
    "fantastic",
    "fast",
    "friendly",
    "glad",
    "good",
    "great",
    "happy",
    "helpful",
    "impressed",
    "love",
    "loved",
    "lovely",
    "nice",
    "perfect",
    "pleasant",
    "pleased",
    "quick",
    "recommend",
    "satisfied",
    "superb",
    "thank",
    "thanks",
    "wonderful",
    "works",
];

const BAD: &[&str] = &[
    "angry",
    "annoyed",
    "annoying",
    "awful",
    "bad",
    "boring",
    "broke",
    "broken",
    "bug",
    "complaint",
    "crash",
    "disappointed",
    "disappointing",
    "error",
    "fail",
    "failed",
    "fails",
    "hate",
    "hated",
    "horrible",
    "late",
    "lost",
    "poor",
    "refund",
    "rude",
    "sad",
    "slow",
    "terrible",
    "unacceptable",
    "unhappy",
    "upset",
    "useless",
    "waste",
    "worse",
    "worst",
    "wrong",
];

const TURNS: &[&str] = &[
    "not", "no", "never", "hardly", "isn't", "wasn't", "don't", "didn't", "doesn't", "can't",
];

/// Above zero is good, below is bad.
pub(super) fn sentiment(text: &str) -> i32 {
    // A `not` reaches as far as the next comma.
    text.split([',', '.', ';', '!', '?', '\n']).map(clause).sum()
}

fn clause(text: &str) -> i32 {
    let all = words(text);
    let mut sum = 0;
    for (at, word) in all.iter().enumerate() {
        let worth = if GOOD.contains(&word.as_str()) {
            1
        } else if BAD.contains(&word.as_str()) {
            -1
        } else {
            continue;
        };
        let before = &all[at.saturating_sub(2)..at];
        let turned = before.iter().any(|word| TURNS.contains(&word.as_str()));
        sum += if turned { -worth } else { worth };
    }
    sum
}

pub(super) fn feeling(text: &str) -> &'static str {
    match sentiment(text) {
        0 => "neutral",
        sum if sum > 0 => "positive",
        _ => "negative",
    }
}

/// The labels an instruction lets one choose from, in its order; fewer than two are none.
pub(super) fn labels(instruction: &str) -> Vec<String> {
    let lower = instruction.to_lowercase();
    for mark in [
        "categories:",
        "category:",
        "labels:",
        "classes:",
        "options:",
        "routes:",
        "one of:",
        "one of the following:",
        "as one of",
        "one of",
        "choose from",
        "choose between",
        "either",
        "into",
    ] {
        let Some(at) = lower.find(mark) else {
            continue;
        };
        // Lower-casing may change lengths; then the mark is looked for as it stands.
        let rest = instruction.get(at + mark.len()..).unwrap_or_default();
        let found = listed(rest);
        if found.len() >= 2 {
            return found;
        }
    }
    for sentence in sentences(instruction) {
        let asks = ["classify", "sentiment", " or ", "categor", "label"]
            .iter()
            .any(|word| sentence.to_lowercase().contains(word));
        let short: Vec<&str> = quoted(sentence)
            .into_iter()
            .filter(|label| words(label).len() <= 4)
            .collect();
        if asks && short.len() >= 2 {
            return short.into_iter().map(str::to_owned).collect();
        }
        if let Some(found) = alternatives(sentence) {
            return found;
        }
    }
    Vec::new()
}

/// `positive, negative or neutral` somewhere in a sentence.
fn alternatives(sentence: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = sentence.split_whitespace().collect();
    let place = parts.iter().position(|part| part.eq_ignore_ascii_case("or"))?;
    let bare = |part: &str| part.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut found = vec![
        bare(parts.get(place.checked_sub(1)?)?),
        bare(parts.get(place + 1)?),
    ];
    let mut at = place.checked_sub(2);
    // Commas lead back to the first of the list.
    while let Some(part) = at.and_then(|at| parts.get(at)).filter(|part| part.ends_with(',')) {
        found.insert(0, bare(part));
        at = at.and_then(|at| at.checked_sub(1));
    }
    found
        .iter()
        .all(|label| label.chars().count() > 1)
        .then_some(found)
}

/// A list that follows a mark: on its line by commas and `or`, or one item a line.
fn listed(rest: &str) -> Vec<String> {
    let rest = rest.trim_start_matches([' ', ':']);
    let items: Vec<&str> = if let Some(lines) = rest.strip_prefix('\n') {
        let item = |line: &&str| {
            line.trim_start().starts_with(['-', '*', '•'])
                || line.trim_start().starts_with(|c: char| c.is_ascii_digit())
        };
        lines.lines().take_while(item).collect()
    } else {
        let line = rest.lines().next().unwrap_or_default();
        let line = line.split(['.', ';', '?']).next().unwrap_or_default();
        line.split(',')
            .flat_map(|part| part.split(" or "))
            .flat_map(|part| part.split(" and "))
            .collect()
    };
    let mut found: Vec<String> = Vec::new();
    for item in items {
        let item = item
            .trim()
            .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '*' | '•' | '.' | ')'));
        // `billing: questions about money` is the label and what it means.
        let label = item.split([':', '–', '(']).next().unwrap_or_default();
        let label = label.trim().trim_start_matches("or ").trim_start_matches("and ");
        let label = label.trim_matches(|c: char| !c.is_alphanumeric());
        if !label.is_empty() && words(label).len() <= 4 {
            found.push(label.to_owned());
        }
    }
    found
}

/// The label that fits best, or `None` when nothing speaks for any of them.
pub(super) fn choose<'l>(labels: &'l [String], instruction: &str, text: &str) -> Option<&'l str> {
    let has = content(text);
    let score = |label: &String| {
        let named = content(label);
        let direct = named.iter().filter(|word| has.contains(word)).count() * 3;
        // What the instruction says about the label counts too.
        let about = about(instruction, label);
        let meant = content(about)
            .iter()
            .filter(|word| has.contains(word) && !named.contains(word))
            .count();
        let lower = label.to_lowercase();
        let felt = match sentiment(text) {
            0 => ["neutral", "mixed"].contains(&lower.as_str()),
            sum if sum > 0 => ["positive", "good", "happy", "praise"].contains(&lower.as_str()),
            _ => ["negative", "bad", "unhappy", "complaint"].contains(&lower.as_str()),
        };
        direct + meant + if felt { 2 } else { 0 }
    };
    let best = labels
        .iter()
        .map(|label| (score(label), label))
        .rev()
        .max_by_key(|(score, _)| *score)?;
    (best.0 > 0).then_some(best.1.as_str())
}

/// The line that describes a label.
fn about<'i>(instruction: &'i str, label: &str) -> &'i str {
    let lines = instruction.lines().find(|line| {
        let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        let head = line.get(..label.len()).unwrap_or_default();
        head.eq_ignore_ascii_case(label)
            && line[label.len()..]
                .trim_start_matches(['"', '*', '`', ' '])
                .starts_with([':', '-', '–', '('])
    });
    lines.unwrap_or_default()
}

/// The text to be judged: what the instruction is about, or all of it.
pub(super) fn subject(text: &str) -> &str {
    super::extract::labelled(text, "text")
        .or_else(|| body(text))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_a_feeling_and_a_no_turns_it() {
        assert_eq!(feeling("I love it, excellent work"), "positive");
        assert_eq!(feeling("This was not good, terrible service"), "negative");
        assert_eq!(feeling("The box is blue"), "neutral");
    }

    #[test]
    fn labels_are_read_from_lists_and_sentences() {
        let expected = ["billing", "technical", "other"];
        assert_eq!(
            labels("Choose one. Categories: billing, technical or other."),
            expected
        );
        assert_eq!(
            labels("Categories:\n- billing: money\n- technical: crashes\n- other\nText: x"),
            expected
        );
        assert_eq!(
            labels("Is it positive, negative or neutral?"),
            ["positive", "negative", "neutral"]
        );
        assert_eq!(labels("Classify it as \"spam\" and \"ham\""), ["spam", "ham"]);
        assert!(labels("Say hello").is_empty());
    }

    #[test]
    fn the_label_that_is_spoken_of_wins() {
        let instruction =
            "Categories:\n- billing: invoice, money, refund\n- technical: crash, login\n- other";
        let labels = labels(instruction);
        assert_eq!(
            choose(&labels, instruction, "My invoice is too high"),
            Some("billing")
        );
        assert_eq!(
            choose(&labels, instruction, "It has a crash at login"),
            Some("technical")
        );
        assert_eq!(choose(&labels, instruction, "Hello"), None);
    }
}
