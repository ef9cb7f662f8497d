//! `cargo xtask bench`: the release server measured by ferro-testkit's `ferro-bench`, and a table of it.
//!
//! Each file it writes holds `{"name": …, "results": [{"name": …, "value": 1.5, "unit": "ms"}]}`.

use std::fs;
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{sh, toolchain, web};

pub fn bench(names: &[String]) -> Result<()> {
    toolchain::require_rust()?;
    toolchain::require_node()?;
    web::install()?;
    web::build()?;
    sh::say("building the server and the benchmarks for release");
    sh::run(
        sh::cargo(&[
            "build",
            "--release",
            "--locked",
            "--package",
            "ferro-server",
            "--package",
            "ferro-testkit",
        ])
        .args(["--bin", "ferroflow", "--bin", "ferro-bench"]),
    )?;
    let target = sh::target_dir()?;
    let folder = target.join("bench");
    fs::create_dir_all(&folder)?;
    // A file's time comes from a coarser clock than ours and may lie a little before it.
    let started = SystemTime::now() - Duration::from_secs(1);
    sh::run(
        Command::new(target.join("release/ferro-bench"))
            .arg("--out")
            .arg(&folder)
            .args(names)
            .env("FERROFLOW_BIN", target.join("release/ferroflow"))
            .current_dir(sh::root()),
    )?;

    let mut rows = Vec::new();
    let mut files: Vec<_> = fs::read_dir(&folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files {
        let path = file.path();
        let is_new = file.metadata()?.modified()? >= started;
        if is_new && path.extension().is_some_and(|ext| ext == "json") {
            let text = fs::read_to_string(&path)?;
            rows.extend(rows_of(&text).with_context(|| format!("in {}", path.display()))?);
        }
    }
    if rows.is_empty() {
        bail!("ferro-bench wrote no results to {}", folder.display());
    }
    println!("\n{}", table(&rows));
    sh::say(&format!("written to {}", folder.display()));
    Ok(())
}

fn rows_of(text: &str) -> Result<Vec<[String; 4]>> {
    let value: Value = serde_json::from_str(text).context("not JSON")?;
    let bench = value["name"].as_str().context("no \"name\"")?;
    let results = value["results"].as_array().context("no \"results\"")?;
    let row = |result: &Value| {
        let name = result["name"].as_str().context("a result without a name")?;
        let number = result["value"]
            .as_f64()
            .with_context(|| format!("{name} has no value"))?;
        let unit = result["unit"].as_str().unwrap_or_default();
        Ok([bench.to_owned(), name.to_owned(), shown(number), unit.to_owned()])
    };
    results.iter().map(row).collect()
}

fn shown(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}

fn table(rows: &[[String; 4]]) -> String {
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (bench, name, value) = (width(0), width(1), width(2));
    let lines = rows
        .iter()
        .map(|[b, n, v, unit]| format!("{b:<bench$}  {n:<name$}  {v:>value$} {unit}"));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_become_an_aligned_table() {
        let rows = rows_of(
            r#"{"name":"flows","results":[{"name":"list","value":1.256,"unit":"ms"},{"name":"memory","value":41,"unit":"MiB"}]}"#,
        )
        .unwrap();
        assert_eq!(table(&rows), "flows  list    1.26 ms\nflows  memory    41 MiB");
    }

    #[test]
    fn a_result_without_a_value_is_an_error() {
        let error = rows_of(r#"{"name":"flows","results":[{"name":"list"}]}"#)
            .unwrap_err()
            .to_string();
        assert!(error.contains("list"), "{error}");
    }
}
