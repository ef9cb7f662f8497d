//! By what a browser without an account is known again.

use axum::http::{HeaderMap, HeaderValue, header};
use uuid::Uuid;

use crate::http::guard::comes_from_elsewhere;

const COOKIE: &str = "client_id";
const HEADER: &str = "x-ferroflow-visitor";
const A_YEAR: u64 = 365 * 24 * 60 * 60;

/// The id a page on another site has made up for its visitor and sends along.
pub fn said(headers: &HeaderMap) -> Option<Uuid> {
    headers.get(HEADER)?.to_str().ok()?.parse().ok()
}

/// The id in the cookie; only our own pages get to use it.
pub fn remembered(headers: &HeaderMap) -> Option<Uuid> {
    if comes_from_elsewhere(headers) {
        return None;
    }
    let mut pairs = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .find(|(name, _)| *name == COOKIE)
        .and_then(|(_, id)| id.parse().ok())
}

/// What makes our own pages remember a visitor.
pub fn cookie(id: Uuid, headers: &HeaderMap, is_https: bool) -> Option<HeaderValue> {
    if comes_from_elsewhere(headers) {
        return None;
    }
    let secure = if is_https { "; Secure" } else { "" };
    let text = format!("{COOKIE}={id}; Path=/; Max-Age={A_YEAR}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(text).ok()
}
