//! One scenario file per behaviour, through fake components and a paused clock.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod support;

mod ask;
mod bad_input;
mod branch;
mod cancel;
mod cycle_with_router;
mod durable;
mod effect_once;
mod errors;
mod fan_out_join;
mod fork;
mod frozen;
mod groups;
mod inactivity;
mod limits;
mod linear;
mod live;
mod loops;
mod messages;
mod nested_loop;
mod own_code;
mod partial;
mod readers;
mod records;
mod resume;
mod schedules;
mod secrets;
mod sub_flow;
mod timeout;
mod tools;
mod tweaks;
mod variables;
