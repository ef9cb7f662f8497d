//! Bodies, paths and queries, with refusals in the envelope.

use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, FromRequestParts, Request, rejection::QueryRejection},
    http::{HeaderMap, header, request::Parts},
};
use ferro_model::{MAX_DEPTH, check_depth};
use serde::de::DeserializeOwned;

use crate::error::{AppError, Result};

pub const JSON_LIMIT: usize = 4 << 20;
pub const FLOW_LIMIT: usize = 16 << 20;
const FORM_LIMIT: usize = 64 << 10;

/// A JSON body of at most `LIMIT` bytes.
pub struct Json<T, const LIMIT: usize = JSON_LIMIT>(pub T);

impl<T: DeserializeOwned, S: Send + Sync, const LIMIT: usize> FromRequest<S> for Json<T, LIMIT> {
    type Rejection = AppError;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        if !is_json(request.headers()) {
            return Err(AppError::unsupported_media("application/json"));
        }
        let bytes = read(request.into_body(), LIMIT).await?;
        // Flows, which may be larger, keep their text as it is and are looked at field by field.
        if LIMIT == JSON_LIMIT && has_nul(&bytes) {
            return Err(AppError::invalid("", NO_NUL));
        }
        parse(&bytes).map(Self)
    }
}

/// PostgreSQL cannot keep this one character in text, so no database of ours does.
pub const NO_NUL: &str = "text must not hold the character U+0000";

/// Whether a JSON text spells U+0000: as an escape, there is no other way.
fn has_nul(json: &[u8]) -> bool {
    let escapes = json
        .windows(6)
        .enumerate()
        .filter(|(_, part)| *part == b"\\u0000");
    // After an odd number of backslashes the first one here is itself escaped.
    let mut starts = escapes.map(|(at, _)| {
        json.iter()
            .take(at)
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count()
    });
    starts.any(|before| before % 2 == 0)
}

/// A form body, as browsers and Langflow's clients send to sign in.
pub struct Form<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let request = Request::from_parts(parts, read(body, FORM_LIMIT).await?.into());
        match axum::extract::Form::<T>::from_request(request, state).await {
            Ok(axum::extract::Form(value)) => Ok(Self(value)),
            Err(axum::extract::rejection::FormRejection::InvalidFormContentType(_)) => {
                Err(AppError::unsupported_media("application/x-www-form-urlencoded"))
            }
            Err(rejection) => Err(AppError::invalid("", rejection.body_text())),
        }
    }
}

/// A form with files. How much of it is taken is up to the handler.
pub struct Multipart(pub axum::extract::Multipart);

impl<S: Send + Sync> FromRequest<S> for Multipart {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let kind = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        if !kind.is_some_and(|kind| kind.to_ascii_lowercase().starts_with("multipart/form-data")) {
            return Err(AppError::unsupported_media("multipart/form-data"));
        }
        match axum::extract::Multipart::from_request(request, state).await {
            Ok(multipart) => Ok(Self(multipart)),
            Err(_) => Err(AppError::unreadable(
                "The upload does not say where its parts begin: its boundary is missing.",
            )),
        }
    }
}

pub async fn read(body: Body, limit: usize) -> Result<Bytes> {
    axum::body::to_bytes(body, limit).await.map_err(|error| {
        if has_cause::<http_body_util::LengthLimitError>(&error) {
            AppError::too_large("request", limit as u64)
        } else if has_cause::<tower_http::timeout::TimeoutError>(&error) {
            AppError::timeout()
        } else {
            AppError::unreadable("The request's body broke off before its end.")
        }
    })
}

fn has_cause<E: std::error::Error + 'static>(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(|cause| cause.is::<E>())
}

/// Reads JSON that is UTF-8, not too deep, and of the shape asked for; says where it is not.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(AppError::unreadable(
            "The request has no body; this one needs JSON.",
        ));
    }
    if let Err(error) = std::str::from_utf8(bytes) {
        return Err(AppError::unreadable(format!(
            "The body is not UTF-8 text: byte {} is wrong.",
            error.valid_up_to()
        )));
    }
    check_depth(bytes, MAX_DEPTH).map_err(|error| AppError::unreadable(error.to_string()))?;
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        if inner.is_data() {
            AppError::invalid(
                if path == "." { String::new() } else { path },
                without_position(&inner),
            )
        } else {
            AppError::unreadable(format!("The body is not valid JSON: {inner}."))
        }
    })?;
    json.end()
        .map_err(|error| AppError::unreadable(format!("The body goes on after its JSON ended: {error}.")))?;
    Ok(value)
}

/// The path already says where; line and column of a body nobody sees say less.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text.get(..at).unwrap_or(&text).to_owned(),
        None => text,
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(value)) = headers.get(header::CONTENT_TYPE).map(|value| value.to_str()) else {
        return false;
    };
    let kind = value.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(AppError::invalid("", NO_NUL));
        }
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(QueryRejection::FailedToDeserializeQueryString(rejection)) => {
                let text = rejection.body_text();
                let why = text
                    .strip_prefix("Failed to deserialize query string: ")
                    .unwrap_or(&text);
                let (field, message) = why.split_once(": ").unwrap_or(("", why));
                Err(AppError::invalid(field, message))
            }
            Err(rejection) => Err(AppError::bad_request(rejection.body_text())),
        }
    }
}

/// Ids in the address. One that is not an id names nothing that exists.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(_) => Err(AppError::no_such_address()),
        }
    }
}
