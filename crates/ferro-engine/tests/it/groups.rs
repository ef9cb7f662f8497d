//! A group runs as the nodes inside it.

use std::sync::Arc;

use ferro_engine::{Plan, Selection};
use ferro_model::FlowData;
use serde_json::{Value as Json, json};

use crate::support::{World, begin, block_on, flow, start_of};

/// `s` feeds a group of `a → b`; the group shows `a.in` and `b.out`, and a value for `b`'s prefix is set outside.
fn grouped() -> FlowData {
    let inner: Json =
        serde_json::from_str(flow("a Add; b Join a=inner b=inner; a.out -> b.a").as_str()).unwrap();
    let mut outer: Json = serde_json::from_str(flow("s Echo in=x; z Add").as_str()).unwrap();
    let group = json!({
        "id": "g", "type": "genericNode", "position": { "x": 0, "y": 0 },
        "data": { "id": "g", "type": "GroupNode", "node": {
            "display_name": "Group",
            "flow": { "data": inner },
            "template": {
                "in_a": { "display_name": "In", "type": "str", "value": "", "show": true, "proxy": { "id": "a", "field": "in" } },
                "b_b": { "display_name": "B", "type": "str", "value": "outer", "show": true, "proxy": { "id": "b", "field": "b" } }
            },
            "outputs": [{ "name": "b_out", "display_name": "Out", "types": ["Message"], "proxy": { "id": "b", "name": "out" } }]
        } }
    });
    outer["nodes"].as_array_mut().unwrap().push(group);
    let wires = json!([
        { "source": "s", "target": "g", "data": {
            "sourceHandle": { "dataType": "Echo", "id": "s", "name": "out", "output_types": ["Message"] },
            "targetHandle": { "fieldName": "in_a", "id": "g", "inputTypes": ["Message"], "type": "str", "proxy": { "id": "a", "field": "in" } } } },
        { "source": "g", "target": "z", "data": {
            "sourceHandle": { "dataType": "GroupNode", "id": "g", "name": "b_out", "output_types": ["Message"] },
            "targetHandle": { "fieldName": "in", "id": "z", "inputTypes": ["Message"], "type": "str" } } }
    ]);
    outer["edges"] = wires;
    FlowData::parse(&outer.to_string()).unwrap()
}

#[test]
fn its_nodes_take_part_under_their_own_names() {
    block_on(async {
        let world = World::new();
        let plan = Plan::new(&grouped(), &world.catalog(), &Selection::Whole).unwrap();
        let past = begin(&world, start_of(Arc::new(plan))).end().await;
        assert_eq!(past.text("z"), "xa+outerz", "{}", past.trace());
    });
}
