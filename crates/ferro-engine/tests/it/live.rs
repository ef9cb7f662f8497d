//! Values that live only in a process are made again after a crash, and nobody hears of it.

use std::sync::Arc;

use expect_test::expect;

use crate::support::{MemoryLog, Past, World, begin, block_on, prepare, start_of, trace};

/// Runs until everything waits, dies, and goes on.
fn died(text: &str) -> (Past, Arc<World>) {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let mut given = prepare(&world, text);
        given.log = Some(log.clone());
        let plan = Arc::clone(&given.plan);
        let run = begin(&world, given);
        run.idle().await;
        let history = log.events();
        assert!(trace(&history).contains("live"), "{}", trace(&history));
        drop(run);
        world.ran.lock().unwrap().clear();
        let log = MemoryLog::new();
        let mut given = start_of(plan);
        given.history = history;
        given.log = Some(log.clone());
        let run = begin(&world, given);
        run.idle().await;
        while !world.waiting().is_empty() {
            let first = world.waiting()[0].clone();
            world.release(&first);
            run.idle().await;
        }
        (run.end().await, world)
    })
}

#[test]
fn who_made_it_runs_again_before_who_needs_it() {
    let (past, world) =
        died("e Echo in=x; m Model; u UseModel; z Add; e.out -> m.in; m.out -> u.in; u.out -> z.in");
    expect![[r#"
        resumed
        start u again #2
        done u used x
        start z
        done z used xz
        ended completed
    "#]]
    .assert_eq(&past.trace());
    assert_eq!(*world.ran.lock().unwrap(), ["m", "u", "z"]);
}

#[test]
fn what_it_was_made_from_is_made_again_first() {
    let (past, world) =
        died("m Model in=x; w Wrap; u UseModel; v UseModel; m.out -> w.in; w.out -> u.in; m.out -> v.in");
    assert_eq!(
        (past.text("u").as_str(), past.text("v").as_str()),
        ("used wrapped x", "used x"),
        "{}",
        past.trace()
    );
    assert_eq!((world.count("m"), world.count("w")), (1, 1));
}

#[test]
fn a_tool_is_made_again() {
    let (past, _) = died("t Upper tool; u Wait; a UseTools; t.component_as_tool -> a.in; u ~> a");
    assert_eq!(past.text("a"), "out=ASKED", "{}", past.trace());
}

#[test]
fn who_does_not_need_the_living_part_does_not_wait_for_it() {
    let (past, world) = died("m Model in=x; u Wait; m.name -> u.in");
    assert_eq!(past.text("u"), "modelu");
    assert_eq!(world.count("m"), 0);
}
