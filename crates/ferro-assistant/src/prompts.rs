//! What the models are told. The texts are files, so that they are read and reviewed as texts.

#[cfg(test)]
mod tests;

use crate::framing;

/// The agent that builds, changes and runs flows.
pub(crate) const BUILDER: &str = include_str!("prompts/builder.md");
/// The agent that answers questions.
pub(crate) const READER: &str = include_str!("prompts/reader.md");
/// Writes components.
pub(crate) const GENERATOR: &str = include_str!("prompts/generator.md");
/// Finds out what a request is about.
pub(crate) const CLASSIFIER: &str = include_str!("prompts/classifier.md");

/// After code that did not pass. The ask comes last: it is what is to be done.
pub(crate) fn retry(ask: &str, error: &str, code: &str) -> String {
    filled(
        include_str!("prompts/retry.md"),
        &[("{error}", error), ("{code}", code), ("{ask}", ask)],
    )
}

/// After an answer of a builder that changed nothing although something was to be changed.
pub(crate) fn act_now(ask: &str) -> String {
    let ask = framing::request(ask);
    filled(include_str!("prompts/act_now.md"), &[("{ask}", &ask)])
}

/// After a built flow that did not pass its proof. `findings` are quoted: they hold words of components and providers.
pub(crate) fn fix(findings: &str, attempt: u32, attempts: u32) -> String {
    let (attempt, attempts) = (attempt.to_string(), attempts.to_string());
    let findings = framing::defused(findings).replace("</findings", "< /findings");
    filled(
        include_str!("prompts/fix.md"),
        &[
            ("{findings}", &findings),
            ("{attempt}", &attempt),
            ("{attempts}", &attempts),
        ],
    )
}

/// Puts texts into their places in one pass, so that a text which names a place is left as it is.
fn filled(template: &str, places: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template.trim_end();
    loop {
        let next = places
            .iter()
            .filter_map(|(place, value)| rest.find(place).map(|at| (at, place.len(), value)))
            .min_by_key(|(at, ..)| *at);
        let Some((at, length, value)) = next else {
            text.push_str(rest);
            return text;
        };
        text.push_str(rest.get(..at).unwrap_or_default());
        text.push_str(value);
        rest = rest.get(at + length..).unwrap_or_default();
    }
}
