//! How a sign-in goes on and how it ends.

use ferro_testkit::{Answer, Client};
use serde_json::{Value, json};

use crate::site::{PASSWORD, Site};

const NEW_PASSWORD: &str = "another horse battery";

struct SignIn {
    page: Client,
    bearer: Client,
    refresh: String,
}

async fn sign_in(site: &Site, username: &str) -> SignIn {
    let answer = site.nobody().login(username, PASSWORD).await.expect(200);
    let tokens = answer.json();
    SignIn {
        page: site.nobody().with_cookie(&answer.cookie()),
        bearer: site
            .nobody()
            .with_bearer(tokens["access_token"].as_str().unwrap()),
        refresh: tokens["refresh_token"].as_str().unwrap().to_owned(),
    }
}

async fn is_in(client: &Client) -> bool {
    client.get("/api/v1/users/whoami").await.status == 200
}

async fn refresh(site: &Site, token: &str) -> Answer {
    site.nobody()
        .post("/api/v1/refresh", &json!({ "refresh_token": token }))
        .await
}

fn text(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn signing_out_ends_all_of_one_sign_in_and_nothing_else() {
    let site = Site::new().await;
    site.user_with_password("ada").await;
    let (one, two) = (sign_in(&site, "ada").await, sign_in(&site, "ada").await);
    let answer = one.page.call("POST", "/api/v1/logout").send().await.expect(200);
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    assert!(!is_in(&one.page).await && !is_in(&one.bearer).await);
    refresh(&site, &one.refresh).await.refused(401, "unauthenticated");
    assert!(is_in(&two.page).await && is_in(&two.bearer).await);
    two.bearer.call("POST", "/api/v1/logout").send().await.expect(200);
    assert!(!is_in(&two.page).await, "the cookie of that sign-in, too");
    one.page.call("POST", "/api/v1/logout").send().await.expect(200);
    site.nobody()
        .call("POST", "/api/v1/logout")
        .send()
        .await
        .expect(200);
}

#[tokio::test]
async fn a_refresh_token_buys_one_new_pair() {
    let site = Site::new().await;
    site.user_with_password("ada").await;
    let (first, other) = (sign_in(&site, "ada").await, sign_in(&site, "ada").await);
    let second = refresh(&site, &first.refresh).await.expect(200).json();
    let bearer = site.nobody().with_bearer(&text(&second, "access_token"));
    assert!(is_in(&bearer).await && is_in(&first.bearer).await);
    let third = refresh(&site, &text(&second, "refresh_token"))
        .await
        .expect(200)
        .json();
    assert!(is_in(&site.nobody().with_bearer(&text(&third, "access_token"))).await);

    refresh(&site, &first.refresh)
        .await
        .refused(401, "unauthenticated");
    assert!(
        !is_in(&bearer).await,
        "a token used twice is in wrong hands: all that came of it ends"
    );
    assert!(!is_in(&first.page).await && !is_in(&first.bearer).await);
    refresh(&site, &text(&third, "refresh_token"))
        .await
        .refused(401, "unauthenticated");
    assert!(is_in(&other.bearer).await && is_in(&other.page).await);
    for nonsense in ["", "x", "sk-abc"] {
        refresh(&site, nonsense).await.refused(401, "unauthenticated");
    }
}

#[tokio::test]
async fn a_new_password_keeps_this_session_and_ends_the_others() {
    let site = Site::new().await;
    let ada = site.user_with_password("ada").await;
    let (here, there) = (sign_in(&site, "ada").await, sign_in(&site, "ada").await);
    let path = format!("/api/v1/users/{}/reset-password", ada.id);
    let change = |current: &str, new: &str| json!({ "current_password": current, "password": new });
    let wrong = here
        .page
        .patch(&path, &change("wrong password", NEW_PASSWORD))
        .await
        .refused(422, "invalid");
    assert_eq!(wrong["errors"][0]["field"], "current_password");
    for weak in ["short", &"a".repeat(20), &"x1".repeat(600)] {
        here.page
            .patch(&path, &change(PASSWORD, weak))
            .await
            .refused(422, "invalid");
    }
    assert!(is_in(&there.page).await);

    let answer = here
        .page
        .patch(&path, &change(PASSWORD, NEW_PASSWORD))
        .await
        .expect(200);
    assert!(
        is_in(&site.nobody().with_cookie(&answer.cookie())).await,
        "this session goes on under a new cookie"
    );
    assert!(!is_in(&here.page).await, "the old cookie is void");
    for ended in [&there.page, &there.bearer, &here.bearer] {
        assert!(!is_in(ended).await);
    }
    refresh(&site, &there.refresh)
        .await
        .refused(401, "unauthenticated");
    assert!(is_in(&ada.client).await, "API keys are no sessions");
    site.nobody()
        .login("ada", PASSWORD)
        .await
        .refused(401, "bad_credentials");
    site.nobody().login("ada", NEW_PASSWORD).await.expect(200);
    let by_patch = ada
        .patch(
            &format!("/api/v1/users/{}", ada.id),
            &json!({ "password": "yet another battery" }),
        )
        .await;
    by_patch.refused(422, "invalid");
}

#[tokio::test]
async fn the_first_password_ends_single_user_mode() {
    let site = Site::new().await;
    let answer = site.nobody().get("/api/v1/auto_login").await.expect(200);
    let page = site.nobody().with_cookie(&answer.cookie());
    let me = page.get("/api/v1/users/whoami").await.json();
    assert_eq!(
        (&me["has_password"], &me["is_superuser"]),
        (&json!(false), &json!(true))
    );
    let path = format!("/api/v1/users/{}/reset-password", text(&me, "id"));
    let answer = page
        .patch(&path, &json!({ "password": NEW_PASSWORD }))
        .await
        .expect(200);
    assert_eq!(answer.json()["has_password"], true);
    assert!(is_in(&site.nobody().with_cookie(&answer.cookie())).await);
    site.nobody()
        .get("/api/v1/auto_login")
        .await
        .refused(403, "auto_login_disabled");
    assert_eq!(
        site.nobody().get("/api/v1/config").await.json()["auto_login"],
        false
    );
    site.nobody().login("ferroflow", NEW_PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_stale_cookie_does_not_keep_anyone_from_signing_in() {
    let site = Site::new().await;
    site.user_with_password("ada").await;
    let stale = site.nobody().with_cookie("ferroflow_session=gone");
    stale.login("ada", PASSWORD).await.expect(200);
    assert_eq!(
        stale.get("/api/v1/session").await.expect(200).json()["authenticated"],
        false
    );
    stale.get("/api/v1/config").await.expect(200);
}
