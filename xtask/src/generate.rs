//! `cargo xtask generate`: the OpenAPI document from the server, and the web client's types from that.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{sh, toolchain, web};

pub fn generate() -> Result<()> {
    toolchain::require_rust()?;
    toolchain::require_node()?;
    sh::run(sh::cargo(&["build", "--locked"]).args(sh::SERVER))?;
    let program = sh::target_dir()?.join("debug/ferroflow");
    let document = sh::capture(Command::new(&program).arg("openapi"))?;
    serde_json::from_str::<serde_json::Value>(&document).context("`ferroflow openapi` did not print JSON")?;
    write_if_changed("docs/openapi.json", &document)?;
    web::install()?;
    sh::say("generating the web client's types");
    sh::run(&mut sh::npm(&["run", "--silent", "generate"]))
}

fn write_if_changed(path: &str, text: &str) -> Result<()> {
    let file = sh::root().join(path);
    if fs::read_to_string(&file).is_ok_and(|found| found == text) {
        sh::say(&format!("{path} is up to date"));
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    sh::say(&format!("writing {path}"));
    fs::write(&file, text).with_context(|| format!("cannot write {path}"))
}
