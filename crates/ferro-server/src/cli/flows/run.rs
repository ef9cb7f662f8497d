//! `ferroflow run`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, bail};
use ferro_engine::{
    Answer, Body, Event, Followed, Handle, Limits, Overrides, Plan, Question, RunInfo, RunStatus, Selection,
    Start, start,
};
use ferro_model::read::{Flow, Node, NodeKind};
use ferro_model::{FlowData, ungroup};
use ferro_net::AddressPolicy;
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::host::TerminalHost;
use super::models::Choice;
use super::{RunArgs, Shape, catalog, read, say, say_json};
use crate::api::wire::{Meta, meta::Wanted, put, result::Results};
use crate::app::runs::text_inputs;
use crate::config::Python;

pub async fn run(policy: AddressPolicy, python: &Python, args: RunArgs) -> anyhow::Result<()> {
    if args.flow.as_os_str() == "-" && args.input.as_deref() == Some("-") {
        bail!("standard input can be the flow or what is said to it, not both");
    }
    let model = args.model.as_deref().map(Choice::read).transpose()?;
    let mut flow = read(&args.flow)?;
    if flow.data.summary().is_empty {
        bail!("the flow has no nodes: there is nothing to run");
    }
    let catalog = catalog(&policy, python)?;
    if let Some(model) = &model {
        flow.data = model.put(&flow.data, &catalog)?;
    }
    let (selection, wanted) = match &args.up_to {
        Some(name) => {
            let id = named(&ungroup(ferro_model::read(&flow.data)), name)?;
            (Selection::UpTo(id.clone()), Wanted::Named(vec![id]))
        }
        None => (Selection::Whole, Wanted::Any),
    };
    let plan = Arc::new(Plan::new(&flow.data, &catalog, &selection)?);
    let meta = Arc::new(Meta::of(&ferro_model::read(&flow.data)));
    let input = match args.input.as_deref() {
        Some("-") => {
            let text = std::io::read_to_string(std::io::stdin()).context("standard input cannot be read")?;
            // As a shell does with what it takes in.
            text.trim_end_matches(['\r', '\n']).to_owned()
        }
        Some(text) => text.to_owned(),
        None => String::new(),
    };
    let mut overrides = Overrides::from_tweaks(&plan, &tweaks(&args.set, &flow.data)?);
    if let Some(refused) = overrides.refused.first() {
        bail!("{refused} cannot be set for a run: it is part of the flow");
    }
    text_inputs(&plan, &mut overrides, &input);
    let limits = Limits {
        run: Duration::from_secs(args.timeout),
        node: Duration::from_secs(args.timeout),
        ..Limits::default()
    };
    let folder = args
        .flow
        .parent()
        .map(std::path::Path::to_owned)
        .unwrap_or_default();
    let host = Arc::new(TerminalHost {
        catalog,
        policy,
        vars: pairs(&args.vars)?,
        model,
        folder,
        limits,
        messages: Mutex::default(),
    });
    let flow_id = flow
        .id
        .unwrap_or_else(|| Uuid::new_v5(&Uuid::NAMESPACE_URL, flow.name.as_bytes()));
    let (handle, work) = start(Start {
        plan: Arc::clone(&plan),
        info: RunInfo {
            run_id: Uuid::now_v7(),
            flow_id,
            flow_name: flow.name,
            session_id: args.session.unwrap_or_else(|| flow_id.to_string()),
            input_value: input.clone(),
            files: args.files,
            webhook: (!input.is_empty()).then(|| input.clone()),
            stack: vec![flow_id],
        },
        overrides,
        host: Arc::clone(&host) as Arc<dyn ferro_engine::Host>,
        log: None,
        limits,
        seeds: Default::default(),
        history: Vec::new(),
    });
    let mut printer = Printer {
        shape: args.output,
        results: Results::new(meta, &wanted).input_value(&input),
        host,
        ended: None,
    };
    let reading = printer.read(handle);
    let (ending, read) = tokio::join!(work, reading);
    drop(ending);
    read?;
    printer.finish()
}

struct Printer {
    shape: Shape,
    results: Results,
    host: Arc<TerminalHost>,
    ended: Option<RunStatus>,
}

impl Printer {
    async fn read(&mut self, handle: Handle) -> anyhow::Result<()> {
        let mut follower = handle.follow(0);
        loop {
            match follower.next().await {
                Followed::Events(events) => {
                    for event in events {
                        self.take_in(&event, &handle).await?;
                    }
                }
                Followed::Behind(seq) => follower.skip_to(seq),
                Followed::End => return Ok(()),
            }
        }
    }

    async fn take_in(&mut self, event: &Event, handle: &Handle) -> anyhow::Result<()> {
        self.results.observe(event);
        if self.shape == Shape::Events {
            let mut line = Vec::new();
            put(&mut line, event);
            line.push(b'\n');
            say(&String::from_utf8_lossy(&line))?;
        }
        match &event.body {
            Body::Message { message, .. } => {
                self.host
                    .messages
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .push((**message).clone());
            }
            Body::Asked {
                request_id, question, ..
            } => {
                let answer = ask(question).await?;
                handle.answer(*request_id, answer);
            }
            Body::RunEnded { status, .. } => self.ended = Some(*status),
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        match self.shape {
            Shape::Json => {
                let mut bytes = Vec::new();
                put(&mut bytes, &self.results.run_response());
                let pretty: Json = serde_json::from_slice(&bytes)?;
                say_json(&pretty)?;
            }
            Shape::Text => {
                for text in self.results.texts() {
                    say(&format!("{text}\n"))?;
                }
            }
            Shape::Events => {}
        }
        if self.ended == Some(RunStatus::Completed) {
            return Ok(());
        }
        match self.results.failure() {
            Some(failure) => {
                let mut text = failure.message.clone();
                for more in [&failure.detail, &failure.advice] {
                    if !more.is_empty() {
                        text = format!("{text}\n  {more}");
                    }
                }
                bail!(text)
            }
            None => bail!("the run ended early"),
        }
    }
}

/// Asks the person at the terminal, or whatever standard input is.
async fn ask(question: &Question) -> anyhow::Result<Answer> {
    eprintln!("{}", question.prompt);
    let said = |option: &Json, key: &str| {
        option
            .get(key)
            .and_then(Json::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let options: Vec<_> = question
        .options
        .iter()
        .map(|option| (said(option, "id"), said(option, "label")))
        .collect();
    for (number, (id, label)) in (1..).zip(&options) {
        eprintln!("  {number}. {}", if label.is_empty() { id } else { label });
    }
    let chosen = loop {
        eprint!("> ");
        let reading = tokio::task::spawn_blocking(|| {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).map(|read| (read, line))
        });
        let (read, line) = reading.await??;
        if read == 0 {
            eprintln!();
            bail!(
                "the flow waits for an answer and standard input has none: run it in a terminal, or pipe the answer in"
            );
        }
        let line = line.trim();
        let number = line.parse::<usize>().ok().map(|number| number.wrapping_sub(1));
        let is_meant = |(at, (id, label)): &(usize, &(String, String))| {
            number == Some(*at) || id.eq_ignore_ascii_case(line) || label.eq_ignore_ascii_case(line)
        };
        match options.iter().enumerate().find(is_meant) {
            Some((_, (id, _))) => break id.clone(),
            None => eprintln!("`{line}` is none of the choices"),
        }
    };
    let mut values = Map::new();
    if question.kind == "effect_unknown" {
        values.insert("kind".to_owned(), json!(question.kind));
    }
    Ok(Answer {
        action_id: chosen,
        values,
    })
}

fn pairs(texts: &[String]) -> anyhow::Result<BTreeMap<String, String>> {
    let split = |text: &String| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => bail!("`{text}` is not NAME=VALUE"),
    };
    texts.iter().map(split).collect()
}

/// The id of the node that has this id or name.
fn named(flow: &Flow<'_>, name: &str) -> anyhow::Result<String> {
    let nodes = || flow.nodes.iter().filter(|node| node.kind != NodeKind::Note);
    let list = |nodes: Vec<&Node<'_>>| {
        let shown = nodes
            .into_iter()
            .map(|node| format!("{} ({})", node.name, node.id));
        shown.collect::<Vec<_>>().join(", ")
    };
    if nodes().any(|node| node.id == name) {
        return Ok(name.to_owned());
    }
    let called: Vec<_> = nodes()
        .filter(|node| node.name.eq_ignore_ascii_case(name))
        .collect();
    match called.as_slice() {
        [node] => Ok(node.id.to_string()),
        [] => bail!(
            "the flow has no node `{name}`; it has {}",
            list(nodes().collect())
        ),
        _ => bail!("several nodes are called `{name}`; say which: {}", list(called)),
    }
}

fn tweaks(texts: &[String], data: &FlowData) -> anyhow::Result<Map<String, Json>> {
    let flow = ungroup(ferro_model::read(data));
    let mut tweaks = Map::new();
    for text in texts {
        let Some((key, value)) = text.split_once('=') else {
            bail!("`{text}` is not NODE.FIELD=VALUE");
        };
        let Some((node, field)) = key.rsplit_once('.') else {
            bail!("`{key}` is not NODE.FIELD");
        };
        let id = named(&flow, node)?;
        let known = flow.nodes.iter().find(|found| found.id == id);
        let Some(known) = known.and_then(|found| found.field(field)) else {
            let fields = known.map_or(&[][..], |found| &found.fields);
            let names = fields
                .iter()
                .filter(|field| field.show && field.r#type != "code")
                .map(|field| &*field.name);
            bail!(
                "{node} has no field `{field}`; it has {}",
                names.collect::<Vec<_>>().join(", ")
            );
        };
        let wire = flow
            .edges
            .iter()
            .find(|edge| edge.target == id && !edge.into_loop() && edge.to.name() == field);
        if let Some(wire) = wire {
            bail!(
                "{key} is filled by a wire from {}, so that a value would be ignored",
                wire.source
            );
        }
        let value = match serde_json::from_str(value) {
            Ok(json) if !is_text(&known.r#type) || known.list => json,
            _ => Json::String(value.to_owned()),
        };
        let fields = tweaks.entry(id).or_insert_with(|| json!({}));
        fields[field] = value;
    }
    Ok(tweaks)
}

/// What is typed into it is meant as it is: `10` and `true` are words.
fn is_text(r#type: &str) -> bool {
    matches!(r#type, "str" | "prompt" | "query" | "link" | "mustache")
}
