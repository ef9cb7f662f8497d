//! Gathers the shim for external interpreters, and tells cargo that the frozen modules depend on files.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "cargo and build scripts talk through the environment and standard output"
)]

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    for folder in ["shim", "stubs", "src/external"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    let mut modules = Vec::new();
    gather(Path::new("shim"), "", &mut modules)?;
    modules.sort();
    let entries: Vec<String> = modules
        .iter()
        .map(|(name, package, source)| {
            format!(
                "{}:{{\"package\":{package},\"source\":{}}}",
                quoted(name),
                quoted(source)
            )
        })
        .collect();
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(
        Path::new(&out).join("shim.json"),
        format!("{{{}}}", entries.join(",")),
    )
}

fn gather(folder: &Path, prefix: &str, modules: &mut Vec<(String, bool, String)>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        let dotted = if prefix.is_empty() {
            stem.to_owned()
        } else {
            format!("{prefix}.{stem}")
        };
        if path.is_dir() {
            if stem != "__pycache__" {
                gather(&path, &dotted, modules)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "py") {
            let source = fs::read_to_string(&path)?;
            match stem {
                "__init__" => modules.push((prefix.to_owned(), true, source)),
                _ => modules.push((dotted, false, source)),
            }
        }
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
