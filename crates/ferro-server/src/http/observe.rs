//! Request ids and the access log.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue},
    response::{IntoResponse as _, Response},
};
use uuid::Uuid;

use crate::{
    error::{AppError, Cause},
    metrics,
};

static HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Names the request, runs it, and logs how it ended. The path is logged without its query: that may hold secrets.
pub async fn observe<F: Future<Output = Response>>(
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let started = Instant::now();
    let id = given_id(&request).unwrap_or_else(|| Uuid::now_v7().simple().to_string());
    let method = request.method().clone();
    let (matched, uri) = (
        request.extensions().get::<MatchedPath>().cloned(),
        request.uri().clone(),
    );
    let mut response = super::REQUEST_ID.scope(id.clone(), next(request)).await;
    let path = matched.as_ref().map_or(uri.path(), MatchedPath::as_str);
    let status = response.status().as_u16();
    metrics::answered(status);
    let ms = started.elapsed().as_secs_f64() * 1000.0;
    match response.extensions_mut().remove::<Cause>() {
        Some(Cause(cause)) => {
            tracing::error!(request_id = %id, %method, %path, status, ms, error = format!("{cause:#}"), "{method} {path} failed");
        }
        None if status >= 500 => {
            tracing::error!(request_id = %id, %method, %path, status, ms, "{method} {path} failed")
        }
        None => tracing::debug!(request_id = %id, %method, %path, status, ms, "{method} {path} {status}"),
    }
    if let Ok(value) = HeaderValue::try_from(id) {
        response.headers_mut().insert(HEADER.clone(), value);
    }
    response
}

/// A panic costs one request, not the server.
pub fn panicked(panic: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default();
    AppError::bug(format_args!("panic: {message}")).into_response()
}

fn given_id(request: &Request) -> Option<String> {
    let id = request.headers().get(&HEADER)?.to_str().ok()?;
    let fine = (8..=64).contains(&id.len())
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    fine.then(|| id.to_owned())
}
