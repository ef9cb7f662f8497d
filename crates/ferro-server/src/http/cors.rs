//! The few addresses that pages of other sites may use: what an embedded chat needs, and nothing that knows an account.

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse as _, Response},
};

const ALLOW: [(HeaderName, &str); 4] = [
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
    (
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        "content-type, x-ferroflow-visitor",
    ),
    (header::ACCESS_CONTROL_MAX_AGE, "600"),
];

/// Whether other sites may use this address.
pub fn is_open(path: &str) -> bool {
    const ADDRESSES: [&str; 3] = [
        "/api/v1/flows/public_flow/",
        "/api/v2/workflows/public/",
        "/embed/",
    ];
    path.trim_end_matches('/') == "/api/v2/workflows/public"
        || ADDRESSES.iter().any(|address| path.starts_with(address))
}

/// What a browser asks before it sends what a page of another site wants to send.
pub fn preflight(method: &Method, path: &str) -> Option<Response> {
    (method == Method::OPTIONS && is_open(path)).then(|| {
        let mut response = StatusCode::NO_CONTENT.into_response();
        for (name, value) in ALLOW {
            response
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
        }
        response
    })
}

/// No `Access-Control-Allow-Credentials`: what a page of another site sends comes without our cookies.
pub fn open(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("retry-after, x-request-id"),
    );
    headers.insert(
        "cross-origin-resource-policy",
        HeaderValue::from_static("cross-origin"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_what_a_chat_needs_is_open() {
        for path in [
            "/api/v1/flows/public_flow/00000000-0000-0000-0000-000000000001",
            "/api/v2/workflows/public",
            "/api/v2/workflows/public/",
            "/api/v2/workflows/public/00000000-0000-0000-0000-000000000001/resume",
            "/embed/chat.js",
        ] {
            assert!(is_open(path), "{path}");
            assert!(preflight(&Method::OPTIONS, path).is_some());
            assert!(preflight(&Method::POST, path).is_none());
        }
        for path in [
            "/",
            "/embed",
            "/api/v1/flows",
            "/api/v1/flows/public_flow",
            "/api/v2/workflows",
            "/api/v2/workflows/publicity",
            "/api/v1/build_public_tmp/x/flow",
            "/api/v1/login",
            "/assets/embed/chat.js",
        ] {
            assert!(!is_open(path), "{path}");
        }
    }
}
