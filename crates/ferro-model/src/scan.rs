//! A forward-only cursor over JSON text that is already known to be well formed, and the depth check for
//! text that is not known to be anything.
//!
//! `serde_json` has validated the text before a `Cursor` sees it, so the cursor treats commas and colons as
//! white space and never reports syntax. Text that is malformed after all makes it stop early, never panic.

use std::borrow::Cow;
use std::collections::HashMap;

use thiserror::Error;

/// JSON nested deeper than a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the JSON is nested deeper than {max} levels at byte {offset}; flatten it and send it again")]
pub struct DepthError {
    pub max: usize,
    /// Byte offset of the bracket that opened one level too many.
    pub offset: usize,
}

/// Refuses `bytes` when its arrays and objects nest deeper than `max`; brackets inside strings do not count.
/// Works on any bytes, so it can run before a parser that recurses.
pub fn check_depth(bytes: &[u8], max: usize) -> Result<(), DepthError> {
    let mut depth = 0usize;
    let mut pos = 0;
    while let Some(&byte) = bytes.get(pos) {
        match byte {
            b'"' => {
                pos = string_end(bytes, pos + 1);
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                if depth > max {
                    return Err(DepthError { max, offset: pos });
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        pos += 1;
    }
    Ok(())
}

/// The position just after the quote that closes the string whose content starts at `pos`.
fn string_end(bytes: &[u8], mut pos: usize) -> usize {
    loop {
        pos = quote_or_backslash(bytes, pos);
        match bytes.get(pos) {
            Some(b'"') => return pos + 1,
            Some(_) => pos += 2,
            None => return bytes.len(),
        }
    }
}

/// The first `"` or `\` at or after `pos`, eight bytes at a time: nearly all of a flow is string content.
fn quote_or_backslash(bytes: &[u8], mut pos: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let zero_byte = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let rest = bytes.get(pos..).unwrap_or_default();
    let (words, _) = rest.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word);
        let hits = zero_byte(word ^ (ONES * b'"' as u64)) | zero_byte(word ^ (ONES * b'\\' as u64));
        if hits != 0 {
            // The lowest hit is exact; false hits from the borrow only appear above a true one.
            return pos + (hits.trailing_zeros() / 8) as usize;
        }
        pos += 8;
    }
    while let Some(byte) = bytes.get(pos) {
        if matches!(byte, b'"' | b'\\') {
            return pos;
        }
        pos += 1;
    }
    pos
}

/// What a value is, told from its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    Bool,
    Null,
    End,
}

impl Kind {
    /// With its article, for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Object => "an object",
            Kind::Array => "an array",
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::Bool => "a boolean",
            Kind::Null => "null",
            Kind::End => "nothing",
        }
    }
}

/// Walks one JSON text. When the text nests deeper than the limit the cursor jumps to the end, so that every
/// loop over it finishes, and `too_deep` says where.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    pos: usize,
    depth: usize,
    max: usize,
    too_deep: Option<usize>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, max: usize) -> Self {
        Cursor {
            text,
            pos: 0,
            depth: 0,
            max,
            too_deep: None,
        }
    }

    pub(crate) fn depth_error(&self) -> Option<DepthError> {
        self.too_deep.map(|offset| DepthError {
            max: self.max,
            offset,
        })
    }

    pub(crate) fn offset(&self) -> usize {
        self.pos
    }

    /// The text from `start` to where the cursor is.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.pos).unwrap_or_default()
    }

    /// The kind of the next value, and the cursor moved to its first byte.
    pub(crate) fn kind(&mut self) -> Kind {
        self.skip_separators();
        match self.byte() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            _ => Kind::End,
        }
    }

    /// Steps into the object or array that comes next; read it with `next_key` or `next_item` until they end.
    pub(crate) fn enter(&mut self) {
        self.depth += 1;
        if self.depth > self.max {
            self.stop(self.pos);
        } else {
            self.pos += 1;
        }
    }

    /// The next key of the object entered last, or `None` after its closing brace.
    pub(crate) fn next_key(&mut self) -> Option<Cow<'a, str>> {
        self.next_key_at().map(|(_, key)| key)
    }

    /// [`Self::next_key`] with the offset of its first quote.
    pub(crate) fn next_key_at(&mut self) -> Option<(usize, Cow<'a, str>)> {
        self.skip_separators();
        match self.byte() {
            Some(b'"') => {
                let start = self.pos;
                let raw = self.skip_string();
                Some((start, unescape(raw).unwrap_or(Cow::Borrowed(raw))))
            }
            _ => self.leave(),
        }
    }

    /// Whether the array entered last has another item; its value comes next.
    pub(crate) fn next_item(&mut self) -> bool {
        self.skip_separators();
        match self.byte() {
            Some(b']') | None => self.leave().unwrap_or(false),
            Some(_) => true,
        }
    }

    /// Skips the next value and gives its text, with the offset it starts at.
    pub(crate) fn value(&mut self) -> Span<'a> {
        let kind = self.kind();
        let start = self.pos;
        match kind {
            Kind::Object | Kind::Array => self.skip_nested(),
            Kind::String => {
                self.skip_string();
            }
            Kind::Number | Kind::Bool | Kind::Null => {
                while !matches!(
                    self.byte(),
                    None | Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t')
                ) {
                    self.pos += 1;
                }
            }
            Kind::End => self.pos = self.text.len(),
        }
        Span {
            start,
            text: self.text.get(start..self.pos).unwrap_or_default(),
        }
    }

    /// The next value when it is a string, unescaped; any other value is skipped.
    pub(crate) fn string(&mut self) -> Option<Cow<'a, str>> {
        let kind = self.kind();
        let text = self.value().text;
        (kind == Kind::String).then(|| string_content(text)).flatten()
    }

    fn skip_nested(&mut self) {
        let outside = self.depth;
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.pos = string_end(self.text.as_bytes(), self.pos + 1);
                    continue;
                }
                Some(b'{' | b'[') => {
                    self.depth += 1;
                    if self.depth > self.max {
                        return self.stop(self.pos);
                    }
                }
                Some(b'}' | b']') => {
                    self.depth -= 1;
                    if self.depth == outside {
                        self.pos += 1;
                        return;
                    }
                }
                Some(_) => {}
                None => return,
            }
            self.pos += 1;
        }
    }

    /// The text between the quotes of the string at the cursor.
    fn skip_string(&mut self) -> &'a str {
        let start = self.pos + 1;
        self.pos = string_end(self.text.as_bytes(), start);
        self.text
            .get(start..self.pos.saturating_sub(1))
            .unwrap_or_default()
    }

    fn leave<T>(&mut self) -> Option<T> {
        if self.byte().is_some() {
            self.depth = self.depth.saturating_sub(1);
            self.pos += 1;
        }
        None
    }

    fn stop(&mut self, at: usize) {
        self.too_deep.get_or_insert(at);
        self.pos = self.text.len();
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn skip_separators(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\n' | b'\r' | b'\t' | b',' | b':')) {
            self.pos += 1;
        }
    }
}

/// A value's text and where it starts in the text it was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span<'a> {
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

/// The content of a JSON string literal; `None` for other values and for escapes that are no Unicode text.
pub(crate) fn string_content(literal: &str) -> Option<Cow<'_, str>> {
    unescape(literal.strip_prefix('"')?.strip_suffix('"')?)
}

fn unescape(raw: &str) -> Option<Cow<'_, str>> {
    if raw.contains('\\') {
        serde_json::from_str::<String>(&format!("\"{raw}\""))
            .ok()
            .map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(raw))
    }
}

pub(crate) fn kind_of(text: &str) -> Kind {
    Cursor::new(text, usize::MAX).kind()
}

const FEW: usize = 32;

/// Members in the order their keys first came, each with the value that came last, as in `JSON.parse`.
pub(crate) struct Unique<'a, V> {
    pub(crate) list: Vec<(Cow<'a, str>, V)>,
    places: HashMap<Cow<'a, str>, usize>,
}

impl<V> Default for Unique<'_, V> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<'a, V> Unique<'a, V> {
    pub(crate) fn put(&mut self, key: Cow<'a, str>, value: V) {
        let found = &self.list;
        // Comparing with a few keys beats hashing; with many it would be quadratic.
        let place = if found.len() < FEW {
            found.iter().position(|(known, _)| *known == key)
        } else {
            if self.places.is_empty() {
                let known = found.iter().enumerate();
                self.places
                    .extend(known.map(|(place, (known, _))| (known.clone(), place)));
            }
            self.places.get(&key).copied()
        };
        match place.and_then(|place| self.list.get_mut(place)) {
            Some(member) => member.1 = value,
            None => {
                if self.list.len() >= FEW {
                    self.places.insert(key.clone(), self.list.len());
                }
                self.list.push((key, value));
            }
        }
    }
}

/// The members of an object in document order; of a repeated key the last value counts, as in `JSON.parse`.
/// `None` when the text is not an object.
pub(crate) fn members(text: &str) -> Option<Vec<(Cow<'_, str>, &str)>> {
    let mut cursor = Cursor::new(text, usize::MAX);
    if cursor.kind() != Kind::Object {
        return None;
    }
    cursor.enter();
    let mut found = Unique::default();
    while let Some(key) = cursor.next_key() {
        let value = cursor.value().text;
        found.put(key, value);
    }
    Some(found.list)
}

/// The items of an array; `None` when the text is not an array.
pub(crate) fn items(text: &str) -> Option<Vec<&str>> {
    let mut cursor = Cursor::new(text, usize::MAX);
    if cursor.kind() != Kind::Array {
        return None;
    }
    cursor.enter();
    let mut found = Vec::new();
    while cursor.next_item() {
        found.push(cursor.value().text);
    }
    Some(found)
}
