//! Source text with comments, and if wished strings, blanked out: rules look at code, not at talk about it.
//! Line numbers stay what they were.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strings {
    Keep,
    Blank,
}

/// Rust without comments.
pub(crate) fn rust(source: &str, strings: Strings) -> String {
    blank(source, strings, rust_token)
}

/// TypeScript without comments.
pub(crate) fn typescript(source: &str, strings: Strings) -> String {
    blank(source, strings, typescript_token)
}

enum Token {
    Comment(usize),
    Text(usize),
    Other(usize),
}

fn blank(source: &str, strings: Strings, next: fn(&str, Option<char>) -> Token) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    let mut before = None;
    while !rest.is_empty() {
        let (length, hide) = match next(rest, before) {
            Token::Comment(length) => (length, true),
            Token::Text(length) => (length, strings == Strings::Blank),
            Token::Other(length) => (length, false),
        };
        let (token, tail) = rest.split_at(length);
        if hide {
            out.extend(token.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(token);
        }
        before = token.chars().next_back();
        rest = tail;
    }
    out
}

fn rust_token(rest: &str, before: Option<char>) -> Token {
    if let Some(length) = comment(rest, true) {
        return Token::Comment(length);
    }
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if !in_word && let Some(length) = raw_string(rest) {
        return Token::Text(length);
    }
    if rest.starts_with('"') {
        return Token::Text(quoted(rest, '"', false));
    }
    if rest.starts_with('\'') {
        // A character, unless it is a lifetime: those have no closing quote after one character.
        let mut chars = rest.chars().skip(1);
        let (first, second) = (chars.next(), chars.next());
        if first == Some('\\') || second == Some('\'') {
            return Token::Text(quoted(rest, '\'', false));
        }
    }
    Token::Other(rest.chars().next().map_or(0, char::len_utf8))
}

fn typescript_token(rest: &str, _before: Option<char>) -> Token {
    if let Some(length) = comment(rest, false) {
        return Token::Comment(length);
    }
    match rest.chars().next() {
        // A quote inside a regular expression starts no string; ending at the line's end keeps the harm small.
        Some(quote @ ('"' | '\'')) => Token::Text(quoted(rest, quote, true)),
        Some('`') => Token::Text(quoted(rest, '`', false)),
        first => Token::Other(first.map_or(0, char::len_utf8)),
    }
}

fn comment(rest: &str, nested: bool) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (1, 2);
    while depth > 0 {
        let tail = rest.get(at..).filter(|tail| !tail.is_empty())?;
        if tail.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
        } else if nested && tail.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    Some(at)
}

fn raw_string(rest: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        rest.strip_prefix(prefix)
            .is_some_and(|tail| tail.trim_start_matches('#').starts_with('"'))
    })?;
    let tail = rest.strip_prefix(prefix)?;
    let hashes = tail.len() - tail.trim_start_matches('#').len();
    let start = prefix.len() + hashes + 1;
    let end = format!("\"{}", "#".repeat(hashes));
    let body = rest.get(start..)?;
    Some(body.find(&end).map_or(rest.len(), |at| start + at + end.len()))
}

fn quoted(rest: &str, quote: char, one_line: bool) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + c.len_utf8();
        } else if one_line && c == '\n' {
            return at;
        }
    }
    rest.len()
}

/// Rust without comments and without its `#[cfg(test)]` modules.
pub(crate) fn rust_outside_tests(source: &str, strings: Strings) -> String {
    let bare = rust(source, Strings::Blank);
    let kept = rust(source, strings);
    let mut hidden = vec![false; bare.len()];
    let mut from = 0;
    while let Some(found) = bare.get(from..).and_then(|tail| tail.find("#[cfg(test)]")) {
        let start = from + found;
        let end = item_end(&bare, start);
        hidden[start..end].fill(true);
        from = end;
    }
    // `bare` and `kept` have their lines in common but not their lengths (a blanked letter may be shorter).
    let mut lines = String::with_capacity(kept.len());
    let mut at = 0;
    for (line, shown) in bare.split_inclusive('\n').zip(kept.split_inclusive('\n')) {
        if hidden.get(at).copied().unwrap_or(false) {
            lines.push('\n')
        } else {
            lines.push_str(shown)
        }
        at += line.len();
    }
    lines
}

/// Where the item that starts here ends: at its closing brace, or at a semicolon before any brace.
fn item_end(bare: &str, start: usize) -> usize {
    let mut depth = 0;
    for (at, c) in bare.char_indices().skip_while(|(at, _)| *at < start) {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    bare.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_go_and_lines_stay() {
        let source = "let a = \"x // y\"; // sqlx::query\n/* a /* b */ c */ let b = r#\"q\"\"#;\nlet c = '\"'; d::<'a>(\"\\\"\");";
        let bare = rust(source, Strings::Blank);
        assert_eq!(bare.lines().count(), 3);
        for gone in ["x", "sqlx", "c */", "q\"", "\""] {
            assert!(!bare.contains(gone), "{gone} is left in {bare}");
        }
        assert!(bare.contains("d::<'a>("), "{bare}");
        assert!(rust(source, Strings::Keep).contains("\"x // y\""));
    }

    #[test]
    fn typescript_strings_end_with_their_line() {
        let source = "const a = /'/; // b\nconst c = `d\n e`; import x from './f';";
        let bare = typescript(source, Strings::Blank);
        assert!(
            bare.contains("const c") && !bare.contains("// b") && !bare.contains(" e"),
            "{bare}"
        );
        assert!(typescript(source, Strings::Keep).contains("'./f'"));
    }

    #[test]
    fn test_modules_are_left_out() {
        let source = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { \"}\" }\n}\nfn c() {}\n";
        let outside = rust_outside_tests(source, Strings::Keep);
        assert!(
            outside.contains("fn a") && outside.contains("fn c") && !outside.contains("fn b"),
            "{outside}"
        );
        assert_eq!(outside.lines().count(), 6);
        assert!(rust_outside_tests("#[cfg(test)]\nmod tests;\nfn c() {}", Strings::Blank).contains("fn c"));
    }

    #[test]
    fn an_open_comment_does_not_hang() {
        assert!(rust("/* never closed", Strings::Blank).starts_with("/*"));
    }
}
