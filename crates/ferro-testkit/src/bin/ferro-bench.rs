//! `cargo xtask bench`: how fast the server is, beside a bare one on the same machine in the same run.
//! Read `src/bench/load.rs` (the load) and `src/bench/report.rs` (the table).
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program that starts servers, puts load on them and prints what it saw"
)]

#[path = "../bench/assistant.rs"]
mod assistant;
#[path = "../bench/cases.rs"]
mod cases;
#[path = "../bench/load.rs"]
mod load;
#[path = "../bench/models.rs"]
mod models;
#[path = "../bench/python.rs"]
mod python;
#[path = "../bench/report.rs"]
mod report;
#[path = "../bench/runs.rs"]
mod runs;
#[path = "../bench/servers.rs"]
mod servers;
#[path = "../bench/spoken.rs"]
mod spoken;

use std::path::PathBuf;

type Error = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run())
}

async fn run() -> Result<(), Error> {
    let mut out = PathBuf::from("target/bench");
    let mut names = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out" => out = args.next().ok_or("--out needs a folder")?.into(),
            "--echo-server" => return servers::echo().await,
            "--proxy-server" => {
                let to = args.next().ok_or("--proxy-server needs an address")?;
                return servers::proxy(to).await;
            }
            "model-server" => return servers::model(args).await,
            name => names.push(name.to_owned()),
        }
    }
    std::fs::create_dir_all(&out)?;
    let wanted = |name: &str| names.is_empty() || names.iter().any(|asked| asked == name);
    let mut tables = Vec::new();
    if wanted("start") {
        tables.push(cases::start().await?);
    }
    if wanted("list") {
        tables.push(cases::list().await?);
    }
    if wanted("save") {
        tables.push(cases::save().await?);
    }
    if wanted("runs") {
        tables.push(runs::runs().await?);
    }
    if wanted("growth") {
        tables.push(runs::growth().await?);
    }
    if wanted("streams") {
        tables.push(runs::streams().await?);
    }
    if wanted("models") {
        tables.push(models::models().await?);
    }
    if wanted("python") {
        tables.push(python::python().await?);
    }
    if wanted("assistant") {
        tables.push(assistant::assistant().await?);
    }
    // Needs valgrind, so only when asked for by name.
    if names.iter().any(|name| name == "instructions") {
        tables.push(runs::instructions().await?);
    }
    if wanted("bundle") {
        tables.push(cases::bundle()?);
    }
    if tables.is_empty() {
        return Err(format!(
            "no such benchmark: {}; there are start, list, save, runs, growth, streams, models, python, assistant, instructions, bundle",
            names.join(", ")
        )
        .into());
    }
    for table in &tables {
        println!("{table}");
        std::fs::write(out.join(format!("{}.json", table.name)), table.json())?;
    }
    Ok(())
}
