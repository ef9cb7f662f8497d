//! `kill -9` in the middle of fifty people saving: what was acknowledged is there afterwards.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use ferro_testkit::Client;
use serde_json::json;
use tokio::sync::Notify;

use crate::site::program;

const SAVERS: usize = 50;

/// What one saver was told: the flow, and the last number it holds for certain.
struct Acknowledged {
    id: String,
    number: u64,
    revision: i64,
}

async fn save_until_it_breaks(
    client: Client,
    id: String,
    from: u64,
    acks: Arc<AtomicUsize>,
    enough: Arc<Notify>,
    wanted: usize,
) -> Acknowledged {
    let path = format!("/api/v1/flows/{id}");
    let mut told = Acknowledged {
        id,
        number: 0,
        revision: 0,
    };
    for number in from.. {
        let data = json!({ "nodes": [], "edges": [], "number": number, "padding": "x".repeat(2000) });
        let call = client
            .call("PATCH", &path)
            .json(&json!({ "data": data, "description": number.to_string() }));
        let Ok(answer) = call.try_send().await else { break };
        assert_eq!(answer.status, 200, "{}", answer.text());
        told.number = number;
        told.revision = answer.json()["revision"].as_i64().unwrap();
        if acks.fetch_add(1, Ordering::SeqCst) + 1 == wanted {
            enough.notify_one();
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_save_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let mut server = ferroflow.serve();
    let key = ferroflow.run(&["api-key", "create"]).succeeded().stdout;
    let key = key.trim().to_owned();
    let mut flows = Vec::new();
    for n in 0..SAVERS {
        let made = server
            .client()
            .with_key(&key)
            .post("/api/v1/flows", &json!({ "name": format!("flow {n}") }))
            .await;
        flows.push(made.expect(201).id());
    }
    let mut next = 1;
    // Killed early, and ever later: in the first batch, among many, and with a log of some length behind it.
    for wanted in [1, 60, 300, 1000] {
        let client = server.client().with_key(&key);
        let (acks, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let savers: Vec<_> = flows
            .iter()
            .map(|id| {
                tokio::spawn(save_until_it_breaks(
                    client.clone(),
                    id.clone(),
                    next,
                    acks.clone(),
                    enough.clone(),
                    wanted,
                ))
            })
            .collect();
        enough.notified().await;
        server.kill();
        let mut told: HashMap<String, Acknowledged> = HashMap::new();
        for saver in savers {
            let acknowledged = saver.await.unwrap();
            told.insert(acknowledged.id.clone(), acknowledged);
        }
        let total: usize = acks.load(Ordering::SeqCst);
        assert!(total >= wanted);

        server = ferroflow.serve();
        let client = server.client().with_key(&key);
        for (id, acknowledged) in &told {
            let flow = client
                .get(&format!("/api/v1/flows/{id}"))
                .await
                .expect(200)
                .json();
            let number = flow["data"]["number"].as_u64().unwrap_or(0);
            assert!(
                number >= acknowledged.number,
                "{id}: {} was acknowledged and {number} is there",
                acknowledged.number
            );
            assert!(
                flow["revision"].as_i64().unwrap() >= acknowledged.revision,
                "{flow}"
            );
            // At most the one save that was under way goes further than what was acknowledged.
            assert!(
                acknowledged.number == 0 || number <= acknowledged.number + 1,
                "{id}: {number}"
            );
            if number > 0 {
                assert_eq!(
                    flow["description"],
                    number.to_string(),
                    "header and document are of the same save"
                );
            }
            next = next.max(number + 1);
        }
    }
    server.kill();
    ferroflow.run(&["migrate"]).succeeded();
    let listed = ferroflow.run(&["user", "list"]).succeeded().stdout;
    assert!(listed.contains("ferroflow"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_and_new_flows_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let mut server = ferroflow.serve();
    let key = ferroflow.run(&["api-key", "create"]).succeeded().stdout;
    let key = key.trim().to_owned();
    let mut flows: Vec<String> = Vec::new();
    let mut files: HashMap<String, Vec<u8>> = HashMap::new();
    for round in 0..3_u8 {
        let client = server.client().with_key(&key);
        let (acks, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let makers: Vec<_> = (0..8_u8)
            .map(|maker| {
                let (client, acks, enough) = (client.clone(), acks.clone(), enough.clone());
                tokio::spawn(async move {
                    let (mut flows, mut files) = (Vec::new(), Vec::new());
                    loop {
                        let count = u8::try_from(files.len() % 256).unwrap();
                        let bytes = vec![maker ^ count ^ round; 30_000];
                        let (kind, body) = ferro_testkit::multipart(&[("file", "same name.bin", &bytes)]);
                        let upload = client
                            .call("POST", "/api/v2/files")
                            .header("content-type", &kind)
                            .body(body);
                        let Ok(answer) = upload.try_send().await else {
                            break;
                        };
                        files.push((answer.expect(201).id(), bytes));
                        let new = client
                            .call("POST", "/api/v1/flows")
                            .json(&json!({ "name": "Same name", "data": {} }));
                        let Ok(answer) = new.try_send().await else { break };
                        flows.push(answer.expect(201).id());
                        if acks.fetch_add(1, Ordering::SeqCst) == 20 {
                            enough.notify_one();
                        }
                    }
                    (flows, files)
                })
            })
            .collect();
        enough.notified().await;
        server.kill();
        for maker in makers {
            let (made, sent) = maker.await.unwrap();
            flows.extend(made);
            files.extend(sent);
        }
        server = ferroflow.serve();
        let client = server.client().with_key(&key);
        for id in &flows {
            client.get(&format!("/api/v1/flows/{id}")).await.expect(200);
        }
        for (id, bytes) in &files {
            let read = client.get(&format!("/api/v2/files/{id}")).await.expect(200);
            assert!(read.body == bytes.as_slice(), "file {id} is not what was sent");
        }
    }
    server.kill();
    // What was half there is swept up at a start, once nobody can be writing it any more.
    let incoming = folder.path().join("files/incoming");
    std::fs::write(incoming.join(uuid::Uuid::new_v4().to_string()), "half").unwrap();
    for entry in std::fs::read_dir(&incoming).unwrap().flatten() {
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        std::fs::File::options()
            .write(true)
            .open(entry.path())
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    }
    let server = ferroflow.serve();
    ferro_testkit::until("half uploads are gone", async || {
        (std::fs::read_dir(&incoming).unwrap().count() == 0).then_some(())
    })
    .await;
    server.stop();
}
