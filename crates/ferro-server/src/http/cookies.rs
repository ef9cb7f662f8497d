//! The session cookie.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::config::SESSION_LIFETIME;

const PLAIN: &str = "ferroflow_session";
/// Browsers accept this prefix only over TLS, from this very host.
const OVER_TLS: &str = "__Host-ferroflow_session";

pub fn session(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == PLAIN || *name == OVER_TLS)
        .map(|(_, value)| value)
}

pub fn set(token: &str, is_https: bool) -> Option<HeaderValue> {
    HeaderValue::try_from(text(token, SESSION_LIFETIME.as_secs(), is_https)).ok()
}

pub fn clear(is_https: bool) -> Option<HeaderValue> {
    HeaderValue::try_from(text("", 0, is_https)).ok()
}

fn text(value: &str, max_age: u64, is_https: bool) -> String {
    let (name, secure) = if is_https {
        (OVER_TLS, "; Secure")
    } else {
        (PLAIN, "")
    };
    format!("{name}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}")
}
