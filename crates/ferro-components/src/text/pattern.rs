//! Regular expressions: linear in time, bounded in size, with errors that say what is not supported.

use ferro_engine::Failure;
use regex::{Regex, RegexBuilder};

/// Bytes a compiled pattern may take.
const SIZE: usize = 1024 * 1024;

/// Compiles what somebody wrote into `field`.
pub(crate) fn compile(pattern: &str, field: &str) -> Result<Regex, Failure> {
    RegexBuilder::new(pattern)
        .size_limit(SIZE)
        .dfa_size_limit(4 * SIZE)
        .build()
        .map_err(|error| refuse(pattern, field, &error))
}

fn refuse(pattern: &str, field: &str, error: &regex::Error) -> Failure {
    if matches!(error, regex::Error::CompiledTooBig(_)) {
        return Failure::input(field, "The regular expression is too large")
            .advice("Use smaller counts than in \\w{1000}, or several simpler expressions.");
    }
    let advice = match python_only(pattern) {
        Some(feature) => format!(
            "{feature} cannot be used here. Match more, and cut it down with a group: prefix(.*)suffix."
        ),
        None => "Check brackets and backslashes; write \\. for a dot.".to_owned(),
    };
    // The last line says what is wrong; those before it draw the pattern with a marker.
    let detail = error.to_string();
    let reason = detail
        .lines()
        .last()
        .unwrap_or_default()
        .trim_start_matches("error: ")
        .to_owned();
    Failure::input(field, format!("The regular expression does not work: {reason}"))
        .advice(advice)
        .detail(detail)
}

/// What other engines know and a linear-time one cannot.
fn python_only(pattern: &str) -> Option<&'static str> {
    if ["(?=", "(?!", "(?<=", "(?<!"]
        .iter()
        .any(|look| pattern.contains(look))
    {
        return Some("Looking ahead or behind");
    }
    let backreference = pattern
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0] == b'\\' && (b'1'..=b'9').contains(&pair[1]));
    (backreference || pattern.contains("(?P=")).then_some("A reference back to a group")
}

/// `\1` and `\g<name>` of a replacement, in this engine's words. A `$` stays a `$`.
pub(crate) fn replacement(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut chars = written.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '$' => out.push_str("$$"),
            '\\' => match chars.peek().copied() {
                Some(digit) if digit.is_ascii_digit() => {
                    chars.next();
                    out.push_str(&format!("${{{digit}}}"));
                }
                Some('g') => {
                    chars.next();
                    let name: String = chars
                        .by_ref()
                        .skip_while(|&c| c == '<')
                        .take_while(|&c| c != '>')
                        .collect();
                    out.push_str(&format!("${{{name}}}"));
                }
                Some('n') => {
                    chars.next();
                    out.push('\n');
                }
                Some('t') => {
                    chars.next();
                    out.push('\t');
                }
                Some('\\') => {
                    chars.next();
                    out.push('\\');
                }
                _ => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    out
}

/// What a match is worth: the only group, all groups, or the whole match when there are none.
pub(crate) fn groups(found: &regex::Captures<'_>) -> Vec<String> {
    let group = |at: usize| {
        found
            .get(at)
            .map(|part| part.as_str().to_owned())
            .unwrap_or_default()
    };
    if found.len() == 1 {
        vec![group(0)]
    } else {
        (1..found.len()).map(group).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_syntax_is_named() {
        let failure = compile("a(?=b)", "pattern").unwrap_err();
        assert!(failure.advice.starts_with("Looking ahead"), "{failure:?}");
        let failure = compile(r"(a)\1", "pattern").unwrap_err();
        assert!(failure.advice.starts_with("A reference back"), "{failure:?}");
        let failure = compile("(a", "pattern").unwrap_err();
        assert!(failure.message.contains("unclosed group"), "{failure:?}");
        let failure = compile(r"(\w{500}){500}", "pattern").unwrap_err();
        assert!(failure.message.contains("too large"), "{failure:?}");
    }

    #[test]
    fn replacements_are_translated() {
        let pattern = compile(r"(\w+)=(?P<v>\d+)", "p").unwrap();
        let with = replacement(r"\g<v>:\1 $1\n");
        assert_eq!(pattern.replace_all("a=1", with.as_str()), "1:a $1\n");
    }
}
