//! A run can be stopped at any time.

use expect_test::expect;

use crate::support::{MemoryLog, World, begin, block_on, prepare};

#[test]
fn what_waits_is_cut_off_and_what_has_not_begun_does_not() {
    block_on(async {
        let world = World::new();
        let run = begin(
            &world,
            prepare(&world, "a Wait; b Wait; e Echo in=x; c Add; a.out -> c.in"),
        );
        run.idle().await;
        run.handle.cancel();
        let past = run.end().await;
        expect![[r#"
            start a
            start b
            start e
            done e x
            cancel
            fail a Cancelled: the run was stopped
            fail b Cancelled: the run was stopped
            skip c cancelled
            ended cancelled
        "#]]
        .assert_eq(&past.trace());
        let mut dropped = world.dropped.lock().unwrap().clone();
        dropped.sort();
        assert_eq!(dropped, ["a", "b"]);
    });
}

#[test]
fn a_run_after_it_is_not_affected() {
    block_on(async {
        let world = World::new();
        let plan = prepare(&world, "a Wait; c Add; a.out -> c.in").plan;
        let first = begin(&world, crate::support::start_of(plan.clone()));
        first.idle().await;
        first.handle.cancel();
        first.end().await;
        let second = begin(&world, crate::support::start_of(plan));
        second.idle().await;
        // The first one's place in the row is still there; its future is gone.
        world.release("a");
        world.release("a");
        assert_eq!(second.end().await.text("c"), "ac");
    });
}

#[test]
fn a_run_that_is_stopped_before_it_begins_does_nothing() {
    block_on(async {
        let world = World::new();
        let run = begin(&world, prepare(&world, "e Echo in=x; c Add; e.out -> c.in"));
        run.handle.cancel();
        expect![[r#"
            cancel
            skip e cancelled
            skip c cancelled
            ended cancelled
        "#]]
        .assert_eq(&run.end().await.trace());
        assert!(world.ran.lock().unwrap().is_empty());
    });
}

#[test]
fn a_loop_that_never_waits_can_be_stopped() {
    block_on(async {
        let world = World::new();
        let text = format!(
            "l Loop data={}; b Upper; l.item -> b.in; b.out => l.item",
            "x".repeat(5000)
        );
        let run = begin(&world, prepare(&world, &text));
        let handle = run.handle.clone();
        while world.count("b") < 100 {
            tokio::task::yield_now().await;
        }
        handle.cancel();
        let past = run.end().await;
        assert!(past.trace().ends_with("ended cancelled\n"));
        assert!(world.count("b") < 500, "{}", world.count("b"));
    });
}

#[test]
fn work_is_cut_off_even_while_the_log_hangs() {
    block_on(async {
        let log = MemoryLog::held();
        let world = World::new();
        let mut given = prepare(&world, "a Wait; b Wait; c Add; b.out -> c.in");
        given.log = Some(log.clone());
        let run = begin(&world, given);
        log.let_through(1);
        run.idle().await;
        world.release("b");
        run.idle().await;
        assert!(!run.is_over(), "the result of b is being written");
        run.handle.cancel();
        run.idle().await;
        assert_eq!(*world.dropped.lock().unwrap(), ["a"]);
        log.release();
        assert!(run.end().await.trace().ends_with("ended cancelled\n"));
    });
}

#[test]
fn components_are_told_when_the_run_is_over_or_dropped() {
    block_on(async {
        let world = World::new();
        let (handle, run) = ferro_engine::start(prepare(&world, "a Wait"));
        let running = tokio::spawn(run);
        crate::support::idle().await;
        running.abort();
        crate::support::idle().await;
        assert_eq!(*world.dropped.lock().unwrap(), ["a"]);
        assert!(
            !handle.answer(uuid::Uuid::nil(), ferro_engine::Answer::default()),
            "the run is over"
        );
    });
}

#[test]
fn a_node_may_say_what_it_has() {
    block_on(async {
        let world = World::new();
        let run = begin(&world, prepare(&world, "a LastWords; b Wait"));
        run.idle().await;
        run.handle.cancel();
        let past = run.end().await;
        let trace = past.trace();
        let (said, cut) = (trace.find("so far"), trace.find("cancel\n"));
        assert!(said.is_some() && said < cut, "{trace}");
    });
}
