//! The API, noun by noun.

mod api_keys;
mod auth;
mod components;
mod files;
mod flows;
mod flows_batch;
mod flows_transfer;
mod messages;
mod meta;
mod monitor;
mod projects;
mod runs;
mod runs_clients;
mod sessions;
mod starters;
mod trash;
mod users;
mod variables;
mod versions;
