//! Values set for one run, by the caller.

use ferro_engine::{Overrides, Plan, Selection};
use serde_json::{Value as Json, json};

use crate::support::{World, begin, block_on, flow, prepare};

fn tweaked(text: &str, tweaks: &Json) -> (String, Vec<String>) {
    block_on(async {
        let world = World::new();
        let mut given = prepare(&world, text);
        given.overrides = Overrides::from_tweaks(&given.plan, tweaks.as_object().unwrap());
        let refused = given.overrides.refused.clone();
        (begin(&world, given).end().await.text("z"), refused)
    })
}

fn check(tweaks: &Json, expected: &str) {
    let (text, refused) = tweaked(
        "a Echo in=own; j Join a=A b=B; z Add; a.out -> j.a; j.out -> z.in",
        tweaks,
    );
    assert_eq!((text.as_str(), refused.len()), (expected, 0), "{tweaks}");
}

#[test]
fn by_id_or_name_or_everywhere() {
    check(&json!({}), "own+Bz");
    check(&json!({ "a": { "in": "set" } }), "set+Bz");
    check(&json!({ "A": { "in": "set" } }), "set+Bz");
    check(&json!({ "in": "set", "b": "all" }), "set+allz");
    check(&json!({ "b": 7 }), "own+7z");
}

#[test]
fn what_no_node_knows_is_passed_over_and_wires_win() {
    check(
        &json!({ "nobody": { "in": "set" }, "j": { "nothing": 1 } }),
        "own+Bz",
    );
    check(&json!({ "j": { "a": "lost" } }), "own+Bz");
    check(&json!({ "j": { "b": { "value": "inner" } } }), "own+innerz");
    check(
        &json!({ "j": { "b": { "info": "says nothing about the value" } } }),
        "own+Bz",
    );
}

#[test]
fn code_is_refused() {
    let world = World::new();
    let plan = Plan::new(&flow("a Echo in=own"), &world.catalog(), &Selection::Whole).unwrap();
    let tweaks = json!({ "a": { "code": "import os" } });
    assert_eq!(
        Overrides::from_tweaks(&plan, tweaks.as_object().unwrap()).refused,
        ["a.code"]
    );
}

#[test]
fn one_run_does_not_see_the_tweaks_of_another() {
    check(&json!({ "a": { "in": "set" } }), "set+Bz");
    check(&json!({}), "own+Bz");
}
