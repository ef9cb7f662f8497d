//! Flows in and out of files.

use std::{
    io::{Cursor, Read as _, Write as _},
    path::Path,
};

use ferro_store::{Principal, Window};
use serde_json::{Value, json};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

use crate::site::{Person, Site, is_clean_refusal, texts, with_secret};

fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn unzip(bytes: &[u8]) -> Vec<(String, Value)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes.to_vec())).unwrap();
    let names: Vec<_> = archive
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    let mut found = Vec::new();
    for name in names {
        let mut text = String::new();
        archive.by_name(&name).unwrap().read_to_string(&mut text).unwrap();
        found.push((name, serde_json::from_str(&text).unwrap()));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

async fn import(person: &Person, name: &str, bytes: &[u8]) -> Vec<String> {
    let made = person
        .upload("/api/v1/flows/upload", &[("file", name, bytes)])
        .await
        .expect(201)
        .json();
    texts(&made, "name")
}

const FLOW: &[u8] = br#"{"name":"F","data":{"nodes":[],"edges":[]}}"#;

#[tokio::test]
async fn files_of_every_form_come_in() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    assert_eq!(import(&ada, "f.json", FLOW).await, ["F"]);
    assert_eq!(import(&ada, "f.json", FLOW).await, ["F (1)"]);
    assert_eq!(
        import(&ada, "two.json", br#"{"flows":[{"name":"A"},{"name":"B"}]}"#).await,
        ["A", "B"]
    );
    assert_eq!(import(&ada, "list.json", br#"[{"name":"C"}]"#).await, ["C"]);
    assert_eq!(
        import(&ada, "Only a document.json", br#"{"data":{}}"#).await,
        ["Only a document"]
    );
    assert_eq!(
        import(&ada, "bom.json", b"\xef\xbb\xbf{\"name\":\"Bom\"}").await,
        ["Bom"]
    );
    let zip = zip_of(&[
        ("x/One.json", br#"{"name":"One"}"#),
        ("readme.md", b"hi"),
        ("__MACOSX/._One.json", b"junk"),
    ]);
    assert_eq!(import(&ada, "flows.zip", &zip).await, ["One"]);
    let parts: [(&str, &str, &[u8]); 2] = [
        ("file", "g.json", br#"{"name":"G"}"#),
        ("other", "h.json", br#"{"name":"H"}"#),
    ];
    let made = ada
        .upload("/api/v1/flows/upload", &parts)
        .await
        .expect(201)
        .json();
    assert_eq!(texts(&made, "name"), ["G", "H"]);

    let project = ada.project("P").await.id();
    let to = format!("/api/v1/flows/upload?folder_id={project}");
    let elsewhere = br#"{"name":"I","folder_id":"00000000-0000-0000-0000-000000000001","access_type":"PUBLIC","user_id":"x"}"#;
    let made = ada
        .upload(&to, &[("file", "i.json", elsewhere)])
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&made[0]["folder_id"], &made[0]["access_type"]),
        (&json!(project), &json!("PRIVATE")),
        "a file shares nothing"
    );
    ada.upload("/api/v1/flows/upload?folder_id=x", &[("file", "f.json", FLOW)])
        .await
        .refused(422, "invalid");
    let nowhere = format!("/api/v1/flows/upload?folder_id={}", uuid::Uuid::new_v4());
    ada.upload(&nowhere, &[("file", "f.json", FLOW)])
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn garbage_bombs_and_slips_are_refused_and_leave_nothing() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let outside = site.app.config.data_dir.parent().unwrap().join("slipped.json");
    let whole = zip_of(&[("a.json", FLOW)]);
    let bomb = zip_of(&[("bomb.json", &vec![b' '; 15 << 20])]);
    let many = zip_of(
        &(0..8)
            .map(|_| "x")
            .collect::<Vec<_>>()
            .iter()
            .enumerate()
            .map(|(n, _)| n)
            .map(|n| NAMES[n])
            .map(|n| (n, FILLER))
            .collect::<Vec<_>>(),
    );
    assert!(bomb.len() < 64 << 10 && many.len() < 256 << 10);
    let lying = {
        let mut bytes = whole.clone();
        let at = bytes.len() / 2;
        bytes[at] ^= 0xff;
        bytes
    };
    for (what, name, bytes) in [
        ("words", "a.json", b"hello".to_vec()),
        ("nothing", "a.json", vec![]),
        ("half a flow", "a.json", FLOW[..20].to_vec()),
        ("a number", "a.json", b"7".to_vec()),
        ("no UTF-8", "a.json", b"{\"name\":\"\xff\"}".to_vec()),
        ("a deep one", "a.json", "[".repeat(100_000).into_bytes()),
        ("a wrong type", "a.json", br#"{"name":7}"#.to_vec()),
        (
            "no edges",
            "a.json",
            br#"{"name":"x","data":{"nodes":[]}}"#.to_vec(),
        ),
        (
            "one bad of two",
            "a.json",
            br#"[{"name":"fine"},{"name":7}]"#.to_vec(),
        ),
        ("half a zip", "a.zip", whole[..whole.len() / 2].to_vec()),
        ("a bent zip", "a.zip", lying),
        ("an empty zip", "a.zip", zip_of(&[])),
        ("a zip of words", "a.zip", zip_of(&[("a.txt", b"words")])),
        ("a zip in a zip", "a.zip", zip_of(&[("a.json", &whole)])),
        ("a bomb", "a.zip", bomb),
        ("many bombs", "a.zip", many),
        ("a program", "a.exe", b"MZ\x90\0".to_vec()),
    ] {
        for path in ["/api/v1/flows/upload", "/api/v1/projects/upload"] {
            let answer = ada.upload(path, &[("file", name, &bytes)]).await;
            assert!(
                answer.status == 400 || answer.status == 422,
                "{what}: {} {}",
                answer.status,
                answer.text()
            );
            is_clean_refusal(&answer);
        }
    }
    let slip = zip_of(&[
        ("../../slipped.json", br#"{"name":"Slip"}"#),
        ("/etc/cron.d/x.json", br#"{"name":"Abs"}"#),
    ]);
    assert_eq!(
        import(&ada, "slip.zip", &slip).await,
        ["Slip", "Abs"],
        "paths in archives mean nothing"
    );
    assert!(!outside.exists());
    assert_eq!(ada.flow_names().await, ["Abs", "Slip"]);
    assert!(ada.get("/api/v1/projects").await.json().as_array().unwrap().len() <= 1);
}

const NAMES: [&str; 8] = [
    "0.json", "1.json", "2.json", "3.json", "4.json", "5.json", "6.json", "7.json",
];
const FILLER: &[u8] = &[b' '; 8 << 20];

#[tokio::test]
async fn flows_go_out_one_as_json_and_several_as_a_zip() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let new = json!({ "name": "A/B: \"c\" ü", "x": 1, "tags": ["t"], "data": with_secret("hunter2") });
    let one = ada.post("/api/v1/flows", &new).await.expect(201).id();
    let file = ada
        .post("/api/v1/flows/download", &json!([one]))
        .await
        .expect(200);
    assert_eq!(file.header("content-type"), "application/json");
    let disposition = file.header("content-disposition");
    assert!(
        disposition.starts_with("attachment; filename=\"") && disposition.contains("filename*=UTF-8''"),
        "{disposition}"
    );
    assert!(!disposition.contains("A/B"), "{disposition}");
    assert!(!file.text().contains("hunter2"));
    let flow = file.json();
    assert_eq!(
        (&flow["data"], &flow["x"], &flow["tags"]),
        (&with_secret(""), &json!(1), &json!(["t"]))
    );
    for own in ["user_id", "folder_id", "access_type", "revision", "updated_at"] {
        assert!(flow.get(own).is_none(), "{own} is this server's, not the flow's");
    }
    let two = ada.flow("a_b_ _c_ ü").await.id();
    let zip = ada
        .post("/api/v1/flows/download", &json!([one, two]))
        .await
        .expect(200);
    assert_eq!(zip.header("content-type"), "application/zip");
    let entries = unzip(&zip.body);
    assert_eq!(entries.len(), 2);
    assert!(
        entries
            .iter()
            .all(|(name, _)| name.ends_with(".json") && !name.contains(['/', '\\', ':'])),
        "{entries:?}"
    );

    let eve = site.user("eve").await;
    let names = import(&eve, "flows.zip", &zip.body).await;
    assert!(names.contains(&"A/B: \"c\" ü".to_owned()), "{names:?}");
    ada.post("/api/v1/flows/download", &json!([]))
        .await
        .refused(422, "invalid");
    ada.post("/api/v1/flows/download", &json!([one, uuid::Uuid::new_v4()]))
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn secrets_go_out_only_for_their_owner_who_asks_and_it_is_written_down() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let new = json!({ "name": "Keys", "data": with_secret("hunter2") });
    let flow = ada.post("/api/v1/flows", &new).await.expect(201).id();
    let project = json!({ "name": "Vault", "flows_list": [flow] });
    let project = ada.post("/api/v1/projects", &project).await.expect(201).id();
    let flows = "/api/v1/flows/download";
    let folder = format!("/api/v1/projects/download/{project}");
    let secrets = |path: &str| format!("{path}?include_secrets=true");

    eve.post(&secrets(flows), &json!([flow]))
        .await
        .refused(404, "not_found");
    eve.get(&secrets(&folder)).await.refused(404, "not_found");
    for asked in ["", "?include_secrets=false"] {
        let file = ada
            .post(&format!("{flows}{asked}"), &json!([flow]))
            .await
            .expect(200);
        assert_eq!(file.json()["data"], with_secret(""));
        let zip = ada.get(&format!("{folder}{asked}")).await.expect(200);
        assert_eq!(unzip(&zip.body)[0].1["data"], with_secret(""));
    }
    let file = ada.post(&secrets(flows), &json!([flow])).await.expect(200);
    assert_eq!(file.json()["data"], with_secret("hunter2"));
    let zip = ada.get(&secrets(&folder)).await.expect(200);
    assert_eq!(unzip(&zip.body)[0].1["data"], with_secret("hunter2"));

    let log = site.app.store.audit_log(&Principal::System, Window::ALL);
    let written: Vec<(String, String)> = log
        .await
        .unwrap()
        .into_iter()
        .filter(|record| record.action.ends_with("export_secrets"))
        .map(|record| (record.action, record.target))
        .collect();
    assert_eq!(written.len(), 2, "{written:?}");
    for (action, target) in [
        ("flow.export_secrets", &flow),
        ("project.export_secrets", &project),
    ] {
        let entry = (action.to_owned(), target.clone());
        assert!(written.contains(&entry), "{written:?}");
    }
}

/// One small file per shape that a flow was ever saved in; the model's tests say what each means.
#[tokio::test]
async fn a_saved_flow_of_any_past_version_still_loads() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ferro-model/tests/old_flows");
    let mut loaded = 0;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if !name.ends_with(".json") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let whole = if serde_json::from_str::<Value>(&text)
            .unwrap()
            .get("data")
            .is_some()
        {
            text.clone()
        } else {
            format!("{{\"name\":{:?},\"data\":{text}}}", name)
        };
        let made = ada
            .upload("/api/v1/flows/upload", &[("file", &name, whole.as_bytes())])
            .await;
        let id = made.expect(201).json()[0]["id"].as_str().unwrap().to_owned();
        let flow = ada.get(&format!("/api/v1/flows/{id}")).await.expect(200).json();
        let expected: Value = serde_json::from_str(&whole).unwrap();
        assert_eq!(flow["data"], expected["data"], "{name}");
        ada.post(&format!("/api/v1/flows/{id}/versions"), &json!({}))
            .await
            .expect(201);
        let diff = ada
            .post(&format!("/api/v1/flows/{id}/diff"), &json!({ "data": {} }))
            .await
            .expect(200)
            .json();
        assert_eq!(diff["identical"], false, "{name}");
        ada.post("/api/v1/flows/download", &json!([id])).await.expect(200);
        loaded += 1;
    }
    assert!(loaded >= 6, "only {loaded} files were found");
}
