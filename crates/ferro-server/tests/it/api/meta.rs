//! What the server says of itself.

use crate::site::Site;

#[tokio::test]
async fn strangers_learn_little_and_people_the_same() {
    let site = Site::with(|config| {
        config.signup = true;
        config.max_upload_mb = 7;
        config.max_versions = 3;
        config.trash_days = 9;
    })
    .await;
    assert_eq!(
        site.nobody().get("/health").await.expect(200).json()["status"],
        "ok"
    );
    assert_eq!(
        site.nobody().get("/health_check").await.expect(200).json()["status"],
        "ok"
    );
    assert_eq!(
        site.nobody().get("/api/v1/version").await.expect(200).json()["package"],
        "Ferroflow"
    );
    let config = site.nobody().get("/api/v1/config").await.expect(200).json();
    assert_eq!(
        (&config["type"], &config["signup_enabled"]),
        (&"public".into(), &true.into())
    );
    assert_eq!(config["max_file_size_upload"], 7);
    assert_eq!(config["max_flow_version_entries_per_flow"], 3);
    assert_eq!(config["trash_days"], 9);
    assert_eq!(config["auto_login"], true);
    let ada = site.user("ada").await;
    assert_eq!(ada.get("/api/v1/config").await.expect(200).json()["type"], "full");
    let document = site.nobody().get("/openapi.json").await.expect(200);
    assert_eq!(document.text(), ferro_server::router::openapi_json());
}
