//! A run as the body of an answer: events in, frames out, for as long as somebody reads.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use ferro_engine::Ending;
use futures_util::future::BoxFuture;
use futures_util::{Stream, StreamExt as _, stream};
use tokio::time::{Instant, interval_at};

use super::wire::{Encoder, sse};
use crate::app::runs::{Begun, Work, reader::Reader};
use crate::state::App;

/// Often enough that no proxy takes a quiet stream for a dead one.
pub(super) const QUIET: Duration = Duration::from_secs(15);

/// What kind of stream a client reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// Server-sent events, with heartbeats.
    Events,
    /// JSON objects with blank lines between them.
    Lines,
    /// The same, called `text/event-stream` because Langflow calls it so.
    LinesAsEvents,
}

/// The same answer, which drops `held` when it has been sent or nobody reads it any more.
pub fn holding(response: Response, held: impl Send + 'static) -> Response {
    response.map(|body| {
        let frames = body.into_data_stream().map(move |frame| {
            let _ = &held;
            frame
        });
        Body::from_stream(frames)
    })
}

struct State {
    reader: Reader,
    encoder: Box<dyn Encoder>,
    /// A throw-away run: it goes on while this is polled, and stops when the client goes away.
    work: Option<BoxFuture<'static, Ending>>,
    beats: tokio::time::Interval,
    media: Media,
    over: bool,
}

/// Streams a run that has begun, from its first event.
pub fn of_run(app: &Arc<App>, begun: Begun, encoder: Box<dyn Encoder>, media: Media) -> Response {
    let reader = Reader::new(app, begun.run_id, Some(begun.follower), 0);
    let work = match begun.work {
        Work::Inline(work) => Some(work),
        Work::Spawned => None,
    };
    response(reader, encoder, work, media)
}

/// Streams a run that may be under way, here or nowhere, or over.
pub fn of_reader(reader: Reader, encoder: Box<dyn Encoder>, media: Media) -> Response {
    response(reader, encoder, None, media)
}

fn response(
    reader: Reader,
    encoder: Box<dyn Encoder>,
    work: Option<BoxFuture<'static, Ending>>,
    media: Media,
) -> Response {
    let state = State {
        reader,
        encoder,
        work,
        beats: interval_at(Instant::now() + QUIET, QUIET),
        media,
        over: false,
    };
    let frames = stream::unfold(state, |mut state| async move {
        let bytes = state.next().await?;
        Some((bytes, state))
    });
    of_frames(frames, media)
}

/// Frames that are bytes already.
pub fn of_frames(frames: impl Stream<Item = Bytes> + Send + 'static, media: Media) -> Response {
    let frames = frames.map(Ok::<_, std::convert::Infallible>);
    let mut response = Response::new(Body::from_stream(frames));
    let kind = match media {
        Media::Lines => "application/x-ndjson",
        Media::Events | Media::LinesAsEvents => "text/event-stream",
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

impl State {
    async fn next(&mut self) -> Option<Bytes> {
        let mut out = Vec::new();
        while !self.over {
            tokio::select! {
                biased;
                ending = poll_work(&mut self.work) => {
                    // What it said last is still to be read.
                    drop(ending);
                    self.work = None;
                }
                events = self.reader.next() => match events {
                    Ok(Some(events)) => {
                        for event in events {
                            self.encoder.encode(&event, &mut out);
                        }
                    }
                    Ok(None) => {
                        self.encoder.finish(&mut out);
                        self.over = true;
                    }
                    Err(error) => {
                        tracing::warn!(%error, "the events of a run could not be read");
                        return None;
                    }
                },
                _ = self.beats.tick(), if self.media == Media::Events => out.extend_from_slice(sse::HEARTBEAT),
            }
            if !out.is_empty() {
                return Some(out.into());
            }
        }
        None
    }
}

async fn poll_work(work: &mut Option<BoxFuture<'static, Ending>>) -> Ending {
    match work {
        Some(work) => work.await,
        None => std::future::pending().await,
    }
}
