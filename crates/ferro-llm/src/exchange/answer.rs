//! An answer on its way in: from pieces of a body to events.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use ferro_net::Response;
use futures_util::StreamExt as _;
use futures_util::stream;
use serde_json::Value as Json;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout};

use super::from_net;
use crate::chat::ChatEvent;
use crate::error::{Class, LlmError};
use crate::frames::{BadFrame, Framing, Splitter, lenient};
use crate::model::ChatStream;
use crate::providers::{Decoder, Target};

/// An answer that has begun.
pub(super) struct Answer {
    decoder: Box<dyn Decoder>,
    splitter: Splitter,
    shape: Shape,
    /// `None` once everything has been read.
    pub(super) response: Option<Response>,
    pub(super) ready: VecDeque<ChatEvent>,
    pub(super) failed: Option<LlmError>,
    pub(super) attempts: u32,
    /// A provider that only keeps the connection alive is given up after this.
    pub(super) quiet: Duration,
    /// The longest silence the response itself allows.
    pub(super) idle: Duration,
    /// How long it has been waited for since something was said. The time its reader takes does not count.
    waited: Duration,
    target: Target,
    _place: OwnedSemaphorePermit,
}

/// What a body turns out to be. Its first byte says so: content types are wrong too often.
enum Shape {
    Unknown,
    Frames,
    /// One document although a stream was asked for: the body so far.
    Whole(Vec<u8>),
    /// HTML: somebody else's answer.
    Page,
}

impl Shape {
    fn of(chunk: &[u8]) -> Self {
        // Past white space and a byte order mark.
        let first = chunk
            .iter()
            .find(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte));
        match first {
            None => Self::Unknown,
            Some(b'{' | b'[') => Self::Whole(Vec::new()),
            Some(b'<') => Self::Page,
            Some(_) => Self::Frames,
        }
    }
}

impl Answer {
    pub(super) fn new(
        response: Response,
        decoder: Box<dyn Decoder>,
        framing: Framing,
        target: &Target,
        place: OwnedSemaphorePermit,
    ) -> Self {
        Self {
            decoder,
            splitter: Splitter::new(framing),
            shape: match framing {
                Framing::Sse => Shape::Unknown,
                Framing::Lines => Shape::Frames,
            },
            response: Some(response),
            ready: VecDeque::new(),
            failed: None,
            attempts: 0,
            quiet: Duration::MAX,
            idle: Duration::MAX,
            waited: Duration::ZERO,
            target: target.clone(),
            _place: place,
        }
    }

    pub(super) fn events(self) -> ChatStream {
        stream::unfold(self, |mut answer| async move {
            loop {
                if let Some(event) = answer.ready.pop_front() {
                    return Some((Ok(event), answer));
                }
                if let Some(error) = answer.failed.take() {
                    answer.response = None;
                    return Some((Err(error), answer));
                }
                answer.response.as_ref()?;
                answer.read().await;
            }
        })
        .boxed()
    }

    /// Reads one piece of the body and what it says.
    pub(super) async fn read(&mut self) {
        let Some(response) = &mut self.response else {
            return;
        };
        let mut out = Vec::new();
        let begun = Instant::now();
        let left = self.quiet.saturating_sub(self.waited);
        // A silence ends before that by itself; a second clock for every token costs more than the token.
        let next = if left > self.idle {
            Ok(response.chunk().await)
        } else {
            timeout(left, response.chunk()).await
        };
        let read = match next {
            Ok(Ok(Some(chunk))) => self.take(&chunk, &mut out),
            Ok(Ok(None)) => {
                self.response = None;
                self.finish(&mut out)
            }
            // All that matters may have come before the connection broke.
            Ok(Err(error)) => self
                .decoder
                .end(&mut out)
                .map_err(|_| from_net(&self.target, &error)),
            Err(_) => self.decoder.end(&mut out).map_err(|_| says_nothing(&self.target)),
        };
        self.waited = if out.is_empty() {
            self.waited + begun.elapsed()
        } else {
            Duration::ZERO
        };
        self.ready.extend(out);
        if let Err(mut error) = read {
            error.attempts = self.attempts;
            self.failed = Some(error.redacted(self.target.key.as_ref()));
            self.response = None;
        } else if self.decoder.is_done() {
            // What follows the last mark is nobody's business; the connection goes back or closes.
            self.response = None;
        }
    }

    fn take(&mut self, chunk: &Bytes, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        if matches!(self.shape, Shape::Unknown) {
            self.shape = Shape::of(chunk);
        }
        if matches!(self.shape, Shape::Page) {
            return Err(LlmError::garbled(self.target.label, "an HTML page"));
        }
        if let Shape::Whole(whole) = &mut self.shape {
            whole.extend_from_slice(chunk);
            return Ok(());
        }
        self.splitter.push(chunk);
        while !self.decoder.is_done() {
            let next = self.splitter.next().map_err(|bad| bad_frame(&self.target, bad))?;
            let Some(frame) = next else { break };
            self.decoder.frame(frame, out)?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        if let Shape::Whole(whole) = std::mem::replace(&mut self.shape, Shape::Unknown) {
            let body = document(&whole).map_err(|what| LlmError::garbled(self.target.label, what))?;
            self.decoder.whole(body, out)?;
        } else if !self.decoder.is_done() {
            let rest = self.splitter.rest().map_err(|bad| bad_frame(&self.target, bad))?;
            // Half a frame says nothing; whether the answer is whole without it, the decoder knows.
            if let Some(frame) =
                rest.filter(|frame| frame.data.trim() == "[DONE]" || lenient(&frame.data).is_ok())
            {
                self.decoder.frame(frame, out)?;
            }
        }
        if self.decoder.is_done() {
            return Ok(());
        }
        self.decoder.end(out)
    }
}

fn document(body: &[u8]) -> Result<Json, String> {
    let text = std::str::from_utf8(body).map_err(|_| "it is not UTF-8".to_owned())?;
    let text = text.trim_start_matches('\u{feff}').trim();
    lenient(text).map_err(|error| format!("not JSON: {error}"))
}

fn says_nothing(target: &Target) -> LlmError {
    LlmError::new(Class::Timeout, format!("{} did not answer in time", target.label))
        .cause("the connection is alive but nothing is said on it")
        .advice("Try again, or use a faster model.")
}

fn bad_frame(target: &Target, bad: BadFrame) -> LlmError {
    let what = match bad {
        BadFrame::TooLong => "one piece of it is larger than 8 MB",
        BadFrame::NotUtf8 => "it is not UTF-8",
    };
    LlmError::garbled(target.label, what)
}
