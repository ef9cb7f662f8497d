//! The little YAML that models write into a model field: a map of plain values, or a list of such maps, in lines or
//! in brackets. A nested map (`metadata:`) is read one level deep; whatever else YAML has is not read at all.

use serde_json::{Map, Value};

pub(super) fn read(text: &str) -> Option<Value> {
    if text.starts_with(['{', '[']) {
        let mut flow = Flow { rest: text };
        let value = flow.value(0)?;
        return flow.rest.trim().is_empty().then_some(value);
    }
    block(text)
}

/// Lines of `key: value`; a dash begins an entry.
fn block(text: &str) -> Option<Value> {
    let mut items: Vec<Map<String, Value>> = Vec::new();
    let mut listed = false;
    // The map being read below a key without a value: its key and how far its lines stand in.
    let mut nested: Option<(String, usize)> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed == "---" || trimmed.starts_with('#') {
            continue;
        }
        let mut indent = line.len() - line.trim_start().len();
        let mut entry = trimmed;
        if let Some(rest) = trimmed.strip_prefix("- ") {
            listed = true;
            indent += 2;
            entry = rest.trim();
            nested = None;
            if entry.starts_with('{') {
                let Some(Value::Object(item)) = scalar(entry) else {
                    return None;
                };
                items.push(item);
                continue;
            }
            items.push(Map::new());
        } else if items.is_empty() {
            items.push(Map::new());
        }
        let (key, value) = pair(entry)?;
        let item = items.last_mut()?;
        nested = nested.filter(|(_, outer)| indent > *outer);
        let target = match &nested {
            Some((outer, _)) => match item.get_mut(outer) {
                Some(Value::Object(inner)) => inner,
                _ => return None,
            },
            None => item,
        };
        if value.is_empty() {
            if nested.is_some() {
                return None;
            }
            target.insert(key.clone(), Value::Object(Map::new()));
            nested = Some((key, indent));
        } else {
            target.insert(key, scalar(value)?);
        }
    }
    if listed {
        return Some(items.into_iter().map(Value::Object).collect());
    }
    items.into_iter().next().map(Value::Object)
}

/// `key: value`; the colon is followed by a space or ends the line.
fn pair(line: &str) -> Option<(String, &str)> {
    let (key, value) = line
        .split_once(": ")
        .or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let key = unquoted(key.trim());
    (!key.is_empty() && !key.contains(['{', '[', '"'])).then(|| (key.to_owned(), value.trim()))
}

/// A plain value. Numbers stay texts only when they are quoted; a bracket starts a value of the other notation.
fn scalar(text: &str) -> Option<Value> {
    if text.starts_with(['{', '[']) {
        let mut flow = Flow { rest: text };
        let value = flow.value(0)?;
        return flow.rest.trim().is_empty().then_some(value);
    }
    Some(plain(text))
}

fn plain(text: &str) -> Value {
    let bare = unquoted(text);
    if bare.len() < text.len() {
        return bare.into();
    }
    // A comment may follow a plain value.
    let text = text.split_once(" #").map_or(text, |(value, _)| value.trim_end());
    match text {
        "true" => true.into(),
        "false" => false.into(),
        "null" | "~" => Value::Null,
        _ => text.parse::<i64>().map_or_else(|_| text.into(), Value::from),
    }
}

fn unquoted(text: &str) -> &str {
    for mark in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark)) {
            return inner;
        }
    }
    text
}

/// `{name: gpt-4o, provider: OpenAI}` and `[…]` around such maps.
struct Flow<'t> {
    rest: &'t str,
}

impl<'t> Flow<'t> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > 4 {
            return None;
        }
        self.rest = self.rest.trim_start();
        if let Some(rest) = self.rest.strip_prefix('[') {
            self.rest = rest;
            let mut items = Vec::new();
            while !self.closed(']')? {
                items.push(self.value(depth + 1)?);
                self.comma(']')?;
            }
            return Some(Value::Array(items));
        }
        if let Some(rest) = self.rest.strip_prefix('{') {
            self.rest = rest;
            let mut members = Map::new();
            while !self.closed('}')? {
                let key = self.text(&[':'])?;
                self.rest = self.rest.strip_prefix(':')?;
                let value = self.value(depth + 1)?;
                members.insert(unquoted(key).to_owned(), value);
                self.comma('}')?;
            }
            return Some(Value::Object(members));
        }
        // A colon inside a value, as in `llama3:8b`, belongs to it.
        let text = self.text(&[',', ']', '}'])?;
        Some(plain(text))
    }

    fn closed(&mut self, mark: char) -> Option<bool> {
        self.rest = self.rest.trim_start();
        if let Some(rest) = self.rest.strip_prefix(mark) {
            self.rest = rest;
            return Some(true);
        }
        // At the end of the text nothing will close it.
        (!self.rest.is_empty()).then_some(false)
    }

    /// After an item: a comma, or the mark that closes the list and is left for [`Flow::closed`].
    fn comma(&mut self, mark: char) -> Option<()> {
        self.rest = self.rest.trim_start();
        if let Some(rest) = self.rest.strip_prefix(',') {
            self.rest = rest;
            return Some(());
        }
        self.rest.starts_with(mark).then_some(())
    }

    /// A word up to one of the marks, or what stands in quotation marks, with them.
    fn text(&mut self, marks: &[char]) -> Option<&'t str> {
        self.rest = self.rest.trim_start();
        let rest = self.rest;
        let end = match rest.chars().next()? {
            mark @ ('"' | '\'') => rest[1..].find(mark)? + 2,
            _ => rest.find(marks)?,
        };
        self.rest = rest[end..].trim_start();
        let text = rest[..end].trim();
        (!text.is_empty()).then_some(text)
    }
}
