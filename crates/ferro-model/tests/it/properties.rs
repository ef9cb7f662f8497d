//! What holds for every document.

use std::collections::BTreeSet;

use ferro_model::diff::Change;
use ferro_model::handle::{FieldHandle, Proxy, SourceHandle, TargetHandle};
use ferro_model::{FlowData, FlowDiff, check_depth, diff, read, strip_secrets};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Keys that mean something somewhere, so that arbitrary JSON reaches every branch.
const KEYS: &[&str] = &[
    "id",
    "type",
    "data",
    "node",
    "template",
    "value",
    "password",
    "load_from_db",
    "outputs",
    "name",
    "flow",
    "nodes",
    "edges",
    "position",
    "x",
    "y",
    "display_name",
    "description",
    "width",
    "showNode",
    "code",
    "backgroundColor",
    "sourceHandle",
    "targetHandle",
    "fieldName",
    "source",
    "target",
    "selected",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => proptest::sample::select(KEYS).prop_map(str::to_owned),
        2 => "[a-c]{0,2}",
        1 => any::<String>(),
        1 => Just("{œidœ:œaœ,œnameœ:œoœ,œfieldNameœ:œfœ}".to_owned()),
        1 => proptest::sample::select(&["genericNode", "noteNode", "agent", "true"][..]).prop_map(str::to_owned),
    ]
}

pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1000.0..1000.0f64).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..7)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn field() -> impl Strategy<Value = Value> {
    (any::<bool>(), any::<bool>(), any_json(), text()).prop_map(|(password, load_from_db, value, label)| {
        json!({"password": password, "load_from_db": load_from_db, "value": value, "display_name": label, "type": "str"})
    })
}

fn node(id: &'static str) -> impl Strategy<Value = Value> {
    let fields = prop::collection::btree_map("[a-c]", field(), 0..3);
    let outputs = prop::collection::vec("[m-o]", 0..3);
    let kind = proptest::sample::select(&["genericNode", "noteNode", "agent", "else"][..]);
    (kind, fields, outputs, 0..3i32, any::<bool>(), any_json()).prop_map(move |(kind, fields, outputs, x, group, extra)| {
        let outputs: Vec<Value> = outputs.into_iter().map(|name| json!({"name": name, "types": ["Message"]})).collect();
        let mut component = json!({"display_name": "N", "template": fields, "outputs": outputs, "metadata": extra});
        if group {
            component["flow"] = json!({"data": {"nodes": [{"data": {"node": {"template": fields}}}]}});
        }
        json!({"id": id, "type": kind, "position": {"x": x, "y": 0}, "data": {"type": "T", "node": component}})
    })
}

fn edge() -> impl Strategy<Value = Value> {
    let id = || proptest::sample::select(&["a", "b", "c", "gone"][..]);
    (id(), id(), "[m-n]", "[a-b]", any::<bool>()).prop_map(|(source, target, output, field, with_data)| {
        let from = json!({"dataType": "T", "id": source, "name": output, "output_types": ["Message"]});
        let to = json!({"fieldName": field, "id": target, "inputTypes": null, "type": "str"});
        let written = |handle: &Value| handle.to_string().replace('"', "œ");
        let mut edge = json!({"source": source, "target": target, "sourceHandle": written(&from), "targetHandle": written(&to)});
        if with_data {
            edge["data"] = json!({"sourceHandle": from, "targetHandle": to});
        }
        edge
    })
}

/// Documents of Langflow's shape over the same few ids, so that two of them overlap.
fn shaped() -> impl Strategy<Value = Value> {
    let nodes = (
        prop::option::of(node("a")),
        prop::option::of(node("b")),
        prop::option::of(node("c")),
    );
    (nodes, prop::collection::vec(edge(), 0..4), any::<i8>()).prop_map(|((a, b, c), edges, x)| {
        let nodes: Vec<Value> = [a, b, c].into_iter().flatten().collect();
        json!({"nodes": nodes, "edges": edges, "viewport": {"x": x}})
    })
}

/// Documents that pass the check and are otherwise anything.
fn wild() -> impl Strategy<Value = Value> {
    let object = || prop::collection::vec((text(), any_json()), 0..5).prop_map(Map::from_iter);
    (
        object(),
        prop::collection::vec(object(), 0..3),
        prop::collection::vec(object(), 0..3),
    )
        .prop_map(|(mut document, mut nodes, mut edges)| {
            for (index, node) in nodes.iter_mut().enumerate() {
                node.insert("id".into(), index.to_string().into());
            }
            for edge in &mut edges {
                edge.insert("source".into(), "0".into());
                edge.insert("target".into(), "1".into());
            }
            document.insert("nodes".into(), json!(nodes));
            document.insert("edges".into(), json!(edges));
            Value::Object(document)
        })
}

pub fn document() -> impl Strategy<Value = FlowData> {
    (prop_oneof![shaped(), wild()], any::<bool>()).prop_map(|(value, pretty)| {
        let text = if pretty {
            serde_json::to_string_pretty(&value)
        } else {
            serde_json::to_string(&value)
        };
        FlowData::parse(&text.unwrap()).unwrap()
    })
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any::<String>(), 0..3)
}

fn source_handle(name: impl Strategy<Value = Option<String>>) -> impl Strategy<Value = SourceHandle> {
    (any::<Option<String>>(), any::<String>(), name, names(), names()).prop_map(
        |(data_type, id, name, output_types, base_classes)| SourceHandle {
            data_type,
            id,
            name,
            output_types,
            base_classes,
        },
    )
}

fn target_handle() -> impl Strategy<Value = TargetHandle> {
    let proxy =
        prop::option::of((any::<String>(), any::<String>()).prop_map(|(id, field)| Proxy { id, field }));
    let field = (
        any::<String>(),
        any::<String>(),
        prop::option::of(names()),
        any::<Option<String>>(),
        proxy,
    )
        .prop_map(|(field_name, id, input_types, r#type, proxy)| FieldHandle {
            field_name,
            id,
            input_types,
            r#type,
            proxy,
        });
    prop_oneof![
        field.prop_map(TargetHandle::Field),
        source_handle(any::<String>().prop_map(Some)).prop_map(TargetHandle::Loop),
    ]
}

/// Puts a mark in every secret.
fn mark(value: &mut Value, secret: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| mark(item, secret)),
        Value::Object(members) => {
            let is = |key: &str| members.get(key) == Some(&Value::Bool(true));
            let field = is("password") && !is("load_from_db");
            for (key, value) in members.iter_mut() {
                mark(value, secret || field && key == "value");
            }
        }
        Value::String(_) | Value::Number(_) if secret => *value = Value::from("s3cret"),
        _ => {}
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Secret {
    No,
    /// By its name.
    Maybe,
    Yes,
}

/// Where two values differ, the new one is "" inside a secret; and no marked secret is left.
fn only_secrets_differ(old: &Value, new: &Value, secret: Secret) -> bool {
    match (old, new) {
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len()
                && old
                    .iter()
                    .zip(new)
                    .all(|(old, new)| only_secrets_differ(old, new, secret))
        }
        (Value::Object(old), Value::Object(new)) => {
            let is = |key: &str| old.get(key) == Some(&Value::Bool(true));
            let is_named = ["name", "key", "header"]
                .iter()
                .any(|key| old.get(*key).is_some_and(|name| name == "password"));
            let inside = |key: &str| match key {
                "value" if is("password") && !is("load_from_db") => Secret::Yes,
                "value" if is_named => Secret::Maybe,
                "password" => Secret::Maybe,
                _ => Secret::No,
            };
            old.keys().eq(new.keys())
                && old.iter().all(|(key, old)| {
                    let inside = inside(key);
                    let more = if inside > secret { inside } else { secret };
                    only_secrets_differ(old, &new[key], more)
                })
        }
        (Value::String(_) | Value::Number(_), new) if secret == Secret::Yes => new == "",
        (Value::String(_) | Value::Number(_), new) if secret == Secret::Maybe => new == "" || old == new,
        _ => old == new,
    }
}

fn paths(changes: &[Change], swap: bool) -> BTreeSet<String> {
    let side = |change: &Change| {
        if swap {
            [&change.new, &change.old]
        } else {
            [&change.old, &change.new]
        }
        .map(Value::to_string)
    };
    changes
        .iter()
        .map(|change| format!("{} {:?}", change.path, side(change)))
        .collect()
}

fn changes(diff: &FlowDiff, swap: bool) -> BTreeSet<(String, BTreeSet<String>)> {
    diff.nodes_changed
        .iter()
        .map(|node| (node.node.id.clone(), paths(&node.changes, swap)))
        .collect()
}

proptest! {
    #[test]
    fn a_document_serialises_to_the_text_it_was(flow in document()) {
        prop_assert_eq!(serde_json::to_string(&flow).unwrap(), flow.as_str());
        let again: FlowData = serde_json::from_str(flow.as_str()).unwrap();
        prop_assert_eq!(again.summary(), flow.summary());
        prop_assert_eq!(again, flow);
    }

    #[test]
    fn no_text_panics(value in any_json(), garbage in any::<String>()) {
        for text in [value.to_string(), garbage] {
            let _ = check_depth(text.as_bytes(), 3);
            if let Ok(flow) = FlowData::parse(&text) {
                let _ = read(&flow);
            }
        }
    }

    #[test]
    fn depth_is_what_a_parser_finds(value in any_json()) {
        fn depth(value: &Value) -> usize {
            match value {
                Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
                Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
                _ => 0,
            }
        }
        let (text, depth) = (value.to_string(), depth(&value));
        prop_assert!(check_depth(text.as_bytes(), depth).is_ok());
        prop_assert!(depth == 0 || check_depth(text.as_bytes(), depth - 1).is_err());
    }

    #[test]
    fn reading_keeps_every_node_and_edge(flow in document()) {
        let view = read(&flow);
        prop_assert_eq!(view.nodes.len(), flow.summary().nodes);
        prop_assert_eq!(view.edges.len(), flow.summary().edges);
        let notes = view.nodes.iter().filter(|node| node.kind == ferro_model::read::NodeKind::Note).count();
        prop_assert_eq!(notes, flow.summary().notes);
    }

    #[test]
    fn a_document_does_not_differ_from_itself(flow in document()) {
        let found = diff(&flow, &flow);
        prop_assert!(found.identical);
        prop_assert_eq!(found.text, "");
        let value: Value = serde_json::from_str(flow.as_str()).unwrap();
        if let Ok(spaced) = FlowData::parse(&serde_json::to_string_pretty(&value).unwrap()) {
            prop_assert_eq!(diff(&flow, &spaced).text, "");
        }
    }

    #[test]
    fn a_diff_agrees_with_itself_and_with_its_reverse(old in document(), new in document()) {
        let (there, back) = (diff(&old, &new), diff(&new, &old));
        prop_assert_eq!(there.summary.nodes_added, there.nodes_added.len());
        prop_assert_eq!(there.summary.nodes_changed, there.nodes_changed.len());
        prop_assert_eq!(there.summary.wires_removed, there.wires_removed.len());
        prop_assert_eq!(there.identical, there.text.is_empty());
        let (before, after) = (old.summary(), new.summary());
        prop_assert_eq!(before.nodes + there.nodes_added.len(), after.nodes + there.nodes_removed.len());
        prop_assert_eq!(before.edges + there.wires_added.len(), after.edges + there.wires_removed.len());
        prop_assert!(there.nodes_changed.iter().all(|node| !node.changes.is_empty()));

        prop_assert_eq!(&there.nodes_added, &back.nodes_removed);
        prop_assert_eq!(&there.nodes_removed, &back.nodes_added);
        prop_assert_eq!(&there.wires_added, &back.wires_removed);
        prop_assert_eq!(&there.wires_removed, &back.wires_added);
        prop_assert_eq!(changes(&there, false), changes(&back, true));
        prop_assert_eq!(paths(&there.flow_changes, false), paths(&back.flow_changes, true));
    }

    #[test]
    fn a_diff_shows_no_secret(old in prop_oneof![shaped(), wild()], new in prop_oneof![shaped(), wild()]) {
        let marked = |mut value: Value| {
            mark(&mut value, false);
            FlowData::parse(&value.to_string()).unwrap()
        };
        let found = serde_json::to_string(&diff(&marked(old), &marked(new))).unwrap();
        prop_assert!(!found.contains("s3cret"), "{found}");
    }

    #[test]
    fn stripping_removes_secrets_and_nothing_else(flow in document()) {
        let stripped = strip_secrets(&flow);
        let (old, new): (Value, Value) =
            (serde_json::from_str(flow.as_str()).unwrap(), serde_json::from_str(stripped.data.as_str()).unwrap());
        prop_assert!(only_secrets_differ(&old, &new, Secret::No), "{old} became {new}");
        prop_assert_eq!(stripped.removed == 0, flow == stripped.data);
        prop_assert_eq!(FlowData::parse(stripped.data.as_str()).unwrap().summary(), flow.summary());
        let again = strip_secrets(&stripped.data);
        prop_assert_eq!(again.removed, 0);
        prop_assert_eq!(again.data, stripped.data);
    }

    #[test]
    fn a_source_handle_reads_back(handle in source_handle(any::<Option<String>>())) {
        prop_assert_eq!(handle.to_string().parse(), Ok(handle));
    }

    #[test]
    fn a_target_handle_reads_back(handle in target_handle()) {
        prop_assert_eq!(handle.to_string().parse(), Ok(handle));
    }
}
