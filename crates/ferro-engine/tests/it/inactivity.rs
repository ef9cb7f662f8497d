//! Inactivity spreads to whatever needs it, and to nothing else.

use expect_test::expect;

use crate::support::check;

#[test]
fn a_chain_behind_the_branch_not_taken_does_not_run() {
    check(
        "r Router in=x go=left; a Add; b Add; c Add; r.right -> a.in; a.out -> b.in; b.out -> c.in",
        expect![[r#"
        start r
        done r x | x
        skip a inactive
        skip b inactive
        skip c inactive
        ended completed
    "#]],
    );
}

#[test]
fn a_node_that_also_needs_something_else_starves() {
    check(
        "r Router in=x go=left; e Echo in=y; a Add; j Join b=B; r.right -> a.in; e.out -> j.a; a.out -> j.b",
        expect![[r#"
            start r
            done r x | x
            start e
            done e y
            skip a inactive
            skip j inactive
            ended completed
        "#]],
    );
}

#[test]
fn a_list_goes_on_with_what_is_left() {
    check(
        "r Router in=x go=left; e Echo in=y; a Add; j Collect; r.right -> a.in; e.out -> j.list; a.out -> j.list",
        expect![[r#"
            start r
            done r x | x
            start e
            done e y
            skip a inactive
            start j
            done j y
            ended completed
        "#]],
    );
}

#[test]
fn a_node_that_the_outer_router_reaches_but_not_the_inner_one_starves() {
    // The order of the wires must not matter.
    let text = "r Router in=x go=left; s Router go=right; d Add; e Add; j Join; k Join
        r.left -> s.in; r.right -> d.in; r.left -> e.in; s.left -> j.a; d.out -> j.b; j.out -> k.a; e.out -> k.b";
    check(
        text,
        expect![[r#"
        start r
        done r x | x
        start s
        done s x | x
        skip d inactive
        start e
        done e xe
        skip j inactive
        skip k inactive
        ended completed
    "#]],
    );
    check(
        &text.replace("s.left -> j.a; d.out -> j.b", "d.out -> j.b; s.left -> j.a"),
        expect![[r#"
        start r
        done r x | x
        start s
        done s x | x
        skip d inactive
        start e
        done e xe
        skip j inactive
        skip k inactive
        ended completed
    "#]],
    );
}

#[test]
fn what_comes_straight_from_the_router_protects() {
    check(
        "r Router in=x go=left; a Add; j Join b=own; r.right -> a.in; r.left -> j.a; a.out -> j.b; k Add; j.out -> k.in",
        expect![[r#"
            start r
            done r x | x
            skip a inactive
            start j
            done j x+own
            start k
            done k x+ownk
            ended completed
        "#]],
    );
}

#[test]
fn a_loop_on_the_branch_not_taken_does_not_run_nor_does_its_body() {
    check(
        "r Router in=ab go=left; l Loop; b Add; z Add; r.right -> l.data; l.item -> b.in; b.out => l.item; l.done -> z.in",
        expect![[r#"
            start r
            done r ab | ab
            skip l inactive
            skip z inactive
            skip b[0] inactive
            ended completed
        "#]],
    );
}

#[test]
fn control_wires_say_then() {
    // c runs although b is not taken: one of its control wires fired.
    check(
        "r Router in=x go=left; a Add; b Add; c Add in=own; r.left -> a.in; r.right -> b.in; a ~> c; b ~> c; d Add in=own; b ~> d",
        expect![[r#"
            start r
            done r x | x
            start a
            done a xa
            skip b inactive
            skip d inactive
            start c
            done c ownc
            ended completed
        "#]],
    );
}

#[test]
fn a_node_runs_when_the_first_control_wire_fires_and_all_data_is_there() {
    use crate::support::{World, begin, block_on, prepare};
    block_on(async {
        let world = World::new();
        let run = begin(
            &world,
            prepare(
                &world,
                "a Wait; b Wait; d Wait; c Add; a ~> c; b ~> c; d.out -> c.in",
            ),
        );
        run.idle().await;
        world.release("b");
        run.idle().await;
        assert_eq!(world.count("c"), 0, "its data is not there");
        world.release("d");
        run.idle().await;
        assert_eq!(world.count("c"), 1, "the other control wire need not fire");
        world.release("a");
        assert_eq!(run.end().await.text("c"), "dc");
        assert_eq!(world.count("c"), 1);
    });
}

#[test]
fn control_from_a_node_that_failed_stops_unless_another_fires() {
    check(
        "f Fail; c Add; f ~> c",
        expect![[r#"
        start f
        fail f Outside: no:  (said so)
        skip c blocked
        ended failed: F: no:  (said so)
    "#]],
    );
    check(
        "f Fail; e Echo; c Add; f ~> c; e ~> c",
        expect![[r#"
        start f
        fail f Outside: no:  (said so)
        start e
        done e
        start c
        done c c
        ended failed: F: no:  (said so)
    "#]],
    );
}
