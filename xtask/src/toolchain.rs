//! Are the compilers there, and new enough? Said before the first build fails for a reason nobody can read.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::sh;

const RUSTC: (u32, u32) = (1, 95);
const NODE: (u32, u32) = (20, 19);

pub fn require_rust() -> Result<()> {
    let text = sh::capture(Command::new("rustc").arg("--version"))
        .context("rustc is missing: install Rust 1.95 or newer with rustup")?;
    at_least("rustc", &text, RUSTC, "update it with `rustup update stable`")
}

pub fn require_node() -> Result<()> {
    let text = sh::capture(Command::new("node").arg("--version"))
        .context("node is missing: install Node 20.19 or newer (with npm)")?;
    at_least("node", &text, NODE, "install Node 20.19 or newer")?;
    sh::capture(Command::new("npm").arg("--version")).context("npm is missing: it belongs to Node")?;
    Ok(())
}

fn at_least(program: &str, printed: &str, wanted: (u32, u32), remedy: &str) -> Result<()> {
    let found =
        version(printed).with_context(|| format!("cannot read {program}'s version from {printed:?}"))?;
    if found < wanted {
        let (major, minor) = wanted;
        bail!(
            "{program} is {}, {major}.{minor} or newer is needed: {remedy}",
            printed.trim()
        );
    }
    Ok(())
}

/// The first `<major>.<minor>` in what a program prints of itself.
fn version(printed: &str) -> Option<(u32, u32)> {
    printed.split_whitespace().find_map(|word| {
        let mut parts = word.trim_start_matches('v').split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared() {
        assert_eq!(version("rustc 1.95.0 (59807616e 2026-04-14)"), Some((1, 95)));
        assert_eq!(version("v20.20.2\n"), Some((20, 20)));
        assert_eq!(version("nonsense"), None);
        assert!(at_least("node", "v20.19.0", NODE, "").is_ok());
        assert!(at_least("node", "v22.1.0", NODE, "").is_ok());
        let error = at_least("node", "v18.20.0", NODE, "install a newer one")
            .unwrap_err()
            .to_string();
        assert!(error.contains("v18.20.0") && error.contains("20.19") && error.contains("install a newer"));
    }
}
