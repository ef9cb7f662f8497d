//! Sends one HTTP request and gives the answer as JSON.
//!
//! - **Mode**: `URL` to fill in the parts, `cURL` to paste a command such as the ones in a service's documentation.
//! - **URL** and **Method**: where to, and what to do there. `https://` is added where it is missing.
//! - **Query Parameters**, **Body**, **Headers**: JSON, or rows of `key` and `value`. The body is sent as JSON unless a
//!   `Content-Type` header says it is a form.
//! - **Timeout**: seconds until the request is given up.
//! - **Follow Redirects**: off, a redirect is the answer; on, up to five are followed.
//! - **Save to File**: keeps the answer as one of your files and gives its path.
//!
//! The result has `source`, `status_code`, `response_headers` and `result`: JSON where the answer is JSON, else text;
//! anything else comes as base64 with `"encoding": "base64"`. With **Include HTTPx Metadata** there are `headers` too:
//! what was sent, credentials left out.
//!
//! Example: URL `https://api.example.com/items`, query parameters `{"page": 1}` → `result` is the list of items.
//!
//! Common mistakes: a status of 404 or 500 is an answer, not an error: look at `status_code`. Addresses inside your own
//! network are refused until an operator allows them. A request that changes something is never repeated by
//! itself after a crash: the run asks first.

mod plan;

use base64::Engine as _;
use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value, WriteMode};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use ferro_net::{Client, Request, Secret};
use http::Method;
use serde_json::{Map, Value as Json, json};

use self::plan::{Plan, from_curl, from_fields};
use super::curl::{self, Curl};
use super::fetch::{self, Fetched, fetch};
use super::secrecy;
use crate::Shared;
use crate::text::fields;

pub(super) struct ApiRequest {
    net: Client,
}

const METHODS: [&str; 5] = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const MAX_ANSWER: u64 = 20 * 1024 * 1024;
/// Set by the connection, or wrong as soon as the client unpacks what came.
const DROPPED: [&str; 10] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl ApiRequest {
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            net: shared.net.clone(),
        }
    }
}

impl Component for ApiRequest {
    fn descriptor(&self) -> Descriptor {
        let rows = |name: &str, label: &str, info: &str, value: Json| {
            let schema = json!([
                { "name": "key", "display_name": "Key", "type": "str", "description": "Name" },
                { "name": "value", "display_name": "Value", "description": "Value" },
            ]);
            FieldSpec::table(name, label, schema, value)
                .accepts(&["Data", "JSON"])
                .info(info)
                .advanced()
                .refresh()
        };
        Descriptor::new("APIRequest", "API Request")
            .category("data_source")
            .icon("globe")
            .description("Sends an HTTP request, filled in or pasted as a cURL command.")
            .help(include_str!("api_request.rs"))
            .field(
                FieldSpec::message_text("url_input", "URL")
                    .info("The address to send the request to.")
                    .tool(),
            )
            .field(
                FieldSpec::multiline("curl_input", "cURL")
                    .info("A curl command; it fills in the other fields.")
                    .advanced()
                    .hidden()
                    .tool()
                    .refresh(),
            )
            .field(
                FieldSpec::dropdown("method", "Method", &METHODS, "GET")
                    .info("What to do at the address.")
                    .refresh(),
            )
            .field(
                FieldSpec::tab("mode", "Mode", &["URL", "cURL"], "URL")
                    .info("Fill in the parts, or paste a command.")
                    .refresh(),
            )
            .field(
                FieldSpec::handle("query_params", "Query Parameters", &["Data", "JSON"])
                    .class("DataInput")
                    .info("Added to the address.")
                    .advanced(),
            )
            .field(rows(
                "body",
                "Body",
                "What is sent with POST, PATCH, PUT and DELETE.",
                json!([]),
            ))
            .field(rows(
                "headers",
                "Headers",
                "Sent with the request.",
                json!([{ "key": "User-Agent", "value": "Ferroflow" }]),
            ))
            .field(
                FieldSpec::int("timeout", "Timeout", 30)
                    .info("Seconds until the request is given up.")
                    .advanced(),
            )
            .field(
                FieldSpec::bool("follow_redirects", "Follow Redirects", false)
                    .info("Whether to go where a redirect points.")
                    .advanced(),
            )
            .field(
                FieldSpec::bool("save_to_file", "Save to File", false)
                    .info("Keep the answer as one of your files.")
                    .advanced(),
            )
            .field(
                FieldSpec::bool("include_httpx_metadata", "Include HTTPx Metadata", false)
                    .info("Add the headers that were sent, without credentials.")
                    .advanced(),
            )
            .output(OutputSpec::new(
                "data",
                "API Response",
                "make_api_request",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let net = self.net.clone();
        Step::later(async move {
            let plan = if call.text("mode") == "cURL" {
                from_curl(&call)?
            } else {
                from_fields(&call)?
            };
            exchange(&call, &net, plan).await
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        match field {
            "mode" => {
                let by_parts = ["url_input", "method", "query_params", "body", "headers"];
                let all = [&by_parts[..], &["curl_input"]].concat();
                let shown: &[&str] = if value == "cURL" {
                    &["curl_input"]
                } else {
                    &by_parts
                };
                fields::show_only(node, &all, shown);
                fields::set(node, "curl_input", "advanced", value != "cURL");
            }
            "curl_input" => {
                let text = value.as_str().unwrap_or_default();
                if !text.trim().is_empty() {
                    fill_in(node, &curl::parse(text)?);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Shows what a command says in the fields it stands for.
fn fill_in(node: &mut Json, curl: &Curl) {
    let rows = |pairs: &mut dyn Iterator<Item = (String, Json)>| -> Json {
        pairs
            .map(|(key, value)| json!({ "key": key, "value": value }))
            .collect()
    };
    fields::set(node, "url_input", "value", curl.url.clone());
    fields::set(node, "method", "value", curl.method.clone());
    fields::set(node, "follow_redirects", "value", curl.follows);
    let headers = rows(
        &mut curl
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), value.clone().into())),
    );
    fields::set(node, "headers", "value", headers);
    let body = match curl.body.as_deref().map(serde_json::from_str) {
        Some(Ok(Json::Object(map))) => rows(&mut map.into_iter()),
        Some(_) => {
            let form = url::form_urlencoded::parse(curl.body.as_deref().unwrap_or_default().as_bytes());
            rows(&mut form.map(|(key, value)| (key.into_owned(), value.into_owned().into())))
        }
        None => json!([]),
    };
    fields::set(node, "body", "value", body);
}

async fn exchange(call: &Call, net: &Client, plan: Plan) -> Result<Outcome, Failure> {
    let harmless = matches!(plan.method, Method::GET | Method::HEAD);
    let mut request =
        Request::new(plan.method, plan.url.clone()).limits(fetch::limits(call, 30, MAX_ANSWER)?);
    if !plan.follows {
        request = request.no_redirects();
    }
    for (name, value) in plan
        .headers
        .iter()
        .filter(|(name, _)| !DROPPED.contains(&name.to_lowercase().as_str()))
    {
        let set = if secrecy::is_secret(name) {
            request.secret_header(name, &Secret::new(value.as_str()))
        } else {
            request.header(name, value)
        };
        request = set.map_err(fetch::failure)?;
    }
    if let Some((kind, body)) = plan.body {
        request = request.body(&kind, body).map_err(fetch::failure)?;
    }
    if !harmless {
        call.cx.begin_effect().await?;
    }
    let answer = fetch(&call.cx, net, request).await?;

    let mut data = Map::new();
    data.insert("source".to_owned(), secrecy::address(&plan.url).into());
    data.insert("status_code".to_owned(), answer.status.into());
    data.insert("response_headers".to_owned(), secrecy::received(&answer.headers));
    if answer.url != plan.url {
        data.insert("redirected_to".to_owned(), secrecy::address(&answer.url).into());
    }
    if call.bool("include_httpx_metadata") {
        let sent = plan
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        data.insert("headers".to_owned(), secrecy::headers(sent));
    }
    if call.bool("save_to_file") {
        if harmless {
            call.cx.begin_effect().await?;
        }
        let name = file_name(&answer);
        let path = call
            .cx
            .host
            .write_file(&name, answer.body, WriteMode::Replace)
            .await?;
        data.insert("file_path".to_owned(), path.into());
    } else {
        result(&answer, &mut data);
    }
    Ok(Outputs::one("data", Value::data(data)))
}

fn result(answer: &Fetched, data: &mut Map<String, Json>) {
    if let Ok(json) = serde_json::from_slice::<Json>(&answer.body) {
        data.insert("result".to_owned(), json);
    } else if is_binary(answer) {
        data.insert(
            "result".to_owned(),
            base64::engine::general_purpose::STANDARD
                .encode(&answer.body)
                .into(),
        );
        data.insert("encoding".to_owned(), "base64".into());
    } else {
        data.insert("result".to_owned(), answer.text().into());
    }
}

fn is_binary(answer: &Fetched) -> bool {
    let kind = answer.content_type();
    let by_kind = ["image/", "audio/", "video/", "font/"]
        .iter()
        .any(|start| kind.starts_with(start) && kind != "image/svg+xml");
    let by_name = [
        "application/octet-stream",
        "application/pdf",
        "application/zip",
        "application/gzip",
    ]
    .contains(&kind.as_str());
    by_kind || by_name || answer.body.iter().take(1024).any(|&byte| byte == 0)
}

/// As the server names it, or as the address ends; never with a folder.
fn file_name(answer: &Fetched) -> String {
    let disposition = answer
        .headers
        .get(http::header::CONTENT_DISPOSITION)
        .and_then(|value| value.to_str().ok());
    let said = disposition.and_then(|value| value.split("filename=").nth(1)?.split(';').next());
    let last = answer.url.path_segments().and_then(|mut all| all.next_back());
    let name = said
        .map(|name| name.trim_matches('"'))
        .filter(|name| !name.is_empty())
        .or(last)
        .unwrap_or_default();
    let clean: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' '))
        .take(100)
        .collect();
    let clean = clean.trim_matches(['.', ' ']).to_owned();
    let name = if clean.is_empty() {
        "response".to_owned()
    } else {
        clean
    };
    if name.contains('.') {
        return name;
    }
    let ending = match answer.content_type().as_str() {
        "application/json" => "json",
        "text/html" => "html",
        "text/csv" => "csv",
        "application/pdf" => "pdf",
        "image/png" => "png",
        "image/jpeg" => "jpg",
        kind if kind.starts_with("text/") => "txt",
        _ => "bin",
    };
    format!("{name}.{ending}")
}
