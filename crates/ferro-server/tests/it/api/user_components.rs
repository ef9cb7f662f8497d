//! Components that people keep: where they are, who sees them, how long they last.

use std::fs;

use serde_json::{Value, json};

use super::custom_components::SUM;
use crate::site::{Person, Site, texts};

fn named(class: &str) -> String {
    SUM.replace("SumComponent", class)
}

async fn keep(person: &Person, code: &str) -> Value {
    let answer = person
        .post("/api/v1/user_components", &json!({ "code": code }))
        .await;
    answer.expect(201).json()
}

async fn kept(person: &Person) -> Vec<String> {
    let list = person.get("/api/v1/user_components").await.expect(200).json();
    texts(&list, "class_name")
}

/// Marks a component as the assistant marks those it writes.
fn written_by_the_assistant(site: &Site, person: &Person, class: &str) {
    let mark = site.components_of(person).join(format!("{class}.assistant"));
    fs::write(mark, "").unwrap();
}

/// Their own in the list of all components.
async fn offered(person: &Person) -> Vec<String> {
    let all = person.get("/api/v1/all").await.expect(200).json();
    let custom = all["custom_component"].as_object();
    let names = custom.into_iter().flat_map(|custom| custom.keys());
    names.filter(|name| *name != "CustomComponent").cloned().collect()
}

#[tokio::test]
async fn a_kept_component_is_among_ones_components() {
    for site in [Site::new().await, Site::on_postgres().await] {
        let ada = site.user("ada").await;
        let made = keep(&ada, SUM).await;
        assert_eq!(
            (&made["class_name"], &made["display_name"]),
            (&json!("SumComponent"), &json!("Sum"))
        );
        assert_eq!(
            (&made["problem"], &made["size"]),
            (&Value::Null, &json!(SUM.len()))
        );
        let file = site.components_of(&ada).join("SumComponent.py");
        assert_eq!(fs::read_to_string(file).unwrap(), SUM);
        assert_eq!(kept(&ada).await, ["SumComponent"]);
        let all = ada.get("/api/v1/all").await.expect(200).json();
        let node = &all["custom_component"]["SumComponent"];
        assert_eq!(node["template"]["code"]["value"], SUM);
        assert_eq!(node["outputs"][0]["method"], "add");
        assert_eq!(
            (&node["key"], &node["category"]),
            (&json!("SumComponent"), &json!("custom_component"))
        );
        assert_eq!(all["component_display_names"]["SumComponent"], "Sum");
        assert!(all["input_output"]["ChatInput"].is_object());

        // The same class again takes its place.
        keep(&ada, &SUM.replace("Adds two", "Sums two")).await;
        let all = ada.get("/api/v1/all").await.expect(200).json();
        assert_eq!(
            all["custom_component"]["SumComponent"]["description"],
            "Sums two numbers."
        );
        assert_eq!(kept(&ada).await.len(), 1);
        ada.delete("/api/v1/user_components/SumComponent")
            .await
            .expect(200);
        assert!(kept(&ada).await.is_empty() && offered(&ada).await.is_empty());
        for gone in [
            "SumComponent",
            "Other",
            "..%2Fescape",
            "con",
            "CON",
            ".components",
        ] {
            let path = format!("/api/v1/user_components/{gone}");
            ada.delete(&path).await.refused(404, "not_found");
        }
    }
}

#[tokio::test]
async fn the_list_has_a_tag_of_its_own_for_each_person() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let tag = async |person: &Person| {
        person
            .get("/api/v1/all")
            .await
            .expect(200)
            .header("etag")
            .to_owned()
    };
    let everybodys = tag(&ada).await;
    keep(&ada, SUM).await;
    let hers = tag(&ada).await;
    assert_ne!(hers, everybodys);
    assert_eq!(
        (tag(&ada).await, tag(&eve).await),
        (hers.clone(), everybodys.clone())
    );
    let again = ada.call("GET", "/api/v1/all").header("if-none-match", &hers);
    assert_eq!(again.send().await.status, 304);
    let stale = ada
        .call("GET", "/api/v1/all")
        .header("if-none-match", &everybodys);
    assert_eq!(stale.send().await.status, 200);
    keep(&ada, &SUM.replace("Adds", "Sums")).await;
    assert_ne!(tag(&ada).await, hers);
    ada.delete("/api/v1/user_components/SumComponent")
        .await
        .expect(200);
    assert_eq!(tag(&ada).await, everybodys);
}

#[tokio::test]
async fn what_one_person_keeps_is_nobody_elses() {
    let site = Site::new().await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    keep(&ada, &named("AdaSum")).await;
    keep(&bob, &named("BobSum")).await;
    assert_eq!(
        (offered(&ada).await, offered(&bob).await),
        (vec!["AdaSum".to_owned()], vec!["BobSum".to_owned()])
    );
    ada.delete("/api/v1/user_components/BobSum")
        .await
        .refused(404, "not_found");
    // Whose are wiped is who asks, whatever the request says.
    for (person, class) in [(&ada, "AdaSum"), (&bob, "BobSum")] {
        written_by_the_assistant(&site, person, class);
    }
    let reset = format!("/api/v1/agentic/sessions/reset?session_id=x&user_id={}", bob.id);
    let answer = ada.call("POST", &reset).send().await.expect(200).json();
    assert_eq!(
        answer,
        json!({ "status": "ok", "components_cleared": 1, "session_id": "x" })
    );
    assert!(site.components_of(&bob).join("BobSum.py").exists());
    assert_eq!((kept(&ada).await.len(), kept(&bob).await.len()), (0, 1));
}

#[tokio::test]
async fn a_name_the_server_has_stays_the_servers() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let made = keep(&ada, &named("ChatInput")).await;
    assert!(made["problem"].as_str().unwrap().contains("ChatInput"), "{made}");
    keep(&ada, SUM).await;
    let all = ada.get("/api/v1/all").await.expect(200).json();
    assert!(all["input_output"]["ChatInput"]["template"]["input_value"].is_object());
    assert!(all["custom_component"].get("ChatInput").is_none());
    assert_eq!(all["component_display_names"]["ChatInput"], "Chat Input");
    assert!(site.components_of(&ada).join("ChatInput.py").exists());
    assert_eq!(offered(&ada).await, ["SumComponent"]);
}

#[tokio::test]
async fn broken_files_are_left_out_and_break_nothing() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    keep(&ada, SUM).await;
    let folder = site.components_of(&ada);
    fs::write(folder.join("BrokenComponent.py"), "class BrokenComponent(Comp").unwrap();
    fs::write(folder.join("Binary.py"), [0xff, 0x00, 0xfe]).unwrap();
    fs::write(folder.join("Empty.py"), "").unwrap();
    fs::write(folder.join("Huge.py"), vec![b'#'; (1 << 20) + 1]).unwrap();
    fs::write(
        folder.join("Raises.py"),
        named("Raises").replace("\"plus\"", "1 / 0"),
    )
    .unwrap();
    fs::write(
        folder.join("Unsafe.py"),
        format!("import subprocess\n{}", named("Unsafe")),
    )
    .unwrap();
    fs::write(folder.join("lower.py"), named("Lower")).unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::create_dir(folder.join("Folder.py")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/hostname", folder.join("Linked.py")).unwrap();
    assert_eq!(offered(&ada).await, ["SumComponent"]);
    let list = ada.get("/api/v1/user_components").await.expect(200).json();
    let names = [
        "Binary",
        "BrokenComponent",
        "Empty",
        "Huge",
        "Raises",
        "SumComponent",
        "Unsafe",
    ];
    assert_eq!(texts(&list, "class_name"), names);
    for own in list.as_array().unwrap() {
        assert_eq!(
            own["problem"].is_null(),
            own["class_name"] == "SumComponent",
            "{own}"
        );
    }
    // Mended by hand, it is there.
    fs::write(folder.join("BrokenComponent.py"), named("BrokenComponent")).unwrap();
    assert_eq!(offered(&ada).await, ["BrokenComponent", "SumComponent"]);
    // Only the code of the assistant's components is wiped.
    written_by_the_assistant(&site, &ada, "Raises");
    let reset = "/api/v1/agentic/sessions/reset?session_id=s";
    let cleared = ada.call("POST", reset).send().await.expect(200).json();
    assert_eq!(cleared["components_cleared"], 1);
    assert!(!folder.join("Raises.py").exists());
    assert!(!folder.join("Raises.assistant").exists());
    assert_eq!(offered(&ada).await, ["BrokenComponent", "SumComponent"]);
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "mine");
    assert!(folder.join("Folder.py").exists());
}

#[tokio::test]
async fn names_must_fit_every_system() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let longest = format!("A{}", "a".repeat(63));
    keep(&ada, &named(&longest)).await;
    assert!(site.components_of(&ada).join(format!("{longest}.py")).exists());
    for (class, words) in [
        (
            format!("A{}", "a".repeat(64)),
            "class_name length 65 exceeds max 64 (Windows MAX_PATH safeguard)",
        ),
        ("CON".to_owned(), "device on Windows"),
        ("Nul".to_owned(), "device on Windows"),
        ("LPT9".to_owned(), "device on Windows"),
        ("small".to_owned(), "capital letter"),
        ("Größe".to_owned(), "A to Z"),
    ] {
        let answer = ada
            .post("/api/v1/user_components", &json!({ "code": named(&class) }))
            .await;
        let refused = answer.refused(400, "invalid_component");
        assert!(
            refused["detail"].as_str().unwrap().contains(words),
            "{class}: {refused}"
        );
    }
    assert_eq!(kept(&ada).await, [longest]);
}

#[tokio::test]
async fn a_new_session_begins_with_nothing_but_what_one_kept_oneself() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let reset = async |query: &str| {
        let path = format!("/api/v1/agentic/sessions/reset{query}");
        ada.call("POST", &path).send().await
    };
    let none = reset("?session_id=first").await.expect(200).json();
    assert_eq!(
        none,
        json!({ "status": "ok", "components_cleared": 0, "session_id": "first" })
    );
    for class in ["SumComponent", "MultiplyComponent", "MyOwn"] {
        keep(&ada, &named(class)).await;
    }
    for class in ["SumComponent", "MultiplyComponent"] {
        written_by_the_assistant(&site, &ada, class);
    }
    let both = reset("?session_id=second").await.expect(200).json();
    assert_eq!(
        (&both["components_cleared"], &both["session_id"]),
        (&json!(2), &json!("second"))
    );
    assert_eq!(offered(&ada).await, ["MyOwn"]);
    reset(&format!("?session_id={}", "x".repeat(128)))
        .await
        .expect(200);
    reset(&format!("?session_id={}", "x".repeat(129)))
        .await
        .refused(422, "invalid");
    reset("?session_id=%00").await.refused(422, "invalid");
}
