//! Cuts a body into frames as it arrives: events of a server-sent stream, or lines.

use bytes::{Buf as _, Bytes, BytesMut};
use serde_json::Value as Json;

/// The longest frame. A provider that sends more in one piece is broken or hostile.
pub(crate) const MAX_FRAME: usize = 8 * 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// `event:` and `data:` lines, an empty line after each.
    Sse,
    /// One JSON value a line.
    Lines,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The event's name; empty when it has none.
    pub event: String,
    pub data: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BadFrame {
    TooLong,
    NotUtf8,
}

pub(crate) struct Splitter {
    framing: Framing,
    limit: usize,
    buffer: BytesMut,
    /// Where to go on looking for the end of a line.
    seen: usize,
    /// No line has been read yet: a byte order mark may stand before it.
    first: bool,
    event: String,
    data: Option<String>,
}

impl Splitter {
    pub(crate) fn new(framing: Framing) -> Self {
        Self::with_limit(framing, MAX_FRAME)
    }

    fn with_limit(framing: Framing, limit: usize) -> Self {
        Self {
            framing,
            limit,
            buffer: BytesMut::new(),
            seen: 0,
            first: true,
            event: String::new(),
            data: None,
        }
    }

    pub(crate) fn push(&mut self, chunk: &Bytes) {
        self.buffer.extend_from_slice(chunk);
    }

    /// The next whole frame.
    pub(crate) fn next(&mut self) -> Result<Option<Frame>, BadFrame> {
        loop {
            let Some(at) = self.buffer[self.seen..].iter().position(|byte| *byte == b'\n') else {
                self.seen = self.buffer.len();
                self.fits(self.buffer.len())?;
                return Ok(None);
            };
            let end = self.seen + at;
            self.seen = 0;
            // Also when it came in one piece: what is too long must not depend on how the network cut it.
            self.fits(end)?;
            let line = self.buffer.split_to(end);
            self.buffer.advance(1);
            if let Some(frame) = self.line(&line)? {
                return Ok(Some(frame));
            }
        }
    }

    /// What is left when the body ended without a last line break.
    pub(crate) fn rest(&mut self) -> Result<Option<Frame>, BadFrame> {
        let line = self.buffer.split();
        self.seen = 0;
        self.fits(line.len())?;
        if !line.is_empty()
            && let Some(frame) = self.line(&line)?
        {
            return Ok(Some(frame));
        }
        Ok(self.flush())
    }

    /// Whether a line of so many bytes may be added to the frame.
    fn fits(&self, line: usize) -> Result<(), BadFrame> {
        let held = line + self.data.as_ref().map_or(0, String::len);
        if held > self.limit {
            return Err(BadFrame::TooLong);
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<Option<Frame>, BadFrame> {
        let mut line = std::str::from_utf8(line).map_err(|_| BadFrame::NotUtf8)?;
        if std::mem::take(&mut self.first) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        if self.framing == Framing::Lines {
            let data = line.trim();
            return Ok((!data.is_empty()).then(|| Frame {
                event: String::new(),
                data: data.to_owned(),
            }));
        }
        if line.is_empty() {
            return Ok(self.flush());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                none => *none = Some(value.to_owned()),
            },
            // Comments (heartbeats), ids and retry times say nothing to us.
            _ => {}
        }
        Ok(None)
    }

    fn flush(&mut self) -> Option<Frame> {
        let event = std::mem::take(&mut self.event);
        self.data.take().map(|data| Frame { event, data })
    }
}

/// JSON as providers write it: some put `NaN` or numbers no one can hold among their figures. Those become `null`
/// instead of costing the whole answer.
pub(crate) fn lenient(text: &str) -> Result<Json, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match without_wild_numbers(text) {
        Some(tamed) => serde_json::from_str(&tamed),
        None => Err(error),
    })
}

/// The text with `null` for every number that is none; nothing if there is no such number.
fn without_wild_numbers(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut changed = false;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = if next == '"' {
            string_length(rest)
        } else if is_word(next) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            next.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        if is_word(next) && is_wild(token) {
            out.push_str("null");
            changed = true;
        } else {
            out.push_str(token);
        }
        rest = after;
    }
    changed.then_some(out)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

fn is_wild(token: &str) -> bool {
    let plain = token.trim_start_matches(['+', '-']).to_ascii_lowercase();
    matches!(plain.as_str(), "nan" | "inf" | "infinity")
        || token.parse::<f64>().is_ok_and(|number| !number.is_finite())
}

/// How long the string is that `text` begins with, its quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// Every frame of a body that arrives in these pieces, and how it ended.
    fn split(framing: Framing, limit: usize, pieces: &[&[u8]]) -> (Vec<Frame>, Option<BadFrame>) {
        let mut splitter = Splitter::with_limit(framing, limit);
        let mut frames = Vec::new();
        for piece in pieces {
            splitter.push(&Bytes::copy_from_slice(piece));
            loop {
                match splitter.next() {
                    Ok(Some(frame)) => frames.push(frame),
                    Ok(None) => break,
                    Err(bad) => return (frames, Some(bad)),
                }
            }
        }
        match splitter.rest() {
            Ok(frame) => frames.extend(frame),
            Err(bad) => return (frames, Some(bad)),
        }
        (frames, None)
    }

    fn frame(event: &str, data: &str) -> Frame {
        Frame {
            event: event.to_owned(),
            data: data.to_owned(),
        }
    }

    #[test]
    fn events_with_names_comments_and_several_lines() {
        let body = "\u{feff}: hello\nid: 1\nevent: a\ndata: one\r\ndata:two\n\n\n\ndata: three\n\nevent: lost\n\ndata: last";
        let (frames, bad) = split(Framing::Sse, MAX_FRAME, &[body.as_bytes()]);
        assert_eq!(bad, None);
        assert_eq!(
            frames,
            [frame("a", "one\ntwo"), frame("", "three"), frame("", "last")]
        );
    }

    #[test]
    fn lines_without_the_empty_ones() {
        let (frames, bad) = split(Framing::Lines, MAX_FRAME, &[b"{}\r\n\n  [1]\n2"]);
        assert_eq!(bad, None);
        assert_eq!(frames, [frame("", "{}"), frame("", "[1]"), frame("", "2")]);
    }

    #[test]
    fn what_is_too_long_or_not_text_is_refused() {
        let long = format!("data: {}\n\n", "x".repeat(40));
        let (frames, bad) = split(Framing::Sse, 32, &[long.as_bytes()]);
        assert_eq!((frames.len(), bad), (0, Some(BadFrame::TooLong)));
        let many = "data: 0123456789\n".repeat(4);
        assert_eq!(
            split(Framing::Sse, 32, &[many.as_bytes()]).1,
            Some(BadFrame::TooLong)
        );
        let (frames, bad) = split(Framing::Sse, 32, &[b"data: ok\n\ndata: \xff\n\n"]);
        assert_eq!((frames.len(), bad), (1, Some(BadFrame::NotUtf8)));
    }

    #[test]
    fn figures_that_are_no_numbers_become_null() {
        let text = r#"{"a":NaN,"b":[-Infinity,1e999,-3],"c":"NaN \" Infinity","d":1.5e3}"#;
        let read = lenient(text).unwrap();
        assert_eq!(
            read,
            json!({"a": null, "b": [null, null, -3], "c": "NaN \" Infinity", "d": 1500.0})
        );
        assert!(lenient("{oops}").is_err());
        assert!(lenient("").is_err());
        assert!(lenient("\"").is_err());
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_frames(
            lines in proptest::collection::vec("(data: ?|event: |: |id: )?[a-zä€😀\\{\\}\" ]{0,12}\r?\n?", 0..24),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..24),
            noise in proptest::option::of(any::<u8>()),
            is_sse in any::<bool>(),
        ) {
            let mut body: Vec<u8> = lines.concat().into_bytes();
            body.extend(noise);
            let framing = if is_sse { Framing::Sse } else { Framing::Lines };
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(body.len() + 1)).collect();
            at.extend([0, body.len()]);
            at.sort_unstable();
            let pieces: Vec<&[u8]> = at.windows(2).map(|pair| &body[pair[0]..pair[1]]).collect();
            prop_assert_eq!(split(framing, 48, &pieces), split(framing, 48, &[&body]));
        }

        #[test]
        fn lenient_reading_never_changes_what_is_json(text in "\\PC{0,64}") {
            let value = json!({ "text": text, "n": [1, -2.5, 1e30] });
            prop_assert_eq!(lenient(&value.to_string()).unwrap(), value);
        }
    }
}
