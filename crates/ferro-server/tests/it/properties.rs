//! What holds for every flow: it comes back byte for byte, and leaves and returns as it was.

use proptest::{prelude::*, test_runner::TestRunner};
use serde::Deserialize;
use serde_json::{json, value::RawValue};

use crate::site::{Person, Site};

fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just(""), 1 => Just(" "), 1 => Just("\n\t"), 1 => Just("\r\n  ")]
}

fn number() -> impl Strategy<Value = String> {
    const ODD: &[&str] = &[
        "0",
        "-0",
        "1.0",
        "1.50",
        "1e5",
        "1E+05",
        "-0.0e-0",
        "123456789012345678901234567890",
        "0.1e-400",
        "9e999",
    ];
    prop_oneof![
        proptest::sample::select(ODD).prop_map(str::to_owned),
        any::<i64>().prop_map(|n| n.to_string())
    ]
}

/// Text as it stands between quotes, with escapes that have other spellings.
fn letters() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9 äß日🦀œ<>&']{0,6}",
        1 => proptest::sample::select(&["\\n", "\\/", "\\\"", "\\\\", "\\u00e9", "\\u00E9", "\\ud83e\\udd80", "\\u0000", "\\b"][..])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        number(),
        letters().prop_map(|text| format!("\"{text}\"")),
        proptest::sample::select(&["null", "true", "false", "{}", "[]", "{ }", "[\n]"][..])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec((blank(), inner.clone(), blank()), 1..5).prop_map(|items| {
                let items: Vec<_> = items
                    .into_iter()
                    .map(|(before, item, after)| format!("{before}{item}{after}"))
                    .collect();
                format!("[{}]", items.join(","))
            }),
            prop::collection::vec((blank(), letters(), blank(), inner), 1..5)
                .prop_map(|members| object(&members)),
        ]
    })
}

/// Keys are numbered, so that none comes twice.
fn object(members: &[(&str, String, &str, String)]) -> String {
    let members = members.iter().enumerate();
    let members: Vec<_> = members
        .map(|(n, (before, key, after, value))| format!("{before}\"{key}{n}\"{after}:{after}{value}"))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn document() -> impl Strategy<Value = String> {
    let node = (blank(), letters(), any_json());
    let edge = (letters(), letters(), any_json());
    let nodes = prop::collection::vec(node, 0..4);
    let edges = prop::collection::vec(edge, 0..3);
    (nodes, edges, any_json(), blank(), any::<bool>()).prop_map(|(nodes, edges, extra, space, first)| {
        let nodes: Vec<_> = nodes
            .iter()
            .enumerate()
            .map(|(n, (space, id, data))| {
                format!("{{{space}\"id\"{space}:\"{id}{n}\",\"data\":{space}{data}}}")
            })
            .collect();
        let edges: Vec<_> = edges
            .iter()
            .map(|(source, target, data)| {
                format!("{{\"source\":\"{source}\",{space}\"target\":\"{target}\",\"e\":{data}}}")
            })
            .collect();
        let nodes = format!("\"nodes\"{space}:{space}[{}]", nodes.join(&format!("{space},")));
        let edges = format!("{space}\"edges\":[{}]{space}", edges.join(","));
        let extra = format!("\"viewport\":{space}{extra}");
        let parts = if first {
            [extra, nodes, edges]
        } else {
            [edges, extra, nodes]
        };
        format!("{{{}}}", parts.join(","))
    })
}

#[derive(Deserialize)]
struct Given {
    id: String,
    data: Box<RawValue>,
    x_extra: Box<RawValue>,
}

fn given(bytes: &[u8]) -> Given {
    serde_json::from_slice(bytes).unwrap()
}

async fn goes_round(ada: &Person, document: &str, extra: &str) {
    let body = format!("{{\"name\":\"F\", \"x_extra\" : {extra},\"data\":{document}}}");
    let made = ada
        .call("POST", "/api/v1/flows")
        .json_text(body)
        .send()
        .await
        .expect(201);
    // Read by its parts: some numbers are beyond what a `Value` can hold.
    let id = given(&made.body).id;
    let path = format!("/api/v1/flows/{id}");
    let read = ada.get(&path).await.expect(200);
    for answer in [&made, &read] {
        let kept = given(&answer.body);
        assert_eq!(kept.data.get(), document);
        assert_eq!(kept.x_extra.get(), extra);
    }
    let file = ada.post("/api/v1/flows/download", &json!([id])).await.expect(200);
    assert_eq!(given(&file.body).data.get(), document, "out");
    let back = ada
        .upload("/api/v1/flows/upload", &[("file", "f.json", &file.body)])
        .await
        .expect(201);
    let back: Vec<Given> = serde_json::from_slice(&back.body).unwrap();
    assert_eq!(back[0].data.get(), document, "and in again");
    assert_eq!(back[0].x_extra.get(), extra);

    ada.patch(&path, &json!({ "description": "other" }))
        .await
        .expect(200);
    ada.post(&format!("{path}/versions"), &json!({}))
        .await
        .expect(201);
    ada.patch(&path, &json!({ "data": {} })).await.expect(200);
    let versions = ada.get(&format!("{path}/versions")).await.expect(200).json();
    let version = versions["entries"][0]["id"].as_str().unwrap();
    let active = ada
        .call("POST", &format!("{path}/versions/{version}/activate"))
        .send()
        .await
        .expect(200);
    assert_eq!(given(&active.body).data.get(), document, "through a version");
    let copy = ada
        .post(&format!("{path}/duplicate"), &json!({}))
        .await
        .expect(201);
    assert_eq!(given(&copy.body).data.get(), document, "as a copy");
    let same = ada
        .call("POST", &format!("{path}/diff"))
        .json_text(format!("{{\"data\":{document}}}"))
        .send()
        .await;
    assert_eq!(same.expect(200).json()["identical"], true);
}

#[test]
fn a_flow_comes_back_byte_for_byte() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let site = runtime.block_on(Site::new());
    let config = ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let outcome = TestRunner::new(config).run(&(document(), any_json()), |(document, extra)| {
        let name = uuid::Uuid::new_v4().to_string();
        runtime.block_on(async {
            let ada = site.user(&name).await;
            goes_round(&ada, &document, &extra).await;
        });
        Ok(())
    });
    outcome.unwrap();
    // Inside the runtime: closing the connections needs it.
    let _inside = runtime.enter();
    drop(site);
}
