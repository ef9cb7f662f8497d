//! One node after another.

use expect_test::expect;

use crate::support::check;

#[test]
fn a_value_goes_from_node_to_node() {
    check(
        "a Echo in=hi; b Upper; c Add; a.out -> b.in; b.out -> c.in",
        expect![[r#"
        start a
        done a hi
        start b
        done b HI
        start c
        done c HIc
        ended completed
    "#]],
    );
}

#[test]
fn a_flow_without_nodes_is_complete() {
    check(
        "",
        expect![[r#"
        ended completed
    "#]],
    );
}

#[test]
fn nodes_that_answer_later_come_in_the_same_order() {
    check(
        "a Later in=hi; b Later; a.out -> b.in",
        expect![[r#"
        start a
        done a hia
        start b
        done b hiab
        ended completed
    "#]],
    );
}

#[test]
fn a_wire_from_an_output_that_gives_nothing_leaves_the_field_as_it_is() {
    check(
        "a Echo in=hi; b Echo in=own; a.nowhere -> b.in",
        expect![[r#"
        start a
        done a hi
        start b
        done b own
        ended completed
    "#]],
    );
}
