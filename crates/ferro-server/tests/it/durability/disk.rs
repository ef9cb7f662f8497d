//! A disk that fills up: writers are told, readers are not disturbed, and room lets everyone go on.

use ferro_testkit::{Client, SmallDisk};
use serde_json::{Value, json};

use crate::site::program;

fn small_disk(megabytes: u32) -> SmallDisk {
    match SmallDisk::new(megabytes) {
        Ok(disk) => disk,
        Err(why) => panic!("this test needs to mount a small disk ({why}): run it as root, as CI does"),
    }
}

async fn fill_with_flows(client: &Client) -> (Vec<String>, Value) {
    let mut kept = Vec::new();
    loop {
        let data = json!({ "nodes": [], "edges": [], "text": "x".repeat(60_000) });
        let answer = client
            .post("/api/v1/flows", &json!({ "name": "F", "data": data }))
            .await;
        if answer.status == 201 {
            kept.push(answer.id());
            assert!(kept.len() < 1000, "the disk does not fill");
        } else {
            return (kept, answer.refused(507, "disk_full"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_loses_nothing_and_room_mends_it() {
    let disk = small_disk(12);
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 4 << 20]).unwrap();
    let data = disk.path().join("data");
    let ferroflow = program(&data);
    let server = ferroflow.serve();
    let key = ferroflow.run(&["api-key", "create"]).succeeded().stdout;
    let client = server.client().with_key(key.trim());
    let (mut kept, refused) = fill_with_flows(&client).await;
    assert!(kept.len() > 5, "{}", kept.len());
    assert!(refused["detail"].as_str().unwrap().contains("disk"), "{refused}");

    for _ in 0..3 {
        let upload = client
            .upload("/api/v2/files", &[("file", "a.bin", &vec![7; 5 << 20])])
            .await;
        upload.refused(507, "disk_full");
        for id in &kept {
            let flow = client
                .get(&format!("/api/v1/flows/{id}"))
                .await
                .expect(200)
                .json();
            assert_eq!(flow["data"]["text"].as_str().unwrap().len(), 60_000);
        }
        client.get("/health").await.expect(200);
        client.get("/health_check").await.expect(200);
    }
    assert_eq!(
        client
            .get("/api/v1/flows?header_flows=true")
            .await
            .json()
            .as_array()
            .unwrap()
            .len(),
        kept.len()
    );
    assert_eq!(client.get("/api/v2/files").await.json(), json!([]));
    assert_eq!(std::fs::read_dir(data.join("files/incoming")).unwrap().count(), 0);

    std::fs::remove_file(&ballast).unwrap();
    let made = client
        .post("/api/v1/flows", &json!({ "name": "After", "data": {} }))
        .await;
    kept.push(made.expect(201).id());
    client
        .upload("/api/v2/files", &[("file", "small.bin", b"fits")])
        .await
        .expect(201);
    server.kill();

    let server = ferroflow.serve();
    let client = server.client().with_key(key.trim());
    for id in &kept {
        client.get(&format!("/api/v1/flows/{id}")).await.expect(200);
    }
    assert_eq!(
        client
            .get("/api/v1/flows?header_flows=true")
            .await
            .json()
            .as_array()
            .unwrap()
            .len(),
        kept.len()
    );
    server.stop();
}
