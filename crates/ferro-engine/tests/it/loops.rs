//! A loop runs its body once for each item, one round after the other.

use expect_test::expect;

use crate::support::check;

const LOOP: &str =
    "s Echo in=abc; l Loop; b Upper; z Add; s.out -> l.data; l.item -> b.in; b.out => l.item; l.done -> z.in";

#[test]
fn rounds_come_in_order_and_what_follows_runs_once() {
    check(
        LOOP,
        expect![[r#"
        start s
        done s abc
        start l
        each l 3
        round l 1/3
        start b[0]
        done b[0] A
        round l 2/3
        start b[1]
        done b[1] B
        round l 3/3
        start b[2]
        done b[2] C
        start l
        done l [A B C]
        start z
        done z [A B C]z
        ended completed
    "#]],
    );
}

#[test]
fn an_empty_list_has_no_rounds() {
    check(
        &LOOP.replace("in=abc", "in="),
        expect![[r#"
        start s
        done s
        start l
        each l 0
        start l
        done l []
        start z
        done z []z
        skip b[0] inactive
        ended completed
    "#]],
    );
}

#[test]
fn nothing_of_one_round_is_seen_in_the_next() {
    // One branch of the body delivers for the first item only.
    check(
        "s Echo in=lr; l Loop; r Router; a Add; c Collect; z Add
         s.out -> l.data; l.item -> r.go; l.item -> r.in; r.left -> a.in; a.out -> c.list; r.right -> c.list; c.out => l.item; l.done -> z.in",
        expect![[r#"
            start s
            done s lr
            start l
            each l 2
            round l 1/2
            start r[0]
            done r[0] l | l
            start a[0]
            done a[0] la
            start c[0]
            done c[0] la
            round l 2/2
            start r[1]
            done r[1] r | r
            skip a[1] inactive
            start c[1]
            done c[1] r
            start l
            done l [la r]
            start z
            done z [la r]z
            ended completed
        "#]],
    );
}

#[test]
fn a_body_that_fails_fails_the_loop_and_says_the_round() {
    check(
        "s Echo in=abc; l Loop; p Picky not=b; z Add; e Echo in=free; s.out -> l.data; l.item -> p.in; p.out => l.item; l.done -> z.in",
        expect![[r#"
            start s
            done s abc
            start e
            done e free
            start l
            each l 3
            round l 1/3
            start p[0]
            done p[0] a
            round l 2/3
            start p[1]
            fail p[1] Input: not b
            fail l Input: round 2 failed in P (P: not b)
            skip z blocked
            ended failed: P: not b
        "#]],
    );
}

#[test]
fn a_body_that_waits_for_a_node_that_failed_fails_the_loop() {
    check(
        "s Echo in=ab; f Fail; l Loop; j Join; s.out -> l.data; l.item -> j.a; f.out -> j.b; j.out => l.item",
        expect![[r#"
            start s
            done s ab
            start f
            fail f Outside: no:  (said so)
            start l
            each l 2
            round l 1/2
            skip j[0] blocked
            fail l Input: round 1 could not be finished: J needs a node that failed (F: no: )
            ended failed: F: no:  (said so)
        "#]],
    );
}

#[test]
fn a_body_may_need_what_is_outside() {
    check(
        "s Echo in=ab; o Later in=o; l Loop; j Join; z Add; s.out -> l.data; l.item -> j.a; o.out -> j.b; j.out => l.item; l.done -> z.in",
        expect![[r#"
            start s
            done s ab
            start o
            start l
            each l 2
            round l 1/2
            done o oo
            start j[0]
            done j[0] a+oo
            round l 2/2
            start j[1]
            done j[1] b+oo
            start l
            done l [a+oo b+oo]
            start z
            done z [a+oo b+oo]z
            ended completed
        "#]],
    );
}

#[test]
fn a_wire_out_of_the_body_carries_the_last_value() {
    check(
        "s Echo in=ab; l Loop; b Upper; j Join; s.out -> l.data; l.item -> b.in; b.out => l.item; l.done -> j.a; b.out -> j.b",
        expect![[r#"
            start s
            done s ab
            start l
            each l 2
            round l 1/2
            start b[0]
            done b[0] A
            round l 2/2
            start b[1]
            done b[1] B
            start l
            done l [A B]
            start j
            done j [A B]+B
            ended completed
        "#]],
    );
}

#[test]
fn a_wire_out_of_a_body_that_never_ran_leaves_what_was_typed() {
    check(
        "s Echo in=; l Loop; b Upper; j Join b=own; s.out -> l.data; l.item -> b.in; b.out => l.item; l.done -> j.a; b.out -> j.b",
        expect![[r#"
            start s
            done s
            start l
            each l 0
            start l
            done l []
            skip b[0] inactive
            start j
            done j []+own
            ended completed
        "#]],
    );
}

#[test]
fn a_router_in_the_body_chooses_anew_in_every_round() {
    check(
        "s Echo in=lr; l Loop; r Router; x Upper; z Add
         s.out -> l.data; l.item -> r.go; l.item -> r.in; r.left -> x.in; x.out => l.item; r.right => l.item; l.done -> z.in",
        expect![[r#"
            start s
            done s lr
            start l
            each l 2
            round l 1/2
            start r[0]
            done r[0] l | l
            start x[0]
            done x[0] L
            round l 2/2
            start r[1]
            done r[1] r | r
            skip x[1] inactive
            start l
            done l [L r]
            start z
            done z [L r]z
            ended completed
        "#]],
    );
}

#[test]
fn a_loop_without_a_body_gives_its_items() {
    check(
        "s Echo in=ab; l Loop; z Add; s.out -> l.data; l.done -> z.in",
        expect![[r#"
        start s
        done s ab
        start l
        each l 2
        start l
        done l [a b]
        start z
        done z [a b]z
        ended completed
    "#]],
    );
    check(
        "s Echo in=ab; l Loop; z Add; s.out -> l.data; l.item => l.item; l.done -> z.in",
        expect![[r#"
        start s
        done s ab
        start l
        each l 2
        start l
        done l [a b]
        start z
        done z [a b]z
        ended completed
    "#]],
    );
}

#[test]
fn a_loop_whose_source_failed_takes_its_body_along() {
    check(
        "f Fail; l Loop; b Upper; f.out -> l.data; l.item -> b.in; b.out => l.item",
        expect![[r#"
        start f
        fail f Outside: no:  (said so)
        skip l blocked
        skip b[0] blocked
        ended failed: F: no:  (said so)
    "#]],
    );
}

#[test]
fn a_body_wired_into_the_loops_own_input_is_said_to_be_stuck() {
    check(
        "l Loop data=ab; b Upper; l.item -> b.in; b.out -> l.data",
        expect![[r#"
        skip l blocked
        ended failed: these nodes wait for each other: L
    "#]],
    );
}
