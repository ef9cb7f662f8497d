//! Any document at all is planned or refused, and what was planned ends.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferro_engine::{Plan, PlanError, RunStatus, Selection, start};
use ferro_model::FlowData;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::support::random::{blocks, text};
use crate::support::{World, block_on, flow, start_of};

fn runs(document: &FlowData, selection: &Selection) -> Result<RunStatus, PlanError> {
    let world = World::new();
    let plan = Plan::new(document, &world.catalog(), selection)?;
    Ok(block_on(async {
        let (handle, run) = start(start_of(Arc::new(plan)));
        drop(handle);
        let ending = run.await;
        assert!(ending.status.is_final() && !ending.lost);
        ending.status
    }))
}

fn survives(text: &str) {
    let Ok(document) = FlowData::parse(text) else {
        return;
    };
    for selection in [
        Selection::Whole,
        Selection::UpTo("n1".into()),
        Selection::From("s".into()),
    ] {
        let _ = runs(&document, &selection);
    }
}

/// Some JSON, more often than not of a kind that documents have.
fn scrap() -> impl Strategy<Value = Json> {
    let word = prop::sample::select(vec![
        "s",
        "n0",
        "n1",
        "n2",
        "in",
        "out",
        "item",
        "Loop",
        "Add",
        "Join",
        "note",
        "",
        "œ",
        "{œidœ:1}",
    ]);
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        word.clone().prop_map(Json::from),
        prop::collection::vec(word.clone().prop_map(Json::from), 0..3).prop_map(Json::from),
        (word.clone(), word).prop_map(|(key, value)| json!({ key: value, "id": value, "name": key })),
    ]
}

/// Replaces, removes or doubles something in the document.
fn damage(json: &mut Json, way: &[u16], put: &Json) {
    let (Some((&first, rest)), false) = (way.split_first(), json.is_null()) else {
        *json = put.clone();
        return;
    };
    match json {
        Json::Array(items) if !items.is_empty() => {
            let place = first as usize % items.len();
            match first % 7 {
                5 => {
                    items.remove(place);
                }
                6 => items.push(items[place].clone()),
                _ => damage(&mut items[place], rest, put),
            }
        }
        Json::Object(map) if !map.is_empty() => {
            let key = map
                .keys()
                .nth(first as usize % map.len())
                .cloned()
                .unwrap_or_default();
            if first % 11 == 10 {
                map.remove(&key);
            } else if let Some(inner) = map.get_mut(&key) {
                damage(inner, rest, put);
            }
        }
        other => *other = put.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damaged_documents(blocks in blocks(6), wounds in prop::collection::vec((prop::collection::vec(any::<u16>(), 2..8), scrap()), 1..5)) {
        let mut document: Json = serde_json::from_str(flow(&text(&blocks, "Later")).as_str()).unwrap();
        for (way, put) in &wounds {
            damage(&mut document, way, put);
        }
        survives(&document.to_string());
    }

    #[test]
    fn damaged_bytes(blocks in blocks(4), wounds in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = flow(&text(&blocks, "Later")).as_str().as_bytes().to_vec();
        for (place, byte) in &wounds {
            let place = place.index(bytes.len());
            bytes[place] = *byte;
        }
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_wires_among_any_nodes(count in 1..12_usize, wires in prop::collection::vec((0..12_usize, 0..12_usize, 0..6_u8), 0..40)) {
        let mut text: String = (0..count).map(|n| format!("n{n} {}\n", ["Add", "Join", "Until", "Loop", "Router", "Collect"][n % 6])).collect();
        for (from, to, kind) in wires {
            let (from, to) = (from % count, to % count);
            let _ = match kind {
                0 => writeln!(text, "n{from}.item -> n{to}.in"),
                1 => writeln!(text, "n{from}.out => n{to}.item"),
                2 => writeln!(text, "n{from} ~> n{to}"),
                3 => writeln!(text, "n{from}.done -> n{to}.data"),
                4 => writeln!(text, "n{from}.again -> n{to}.a"),
                _ => writeln!(text, "n{from}.out -> n{to}.in"),
            };
        }
        survives(flow(&text).as_str());
    }
}

/// A document of nodes of these types with these wires, without templates.
fn bare(
    types: &[&str],
    wires: impl IntoIterator<Item = (usize, &'static str, usize, &'static str)>,
) -> FlowData {
    let nodes: Vec<Json> = types
        .iter()
        .enumerate()
        .map(|(n, kind)| {
            let outputs = if *kind == "Loop" {
                json!([{ "name": "item", "allows_loop": true }])
            } else {
                json!([])
            };
            json!({ "id": format!("n{n}"), "type": "genericNode", "data": { "type": kind, "node": {
                "template": { "context_key": { "value": "k" } }, "outputs": outputs } } })
        })
        .collect();
    let edges: Vec<Json> = wires
        .into_iter()
        .map(|(from, output, to, field)| {
            let (source, target) = (format!("n{from}"), format!("n{to}"));
            json!({ "source": source, "target": target, "data": {
                "sourceHandle": { "id": source, "name": output }, "targetHandle": { "id": target, "fieldName": field } } })
        })
        .collect();
    FlowData::parse(&json!({ "nodes": nodes, "edges": edges }).to_string()).unwrap()
}

fn quickly(what: &str, document: &FlowData) -> Result<RunStatus, PlanError> {
    let began = Instant::now();
    let ended = runs(document, &Selection::Whole);
    // A bound that only something quadratic misses, on a machine that does other things as well.
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{what} took {:?}",
        began.elapsed()
    );
    ended
}

const MANY: usize = 10_000;

#[test]
fn long_chains_and_wide_stars_end() {
    let chain = bare(&["Add"; MANY], (1..MANY).map(|n| (n - 1, "out", n, "in")));
    assert_eq!(quickly("a chain", &chain), Ok(RunStatus::Completed));
    let star = bare(&["Add"; MANY], (1..MANY).map(|n| (0, "out", n, "in")));
    assert_eq!(quickly("a star", &star), Ok(RunStatus::Completed));
    let sink = bare(&["Collect"; MANY], (1..MANY).map(|n| (n, "out", 0, "list")));
    assert_eq!(quickly("a sink", &sink), Ok(RunStatus::Completed));
}

#[test]
fn rings_and_tangles_are_refused_or_end() {
    let ring = bare(
        &["Add"; MANY],
        (0..MANY).map(|n| (n, "out", (n + 1) % MANY, "in")),
    );
    assert!(matches!(
        quickly("a ring", &ring),
        Err(PlanError::EndlessCycle(_))
    ));
    let routers = bare(
        &["Until"; 500],
        (0..500).map(|n| (n, "again", (n + 1) % 500, "in")),
    );
    assert_eq!(quickly("a ring of routers", &routers), Ok(RunStatus::Failed));
    let tangle = bare(
        &["Until"; 150],
        (0..150).flat_map(|a| (0..150).map(move |b| (a, "again", b, "in"))),
    );
    assert!(quickly("everything with everything", &tangle).is_err());
    let pairs = bare(&["Until"; 1000], (0..1000).map(|n| (n, "again", n ^ 1, "in")));
    assert_eq!(quickly("many small circles", &pairs), Ok(RunStatus::Failed));
}

#[test]
fn many_loops_and_routers_end() {
    let types: Vec<&str> = (0..MANY)
        .map(|n| if n % 2 == 0 { "Loop" } else { "Add" })
        .collect();
    let wires = (0..MANY)
        .step_by(2)
        .flat_map(|n| [(n, "item", n + 1, "in"), (n, "done", (n + 2) % MANY, "data")]);
    let loops = bare(
        &types,
        wires.filter(|(from, output, ..)| !(*from == MANY - 2 && *output == "done")),
    );
    assert_eq!(quickly("a chain of loops", &loops), Ok(RunStatus::Completed));
    let nested = bare(&["Loop"; 200], (1..200).map(|n| (n - 1, "item", n, "data")));
    assert!(matches!(
        quickly("loops in loops in loops", &nested),
        Err(PlanError::TooDeep(_))
    ));
    let routers = bare(&["Router"; MANY], (1..MANY).map(|n| (n - 1, "left", n, "in")));
    assert_eq!(quickly("a chain of routers", &routers), Ok(RunStatus::Completed));
}

#[test]
fn what_notify_and_listen_join_is_bounded() {
    let types: Vec<&str> = (0..MANY)
        .map(|n| if n % 2 == 0 { "Notify" } else { "Listen" })
        .collect();
    assert!(matches!(
        quickly("all with all", &bare(&types, [])),
        Err(PlanError::Document(_))
    ));
}

#[test]
fn notify_reaches_listen_without_a_wire() {
    crate::support::check(
        "n Notify in=x context_key=k; m Notify in=y context_key=k; l Listen context_key=k; o Listen context_key=other",
        expect_test::expect![[r#"
            start n
            done n x
            start m
            done m y
            start o
            done o
            start l
            done l x&y
            ended completed
        "#]],
    );
}
