//! What a run says about itself never holds a secret.

use std::sync::Arc;

use expect_test::expect;

use crate::support::{World, begin, block_on, prepare};
use crate::variables::Vault;

fn said(text: &str) -> String {
    block_on(async {
        let world = World::new();
        let mut given = prepare(&world, text);
        given.host = Arc::new(Vault::default());
        let past = begin(&world, given).end().await;
        let events = serde_json::to_string(&past.events).unwrap();
        let all = format!("{events} {:?}", past.ending);
        assert!(
            !all.contains("sk-very-secret") && !all.contains("typed-in"),
            "{all}"
        );
        past.trace()
    })
}

#[test]
fn failures_do_not_show_what_a_password_field_holds() {
    expect![[r#"
        start a
        fail a Outside: refused ******** ({"key":"********"})
        ended failed: A: refused ******** ({"key":"********"})
    "#]]
    .assert_eq(&said("a Secret key=typed-in how=fail"));
    expect![[r#"
        start a
        fail a Outside: refused ******** ({"key":"********"})
        ended failed: A: refused ******** ({"key":"********"})
    "#]]
    .assert_eq(&said("a Secret key=$KEY how=fail"));
}

#[test]
fn nor_do_logs_and_what_a_node_shows() {
    expect![[r#"
        start a
        log a said {"header":["Bearer ********"]}
        done a ok
        ended completed
    "#]]
    .assert_eq(&said("a Secret key=$KEY how=log"));
    assert!(said("a Secret key=$KEY").ends_with("ended completed\n"));
}

#[test]
fn nor_is_an_agent_told_when_a_tool_fails() {
    expect![[r#"
        start t
        done t out
        start a
        done a refused ******** {"key":"********"} change ********
        ended completed
    "#]]
    .assert_eq(&said(
        "t Secret tool key=$KEY how=fail; a TryTools; t.component_as_tool -> a.in",
    ));
}

#[test]
fn nor_does_another_node_that_was_handed_it() {
    block_on(async {
        let world = World::new();
        // The secret of `a` is known once `a` runs; `f` fails with the same text.
        let given = prepare(&world, "a Secret key=typed-in; f Fail in=typed-in; a ~> f");
        let past = begin(&world, given).end().await;
        assert!(
            past.trace().contains("fail f Outside: no: ********"),
            "{}",
            past.trace()
        );
    });
}

#[test]
fn short_ones_are_no_secrets() {
    let trace = said("a Secret key=abc how=fail");
    assert!(trace.contains("refused abc"), "{trace}");
}
