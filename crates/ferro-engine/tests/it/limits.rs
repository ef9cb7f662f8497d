//! Limits end what would not end, or would not fit.

use expect_test::expect;
use ferro_engine::{Limits, Plan, PlanError, Selection};

use crate::support::{World, begin, block_on, flow, prepare};

fn limited(text: &str, limits: Limits) -> String {
    block_on(async {
        let world = World::new();
        let mut given = prepare(&world, text);
        given.limits = limits;
        begin(&world, given).end().await.trace()
    })
}

#[test]
fn a_node_may_put_out_only_so_much() {
    let limits = Limits {
        output: 2 << 20,
        ..Limits::default()
    };
    expect![[r#"
        start b
        fail b Limit: it put out 3 MB; 2 MB is the most
        start c
        done c xxxxxxxxxxxxxxxxxxxx… (1000)
        skip d blocked
        ended failed: B: it put out 3 MB; 2 MB is the most
    "#]]
    .assert_eq(&limited(
        "b Big in=3145728; c Big in=1000; d Upper; b.out -> d.in",
        limits,
    ));
}

#[test]
fn a_loop_may_have_only_so_many_items() {
    let limits = Limits {
        items: 2,
        ..Limits::default()
    };
    expect![[r#"
        start l
        fail l Limit: the loop has 3 items; 2 is the most
        skip b[0] blocked
        ended failed: L: the loop has 3 items; 2 is the most
    "#]]
    .assert_eq(&limited(
        "l Loop data=abc; b Upper; l.item -> b.in; b.out => l.item",
        limits,
    ));
}

#[test]
fn a_flow_may_have_only_so_many_nodes() {
    let text: String = (0..10_001).map(|n| format!("n{n} Nothing\n")).collect();
    let refused = Plan::new(&flow(&text), &World::new().catalog(), &Selection::Whole)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(refused, PlanError::TooManyNodes(10_001));
}

#[test]
fn two_chat_inputs_are_refused_unless_one_is_fed() {
    let plan = |text: &str| Plan::new(&flow(text), &World::new().catalog(), &Selection::Whole).map(|_| ());
    assert_eq!(
        plan("a ChatInput; b ChatInput"),
        Err(PlanError::SeveralChatInputs(vec!["a".into(), "b".into()]))
    );
    assert_eq!(plan("a ChatInput; b ChatInput; a.out -> b.in"), Ok(()));
}
