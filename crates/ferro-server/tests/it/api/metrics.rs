//! What the server counts, who may read it, and what pages add to it.

use serde_json::json;

use crate::site::{Person, Site};

const METRICS: &str = "/metrics";
const FEEDBACK: &str = "/api/v1/agentic/feedback";

/// The value of one series; `None` when it is not there.
pub fn value(text: &str, series: &str) -> Option<f64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map(|value| value.parse().unwrap())
}

pub async fn read(admin: &Person) -> String {
    admin.get(METRICS).await.expect(200).text()
}

#[tokio::test]
async fn an_admin_reads_the_metrics_by_any_proof_and_nobody_else() {
    let site = Site::new().await;
    let (admin, ada) = (site.admin().await, site.user("ada").await);
    let page = site.nobody().get("/api/v1/auto_login").await.expect(200);
    let token = page.json()["access_token"].as_str().unwrap().to_owned();
    for client in [
        site.nobody().with_key(&admin.key),
        site.nobody().with_bearer(&admin.key),
        site.nobody().with_bearer(&token),
        site.nobody().with_cookie(&page.cookie()),
    ] {
        let answer = client.get(METRICS).await.expect(200);
        assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4");
        let text = answer.text();
        let info = format!(
            "ferroflow_build_info{{version=\"{}\"}}",
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(value(&text, &info), Some(1.0), "{text}");
    }
    ada.get(METRICS).await.refused(403, "forbidden");
    site.nobody().get(METRICS).await.refused(401, "unauthenticated");
}

#[tokio::test]
async fn everything_is_there_from_the_start_and_says_what_it_is() {
    let site = Site::new().await;
    // A second server in the same process counts into the same numbers.
    let other = Site::new().await;
    read(&other.admin().await).await;
    let text = read(&site.admin().await).await;
    for series in [
        "assistant_requests_total",
        "assistant_requests_by_intent{intent=\"component_then_flow\"}",
        "assistant_generation_duration_seconds_bucket{le=\"60\"}",
        "assistant_generation_duration_seconds_count",
        "assistant_validation_attempts_bucket{le=\"2\"}",
        "assistant_validation_success_rate",
        "assistant_flow_update_events_total{action=\"set_flow\"}",
        "assistant_flow_apply_duration_ms_bucket{le=\"500\"}",
        "assistant_tool_cache_hit_total{tool=\"describe_component\"}",
        "assistant_conversation_buffer_sessions",
        "assistant_conversation_buffer_turn_skipped_total{reason=\"empty_response\"}",
        "assistant_user_component_register_refused_total{reason=\"oversize_code\"}",
        "assistant_session_reset_total",
        "mcp_tool_invocations_total{tool=\"build_flow\",success=\"false\"}",
        "mcp_tool_duration_ms_bucket{tool=\"run_flow\",le=\"5000\"}",
        "ferroflow_runs",
        "ferroflow_python_workers{state=\"busy\"}",
    ] {
        assert!(value(&text, series).is_some(), "{series} is not in\n{text}");
    }
    assert_eq!(value(&text, "ferroflow_runs_limit"), Some(512.0));
    for line in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let name = line.split(' ').next().unwrap();
        assert!(
            text.contains(&format!("# HELP {name} ")),
            "{name} says nothing of itself"
        );
    }
    let answered = value(&text, "ferroflow_http_requests_total{status=\"2xx\"}").unwrap();
    assert!(answered >= 1.0, "the other server's answer: {answered}");
}

#[tokio::test]
async fn what_pages_tell_is_counted() {
    let site = Site::new().await;
    let (admin, ada) = (site.admin().await, site.user("ada").await);
    let before = read(&admin).await;
    for body in [
        json!({ "name": "assistant_plan_dismiss_total" }),
        json!({ "name": "assistant_plan_dismiss_total", "count": 2 }),
        json!({ "name": "assistant_flow_apply_duration_ms", "count": 120.5 }),
        json!({ "name": "assistant_skip_all_enabled_count", "count": 1 }),
        json!({ "name": "assistant_skip_all_enabled_count", "count": 1 }),
    ] {
        ada.post(FEEDBACK, &body).await.expect(204);
    }
    let after = read(&admin).await;
    let grew = |series: &str| value(&after, series).unwrap() - value(&before, series).unwrap();
    assert_eq!(grew("assistant_plan_dismiss_total"), 3.0);
    assert_eq!(grew("assistant_flow_apply_duration_ms_sum"), 120.5);
    assert_eq!(grew("assistant_flow_apply_duration_ms_bucket{le=\"100\"}"), 0.0);
    assert_eq!(grew("assistant_flow_apply_duration_ms_bucket{le=\"250\"}"), 1.0);
    assert_eq!(
        grew("assistant_skip_all_enabled_count"),
        1.0,
        "people, not reports"
    );
    let off = json!({ "name": "assistant_skip_all_enabled_count", "count": 0 });
    ada.post(FEEDBACK, &off).await.expect(204);
    let now = read(&admin).await;
    let series = "assistant_skip_all_enabled_count";
    assert_eq!(value(&now, series), value(&before, series));
}

#[tokio::test]
async fn what_pages_must_not_tell_is_refused() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for body in [
        json!({ "name": "assistant_requests_total" }),
        json!({ "name": "assistant_build_tasks_per_message" }),
        json!({ "name": "no_such_thing" }),
        json!({}),
        json!({ "name": "assistant_plan_dismiss_total", "count": 0 }),
        json!({ "name": "assistant_plan_dismiss_total", "count": 1.5 }),
        json!({ "name": "assistant_plan_dismiss_total", "count": -1 }),
        json!({ "name": "assistant_plan_dismiss_total", "count": 1001 }),
        json!({ "name": "assistant_flow_apply_duration_ms", "count": -1 }),
        json!({ "name": "assistant_skip_all_enabled_count", "count": 2 }),
        json!({ "name": "assistant_plan_dismiss_total", "user": "eve" }),
    ] {
        ada.post(FEEDBACK, &body).await.refused(422, "invalid");
    }
    let off = Site::with(|config| config.assistant.enabled = false).await;
    let bob = off.user("bob").await;
    bob.post(FEEDBACK, &json!({ "name": "assistant_plan_dismiss_total" }))
        .await
        .expect(404);
}

#[tokio::test]
async fn a_page_that_clicks_without_end_is_slowed_down() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let body = json!({ "name": "assistant_input_history_recall_total" });
    for _ in 0..600 {
        ada.post(FEEDBACK, &body).await.expect(204);
    }
    ada.post(FEEDBACK, &body).await.refused(429, "throttled");
    eve.post(FEEDBACK, &body).await.expect(204);
}
