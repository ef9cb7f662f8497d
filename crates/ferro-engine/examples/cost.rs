//! What the engine itself costs: chains and fan-outs of components that do next to nothing, planned and run in
//! memory. `cargo run --release -p ferro-engine --example cost`

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measuring tool prints, and stops when something is wrong"
)]

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferro_engine::{
    Call, Catalog, Component, Event, EventLog, Failure, Limits, NoHost, Outputs, Overrides, Plan, RunInfo,
    RunStatus, Selection, Start, Step, Value, start,
};
use ferro_model::{Descriptor, FieldSpec, FlowData, OutputSpec};
use futures_util::future::BoxFuture;
use serde_json::{Value as Json, json};

struct Pass {
    later: bool,
}

impl Component for Pass {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new(if self.later { "Later" } else { "Pass" }, "Pass")
            .field(FieldSpec::message_text("in", "In").list())
            .output(OutputSpec::new("out", "Out", "out", &["Message"]))
    }

    fn run(&self, call: Call) -> Step {
        let value = call
            .get("in")
            .map(|value| value.into_owned())
            .unwrap_or_else(|| Value::text("x"));
        let outcome = Ok(Outputs::one("out", value));
        if self.later {
            Step::later(async move { outcome })
        } else {
            Step::Now(outcome)
        }
    }
}

/// Takes everything and keeps nothing.
struct Sink;

impl EventLog for Sink {
    fn append<'a>(&'a self, _: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }
}

fn document(kind: &str, count: usize, wires: impl Iterator<Item = (usize, usize)>) -> FlowData {
    let node = Pass {
        later: kind == "Later",
    }
    .descriptor()
    .to_node();
    let nodes: Vec<Json> = (0..count)
        .map(|n| json!({ "id": format!("n{n}"), "type": "genericNode", "data": { "type": kind, "node": node } }))
        .collect();
    let edges: Vec<Json> = wires
        .map(|(from, to)| {
            let (source, target) = (format!("n{from}"), format!("n{to}"));
            json!({ "source": source, "target": target, "data": {
                "sourceHandle": { "id": source, "name": "out", "output_types": ["Message"] },
                "targetHandle": { "id": target, "fieldName": "in", "inputTypes": ["Message"] } } })
        })
        .collect();
    FlowData::parse(&json!({ "nodes": nodes, "edges": edges }).to_string()).unwrap()
}

fn given(plan: &Arc<Plan>, log: Option<Arc<dyn EventLog>>) -> Start {
    Start {
        plan: Arc::clone(plan),
        info: RunInfo::default(),
        overrides: Overrides::default(),
        host: Arc::new(NoHost),
        log,
        limits: Limits::default(),
        seeds: HashMap::new(),
        history: Vec::new(),
    }
}

/// The best of several rounds: what else the machine does only ever makes it slower.
fn best(mut round: impl FnMut() -> Duration) -> Duration {
    (0..7).map(|_| round()).min().unwrap_or_default()
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let catalog = Catalog::new([
        Arc::new(Pass { later: false }) as Arc<dyn Component>,
        Arc::new(Pass { later: true }),
    ]);
    println!(
        "{:<22} {:>12} {:>12} {:>12} {:>12}",
        "flow", "plan µs/node", "run µs/node", "durable", "run total µs"
    );
    let chain = |kind, count| document(kind, count, (1..count).map(|n| (n - 1, n)));
    let mut flows: Vec<(String, usize, FlowData)> = Vec::new();
    for count in [2, 10, 100, 1_000, 2_000] {
        flows.push((format!("chain of {count}"), count, chain("Pass", count)));
    }
    for count in [10, 1_000] {
        flows.push((format!("later chain of {count}"), count, chain("Later", count)));
    }
    let fan = (1..=10).map(|n| (0, n)).chain((1..=10).map(|n| (n, 11)));
    flows.push(("fan-out of 10".to_owned(), 12, document("Pass", 12, fan.clone())));
    flows.push(("later fan-out of 10".to_owned(), 12, document("Later", 12, fan)));
    for (name, count, flow) in flows {
        let turns = (20_000 / count).max(1);
        let per_node = |time: Duration| time.as_secs_f64() * 1e6 / (turns * count) as f64;
        let plans = (2_000 / count).max(1);
        let planning = best(|| {
            let began = Instant::now();
            for _ in 0..plans {
                Plan::new(&flow, &catalog, &Selection::Whole).unwrap();
            }
            began.elapsed()
        });
        let plan = Arc::new(Plan::new(&flow, &catalog, &Selection::Whole).unwrap());
        let run = |log: Option<Arc<dyn EventLog>>| {
            best(|| {
                let began = Instant::now();
                for _ in 0..turns {
                    let (_handle, run) = start(given(&plan, log.clone()));
                    assert_eq!(runtime.block_on(run).status, RunStatus::Completed);
                }
                began.elapsed()
            })
        };
        let (plain, durable) = (run(None), run(Some(Arc::new(Sink))));
        let planned = planning.as_secs_f64() * 1e6 / (plans * count) as f64;
        println!(
            "{name:<22} {planned:>12.2} {:>12.3} {:>12.3} {:>12.1}",
            per_node(plain),
            per_node(durable),
            plain.as_secs_f64() * 1e6 / turns as f64
        );
    }
}
