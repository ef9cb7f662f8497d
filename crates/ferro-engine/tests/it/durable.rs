//! A durable run is written down before anything follows from it.

use std::sync::Arc;

use ferro_engine::{Cause, Followed, RunStatus, Start};

use crate::support::{MemoryLog, World, begin, block_on, idle, prepare};

fn durable(log: &Arc<MemoryLog>, text: &str) -> (Arc<World>, Start) {
    let world = World::with_log(log);
    let mut given = prepare(&world, text);
    given.log = Some(log.clone());
    (world, given)
}

#[test]
fn a_result_is_safe_before_what_follows_from_it_begins() {
    block_on(async {
        let log = MemoryLog::new();
        let (world, given) = durable(
            &log,
            "a Later in=x; e Echo; b Later; c Later; j Later; a.out -> e.in; e.out -> b.in; a.out -> c.in; b.out -> j.in; c.out -> j.in",
        );
        begin(&world, given).end().await;
        let safe = world.safe.lock().unwrap();
        let was_safe =
            |node: &str, before: &[&str]| before.iter().all(|id| safe[node].iter().any(|done| done == id));
        assert!(was_safe("b", &["a", "e"]) && was_safe("c", &["a"]) && was_safe("j", &["a", "e", "b", "c"]));
    });
}

#[test]
fn a_run_that_never_waits_is_written_once() {
    block_on(async {
        let log = MemoryLog::new();
        let text: String = (0..100).map(|n| format!("n{n} Add\n")).collect();
        let wires: String = (1..100).map(|n| format!("n{}.out -> n{n}.in\n", n - 1)).collect();
        let (world, given) = durable(&log, &(text + &wires));
        let past = begin(&world, given).end().await;
        assert_eq!(past.ending.status, RunStatus::Completed);
        assert_eq!(log.appends(), 1);
        assert_eq!(log.events().len(), 203);
    });
}

#[test]
fn a_run_that_never_waits_does_not_pile_up_without_end() {
    block_on(async {
        let log = MemoryLog::new();
        let (world, given) = durable(
            &log,
            &format!(
                "l Loop data={}; b Upper; l.item -> b.in; b.out => l.item",
                "x".repeat(2000)
            ),
        );
        assert_eq!(begin_unread(given).await, RunStatus::Completed);
        assert!(log.appends() > 3, "{}", log.appends());
        assert_eq!(world.count("b"), 2000);
    });
}

async fn begin_unread(given: Start) -> RunStatus {
    let (_handle, run) = ferro_engine::start(given);
    run.await.status
}

#[test]
fn readers_never_see_what_is_not_written() {
    block_on(async {
        let log = MemoryLog::held();
        let (_world, given) = durable(&log, "a Echo in=x; b Later; a.out -> b.in");
        let (handle, run) = ferro_engine::start(given);
        let mut reader = handle.follow(0);
        let running = tokio::spawn(run);
        for _ in 0..3 {
            idle().await;
            let last = log.events().last().map_or(0, |event| event.seq);
            while let Some(Followed::Events(_)) = reader.now() {}
            assert_eq!(reader.seq(), last, "exactly what is written");
            log.let_through(1);
        }
        running.await.unwrap();
        while let Some(Followed::Events(_)) = reader.now() {}
        assert_eq!(reader.seq(), log.events().last().unwrap().seq);
    });
}

#[test]
fn what_finished_is_shown_although_others_go_on() {
    block_on(async {
        let log = MemoryLog::new();
        let (world, given) = durable(&log, "a Wait; b Wait");
        let run = begin(&world, given);
        run.idle().await;
        world.release("a");
        run.idle().await;
        assert_eq!(log.finished(), ["a"]);
        world.release("b");
        run.end().await;
    });
}

#[test]
fn others_go_on_while_the_log_is_slow() {
    block_on(async {
        let log = MemoryLog::held();
        let (world, given) = durable(&log, "a Wait; b Wait; c Add; b.out -> c.in");
        let run = begin(&world, given);
        log.let_through(1);
        run.idle().await;
        world.release("a");
        run.idle().await;
        // The result of a is being written. b ends meanwhile, but nothing follows from it yet.
        world.release("b");
        run.idle().await;
        assert!(log.finished().is_empty());
        log.release();
        assert_eq!(run.end().await.text("c"), "bc");
    });
}

#[test]
fn a_log_that_fails_ends_the_run_as_lost_and_nothing_more_runs() {
    block_on(async {
        for good in 0..3 {
            let log = MemoryLog::failing_after(good);
            let (world, given) = durable(
                &log,
                "a Later in=x; b Later; c Later; a.out -> b.in; b.out -> c.in; w Wait",
            );
            let past = begin(&world, given).end().await;
            assert!(past.ending.lost);
            assert_eq!(past.ending.failure.unwrap().cause, Cause::Outside);
            let polled = world.safe.lock().unwrap().keys().filter(|id| *id != "w").count();
            assert_eq!(polled, good, "work whose cause is not written is never polled");
            assert_eq!(
                past.events.len(),
                log.events().len(),
                "and nothing is shown that is not written"
            );
            let left = world.dropped.lock().unwrap().len();
            assert_eq!(left, usize::from(good > 0), "what ran is cut off");
        }
    });
}

#[test]
fn numbers_have_no_gaps_and_ids_grow() {
    block_on(async {
        let log = MemoryLog::new();
        let (world, given) = durable(
            &log,
            "a Speak in=x; b Later; c Fail; l Loop data=ab; d Later; l.item -> d.in; d.out => l.item; a.out -> b.in",
        );
        let past = begin(&world, given).end().await;
        for (place, event) in (1..).zip(&past.events) {
            assert_eq!(event.seq, place);
        }
        assert!(past.events.windows(2).all(|pair| pair[0].id < pair[1].id));
        assert_eq!(log.events().len(), past.events.len());
    });
}
