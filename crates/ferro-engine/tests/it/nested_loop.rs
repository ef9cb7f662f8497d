//! Loops inside loops.

use expect_test::expect;

use crate::support::{block_on, check, run};

const NESTED: &str = "s Echo in=\"ab\"; l Loop; o Add; m Loop; b Upper; c Add; z Add
    s.out -> l.data; l.item -> o.in; o.out -> m.data; m.item -> b.in; b.out => m.item; m.done -> c.in; c.out => l.item; l.done -> z.in";

#[test]
fn the_inner_loop_runs_anew_in_every_round_of_the_outer_one() {
    check(
        NESTED,
        expect![[r#"
        start s
        done s ab
        start l
        each l 2
        round l 1/2
        start o[0]
        done o[0] ao
        start m[0]
        each m[0] 2
        round m[0] 1/2
        start b[0, 0]
        done b[0, 0] A
        round m[0] 2/2
        start b[0, 1]
        done b[0, 1] O
        start m[0]
        done m[0] [A O]
        start c[0]
        done c[0] [A O]c
        round l 2/2
        start o[1]
        done o[1] bo
        start m[1]
        each m[1] 2
        round m[1] 1/2
        start b[1, 0]
        done b[1, 0] B
        round m[1] 2/2
        start b[1, 1]
        done b[1, 1] O
        start m[1]
        done m[1] [B O]
        start c[1]
        done c[1] [B O]c
        start l
        done l [[A O]c [B O]c]
        start z
        done z [[A O]c [B O]c]z
        ended completed
    "#]],
    );
}

#[test]
fn a_failure_in_the_inner_body_fails_both() {
    let failing = NESTED.replace("b Upper", "b Picky not=b");
    check(
        &failing,
        expect![[r#"
        start s
        done s ab
        start l
        each l 2
        round l 1/2
        start o[0]
        done o[0] ao
        start m[0]
        each m[0] 2
        round m[0] 1/2
        start b[0, 0]
        done b[0, 0] a
        round m[0] 2/2
        start b[0, 1]
        done b[0, 1] o
        start m[0]
        done m[0] [a o]
        start c[0]
        done c[0] [a o]c
        round l 2/2
        start o[1]
        done o[1] bo
        start m[1]
        each m[1] 2
        round m[1] 1/2
        start b[1, 0]
        fail b[1, 0] Input: not b
        fail m[1] Input: round 1 failed in B (B: not b)
        skip c[1] blocked
        fail l Input: round 2 failed in M (B: not b)
        skip z blocked
        ended failed: B: not b
    "#]],
    );
}

#[test]
fn a_wire_from_the_inner_body_to_the_outer_one_is_of_this_round() {
    let text = NESTED
        .replace("c Add", "c Join")
        .replace("m.done -> c.in", "m.done -> c.a; b.out -> c.b");
    block_on(async {
        let past = run(&text).await;
        assert_eq!(past.text("z"), "[[A O]+O [B O]+O]z");
    });
}

#[test]
fn an_inner_loop_with_nothing_to_do_in_one_round_does_not_see_the_round_before() {
    // The inner loop runs for the first item only.
    let text = "s Echo in=lr; l Loop; r Router; m Loop; b Upper; c Join a=A b=none; z Add
        s.out -> l.data; l.item -> r.go; l.item -> r.in; r.left -> m.data; m.item -> b.in; b.out => m.item
        m.done -> c.a; r.right -> c.a; b.out -> c.b; c.out => l.item; l.done -> z.in";
    block_on(async {
        let past = run(text).await;
        assert_eq!(past.text("z"), "[[L]+L r+none]z", "{}", past.trace());
    });
}
