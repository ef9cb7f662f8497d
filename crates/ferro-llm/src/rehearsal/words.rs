//! Words and sentences: what every skill looks at.

/// Words that say nothing about what a text is about.
const COMMON: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "could", "did", "do", "does", "for", "from", "get", "give", "had", "has", "have", "he", "her",
    "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "let", "me", "my", "no", "not",
    "of", "on", "one", "or", "our", "out", "please", "she", "so", "some", "tell", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "to", "up", "us", "use", "using", "very",
    "was", "we", "were", "what", "when", "where", "which", "who", "will", "with", "would", "you", "your",
];

/// Lower-case words of letters and digits. `snake_case` and `kebab-case` come apart; `camelCase` does not.
pub(super) fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let parts = parts.map(|word| word.trim_matches('\'').to_lowercase());
    parts.filter(|word| !word.is_empty()).collect()
}

/// The words that say what a text is about, without their endings.
pub(super) fn content(text: &str) -> Vec<String> {
    let all = words(text);
    all.iter()
        .filter(|word| !is_common(word))
        .map(|word| stem(word))
        .collect()
}

pub(super) fn is_common(word: &str) -> bool {
    COMMON.binary_search(&word).is_ok()
}

/// Cuts the commonest English endings off, so that `searching`, `searches` and `search` are one.
pub(super) fn stem(word: &str) -> String {
    let enough = |rest: &str| rest.chars().count() >= 3;
    for (ending, instead) in [
        ("ations", "ate"),
        ("ation", "ate"),
        ("ators", "ate"),
        ("ator", "ate"),
        ("ating", "ate"),
        ("ated", "ate"),
        ("ates", "ate"),
        ("ies", "y"),
        ("ing", ""),
        ("ches", "ch"),
        ("shes", "sh"),
        ("sses", "ss"),
        ("ed", ""),
        ("s", ""),
    ] {
        if let Some(rest) = word.strip_suffix(ending)
            && enough(rest)
            && !(ending == "s" && rest.ends_with(['s', 'u', 'i']))
        {
            return format!("{rest}{instead}");
        }
    }
    word.to_owned()
}

/// Sentences and lines, trimmed, none of them empty. A point inside a number, an address or an initial ends nothing.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut chars = line.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let end = at + c.len_utf8();
            let closed = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
            let wide = matches!(c, '。' | '！' | '？');
            if wide || (matches!(c, '.' | '!' | '?') && closed && !initial(&line[start..at])) {
                found.push(line[start..end].trim());
                start = end;
            }
        }
        found.push(line[start..].trim());
    }
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// `Dr`, `e.g` or one letter stands before the point.
fn initial(before: &str) -> bool {
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let one = last.chars().count() == 1 && last.chars().all(char::is_uppercase);
    one || matches!(
        last,
        "Dr" | "Mr" | "Mrs" | "Ms" | "Prof" | "St" | "vs" | "e.g" | "i.e" | "etc"
    )
}

/// The beginning, with an ellipsis when that is not all. White space becomes single spaces.
pub(super) fn shorten(text: &str, letters: usize) -> String {
    let mut short = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let size = word.chars().count() + usize::from(count > 0);
        if count + size > letters {
            if count == 0 {
                short.extend(word.chars().take(letters));
            }
            short.push('…');
            return short;
        }
        if count > 0 {
            short.push(' ');
        }
        short.push_str(word);
        count += size;
    }
    short
}

/// What stands between quotation marks, in order, longer than one letter.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['"', '“', '«', '`', '\'']) {
        let Some(mark) = rest[open..].chars().next() else {
            break;
        };
        let after = &rest[open + mark.len_utf8()..];
        // An apostrophe is no quotation mark.
        let inside_word = mark == '\'' && rest[..open].ends_with(char::is_alphanumeric);
        let close = match mark {
            '“' => '”',
            '«' => '»',
            same => same,
        };
        match after.find(close) {
            Some(end) if !inside_word => {
                let inside = after[..end].trim();
                if inside.chars().count() > 1 {
                    found.push(inside);
                }
                rest = &after[end + close.len_utf8()..];
            }
            _ => rest = after,
        }
    }
    found
}

/// What the instruction is about: the text after its first colon at the end of a line or a word, after the first
/// empty line, or in quotation marks; else `None`.
pub(super) fn body(text: &str) -> Option<&str> {
    let long = |part: &&str| words(part).len() >= 3;
    if let Some((_, rest)) = text.split_once(":\n") {
        return Some(rest.trim()).filter(long);
    }
    if let Some((head, rest)) = text.split_once("\n\n")
        && words(head).len() <= 40
    {
        return Some(rest.trim()).filter(long);
    }
    if let Some((head, rest)) = text.split_once(": ")
        && words(head).len() <= 25
        && !head.contains('\n')
    {
        return Some(rest.trim()).filter(long);
    }
    quoted(text)
        .into_iter()
        .max_by_key(|part| part.len())
        .filter(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_common_words_is_sorted() {
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn endings_come_off() {
        for word in ["search", "searches", "searching", "searched"] {
            assert_eq!(stem(word), "search");
        }
        for word in ["calculate", "calculator", "calculation"] {
            assert_eq!(stem(word), "calculate");
        }
        assert_eq!(stem("is"), "is");
        assert_eq!(stem("status"), "status");
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(
            sentences("Dr. A. Lovelace paid 3.50 at shop.example. She left!\nNext line\n\n---"),
            [
                "Dr. A. Lovelace paid 3.50 at shop.example.",
                "She left!",
                "Next line"
            ]
        );
        assert_eq!(sentences("你好。再见"), ["你好。", "再见"]);
    }

    #[test]
    fn what_an_instruction_is_about() {
        assert_eq!(body("Summarise this:\nOne two three."), Some("One two three."));
        assert_eq!(body("Summarise: one two three"), Some("one two three"));
        assert_eq!(
            body("Translate \"one two three\" to French"),
            Some("one two three")
        );
        assert_eq!(body("Hello there"), None);
        assert_eq!(quoted("don't say “yes, sir” or 'no way'"), ["yes, sir", "no way"]);
    }

    #[test]
    fn shortening_keeps_whole_words() {
        assert_eq!(shorten("one  two\nthree", 8), "one two…");
        assert_eq!(shorten("one two", 8), "one two");
        assert_eq!(shorten("incomprehensible", 4), "inco…");
    }
}
