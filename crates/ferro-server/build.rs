//! The release binary carries the web UI: build it anew when that changes.
#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

fn main() {
    println!("cargo::rerun-if-changed=../../web/dist");
}
