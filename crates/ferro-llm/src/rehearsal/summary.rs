//! Summaries by choosing sentences: the first one, and those whose words the rest of the text shares.

use std::collections::HashMap;

use super::words::{content, sentences, shorten};

/// More of a text than this is not looked at: the work grows with it.
const LOOKED_AT: usize = 2_000;

/// At most `most` sentences, in the order of the text.
pub(super) fn summary(text: &str, most: usize) -> Vec<String> {
    let mut all = sentences(text);
    all.truncate(LOOKED_AT);
    let contents: Vec<Vec<String>> = all.iter().map(|sentence| content(sentence)).collect();
    let mut counts: HashMap<&str, f64> = HashMap::new();
    for word in contents.iter().flatten() {
        *counts.entry(word).or_default() += 1.0;
    }
    let mut scored: Vec<(usize, f64)> = contents
        .iter()
        .enumerate()
        .map(|(place, words)| {
            let sum: f64 = words.iter().filter_map(|word| counts.get(word.as_str())).sum();
            let central = sum / (words.len() as f64 + 3.0);
            // Writers put what matters first.
            (place, if place == 0 { central * 1.5 } else { central })
        })
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut places: Vec<usize> = scored.into_iter().take(most).map(|(place, _)| place).collect();
    places.sort_unstable();
    let chosen = places.into_iter().filter_map(|place| all.get(place));
    chosen.map(|sentence| shorten(sentence, 300)).collect()
}

/// The sentences that share most with a question, best first; empty when none shares enough.
pub(super) fn relevant<'t>(question: &str, text: &'t str, most: usize) -> Vec<&'t str> {
    let asked = content(question);
    let enough = if asked.len() > 2 { 2 } else { 1 };
    let mut all = sentences(text);
    all.truncate(LOOKED_AT);
    let mut scored: Vec<(usize, &str)> = Vec::new();
    for sentence in all {
        let has = content(sentence);
        let mut shared: Vec<&String> = asked.iter().filter(|word| has.contains(word)).collect();
        shared.sort();
        shared.dedup();
        // A question is not its own answer.
        if shared.len() >= enough && !sentence.ends_with('?') {
            scored.push((shared.len(), sentence));
        }
    }
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored
        .into_iter()
        .take(most)
        .map(|(_, sentence)| sentence)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Iron is a metal. The weather was mild. Iron and steel are metals that rust. \
        Somebody sang. Rust eats iron slowly.";

    #[test]
    fn central_sentences_are_kept_in_their_order() {
        assert_eq!(
            summary(TEXT, 2),
            ["Iron is a metal.", "Iron and steel are metals that rust."]
        );
        assert_eq!(summary("", 2), Vec::<String>::new());
    }

    #[test]
    fn an_answer_shares_words_with_its_question() {
        assert_eq!(relevant("What eats iron?", TEXT, 1), ["Rust eats iron slowly."]);
        assert!(relevant("Who discovered Neptune?", TEXT, 1).is_empty());
    }
}
