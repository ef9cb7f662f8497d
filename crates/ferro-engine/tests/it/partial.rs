//! A part of a flow can be run by itself.

use std::sync::Arc;

use ferro_engine::{Plan, PlanError, Selection};

use crate::support::{World, begin, block_on, flow, start_of};

const FLOW: &str = "a Add in=x; b Add; c Add; d Add; o Add in=y; p Add; t Echo tool
    a.out -> b.in; b.out -> c.in; c.out -> d.in; o.out -> p.in; o.out -> c.in";

fn ran(text: &str, selection: Selection) -> Vec<String> {
    block_on(async {
        let world = World::new();
        let plan = Plan::new(&flow(text), &world.catalog(), &selection).unwrap();
        begin(&world, start_of(Arc::new(plan))).end().await;
        let mut ran = world.ran.lock().unwrap().clone();
        ran.sort();
        ran
    })
}

#[test]
fn up_to_a_node_is_that_node_and_what_it_needs() {
    assert_eq!(ran(FLOW, Selection::UpTo("c".into())), ["a", "b", "c", "o"]);
    assert_eq!(ran(FLOW, Selection::UpTo("a".into())), ["a"]);
}

#[test]
fn from_a_node_is_what_follows_and_what_that_needs() {
    assert_eq!(ran(FLOW, Selection::From("b".into())), ["a", "b", "c", "d", "o"]);
    assert_eq!(ran(FLOW, Selection::From("p".into())), ["o", "p"]);
}

#[test]
fn a_node_in_a_loop_needs_the_loop() {
    let text = "s Echo in=ab; l Loop; b Upper; z Add; s.out -> l.data; l.item -> b.in; b.out => l.item; l.done -> z.in";
    assert_eq!(ran(text, Selection::UpTo("b".into())), ["b", "b", "l", "l", "s"]);
}

#[test]
fn a_node_that_is_not_there_is_refused() {
    let refused = Plan::new(
        &flow(FLOW),
        &World::new().catalog(),
        &Selection::UpTo("nobody".into()),
    );
    assert_eq!(refused.map(|_| ()), Err(PlanError::NoSuchNode("nobody".into())));
}

#[test]
fn a_tool_that_nobody_uses_is_left_out_unless_it_is_asked_for() {
    assert_eq!(ran(FLOW, Selection::Whole).len(), 6);
    let plan = Plan::new(&flow(FLOW), &World::new().catalog(), &Selection::UpTo("t".into())).unwrap();
    assert!(plan.node("t").is_some());
}
