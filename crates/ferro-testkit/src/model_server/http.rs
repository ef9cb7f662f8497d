//! As much HTTP/1.1 as a model provider needs, by hand.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use serde_json::Value as Json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};

/// One request.
pub(super) struct Asked {
    pub method: String,
    pub path: String,
    pub query: String,
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
}

impl Asked {
    pub fn json(&self) -> Json {
        if self.body.is_empty() {
            return Json::Null;
        }
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| Json::String(String::from_utf8_lossy(&self.body).into_owned()))
    }

    pub fn target(&self) -> String {
        if self.query.is_empty() {
            self.path.clone()
        } else {
            format!("{}?{}", self.path, self.query)
        }
    }
}

/// What happens on the wire.
pub(super) enum Play {
    /// One good answer; the connection stays open.
    Whole(Bytes),
    /// A good answer of which a piece goes out every so often. The first piece goes at once.
    Paced { pieces: Body, pace: Duration },
    /// An answer that is not good, and the end of the connection.
    Bad(Vec<Step>),
}

pub(super) type Body = std::sync::Arc<[Bytes]>;

pub(super) enum Step {
    Write(Bytes),
    /// The same again until the other side has gone.
    Forever(Bytes, Duration),
    /// One byte after another, with a pause after each.
    Drip(Bytes, Duration),
    /// Nothing more, until the other side has gone.
    Hang,
    /// Says that nothing more will come, and waits for the other side.
    Finish,
    /// Ends the connection with a reset.
    Reset,
}

impl Play {
    pub fn json(status: u16, body: &Json) -> Self {
        Self::document(status, "application/json", &[], body.to_string().as_bytes())
    }

    pub fn document(status: u16, kind: &str, headers: &[(String, String)], body: &[u8]) -> Self {
        let mut answer = head(status, kind, headers);
        answer.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        answer.extend_from_slice(body);
        Self::Whole(answer.freeze())
    }
}

/// Everything above the header that says how long the body is.
pub(super) fn head(status: u16, kind: &str, headers: &[(String, String)]) -> BytesMut {
    let reason = http::StatusCode::from_u16(status)
        .ok()
        .and_then(|code| code.canonical_reason());
    let mut text = format!(
        "HTTP/1.1 {status} {}\r\ncontent-type: {kind}\r\n",
        reason.unwrap_or("-")
    );
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    BytesMut::from(text.as_bytes())
}

/// The head of an answer in chunks.
pub(super) fn chunked_head(status: u16, kind: &str, headers: &[(String, String)]) -> BytesMut {
    let mut head = head(status, kind, headers);
    head.extend_from_slice(b"transfer-encoding: chunked\r\n\r\n");
    head
}

pub(super) fn chunk(out: &mut BytesMut, data: &[u8]) {
    // A chunk of nothing would be the end.
    if !data.is_empty() {
        out.extend_from_slice(format!("{:x}\r\n", data.len()).as_bytes());
        out.extend_from_slice(data);
        out.extend_from_slice(b"\r\n");
    }
}

pub(super) const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

/// A whole answer in pieces as they go out: the head with the first piece, the end with the last.
pub(super) fn pieces(kind: &str, headers: &[(String, String)], status: u16, data: &[Bytes]) -> Body {
    let mut done = Vec::with_capacity(data.len());
    let mut next = chunked_head(status, kind, headers);
    for (at, data_piece) in data.iter().enumerate() {
        chunk(&mut next, data_piece);
        if at + 1 < data.len() {
            done.push(next.split().freeze());
        }
    }
    next.extend_from_slice(LAST_CHUNK);
    done.push(next.freeze());
    done.into()
}

pub(super) struct Connection {
    stream: TcpStream,
    /// What has been read and not yet been understood.
    buffer: BytesMut,
}

impl Connection {
    pub fn new(stream: TcpStream) -> Self {
        // Tokens are small and must not wait for each other.
        let _ = stream.set_nodelay(true);
        Self {
            stream,
            buffer: BytesMut::new(),
        }
    }

    /// The next request, or `None` when the other side has gone or is not understood.
    pub async fn ask(&mut self) -> Option<Asked> {
        let end = loop {
            if let Some(at) = self.buffer.windows(4).position(|end| end == b"\r\n\r\n") {
                break at;
            }
            self.more().await?;
        };
        let head = self.buffer.split_to(end + 4);
        let head = String::from_utf8_lossy(&head[..end]);
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target) = (words.next()?.to_owned(), words.next()?);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length: usize = length.map_or(Some(0), |(_, value)| value.parse().ok())?;
        while self.buffer.len() < length {
            self.more().await?;
        }
        Some(Asked {
            method,
            path: path.to_owned(),
            query: query.to_owned(),
            headers,
            body: self.buffer.split_to(length).freeze(),
        })
    }

    async fn more(&mut self) -> Option<()> {
        let read = self.stream.read_buf(&mut self.buffer).await.ok()?;
        (read > 0).then_some(())
    }

    /// Whether the connection can be used again.
    pub async fn play(&mut self, play: Play) -> bool {
        if let Play::Whole(bytes) = &play {
            return self.stream.write_all(bytes).await.is_ok();
        }
        let (mut reader, mut writer) = self.stream.split();
        let ended = tokio::select! {
            ended = perform(&mut writer, play) => ended,
            () = gone(&mut reader, &mut self.buffer) => Ended::Broken,
        };
        if ended == Ended::Reset {
            let _ = self.stream.set_zero_linger();
        }
        ended == Ended::Well
    }
}

#[derive(PartialEq, Eq)]
enum Ended {
    Well,
    Broken,
    Reset,
}

/// Returns when the other side has closed.
async fn gone(reader: &mut ReadHalf<'_>, buffer: &mut BytesMut) {
    while matches!(reader.read_buf(buffer).await, Ok(read) if read > 0) {}
}

async fn perform(writer: &mut WriteHalf<'_>, play: Play) -> Ended {
    let ended = match play {
        Play::Whole(bytes) => writer.write_all(&bytes).await.map(|()| Ended::Well),
        Play::Paced { pieces, pace } => paced(writer, &pieces, pace).await,
        Play::Bad(steps) => bad(writer, steps).await,
    };
    ended.unwrap_or(Ended::Broken)
}

async fn paced(writer: &mut WriteHalf<'_>, pieces: &[Bytes], pace: Duration) -> std::io::Result<Ended> {
    let mut ticks = tokio::time::interval(pace.max(Duration::from_micros(1)));
    for piece in pieces {
        ticks.tick().await;
        writer.write_all(piece).await?;
    }
    Ok(Ended::Well)
}

async fn bad(writer: &mut WriteHalf<'_>, steps: Vec<Step>) -> std::io::Result<Ended> {
    for step in steps {
        match step {
            Step::Write(bytes) => writer.write_all(&bytes).await?,
            Step::Forever(bytes, pace) => loop {
                writer.write_all(&bytes).await?;
                if !pace.is_zero() {
                    tokio::time::sleep(pace).await;
                }
            },
            Step::Drip(bytes, pace) => {
                for byte in bytes {
                    writer.write_all(&[byte]).await?;
                    tokio::time::sleep(pace).await;
                }
            }
            Step::Hang => std::future::pending().await,
            Step::Finish => {
                writer.shutdown().await?;
                std::future::pending().await
            }
            Step::Reset => return Ok(Ended::Reset),
        }
    }
    Ok(Ended::Broken)
}
