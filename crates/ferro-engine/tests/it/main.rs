//! One scenario file per behaviour, through fake components and a paused clock.

mod support;

mod branch;
mod cancel;
mod cycle_with_router;
mod errors;
mod fan_out_join;
mod inactivity;
mod limits;
mod linear;
mod loops;
mod nested_loop;
mod timeout;
