//! What acts on the outside world is never repeated without asking.

use std::sync::Arc;

use expect_test::expect;
use ferro_engine::{Event, Start};

use crate::ask::reply;
use crate::support::{MemoryLog, World, begin, block_on, prepare, trace};

const FLOW: &str = "a Echo in=x; p Effect wait=after; z Add; a.out -> p.in; p.out -> z.in";

fn given(world: &Arc<World>, log: &Arc<MemoryLog>, history: Vec<Event>) -> Start {
    let mut given = prepare(world, FLOW);
    given.log = Some(log.clone());
    given.history = history;
    given
}

/// A run that died in the middle of the effect.
async fn died(world: &Arc<World>) -> Vec<Event> {
    let log = MemoryLog::new();
    let run = begin(world, given(world, &log, Vec::new()));
    run.idle().await;
    assert_eq!(world.waiting(), ["p"]);
    log.events()
}

#[test]
fn it_is_written_before_it_happens() {
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::held());
        let run = begin(&world, given(&world, &log, Vec::new()));
        log.let_through(1);
        run.idle().await;
        assert!(
            world.effects.lock().unwrap().is_empty(),
            "the log has not answered"
        );
        log.release();
        run.idle().await;
        assert_eq!(*world.effects.lock().unwrap(), ["p"]);
        assert!(trace(&log.events()).ends_with("effect p\n"));
        world.release("p");
        run.end().await;
    });
}

#[test]
fn after_a_crash_a_person_decides_to_repeat_it() {
    block_on(async {
        let world = World::new();
        let history = died(&world).await;
        let log = MemoryLog::new();
        let run = begin(&world, given(&world, &log, history));
        run.idle().await;
        assert_eq!(world.effects.lock().unwrap().len(), 1, "not by itself");
        reply(&run.handle, &log.events(), "again");
        run.idle().await;
        world.release("p");
        world.release("p");
        let past = run.end().await;
        expect![[r#"
            resumed
            ask p effect_unknown
            answer again
            start p again #2
            effect p
            done p xp
            start z
            done z xpz
            ended completed
        "#]]
        .assert_eq(&past.trace());
        assert_eq!(past.text("z"), "xpz");
    });
}

#[test]
fn or_not_to() {
    block_on(async {
        let world = World::new();
        let history = died(&world).await;
        let log = MemoryLog::new();
        let run = begin(&world, given(&world, &log, history));
        run.idle().await;
        reply(&run.handle, &log.events(), "stop");
        expect![[r#"
            resumed
            ask p effect_unknown
            answer stop
            fail p Cancelled: the program stopped … (85)
            skip z blocked
            ended failed: P: the program stopp… (88)
        "#]]
        .assert_eq(&run.end().await.trace());
        assert_eq!(world.effects.lock().unwrap().len(), 1);
    });
}

#[test]
fn a_crash_while_it_asks_or_right_after_the_answer_loses_nothing() {
    block_on(async {
        let world = World::new();
        let mut history = died(&world).await;
        let log = MemoryLog::new();
        let run = begin(&world, given(&world, &log, history.clone()));
        run.idle().await;
        history.extend(log.events());
        drop(run);
        // It waits for the same question, and asks no other.
        let log = MemoryLog::new();
        let run = begin(&world, given(&world, &log, history.clone()));
        run.idle().await;
        assert_eq!(trace(&log.events()), "resumed\n");
        reply(&run.handle, &history, "again");
        run.idle().await;
        let answered: Vec<Event> = log.events().into_iter().take(2).collect();
        assert_eq!(trace(&answered), "resumed\nanswer again\n");
        history.extend(answered);
        drop(run);
        // The answer is known: it is not asked again.
        let log = MemoryLog::new();
        let run = begin(&world, given(&world, &log, history));
        run.idle().await;
        assert_eq!(trace(&log.events()), "resumed\nstart p again #2\neffect p\n");
    });
}

#[test]
fn a_run_that_is_kept_nowhere_acts_too() {
    block_on(async {
        let world = World::new();
        let run = begin(&world, prepare(&world, "p Effect in=x"));
        assert_eq!(run.end().await.text("p"), "xp");
    });
}

#[test]
fn what_a_tool_does_is_the_doing_of_the_node_that_called_it() {
    const AGENT: &str = "p Effect tool wait=after; a UseTools; p.component_as_tool -> a.in";
    let given = |world: &Arc<World>, log: &Arc<MemoryLog>, history: Vec<Event>| {
        let mut given = prepare(world, AGENT);
        given.log = Some(log.clone());
        given.history = history;
        given
    };
    block_on(async {
        let (world, log) = (World::new(), MemoryLog::new());
        let run = begin(&world, given(&world, &log, Vec::new()));
        run.idle().await;
        assert_eq!(*world.effects.lock().unwrap(), ["p"]);
        let history = log.events();
        drop(run);

        let log = MemoryLog::new();
        let run = begin(&world, given(&world, &log, history));
        run.idle().await;
        assert_eq!(world.effects.lock().unwrap().len(), 1, "not by itself");
        let past = trace(&log.events());
        assert!(past.contains("ask a effect_unknown"), "{past}");
    });
}
