//! A failure fails its branch and nothing else.

use expect_test::expect;
use ferro_engine::Cause;

use crate::support::{block_on, check, run};

#[test]
fn siblings_finish_and_what_depends_on_it_does_not_run() {
    check(
        "f Fail in=x; a Add; b Add; e Echo in=y; c Add; f.out -> a.in; a.out -> b.in; e.out -> c.in",
        expect![[r#"
            start f
            fail f Outside: no: x (said so)
            start e
            done e y
            skip a blocked
            skip b blocked
            start c
            done c yc
            ended failed: F: no: x (said so)
        "#]],
    );
}

#[test]
fn the_run_says_which_node_why_and_what_to_do() {
    block_on(async {
        let past = run("f Fail in=x").await;
        let failure = past.ending.failure.unwrap();
        assert_eq!(failure.cause, Cause::Outside);
        assert_eq!(
            (
                failure.message.as_str(),
                failure.advice.as_str(),
                failure.detail.as_str()
            ),
            ("F: no: x", "Try again.", "said so")
        );
    });
}

#[test]
fn the_first_failure_is_the_one_of_the_run() {
    check(
        "f Fail in=1; g Fail in=2; h FailLater in=3",
        expect![[r#"
        start f
        fail f Outside: no: 1 (said so)
        start g
        fail g Outside: no: 2 (said so)
        start h
        fail h Outside: no: 3
        ended failed: F: no: 1 (said so)
    "#]],
    );
}

#[test]
fn a_component_that_panics_fails_its_node_only() {
    check(
        "p Panic; q PanicLater; e Echo in=y; a Add; p.out -> a.in",
        expect![[r#"
        start p
        fail p Internal: the component stopped unexpectedly
        start q
        start e
        done e y
        skip a blocked
        fail q Internal: the component stopped unexpectedly
        ended failed: P: the component stopped unexpectedly
    "#]],
    );
}

#[test]
fn a_component_that_is_not_here_fails_its_node_only() {
    check(
        "n Nothing; e Echo in=y; a Add; n.out -> a.in",
        expect![[r#"
        start n
        fail n Unavailable: the component `Nothing` is not available here
        start e
        done e y
        skip a blocked
        ended failed: N: the component `Nothing` is not available here
    "#]],
    );
    check(
        "n Echo edited; e Echo in=y",
        expect![[r#"
        start n
        fail n Unavailable: N should have Python code of its own, and has none
        start e
        done e y
        ended failed: N: N should have Python code of its own, and has none
    "#]],
    );
}

#[test]
fn a_join_of_a_failed_and_an_inactive_branch_is_blocked() {
    check(
        "f Fail; r Router go=left; a Add; j Join; r.right -> a.in; a.out -> j.a; f.out -> j.b",
        expect![[r#"
        start f
        fail f Outside: no:  (said so)
        start r
        done r  |
        skip a inactive
        skip j blocked
        ended failed: F: no:  (said so)
    "#]],
    );
}
