//! One binary for the crate: a file per feature, each with its own `check`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod ascii;
mod damage;
mod diff;
mod document;
mod edit;
mod edit_together;
mod fixtures;
mod fuzz;
mod handle;
mod layout;
mod model_value;
mod old_flows;
mod own_code;
mod ports;
mod problems;
mod properties;
mod read;
mod secrets;
mod spec;
mod text_form;
mod ungroup;
mod upgrade;
