//! Nodes in tool mode.

use expect_test::expect;

use crate::support::check;

#[test]
fn a_node_in_tool_mode_gives_something_that_can_be_called() {
    check(
        "t Upper tool in=own; a UseTools; t.component_as_tool -> a.in",
        expect![[r#"
        start t
        done t out
        start a
        done a out=ASKED
        ended completed
    "#]],
    );
}

#[test]
fn a_tool_keeps_what_wires_brought_for_its_other_fields() {
    check(
        "e Echo in=left; t Router tool; a UseTools; e.out -> t.go; t.component_as_tool -> a.in",
        expect![[r#"
        start e
        done e left
        start t
        done t out, left, right
        start a
        done a out= left=asked right=asked
        ended completed
    "#]],
    );
}

#[test]
fn a_wire_into_a_field_that_the_agent_fills_is_not_waited_for() {
    check(
        "w Echo in=lost; t Upper tool; a UseTools; w.out -> t.in; t.component_as_tool -> a.in",
        expect![[r#"
        start w
        done w lost
        start t
        done t out
        start a
        done a out=ASKED
        ended completed
    "#]],
    );
}
