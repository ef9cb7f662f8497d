//! The API, noun by noun.

mod agents;
mod api_keys;
mod auth;
mod components;
mod files;
mod flows;
mod flows_batch;
mod flows_transfer;
mod imported;
mod messages;
mod messages_shared;
mod meta;
mod models;
mod monitor;
mod projects;
mod runs;
mod runs_clients;
mod runs_doors;
mod runs_people;
mod runs_sql;
mod sessions;
mod starters;
mod trash;
mod users;
mod variables;
mod versions;
