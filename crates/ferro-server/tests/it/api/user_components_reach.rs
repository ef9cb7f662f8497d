//! The place where kept components are: written whole or not at all, and by nobody but the server.

use std::fs;
use std::net::IpAddr;
use std::sync::Arc;

use ferro_server::app::user_components::{self, MAX_COMPONENT_SOURCE_BYTES};
use ferro_server::http::client::Client;
use ferro_server::http::identity::{Actor, Proof};
use ferro_store::TokenFamily;
use serde_json::{Value, json};

use super::custom_components::SUM;
use crate::site::{Person, Site};
use crate::specs::flow;

fn actor(person: &Person, proof: Proof) -> Actor {
    Actor {
        user: Arc::new(person.user.clone()),
        proof,
        client: Client {
            ip: IpAddr::from([127, 0, 0, 1]),
            is_local: true,
            is_https: false,
        },
    }
}

fn signed_in(person: &Person) -> Actor {
    actor(person, Proof::Session(TokenFamily::new()))
}

#[tokio::test]
async fn nothing_is_kept_for_nobody() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    // A visitor of something she shared acts for her.
    let visitor = actor(&ada, Proof::Shared);
    let tried = user_components::register_if_valid(&site.app, &visitor, "SumComponent", SUM).await;
    assert!(!tried.unwrap());
    assert!(
        user_components::clear_generated(&site.app, &visitor)
            .await
            .is_err()
    );
    assert!(!site.components_of(&ada).exists());
    assert!(
        user_components::register_if_valid(&site.app, &signed_in(&ada), "SumComponent", SUM)
            .await
            .unwrap()
    );
    let registry = user_components::registry_for(&site.app, &visitor).await.unwrap();
    assert!(registry.own().is_empty());
}

#[tokio::test]
async fn the_registry_of_a_person_has_the_servers_and_their_own() {
    let site = Site::new().await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let me = signed_in(&ada);
    user_components::create(&site.app, &me, SUM).await.unwrap();
    user_components::create(&site.app, &me, &SUM.replace("SumComponent", "ChatInput"))
        .await
        .unwrap();
    let registry = user_components::registry_for(&site.app, &me).await.unwrap();
    let node = registry.node("SumComponent").unwrap();
    assert_eq!(node["template"]["code"]["value"], SUM);
    assert!(registry.node("ChatInput").unwrap()["template"]["input_value"].is_object());
    assert!(registry.node("NoSuch").is_none());
    let known = registry.registry();
    let sum = known.get("SumComponent").unwrap();
    assert_eq!((sum.fields.len(), sum.outputs[0].method.as_str()), (2, "add"));
    assert_eq!(known.get("ChatInput").unwrap().display_name, "Chat Input");
    let others = user_components::registry_for(&site.app, &signed_in(&bob))
        .await
        .unwrap();
    assert!(others.node("SumComponent").is_none() && others.own().is_empty());
}

#[tokio::test]
async fn names_and_sizes_are_looked_at_before_anything_is_written() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let me = signed_in(&ada);
    for class in [
        "../escape",
        "subdir/Nested",
        "Sum/Component",
        "Sum\\Component",
        "\0null",
        "Sum:Colon",
        "",
        "NUL",
    ] {
        let refused = user_components::register(&site.app, &me, class, SUM).await;
        assert!(refused.is_err(), "{class:?}");
    }
    let largest = usize::try_from(MAX_COMPONENT_SOURCE_BYTES).unwrap();
    for code in [String::new(), " \n".to_owned(), "#".repeat(largest + 1)] {
        assert!(
            user_components::register(&site.app, &me, "Sum", &code)
                .await
                .is_err()
        );
    }
    assert!(!site.components_of(&ada).exists());
    user_components::register(&site.app, &me, "Sum", &"#".repeat(largest))
        .await
        .unwrap();
    assert!(site.components_of(&ada).join("Sum.py").exists());
    assert!(!site.app.config.files_dir().join("escape.py").exists());
}

#[tokio::test]
async fn a_write_that_fails_leaves_what_was_there() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let me = signed_in(&ada);
    user_components::register(&site.app, &me, "SumComponent", SUM)
        .await
        .unwrap();
    let folder = site.components_of(&ada);
    let incoming = site.app.config.files_dir().join("incoming");
    let names = |folder: &std::path::Path| fs::read_dir(folder).unwrap().count();

    // It cannot be written.
    let aside = site.app.config.files_dir().join("aside");
    fs::rename(&incoming, &aside).unwrap();
    let failed = user_components::register(&site.app, &me, "SumComponent", "# new").await;
    assert!(failed.unwrap_err().is_internal());
    fs::rename(&aside, &incoming).unwrap();
    assert_eq!(fs::read_to_string(folder.join("SumComponent.py")).unwrap(), SUM);

    // It cannot be put in its place.
    fs::create_dir(folder.join("Other.py")).unwrap();
    fs::write(folder.join("Other.py/x"), "").unwrap();
    let failed = user_components::register_if_valid(&site.app, &me, "Other", SUM).await;
    assert!(failed.is_err(), "a broken disk is no refusal");
    assert_eq!(
        (names(&incoming), names(&folder)),
        (0, 2),
        "nothing is left behind"
    );
}

const READS: &str = "
nodes:
  folder: Directory
  out: TextOutput
  parse: ParserComponent
config:
  folder.path: PATH
edges:
  folder.dataframe -> parse.input_data
  parse.parsed_text -> out.input_value
";

#[tokio::test]
async fn no_file_of_anybody_leads_there() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    user_components::register(&site.app, &signed_in(&ada), "SumComponent", SUM)
        .await
        .unwrap();
    let file = ada.file("SumComponent.py", b"x = 1").await.id();
    let says = |answer: &Value| {
        assert_eq!(
            answer["detail"], "Path component '.components' is reserved",
            "{answer}"
        );
    };
    for name in [
        ".components/SumComponent.py",
        ".COMPONENTS/a.py",
        "a\\\\.Components\\\\b.py",
        "x/.components",
    ] {
        let refused = ada.upload("/api/v2/files", &[("file", name, b"x = 1")]).await;
        says(&refused.refused(400, "reserved"));
    }
    for name in [".components%2Fx.py", ".Components%5Cx.py"] {
        let renamed = ada
            .call("PUT", &format!("/api/v2/files/{file}?name={name}"))
            .send()
            .await;
        says(&renamed.refused(400, "reserved"));
    }
    for path in [".components", ".COMPONENTS/", "./.components", ".\\.Components"] {
        let mut read = flow(&READS.replace("PATH", "there"));
        read["name"] = path.into();
        let nodes = read["data"]["nodes"].as_array_mut().unwrap();
        let folder = nodes
            .iter_mut()
            .find(|node| node["data"]["type"] == "Directory")
            .unwrap();
        folder["data"]["node"]["template"]["path"]["value"] = path.into();
        let saved = ada.post("/api/v1/flows", &read).await.expect(201).id();
        let answer = ada.post(&format!("/api/v1/run/{saved}"), &json!({})).await;
        assert!(
            answer.text().contains("Path component '.components' is reserved"),
            "{path}: {}",
            answer.text()
        );
    }
    let listed = ada.get("/api/v2/files").await.expect(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(
        fs::read_to_string(site.components_of(&ada).join("SumComponent.py")).unwrap(),
        SUM
    );
}

#[tokio::test]
async fn an_account_takes_its_components_along() {
    let site = Site::new().await;
    let (ada, admin) = (site.user("ada").await, site.admin().await);
    user_components::register(&site.app, &signed_in(&ada), "SumComponent", SUM)
        .await
        .unwrap();
    admin
        .delete(&format!("/api/v1/users/{}", ada.id))
        .await
        .expect(200);
    assert!(!site.components_of(&ada).exists());
}
