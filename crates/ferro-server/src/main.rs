//! The `ferroflow` program. Everything is in the library: read `src/cli.rs` and `src/serve.rs`.

fn main() -> std::process::ExitCode {
    ferro_server::cli::main()
}
