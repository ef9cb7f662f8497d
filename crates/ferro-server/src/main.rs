//! The `ferroflow` program. Everything is in the library: read `src/cli.rs` and `src/serve.rs`.

/// A run makes some hundred small things and drops them again; the system's allocator took a quarter of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    // Before anything else: a worker must have no threads, no settings and nothing open when its walls go up.
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    if arguments
        .get(1)
        .is_some_and(|first| first == ferro_worker::COMMAND)
    {
        return ferro_worker::run(arguments.get(2..).unwrap_or_default());
    }
    ferro_server::cli::main()
}
