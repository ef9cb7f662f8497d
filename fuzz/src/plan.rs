//! Any text as a flow: refused, or planned with the components there are.

use std::sync::{Arc, LazyLock};

use ferro_components::{Shared, inner_flow};
use ferro_engine::{Catalog, MAX_NODES, Overrides, Plan, Selection};
use ferro_model::FlowData;
use serde_json::{Map, Value, json};

/// The built-in components.
pub(super) static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let net = ferro_net::Client::new(ferro_net::AddressPolicy::default()).expect("a client");
    Catalog::new(ferro_components::all(&Shared::new(net)))
});

pub fn plan(text: &str) {
    let Ok(flow) = FlowData::parse(text) else {
        return;
    };
    if let Ok(plan) = Plan::new(&flow, &CATALOG, &Selection::Whole) {
        assert!(plan.nodes().len() <= MAX_NODES);
        let ids: Vec<Arc<str>> = plan.nodes().map(|node| Arc::clone(node.id())).collect();
        for id in &ids {
            assert!(plan.node(id).is_some());
            for next in plan.successors(id) {
                assert!(plan.node(&next).is_some());
            }
        }
        tweak(&plan, &ids);
        for id in ids.first().into_iter().chain(ids.last()) {
            for part in [Selection::UpTo(id.to_string()), Selection::From(id.to_string())] {
                // A part can be refused where the whole is not: nothing ends a circle that was cut in two.
                if let Ok(part) = Plan::new(&flow, &CATALOG, &part) {
                    assert!(part.node(id).is_some());
                    assert!(part.nodes().len() <= ids.len());
                }
            }
        }
    }
    lend(&flow);
}

/// Every field of every node set from outside.
fn tweak(plan: &Plan, ids: &[Arc<str>]) {
    let values = [
        json!(null),
        json!("x"),
        json!({ "value": [1] }),
        json!({ "load_from_db": true, "value": "V" }),
    ];
    for (id, value) in ids.iter().zip(values.iter().cycle()) {
        let fields: Map<String, Value> = plan
            .node(id)
            .into_iter()
            .flat_map(|node| node.template().keys())
            .map(|field| (field.clone(), value.clone()))
            .collect();
        Overrides::from_tweaks(plan, &Map::from_iter([(id.to_string(), Value::Object(fields))]));
    }
    Overrides::from_tweaks(plan, &Map::from_iter([("input_value".to_owned(), json!("all"))]));
}

/// What a Run Flow node shows of it: the same however often it is asked, and nothing once it is cleared.
fn lend(flow: &FlowData) {
    let Some(run_flow) = CATALOG.registry().get("RunFlow") else {
        return;
    };
    let fresh = run_flow.to_node();
    let mut node = fresh.clone();
    inner_flow::show(&mut node, flow, CATALOG.registry());
    let once = node.clone();
    inner_flow::show(&mut node, flow, CATALOG.registry());
    assert_eq!(node, once);
    inner_flow::clear(&mut node);
    assert_eq!(node["template"], fresh["template"]);
    assert_eq!(node["outputs"], fresh["outputs"]);
}
