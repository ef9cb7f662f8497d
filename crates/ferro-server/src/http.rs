//! What every request passes through before and after its handler.

pub mod client;
pub mod cookies;
pub mod cors;
pub mod extract;
pub mod guard;
pub mod identity;
pub mod linger;
pub mod observe;
pub mod throttle;
pub mod visitor;

use std::{pin::Pin, sync::Arc};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};

use crate::state::App;

tokio::task_local! {
    static REQUEST_ID: String;
}

/// The id of the request this task answers.
pub fn request_id() -> String {
    REQUEST_ID.try_with(Clone::clone).unwrap_or_default()
}

/// Work that goes on after its request was answered, as the body of the answer does, still under the request's id.
pub fn as_this_request<F: Future>(work: F) -> impl Future<Output = F::Output> {
    REQUEST_ID.scope(request_id(), work)
}

/// What every request passes first, in one piece: `observe`, `linger`, `guard`.
pub async fn pass(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let guarded = move |request| guard::guard(app, request, next);
    observe::observe(request, |request| linger::linger(request, guarded)).await
}

/// For work that most requests have no part in. Kept inside the request's own future it would make that larger by tens of
/// kilobytes, which every request carries from layer to layer.
pub fn rarely<F: Future>(work: F) -> Pin<Box<F>> {
    Box::pin(work)
}
