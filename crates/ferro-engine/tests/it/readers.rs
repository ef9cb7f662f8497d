//! Readers of a run: slow ones, late ones, and those that come back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ferro_engine::{Event, Followed, Follower, RunStatus, start};

use crate::support::{MemoryLog, World, block_on, idle, prepare};

/// As many events as the engine keeps.
const KEPT: usize = 1024;

async fn all(mut follower: Follower) -> Vec<Arc<Event>> {
    let mut events = Vec::new();
    loop {
        match follower.next().await {
            Followed::Events(more) => events.extend(more),
            Followed::Behind(_) => panic!("not behind"),
            Followed::End => return events,
        }
    }
}

fn gap_free(events: &[Arc<Event>], after: u64) {
    assert!((after + 1..).zip(events).all(|(seq, event)| event.seq == seq));
}

#[test]
fn a_late_reader_gets_everything_from_the_start() {
    block_on(async {
        let world = World::new();
        let (handle, run) = start(prepare(&world, "a Add in=x; b Add; a.out -> b.in"));
        run.await;
        let events = all(handle.follow(0)).await;
        assert_eq!(events.len(), 7);
        gap_free(&events, 0);
    });
}

#[test]
fn an_early_reader_does_not_take_from_a_late_one() {
    block_on(async {
        let world = World::new();
        let (handle, run) = start(prepare(&world, "a Add in=x; b Wait; a.out -> b.in"));
        let mut early = handle.follow(0);
        let running = tokio::spawn(run);
        idle().await;
        assert!(matches!(early.now(), Some(Followed::Events(_))));
        let late = tokio::spawn(all(handle.follow(0)));
        idle().await;
        world.release("b");
        running.await.unwrap();
        assert_eq!(late.await.unwrap().len(), 7);
    });
}

#[test]
fn one_that_comes_back_misses_and_repeats_nothing() {
    block_on(async {
        for durable in [false, true] {
            let world = World::new();
            let mut given = prepare(&world, "a Chatter in=50; b Add; a.out -> b.in");
            if durable {
                given.log = Some(MemoryLog::new());
            }
            let (handle, run) = start(given);
            let running = tokio::spawn(run);
            let (mut seen, mut seq) = (Vec::new(), 0);
            loop {
                let mut reader = handle.follow(seq);
                match reader.next().await {
                    Followed::Events(more) => {
                        // Only the first of them is taken; then the line breaks.
                        seq = more[0].seq;
                        seen.push(Arc::clone(&more[0]));
                    }
                    Followed::Behind(_) => panic!("not behind"),
                    Followed::End => break,
                }
            }
            running.await.unwrap();
            gap_free(&seen, 0);
            assert_eq!(seen.len() as u64, handle.last_seq());
        }
    });
}

#[test]
fn a_number_that_is_not_there_yet_or_never_will_be_is_waited_for() {
    block_on(async {
        let world = World::new();
        let (handle, run) = start(prepare(&world, "a Echo in=x"));
        let (mut late, mut never) = (handle.follow(3), handle.follow(u64::MAX));
        run.await;
        let Followed::Events(events) = late.next().await else {
            panic!("the rest")
        };
        assert_eq!(events[0].seq, 4);
        assert!(matches!(never.next().await, Followed::End));
    });
}

#[test]
fn a_slow_reader_of_a_durable_run_is_told_what_it_missed_and_does_not_hold_it_up() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = prepare(&world, "a Chatter in=3000");
        given.log = Some(log.clone());
        let (handle, run) = start(given);
        let mut slow = handle.follow(0);
        assert_eq!(run.await.status, RunStatus::Completed);
        let last = handle.last_seq();
        let Some(Followed::Behind(missed)) = slow.now() else {
            panic!("it is behind")
        };
        assert_eq!(missed, last - 2 * KEPT as u64, "no more is kept");
        let read: Vec<Event> = log
            .events()
            .into_iter()
            .take_while(|event| event.seq <= missed)
            .collect();
        slow.skip_to(read.last().unwrap().seq);
        let rest = all(slow).await;
        assert_eq!(rest.len(), 2 * KEPT);
        gap_free(&rest, missed);
    });
}

#[test]
fn a_reader_that_keeps_up_with_a_run_that_never_waits_is_not_behind() {
    block_on(async {
        let world = World::new();
        let text = format!(
            "l Loop data={}; b Upper; l.item -> b.in; b.out => l.item",
            "x".repeat(2000)
        );
        let mut given = prepare(&world, &text);
        given.log = Some(MemoryLog::new());
        let (handle, run) = start(given);
        let reader = tokio::spawn(all(handle.follow(0)));
        let running = tokio::spawn(run);
        gap_free(&reader.await.unwrap(), 0);
        running.await.unwrap();
    });
}

#[test]
fn a_slow_reader_of_a_run_that_is_kept_nowhere_slows_it_down() {
    block_on(async {
        for text in [
            "a Chatter in=5000",
            &format!(
                "l Loop data={}; b Upper; l.item -> b.in; b.out => l.item",
                "x".repeat(2000)
            ),
        ] {
            let world = World::new();
            let (handle, run) = start(prepare(&world, text));
            let mut slow = handle.follow(0);
            let running = tokio::spawn(run);
            let mut total = 0;
            loop {
                idle().await;
                let kept = handle.last_seq() - slow.seq();
                // A few more than it should: what one step says is not held back.
                assert!(kept <= KEPT as u64 + 256, "{kept}");
                match slow.next().await {
                    Followed::Events(events) => total += events.len() as u64,
                    Followed::Behind(_) => panic!("nothing is dropped that was not read"),
                    Followed::End => break,
                }
            }
            assert_eq!(running.await.unwrap().status, RunStatus::Completed);
            assert_eq!(total, handle.last_seq());
        }
    });
}

#[test]
fn a_reader_that_goes_away_lets_the_run_go_on() {
    block_on(async {
        let world = World::new();
        let (handle, run) = start(prepare(&world, "a Chatter in=5000"));
        let stalled = handle.follow(0);
        let running = tokio::spawn(run);
        idle().await;
        assert!(!running.is_finished());
        drop(stalled);
        assert_eq!(running.await.unwrap().status, RunStatus::Completed);
    });
}

#[test]
fn a_run_held_up_by_a_reader_can_be_stopped_and_ends_in_time() {
    block_on(async {
        let world = World::new();
        let (handle, run) = start(prepare(&world, "a Chatter in=5000"));
        let _stalled = handle.follow(0);
        let running = tokio::spawn(run);
        idle().await;
        handle.cancel();
        assert_eq!(running.await.unwrap().status, RunStatus::Cancelled);
        let (handle, run) = start(prepare(&world, "a Chatter in=5000"));
        let _stalled = handle.follow(0);
        assert_eq!(run.await.status, RunStatus::TimedOut);
    });
}

#[test]
fn nothing_is_said_after_the_end() {
    block_on(async {
        let world = World::new();
        let (handle, run) = start(prepare(&world, "a Echo in=x"));
        run.await;
        let events = all(handle.follow(0)).await;
        assert!(matches!(
            events.last().unwrap().body,
            ferro_engine::Body::RunEnded { .. }
        ));
    });
}

/// Many readers and runs on several threads: whoever waits is woken.
#[test]
fn no_wake_up_is_lost() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let world = World::new();
        let plan = prepare(
            &world,
            "a Chatter in=40; b Later; c Later; a.out -> b.in; a.out -> c.in",
        )
        .plan;
        let read = Arc::new(AtomicU64::new(0));
        for turn in 0..300 {
            let mut given = crate::support::start_of(Arc::clone(&plan));
            if turn % 2 == 0 {
                given.log = Some(MemoryLog::new());
            }
            let (handle, run) = start(given);
            let readers: Vec<_> = (0..3)
                .map(|_| {
                    let (follower, read) = (handle.follow(0), Arc::clone(&read));
                    tokio::spawn(async move {
                        let events = all(follower).await;
                        gap_free(&events, 0);
                        read.fetch_add(events.len() as u64, Ordering::Relaxed);
                    })
                })
                .collect();
            tokio::spawn(run).await.unwrap();
            for reader in readers {
                tokio::time::timeout(std::time::Duration::from_secs(20), reader)
                    .await
                    .expect("woken")
                    .unwrap();
            }
        }
        assert_eq!(read.load(Ordering::Relaxed) % 900, 0);
    });
}
