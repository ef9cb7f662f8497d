//! A turn of the assistant as server-sent events. A reader who leaves ends it; one who does not read cannot hold it up:
//! it works by itself, within its own limits.

use axum::body::Bytes;
use axum::response::Response;
use ferro_assistant::{AssistEvent, End};
use futures_util::stream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, interval_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::api::stream::{Media, QUIET, of_frames};
use crate::api::wire::{put, sse};
use crate::app::assistant::{Begun, Ended};
use crate::http::as_this_request;
use crate::state::App;

/// So much is sent at once at most, if more is waiting.
const FRAME: usize = 64 << 10;

/// Which events a client is told besides the last one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Told {
    All,
    /// For programs: what is done, not how.
    Progress,
}

pub fn of_turn(app: &App, begun: Begun, told: Told) -> Response {
    let (out, events) = unbounded_channel();
    let telling = Telling {
        work: Some(AbortOnDropHandle::new(tokio::spawn(as_this_request(
            begun.work(out),
        )))),
        events,
        told,
        stopping: app.stopping.clone(),
        beats: interval_at(Instant::now() + QUIET, QUIET),
    };
    let frames = stream::unfold(telling, |mut telling| async move {
        let bytes = telling.next().await?;
        Some((bytes, telling))
    });
    of_frames(frames, Media::Events)
}

struct Telling {
    /// Ends with this; none when the last event is out.
    work: Option<AbortOnDropHandle<Ended>>,
    events: UnboundedReceiver<AssistEvent>,
    told: Told,
    stopping: CancellationToken,
    beats: tokio::time::Interval,
}

impl Telling {
    async fn next(&mut self) -> Option<Bytes> {
        let mut out = Vec::new();
        while let Some(work) = &mut self.work {
            tokio::select! {
                biased;
                // First, so that everything is told before the end.
                Some(event) = self.events.recv() => {
                    self.tell(&event, &mut out);
                    while out.len() < FRAME && let Ok(event) = self.events.try_recv() {
                        self.tell(&event, &mut out);
                    }
                }
                ended = work => {
                    self.work = None;
                    while let Ok(event) = self.events.try_recv() {
                        self.tell(&event, &mut out);
                    }
                    frame(&ended.map_or_else(|_| broken(), last), &mut out);
                }
                () = self.stopping.cancelled() => {
                    self.work = None;
                    let message = "The server is stopping. Ask again in a moment.".to_owned();
                    frame(&AssistEvent::Cancelled { message: Some(message) }, &mut out);
                }
                _ = self.beats.tick() => out.extend_from_slice(sse::HEARTBEAT),
            }
            if !out.is_empty() {
                return Some(out.into());
            }
        }
        None
    }

    fn tell(&self, event: &AssistEvent, out: &mut Vec<u8>) {
        let told = match event {
            // Told when what the turn leaves behind is kept.
            AssistEvent::Complete { .. } | AssistEvent::Error { .. } | AssistEvent::Cancelled { .. } => false,
            AssistEvent::Progress { .. } => true,
            _ => self.told == Told::All,
        };
        if told {
            frame(event, out);
        }
    }
}

/// It panicked, which is a defect of ours.
fn broken() -> AssistEvent {
    AssistEvent::Error {
        message: "Something in the assistant broke. Ask again; if it stays so, tell whoever runs the server."
            .to_owned(),
        detail: None,
    }
}

fn last(ended: Ended) -> AssistEvent {
    match ended.end {
        End::Completed(data) => AssistEvent::Complete { data },
        End::Failed { message, detail } => AssistEvent::Error {
            message,
            detail: Some(detail),
        },
    }
}

fn frame(event: &AssistEvent, out: &mut Vec<u8>) {
    out.extend_from_slice(b"data: ");
    put(out, event);
    out.extend_from_slice(b"\n\n");
}
