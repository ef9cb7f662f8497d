//! Every tool: what it does when all is well, and what it refuses.

mod bench;
mod build;
mod changes;
mod configure;
mod follow;
mod kit;
mod large;
mod models;
mod reads;
mod run;
mod undo;
