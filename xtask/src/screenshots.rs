//! `cargo xtask screenshots`: pictures of the pages, of a server filled through its API, into docs/screenshots.

use anyhow::Result;

use crate::{browser, sh, toolchain};

pub fn screenshots(names: &[String]) -> Result<()> {
    toolchain::require_rust()?;
    toolchain::require_node()?;
    let folder = sh::root().join("docs/screenshots");
    let mut script = browser::script("bench/screenshots.mjs")?;
    sh::run(script.arg("--out").arg(&folder).args(names))?;
    sh::say(&format!("written to {}", folder.display()));
    Ok(())
}
