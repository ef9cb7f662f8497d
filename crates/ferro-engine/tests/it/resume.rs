//! After a crash a run goes on from wherever its log ends.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use ferro_engine::{At, Body, Event, Outputs, Plan};
use proptest::prelude::*;

use crate::ask::answer;
use crate::support::random::{blocks, text};
use crate::support::{MemoryLog, Past, Run, World, begin, block_on, idle, prepare, start_of, trace};

/// Answers whatever is asked until the run is over.
async fn finish(run: Run, log: &MemoryLog, history: &[Event]) -> Past {
    loop {
        idle().await;
        if run.is_over() {
            return run.end().await;
        }
        let log = log.events();
        for event in history.iter().chain(&log) {
            if let Body::Asked {
                request_id, question, ..
            } = &event.body
            {
                let action = if question.kind == "effect_unknown" {
                    "again"
                } else {
                    "left"
                };
                run.handle.answer(*request_id, answer(action));
            }
        }
    }
}

async fn resume(plan: &Arc<Plan>, history: Vec<Event>, log: &Arc<MemoryLog>) -> Past {
    let mut given = start_of(Arc::clone(plan));
    given.log = Some(log.clone());
    given.history = history.clone();
    given.limits.run = Duration::from_secs(100_000);
    finish(begin(&World::new(), given), log, &history).await
}

fn key(at: &At) -> String {
    format!("{}{:?}", at.node, at.rounds)
}

fn shown(outputs: &Outputs) -> String {
    let values: Vec<_> = outputs
        .values
        .iter()
        .map(|(name, value)| format!("{name}={}", value.to_json()))
        .collect();
    format!("{values:?} stopped {:?}", outputs.stopped)
}

/// Everything that must be the same however often the run was interrupted.
pub fn result(events: &[Event]) -> BTreeMap<String, Vec<String>> {
    let mut result = BTreeMap::<String, Vec<String>>::new();
    for event in events {
        let (key, value) = match &event.body {
            Body::NodeFinished { at, result } => match &result.each {
                Some(items) => (key(at), format!("each {}", items.len())),
                None => (key(at), shown(&result.outputs)),
            },
            Body::NodeFailed { at, failure, .. } => (key(at), failure.to_string()),
            Body::NodeSkipped { at, why } => (key(at), format!("{why:?}")),
            Body::RoundStarted { at, round, .. } => (key(at), format!("round {round}")),
            Body::RunEnded { status, .. } => ("run".to_owned(), format!("{status:?}")),
            _ => continue,
        };
        result.entry(key).or_default().push(value);
    }
    result
}

/// Executions that the events begin but do not end, by their attempt.
fn unfinished(events: &[Event]) -> BTreeMap<String, u32> {
    let mut open = BTreeMap::new();
    for event in events {
        match &event.body {
            Body::NodeStarted { at, attempt } => {
                open.insert(key(at), *attempt);
            }
            Body::NodeFinished { at, .. } | Body::NodeFailed { at, .. } | Body::Asked { at, .. } => {
                open.remove(&key(at));
            }
            _ => {}
        }
    }
    open
}

/// Places a run is taken up from.
const PLACES: usize = 200;

fn goes_on_from_everywhere(text: &str) {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = prepare(&world, text);
        given.log = Some(log.clone());
        let plan = Arc::clone(&given.plan);
        finish(begin(&world, given), &log, &[]).await;
        let whole = log.events();
        let expected = result(&whole);
        // Every place costs a run, so of a run with very many, which are much alike, not all are tried.
        let step = (whole.len() / PLACES).max(1);
        let cuts = (0..=whole.len()).filter(|cut| cut % step == 0 || *cut == whole.len());
        for cut in cuts {
            let history = whole[..cut].to_vec();
            let log = MemoryLog::new();
            let past = resume(&plan, history.clone(), &log).await;
            let mut all = history.clone();
            all.extend(log.events());
            let told = || format!("{text}\ncut at {cut}\n{}--\n{}", trace(&whole), trace(&all));
            assert_eq!(result(&all), expected, "{}", told());
            assert!(!past.ending.lost);
            assert!((1..).zip(&all).all(|(seq, event)| event.seq == seq), "{}", told());
            assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id));
            let mut open = unfinished(&history);
            for event in &log.events() {
                if let Body::NodeStarted { at, attempt } = &event.body {
                    assert_eq!(
                        *attempt,
                        open.remove(&key(at)).unwrap_or(0) + 1,
                        "{} {}",
                        key(at),
                        told()
                    );
                }
            }
            if cut == whole.len() {
                assert!(log.events().is_empty(), "a run that is over stays so");
            }
        }
    });
}

#[test]
fn nodes_that_finished_do_not_run_again() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = prepare(
            &world,
            "a Echo in=x; b Later; c Wait; d Add; a.out -> b.in; b.out -> c.in; c.out -> d.in",
        );
        given.log = Some(log.clone());
        let plan = Arc::clone(&given.plan);
        let run = begin(&world, given);
        run.idle().await;
        let history = log.events();
        drop(run);
        world.ran.lock().unwrap().clear();
        let log = MemoryLog::new();
        let mut given = start_of(plan);
        (given.history, given.log) = (history, Some(log.clone() as Arc<dyn ferro_engine::EventLog>));
        let run = begin(&world, given);
        run.idle().await;
        // The one of the first run is gone, but still in the row.
        world.release("c");
        world.release("c");
        let past = run.end().await;
        expect![[r#"
            resumed
            start c again #2
            done c xbc
            start d
            done d xbcd
            ended completed
        "#]]
        .assert_eq(&past.trace());
        assert_eq!(*world.ran.lock().unwrap(), ["c", "d"]);
    });
}

#[test]
fn from_every_place_of_one_of_each() {
    goes_on_from_everywhere(
        "a Later in=x; r Router go=left; b Later; c Later; a.out -> r.in; r.left -> b.in; r.right -> c.in; f Fail; g Add; f.out -> g.in",
    );
    goes_on_from_everywhere(
        "s Echo in=lr; l Loop; r Router; b Later; s.out -> l.data; l.item -> r.in; l.item -> r.go; r.left -> b.in; b.out => l.item; r.right => l.item",
    );
    goes_on_from_everywhere(
        "s Echo in=ab; l Loop; p Picky not=b; z Add; s.out -> l.data; l.item -> p.in; p.out => l.item; l.done -> z.in",
    );
    goes_on_from_everywhere(
        "s Echo in=x; e Later; u Until size=4; z Upper; s.out -> e.in; e.out -> u.in; u.again -> e.in; u.done -> z.in",
    );
    goes_on_from_everywhere(
        "l Loop data=ab; q Ask; p Effect; l.item -> q.in; q.left -> p.in; p.out => l.item",
    );
}

#[test]
fn a_run_that_was_being_stopped_stays_stopped() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = prepare(
            &world,
            "a Wait; b Echo in=x; c Add; l Loop data=ab; d Wait; a.out -> c.in; l.item -> d.in; d.out => l.item",
        );
        given.log = Some(log.clone());
        let plan = Arc::clone(&given.plan);
        let run = begin(&world, given);
        run.idle().await;
        run.handle.cancel();
        run.end().await;
        let whole = log.events();
        let asked = whole
            .iter()
            .position(|event| matches!(event.body, Body::CancelRequested))
            .unwrap();
        for cut in asked + 1..whole.len() {
            let log = MemoryLog::new();
            resume(&plan, whole[..cut].to_vec(), &log).await;
            let mut all = whole[..cut].to_vec();
            all.extend(log.events());
            assert_eq!(result(&all), result(&whole), "cut at {cut}: {}", trace(&all));
        }
    });
}

#[test]
fn a_question_keeps_its_time_across_a_crash() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = prepare(&world, "q Ask in=x timeout=100");
        given.log = Some(log.clone());
        let plan = Arc::clone(&given.plan);
        let run = begin(&world, given);
        run.idle().await;
        let mut history = log.events();
        drop(run);
        // As if it had been asked a minute ago.
        for event in &mut history {
            event.at -= 60_000_000;
        }
        let log = MemoryLog::new();
        let mut given = start_of(plan);
        given.history = history;
        given.log = Some(log.clone());
        let run = begin(&world, given);
        tokio::time::sleep(Duration::from_secs(39)).await;
        assert!(!run.is_over());
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(run.is_over());
        assert_eq!(run.end().await.text("q"), "x:right");
    });
}

/// Releases whatever waits for the test.
async fn let_go(world: &Arc<World>) {
    idle().await;
    while let Some(first) = world.waiting().first() {
        world.release(first);
        idle().await;
    }
}

/// The run dies after so many of these were said, and another process says the rest.
async fn interrupted(text: &str, before: &[&str], after: &[&str]) -> (Past, Arc<World>) {
    let (world, log) = (World::new(), MemoryLog::new());
    let mut given = prepare(&world, text);
    given.log = Some(log.clone());
    let plan = Arc::clone(&given.plan);
    let run = begin(&world, given);
    for action in before {
        run.idle().await;
        crate::ask::reply(&run.handle, &log.events(), action);
    }
    run.idle().await;
    drop(run);
    // As it comes back from a disk.
    let written = log.events();
    let mut history: Vec<Event> = written
        .iter()
        .map(|event| Event {
            body: serde_json::from_str(&serde_json::to_string(&event.body).unwrap()).unwrap(),
            ..event.clone()
        })
        .collect();
    world.ran.lock().unwrap().clear();
    let log = MemoryLog::new();
    let mut given = start_of(plan);
    given.history.clone_from(&history);
    given.log = Some(log.clone());
    let run = begin(&world, given);
    for action in after {
        let_go(&world).await;
        history.extend(log.events());
        crate::ask::reply(&run.handle, &history, action);
    }
    let_go(&world).await;
    (run.end().await, world)
}

#[test]
fn what_a_node_remembers_outlives_the_process() {
    block_on(async {
        for cut in 0..3 {
            let (before, after) = ["1", "2", "."].split_at(cut);
            let (past, _) = interrupted("g Gather in=x", before, after).await;
            assert_eq!(past.text("g"), "x12.", "after {cut} answers: {}", past.trace());
        }
    });
}

#[test]
fn a_node_that_died_after_its_answer_gets_answer_and_memory_again() {
    block_on(async {
        let (past, world) = interrupted("g Gather in=x pause=2", &["1", "2"], &["."]).await;
        assert_eq!(past.text("g"), "x12.", "{}", past.trace());
        assert_eq!(world.count("g"), 2);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn from_every_place_of_any_flow(blocks in blocks(6)) {
        goes_on_from_everywhere(&text(&blocks, "Later"));
    }
}
