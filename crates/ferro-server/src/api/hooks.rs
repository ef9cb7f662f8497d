//! Watching a flow's webhook: one stream through all the runs it starts.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use ferro_store::{FlowId, RunId, UserId};
use futures_util::stream;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::wire::Encoder as _;
use super::wire::langflow::{Flavour, Langflow};
use super::wire::sse::Framing;
use crate::app::runs::{self, reader::Reader};
use crate::http::identity::Actor;
use crate::state::App;

const QUIET: Duration = Duration::from_secs(15);

struct State {
    app: Arc<App>,
    actor: Actor,
    flow_id: FlowId,
    runs: Receiver<(UserId, FlowId, RunId)>,
    current: Option<(Reader, Langflow)>,
    greeted: bool,
}

pub fn stream(app: &Arc<App>, actor: Actor, flow_id: FlowId) -> Response {
    let state = State {
        app: Arc::clone(app),
        runs: app.runs.announcements(),
        actor,
        flow_id,
        current: None,
        greeted: false,
    };
    let frames = stream::unfold(state, |mut state| async move {
        let bytes = state.next().await?;
        Some((Ok::<_, std::convert::Infallible>(Bytes::from(bytes)), state))
    });
    let mut response = Response::new(Body::from_stream(frames));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

impl State {
    async fn next(&mut self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        if !std::mem::replace(&mut self.greeted, true) {
            Framing::Named.named(
                &mut out,
                "connected",
                &serde_json::json!({ "flow_id": self.flow_id.0 }),
            );
            return Some(out);
        }
        loop {
            if let Some((reader, encoder)) = &mut self.current {
                match reader.next().await {
                    Ok(Some(events)) => {
                        for event in events {
                            encoder.encode(&event, &mut out);
                        }
                    }
                    Ok(None) | Err(_) => {
                        encoder.finish(&mut out);
                        self.current = None;
                    }
                }
                if !out.is_empty() {
                    return Some(out);
                }
                continue;
            }
            match tokio::time::timeout(QUIET, self.runs.recv()).await {
                Err(_) => {
                    Framing::Named.named(&mut out, "heartbeat", &serde_json::json!({}));
                    return Some(out);
                }
                Ok(Ok((owner, flow_id, run_id)))
                    if owner == self.actor.user.id && flow_id == self.flow_id =>
                {
                    if let Ok(watched) = runs::watch(&self.app, &self.actor, run_id, 0).await {
                        let encoder = Langflow::new(watched.meta, Flavour::Build, Framing::Named);
                        self.current = Some((watched.reader, encoder));
                    }
                }
                Ok(Ok(_) | Err(RecvError::Lagged(_))) => {}
                Ok(Err(RecvError::Closed)) => return None,
            }
        }
    }
}
