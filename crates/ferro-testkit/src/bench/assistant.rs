//! The assistant: what a turn costs beside what its model takes.
//!
//! One scripted model provider answers a bare client, a flow with a prompt and a model, and the assistant. A turn asks
//! the model more than once, so what we add is its time less so many bare calls.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    Error,
    load::{Connection, Request},
    models::{Pace, Stage, prompt_and_model},
    report::{Aim, Table},
    runs::keyed,
    spoken::{Speaker, Spoken},
};

const TIME: Duration = Duration::from_secs(3);
/// In an answer of the model.
const TOKENS: usize = 50;
/// Turns that need a script of their own, one after the other.
const ROUNDS: usize = 100;
const MANY: usize = 200;
/// Turns that one person may have under way.
const EACH: usize = 4;
const STREAM: &str = "/api/v1/agentic/assist/stream";
/// The last event of a turn that worked.
const COMPLETE: &[u8] = b"{\"event\":\"complete\"";
const TOKEN: &[u8] = b"{\"event\":\"token\"";

/// One call of the model at p50, in milliseconds.
struct Bare {
    call: f64,
    /// Through a flow of our own server.
    run: f64,
}

pub async fn assistant() -> Result<Table, Error> {
    let mut table = Table::new(
        "assistant",
        "turns of the assistant beside bare calls of the same test model server, answers of 50 tokens",
    );
    let stage = Stage::open().await?;
    stage.say(TOKENS, Pace::AtOnce).await?;
    let bare = bare(&stage, &mut table).await?;
    for (name, nodes) in [("4 nodes", 4), ("50 nodes", 50)] {
        let flow = stage.bench.save(&canvas(&stage, nodes)?).await?;
        question(&stage, &mut table, &bare, (name, &flow)).await?;
        edit(&stage, &mut table, &bare, (name, &flow)).await?;
    }
    stage.bench.server.stop()?;
    many(&mut table).await?;
    open(&mut table).await?;
    Ok(table)
}

/// A prompt and a model, or a chain of so many nodes.
fn canvas(stage: &Stage, nodes: usize) -> Result<Value, Error> {
    match nodes {
        4 => prompt_and_model(&stage.bench),
        _ => stage.bench.chain(nodes),
    }
}

fn asking(flow: &str, input: &str) -> String {
    let body = json!({
        "flow_id": flow, "input_value": input, "session_id": format!("agentic_{flow}"),
        "provider": "OpenAI", "model_name": "gpt-4o",
    });
    body.to_string()
}

fn turn(stage: &Stage, flow: &str, input: &str) -> Speaker {
    Speaker {
        port: stage.bench.server.port,
        request: stage.bench.request("POST", STREAM, &asking(flow, input)),
        marker: COMPLETE,
    }
}

/// How often the model was asked so far.
async fn asked(stage: &Stage) -> Result<u64, Error> {
    let mut connection = Connection::open(stage.model.port).await?;
    let answer = connection
        .ask(&Request::new("GET", "/__asked", &[], b""), true)
        .await?;
    let answer: Value = serde_json::from_slice(&answer.body)?;
    answer["asked"]
        .as_u64()
        .ok_or_else(|| "the model does not count".into())
}

async fn bare(stage: &Stage, table: &mut Table) -> Result<Bare, Error> {
    let direct = Speaker {
        port: stage.model.port,
        request: stage.asked(true),
        marker: b"ping\"",
    };
    let mut called = direct.watched(1, TOKENS, TIME).await?;
    let p50 = called.took(0.5);
    table.add("bare call of the model, p50", p50, "ms");
    let mut run = stage.streamed("durable=false").watched(1, TOKENS, TIME).await?;
    table.add("flow with a prompt and a model, p50", run.took(0.5), "ms");
    table.add(
        "flow with a prompt and a model, added at p50",
        run.took(0.5) - p50,
        "ms",
    );
    Ok(Bare {
        call: p50,
        run: run.took(0.5),
    })
}

/// What is the same for every kind of turn that comes alone.
fn told(table: &mut Table, name: &str, bare: &Bare, (mut turns, calls, cost): (Spoken, f64, f64)) {
    let p50 = turns.took(0.5);
    table.add(format!("{name}, model calls"), calls, "");
    table.add(format!("{name}, p50"), p50, "ms");
    table.add(format!("{name}, p99"), turns.took(0.99), "ms");
    let share = p50 / (calls * bare.run);
    table.add(format!("{name}, beside as many runs of the flow"), share, "ratio");
    let added = p50 - calls * bare.call;
    table.add_with_aim(format!("{name}, added at p50"), added, "ms", Aim::AtMost(20.0));
    table.add(format!("{name}, CPU a turn"), cost / 1000.0, "ms");
}

/// A turn that only talks. What the model says is no intent, and so the request counts as a question.
async fn question(stage: &Stage, table: &mut Table, bare: &Bare, flow: (&str, &str)) -> Result<(), Error> {
    let speaker = turn(stage, flow.1, "How does this flow work?");
    let before = asked(stage).await?;
    let work = speaker.watched(1, 1, TIME);
    let (turns, cost) = stage.costs(work, |done: &Spoken| done.answers() as f64).await?;
    let calls = (asked(stage).await? - before) as f64 / turns.answers() as f64;
    told(
        table,
        &format!("question, {}", flow.0),
        bare,
        (turns, calls, cost),
    );
    Ok(())
}

/// A turn that adds a node: the intent, a call of a tool, and what is said about it.
async fn edit(stage: &Stage, table: &mut Table, bare: &Bare, flow: (&str, &str)) -> Result<(), Error> {
    let speaker = turn(stage, flow.1, "Add a node that joins two texts");
    let script = json!({ "turns": [
        { "text": json!({ "translation": "", "intent": "build_flow" }).to_string() },
        { "text": "", "tools": [{ "name": "add_component", "arguments": { "component_type": "CombineText" } }] },
    ]});
    let before = asked(stage).await?;
    let work = async {
        let mut all = Spoken::default();
        for _ in 0..ROUNDS {
            stage.script(&script).await?;
            all.add(speaker.watched(1, 1, Duration::ZERO).await?);
        }
        Ok(all)
    };
    let (turns, cost) = stage.costs(work, |done: &Spoken| done.answers() as f64).await?;
    let calls = (asked(stage).await? - before) as f64 / turns.answers() as f64;
    told(table, &format!("edit, {}", flow.0), bare, (turns, calls, cost));
    Ok(())
}

/// Turns that may be under way at once: one on a flow, and `EACH` of a person.
async fn turns(stage: &Stage, marker: &'static [u8]) -> Result<Vec<Speaker>, Error> {
    let mut speakers = Vec::new();
    let document = canvas(stage, 4)?;
    for person in 0..MANY / EACH {
        let key = stage.person(&format!("person{person}")).await?;
        for _ in 0..EACH {
            let made = stage
                .bench
                .ask_as(&key, "POST", "/api/v1/flows", &document)
                .await?;
            let flow = made["id"].as_str().ok_or("no flow was made")?;
            let body = asking(flow, "How does this flow work?");
            speakers.push(Speaker {
                port: stage.bench.server.port,
                request: keyed(&key, "POST", STREAM, &body),
                marker,
            });
        }
    }
    Ok(speakers)
}

/// As many people at once, each asking again as soon as they were answered.
async fn many(table: &mut Table) -> Result<(), Error> {
    let stage = Stage::open().await?;
    stage.say(TOKENS, Pace::AtOnce).await?;
    let speakers = turns(&stage, COMPLETE).await?;
    Speaker::together(speakers.clone(), 1, Duration::ZERO).await?;
    let work = Speaker::together(speakers, 1, TIME);
    let (mut turns, cost) = stage.costs(work, |done: &Spoken| done.answers() as f64).await?;
    let name = format!("question, {MANY} at once");
    table.add(name.clone(), turns.per_second(), "/s");
    table.add(format!("{name}, p50"), turns.took(0.5), "ms");
    table.add(format!("{name}, p99"), turns.took(0.99), "ms");
    table.add(format!("{name}, CPU a turn"), cost / 1000.0, "ms");
    table.add(format!("{name}, peak memory"), stage.bench.server.peak()?, "MB");
    stage.bench.server.stop()?;
    Ok(())
}

/// Turns whose model is in the middle of a slow answer.
async fn open(table: &mut Table) -> Result<(), Error> {
    let stage = Stage::open().await?;
    stage.say(TOKENS, Pace::AtOnce).await?;
    let speakers = turns(&stage, TOKEN).await?;
    // What only the first turn of a process takes, and what its flow keeps in memory, is no part of an open turn.
    for speaker in &speakers {
        drop(speaker.begin().await?);
    }
    let before = stage.bench.server.resident()?;
    // Slow enough that the first still speaks when the last begins.
    stage.say(20_000, Pace::Every(50)).await?;
    let mut open = Vec::new();
    for speaker in &speakers {
        // The intent comes at once, and the answer after it takes its time.
        stage
            .script(&json!([{ "text": "{\"translation\":\"\",\"intent\":\"question\"}" }]))
            .await?;
        open.push(speaker.begin().await?);
    }
    let each = (stage.bench.server.resident()? - before) * 1024.0 / MANY as f64;
    table.add_with_aim(
        format!("memory of an open turn, {MANY} open"),
        each,
        "kB",
        Aim::AtMost(1024.0),
    );
    drop(open);
    stage.bench.server.stop()?;
    Ok(())
}
