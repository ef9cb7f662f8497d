//! A person's files.

use std::io::{Cursor, Read as _};

use serde_json::json;

use crate::site::{Site, texts};

#[tokio::test]
async fn a_file_goes_in_and_comes_out_the_same() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let bytes: Vec<u8> = (0..300_000_u32).map(|n| (n * 7 % 251) as u8).collect();
    let made = ada.file("data.bin", &bytes).await.json();
    assert_eq!(
        (&made["name"], &made["size"]),
        (&json!("data.bin"), &json!(300_000))
    );
    assert_eq!(
        made["path"],
        format!("{}/{}", ada.id, made["id"].as_str().unwrap())
    );
    let read = ada
        .get(&format!("/api/v2/files/{}", made["id"].as_str().unwrap()))
        .await
        .expect(200);
    assert_eq!(read.body, bytes);
    assert_eq!(read.header("content-length"), "300000");
    let empty = ada.file("empty.txt", b"").await;
    assert_eq!(empty.json()["size"], 0);
    assert!(
        ada.get(&format!("/api/v2/files/{}", empty.id()))
            .await
            .expect(200)
            .body
            .is_empty()
    );
}

#[tokio::test]
async fn what_is_uploaded_never_runs_as_part_of_the_site() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for (name, kind) in [
        ("page.html", "application/octet-stream"),
        ("picture.svg", "application/octet-stream"),
        ("script.js", "application/octet-stream"),
        ("page.xhtml", "application/octet-stream"),
        ("none", "application/octet-stream"),
        ("picture.png", "image/png"),
        ("notes.txt", "text/plain"),
        ("data.json", "application/json"),
    ] {
        let id = ada.file(name, b"<script>alert(1)</script>").await.id();
        let read = ada.get(&format!("/api/v2/files/{id}")).await.expect(200);
        assert_eq!(read.header("content-type"), kind, "{name}");
        assert!(
            read.header("content-disposition").starts_with("attachment;"),
            "{name}"
        );
        assert_eq!(read.header("x-content-type-options"), "nosniff");
        assert_eq!(
            read.header("content-security-policy"),
            "sandbox; default-src 'none'"
        );
        assert_eq!(read.header("cache-control"), "private, no-store");
    }
}

#[tokio::test]
async fn names_lose_what_could_hurt() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for (given, kept) in [
        ("../../etc/passwd", "passwd"),
        ("..\\\\..\\\\windows\\\\win.ini", "win.ini"),
        ("/etc/shadow", "shadow"),
        ("C:\\\\secret.txt", "secret.txt"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("COM1.log", "_COM1.log"),
        ("..", "file"),
        (".", "file (1)"),
        (".htaccess", "htaccess"),
        ("a b  c.txt", "a b  c.txt"),
        ("semi;colon.txt", "semi;colon.txt"),
        ("über 日本.txt", "über 日本.txt"),
        ("evil\u{202e}txt.exe", "eviltxt.exe"),
        ("dots...", "dots"),
    ] {
        let made = ada.file(given, b"x").await;
        assert_eq!(made.json()["name"], kept, "{given:?}");
        let read = ada.get(&format!("/api/v2/files/{}", made.id())).await.expect(200);
        let disposition = read.header("content-disposition");
        assert!(
            !disposition.contains("..") && !disposition.contains('/') && !disposition.contains('\\'),
            "{disposition}"
        );
    }
    let long = ada.file(&format!("{}.txt", "é".repeat(300)), b"x").await.json();
    let long = long["name"].as_str().unwrap();
    assert!(
        long.len() <= 200 && long.ends_with(".txt"),
        "{} bytes",
        long.len()
    );
    for entry in std::fs::read_dir(site.app.config.files_dir().join(&ada.id))
        .unwrap()
        .flatten()
    {
        let name = entry.file_name().into_string().unwrap();
        assert!(
            uuid::Uuid::parse_str(&name).is_ok(),
            "{name}: on disk a file is only its id"
        );
    }
    ada.get("/api/v2/files/..%2f..%2fsecret.key")
        .await
        .refused(404, "not_found");
    ada.get("/api/v2/files/secret.key")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn names_are_unique_and_change() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = ada.file("notes.txt", b"1").await.id();
    assert_eq!(ada.file("notes.txt", b"2").await.json()["name"], "notes (1).txt");
    let rename = |id: &str, name: &str| ada.call("PUT", &format!("/api/v2/files/{id}?name={name}")).send();
    assert_eq!(
        rename(&id, "diary").await.expect(200).json()["name"],
        "diary.txt",
        "the extension stays"
    );
    assert_eq!(
        rename(&id, "diary.md").await.expect(200).json()["name"],
        "diary.md"
    );
    assert_eq!(
        rename(&id, "..%2F..%2Fetc%2Fpasswd.md").await.expect(200).json()["name"],
        "passwd.md"
    );
    rename(&id, "notes%20(1).txt").await.refused(409, "name_taken");
    rename(&id, "").await.refused(422, "invalid");
    rename(&id, "%20").await.refused(422, "invalid");
    ada.call("PUT", &format!("/api/v2/files/{id}"))
        .send()
        .await
        .refused(422, "invalid");
    rename(&uuid::Uuid::new_v4().to_string(), "x")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn several_come_as_a_zip_and_go_together() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let (one, two) = (
        ada.file("a.txt", b"first").await.id(),
        ada.file("A.TXT", b"second").await.id(),
    );
    let zip = ada
        .post("/api/v2/files/batch", &json!([one, two]))
        .await
        .expect(200);
    assert_eq!(zip.header("content-type"), "application/zip");
    let mut archive = zip::ZipArchive::new(Cursor::new(zip.body.to_vec())).unwrap();
    let mut content = String::new();
    for index in 0..archive.len() {
        archive
            .by_index(index)
            .unwrap()
            .read_to_string(&mut content)
            .unwrap();
    }
    assert_eq!((archive.len(), content.as_str()), (2, "firstsecond"));
    ada.post("/api/v2/files/batch", &json!([]))
        .await
        .refused(422, "invalid");
    ada.post("/api/v2/files/batch", &json!([one, uuid::Uuid::new_v4()]))
        .await
        .refused(404, "not_found");

    let three = ada.file("c.txt", b"third").await.id();
    let delete = |ids: serde_json::Value| ada.call("DELETE", "/api/v2/files/batch").json(&ids).send();
    delete(json!([one, uuid::Uuid::new_v4()]))
        .await
        .refused(404, "not_found");
    assert_eq!(ada.get("/api/v2/files").await.json().as_array().unwrap().len(), 3);
    delete(json!([one, two])).await.expect(200);
    ada.delete(&format!("/api/v2/files/{one}"))
        .await
        .refused(404, "not_found");
    assert_eq!(texts(&ada.get("/api/v2/files").await.json(), "id"), [three]);
    ada.file("d.txt", b"fourth").await;
    ada.delete("/api/v2/files").await.expect(200);
    assert_eq!(ada.get("/api/v2/files").await.json(), json!([]));
    assert_eq!(
        std::fs::read_dir(site.app.config.files_dir().join(&ada.id))
            .unwrap()
            .count(),
        0,
        "the bytes are gone too"
    );
}

#[tokio::test]
async fn what_a_crash_left_is_swept_up_and_what_is_under_way_is_not() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let kept = ada.file("kept.txt", b"kept").await.id();
    let (incoming, own) = (
        site.app.config.files_dir().join("incoming"),
        site.app.config.files_dir().join(&ada.id),
    );
    let put = |folder: &std::path::Path, age: u64| {
        let path = folder.join(uuid::Uuid::new_v4().to_string());
        std::fs::write(&path, "left").unwrap();
        aged(&path, age);
        path
    };
    let gone = [put(&incoming, 3600), put(&own, 3600)];
    let under_way = [put(&incoming, 1), put(&own, 1)];
    aged(&own.join(&kept), 3600);
    assert_eq!(site.app.files.sweep(&site.app.store).await.unwrap(), 2);
    assert!(gone.iter().all(|path| !path.exists()));
    assert!(
        under_way.iter().all(|path| path.exists()),
        "its row may be written in a moment"
    );
    assert_eq!(
        ada.get(&format!("/api/v2/files/{kept}")).await.expect(200).text(),
        "kept"
    );
}

fn aged(path: &std::path::Path, seconds: u64) {
    let at = std::time::SystemTime::now() - std::time::Duration::from_secs(seconds);
    std::fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(at)
        .unwrap();
}
