//! A run of the flow that the assistant works on: once, as it is now, and nothing of it is kept.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferro_assistant::{RunMetrics, RunReport};
use ferro_engine::{Body, Cause, Failure};
use ferro_model::{FlowData, read};
use ferro_store::VariableValue;

use crate::api::wire::meta::{Limits, Wanted};
use crate::api::wire::result::Results;
use crate::api::wire::value::{Shown, text};
use crate::app::models;
use crate::app::runs::request::{Keep, RunRequest};
use crate::app::runs::{self, Finished, KnownFlow};
use crate::error::AppError;
use crate::http::identity::Actor;
use crate::state::App;

const TIME: Duration = Duration::from_secs(120);
const MAX_RESULT: usize = 4_000;
/// Shorter ones are found in too many texts by chance.
const SHORTEST_SECRET: usize = 6;

pub async fn run(
    app: &Arc<App>,
    actor: &Actor,
    flow: &KnownFlow,
    session: &str,
    (data, input): (FlowData, Option<String>),
) -> RunReport {
    let began = Instant::now();
    let secrets = secrets(app, actor, &data).await;
    let mut request = RunRequest::new("assistant");
    request.input_value = input;
    request.session_id = Some(session.to_owned());
    request.keep = Keep::ThrowAway;
    request.data = Some(data);
    let going = async {
        if runs::ready(app, actor, flow, &request).await?.asks_people() {
            return Err(AppError::bad_request(
                "This flow waits for a person. It can be run in the playground, where somebody can answer.",
            ));
        }
        let begun = runs::begin(app, actor, flow, request).await?;
        let meta = Arc::clone(&begun.meta);
        Ok((begun.finish(app).await?, meta))
    };
    // Dropping a throw-away run stops it.
    let report = match tokio::time::timeout(TIME, going).await {
        Ok(Ok((finished, meta))) => report(&finished, Results::new(meta, &Wanted::Chat), &secrets),
        Ok(Err(error)) => failed(error.said().to_owned()),
        Err(_) => RunReport {
            timed_out: true,
            ..failed(format!(
                "The flow run timed out after {} seconds.",
                TIME.as_secs()
            ))
        },
    };
    RunReport {
        metrics: RunMetrics {
            duration_seconds: (began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
            ..report.metrics
        },
        ..report
    }
}

fn failed(message: String) -> RunReport {
    RunReport {
        result: Err(message),
        failed_node: None,
        metrics: RunMetrics::default(),
        timed_out: false,
    }
}

/// What a flow may say aloud and a model must not hear: the keys of the person, and those that stand in the flow.
async fn secrets(app: &App, actor: &Actor, data: &FlowData) -> Vec<String> {
    let variables = models::variables(app, &actor.principal()).await;
    let variables = variables.iter().flat_map(|known| known.iter());
    let kept = variables.filter(|variable| matches!(variable.value, VariableValue::Credential(_)));
    let flow = read(data);
    let fields = flow.nodes.iter().flat_map(|node| &node.fields);
    let literal = fields
        .filter(|field| field.is_secret())
        .filter_map(|field| field.value?.text());
    let mut secrets: Vec<String> = kept
        .filter_map(|variable| models::open(app, variable).ok())
        .chain(literal.map(Cow::into_owned))
        .filter(|secret| secret.chars().count() >= SHORTEST_SECRET)
        .collect();
    // One may be part of another.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

fn hidden(text: String, secrets: &[String]) -> String {
    secrets
        .iter()
        .fold(text, |text, secret| text.replace(secret, "********"))
}

fn report(finished: &Finished, mut results: Results, secrets: &[String]) -> RunReport {
    for event in &finished.events {
        results.observe(event);
    }
    // Of all nodes, those that failed and flows inside of the flow included.
    let usage = results.usage().unwrap_or_default();
    let metrics = RunMetrics {
        duration_seconds: 0.0,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens,
    };
    if let Some(failure) = results.failure() {
        return RunReport {
            failed_node: results.first_failure().map(|(node, _)| node.to_owned()),
            timed_out: failure.cause == Cause::Timeout && results.first_failure().is_none(),
            metrics,
            ..failed(shortened(hidden(sentences(&failure), secrets)))
        };
    }
    let said = results.texts().join("\n\n");
    let said = if said.trim().is_empty() {
        last_outputs(finished)
    } else {
        said
    };
    RunReport {
        result: Ok(shortened(hidden(said, secrets))),
        failed_node: None,
        metrics,
        timed_out: false,
    }
}

/// What the nodes gave that nothing comes after, for a flow that talks to nobody.
fn last_outputs(finished: &Finished) -> String {
    let limits = Limits {
        text: MAX_RESULT,
        items: 20,
    };
    let mut all = Vec::new();
    for event in &finished.events {
        let Body::NodeFinished { at, result } = &event.body else {
            continue;
        };
        if finished
            .plan
            .node(&at.node)
            .is_none_or(|node| !node.is_terminal())
        {
            continue;
        }
        for (_, value) in &result.outputs.values {
            let shown = match text(value) {
                Some(text) => text.to_owned(),
                None => serde_json::to_string(&Shown(value, limits)).unwrap_or_default(),
            };
            all.push(format!("{}: {shown}", at.node));
        }
    }
    all.join("\n")
}

fn sentences(failure: &Failure) -> String {
    let mut told = failure.message.trim_end_matches('.').to_owned();
    told.push('.');
    for more in [failure.detail.as_str(), failure.advice.as_str()] {
        if !more.is_empty() {
            told.push(' ');
            told.push_str(more);
        }
    }
    told
}

fn shortened(mut text: String) -> String {
    if let Some((at, _)) = text.char_indices().nth(MAX_RESULT) {
        text.truncate(at);
        text.push_str("\n... [truncated]");
    }
    text
}
