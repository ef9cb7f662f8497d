//! The request that the fields or a command ask for.

use ferro_engine::{Call, Failure};
use http::Method;
use serde_json::{Map, Value as Json};
use url::Url;

use super::super::{curl, fetch};
use super::METHODS;
use crate::text::fields;

/// A request before it is made.
pub(super) struct Plan {
    pub method: Method,
    pub url: Url,
    pub headers: Vec<(String, String)>,
    /// With its content type.
    pub body: Option<(String, Vec<u8>)>,
    pub follows: bool,
}

pub(super) fn from_curl(call: &Call) -> Result<Plan, Failure> {
    let curl = curl::parse(&call.required_text("curl_input")?)?;
    let mut url = curl::address(&curl)?;
    url.set_fragment(None);
    let method = method("curl_input", &curl.method)?;
    let body = curl
        .body
        .map(|body| (content_type(&curl.headers).unwrap_or_default(), body.into_bytes()));
    Ok(Plan {
        method,
        url,
        headers: curl.headers,
        body,
        follows: curl.follows || call.bool("follow_redirects"),
    })
}

pub(super) fn from_fields(call: &Call) -> Result<Plan, Failure> {
    let mut url = fetch::address("url_input", &call.required_text("url_input")?)?;
    // It never leaves; kept, it would look like a redirect.
    url.set_fragment(None);
    let method = method("method", &fields::text_or(call, "method", "GET"))?;
    let query = given(call, "query_params")?;
    if !query.is_empty() {
        url.query_pairs_mut()
            .extend_pairs(query.iter().map(|(name, value)| (name, plain(value))));
    }
    let headers: Vec<(String, String)> = given(call, "headers")?
        .iter()
        .map(|(name, value)| (name.clone(), plain(value)))
        .collect();
    let body = if method == Method::GET {
        None
    } else {
        body(call, &headers)?
    };
    Ok(Plan {
        method,
        url,
        headers,
        body,
        follows: call.bool("follow_redirects"),
    })
}

fn method(field: &str, name: &str) -> Result<Method, Failure> {
    let name = name.trim().to_uppercase();
    let known = METHODS.contains(&name.as_str()) || name == "HEAD";
    let method = Method::from_bytes(name.as_bytes()).ok().filter(|_| known);
    method.ok_or_else(|| {
        Failure::input(field, format!("The method {name:?} is not supported"))
            .advice(format!("Use one of {}.", METHODS.join(", ")))
    })
}

/// Names and values, whether they came as JSON, as rows or as text.
fn given(call: &Call, field: &str) -> Result<Map<String, Json>, Failure> {
    let json = call.json(field);
    let text = json.as_str().map(str::trim).unwrap_or_default();
    let pairs = fields::pairs(&json);
    if pairs.is_empty() && !text.is_empty() && serde_json::from_str::<Map<String, Json>>(text).is_err() {
        return Err(Failure::input(
            field,
            format!(
                "{} is neither JSON nor rows of names and values",
                call.label(field)
            ),
        )
        .advice("Give an object such as {\"name\": \"value\"}."));
    }
    Ok(pairs
        .into_iter()
        .filter(|(name, _)| !name.trim().is_empty())
        .collect())
}

fn plain(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn content_type(headers: &[(String, String)]) -> Option<String> {
    let found = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    found.map(|(_, value)| value.clone())
}

fn body(call: &Call, headers: &[(String, String)]) -> Result<Option<(String, Vec<u8>)>, Failure> {
    let Some(value) = call.get("body") else {
        return Ok(None);
    };
    let is_rows = |items: &[Json]| {
        items
            .iter()
            .all(|item| item.get("key").is_some() && item.get("value").is_some())
    };
    let json = match value.to_json() {
        Json::String(text) => serde_json::from_str(&text).unwrap_or(Json::String(text)),
        Json::Array(items) if items.is_empty() => return Ok(None),
        Json::Array(items) if is_rows(&items) => {
            // A row's value is a text; one that reads as JSON is meant as such.
            let parse = |value: Json| match value {
                Json::String(text) => serde_json::from_str(&text).unwrap_or(Json::String(text)),
                other => other,
            };
            Json::Object(
                fields::pairs(&Json::Array(items))
                    .into_iter()
                    .map(|(name, value)| (name, parse(value)))
                    .collect(),
            )
        }
        other => other,
    };
    let kind = content_type(headers);
    if let (Some(kind), Json::Object(map)) = (&kind, &json)
        && kind.starts_with("application/x-www-form-urlencoded")
    {
        let pairs = map.iter().map(|(name, value)| (name, plain(value)));
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(pairs)
            .finish();
        return Ok(Some((kind.clone(), form.into_bytes())));
    }
    let text = match json {
        Json::String(text) => {
            return Ok(Some((
                kind.unwrap_or_else(|| "text/plain; charset=utf-8".to_owned()),
                text.into_bytes(),
            )));
        }
        other => other.to_string(),
    };
    Ok(Some((
        kind.unwrap_or_else(|| "application/json".to_owned()),
        text.into_bytes(),
    )))
}
