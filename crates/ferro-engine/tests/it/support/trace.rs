//! Events as lines.

use ferro_engine::{At, Body, Event, Failure, NodeResult};

fn place(at: &At) -> String {
    if at.rounds.is_empty() {
        at.node.to_string()
    } else {
        format!("{}{:?}", at.node, at.rounds)
    }
}

fn short(text: &str) -> String {
    let text = text.replace('\n', "⏎");
    if text.chars().count() > 60 {
        format!("{}… ({})", text.chars().take(20).collect::<String>(), text.len())
    } else {
        text
    }
}

fn finished(at: &At, result: &NodeResult) -> String {
    if let Some(items) = &result.each {
        return format!("each {} {}", place(at), items.len());
    }
    let verb = if result.reused { "reuse" } else { "done" };
    let values = result
        .outputs
        .values
        .iter()
        .map(|(_, value)| short(&value.to_text()));
    let mut text = format!("{verb} {} {}", place(at), values.collect::<Vec<_>>().join(" | "));
    if !result.live.is_empty() {
        text += &format!(" live {:?}", result.live);
    }
    text.trim_end().to_owned()
}

fn failed(failure: &Failure) -> String {
    let mut text = short(&failure.message);
    if !failure.detail.is_empty() {
        text += &format!(" ({})", short(&failure.detail));
    }
    text
}

/// `None` for what every run has and no scenario is about.
fn line(event: &Event) -> Option<String> {
    Some(match &event.body {
        Body::RunStarted { .. } | Body::Planned { .. } => return None,
        Body::NodeStarted { at, attempt: 1 } => format!("start {}", place(at)),
        Body::NodeStarted { at, attempt } => format!("start {} again #{attempt}", place(at)),
        Body::EffectStarted { at } => format!("effect {}", place(at)),
        Body::NodeFinished { at, result } => finished(at, result),
        Body::NodeFailed { at, failure, .. } => {
            format!("fail {} {:?}: {}", place(at), failure.cause, failed(failure))
        }
        Body::NodeSkipped { at, why } => format!("skip {} {}", place(at), format!("{why:?}").to_lowercase()),
        Body::RoundStarted { at, round, of } => match of {
            Some(of) => format!("round {} {}/{of}", place(at), round + 1),
            None => format!("round {} {}", place(at), round + 1),
        },
        Body::Message {
            message,
            node,
            store,
            is_output,
        } => {
            format!(
                "message {node} {:?} store={store} output={is_output}",
                message.text
            )
        }
        Body::Token { node, chunk, .. } => format!("token {node} {chunk:?}"),
        Body::MessageRemoved { .. } => "remove message".to_owned(),
        Body::Log { node, name, message } => format!("log {node} {name} {message}"),
        Body::VariableRead { at, field, name, .. } => {
            format!(
                "variable {} {} {name}",
                place(at),
                field.as_deref().unwrap_or("-")
            )
        }
        Body::ModelCalled { at, call } => format!("model {} {}", place(at), call.model),
        Body::Asked { at, question, .. } => format!("ask {} {}", place(at), question.kind),
        Body::Answered { answer, .. } => format!("answer {}", answer.action_id),
        Body::CancelRequested => "cancel".to_owned(),
        Body::Resumed => "resumed".to_owned(),
        Body::RunEnded { status, failure, .. } => {
            let status = serde_json::to_value(status).unwrap();
            let why = failure.as_ref().map(|failure| format!(": {}", failed(failure)));
            format!("ended {}{}", status.as_str().unwrap(), why.unwrap_or_default())
        }
    })
}

pub fn trace(events: &[Event]) -> String {
    events.iter().filter_map(line).map(|line| line + "\n").collect()
}
