//! Signing in: who may, how often, and with what.

use ferro_store::{Principal, UserChange, Window};
use serde_json::json;

use crate::site::{PASSWORD, Site, is_clean_refusal};

#[tokio::test]
async fn name_and_password_open_the_door() {
    let site = Site::new().await;
    site.user_with_password("Ada").await;
    let answer = site.nobody().login("  aDA ", PASSWORD).await.expect(200);
    let tokens = answer.json();
    assert_eq!(tokens["token_type"], "bearer");
    let bearer = site
        .nobody()
        .with_bearer(tokens["access_token"].as_str().unwrap());
    assert_eq!(
        bearer.get("/api/v1/users/whoami").await.expect(200).json()["username"],
        "Ada"
    );
    let cookie = site.nobody().with_cookie(&answer.cookie());
    let session = cookie.get("/api/v1/session").await.expect(200).json();
    assert_eq!(
        (&session["authenticated"], &session["user"]["username"]),
        (&json!(true), &json!("Ada"))
    );
    assert_eq!(
        site.nobody().get("/api/v1/session").await.expect(200).json()["authenticated"],
        false
    );
    assert_eq!(
        cookie.get("/api/v1/projects").await.expect(200).json()[0]["name"],
        "Starter Project"
    );
    // A refresh token is no proof of anything but itself.
    let refresh = tokens["refresh_token"].as_str().unwrap();
    site.nobody()
        .with_bearer(refresh)
        .get("/api/v1/flows")
        .await
        .refused(401, "unauthenticated");
    site.nobody()
        .with_cookie(&format!("ferroflow_session={refresh}"))
        .get("/api/v1/flows")
        .await
        .expect(401);
    let session = answer.cookie().split_once('=').unwrap().1.to_owned();
    site.nobody()
        .with_bearer(&session)
        .get("/api/v1/flows")
        .await
        .refused(401, "unauthenticated");
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_look_the_same() {
    let site = Site::new().await;
    site.user_with_password("ada").await;
    let wrong = site.nobody().login("ada", "not her password").await;
    let nobody = site.nobody().login("nobody", "not her password").await;
    // The admin of a fresh install has no password: none is right.
    let empty = site.nobody().login("ferroflow", "").await;
    for answer in [&wrong, &nobody, &empty] {
        is_clean_refusal(answer);
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert_eq!(answer.header("set-cookie"), "");
    }
    let said = |answer: ferro_testkit::Answer| answer.refused(401, "bad_credentials")["detail"].clone();
    let (wrong, nobody, empty) = (said(wrong), said(nobody), said(empty));
    assert!(wrong == nobody && nobody == empty);
    for body in [
        "",
        "username=ada",
        "password=x",
        "username=ada&password=%ff%fe",
        "%%%",
    ] {
        let call = site.nobody().call("POST", "/api/v1/login");
        let answer = call
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
            .await;
        is_clean_refusal(&answer);
    }
    let json = site
        .nobody()
        .post(
            "/api/v1/login",
            &json!({ "username": "ada", "password": PASSWORD }),
        )
        .await;
    json.refused(415, "unsupported_media_type");
}

#[tokio::test]
async fn guessing_is_slowed_down_and_written_down() {
    let site = Site::new().await;
    site.user_with_password("ada").await;
    for _ in 0..5 {
        site.nobody()
            .login("ada", "wrong")
            .await
            .refused(401, "bad_credentials");
    }
    // The right password too: otherwise the answer would tell which one it is.
    let throttled = site.nobody().login("Ada", PASSWORD).await;
    let wait: u64 = throttled.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    is_clean_refusal(&throttled);
    throttled.refused(429, "throttled");
    site.nobody()
        .login("bob", "wrong")
        .await
        .refused(401, "bad_credentials");

    let log = site
        .app
        .store
        .audit_log(&Principal::System, Window::ALL)
        .await
        .unwrap();
    let actions: Vec<_> = log.iter().rev().map(|record| record.action.as_str()).collect();
    let expected = [
        ["login.refused"; 5].as_slice(),
        &["login.throttled", "login.refused"],
    ]
    .concat();
    assert_eq!(actions, expected);
    assert!(
        log.iter().all(|record| !record.target.contains("wrong")),
        "passwords are not written down"
    );
    assert_eq!(
        site.app.store.verify_audit(&Principal::System).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn one_address_may_not_try_everyone() {
    let site = Site::new().await;
    let mut refused = 0;
    for n in 0..21 {
        let answer = site.nobody().login(&format!("person{n}"), "wrong").await;
        refused += u32::from(answer.status == 429);
    }
    assert_eq!(refused, 1, "twenty in a minute, whoever they are for");
}

#[tokio::test]
async fn getting_in_forgives_earlier_mistakes() {
    let site = Site::new().await;
    site.user_with_password("ada").await;
    for _ in 0..3 {
        for _ in 0..4 {
            site.nobody().login("ada", "wrong").await.expect(401);
        }
        site.nobody().login("ada", PASSWORD).await.expect(200);
    }
}

#[tokio::test]
async fn an_account_that_is_switched_off_stays_out() {
    let site = Site::new().await;
    let ada = site.user_with_password("ada").await;
    let off = || UserChange {
        is_active: Some(false),
        ..UserChange::default()
    };
    site.app
        .store
        .change_user(&Principal::System, ada.user.id, off())
        .await
        .unwrap();
    site.nobody()
        .login("ada", PASSWORD)
        .await
        .refused(400, "waiting_for_approval");
    let on = UserChange {
        is_active: Some(true),
        ..UserChange::default()
    };
    site.app
        .store
        .change_user(&Principal::System, ada.user.id, on)
        .await
        .unwrap();
    let answer = site.nobody().login("ada", PASSWORD).await.expect(200);
    site.app
        .store
        .change_user(&Principal::System, ada.user.id, off())
        .await
        .unwrap();
    site.nobody()
        .login("ada", PASSWORD)
        .await
        .refused(401, "inactive");
    ada.get("/api/v1/flows").await.refused(401, "unauthenticated");
    site.nobody()
        .with_cookie(&answer.cookie())
        .get("/api/v1/flows")
        .await
        .refused(401, "unauthenticated");
    let wrong = site.nobody().login("ada", "not her password").await;
    wrong.refused(401, "bad_credentials");
}

#[tokio::test]
async fn sign_up_is_closed_unless_it_is_opened() {
    let new = |name: &str| json!({ "username": name, "password": PASSWORD });
    let site = Site::new().await;
    site.nobody()
        .post("/api/v1/users", &new("ada"))
        .await
        .refused(403, "forbidden");
    let bob = site.user("bob").await;
    bob.post("/api/v1/users", &new("ada"))
        .await
        .refused(403, "forbidden");

    let site = Site::with(|config| config.signup = true).await;
    let made = site
        .nobody()
        .post("/api/v1/users", &new("ada"))
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&made["is_active"], &made["is_superuser"]),
        (&json!(false), &json!(false))
    );
    assert!(made.get("password").is_none() && !made.to_string().contains("argon2"));
    site.nobody()
        .login("ada", PASSWORD)
        .await
        .refused(400, "waiting_for_approval");
    for extra in ["is_active", "is_superuser"] {
        let mut body = new("mallory");
        body[extra] = json!(true);
        site.nobody()
            .post("/api/v1/users", &body)
            .await
            .refused(403, "forbidden");
    }
    site.nobody()
        .post("/api/v1/users", &new("ADA"))
        .await
        .refused(409, "name_taken");
    let weak = json!({ "username": "eve", "password": "short" });
    site.nobody()
        .post("/api/v1/users", &weak)
        .await
        .refused(422, "invalid");

    let site = Site::with(|config| (config.signup, config.new_user_is_active) = (true, true)).await;
    site.nobody().post("/api/v1/users", &new("ada")).await.expect(201);
    site.nobody().login("ada", PASSWORD).await.expect(200);
}
