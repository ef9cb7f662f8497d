//! Nodes in tool mode.

use expect_test::expect;

use crate::support::{block_on, check, run};

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

#[test]
fn an_output_that_is_only_called_like_the_toolset_is_an_output() {
    // The flag alone changes nothing: name, method and type must all say so.
    for flag in ["", "tool"] {
        let past = block_on(run(&format!(
            "t OwnToolset {flag} in=x; a Add; t.component_as_tool -> a.in"
        )));
        assert_eq!(past.text("a"), "own xa", "{flag}: {}", past.trace());
    }
    check(
        "t OwnToolset tool toolset in=x; a UseTools; t.component_as_tool -> a.in",
        expect![[r#"
        start t
        done t get_own
        start a
        done a get_own=own asked
        ended completed
    "#]],
    );
}
