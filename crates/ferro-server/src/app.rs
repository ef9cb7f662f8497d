//! Use cases: permission, transaction, steps. One file per noun, named as in `api` and in the store.

pub mod api_keys;
pub mod archive;
pub mod assistant;
pub mod auth;
pub mod components;
pub mod custom_components;
pub mod files;
pub mod flows;
pub mod messages;
pub mod models;
pub mod projects;
pub mod python;
pub mod runs;
pub mod user_components;
pub mod users;
pub mod variables;
pub mod versions;
pub mod visits;
