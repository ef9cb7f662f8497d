//! Answers that no client should have to see, and every client sees.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use serde_json::{Value as Json, json};

use super::format::{Format, Wire};
use super::http::{LAST_CHUNK, Play, Step, chunk, chunked_head, head};
use super::turn::{Call, Said, words};

/// A way to misbehave. Those that begin an answer say [`Fault::TEXT`] first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Takes the request and never answers.
    BlackHole,
    /// Status 200, then nothing.
    Silence,
    /// Begins well, then sends a byte every 50 ms, so that no frame is ever done.
    Drip,
    /// Says in the middle of the body that nothing more comes.
    HalfClose,
    /// Resets the connection in the middle of a chunk.
    Reset,
    /// The body ends in good order, but in the middle of a frame.
    Truncated,
    /// The last frame is missing: `[DONE]`, `message_stop`, `done: true`.
    NoLastFrame,
    /// Text after the last frame, and the connection stays open.
    AfterLastFrame,
    /// Ten megabytes without a line break.
    LongLine,
    /// Text without end, as fast as it is read.
    Endless,
    /// Frames that say nothing, without end, every 50 ms.
    Heartbeats,
    InvalidUtf8,
    /// Good, but every byte comes alone.
    Bytewise,
    /// Bytes that are no frames, as an answer.
    Garbage,
    /// A page of some proxy, with status 200.
    Html,
    /// A good stream that calls itself one JSON document.
    CalledJson,
    /// A good stream that calls itself plain text.
    CalledText,
    /// One JSON document that calls itself a stream.
    CalledStream,
    /// The same call is begun twice.
    SameToolIndex,
    /// Calls come as number 7, 3 and 5.
    UnorderedToolIndex,
    /// Arguments that are no JSON.
    InvalidToolJson,
    /// A hundred thousand calls.
    ManyToolCalls,
    /// A number of tokens that is not a number, nor JSON.
    NanUsage,
    /// A number of tokens below zero.
    NegativeUsage,
    /// A compressed body that never ends.
    GzipBomb,
    /// Good, in HTTP/1.0: the body ends with the connection.
    Http10,
    /// A hundred redirects, each to the next.
    Redirects,
}

impl Fault {
    /// What is said before the fault, where something is said at all.
    pub const TEXT: &'static str = "so far so good – 日本 🙂";
    /// Between the bytes of a drip and between heartbeats.
    pub const PACE: Duration = Duration::from_millis(50);

    pub const ALL: [Self; 27] = [
        Self::BlackHole,
        Self::Silence,
        Self::Drip,
        Self::HalfClose,
        Self::Reset,
        Self::Truncated,
        Self::NoLastFrame,
        Self::AfterLastFrame,
        Self::LongLine,
        Self::Endless,
        Self::Heartbeats,
        Self::InvalidUtf8,
        Self::Bytewise,
        Self::Garbage,
        Self::Html,
        Self::CalledJson,
        Self::CalledText,
        Self::CalledStream,
        Self::SameToolIndex,
        Self::UnorderedToolIndex,
        Self::InvalidToolJson,
        Self::ManyToolCalls,
        Self::NanUsage,
        Self::NegativeUsage,
        Self::GzipBomb,
        Self::Http10,
        Self::Redirects,
    ];

    pub(super) fn play(self, format: Format) -> Play {
        let kind = format.content_type();
        let good = format.frames(&said());
        let begun = begun(format);
        match self {
            Self::BlackHole => Play::Bad(vec![Step::Hang]),
            Self::Silence => Play::Bad(vec![
                Step::Write(chunked_head(200, kind, &[]).freeze()),
                Step::Hang,
            ]),
            Self::Drip => Play::Bad(vec![
                start(kind, &begun),
                Step::Drip(chunks(&begun[begun.len() - 1..]), Self::PACE),
                Step::Hang,
            ]),
            Self::HalfClose => Play::Bad(vec![start(kind, &begun), Step::Finish]),
            Self::Reset => Play::Bad(vec![
                start(kind, &begun),
                Step::Write(Bytes::from_static(b"1000\r\ndata: {\"choi")),
                Step::Reset,
            ]),
            Self::Truncated => {
                let last = &good[good.len() - 1];
                whole(kind, &[begun, vec![last.slice(..last.len() / 2)]].concat())
            }
            Self::NoLastFrame => whole(kind, &good[..good.len() - 1]),
            Self::AfterLastFrame => {
                let more = format.frames(&say("and more"));
                Play::Bad(vec![start(kind, &[good, more].concat()), Step::Hang])
            }
            Self::LongLine => Play::Bad(vec![start(kind, &begun), Step::Write(long_line()), Step::Hang]),
            Self::Endless => Play::Bad(vec![
                start(kind, &begun),
                Step::Forever(
                    chunks(&begun[begun.len() - 1..]).repeat(64).into(),
                    Duration::ZERO,
                ),
            ]),
            Self::Heartbeats => {
                let beat = if format.wire == Wire::Ollama {
                    "\n"
                } else {
                    ": still here\n\n"
                };
                Play::Bad(vec![
                    start(kind, &begun),
                    Step::Forever(chunks(&[beat.into()]), Self::PACE),
                ])
            }
            Self::InvalidUtf8 => {
                let mut frame = format.frame(r#"{"type":"x","text":"??"}"#).to_vec();
                let at = frame.iter().position(|byte| *byte == b'?').unwrap();
                frame[at..at + 2].copy_from_slice(&[0xff, 0xfe]);
                whole(kind, &[begun, vec![frame.into()]].concat())
            }
            Self::Bytewise => {
                let body = good.concat();
                let bytes: Vec<_> = body.iter().map(|byte| Bytes::copy_from_slice(&[*byte])).collect();
                Play::Paced {
                    pieces: super::http::pieces(kind, &[], 200, &bytes),
                    pace: Duration::ZERO,
                }
            }
            Self::Garbage => {
                let noise: Vec<u8> = (0..4096_u32)
                    .map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8)
                    .collect();
                whole(kind, &[noise.into(), Bytes::from_static(b"\n\n")])
            }
            Self::Html => whole(
                "text/html",
                &[Bytes::from_static(b"<html><body>Sign in first</body></html>\n")],
            ),
            Self::CalledJson => whole("application/json", &good),
            Self::CalledText => whole("text/plain", &good),
            Self::CalledStream => whole(kind, &[format.whole(&said()).to_string().into()]),
            Self::SameToolIndex => whole(kind, &numbered(format, &[0, 0])),
            Self::UnorderedToolIndex => whole(kind, &numbered(format, &[7, 3, 5])),
            Self::InvalidToolJson => {
                let mut odd = said();
                odd.tools = vec![call(0, "{\"a\": [1, 2")];
                whole(kind, &format.frames(&odd))
            }
            Self::ManyToolCalls => many_calls(format),
            Self::NanUsage => whole(kind, &usage(format, "NaN")),
            Self::NegativeUsage => whole(kind, &usage(format, "-5")),
            Self::GzipBomb => {
                let gzip = [("content-encoding".to_owned(), "gzip".to_owned())];
                let (begin, again) = bomb();
                let mut first = chunked_head(200, kind, &gzip);
                chunk(&mut first, &begin);
                Play::Bad(vec![
                    Step::Write(first.freeze()),
                    Step::Forever(chunks(&[again]), Duration::ZERO),
                ])
            }
            Self::Http10 => {
                let body = good.concat();
                let head = format!("HTTP/1.0 200 OK\r\ncontent-type: {kind}\r\n\r\n");
                Play::Bad(vec![Step::Write(head.into()), Step::Write(body.into())])
            }
            Self::Redirects => redirect(100),
        }
    }
}

fn said() -> Said {
    say(Fault::TEXT)
}

fn say(text: &str) -> Said {
    Said {
        tokens: words(text),
        input: 10,
        ..Said::default()
    }
}

fn call(at: usize, arguments: &str) -> Call {
    Call {
        id: format!("call_{at}"),
        name: format!("tool_{at}"),
        arguments: arguments.to_owned(),
    }
}

/// The frames up to the last token, as if more were to come.
fn begun(format: Format) -> Vec<Bytes> {
    let last = words(Fault::TEXT).pop().unwrap();
    let mut frames = format.frames(&said());
    // The last frame with the token that is not a summary of the whole text.
    let has = |frame: &Bytes| {
        let text = String::from_utf8_lossy(frame);
        text.contains(&last) && !text.contains(Fault::TEXT)
    };
    let at = frames.iter().rposition(has).unwrap();
    frames.truncate(at + 1);
    frames
}

fn chunks(frames: &[Bytes]) -> Bytes {
    let mut out = BytesMut::new();
    frames.iter().for_each(|frame| chunk(&mut out, frame));
    out.freeze()
}

/// The head and these frames, without an end.
fn start(kind: &str, frames: &[Bytes]) -> Step {
    let mut out = chunked_head(200, kind, &[]);
    frames.iter().for_each(|frame| chunk(&mut out, frame));
    Step::Write(out.freeze())
}

/// An answer in good HTTP, whatever is in it.
fn whole(kind: &str, frames: &[Bytes]) -> Play {
    let mut out = chunked_head(200, kind, &[]);
    frames.iter().for_each(|frame| chunk(&mut out, frame));
    out.extend_from_slice(LAST_CHUNK);
    Play::Whole(out.freeze())
}

fn long_line() -> Bytes {
    let mut line = b"data: {\"text\":\"".to_vec();
    line.resize(10 * 1024 * 1024, b'x');
    chunks(&[line.into()])
}

/// Calls with these numbers instead of 0, 1, 2. Formats without numbers get them in order.
fn numbered(format: Format, numbers: &[usize]) -> Vec<Bytes> {
    let mut calls = said();
    calls.tools = (0..numbers.len()).map(|at| call(at, "{\"a\":1}")).collect();
    // Blocks of text come first where all blocks share one count.
    let (field, first) = match format.wire {
        Wire::Chat | Wire::Watsonx => ("\"tool_calls\":[{\"index\":", 0),
        Wire::Responses => ("\"output_index\":", 1),
        Wire::Messages => ("\"index\":", 1),
        Wire::Gemini | Wire::Ollama => return format.frames(&calls),
    };
    let renumber = |frame: &Bytes| -> Bytes {
        let text = String::from_utf8_lossy(frame);
        let found = numbers.iter().enumerate().find_map(|(at, number)| {
            let old = format!("{field}{}", at + first);
            text.contains(&old)
                .then(|| text.replace(&old, &format!("{field}{}", number + first)))
        });
        found.map_or_else(|| frame.clone(), Bytes::from)
    };
    format.frames(&calls).iter().map(renumber).collect()
}

/// Two thousand different calls, fifty times over: nobody reads so far that it matters.
fn many_calls(format: Format) -> Play {
    let mut many = said();
    many.tools = (0..2000).map(|at| call(at, "{}")).collect();
    let frames = format.frames(&many);
    // Without the frames that end the answer.
    let calls = chunks(&frames[..frames.len() - 3]);
    let mut steps = vec![Step::Write(
        chunked_head(200, format.content_type(), &[]).freeze(),
    )];
    steps.extend((0..50).map(|_| Step::Write(calls.clone())));
    steps.push(Step::Write(Bytes::from_static(LAST_CHUNK)));
    Play::Bad(steps)
}

/// A good answer whose numbers of tokens are this.
fn usage(format: Format, number: &str) -> Vec<Bytes> {
    let mut odd = said();
    (odd.input, odd.output) = (987_654_321, Some(987_654_321));
    let replace = |frame: &Bytes| -> Bytes {
        let text = String::from_utf8_lossy(frame);
        text.replace("987654321", number).into()
    };
    format.frames(&odd).iter().map(replace).collect()
}

/// `left` more after this one.
pub(super) fn redirect(left: u32) -> Play {
    if left == 0 {
        return Play::json(200, &Json::Null);
    }
    let to = [("location".to_owned(), format!("/__redirects/{}", left - 1))];
    let mut answer = head(307, "application/json", &to);
    let body = json!({"error": {"message": "look elsewhere"}}).to_string();
    answer.extend_from_slice(format!("content-length: {}\r\n\r\n{body}", body.len()).as_bytes());
    Play::Whole(answer.freeze())
}

/// A gzip stream of one letter repeated: its beginning, and a part that can be sent for ever.
///
/// One block with fixed codes (RFC 1951, 3.2.6). A match of 258 bytes, one back, takes 13 bits, so that eight of them
/// are 13 bytes, and the same 13 bytes again wherever they begin.
fn bomb() -> (Bytes, Bytes) {
    let mut bits: Vec<bool> = vec![true, true, false];
    let letter = 0b0011_0000 + u16::from(b'x');
    push_bits(&mut bits, letter, 8);
    for _ in 0..8 * 9 {
        push_bits(&mut bits, 0b1100_0101, 8);
        push_bits(&mut bits, 0, 5);
    }
    let bytes: Vec<u8> = bits
        .chunks_exact(8)
        .map(|byte| byte.iter().rev().fold(0, |sum, bit| (sum << 1) | u8::from(*bit)))
        .collect();
    let mut begin = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    begin.extend_from_slice(&bytes[..2]);
    // 13 bytes from anywhere behind the beginning are one period.
    (begin.into(), bytes[2..15].repeat(1024).into())
}

/// Codes go in with their highest bit first.
fn push_bits(bits: &mut Vec<bool>, code: u16, length: u32) {
    bits.extend((0..length).rev().map(|at| (code >> at) & 1 == 1));
}
