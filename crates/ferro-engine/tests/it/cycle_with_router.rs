//! A circle that a router ends.

use expect_test::expect;
use ferro_engine::{Limits, Plan, PlanError, Selection};

use crate::support::{World, begin, block_on, check, flow, prepare};

const CIRCLE: &str = "s Echo in=x; e Add; u Until size=4; z Upper; s.out -> e.in; e.out -> u.in; u.again -> e.in; u.done -> z.in";

#[test]
fn it_goes_round_until_the_router_has_enough() {
    check(
        CIRCLE,
        expect![[r#"
        start s
        done s x
        start e[0]
        done e[0] xe
        start u[0]
        done u[0] xe | xe
        round e[1] 2
        start e[1]
        done e[1] xee
        start u[1]
        done u[1] xee | xee
        round e[2] 3
        start e[2]
        done e[2] xeee
        start u[2]
        done u[2] xeee | xeee
        start z
        done z XEEE
        ended completed
    "#]],
    );
}

#[test]
fn what_comes_back_wins_whatever_the_order_of_the_wires() {
    check(
        "s Echo in=x; e Add; u Until size=3; z Upper; u.again -> e.in; s.out -> e.in; e.out -> u.in; u.done -> z.in",
        expect![[r#"
            start s
            done s x
            start e[0]
            done e[0] xe
            start u[0]
            done u[0] xe | xe
            round e[1] 2
            start e[1]
            done e[1] xee
            start u[1]
            done u[1] xee | xee
            start z
            done z XEE
            ended completed
        "#]],
    );
}

#[test]
fn a_circle_without_a_way_in_begins_at_its_first_node() {
    check(
        "e Add in=y; u Until size=3; z Upper; e.out -> u.in; u.again -> e.in; u.done -> z.in",
        expect![[r#"
        start e[0]
        done e[0] ye
        start u[0]
        done u[0] ye | ye
        round e[1] 2
        start e[1]
        done e[1] yee
        start u[1]
        done u[1] yee | yee
        start z
        done z YEE
        ended completed
    "#]],
    );
}

#[test]
fn a_circle_that_goes_on_too_long_fails() {
    block_on(async {
        let world = World::new();
        let mut given = prepare(
            &world,
            &format!("{}; o Echo in=free", CIRCLE.replace("size=4", "size=99")),
        );
        given.limits = Limits {
            rounds: 3,
            ..Limits::default()
        };
        expect![[r#"
            start s
            done s x
            start o
            done o free
            start e[0]
            done e[0] xe
            start u[0]
            done u[0] xe | xe
            round e[1] 2
            start e[1]
            done e[1] xee
            start u[1]
            done u[1] xee | xee
            round e[2] 3
            start e[2]
            done e[2] xeee
            start u[2]
            done u[2] xeee | xeee
            fail e[2] Limit: the circle was gone through 3 times without an end
            skip z blocked
            ended failed: E: the circle was gone through 3 times without an end
        "#]]
        .assert_eq(&begin(&world, given).end().await.trace());
    });
}

#[test]
fn a_failure_in_the_circle_ends_it() {
    check(
        &CIRCLE
            .replace("e Add", "e Picky not=xe")
            .replace("s Echo in=x", "s Echo in=xe"),
        expect![[r#"
        start s
        done s xe
        start e[0]
        fail e[0] Input: not xe
        skip u[0] blocked
        skip z blocked
        ended failed: E: not xe
    "#]],
    );
}

#[test]
fn a_circle_on_the_branch_not_taken_does_not_run() {
    check(
        &CIRCLE.replace("s Echo in=x;", "r Router in=x go=left; s Add; r.right -> s.in;"),
        expect![[r#"
        start r
        done r x | x
        skip s inactive
        skip e[0] inactive
        skip u[0] inactive
        skip z inactive
        ended completed
    "#]],
    );
}

#[test]
fn a_circle_in_the_body_of_a_loop_begins_anew_for_every_item() {
    check(
        "s Echo in=ab; l Loop; e Add; u Until size=3; z Add
         s.out -> l.data; l.item -> e.in; e.out -> u.in; u.again -> e.in; u.done => l.item; l.done -> z.in",
        expect![[r#"
            start s
            done s ab
            start l
            each l 2
            round l 1/2
            start e[0, 0]
            done e[0, 0] ae
            start u[0, 0]
            done u[0, 0] ae | ae
            round e[0, 1] 2
            start e[0, 1]
            done e[0, 1] aee
            start u[0, 1]
            done u[0, 1] aee | aee
            round l 2/2
            start e[1, 0]
            done e[1, 0] be
            start u[1, 0]
            done u[1, 0] be | be
            round e[1, 1] 2
            start e[1, 1]
            done e[1, 1] bee
            start u[1, 1]
            done u[1, 1] bee | bee
            start l
            done l [aee bee]
            start z
            done z [aee bee]z
            ended completed
        "#]],
    );
}

#[test]
fn a_circle_in_a_loop_that_never_ends_fails_the_loop_in_its_first_round() {
    block_on(async {
        let world = World::new();
        let mut given = prepare(
            &world,
            "s Echo in=ab; l Loop; e Add; u Until size=99; z Add
             s.out -> l.data; l.item -> e.in; e.out -> u.in; u.again -> e.in; u.done => l.item; l.done -> z.in",
        );
        given.limits.rounds = 2;
        expect![[r#"
            start s
            done s ab
            start l
            each l 2
            round l 1/2
            start e[0, 0]
            done e[0, 0] ae
            start u[0, 0]
            done u[0, 0] ae | ae
            round e[0, 1] 2
            start e[0, 1]
            done e[0, 1] aee
            start u[0, 1]
            done u[0, 1] aee | aee
            fail e[0, 1] Limit: the circle was gone through 2 times without an end
            fail l Input: round 1 failed in E (E: the circle was gone through 2 times without an end)
            skip z blocked
            ended failed: E: the circle was gone through 2 times without an end
        "#]]
        .assert_eq(&begin(&world, given).end().await.trace());
    });
}

#[test]
fn a_loop_in_a_circle_runs_anew_in_every_round() {
    check(
        "s Echo in=ab; e Add; l Loop; b Upper; u Until size=12; z Add
         s.out -> e.in; e.out -> l.data; l.item -> b.in; b.out => l.item; l.done -> u.in; u.again -> e.in; u.done -> z.in",
        expect![[r#"
            start s
            done s ab
            start e[0]
            done e[0] abe
            start l[0]
            each l[0] 3
            round l[0] 1/3
            start b[0, 0]
            done b[0, 0] A
            round l[0] 2/3
            start b[0, 1]
            done b[0, 1] B
            round l[0] 3/3
            start b[0, 2]
            done b[0, 2] E
            start l[0]
            done l[0] [A B E]
            start u[0]
            done u[0] [A B E] | [A B E]
            round e[1] 2
            start e[1]
            done e[1] [A B E]e
            start l[1]
            each l[1] 6
            round l[1] 1/6
            start b[1, 0]
            done b[1, 0] [
            round l[1] 2/6
            start b[1, 1]
            done b[1, 1] A
            round l[1] 3/6
            start b[1, 2]
            done b[1, 2] B
            round l[1] 4/6
            start b[1, 3]
            done b[1, 3] E
            round l[1] 5/6
            start b[1, 4]
            done b[1, 4] ]
            round l[1] 6/6
            start b[1, 5]
            done b[1, 5] E
            start l[1]
            done l[1] [[ A B E ] E]
            start u[1]
            done u[1] [[ A B E ] E] | [[ A B E ] E]
            start z
            done z [[ A B E ] E]z
            ended completed
        "#]],
    );
}

#[test]
fn a_circle_within_a_circle() {
    check(
        "s Echo in=x; e Add; f Add; u Until size=4; v Until size=8; z Upper
         s.out -> e.in; e.out -> f.in; f.out -> u.in; u.again -> f.in; u.done -> v.in; v.again -> e.in; v.done -> z.in",
        expect![[r#"
            start s
            done s x
            start e[0]
            done e[0] xe
            start f[0, 0]
            done f[0, 0] xef
            start u[0, 0]
            done u[0, 0] xef | xef
            round f[0, 1] 2
            start f[0, 1]
            done f[0, 1] xeff
            start u[0, 1]
            done u[0, 1] xeff | xeff
            start v[0]
            done v[0] xeff | xeff
            round e[1] 2
            start e[1]
            done e[1] xeffe
            start f[1, 0]
            done f[1, 0] xeffef
            start u[1, 0]
            done u[1, 0] xeffef | xeffef
            start v[1]
            done v[1] xeffef | xeffef
            round e[2] 3
            start e[2]
            done e[2] xeffefe
            start f[2, 0]
            done f[2, 0] xeffefef
            start u[2, 0]
            done u[2, 0] xeffefef | xeffefef
            start v[2]
            done v[2] xeffefef | xeffefef
            start z
            done z XEFFEFEF
            ended completed
        "#]],
    );
}

#[test]
fn a_circle_that_nothing_ends_is_refused() {
    let catalog = World::new().catalog();
    let plan = |text: &str| {
        Plan::new(&flow(text), &catalog, &Selection::Whole)
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(
        plan("a Echo; b Echo; a.out -> b.in; b.out -> a.in"),
        PlanError::EndlessCycle(vec!["a".into(), "b".into()])
    );
    assert_eq!(
        plan("a Echo; a.out -> a.in"),
        PlanError::EndlessCycle(vec!["a".into()])
    );
}

#[test]
fn two_wires_back_bring_only_what_the_round_before_left() {
    // `w` goes back only in the first round; later the field is what came from outside again.
    check(
        "s Echo in=x; e Join b=0; u Until size=6; w Until size=4; z Upper
         s.out -> e.b; w.again -> e.b; e.out -> w.in; e.out -> u.in; u.again -> e.a; u.done -> z.in",
        expect![[r#"
            start s
            done s x
            start e[0]
            done e[0] +x
            start w[0]
            done w[0] +x | +x
            start u[0]
            done u[0] +x | +x
            round e[1] 2
            start e[1]
            done e[1] +x++x
            start w[1]
            done w[1] +x++x | +x++x
            start u[1]
            done u[1] +x++x | +x++x
            round e[2] 3
            start e[2]
            done e[2] +x++x+x
            start w[2]
            done w[2] +x++x+x | +x++x+x
            start u[2]
            done u[2] +x++x+x | +x++x+x
            start z
            done z +X++X+X
            ended completed
        "#]],
    );
}
