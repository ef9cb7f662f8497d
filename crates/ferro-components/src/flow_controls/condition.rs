//! How two texts are compared by the components that choose a branch.

use ferro_engine::Failure;

/// The operators of If-Else, as saved flows spell them.
pub(super) const OPERATORS: [&str; 10] = [
    "equals",
    "not equals",
    "contains",
    "starts with",
    "ends with",
    "regex",
    "less than",
    "less than or equal",
    "greater than",
    "greater than or equal",
];

/// Upper and lower case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Kept,
    Ignored,
}

/// Whether `left operator right` holds. Numbers that cannot be read make a comparison of numbers false.
pub(super) fn holds(left: &str, operator: &str, right: &str, case: Case) -> Result<bool, Failure> {
    if operator == "regex" {
        return prefix_matches(left, right);
    }
    let (folded_left, folded_right);
    let (left, right) = if case == Case::Ignored {
        (folded_left, folded_right) = (left.to_lowercase(), right.to_lowercase());
        (folded_left.as_str(), folded_right.as_str())
    } else {
        (left, right)
    };
    let numbers = |test: fn(f64, f64) -> bool| {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        number(left)
            .zip(number(right))
            .is_some_and(|(left, right)| test(left, right))
    };
    Ok(match operator {
        "equals" => left == right,
        "not equals" => left != right,
        "contains" => left.contains(right),
        "starts with" => left.starts_with(right),
        "ends with" => left.ends_with(right),
        "less than" => numbers(|left, right| left < right),
        "less than or equal" => numbers(|left, right| left <= right),
        "greater than" => numbers(|left, right| left > right),
        "greater than or equal" => numbers(|left, right| left >= right),
        other => {
            return Err(
                Failure::input("operator", format!("There is no operator {other:?}"))
                    .advice(format!("Choose one of: {}.", OPERATORS.join(", "))),
            );
        }
    })
}

/// The comparison and its outcome in words, such as `"Ada" does not equal "Bob"`.
pub(super) fn compared(left: &str, operator: &str, right: &str, holds: bool) -> String {
    let verb = match (operator, holds) {
        ("equals", true) | ("not equals", false) => "equals",
        ("equals", false) | ("not equals", true) => "does not equal",
        ("contains", true) => "contains",
        ("contains", false) => "does not contain",
        ("starts with", true) => "starts with",
        ("starts with", false) => "does not start with",
        ("ends with", true) => "ends with",
        ("ends with", false) => "does not end with",
        ("regex", true) => "matches the pattern",
        ("regex", false) => "does not match the pattern",
        (other, true) => return format!("{} is {other} {}", quoted(left), quoted(right)),
        (other, false) => return format!("{} is not {other} {}", quoted(left), quoted(right)),
    };
    format!("{} {verb} {}", quoted(left), quoted(right))
}

/// A text as a sentence can hold it.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
        None => format!("{text:?}"),
    }
}

/// The pattern must match from the start of the text, but not up to its end.
fn prefix_matches(text: &str, pattern: &str) -> Result<bool, Failure> {
    let pattern = regex::Regex::new(&format!(r"\A(?:{pattern})")).map_err(|error| {
        Failure::input("match_text", "The pattern to match is not a regular expression")
            .advice(
                "Correct it, or choose another operator. Look-around and back-references are not supported.",
            )
            .detail(error.to_string())
    })?;
    Ok(pattern.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, operator: &str, right: &str) -> bool {
        holds(left, operator, right, Case::Kept).unwrap()
    }

    #[test]
    fn every_operator() {
        assert!(check("a", "equals", "a") && !check("a", "equals", "A"));
        assert!(check("a", "not equals", "b") && !check("a", "not equals", "a"));
        assert!(check("abc", "contains", "b") && !check("abc", "contains", "x"));
        assert!(check("abc", "starts with", "ab") && !check("abc", "starts with", "b"));
        assert!(check("abc", "ends with", "bc") && !check("abc", "ends with", "b"));
        assert!(check("2", "less than", "10") && !check("10", "less than", "2"));
        assert!(check("2", "less than or equal", "2.0"));
        assert!(check("10", "greater than", "9") && !check("9", "greater than", "9"));
        assert!(check("9", "greater than or equal", " 9 "));
    }

    #[test]
    fn what_is_no_number_is_neither_less_nor_greater() {
        assert!(!check("ten", "less than", "11") && !check("ten", "greater than", "1"));
    }

    #[test]
    fn a_pattern_matches_from_the_start() {
        assert!(check("ab12", "regex", "[a-z]+") && !check("12ab", "regex", "[a-z]+"));
        assert!(!check("xb", "regex", "a|b"));
        let failure = holds("a", "regex", "(", Case::Kept).unwrap_err();
        assert_eq!(failure.field.as_deref(), Some("match_text"));
    }

    #[test]
    fn case_can_be_ignored_and_unknown_operators_are_refused() {
        assert!(holds("ÄB", "equals", "äb", Case::Ignored).unwrap());
        assert!(holds("a", "is like", "a", Case::Kept).is_err());
    }
}
