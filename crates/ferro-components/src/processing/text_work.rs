//! What Text Operations and Data Operations do to text: the operations, their fields and the work.

use ferro_engine::{Call, Failure, Value};
use ferro_model::FieldSpec;
use serde_json::{Map, Value as Json};

use crate::text::fields::{LONG, int_or, on_by_default, text_or, weight};
use crate::text::pattern;
use crate::text::tabular::{self, Header};

/// Operation, icon, and the fields it needs.
pub(super) const OPERATIONS: &[(&str, &str, &[&str])] = &[
    (
        "Word Count",
        "hash",
        &["count_words", "count_characters", "count_lines"],
    ),
    ("Case Conversion", "type", &["case_type"]),
    (
        "Text Replace",
        "replace",
        &["search_pattern", "replacement_text", "use_regex"],
    ),
    ("Text Extract", "search", &["extract_pattern", "max_matches"]),
    ("Text Head", "chevron-left", &["head_characters"]),
    ("Text Tail", "chevron-right", &["tail_characters"]),
    ("Text Strip", "minus", &["strip_mode", "strip_characters"]),
    ("Text Join", "link", &["text_input_2"]),
    (
        "Text Clean",
        "sparkles",
        &[
            "remove_extra_spaces",
            "remove_special_chars",
            "remove_empty_lines",
        ],
    ),
    ("Text to DataFrame", "table", &["table_separator", "has_header"]),
];

const CASES: [&str; 5] = ["uppercase", "lowercase", "title", "capitalize", "swapcase"];

/// The fields of all operations, hidden until their operation is chosen.
pub(super) fn fields() -> Vec<FieldSpec> {
    let count = |name, label, what: &str| FieldSpec::bool(name, label, true).advanced().info(what);
    let fields = vec![
        FieldSpec::text("table_separator", "Table Separator")
            .value("|")
            .info("What stands between cells."),
        FieldSpec::bool("has_header", "Has Header", true)
            .advanced()
            .info("The first line names the columns."),
        count(
            "count_words",
            "Count Words",
            "Count words, and how many different ones.",
        ),
        count(
            "count_characters",
            "Count Characters",
            "Count characters, with and without spaces.",
        ),
        count(
            "count_lines",
            "Count Lines",
            "Count lines, and how many have something in them.",
        ),
        FieldSpec::dropdown("case_type", "Case Type", &CASES, "lowercase").info("How to write the letters."),
        FieldSpec::bool("use_regex", "Use Regex", false).info("The search is a regular expression."),
        FieldSpec::text("search_pattern", "Search Pattern").info("What to look for."),
        FieldSpec::text("replacement_text", "Replacement Text")
            .info("What to put in its place; \\1 is the first group."),
        FieldSpec::text("extract_pattern", "Extract Pattern")
            .info("A regular expression for what to take out."),
        FieldSpec::int("max_matches", "Max Matches", 10).info("How many at most; 0 for all."),
        FieldSpec::int("head_characters", "Characters from Start", 100).info("How many characters to keep."),
        FieldSpec::int("tail_characters", "Characters from End", 100).info("How many characters to keep."),
        FieldSpec::dropdown("strip_mode", "Strip Mode", &["both", "left", "right"], "both")
            .info("Which end to strip."),
        FieldSpec::text("strip_characters", "Characters to Strip")
            .info("Which characters; empty for white space."),
        FieldSpec::message_text("text_input_2", "Second Text Input").info("The text to put below the first."),
        FieldSpec::bool("remove_extra_spaces", "Remove Extra Spaces", true)
            .info("One space instead of several."),
        FieldSpec::bool("remove_special_chars", "Remove Special Characters", false)
            .info("Keep letters, digits, white space and . , ! ? ; : - only."),
        FieldSpec::bool("remove_empty_lines", "Remove Empty Lines", false)
            .info("Leave out lines with nothing in them."),
    ];
    fields.into_iter().map(FieldSpec::hidden).collect()
}

/// How much there is to do: a regular expression can take long on a short text.
pub(super) fn effort(call: &Call, operation: &str) -> usize {
    let regex = operation == "Text Extract" || (operation == "Text Replace" && call.bool("use_regex"));
    if regex { LONG } else { weight(call, "text_input") }
}

/// Does one operation. Nothing chosen means the text stays as it is.
pub(super) fn apply(call: &Call, operation: &str, text: &str) -> Result<Value, Failure> {
    Ok(match operation {
        "" => Value::text(text),
        "Word Count" => Value::data(counts(call, text)),
        "Case Conversion" => Value::text(cased(&text_or(call, "case_type", "lowercase"), text)?),
        "Text Replace" => Value::text(replaced(call, text)?),
        "Text Extract" => Value::text(extracted(call, text)?.join("\n")),
        "Text Head" => Value::text(head(text, int_or(call, "head_characters", 100)?)),
        "Text Tail" => Value::text(tail(text, int_or(call, "tail_characters", 100)?)),
        "Text Strip" => Value::text(stripped(call, text)),
        "Text Join" => Value::text(joined(text, &call.text("text_input_2"))),
        "Text Clean" => Value::text(cleaned(call, text)),
        "Text to DataFrame" | "Text to Table" => {
            let header = if on_by_default(call, "has_header") {
                Header::FirstLine
            } else {
                Header::None
            };
            Value::table(tabular::from_lines(
                text,
                &text_or(call, "table_separator", "|"),
                header,
            ))
        }
        other => return Err(unknown("operation", other, OPERATIONS)),
    })
}

/// An operation nobody knows, said together with those there are.
pub(super) fn unknown(field: &str, operation: &str, known: &[(&str, &str, &[&str])]) -> Failure {
    let names: Vec<&str> = known.iter().map(|(name, ..)| *name).collect();
    Failure::input(field, format!("There is no operation {operation:?}"))
        .advice(format!("Choose one of: {}.", names.join(", ")))
}

fn counts(call: &Call, text: &str) -> Map<String, Json> {
    let mut map = Map::new();
    let mut put = |key: &str, count: usize| map.insert(key.to_owned(), count.into());
    if on_by_default(call, "count_words") {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        put("word_count", words.len());
        words.sort_unstable();
        words.dedup();
        put("unique_words", words.len());
    }
    if on_by_default(call, "count_characters") {
        put("character_count", text.chars().count());
        put(
            "character_count_no_spaces",
            text.chars().filter(|&c| c != ' ').count(),
        );
    }
    if on_by_default(call, "count_lines") {
        put("line_count", text.split('\n').count());
        put(
            "non_empty_lines",
            text.split('\n').filter(|line| !line.trim().is_empty()).count(),
        );
    }
    map
}

fn cased(case: &str, text: &str) -> Result<String, Failure> {
    Ok(match case {
        "uppercase" => text.to_uppercase(),
        "lowercase" | "" => text.to_lowercase(),
        "capitalize" => {
            let mut chars = text.chars();
            let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
            first + &chars.as_str().to_lowercase()
        }
        "title" => {
            let mut inside = false;
            let mut titled = String::with_capacity(text.len());
            for c in text.chars() {
                if inside {
                    titled.extend(c.to_lowercase())
                } else {
                    titled.extend(c.to_uppercase())
                }
                inside = c.is_alphabetic();
            }
            titled
        }
        "swapcase" => {
            let mut swapped = String::with_capacity(text.len());
            for c in text.chars() {
                if c.is_uppercase() {
                    swapped.extend(c.to_lowercase())
                } else {
                    swapped.extend(c.to_uppercase())
                }
            }
            swapped
        }
        other => {
            return Err(Failure::input("case_type", format!("There is no case {other:?}"))
                .advice(format!("Choose one of: {}.", CASES.join(", "))));
        }
    })
}

fn replaced(call: &Call, text: &str) -> Result<String, Failure> {
    let search = call.text("search_pattern");
    let with = call.text("replacement_text");
    if search.is_empty() {
        return Ok(text.to_owned());
    }
    if !call.bool("use_regex") {
        return Ok(text.replace(&search, &with));
    }
    let regex = pattern::compile(&search, "search_pattern")?;
    Ok(regex
        .replace_all(text, pattern::replacement(&with).as_str())
        .into_owned())
}

fn extracted(call: &Call, text: &str) -> Result<Vec<String>, Failure> {
    let regex = pattern::compile(&call.required_text("extract_pattern")?, "extract_pattern")?;
    let limit = match int_or(call, "max_matches", 10)? {
        limit if limit > 0 => usize::try_from(limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    Ok(regex
        .captures_iter(text)
        .take(limit)
        .map(|found| pattern::groups(&found).join(", "))
        .collect())
}

fn head(text: &str, count: i64) -> &str {
    let count = usize::try_from(count).unwrap_or_default();
    text.char_indices().nth(count).map_or(text, |(at, _)| &text[..at])
}

fn tail(text: &str, count: i64) -> &str {
    let Some(before) = usize::try_from(count).ok().and_then(|count| count.checked_sub(1)) else {
        return "";
    };
    text.char_indices()
        .rev()
        .nth(before)
        .map_or(text, |(at, _)| &text[at..])
}

fn stripped(call: &Call, text: &str) -> String {
    let characters: Vec<char> = call.text("strip_characters").chars().collect();
    let strip = |c: char| {
        if characters.is_empty() {
            c.is_whitespace()
        } else {
            characters.contains(&c)
        }
    };
    match call.text("strip_mode").as_str() {
        "left" => text.trim_start_matches(strip),
        "right" => text.trim_end_matches(strip),
        _ => text.trim_matches(strip),
    }
    .to_owned()
}

fn joined(first: &str, second: &str) -> String {
    match (first, second) {
        (one, "") | ("", one) => one.to_owned(),
        (first, second) => format!("{first}\n{second}"),
    }
}

fn cleaned(call: &Call, text: &str) -> String {
    let special = call.bool("remove_special_chars");
    let squeeze = on_by_default(call, "remove_extra_spaces");
    let drop_empty = call.bool("remove_empty_lines");
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let kept: String = if special {
            line.chars()
                .filter(|c| c.is_alphanumeric() || c.is_whitespace() || "_.,!?;:-".contains(*c))
                .collect()
        } else {
            line.to_owned()
        };
        let line = if squeeze {
            kept.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            kept
        };
        if !(drop_empty && line.trim().is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n")
}
