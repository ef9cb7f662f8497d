//! What a person's page keeps on the server.

use serde_json::json;

use crate::site::Site;

const ALL: &str = "/api/v1/preferences";

#[tokio::test]
async fn preferences_are_kept_as_they_came_and_forgotten() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    assert_eq!(ada.get(ALL).await.expect(200).json(), json!({}));
    let text = r#"{"save": ["mod+s"], "n": 1.50}"#;
    let kept = ada
        .call("PUT", &format!("{ALL}/shortcuts"))
        .json_text(text)
        .send()
        .await
        .expect(200);
    assert_eq!(kept.text(), text, "byte for byte");
    ada.put(&format!("{ALL}/palette"), &json!(["ChatInput"]))
        .await
        .expect(200);
    ada.put(&format!("{ALL}/editor"), &json!(null)).await.expect(200);
    ada.put(&format!("{ALL}/palette"), &json!([])).await.expect(200);
    let all = ada.get(ALL).await.expect(200).json();
    assert_eq!(
        all,
        json!({ "shortcuts": { "save": ["mod+s"], "n": 1.5 }, "palette": [], "editor": null })
    );
    assert_eq!(eve.get(ALL).await.expect(200).json(), json!({}), "each their own");
    for _ in 0..2 {
        ada.delete(&format!("{ALL}/shortcuts")).await.expect(204);
    }
    let all = ada.get(ALL).await.expect(200).json();
    assert_eq!(all, json!({ "palette": [], "editor": null }));
}

#[tokio::test]
async fn only_the_pages_own_names_are_here() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let model = json!({ "provider": "Rehearsal", "model_name": "rehearsal" });
    ada.post("/api/v1/models/default_model", &model).await.expect(200);
    assert_eq!(ada.get(ALL).await.expect(200).json(), json!({}));
    for name in ["models.default.language", "page.editor", "Editor", "x"] {
        let path = format!("{ALL}/{name}");
        ada.put(&path, &json!(1)).await.refused(404, "not_found");
        ada.delete(&path).await.refused(404, "not_found");
    }
    let default = ada.get("/api/v1/models/default_model").await.expect(200).json();
    assert!(default.to_string().contains("rehearsal"), "{default}");
}

#[tokio::test]
async fn what_is_no_json_or_too_large_is_refused() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let path = format!("{ALL}/editor");
    let put = async |text: String| ada.call("PUT", &path).json_text(text).send().await;
    put("{".to_owned()).await.refused(400, "unreadable");
    put(r#""\ud800""#.to_owned()).await.refused(422, "invalid");
    put(format!("\"{}\"", "x".repeat(64 << 10)))
        .await
        .refused(413, "too_large");
    put(format!("\"{}\"", "x".repeat((64 << 10) - 2)))
        .await
        .expect(200);
}
