//! Refusals that need no account: wrong host, foreign origin, endless headers. And the headers that go on every answer.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use crate::{
    error::AppError,
    http::client::{Client, Peer, host_of, is_loopback_name, without_port},
    http::cors,
    state::App,
};

const MAX_HEADERS: usize = 16 * 1024;
const TOTAL_TIME: Duration = Duration::from_secs(60);

pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

static HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

pub async fn guard(app: Arc<App>, mut request: Request, next: Next) -> Response {
    let client = Client::of(
        request.extensions().get::<Peer>(),
        request.version(),
        request.headers(),
        &app.config,
    );
    let is_https = client.is_https;
    let refusal = refuse(&app, &request);
    let is_open = cors::is_open(request.uri().path());
    let preflight = cors::preflight(request.method(), request.uri().path());
    request.extensions_mut().insert(client);
    let mut response = match (refusal, preflight) {
        (Some(error), _) => error.into_response(),
        (None, Some(answer)) => answer,
        (None, None) if takes_its_time(&request) => next.run(request).await,
        (None, None) => match tokio::time::timeout(TOTAL_TIME, next.run(request)).await {
            Ok(response) => response,
            Err(_) => AppError::timeout().into_response(),
        },
    };
    let headers = response.headers_mut();
    // These, the request's id and what the connection adds: growing twice costs more than all of them.
    headers.reserve(HEADERS.len() + 5);
    if is_open {
        cors::open(headers);
    }
    for (name, value) in &HEADERS {
        headers
            .entry(name.clone())
            .or_insert(HeaderValue::from_static(value));
    }
    if is_https {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
    response
}

fn refuse(app: &App, request: &Request) -> Option<AppError> {
    let headers = request.headers();
    let size: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + 4)
        .sum();
    if size + length_of(request.uri()) > MAX_HEADERS {
        return Some(AppError::headers_too_large());
    }
    let Some(host) = host_of(headers) else {
        return Some(AppError::misdirected());
    };
    if !is_allowed_host(app, host) {
        return Some(AppError::misdirected());
    }
    let changes_something = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if changes_something && !cors::is_open(request.uri().path()) && comes_from_elsewhere(headers) {
        return Some(AppError::origin_refused());
    }
    None
}

/// How long it is when written out.
fn length_of(uri: &Uri) -> usize {
    let scheme = uri.scheme_str().map_or(0, |scheme| scheme.len() + "://".len());
    let authority = uri.authority().map_or(0, |authority| authority.as_str().len());
    let path = uri.path_and_query().map_or(0, |path| path.as_str().len());
    scheme + authority + path
}

fn is_allowed_host(app: &App, host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    is_loopback_name(host)
        || app
            .config
            .allowed_hosts
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(host))
        || (!app.config.host.is_unspecified() && bare == app.config.host.to_string())
}

/// A browser says where a request comes from; another origin must not act with our user's cookie.
pub fn comes_from_elsewhere(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return !matches!(site.as_bytes(), b"same-origin" | b"none");
    }
    match headers.get(header::ORIGIN) {
        None => false,
        Some(origin) => !same_origin(origin, headers),
    }
}

/// Whether the request carries proof that our own page made it. Programs carry none, and then need no cookie.
pub fn comes_from_our_page(headers: &HeaderMap) -> bool {
    headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "same-origin" || site == "none")
        || headers
            .get(header::ORIGIN)
            .is_some_and(|origin| same_origin(origin, headers))
}

fn same_origin(origin: &HeaderValue, headers: &HeaderMap) -> bool {
    let (Ok(origin), Some(Ok(host))) = (
        origin.to_str(),
        headers.get(header::HOST).map(HeaderValue::to_str),
    ) else {
        return false;
    };
    let authority = origin.split_once("://").map(|(_, rest)| rest).unwrap_or_default();
    let default_port = |host: &str| {
        if host == without_port(host) {
            format!("{host}:{}", if origin.starts_with("https:") { 443 } else { 80 })
        } else {
            host.to_owned()
        }
    };
    default_port(authority).eq_ignore_ascii_case(&default_port(host))
}

/// Uploads, downloads and streams last as long as they move; the idle limit on the body watches them.
fn takes_its_time(request: &Request) -> bool {
    let is_upload = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with("multipart/"));
    let path = request.uri().path();
    // Runs and turns of the assistant have limits of their own.
    const RUNS: [&str; 5] = [
        "/api/v1/agentic/assist",
        "/api/v1/run/",
        "/api/v1/build/",
        "/api/v2/workflows",
        "/api/v1/responses",
    ];
    let runs = RUNS.iter().any(|prefix| path.starts_with(prefix));
    is_upload
        || runs
        || path.contains("/stream")
        || path.contains("/events")
        || path.contains("/webhook-events")
}
