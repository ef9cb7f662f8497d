//! The `ferroflow` program. Everything is in the library: read `src/cli.rs` and `src/serve.rs`.

/// A run makes some hundred small things and drops them again; the system's allocator took a quarter of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    ferro_server::cli::main()
}
