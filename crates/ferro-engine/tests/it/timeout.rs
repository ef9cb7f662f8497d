//! A node and a run may take only so long.

use std::time::Duration;

use expect_test::expect;
use ferro_engine::Limits;

use crate::support::{World, begin, block_on, prepare};

fn limited(text: &str, run: u64, node: u64) -> (String, Vec<String>) {
    block_on(async {
        let world = World::new();
        let mut given = prepare(&world, text);
        given.limits = Limits {
            run: Duration::from_secs(run),
            node: Duration::from_secs(node),
            ..Limits::default()
        };
        let trace = begin(&world, given).end().await.trace();
        let dropped = world.dropped.lock().unwrap().clone();
        (trace, dropped)
    })
}

#[test]
fn a_node_that_takes_too_long_fails_and_its_siblings_do_not() {
    let (trace, dropped) = limited("a Wait; b Sleep in=8; c Add; a.out -> c.in", 60, 5);
    // b sleeps longer than a node may, too.
    expect![[r#"
        start a
        start b
        fail a Timeout: it took longer than 5 s
        skip c blocked
        fail b Timeout: it took longer than 5 s
        ended failed: A: it took longer than 5 s
    "#]]
    .assert_eq(&trace);
    assert_eq!(dropped, ["a"], "what it waited for is let go");
}

#[test]
fn a_run_that_takes_too_long_ends() {
    let (trace, dropped) = limited("a Wait; b Sleep in=1; c Add; a.out -> c.in", 10, 60);
    expect![[r#"
        start a
        start b
        done b slept
        cancel
        fail a Timeout: the run ran out of time
        skip c cancelled
        ended timed_out: the run took longer than 10 s
    "#]]
    .assert_eq(&trace);
    assert_eq!(dropped, ["a"]);
}

#[test]
fn a_run_that_never_waits_ends_in_time_too() {
    // Virtual time stands still while it computes, so no time at all is allowed.
    let text = format!(
        "l Loop data={}; b Upper; l.item -> b.in; b.out => l.item",
        "x".repeat(1000)
    );
    let (trace, _) = limited(&text, 0, 60);
    assert!(
        trace.ends_with("ended timed_out: the run took longer than 0 s\n"),
        "{trace}"
    );
    assert!(trace.lines().count() < 300, "it is noticed soon");
}

#[test]
fn what_a_node_left_running_elsewhere_is_told_when_its_time_is_up() {
    block_on(async {
        let world = World::new();
        let mut given = prepare(&world, "d Detached; q Ask");
        given.limits.node = Duration::from_secs(5);
        let run = begin(&world, given);
        tokio::time::sleep(Duration::from_secs(4)).await;
        assert!(world.effects.lock().unwrap().is_empty());
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(!run.is_over(), "the question is still open");
        assert_eq!(*world.effects.lock().unwrap(), ["told"]);
    });
}
