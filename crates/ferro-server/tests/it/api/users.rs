//! Accounts and roles.

use ferro_store::{Principal, Window};
use serde_json::json;

use crate::site::{PASSWORD, Site, texts};

#[tokio::test]
async fn an_admin_manages_people() {
    let site = Site::new().await;
    let admin = site.admin().await;
    let new = json!({ "username": "ada", "password": PASSWORD });
    let ada = admin.post("/api/v1/users", &new).await.expect(201).json();
    assert_eq!(
        (&ada["is_active"], &ada["is_superuser"], &ada["has_password"]),
        (&json!(true), &json!(false), &json!(true))
    );
    admin.post("/api/v1/users", &new).await.refused(409, "name_taken");
    let boss = json!({ "username": "boss", "password": PASSWORD, "is_superuser": true, "is_active": false });
    let boss = admin.post("/api/v1/users", &boss).await.expect(201).json();
    assert_eq!(
        (&boss["is_active"], &boss["is_superuser"]),
        (&json!(false), &json!(true))
    );

    let people = admin.get("/api/v1/users?limit=2").await.expect(200).json();
    assert_eq!(
        (&people["total_count"], texts(&people["users"], "username")),
        (&json!(3), vec!["ada".into(), "boss".into()])
    );
    let people = admin.get("/api/v1/users?skip=2").await.expect(200).json();
    assert_eq!(texts(&people["users"], "username"), ["ferroflow"]);
    let people = admin.get("/api/v1/users?search=OS").await.expect(200).json();
    assert_eq!(texts(&people["users"], "username"), ["boss"]);

    let path = format!("/api/v1/users/{}", ada["id"].as_str().unwrap());
    admin
        .patch(&path, &json!({ "is_superuser": true }))
        .await
        .expect(200);
    admin
        .patch(&path, &json!({ "username": "boss" }))
        .await
        .refused(409, "name_taken");
    admin
        .patch(&path, &json!({ "password": "a brand new battery" }))
        .await
        .expect(200);
    site.nobody()
        .login("ada", "a brand new battery")
        .await
        .expect(200);
    admin.delete(&path).await.expect(200);
    admin.delete(&path).await.refused(404, "not_found");
    admin.patch(&path, &json!({})).await.refused(404, "not_found");
}

#[tokio::test]
async fn someone_is_always_in_charge() {
    let site = Site::new().await;
    let admin = site.admin().await;
    let own = format!("/api/v1/users/{}", admin.id);
    admin.delete(&own).await.refused(409, "refused");
    admin
        .patch(&own, &json!({ "is_superuser": false }))
        .await
        .refused(409, "refused");
    admin
        .patch(&own, &json!({ "is_active": false }))
        .await
        .refused(409, "refused");
    assert_eq!(
        admin.get("/api/v1/users/whoami").await.expect(200).json()["is_superuser"],
        true
    );
}

#[tokio::test]
async fn people_change_themselves_within_limits() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let own = format!("/api/v1/users/{}", ada.id);
    let change = json!({ "username": "Ada L.", "profile_image": "cat", "optins": { "dialog": true } });
    let changed = ada.patch(&own, &change).await.expect(200).json();
    assert_eq!(
        (&changed["username"], &changed["optins"]["dialog"]),
        (&json!("Ada L."), &json!(true))
    );
    assert_eq!(
        ada.patch(&own, &json!({ "profile_image": null }))
            .await
            .expect(200)
            .json()["profile_image"],
        json!(null)
    );
    for promotion in [json!({ "is_superuser": true }), json!({ "is_active": true })] {
        ada.patch(&own, &promotion).await.refused(403, "forbidden");
    }
    for name in ["", "   ", &"x".repeat(101), "a\u{7}b"] {
        ada.patch(&own, &json!({ "username": name }))
            .await
            .refused(422, "invalid");
    }
    ada.delete(&own).await.refused(403, "forbidden");
    ada.get("/api/v1/users").await.refused(403, "forbidden");
}

#[tokio::test]
async fn a_deleted_person_takes_everything_along() {
    let site = Site::new().await;
    let (admin, ada) = (site.admin().await, site.user("ada").await);
    let flow = json!({ "name": "Public", "access_type": "PUBLIC", "data": {} });
    let flow = ada.post("/api/v1/flows", &flow).await.expect(201).id();
    ada.file("a.txt", b"a").await;
    let folder = site.app.config.files_dir().join(&ada.id);
    assert!(folder.exists());
    admin
        .delete(&format!("/api/v1/users/{}", ada.id))
        .await
        .expect(200);
    assert!(!folder.exists(), "the bytes too");
    ada.get("/api/v1/flows").await.refused(401, "unauthenticated");
    site.nobody()
        .get(&format!("/api/v1/flows/public_flow/{flow}"))
        .await
        .refused(404, "not_found");
    let log = site
        .app
        .store
        .audit_log(&Principal::System, Window::ALL)
        .await
        .unwrap();
    assert!(
        log.iter()
            .any(|record| record.action == "user.delete" && record.target == ada.id),
        "what happened is still told"
    );
    assert_eq!(
        site.app.store.verify_audit(&Principal::System).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn losing_a_role_takes_effect_at_once() {
    let site = Site::new().await;
    let (admin, ada) = (site.admin().await, site.user_with_password("ada").await);
    let path = format!("/api/v1/users/{}", ada.id);
    admin
        .patch(&path, &json!({ "is_superuser": true }))
        .await
        .expect(200);
    let answer = site.nobody().login("ada", PASSWORD).await.expect(200);
    let page = site.nobody().with_cookie(&answer.cookie());
    page.get("/api/v1/users").await.expect(200);
    admin
        .patch(&path, &json!({ "is_superuser": false }))
        .await
        .expect(200);
    page.get("/api/v1/users").await.refused(401, "unauthenticated");
    ada.get("/api/v1/users").await.refused(403, "forbidden");
}
