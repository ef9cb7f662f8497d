//! What every request passes through before and after its handler.

pub mod client;
pub mod cookies;
pub mod extract;
pub mod guard;
pub mod identity;
pub mod linger;
pub mod observe;
pub mod throttle;

tokio::task_local! {
    static REQUEST_ID: String;
}

/// The id of the request this task answers.
pub fn request_id() -> String {
    REQUEST_ID.try_with(Clone::clone).unwrap_or_default()
}
