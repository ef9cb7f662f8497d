use std::collections::BTreeMap;

use serde_json::json;

use super::*;

fn target() -> Target {
    Target {
        provider: "openai",
        label: "OpenAI",
        model: "gpt-x".to_owned(),
        base_url: "https://api.openai.com/v1".to_owned(),
        key: Some(Secret::new("my-own-key-123")),
        extra: BTreeMap::new(),
        reasoning: false,
    }
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let pairs = pairs
        .iter()
        .map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap()));
    pairs.collect()
}

#[track_caller]
fn check(status: u16, body: &Json, expected: Class) {
    let status = StatusCode::from_u16(status).unwrap();
    let error = refusal(&target(), status, &HeaderMap::new(), body.to_string().as_bytes());
    assert_eq!(error.class, expected, "{body}");
    assert_eq!(error.status, Some(status.as_u16()));
}

#[test]
fn statuses_and_codes_become_classes() {
    let plain = json!({"error": {"message": "no"}});
    for (status, class) in [
        (400, Class::Request),
        (401, Class::Authentication),
        (402, Class::Quota),
        (403, Class::Authentication),
        (404, Class::ModelUnavailable),
        (408, Class::Timeout),
        (413, Class::ContextTooLong),
        (422, Class::Request),
        (429, Class::RateLimit),
        (500, Class::Server),
        (503, Class::Server),
        (504, Class::Timeout),
        (529, Class::Server),
    ] {
        check(status, &plain, class);
    }
    let coded =
        |code: &str| json!({"error": {"message": "no", "type": "invalid_request_error", "code": code}});
    check(429, &coded("insufficient_quota"), Class::Quota);
    check(400, &coded("context_length_exceeded"), Class::ContextTooLong);
    check(403, &coded("model_not_found"), Class::ModelUnavailable);
    check(400, &coded("content_filter"), Class::ContentPolicy);
    check(400, &coded("invalid_api_key"), Class::Authentication);
    check(
        429,
        &json!({"error": {"message": "Too many tokens a minute; the maximum context is no help"}}),
        Class::RateLimit,
    );
    check(
        400,
        &json!([{"error": {"message": "API key not valid", "status": "X"}}]),
        Class::Authentication,
    );
    check(
        400,
        &json!({"errors": [{"code": "c", "message": "input exceeds the total tokens limit 8192"}]}),
        Class::ContextTooLong,
    );
}

#[test]
fn the_cause_is_what_the_provider_said_without_the_key() {
    let body = json!({"error": {"message": "Incorrect API key provided: my-own-key-123 or sk-abcdef123456.",
        "type": "invalid_request_error", "param": null, "code": "invalid_api_key"}});
    let error = refusal(
        &target(),
        StatusCode::UNAUTHORIZED,
        &HeaderMap::new(),
        body.to_string().as_bytes(),
    );
    assert_eq!(error.cause, "Incorrect API key provided: [hidden] or [hidden]");
    assert_eq!(error.code.as_deref(), Some("invalid_api_key"));
    assert!(!format!("{error:?}").contains("my-own-key"));
}

#[test]
fn a_page_of_a_proxy_is_not_shown_and_long_words_are_cut() {
    let page = refusal(
        &target(),
        StatusCode::BAD_GATEWAY,
        &HeaderMap::new(),
        b" <html>secrets</html>",
    );
    assert_eq!((page.class, page.cause.as_str()), (Class::Server, "an HTML page"));
    let long = refusal(
        &target(),
        StatusCode::BAD_REQUEST,
        &HeaderMap::new(),
        "€".repeat(9000).as_bytes(),
    );
    assert_eq!(long.cause.chars().count(), 2000);
    let empty = refusal(&target(), StatusCode::BAD_REQUEST, &HeaderMap::new(), b"");
    assert_eq!(empty.class, Class::Request);
}

#[test]
fn errors_within_an_answer_get_a_class_too() {
    let class = |body: Json| in_stream(&target(), &body).class;
    assert_eq!(
        class(json!({"error": {"code": 429, "message": "slow down"}})),
        Class::RateLimit
    );
    assert_eq!(
        class(json!({"error": {"code": "rate_limit_exceeded", "message": "x"}})),
        Class::RateLimit
    );
    assert_eq!(
        class(json!({"error": {"type": "server_error", "message": "x"}})),
        Class::Server
    );
    assert_eq!(class(json!({"error": "boom"})), Class::Server);
    assert_eq!(class(json!({"error": null})), Class::Server);
    assert_eq!(
        class(json!({"type": "error", "code": "invalid_prompt", "message": "x"})),
        Class::Request
    );
    let relayed = json!({"error": {"code": 502, "message": "Provider returned error",
        "metadata": {"raw": "overloaded", "provider_name": "X"}}});
    let error = in_stream(&target(), &relayed);
    assert_eq!((error.class, error.status), (Class::Server, Some(502)));
    assert_eq!(error.cause, "Provider returned error: overloaded");
}

#[test]
fn when_to_come_back_is_read_as_seconds_milliseconds_or_a_date() {
    let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let wait = |pairs: &[(&'static str, &str)]| retry_after(&headers(pairs), now);
    let seconds = |n| Some(Duration::from_secs(n));
    assert_eq!(wait(&[]), None);
    assert_eq!(wait(&[("retry-after", "0")]), seconds(0));
    assert_eq!(wait(&[("retry-after", " 7 ")]), seconds(7));
    assert_eq!(
        wait(&[("retry-after", "9"), ("retry-after-ms", "1500")]),
        Some(Duration::from_millis(1500))
    );
    assert_eq!(wait(&[("retry-after", "99999999999999999999")]), seconds(86_400));
    assert_eq!(wait(&[("retry-after", "-5")]), None);
    assert_eq!(wait(&[("retry-after", "NaN")]), None);
    assert_eq!(wait(&[("retry-after", "soon")]), None);
    assert_eq!(
        wait(&[("retry-after", "Thu, 01 Jan 2026 00:00:30 GMT")]),
        seconds(30)
    );
    assert_eq!(
        wait(&[("retry-after", "Thu, 01 Jan 2015 00:00:30 GMT")]),
        seconds(0)
    );
    assert_eq!(
        wait(&[("retry-after", "Fri, 01 Jan 2100 00:00:00 GMT")]),
        seconds(86_400)
    );
    let by_their_clock = [
        ("date", "Wed, 31 Dec 2025 12:00:00 GMT"),
        ("retry-after", "Wed, 31 Dec 2025 12:00:05 GMT"),
    ];
    assert_eq!(wait(&by_their_clock), seconds(5));
}
