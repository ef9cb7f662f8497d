//! The command line.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it talks to the person at the terminal"
)]

mod backup;
mod flows;
mod people;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use tracing_subscriber::{EnvFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _};

use crate::{
    config::{Config, LogFormat, Options},
    router::openapi_json,
    serve,
};

/// Build, run, share and deploy AI workflows.
///
/// Without a command it serves the web page and the API on http://127.0.0.1:7860.
/// Settings come from flags, then FERROFLOW_* variables, then ferroflow.toml in the data folder.
#[derive(Parser)]
#[command(name = "ferroflow", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// Read settings from this TOML file instead of ferroflow.toml in the data folder
    #[arg(long, env = "FERROFLOW_CONFIG", global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the web page and the API (what happens without a command)
    Serve,
    /// Run a flow without a server: from a file, or starter:echo and the like
    Run(flows::RunArgs),
    /// Say what is wrong with flows before they run
    Validate(flows::ValidateArgs),
    /// Draw a flow as text
    Graph(flows::GraphArgs),
    /// Say what changed between two flows
    Diff(flows::DiffArgs),
    /// Write flows in a form that is good to read and to compare in version control, and back
    Fmt(flows::FmtArgs),
    /// The components flows are made of
    #[command(subcommand)]
    Components(flows::ComponentsCommand),
    /// Small flows to begin with
    #[command(subcommand)]
    Starters(flows::StartersCommand),
    /// Print the settings in force, with passwords masked
    Config,
    /// Print the OpenAPI document
    Openapi,
    /// Bring the database up to date and stop
    Migrate,
    /// Manage accounts
    #[command(subcommand)]
    User(people::UserCommand),
    /// Manage API keys
    #[command(subcommand)]
    ApiKey(people::KeyCommand),
    /// Manage the key that credentials are encrypted with
    #[command(subcommand)]
    Key(people::VaultCommand),
    /// Show what was done that matters for safety: sign-ins, keys, roles, credentials, exports
    Audit(people::AuditArgs),
    /// Write everything to one file; works while the server runs
    Backup(backup::BackupArgs),
    /// Fill an empty installation from a backup; also moves between SQLite and PostgreSQL
    Restore(backup::RestoreArgs),
}

pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: the program could not start its threads: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    if matches!(cli.command, Some(Command::Openapi)) {
        println!("{}", openapi_json());
        return Ok(());
    }
    let config = Config::load(cli.options, cli.config.as_deref())?;
    let policy = config.egress();
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve_until_signal(config).await,
        Command::Config => {
            print!("{config}");
            Ok(())
        }
        Command::Openapi => Ok(()),
        Command::Run(args) => flows::run(policy, &config.python, args).await,
        Command::Validate(args) => flows::validate(&policy, &args),
        Command::Graph(args) => flows::graph(&args),
        Command::Diff(args) => flows::diff(&args),
        Command::Fmt(args) => flows::fmt(&args),
        Command::Components(command) => flows::components(&policy, &command),
        Command::Starters(command) => flows::list_starters(&command),
        Command::Migrate => {
            serve::open_as_it_is(config).await?;
            println!("The database is up to date.");
            Ok(())
        }
        Command::User(command) => people::user(config, command).await,
        Command::ApiKey(command) => people::api_key(config, command).await,
        Command::Key(command) => people::vault(config, command).await,
        Command::Audit(args) => people::audit(config, args).await,
        Command::Backup(args) => backup::backup(config, args).await,
        Command::Restore(args) => backup::restore(config, args).await,
    }
}

async fn serve_until_signal(config: Config) -> anyhow::Result<()> {
    start_log(&config)?;
    let import = config.import_env;
    let app = serve::open(config).await?;
    if import {
        #[expect(
            clippy::disallowed_methods,
            reason = "keys are taken over from the environment once, when asked to"
        )]
        serve::import_env(&app, |name| std::env::var(name).ok()).await?;
    }
    let shown = app.clone();
    serve::serve(app, stop_signal()?, move |address| {
        tracing::info!(url = %format!("http://{address}"), "listening on http://{address}");
        tokio::spawn(async move {
            let line = serve::welcome(&shown, address).await;
            tracing::info!("{line}");
        });
    })
    .await
}

fn start_log(config: &Config) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.log).context("the log filter is not right; try info")?;
    let registry = tracing_subscriber::registry().with(filter);
    match config.log_format {
        LogFormat::Json => {
            registry
                .with(
                    tracing_subscriber::fmt::layer()
                        .json()
                        .flatten_event(true)
                        .with_writer(std::io::stderr),
                )
                .init();
        }
        LogFormat::Pretty => {
            let ansi = std::io::IsTerminal::is_terminal(&std::io::stderr());
            registry
                .with(
                    tracing_subscriber::fmt::layer()
                        .with_target(false)
                        .with_ansi(ansi)
                        .with_writer(std::io::stderr),
                )
                .init();
        }
    }
    Ok(())
}

/// Listens for signals from now on, not from when it is first waited for: one that comes in between would kill
/// the server in the middle of what it does.
#[cfg(unix)]
fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated = signal(SignalKind::terminate())?;
    let mut interrupted = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
