//! The API, noun by noun.

mod api_keys;
mod auth;
mod files;
mod flows;
mod flows_batch;
mod flows_transfer;
mod meta;
mod projects;
mod sessions;
mod trash;
mod users;
mod variables;
mod versions;
