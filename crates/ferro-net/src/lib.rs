//! The only way out: one HTTP client that refuses addresses, sizes and waits nobody allowed, and the types for
//! values that must not be printed.
//!
//! Refuses to know: flows, providers, users. Whoever calls says what to send and to whom, this crate decides
//! whether it may leave.
//!
//! Read first: `policy.rs` (where requests may go) and `client.rs` (how a request leaves).

#![forbid(unsafe_code)]

mod address;
mod client;
mod error;
mod lookup;
mod policy;
mod request;
mod response;
mod secret;

pub use address::{BadNetwork, Network, Range, classify};
pub use client::{Client, MAX_REDIRECTS};
pub use error::{ALLOW_SETTING, NetError};
pub use lookup::{Addresses, Lookup, SystemLookup};
pub use policy::{AddressPolicy, Allow, BadAllow, DEFAULT_PORTS};
pub use request::{Limits, Request};
pub use response::Response;
pub use secret::{RedactedUrl, Secret};
