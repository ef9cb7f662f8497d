//! JSON as people and models write it: single quotes, `True`, trailing commas, comments, missing ends.

use serde_json::{Map, Number, Value as Json};

/// Nesting beyond this is not read: the reader calls itself.
const DEPTH: usize = 100;

/// A text that is a literal of JSON or Python, such as `[1, 'a', None]` or `(1, 2)`. Nothing is repaired.
pub(crate) fn literal(text: &str) -> Option<Json> {
    let mut reader = Reader::new(text, Mending::Refuse);
    let value = reader.value(0)?;
    reader.space();
    reader.peek().is_none().then_some(value)
}

/// The object or list in a text, with what is missing or too much put right. `None` when there is neither.
pub(crate) fn repaired(text: &str) -> Option<Json> {
    let start = text.find(['{', '['])?;
    let body = &text[start..];
    if let Some(Ok(value)) = serde_json::Deserializer::from_str(body)
        .into_iter::<Json>()
        .next()
    {
        return Some(value);
    }
    Reader::new(body, Mending::Allow).value(0)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mending {
    Refuse,
    Allow,
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    mending: Mending,
}

impl Reader {
    fn new(text: &str, mending: Mending) -> Self {
        Self {
            chars: text.chars().collect(),
            at: 0,
            mending,
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.at += usize::from(found);
        found
    }

    fn mends(&self) -> bool {
        self.mending == Mending::Allow
    }

    /// White space, and comments where mending is allowed.
    fn space(&mut self) {
        loop {
            while self.peek().is_some_and(|c| c.is_whitespace() || c == '\u{feff}') {
                self.at += 1;
            }
            let rest = &self.chars[self.at..];
            let end = match rest {
                ['/', '/', ..] if self.mends() => rest.iter().position(|&c| c == '\n'),
                ['/', '*', ..] if self.mends() => rest
                    .windows(2)
                    .position(|pair| pair == ['*', '/'])
                    .map(|at| at + 2),
                _ => return,
            };
            self.at += end.unwrap_or(rest.len());
        }
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > DEPTH {
            return None;
        }
        self.space();
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth, ']'),
            '(' if !self.mends() => self.array(depth, ')'),
            '"' | '\'' | '“' => self.string().map(Json::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.at += 1;
        let mut map = Map::new();
        loop {
            self.space();
            match self.peek() {
                Some('}') => {
                    self.at += 1;
                    return Some(Json::Object(map));
                }
                Some(',') if self.mends() => {
                    self.at += 1;
                    continue;
                }
                None => return self.mends().then_some(Json::Object(map)),
                Some(_) => {}
            }
            let before = self.at;
            let key = self.key()?;
            self.space();
            let value = if self.take(':') {
                match self.value(depth + 1) {
                    Some(value) => value,
                    None if self.mends() && depth < DEPTH => Json::Null,
                    None => return None,
                }
            } else if self.mends() {
                Json::Null
            } else {
                return None;
            };
            map.insert(key, value);
            self.space();
            let separated = self.take(',');
            if !separated && !self.mends() && self.peek() != Some('}') {
                return None;
            }
            // Nothing was read: what stands here fits nowhere, and would be looked at forever.
            if self.at == before {
                self.at += 1;
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        if matches!(self.peek(), Some('"' | '\'' | '“')) {
            return self.string();
        }
        let start = self.at;
        while self
            .peek()
            .is_some_and(|c| !c.is_whitespace() && !matches!(c, ':' | ',' | '}' | '{' | '[' | ']'))
        {
            self.at += 1;
        }
        let name: String = self.chars[start..self.at].iter().collect();
        (self.mends() || name.parse::<f64>().is_ok()).then_some(name)
    }

    fn array(&mut self, depth: usize, close: char) -> Option<Json> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.space();
            match self.peek() {
                Some(c) if c == close => {
                    self.at += 1;
                    return Some(Json::Array(items));
                }
                Some(',') if self.mends() => {
                    self.at += 1;
                    continue;
                }
                // Somebody forgot to close the list inside an object.
                Some('}') if self.mends() => return Some(Json::Array(items)),
                None => return self.mends().then_some(Json::Array(items)),
                Some(_) => {}
            }
            let before = self.at;
            items.push(self.value(depth + 1)?);
            self.space();
            let separated = self.take(',');
            if !separated && !self.mends() && self.peek() != Some(close) {
                return None;
            }
            if self.at == before {
                self.at += 1;
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let open = self.peek()?;
        let close = if open == '“' { '”' } else { open };
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '\\' => self.escape(&mut text),
                c if c == close => return Some(text),
                c => text.push(c),
            }
        }
        self.mends().then_some(text)
    }

    fn escape(&mut self, text: &mut String) {
        let Some(c) = self.peek() else { return };
        self.at += 1;
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => {
                let first = self.hex();
                let second = match first {
                    Some(0xd800..=0xdbff) if self.take('\\') && self.take('u') => self.hex(),
                    _ => None,
                };
                let units: Vec<u16> = [first, second].into_iter().flatten().collect();
                text.push_str(&String::from_utf16_lossy(&units));
            }
            other => text.push(other),
        }
    }

    fn hex(&mut self) -> Option<u16> {
        let digits: String = self.chars.get(self.at..self.at + 4)?.iter().collect();
        let unit = u16::from_str_radix(&digits, 16).ok()?;
        self.at += 4;
        Some(unit)
    }

    /// Whether the next character still belongs to a bare word; a comment or the next key does not.
    fn in_word(&self) -> bool {
        match &self.chars[self.at..] {
            [] | [',' | '}' | ']' | ')' | '\n', ..] => false,
            [' ', '/', '/' | '*', ..] | [' ' | '\t', '"', ..] => false,
            [c, ..] => self.mends() || !c.is_whitespace(),
        }
    }

    /// A number, a constant, or bare text where mending is allowed.
    fn word(&mut self) -> Option<Json> {
        let start = self.at;
        while self.in_word() {
            self.at += 1;
        }
        let word: String = self.chars[start..self.at].iter().collect();
        let word = word.trim();
        match word {
            "true" | "True" => return Some(Json::Bool(true)),
            "false" | "False" => return Some(Json::Bool(false)),
            "null" | "None" => return Some(Json::Null),
            _ => {}
        }
        if let Ok(whole) = word.parse::<i64>() {
            return Some(whole.into());
        }
        if word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'))
            && let Ok(number) = word.parse::<f64>()
        {
            return Number::from_f64(number).map(Json::Number);
        }
        self.mends().then(|| Json::String(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn literals_of_both_languages() {
        assert_eq!(
            literal("{'a': (1, 2.5), \"b\": None,}"),
            Some(json!({ "a": [1, 2.5], "b": null }))
        );
        assert_eq!(literal(" True "), Some(json!(true)));
        assert_eq!(literal(r"'it\'s \u00e4 \ud83d\ude00'"), Some(json!("it's ä 😀")));
        for text in [
            "",
            "hello",
            "[1, 2",
            "{'a' 1}",
            "[1] 2",
            "{a: 1}",
            "__import__('os')",
            "1 + 1",
        ] {
            assert_eq!(literal(text), None, "{text}");
        }
    }

    #[test]
    fn broken_json_is_put_right() {
        let expected = json!({ "a": 1, "b": [1, 2], "c": "x" });
        for text in [
            "Here it is: {\"a\": 1, \"b\": [1, 2], \"c\": \"x\"} and more",
            "```json\n{a: 1, 'b': [1, 2,], \"c\": \"x\",}\n```",
            "{\"a\": 1, // one\n \"b\": [1, 2 /* two */], \"c\": \"x\"",
            "{\"a\": 1 \"b\": [1 , 2 , ], \"c\": \"x",
        ] {
            assert_eq!(repaired(text), Some(expected.clone()), "{text}");
        }
        assert_eq!(repaired("nothing here"), None);
        assert_eq!(repaired("[}"), Some(json!([])));
    }

    #[test]
    fn nothing_loops_or_overflows() {
        for text in [
            "[".repeat(100_000),
            "{\"a\":".repeat(100_000),
            "[]]]]".repeat(3),
            "{:::}".into(),
            "[:,:]".into(),
            "{{{{".into(),
            "[)".into(),
            "{]".into(),
        ] {
            let _ = repaired(&text);
            let _ = literal(&text);
        }
    }
}
