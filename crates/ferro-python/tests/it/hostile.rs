//! The hostile programs of `tests/hostile`: none may have an effect outside its worker, each ends within its limit,
//! and whoever comes next finds nothing of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ferro_python::analysis;
use ferro_python::workers::Answer;
use ferro_python::{Host, NoHost, Refusal, Settings, Trouble, Workers};
use libtest_mimic::Trial;
use serde_json::{Value as Json, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::components::node;
use crate::matching::{differs, short};
use crate::program::{Expect, Program, programs};
use crate::traps::Traps;
use crate::workers::{machine_python, settings};

const AT_LEAST: usize = 150;
/// Programs in one test, so that none takes minutes.
const TOGETHER: usize = 25;
const AT_ONCE: usize = 5;
/// For a busy machine, on top of what the program may take.
const PATIENCE: Duration = Duration::from_secs(20);

pub fn list(trials: &mut Vec<Trial>) {
    trials.push(crate::trial("hostile::are_many_and_well_formed", well_formed));
    trials.push(crate::trial("hostile::the_scan_refuses_what_it_must", scan));
    let interpreters = [("built_in", None), ("external", Some(machine_python()))];
    let mut groups: BTreeMap<String, Vec<Program>> = BTreeMap::new();
    for program in programs() {
        groups
            .entry(program.group().to_owned())
            .or_default()
            .push(program);
    }
    for (interpreter, python) in interpreters {
        for (group, programs) in &groups {
            for (number, some) in programs.chunks(TOGETHER).enumerate() {
                let (python, some) = (python.clone(), some.to_vec());
                let name = format!("hostile::{interpreter}::{group}_{}", number + 1);
                trials.push(crate::trial(&name, async move || run_all(python, some).await));
            }
        }
    }
}

async fn well_formed() {
    let all = programs();
    assert!(all.len() >= AT_LEAST, "only {}", all.len());
    for program in &all {
        let known = ["escape", "bomb", "proc", "file", "net", "spoof", "state", "def"];
        assert!(
            known.contains(&program.group()),
            "{}: of no known group",
            program.name
        );
        // It would be found in the trace of an innocent error.
        assert!(
            !program.code.contains("LEAK"),
            "{}: says the word itself",
            program.name
        );
    }
}

async fn scan() {
    let mut passed = Vec::new();
    for program in programs()
        .into_iter()
        .filter(|program| program.expect == Expect::Refused)
    {
        if analysis::scan(&program.code).is_empty() {
            passed.push(format!("{}: {}", program.name, program.about));
        }
    }
    assert!(passed.is_empty(), "these pass the scan:\n{}", passed.join("\n"));
}

async fn run_all(python: Option<std::path::PathBuf>, programs: Vec<Program>) {
    let built_in = python.is_none();
    let mut pools: BTreeMap<u64, Workers> = BTreeMap::new();
    for program in &programs {
        pools.entry(program.seconds).or_insert_with(|| {
            let settings = Settings {
                python: python.clone(),
                seconds: program.seconds,
                ..settings()
            };
            Workers::new(settings)
        });
    }
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let mut tasks = JoinSet::new();
    for program in programs {
        let (workers, turns) = (pools[&program.seconds].clone(), Arc::clone(&turns));
        tasks.spawn(async move {
            let _turn = turns.acquire().await.unwrap();
            // The first start of a pool takes its time; that is not the program's.
            let _ = workers.ask(None, &json!({ "do": "ping" }), &NoHost).await;
            let wrong = Attack {
                workers: &workers,
                program: &program,
                built_in,
            }
            .run()
            .await;
            wrong.map(|what| format!("{}: {what}", program.name))
        });
    }
    let mut wrong: Vec<String> = tasks.join_all().await.into_iter().flatten().collect();
    wrong.sort();
    for workers in pools.values() {
        workers.stop();
    }
    assert!(
        wrong.is_empty(),
        "{} were not held:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let begun = Instant::now();
    while !children().is_empty() {
        assert!(begun.elapsed() < PATIENCE, "processes are left: {}", children());
        tokio::task::yield_now().await;
    }
    assert!(
        !Path::new("/dev/shm/ferro-hostile").exists(),
        "something was left in shared memory"
    );
}

fn children() -> String {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let listed = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok());
    listed.collect::<String>().trim().to_owned()
}

struct Attack<'a> {
    workers: &'a Workers,
    program: &'a Program,
    built_in: bool,
}

impl Attack<'_> {
    async fn run(&self) -> Option<String> {
        let mut traps = Traps::set();
        let code = traps.fill_in(&self.program.code);
        let host = Deaf::default();
        let mut replies = Vec::new();
        let mut requests = vec![json!({ "do": "describe", "code": code }), run_of(&code)];
        if self.program.twice {
            requests.push(run_of(&code));
        }
        if code.contains("def update_build_config") {
            let fields =
                json!({ "fields": [{ "name": "kind", "type": "str", "value": "a" }], "outputs": [] });
            let node = node(&code, &fields, &Json::Null);
            requests.push(json!({ "do": "update", "code": code, "node": node, "field": "kind", "value": "b", "tool_mode": false }));
        }
        for request in &requests {
            let begun = Instant::now();
            replies.push(self.workers.ask(None, request, &host).await);
            let took = begun.elapsed();
            if took > Duration::from_secs(self.program.seconds) + PATIENCE {
                return Some(format!("took {took:?}"));
            }
        }
        self.judge(&replies)
            .or_else(|| {
                host.heard_leak
                    .load(Ordering::Relaxed)
                    .then(|| "an event says that it got out".to_owned())
            })
            .or_else(|| traps.sprung())
            .or(self.what_is_left().await)
    }

    fn judge(&self, replies: &[Result<Json, Trouble>]) -> Option<String> {
        for reply in replies {
            let said = match reply {
                Err(trouble @ (Trouble::Unavailable { .. } | Trouble::Start(_))) => {
                    return Some(trouble.to_string());
                }
                Err(Trouble::Python(error)) => json!(error).to_string(),
                Err(trouble) => trouble.to_string(),
                Ok(result) => result.to_string(),
            };
            if said.contains("LEAK") {
                return Some(said);
            }
            // Through its own descriptors a program under an external interpreter can answer for itself; that is no
            // more than its result may say.
            if self.built_in && said.contains("FORGED") && reply.is_ok() {
                return Some(format!("a forged reply was taken: {said}"));
            }
        }
        let error = replies.iter().find_map(|reply| reply.as_ref().err());
        match (self.program.expect, error) {
            (Expect::Error, None) => Some(format!("no error came, but {}", told(&replies[1]))),
            (_, Some(error)) => {
                let text = error.to_string();
                let unlike = self
                    .program
                    .matching
                    .as_ref()
                    .is_some_and(|wanted| !wanted.is_match(&text));
                unlike.then(|| format!("another error: {text}"))
            }
            (_, None) => self.judge_value(replies),
        }
    }

    fn judge_value(&self, replies: &[Result<Json, Trouble>]) -> Option<String> {
        let value = |number: usize| {
            replies[number]
                .as_ref()
                .ok()
                .map(|result| &result["outputs"]["out"])
        };
        if self.program.twice && value(1) == value(2) {
            return Some(format!("twice the same: {}", told(&replies[1])));
        }
        let wanted = self.program.returns.as_ref()?;
        differs(wanted, value(1), "out")
    }

    /// What the next one sees.
    async fn what_is_left(&self) -> Option<String> {
        let code = include_str!("../hostile/_control.py");
        let request = json!({ "do": "run", "code": code, "fields": { "text": "control 1" }, "outputs": null, "context": {} });
        match self.workers.ask(None, &request, &NoHost).await {
            Ok(result) => differs(
                &json!({ "outputs": { "out": { "text": "clean" } } }),
                Some(&result),
                "the next run",
            ),
            Err(trouble) => Some(format!("the next run failed: {trouble}")),
        }
    }
}

fn run_of(code: &str) -> Json {
    json!({ "do": "run", "code": code, "fields": {}, "outputs": null, "context": { "session_id": "s", "node_id": "n" } })
}

fn told(reply: &Result<Json, Trouble>) -> String {
    reply.as_ref().map_or_else(ToString::to_string, short)
}

/// Gives nothing, and listens only for the word.
#[derive(Default)]
struct Deaf {
    heard_leak: AtomicBool,
}

impl Host for Deaf {
    fn event(&self, event: Json) {
        if event.to_string().contains("LEAK") {
            self.heard_leak.store(true, Ordering::Relaxed);
        }
    }

    fn call<'a>(&'a self, _: Json) -> Answer<'a> {
        Box::pin(async { Err(Refusal::new("refused", "this node may not have that")) })
    }
}
