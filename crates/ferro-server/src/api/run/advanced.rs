//! Several inputs in one request, each of which is a run of its own.

use std::sync::Arc;
use std::vec::IntoIter;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use utoipa::ToSchema;

use super::{RunAnswer, answer, begin, collect, set_globals};
use crate::api::wire::Encoder as _;
use crate::api::wire::langflow::{Flavour, Langflow, run_end, run_error};
use crate::api::wire::meta::Wanted;
use crate::api::wire::result::Results;
use crate::api::wire::sse::Framing;
use crate::api::{AppState, stream};
use crate::app::runs::Begun;
use crate::app::runs::reader::Reader;
use crate::app::runs::request::{InputType, RunRequest};
use crate::error::{AppError, ErrorBody, Result};
use crate::http::extract::{Json as Body, Path};
use crate::http::identity::Actor;
use crate::state::App;

/// The most inputs of one request.
const MOST: usize = 100;

/// One input of an advanced run.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default)]
pub struct InputBody {
    /// Ids or names of the input nodes it is for; all of its type when empty.
    pub components: Vec<String>,
    pub input_value: Option<String>,
    pub r#type: InputType,
    pub session: Option<String>,
}

/// Several inputs, each of which is a run of its own.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct AdvancedBody {
    pub inputs: Option<Vec<InputBody>>,
    /// Ids or names of the nodes whose results come back; every output when empty.
    pub outputs: Option<Vec<String>>,
    pub tweaks: Option<Map<String, Json>>,
    /// Send events as they happen.
    pub stream: bool,
    pub session_id: Option<String>,
}

/// Run a flow once for each input, one after the other.
///
/// With `"stream": true` the answer is a stream as that of a plain run: the events of all runs in their order, then one `end`
/// with the result of all of them, or `error` with the first that failed. Inputs whose turn has not come when the client goes
/// away are not run.
#[utoipa::path(post, path = "/api/v1/run/advanced/{flow_id_or_name}", tag = "runs", params(("flow_id_or_name" = String, Path)), request_body = AdvancedBody,
    responses((status = 200, body = RunAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub async fn run_flow_advanced(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
    headers: HeaderMap,
    Body(mut body): Body<AdvancedBody>,
) -> Result<Response> {
    let mut inputs = body.inputs.take().unwrap_or_default();
    if inputs.is_empty() {
        inputs.push(InputBody::default());
    }
    if inputs.len() > MOST {
        return Err(AppError::invalid("inputs", format!("at most {MOST} at once")));
    }
    let wanted = match body.outputs.take().unwrap_or_default() {
        names if names.is_empty() => Wanted::Any,
        names => Wanted::Named(names),
    };
    let stream = body.stream;
    let mut several = Several {
        app,
        actor,
        name,
        headers,
        body,
        wanted,
        inputs: inputs.into_iter(),
    };
    if stream {
        // What is wrong with the request is found out before the stream begins.
        let first = several.next().await?;
        return Ok(several.stream(first));
    }
    let mut all = Vec::new();
    while let Some((begun, results)) = several.next().await? {
        all.push(collect(&several.app, begun, results).await?);
    }
    Ok(answer(&Results::run_responses(&all)))
}

/// A request and the inputs whose turn has not come.
struct Several {
    app: Arc<App>,
    actor: Actor,
    name: String,
    headers: HeaderMap,
    body: AdvancedBody,
    wanted: Wanted,
    inputs: IntoIter<InputBody>,
}

impl Several {
    /// Begins the run of the next input.
    async fn next(&mut self) -> Result<Option<(Begun, Results)>> {
        let Some(input) = self.inputs.next() else {
            return Ok(None);
        };
        let mut request = RunRequest::new("run");
        request.session_id = input.session.or_else(|| self.body.session_id.clone());
        request.tweaks = self.body.tweaks.clone().unwrap_or_default();
        request.input_type = input.r#type;
        set_globals(&mut request, &self.headers);
        if input.components.is_empty() {
            request.input_value.clone_from(&input.input_value);
        } else {
            for component in input.components {
                let fields = request.tweaks.entry(component).or_insert_with(|| json!({}));
                let Json::Object(fields) = fields else {
                    return Err(AppError::invalid("tweaks", "must have an object for each node"));
                };
                let value = input.input_value.clone().unwrap_or_default();
                fields.insert("input_value".to_owned(), value.into());
            }
        }
        let begun = begin(&self.app, &self.actor, &self.name, request).await?;
        let results = Results::new(Arc::clone(&begun.meta), &self.wanted)
            .input_value(input.input_value.as_deref().unwrap_or_default());
        Ok(Some((begun, results)))
    }

    fn stream(self, first: Option<(Begun, Results)>) -> Response {
        let mut streamed = Streamed {
            several: self,
            current: None,
            done: Vec::new(),
            over: false,
        };
        streamed.take(first);
        let frames = futures_util::stream::unfold(streamed, |mut streamed| async move {
            let bytes = streamed.next().await?;
            Some((bytes, streamed))
        });
        stream::of_frames(frames, stream::Media::LinesAsEvents)
    }
}

struct Streamed {
    several: Several,
    current: Option<(Reader, Langflow)>,
    done: Vec<Results>,
    over: bool,
}

impl Streamed {
    fn take(&mut self, next: Option<(Begun, Results)>) {
        self.current = next.map(|(begun, results)| {
            let encoder = Langflow::new(begun.meta, Flavour::Part(Box::new(results)), Framing::Lines);
            let reader = Reader::new(&self.several.app, begun.run_id, Some(begun.follower), 0);
            (reader, encoder)
        });
    }

    async fn next(&mut self) -> Option<Bytes> {
        let mut out = Vec::new();
        while out.is_empty() {
            if self.over {
                return None;
            }
            let Some((reader, encoder)) = &mut self.current else {
                run_end(&self.done, &mut out);
                self.over = true;
                break;
            };
            match reader.next().await {
                Ok(Some(events)) => {
                    for event in events {
                        encoder.encode(&event, &mut out);
                    }
                }
                Ok(None) => self.go_on(&mut out).await,
                Err(error) => {
                    tracing::warn!(%error, "the events of a run could not be read");
                    return None;
                }
            }
        }
        Some(out.into())
    }

    /// One run is over: the next, unless it failed.
    async fn go_on(&mut self, out: &mut Vec<u8>) {
        let results = self
            .current
            .take()
            .and_then(|(_, encoder)| encoder.into_results());
        match results {
            Some(results) if results.failure().is_none() => self.done.push(results),
            // It has said why.
            _ => {
                self.over = true;
                return;
            }
        }
        match self.several.next().await {
            Ok(next) => self.take(next),
            Err(error) => {
                run_error(&error.to_string(), out);
                self.over = true;
            }
        }
    }
}
