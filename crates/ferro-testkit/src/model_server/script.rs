//! Turns as JSON, for `POST /__script`.
//!
//! `[{"text": "hello", "tools": [{"name": "add", "arguments": {"a": 1}}]}]` is a list of turns;
//! `{"turns": […], "always": {…}}` also says what comes when none waits.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{Fault, Received, Turn};

/// The turns to queue, and the one for when none waits.
pub(super) fn read(script: &Json) -> Result<(Vec<Turn>, Option<Turn>), String> {
    let (turns, always) = match script {
        Json::Array(_) => (script, &Json::Null),
        _ => (&script["turns"], &script["always"]),
    };
    let turns = turns.as_array().map_or(&[][..], Vec::as_slice);
    let always = if always.is_null() {
        None
    } else {
        Some(turn(always)?)
    };
    Ok((turns.iter().map(turn).collect::<Result<_, _>>()?, always))
}

const FIELDS: [&str; 12] = [
    "text",
    "tokens",
    "reasoning",
    "usage",
    "tools",
    "pace_ms",
    "cut",
    "status",
    "body",
    "headers",
    "fault",
    "on",
];

fn turn(spec: &Json) -> Result<Turn, String> {
    let fields = spec.as_object().ok_or("a turn is an object")?;
    if let Some(odd) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(format!("a turn has no `{odd}`; there are {}", FIELDS.join(", ")));
    }
    let mut turn = if let Some(name) = spec["fault"].as_str() {
        let fault = Fault::ALL.into_iter().find(|fault| format!("{fault:?}") == name);
        Turn::fault(fault.ok_or_else(|| format!("no fault `{name}`; there are {:?}", Fault::ALL))?)
    } else if let Some(status) = spec["status"].as_u64() {
        Turn::status(status as u16, spec["body"].clone())
    } else {
        Turn::text(spec["text"].as_str().unwrap_or_default())
    };
    if let Some(count) = spec["tokens"].as_u64() {
        turn = turn.tokens(count as usize);
    }
    if let Some(text) = spec["reasoning"].as_str() {
        turn = turn.reasoning(text);
    }
    if let (Some(input), Some(output)) = (spec["usage"][0].as_u64(), spec["usage"][1].as_u64()) {
        turn = turn.usage(input, output);
    }
    for tool in spec["tools"].as_array().into_iter().flatten() {
        let name = tool["name"].as_str().ok_or("a tool needs a name")?;
        turn = match &tool["arguments"] {
            Json::String(text) => turn.tool_text(name, text),
            Json::Null => turn.tool(name, json!({})),
            arguments => turn.tool(name, arguments.clone()),
        };
    }
    if let Some(pace) = spec["pace_ms"].as_f64() {
        turn = turn.pace(Duration::try_from_secs_f64(pace / 1000.0).map_err(|error| error.to_string())?);
    }
    if spec["cut"] == true {
        turn = turn.cut();
    }
    for (name, value) in spec["headers"].as_object().into_iter().flatten() {
        turn = turn.header(name, value.as_str().unwrap_or_default());
    }
    if let Some(path) = spec["on"].as_str() {
        turn = turn.on(path);
    }
    Ok(turn)
}

pub(super) fn show(received: &[Received]) -> Json {
    let show = |one: &Received| {
        let headers: serde_json::Map<_, _> = one
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), value.clone().into()))
            .collect();
        json!({"method": one.method, "path": one.path, "headers": headers, "body": one.body})
    };
    received.iter().map(show).collect()
}
