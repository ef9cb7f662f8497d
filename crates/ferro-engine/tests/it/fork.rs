//! A fork takes over what came before a node and runs the rest anew.

use expect_test::expect;
use ferro_engine::{Overrides, reusable};
use serde_json::json;

use crate::support::{Past, World, begin, block_on, prepare};

/// Runs a flow, then again from a node with a field changed.
fn forked(text: &str, from: Option<&str>, tweaks: serde_json::Value) -> (Past, std::sync::Arc<World>) {
    block_on(async {
        let world = World::new();
        let first = begin(&world, prepare(&world, text)).end().await;
        world.ran.lock().unwrap().clear();
        let mut given = prepare(&world, text);
        given.seeds = reusable(&given.plan, &first.events, from);
        given.overrides = Overrides::from_tweaks(&given.plan, tweaks.as_object().unwrap());
        (begin(&world, given).end().await, world)
    })
}

const CHAIN: &str =
    "a Add in=x; b Add; c Join b=1; d Add; o Add in=y; a.out -> b.in; b.out -> c.a; c.out -> d.in";

#[test]
fn what_comes_before_is_taken_over() {
    let (past, world) = forked(CHAIN, Some("c"), json!({ "c": { "b": "2" } }));
    expect![[r#"
        reuse a xa
        reuse o yo
        reuse b xab
        start c
        done c xab+2
        start d
        done d xab+2d
        ended completed
    "#]]
    .assert_eq(&past.trace());
    assert_eq!(*world.ran.lock().unwrap(), ["c", "d"]);
}

#[test]
fn without_a_node_everything_is_taken_over() {
    let (past, world) = forked(CHAIN, None, json!({}));
    assert_eq!(past.text("d"), "xab+1d");
    assert!(world.ran.lock().unwrap().is_empty());
}

#[test]
fn a_branch_that_was_not_taken_stays_so() {
    let (past, world) = forked(
        "r Router in=x go=left; a Add; b Add; r.left -> a.in; r.right -> b.in; z Add; a.out -> z.in",
        Some("z"),
        json!({}),
    );
    expect![[r#"
        reuse r x | x
        reuse a xa
        skip b inactive
        start z
        done z xaz
        ended completed
    "#]]
    .assert_eq(&past.trace());
    assert_eq!(*world.ran.lock().unwrap(), ["z"]);
}

#[test]
fn a_loop_before_it_is_taken_over_and_one_around_it_runs_as_a_whole() {
    let text = "s Echo in=ab; l Loop; b Upper; z Add; s.out -> l.data; l.item -> b.in; b.out => l.item; l.done -> z.in";
    let (past, world) = forked(text, Some("z"), json!({}));
    assert_eq!(
        (past.text("z").as_str(), world.ran.lock().unwrap().clone()),
        ("[A B]z", vec!["z".to_owned()])
    );
    let (past, world) = forked(text, Some("b"), json!({}));
    assert_eq!(
        (past.text("z").as_str(), world.count("b"), world.count("s")),
        ("[A B]z", 2, 0)
    );
}

#[test]
fn a_loop_whose_body_left_something_behind_runs_again() {
    let text = "s Echo in=ab; l Loop; b Upper; j Join; z Add; s.out -> l.data; l.item -> b.in; b.out => l.item; l.done -> j.a; b.out -> j.b; j.out -> z.in";
    let (past, world) = forked(text, Some("j"), json!({}));
    assert_eq!((past.text("z").as_str(), world.count("b")), ("[A B]+Bz", 2));
}

#[test]
fn a_fork_asks_again_and_remembers_nothing() {
    use crate::ask::reply;
    use crate::support::MemoryLog;

    block_on(async {
        let (world, text) = (World::new(), "a Add in=x; g Gather; a.out -> g.in");
        let mut history = Vec::new();
        for said in [["1", "."], ["2", "."]] {
            let log = MemoryLog::new();
            let mut given = prepare(&world, text);
            given.seeds = reusable(&given.plan, &history, Some("g"));
            given.log = Some(log.clone());
            let run = begin(&world, given);
            for action in said {
                run.idle().await;
                reply(&run.handle, &log.events(), action);
            }
            assert_eq!(run.end().await.text("g"), format!("xa{}.", said[0]));
            history = log.events();
        }
        assert_eq!((world.count("a"), world.count("g")), (1, 6));
    });
}

#[test]
fn what_failed_runs_again() {
    let (past, world) = forked(
        "a Add in=x; f Picky not=xa; z Add; a.out -> f.in; f.out -> z.in",
        Some("f"),
        json!({ "f": { "not": "-" } }),
    );
    assert_eq!((past.text("z").as_str(), world.count("a")), ("xaz", 0));
}
