//! One request over a worker's socket, from the first line to the last.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};

use super::trouble::{PythonError, Trouble};
use super::{Host, Refusal};

/// No line is longer, in either direction.
const MAX_LINE: usize = 32 << 20;
/// What one request may say before its answer.
const MAX_SAID: usize = 64 << 20;
const MAX_CALLS: u32 = 1_000;
const MAX_EVENTS: u32 = 20_000;

pub enum Ended {
    /// The worker is as good as before.
    Answered(Result<Json, Trouble>),
    /// The worker cannot be used any more.
    Broken(Trouble),
    /// Its socket closed: how it ended tells why.
    Closed,
}

#[derive(Deserialize)]
struct Said<'a> {
    id: u64,
    #[serde(borrow, default)]
    event: Option<&'a RawValue>,
    call: Option<u64>,
    #[serde(borrow, default)]
    ask: Option<&'a RawValue>,
    #[serde(borrow, default)]
    done: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Done {
    #[serde(default)]
    result: Option<Json>,
    #[serde(default)]
    error: Option<PythonError>,
}

/// Both ends of a worker's socket.
pub struct Line<R, W> {
    pub reader: R,
    pub writer: W,
    /// The last request's number.
    pub id: u64,
    /// How long this worker has been in Python's hands.
    pub spent: Duration,
}

impl<R: AsyncBufRead + Unpin, W: AsyncWrite + Unpin> Line<R, W> {
    pub async fn ask(&mut self, request: &Json, host: &dyn Host, most: Duration) -> Ended {
        self.id += 1;
        let line = format!("{{\"id\":{},\"request\":{request}}}\n", self.id);
        if line.len() > MAX_LINE {
            let said = format!(
                "{} MB of values are more than a worker takes at once",
                line.len() >> 20
            );
            return Ended::Answered(Err(Trouble::TooMuch(said)));
        }
        if self.writer.write_all(line.as_bytes()).await.is_err() {
            return Ended::Closed;
        }
        drop(line);
        let mut left = most;
        let (mut said, mut calls, mut events) = (0, 0, 0);
        let mut line = Vec::new();
        loop {
            line.clear();
            let begun = Instant::now();
            let read = tokio::time::timeout(left, read_line(&mut self.reader, &mut line)).await;
            let took = begun.elapsed();
            self.spent += took;
            left = left.saturating_sub(took);
            match read {
                Err(_) => {
                    return Ended::Broken(Trouble::TooLong {
                        seconds: most.as_secs(),
                    });
                }
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => return too_much("one line"),
                Ok(Err(_)) => return Ended::Closed,
            }
            said += line.len();
            if said > MAX_SAID {
                return too_much("its output");
            }
            let Ok(heard) = serde_json::from_slice::<Said<'_>>(&line) else {
                return Ended::Broken(Trouble::Died(
                    "it said something that is not in the protocol".to_owned(),
                ));
            };
            // Before the first request a worker only speaks when it cannot begin.
            if let (0, Some(done)) = (heard.id, heard.done) {
                return Ended::Broken(match answer(done) {
                    Err(Trouble::Python(error)) => Trouble::Start(error.message),
                    _ => Trouble::Died("it did not begin as it should".to_owned()),
                });
            }
            // Late words of an earlier request.
            if heard.id != self.id {
                continue;
            }
            if let Some(done) = heard.done {
                return Ended::Answered(answer(done));
            }
            if let Some(event) = heard.event {
                events += 1;
                if events > MAX_EVENTS {
                    return too_much("the number of its messages");
                }
                if let Ok(event) = serde_json::from_str(event.get()) {
                    host.event(event);
                }
            }
            let (Some(call), Some(ask)) = (heard.call, heard.ask) else {
                continue;
            };
            calls += 1;
            if calls > MAX_CALLS {
                return too_much("the number of its questions to the server");
            }
            let body = match serde_json::from_str(ask.get()) {
                Ok(ask) => host.call(ask).await,
                Err(_) => Err(Refusal::new("refused", "the question cannot be read")),
            };
            let body = match body {
                Ok(result) => json!({ "ok": true, "result": result }),
                Err(refusal) => json!({ "ok": false, "error": refusal.message, "kind": refusal.kind }),
            };
            let answer = json!({ "answer": call, "body": body });
            if self
                .writer
                .write_all(format!("{answer}\n").as_bytes())
                .await
                .is_err()
            {
                return Ended::Closed;
            }
        }
    }
}

fn too_much(what: &str) -> Ended {
    Ended::Broken(Trouble::TooMuch(format!("{what} is more than a worker may say")))
}

fn answer(done: &RawValue) -> Result<Json, Trouble> {
    let unclear = |_| Trouble::Died("its answer cannot be read".to_owned());
    let done: Done = serde_json::from_str(done.get()).map_err(unclear)?;
    match (done.error, done.result) {
        (Some(error), _) => Err(Trouble::Python(error)),
        (None, Some(result)) => Ok(result),
        (None, None) => Ok(Json::Null),
    }
}

/// `false` when the line is too long; an error when there is no more.
async fn read_line(reader: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> std::io::Result<bool> {
    loop {
        let buffer = reader.fill_buf().await?;
        if buffer.is_empty() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        if line.len() + taken > MAX_LINE {
            return Ok(false);
        }
        line.extend_from_slice(&buffer[..taken]);
        reader.consume(end.map_or(taken, |end| end + 1));
        if end.is_some() {
            return Ok(true);
        }
    }
}
