//! Handlers: extract, ask, shape. One file per noun, named as in `app` and in the store.

pub mod agentic;
pub mod api_keys;
pub mod auth;
pub mod build;
pub mod components;
pub mod custom_components;
pub mod files;
pub mod flows;
mod hooks;
pub mod meta;
pub mod metrics;
pub mod models;
pub mod monitor;
pub mod preferences;
pub mod projects;
pub mod public;
pub mod responses;
pub mod run;
pub mod runs;
pub mod starters;
mod stream;
pub mod trash;
pub mod user_components;
pub mod users;
pub mod variables;
pub mod versions;
pub mod wire;
pub mod workflows;

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use ferro_store::Window;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use crate::{
    error::{AppError, Result},
    files::safe_name,
    state::App,
};

pub type AppState = State<Arc<App>>;

/// A short word on what was done.
#[derive(Serialize, ToSchema)]
pub struct Done {
    pub message: String,
}

#[derive(Serialize, ToSchema)]
pub struct Deleted {
    pub deleted: u64,
}

/// Which page of a list, counted from 1.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest {
    pub page: i64,
    pub size: i64,
}

impl PageRequest {
    pub fn new(page: Option<i64>, size: Option<i64>) -> Result<Self> {
        let (page, size) = (page.unwrap_or(1), size.unwrap_or(50));
        if page < 1 {
            return Err(AppError::invalid("page", "begins at 1"));
        }
        if !(1..=100).contains(&size) {
            return Err(AppError::invalid("size", "must be between 1 and 100"));
        }
        Ok(Self { page, size })
    }

    pub fn window(self) -> Window {
        Window {
            offset: (self.page - 1).saturating_mul(self.size),
            limit: self.size,
        }
    }

    /// The envelope of a page around items that are JSON already.
    pub fn json(self, items: &str, total: i64) -> String {
        let pages = total.div_euclid(self.size) + i64::from(total % self.size != 0);
        format!(
            "{{\"items\":{items},\"total\":{total},\"page\":{},\"size\":{},\"pages\":{pages}}}",
            self.page, self.size
        )
    }
}

pub fn json_text(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// JSON that stays the same while the server runs, and the tag by which a client knows it has it already.
pub struct Cached {
    json: Bytes,
    etag: String,
}

impl Cached {
    pub fn new(json: impl Into<Bytes>) -> Self {
        let json = json.into();
        let etag = tag_of(&[&json]);
        Self { json, etag }
    }

    /// With a tag that says as much as the JSON would.
    pub fn tagged(json: impl Into<Bytes>, etag: String) -> Self {
        Self {
            json: json.into(),
            etag,
        }
    }

    pub fn etag(&self) -> &str {
        &self.etag
    }

    pub fn answer(&self, headers: &HeaderMap) -> Response {
        let known = headers
            .get(header::IF_NONE_MATCH)
            .and_then(|value| value.to_str().ok());
        // Proxies that compress make a strong tag weak.
        let is_ours = |tag: &str| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.etag;
        let mut response = if known.is_some_and(|known| known.split(',').any(|tag| is_ours(tag.trim()))) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            ([(header::CONTENT_TYPE, "application/json")], self.json.clone()).into_response()
        };
        let headers = response.headers_mut();
        headers.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-cache"),
        );
        if let Ok(etag) = HeaderValue::try_from(&self.etag) {
            headers.insert(header::ETAG, etag);
        }
        response
    }
}

/// The tag of something that is made of these parts.
pub fn tag_of(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    let digest = digest.finalize();
    let tag: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{tag}\"")
}

/// A file to save, never to show: what people upload must not run as part of this site.
pub fn download(name: &str, mime: &str, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    if let Ok(mime) = HeaderValue::try_from(mime) {
        headers.insert(header::CONTENT_TYPE, mime);
    }
    if let Ok(value) = HeaderValue::try_from(disposition(name)) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("sandbox; default-src 'none'"),
    );
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-store"),
    );
    response
}

fn disposition(name: &str) -> String {
    let name = safe_name(name);
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_graphic() && !"\"\\;%".contains(c) || c == ' ' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

/// The revision a client says it changed.
pub fn if_match(headers: &HeaderMap) -> Result<Option<i64>> {
    let Some(value) = headers.get(header::IF_MATCH) else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    let bare = text.strip_prefix("W/").unwrap_or(text).trim_matches('"');
    bare.parse()
        .map(Some)
        .map_err(|_| AppError::invalid("If-Match", "must be the ETag the server sent, such as \"7\""))
}

/// Tells "not said" from "said to be null" in a body: `None` or `Some(None)`.
pub fn said<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}
