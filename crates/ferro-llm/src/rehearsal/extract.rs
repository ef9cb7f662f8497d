//! Things that can be found in a text by their shape: addresses, dates, numbers, names.

use super::words::{is_common, sentences, words};

/// Letters around a token that do not belong to it.
const EDGES: &[char] = &[
    '.', ',', ';', ':', '!', '?', '(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '“', '”', '«', '»', '`',
    '*',
];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(|token| token.trim_matches(EDGES))
}

/// In order, each once.
fn once<T: PartialEq>(found: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    for item in found {
        if !list.contains(&item) {
            list.push(item);
        }
    }
    list
}

pub(super) fn emails(text: &str) -> Vec<&str> {
    once(tokens(text).filter(|token| {
        let Some((name, host)) = token.split_once('@') else {
            return false;
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
        let dotted = host
            .split_once('.')
            .is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
        !name.is_empty() && dotted && name.chars().all(plain) && host.chars().all(plain)
    }))
}

pub(super) fn urls(text: &str) -> Vec<&str> {
    let marks: &[char] = &['<', '>', '"', '(', ')', '[', ']', '“', '”', '`'];
    let parts = text.split(|c: char| c.is_whitespace() || marks.contains(&c));
    let parts = parts.map(|part| part.trim_matches(|c| EDGES.contains(&c)));
    once(parts.filter(|part| {
        let rest = part
            .strip_prefix("https://")
            .or_else(|| part.strip_prefix("http://"));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['))
            || (part.starts_with("www.") && part.len() > 6)
    }))
}

pub(super) fn phones(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() || matches!(c, '+' | '-' | ' ' | '(' | ')' | '/') {
            run.push(c);
            continue;
        }
        let phone = run.trim_matches([' ', '-', '/']);
        let digits = phone.chars().filter(char::is_ascii_digit).count();
        if (8..=15).contains(&digits) && is_date(phone).is_none() {
            found.push(phone.to_owned());
        }
        run.clear();
    }
    once(found)
}

/// Dates as they are written: `2026-11-15`, `15/11/2026`, `15 November 2026`, `November 15, 2026`.
pub(super) fn dates(text: &str) -> Vec<String> {
    let all: Vec<&str> = tokens(text).collect();
    let mut found = Vec::new();
    for (at, token) in all.iter().enumerate() {
        if is_date(token).is_some() {
            found.push((*token).to_owned());
        }
        if month(token).is_none() {
            continue;
        }
        let near = |offset: isize| {
            let place = at.checked_add_signed(offset)?;
            all.get(place).copied()
        };
        let day = |token: &str| {
            let digits = token.trim_end_matches(char::is_alphabetic);
            digits.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day))
        };
        let year = |token: &&str| token.len() == 4 && token.parse::<u16>().is_ok();
        if let Some(before) = near(-1).filter(|token| day(token)) {
            let year = near(1).filter(year).map(|year| format!(" {year}"));
            found.push(format!("{before} {token}{}", year.unwrap_or_default()));
        } else if let Some(after) = near(1).filter(|token| day(token)) {
            let year = near(2).filter(year).map(|year| format!(", {year}"));
            found.push(format!("{token} {after}{}", year.unwrap_or_default()));
        }
    }
    once(found)
}

fn month(token: &str) -> Option<usize> {
    // "May" and "march" are also words of their own.
    if !token.starts_with(char::is_uppercase) {
        return None;
    }
    let token = token.to_lowercase();
    MONTHS
        .iter()
        .position(|month| *month == token || (token.len() == 3 && month.starts_with(&token)))
}

/// The date as `YYYY-MM-DD` when a token is one, written with numbers.
pub(super) fn is_date(token: &str) -> Option<String> {
    let parts: Vec<&str> = token.get(..10).unwrap_or(token).split(['-', '/', '.']).collect();
    let [a, b, c] = parts[..] else {
        return None;
    };
    let number = |text: &str, lengths: &[usize]| {
        let fits = lengths.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| text.parse::<u16>().ok()).flatten()
    };
    let (year, month, day) = if a.len() == 4 {
        (number(a, &[4])?, number(b, &[1, 2])?, number(c, &[1, 2])?)
    } else {
        let (first, second) = (number(a, &[1, 2])?, number(b, &[1, 2])?);
        let year = number(c, &[4])?;
        // Day first, unless it can only be a month.
        if second > 12 {
            (year, first, second)
        } else {
            (year, second, first)
        }
    };
    let sound = (1..=12).contains(&month) && (1..=31).contains(&day);
    // What follows the date may only be a time.
    let rest = token.get(10..).unwrap_or_default();
    (sound && (rest.is_empty() || rest.starts_with('T'))).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The first date in `YYYY-MM-DD`, however it was written.
pub(super) fn iso_date(text: &str) -> Option<String> {
    dates(text).iter().find_map(|date| {
        is_date(date).or_else(|| {
            let parts: Vec<&str> = date.split([' ', ',']).filter(|part| !part.is_empty()).collect();
            let month = parts.iter().find_map(|part| month(part))? + 1;
            let number = |part: &&str| part.trim_end_matches(char::is_alphabetic).parse::<u16>().ok();
            let day = parts.iter().filter_map(number).find(|number| *number <= 31)?;
            let year = parts.iter().filter_map(number).find(|number| *number > 31)?;
            Some(format!("{year:04}-{month:02}-{day:02}"))
        })
    })
}

/// Numbers as they are written, thousands without their commas.
pub(super) fn numbers(text: &str) -> Vec<f64> {
    numbers_at(text).into_iter().map(|(_, number)| number).collect()
}

/// Numbers and where in the text they stand.
pub(super) fn numbers_at(text: &str) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut from = 0;
    for part in text.split_whitespace() {
        at += text[from..].find(part).unwrap_or_default() + from - at;
        from = at + part.len();
        let bare = part.trim_matches(|c: char| !c.is_ascii_digit() && c != '-');
        let bare = bare.trim_end_matches('-');
        let other = bare
            .chars()
            .any(|c| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-'));
        if bare.is_empty() || other || is_date(bare).is_some() || part.contains('@') || part.contains("://") {
            continue;
        }
        if let Ok(number) = bare.replace(',', "").parse::<f64>() {
            found.push((at, number));
        }
    }
    found
}

/// Runs of capitalised words that do not begin a sentence, or of at least two that do.
pub(super) fn names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        let mut run: Vec<&str> = Vec::new();
        let mut at_start = true;
        let mut starts = true;
        let close = |run: &mut Vec<&str>, at_start: bool, found: &mut Vec<String>| {
            if run.len() >= 2 || (run.len() == 1 && !at_start) {
                found.push(run.join(" "));
            }
            run.clear();
        };
        for token in sentence.split_whitespace() {
            let bare = token.trim_matches(EDGES);
            let capital = bare.starts_with(char::is_uppercase)
                && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\''));
            let counts = capital && !is_common(&bare.to_lowercase()) && month(bare).is_none();
            if counts {
                if run.is_empty() {
                    at_start = starts;
                }
                run.push(bare);
            }
            let ends = token.ends_with([',', ';', ':', ')', '"']);
            if !counts || ends {
                close(&mut run, at_start, &mut found);
            }
            starts = false;
        }
        close(&mut run, at_start, &mut found);
    }
    once(found)
}

/// The commonest words that mean something, commonest first.
pub(super) fn keywords(text: &str, most: usize) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for word in words(text) {
        if word.chars().count() < 4 || is_common(&word) || word.chars().all(char::is_numeric) {
            continue;
        }
        // Enough to choose from; looking further would take long in long texts.
        let full = counts.len() >= 400;
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None if full => {}
            None => counts.push((word, 1)),
        }
    }
    // Stable: of two that occur equally often, the first in the text comes first.
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().take(most).map(|(word, _)| word).collect()
}

/// The value of a line `Key: value` or `key = value`, whatever the key's case and joints.
pub(super) fn labelled<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let wanted = words(key);
    for part in text.split(['\n', ';']) {
        let Some((label, value)) = part.split_once([':', '=']) else {
            continue;
        };
        let label = label.trim_matches(|c: char| !c.is_alphanumeric());
        let value = value.trim().trim_matches(['"', '*', '`']);
        if !value.is_empty() && !wanted.is_empty() && words(label) == wanted {
            return Some(value.trim_end_matches(['.', ',']));
        }
    }
    None
}

/// What an extraction asked for, one line each; empty when nothing was named or found.
pub(super) fn asked_for(instruction: &str, text: &str) -> Vec<(&'static str, Vec<String>)> {
    let asked = words(instruction);
    let named = |list: &[&str]| asked.iter().any(|word| list.contains(&word.as_str()));
    let own = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let mut found = Vec::new();
    let everything = !named(&[
        "email", "emails", "mail", "mails", "url", "urls", "link", "links", "phone", "phones", "date",
        "dates", "number", "numbers", "amount", "amounts", "name", "names", "person", "people", "keyword",
        "keywords", "topic", "topics",
    ]);
    if everything || named(&["email", "emails", "mail", "mails"]) {
        found.push(("emails", own(emails(text))));
    }
    if everything || named(&["url", "urls", "link", "links"]) {
        found.push(("links", own(urls(text))));
    }
    if everything || named(&["phone", "phones"]) {
        found.push(("phone numbers", phones(text)));
    }
    if everything || named(&["date", "dates"]) {
        found.push(("dates", dates(text)));
    }
    if everything || (named(&["number", "numbers", "amount", "amounts"]) && !named(&["phone", "phones"])) {
        found.push(("numbers", numbers(text).iter().map(ToString::to_string).collect()));
    }
    if everything || named(&["name", "names", "person", "people"]) {
        found.push(("names", names(text)));
    }
    if named(&["keyword", "keywords", "topic", "topics"]) {
        found.push(("keywords", keywords(text, 5)));
    }
    if everything {
        found.retain(|(_, list)| !list.is_empty());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Yesterday Ada Lovelace (ada@example.org) paid 1,250.50 on 2026-11-15, before Nov 20. \
        See https://example.org/a?b=1. Call +49 30 1234567; Grace Hopper will answer.";

    #[test]
    fn shapes_are_found() {
        assert_eq!(emails(TEXT), ["ada@example.org"]);
        assert_eq!(urls(TEXT), ["https://example.org/a?b=1"]);
        assert_eq!(phones(TEXT), ["+49 30 1234567"]);
        assert_eq!(dates(TEXT), ["2026-11-15", "Nov 20"]);
        assert_eq!(numbers(TEXT)[0], 1250.5);
        assert!(
            names(TEXT).contains(&"Grace Hopper".to_owned()),
            "{:?}",
            names(TEXT)
        );
        assert!(names(TEXT).iter().any(|name| name.ends_with("Ada Lovelace")));
    }

    #[test]
    fn dates_are_read_in_the_ways_people_write_them() {
        for text in [
            "on 2026-11-15",
            "on 15/11/2026",
            "11/15/2026",
            "15 November 2026",
            "November 15th, 2026",
        ] {
            assert_eq!(iso_date(text).as_deref(), Some("2026-11-15"), "{text}");
        }
        for text in ["1.2.3", "2026-13-01", "may 5", "10.0.0.1"] {
            assert_eq!(iso_date(text), None, "{text}");
        }
    }

    #[test]
    fn labels_are_read_whatever_their_joints() {
        assert_eq!(labelled("- **First name**: Ada.\nx", "first_name"), Some("Ada"));
        assert_eq!(labelled("total = 12", "Total"), Some("12"));
        assert_eq!(labelled("nothing here", "total"), None);
    }
}
