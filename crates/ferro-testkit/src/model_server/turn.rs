//! What the model says next.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use serde_json::Value as Json;

use super::fault::Fault;
use super::format::Format;
use super::http::{Body, Play, pieces};

/// One answer.
#[derive(Debug)]
pub struct Turn {
    kind: Kind,
    headers: Vec<(String, String)>,
    pace: Duration,
    /// Only for requests whose path contains this.
    only: Option<String>,
    /// The answer in each format that was asked for: written once, sent often.
    ready: Mutex<BTreeMap<Format, Body>>,
}

#[derive(Debug)]
enum Kind {
    Said(Said),
    Raw {
        status: u16,
        content_type: String,
        bytes: Bytes,
        /// So many bytes go out in one piece.
        piece: usize,
    },
    Fault(Fault),
}

/// An answer before it is put into a format.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    /// The text, a token each.
    pub tokens: Vec<String>,
    pub reasoning: Vec<String>,
    pub tools: Vec<Call>,
    pub input: u64,
    /// Counted from the tokens unless set.
    pub output: Option<u64>,
    /// The answer breaks off because it is too long.
    pub cut: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub id: String,
    pub name: String,
    /// JSON, if all is well.
    pub arguments: String,
}

impl Said {
    pub fn output(&self) -> u64 {
        self.output
            .unwrap_or((self.tokens.len() + self.reasoning.len() + 8 * self.tools.len()) as u64)
    }

    pub fn text(&self) -> String {
        self.tokens.concat()
    }

    pub fn thought(&self) -> String {
        self.reasoning.concat()
    }
}

impl Call {
    /// The arguments as they come: in pieces that fall between tokens.
    pub fn pieces(&self) -> Vec<&str> {
        let mut rest = self.arguments.as_str();
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let end = rest.char_indices().nth(7).map_or(rest.len(), |(at, _)| at);
            let (piece, after) = rest.split_at(end);
            pieces.push(piece);
            rest = after;
        }
        pieces
    }

    pub fn parsed(&self) -> Json {
        serde_json::from_str(&self.arguments).unwrap_or_else(|_| Json::String(self.arguments.clone()))
    }
}

impl Turn {
    fn of(kind: Kind) -> Self {
        Self {
            kind,
            headers: Vec::new(),
            pace: Duration::ZERO,
            only: None,
            ready: Mutex::default(),
        }
    }

    /// Says this, a word at a time.
    pub fn text(text: &str) -> Self {
        Self::of(Kind::Said(Said {
            tokens: words(text),
            input: 10,
            ..Said::default()
        }))
    }

    /// These bytes with status 200, whatever the format.
    pub fn raw(content_type: &str, bytes: impl Into<Bytes>) -> Self {
        Self::of(Kind::Raw {
            status: 200,
            content_type: content_type.to_owned(),
            bytes: bytes.into(),
            piece: usize::MAX,
        })
    }

    /// A status and a JSON document.
    pub fn status(status: u16, body: Json) -> Self {
        Self::of(Kind::Raw {
            status,
            content_type: "application/json".to_owned(),
            bytes: body.to_string().into(),
            piece: usize::MAX,
        })
    }

    pub fn fault(fault: Fault) -> Self {
        Self::of(Kind::Fault(fault))
    }

    /// Says its text so many times, each as one token, with spaces between.
    #[must_use]
    pub fn tokens(mut self, count: usize) -> Self {
        if let Kind::Said(said) = &mut self.kind {
            let word = said.text();
            said.tokens = (0..count)
                .map(|at| if at == 0 { word.clone() } else { format!(" {word}") })
                .collect();
        }
        self
    }

    /// Thinks this first.
    #[must_use]
    pub fn reasoning(mut self, text: &str) -> Self {
        if let Kind::Said(said) = &mut self.kind {
            said.reasoning = words(text);
        }
        self
    }

    #[must_use]
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        if let Kind::Said(said) = &mut self.kind {
            (said.input, said.output) = (input, Some(output));
        }
        self
    }

    /// Calls a tool, after the text and the tools so far.
    #[must_use]
    pub fn tool(self, name: &str, arguments: Json) -> Self {
        self.tool_text(name, &arguments.to_string())
    }

    /// Calls a tool with arguments that need not be JSON.
    #[must_use]
    pub fn tool_text(mut self, name: &str, arguments: &str) -> Self {
        if let Kind::Said(said) = &mut self.kind {
            said.tools.push(Call {
                id: String::new(),
                name: name.to_owned(),
                arguments: arguments.to_owned(),
            });
        }
        self
    }

    /// Stops in the middle because the answer grew too long.
    #[must_use]
    pub fn cut(mut self) -> Self {
        if let Kind::Said(said) = &mut self.kind {
            said.cut = true;
        }
        self
    }

    /// Waits so long between two tokens, or two pieces of raw bytes.
    #[must_use]
    pub fn pace(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// Sends raw bytes in pieces of so many.
    #[must_use]
    pub fn pieces(mut self, length: usize) -> Self {
        if let Kind::Raw { piece, .. } = &mut self.kind {
            *piece = length.max(1);
        }
        self
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Only for requests whose path contains this.
    #[must_use]
    pub fn on(mut self, path: &str) -> Self {
        self.only = Some(path.to_owned());
        self
    }

    /// Call ids say which turn they are from, so that no two turns share one.
    pub(super) fn number(&mut self, number: u64) {
        if let Kind::Said(said) = &mut self.kind {
            for (at, call) in said.tools.iter_mut().enumerate() {
                call.id = format!("call_{number}_{at}");
            }
        }
    }

    pub(super) fn is_for(&self, path: &str, is_chat: bool) -> bool {
        match &self.only {
            Some(only) => path.contains(only.as_str()),
            None => is_chat || (!matches!(self.kind, Kind::Said(_)) && path != "/identity/token"),
        }
    }

    pub(super) fn play(&self, format: Format) -> Play {
        match &self.kind {
            Kind::Fault(fault) => fault.play(format),
            Kind::Said(said) if !format.is_stream() => {
                let body = format.whole(said).to_string();
                Play::document(200, "application/json", &self.headers, body.as_bytes())
            }
            Kind::Said(said) => self.send(format, || {
                pieces(format.content_type(), &self.headers, 200, &format.frames(said))
            }),
            Kind::Raw {
                status,
                content_type,
                bytes,
                piece,
            } if *piece < bytes.len() => self.send(format, || {
                let parts: Vec<_> = bytes.chunks(*piece).map(|part| bytes.slice_ref(part)).collect();
                pieces(content_type, &self.headers, *status, &parts)
            }),
            Kind::Raw {
                status,
                content_type,
                bytes,
                ..
            } => Play::document(*status, content_type, &self.headers, bytes),
        }
    }

    /// In one go, or a piece at a time.
    fn send(&self, format: Format, write: impl FnOnce() -> Body) -> Play {
        let mut ready = self.ready.lock().unwrap();
        let pieces = ready.entry(format).or_insert_with(|| {
            let pieces = write();
            if self.pace.is_zero() && !matches!(self.kind, Kind::Raw { .. }) {
                let mut all = BytesMut::with_capacity(pieces.iter().map(Bytes::len).sum());
                pieces.iter().for_each(|piece| all.extend_from_slice(piece));
                return [all.freeze()].into();
            }
            pieces
        });
        match &**pieces {
            [one] => Play::Whole(one.clone()),
            _ => Play::Paced {
                pieces: pieces.clone(),
                pace: self.pace,
            },
        }
    }
}

/// Words with the spaces before them.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut after_space = false;
    for letter in text.chars() {
        match words.last_mut() {
            Some(word) if !letter.is_whitespace() || after_space => word.push(letter),
            _ => words.push(letter.into()),
        }
        after_space = letter.is_whitespace();
    }
    words
}
