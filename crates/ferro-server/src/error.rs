//! Every error a client can get: the one place that picks status codes and words the envelope.

use std::{borrow::Cow, sync::Arc, time::Duration};

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use ferro_model::DocumentError;
use ferro_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::request_id;

pub type Result<T, E = AppError> = std::result::Result<T, E>;

/// What a client gets instead of an answer.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// One sentence for a person.
    #[schema(example = "There is no such flow.")]
    pub detail: String,
    /// For programs; stays the same when the wording changes.
    #[schema(example = "not_found")]
    pub code: String,
    /// Names this request in the server's log.
    pub request_id: String,
    /// What is wrong with which field, where that is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FieldError {
    #[schema(example = "name")]
    pub field: String,
    #[schema(example = "must not be empty")]
    pub message: String,
}

#[derive(Debug)]
pub struct AppError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    code: &'static str,
    detail: Cow<'static, str>,
    errors: Vec<FieldError>,
    /// More members of the envelope, already JSON.
    extra: Vec<(&'static str, String)>,
    retry_after: Option<Duration>,
    etag: Option<String>,
    cause: Option<Cause>,
}

/// What went wrong inside; for the log, never for the client.
#[derive(Clone, Debug)]
pub struct Cause(pub Arc<anyhow::Error>);

impl AppError {
    fn new(status: StatusCode, code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Parts {
            status,
            code,
            detail: detail.into(),
            errors: Vec::new(),
            extra: Vec::new(),
            retry_after: None,
            etag: None,
            cause: None,
        }))
    }

    fn because(mut self, cause: impl Into<anyhow::Error>) -> Self {
        self.0.cause = Some(Cause(Arc::new(cause.into())));
        self
    }

    fn retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    pub fn not_found(noun: &'static str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("There is no such {noun}."),
        )
    }

    pub fn no_such_address() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "There is nothing at this address.",
        )
    }

    pub fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "This address does not take that method.",
        )
    }

    pub fn unauthenticated() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "unauthenticated",
            "Sign in first, or send an API key in the x-api-key header.",
        )
    }

    pub fn bad_credentials() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "bad_credentials",
            "The username or the password is not right.",
        )
    }

    pub fn inactive(awaits_approval: bool) -> Self {
        if awaits_approval {
            Self::new(
                StatusCode::BAD_REQUEST,
                "waiting_for_approval",
                "An admin must approve this account first.",
            )
        } else {
            Self::new(
                StatusCode::UNAUTHORIZED,
                "inactive",
                "This account is switched off. Ask an admin.",
            )
        }
    }

    pub fn forbidden(detail: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    /// Langflow's clients look for `detail.auto_login` here, so `detail` is an object this once.
    pub fn auto_login_disabled(why: &'static str) -> Self {
        let mut error = Self::new(StatusCode::FORBIDDEN, "auto_login_disabled", why);
        error.0.extra.push(("auto_login", "false".to_owned()));
        error
    }

    pub fn origin_refused() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "origin_refused",
            "This request came from another site. Programs should send an API key or a bearer token instead of a cookie.",
        )
    }

    pub fn misdirected() -> Self {
        Self::new(
            StatusCode::MISDIRECTED_REQUEST,
            "host_refused",
            "This server does not go by that name. Its operator can allow the name with --allowed-host.",
        )
    }

    pub fn bad_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", detail)
    }

    pub fn unreadable(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unreadable", detail)
    }

    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid_fields(vec![FieldError {
            field: field.into(),
            message: message.into(),
        }])
    }

    pub fn invalid_fields(errors: Vec<FieldError>) -> Self {
        let detail = match errors.as_slice() {
            [one] if one.field.is_empty() => capitalised(&one.message),
            [one] => format!("{}: {}.", one.field, one.message.trim_end_matches('.')),
            many => format!("{} fields are not right.", many.len()),
        };
        let mut error = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", detail);
        error.0.errors = errors;
        error
    }

    pub fn too_large(what: &'static str, limit: u64) -> Self {
        let detail = format!("The {what} is larger than the {} allowed here.", Size(limit));
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail)
    }

    pub fn headers_too_large() -> Self {
        Self::new(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "headers_too_large",
            "The request's headers are too long.",
        )
    }

    pub fn unsupported_media(wanted: &'static str) -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            format!("Send the body as {wanted}."),
        )
    }

    pub fn throttled(wait: Duration) -> Self {
        let seconds = wait.as_secs().max(1);
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "throttled",
            format!("Too many attempts. Try again in {seconds} seconds."),
        )
        .retry_after(Duration::from_secs(seconds))
    }

    /// A visitor of public flows asks too much; with the members Langflow's clients look for.
    pub fn rate_limited(wait: Duration) -> Self {
        let seconds = wait.as_secs().max(1);
        let detail = format!("Too many messages at once. Try again in {seconds} seconds.");
        let message = serde_json::Value::from(detail.as_str()).to_string();
        let mut error = Self::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", detail)
            .retry_after(Duration::from_secs(seconds));
        error.0.extra.push(("error", "\"Too many requests\"".to_owned()));
        error.0.extra.push(("message", message));
        error
    }

    pub fn taken(noun: &'static str, field: &'static str) -> Self {
        let mut error = Self::new(
            StatusCode::CONFLICT,
            "name_taken",
            format!("There is already a {noun} with this {}.", field.replace('_', " ")),
        );
        error.0.errors.push(FieldError {
            field: field.to_owned(),
            message: "is taken; choose another".to_owned(),
        });
        error
    }

    /// `current` is the flow as it is now, as JSON, so that the client can show what changed.
    pub fn stale(current: String, etag: String) -> Self {
        let mut error = Self::new(
            StatusCode::CONFLICT,
            "stale",
            "The flow was changed elsewhere since you read it. Compare the two before saving.",
        );
        error.0.extra.push(("current", current));
        error
            .0
            .extra
            .push(("etag", serde_json::Value::from(etag.as_str()).to_string()));
        error.0.etag = Some(etag);
        error
    }

    pub fn locked(noun: &'static str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "locked",
            format!("The {noun} is locked. Unlock it first."),
        )
    }

    pub fn conflict(detail: &'static str) -> Self {
        let mut chars = detail.chars();
        let sentence = chars.next().map_or_else(String::new, |first| {
            format!("{}{}.", first.to_uppercase(), chars.as_str())
        });
        Self::new(StatusCode::CONFLICT, "refused", sentence)
    }

    /// Switched off by the operator: as if it were not there.
    pub fn not_available() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_available",
            "This endpoint is not available",
        )
    }

    /// There is no model the assistant could speak with; `detail` says what to set up.
    pub fn no_model(detail: String) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "no_model", detail)
    }

    /// Nobody waits in line for the assistant.
    pub fn too_many_turns(detail: &'static str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "throttled", detail).retry_after(Duration::from_secs(5))
    }

    /// A turn of the assistant failed. Whose fault that was is the model's to say, where one was asked.
    pub fn assistant_failed(detail: String, model: Option<&ferro_llm::LlmError>) -> Self {
        use ferro_llm::Class;
        let Some(model) = model else {
            return Self::new(StatusCode::BAD_REQUEST, "assistant_failed", detail);
        };
        match model.class {
            Class::RateLimit | Class::Quota => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "model_limit", detail)
                    .retry_after(model.retry_after.unwrap_or(Duration::from_secs(10)))
            }
            Class::Timeout => Self::new(StatusCode::GATEWAY_TIMEOUT, "model_unreachable", detail),
            Class::Network | Class::Server => Self::new(StatusCode::BAD_GATEWAY, "model_unreachable", detail),
            _ => Self::new(StatusCode::BAD_REQUEST, "model_refused", detail),
        }
    }

    /// A file that the assistant cannot have written.
    pub fn not_text() -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not_text",
            "This file is no text.",
        )
    }

    /// A public flow that strangers may not run. Says nothing of what is in it.
    pub fn not_for_visitors() -> Self {
        Self::coded(
            StatusCode::BAD_REQUEST,
            "NOT_RUNNABLE_PUBLICLY",
            "This flow holds parts that visitors may not run. Its owner can run it, or share a flow without them.",
        )
    }

    /// The flow is not fit to run; `detail` says what is wrong and what to do.
    pub fn cannot_run(detail: String) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_flow", capitalised(&detail))
    }

    /// A node failed. What it says is meant for people and holds no secret.
    pub fn run_failed(failure: &ferro_engine::Failure) -> Self {
        let mut detail = capitalised(failure.message.trim_end_matches('.'));
        detail.push('.');
        // Several lines are a trace: it is with the run, and no sentence.
        if !failure.detail.is_empty() && !failure.detail.contains('\n') {
            detail = format!("{detail} {}", capitalised(&failure.detail));
        }
        if !failure.advice.is_empty() {
            detail = format!("{detail} {}", failure.advice);
        }
        Self::new(StatusCode::BAD_REQUEST, "run_failed", detail)
    }

    /// Python that cannot be taken: what is wrong, with its line, and all findings as JSON.
    pub fn invalid_code(detail: String, diagnostics: &serde_json::Value) -> Self {
        let mut error = Self::new(StatusCode::BAD_REQUEST, "invalid_code", capitalised(&detail));
        error.0.extra.push(("diagnostics", diagnostics.to_string()));
        error
    }

    /// A component that cannot be kept, in words that clients may know by heart.
    pub fn invalid_component(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_component", detail)
    }

    /// A path that leads where only the server itself may go.
    pub fn reserved_path() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "reserved",
            crate::files::RESERVED_REFUSAL,
        )
    }

    /// No worker can be had; `detail` says why and what an operator can do.
    pub fn no_python(detail: String, cause: impl Into<anyhow::Error>) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "python_unavailable",
            capitalised(&detail),
        )
        .because(cause)
    }

    /// With a code that Langflow's clients look for.
    pub fn coded(status: StatusCode, code: &'static str, detail: &'static str) -> Self {
        Self::new(status, code, detail)
    }

    /// As many runs as may be are under way.
    pub fn busy() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "busy",
            "The server is running as many flows as it may. Try again in a moment.",
        )
        .retry_after(Duration::from_secs(1))
    }

    pub fn timeout() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "timeout",
            "The request took too long.",
        )
    }

    pub fn disk_full(cause: impl Into<anyhow::Error>) -> Self {
        Self::new(
            StatusCode::INSUFFICIENT_STORAGE,
            "disk_full",
            "The server's disk is full. Nothing was saved; what was saved before is safe.",
        )
        .because(cause)
    }

    pub fn io(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::disk_full(error),
            _ => Self::internal(error),
        }
    }

    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let mut error = Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong in the server. Its log has more under this request's id.",
        );
        error.0.cause = Some(Cause(Arc::new(cause.into())));
        error
    }

    /// As `internal`, where the cause is no error type of its own.
    pub fn bug(cause: impl std::fmt::Display) -> Self {
        Self::internal(anyhow::Error::msg(cause.to_string()))
    }

    pub fn unhealthy(status: String, cause: impl Into<anyhow::Error>) -> Self {
        let mut error = Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "unhealthy",
            "The database does not answer.",
        )
        .because(cause);
        error
            .0
            .extra
            .push(("status", serde_json::Value::from("nok").to_string()));
        error
            .0
            .extra
            .push(("db", serde_json::Value::from(status).to_string()));
        error
    }

    fn unavailable(detail: &'static str, cause: impl Into<anyhow::Error>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
            .retry_after(Duration::from_secs(1))
            .because(cause)
    }

    /// The same, and which of several things it is about.
    pub fn about(mut self, what: &str) -> Self {
        self.0.detail = format!("{what}: {}", self.0.detail).into();
        self
    }

    /// What a client is told, without what is for the log.
    pub fn said(&self) -> &str {
        &self.0.detail
    }

    pub fn is_not_found(&self) -> bool {
        self.0.status == StatusCode::NOT_FOUND
    }

    pub fn is_throttled(&self) -> bool {
        self.0.status == StatusCode::TOO_MANY_REQUESTS
    }

    /// Our fault rather than the client's.
    pub fn is_internal(&self) -> bool {
        self.0.status.is_server_error()
    }
}

/// The words a client would get, and the cause where there is one.
impl std::fmt::Display for AppError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.detail)?;
        match &self.0.cause {
            Some(Cause(cause)) => write!(f, " ({cause:#})"),
            None => Ok(()),
        }
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error.root() {
            StoreError::NotFound(noun) => Self::not_found(noun),
            StoreError::Forbidden => Self::forbidden("You are not allowed to do this."),
            StoreError::Stale { .. } => Self::conflict("it was changed elsewhere since you read it"),
            StoreError::Taken { noun, field } => Self::taken(noun, field),
            StoreError::Locked(noun) => Self::locked(noun),
            StoreError::Refused(why) => Self::conflict(why),
            StoreError::Busy(_) => Self::unavailable("The database is busy. Try again in a moment.", error),
            StoreError::Unavailable(_) | StoreError::Stopped => {
                Self::unavailable("The database cannot be reached. Try again in a moment.", error)
            }
            StoreError::DiskFull(_) => Self::disk_full(error),
            _ => Self::internal(error),
        }
    }
}

impl From<DocumentError> for AppError {
    fn from(error: DocumentError) -> Self {
        Self::invalid("data", error.to_string())
    }
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let parts = *self.0;
        let body = ErrorBody {
            detail: parts.detail.into_owned(),
            code: parts.code.to_owned(),
            request_id: request_id(),
            errors: parts.errors,
        };
        let mut response = (
            parts.status,
            [(header::CONTENT_TYPE, "application/json")],
            envelope(&body, &parts.extra),
        )
            .into_response();
        let headers = response.headers_mut();
        if let Some(wait) = parts.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs()));
        }
        if let Some(etag) = parts.etag.and_then(|etag| HeaderValue::try_from(etag).ok()) {
            headers.insert(header::ETAG, etag);
        }
        if parts.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(cause) = parts.cause {
            response.extensions_mut().insert(cause);
        }
        response
    }
}

fn envelope(body: &ErrorBody, extra: &[(&'static str, String)]) -> String {
    let is_auto_login = body.code == "auto_login_disabled";
    let mut value = serde_json::json!(body);
    if is_auto_login {
        value["detail"] = serde_json::json!({ "message": body.detail, "auto_login": false });
    }
    let mut text = value.to_string();
    for (name, json) in extra.iter().filter(|_| !is_auto_login) {
        text.pop();
        text.push_str(&format!(",\"{name}\":{json}}}"));
    }
    text
}

fn capitalised(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| {
        format!("{}{}", first.to_uppercase(), chars.as_str())
    })
}

struct Size(u64);

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            bytes if bytes >= 1 << 20 => write!(f, "{} MB", bytes >> 20),
            bytes => write!(f, "{} kB", bytes >> 10),
        }
    }
}
