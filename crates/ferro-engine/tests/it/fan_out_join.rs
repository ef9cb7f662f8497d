//! Nodes that do not need each other run side by side; one that needs several waits for all of them.

use expect_test::expect;
use ferro_engine::Limits;

use crate::support::{World, begin, block_on, check, prepare};

#[test]
fn a_join_waits_for_all() {
    check(
        "a Echo in=x; b Add; c Add; d Collect; a.out -> b.in; a.out -> c.in; b.out -> d.list; c.out -> d.list",
        expect![[r#"
            start a
            done a x
            start b
            done b xb
            start c
            done c xc
            start d
            done d xb,xc
            ended completed
        "#]],
    );
}

#[test]
fn a_list_is_in_the_order_of_the_wires_whoever_ends_first() {
    block_on(async {
        let world = World::new();
        let run = begin(
            &world,
            prepare(
                &world,
                "a Wait; b Wait; c Wait; d Collect; a.out -> d.list; b.out -> d.list; c.out -> d.list",
            ),
        );
        run.idle().await;
        assert_eq!(world.waiting(), ["a", "b", "c"], "they run side by side");
        for node in ["c", "a", "b"] {
            world.release(node);
            run.idle().await;
        }
        expect![[r#"
            start a
            start b
            start c
            done c c
            done a a
            done b b
            start d
            done d a,b,c
            ended completed
        "#]]
        .assert_eq(&run.end().await.trace());
    });
}

#[test]
fn no_more_than_the_limit_run_at_the_same_time() {
    block_on(async {
        let world = World::new();
        let text: String = (0..10).map(|n| format!("n{n} Wait\n")).collect();
        let mut given = prepare(&world, &text);
        given.limits = Limits {
            parallel: 3,
            ..Limits::default()
        };
        let run = begin(&world, given);
        for left in (0..10).rev() {
            run.idle().await;
            assert_eq!(world.waiting().len(), (left + 1).min(3));
            let first = world.waiting()[0].clone();
            world.release(&first);
        }
        let past = run.end().await;
        assert_eq!(world.peak(), 3);
        assert!(past.trace().ends_with("ended completed\n"));
    });
}

#[test]
fn a_diamond_inside_a_diamond() {
    check(
        "a Echo in=x; b Add; c Add; d Join; e Add; f Join
         a.out -> b.in; a.out -> c.in; b.out -> d.a; c.out -> d.b; a.out -> e.in; d.out -> f.a; e.out -> f.b",
        expect![[r#"
            start a
            done a x
            start b
            done b xb
            start c
            done c xc
            start e
            done e xe
            start d
            done d xb+xc
            start f
            done f xb+xc+xe
            ended completed
        "#]],
    );
}

#[test]
fn the_last_of_several_wires_into_one_field_counts() {
    check(
        "a Echo in=1; b Echo in=2; c Echo; a.out -> c.in; b.out -> c.in",
        expect![[r#"
        start a
        done a 1
        start b
        done b 2
        start c
        done c 2
        ended completed
    "#]],
    );
}
