//! `cargo xtask bench`: the release server measured by ferro-testkit's `ferro-bench`, the page measured in a browser by
//! web/bench/web.mjs, and a table of both.
//!
//! Each file they write holds `{"name": …, "results": [{"name": …, "value": 1.5, "unit": "ms", "aim": "<= 2", "met": true}]}`.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{browser, sh, toolchain, web};

/// The benchmark that drives a browser; all others are ferro-bench's.
const IN_BROWSER: &str = "web";

pub fn bench(names: &[String]) -> Result<()> {
    toolchain::require_rust()?;
    toolchain::require_node()?;
    let (in_browser, of_server): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| *name == IN_BROWSER);
    let target = sh::target_dir()?;
    let folder = target.join("bench");
    fs::create_dir_all(&folder)?;
    // A file's time comes from a coarser clock than ours and may lie a little before it.
    let mut started = SystemTime::now();
    if names.is_empty() || !of_server.is_empty() {
        build_for_release()?;
        started = SystemTime::now();
        sh::run(
            Command::new(target.join("release/ferro-bench"))
                .arg("--out")
                .arg(&folder)
                .args(of_server)
                .env("FERROFLOW_BIN", target.join("release/ferroflow"))
                .current_dir(sh::root()),
        )?;
    }
    if names.is_empty() || !in_browser.is_empty() {
        let mut script = browser::script("bench/web.mjs")?;
        sh::run(script.arg("--out").arg(folder.join("web.json")))?;
    }
    let rows = rows_since(&folder, started - Duration::from_secs(1))?;
    if rows.is_empty() {
        bail!("the benchmarks wrote no results to {}", folder.display());
    }
    println!("\n{}", table(&rows));
    sh::say(&format!("written to {}", folder.display()));
    Ok(())
}

fn build_for_release() -> Result<()> {
    web::install()?;
    web::build()?;
    sh::say("building the server and the benchmarks for release");
    sh::run(
        sh::cargo(&["build", "--release", "--locked"])
            .args(sh::SERVER)
            .args(["--bin", "ferro-bench"]),
    )
}

fn rows_since(folder: &Path, started: SystemTime) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files {
        let path = file.path();
        let is_new = file.metadata()?.modified()? >= started;
        if is_new && path.extension().is_some_and(|ext| ext == "json") {
            let text = fs::read_to_string(&path)?;
            rows.extend(rows_of(&text).with_context(|| format!("in {}", path.display()))?);
        }
    }
    Ok(rows)
}

/// Benchmark, figure, value with its unit, and what is said of its aim.
type Row = [String; 4];

fn rows_of(text: &str) -> Result<Vec<Row>> {
    let value: Value = serde_json::from_str(text).context("not JSON")?;
    let bench = value["name"].as_str().context("no \"name\"")?;
    let results = value["results"].as_array().context("no \"results\"")?;
    let row = |result: &Value| {
        let name = result["name"].as_str().context("a result without a name")?;
        let unit = result["unit"].as_str().unwrap_or_default();
        let figure = match (result["value"].as_f64(), result["why"].as_str()) {
            (Some(number), _) => format!("{} {unit}", shown(number)).trim_end().to_owned(),
            (None, Some(why)) => format!("not measured: {why}"),
            (None, None) => bail!("{name} has no value"),
        };
        Ok([bench.to_owned(), name.to_owned(), figure, judged(result)])
    };
    results.iter().map(row).collect()
}

fn judged(result: &Value) -> String {
    let mut said = Vec::new();
    if let Some(ratio) = result["ratio"].as_f64() {
        said.push(format!("x{ratio:.2}"));
    }
    if let Some(aim) = result["aim"].as_str() {
        let met = result["met"].as_bool().unwrap_or(false);
        said.push(format!("aim {aim}: {}", if met { "met" } else { "NOT met" }));
    }
    said.join("  ")
}

fn shown(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}

fn table(rows: &[Row]) -> String {
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (bench, name, figure) = (width(0), width(1), width(2).min(16));
    let lines = rows.iter().map(|[b, n, f, judged]| {
        let line = format!("{b:<bench$}  {n:<name$}  {f:>figure$}  {judged}");
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_become_an_aligned_table() {
        let rows = rows_of(
            r#"{"name":"flows","results":[
                {"name":"list","value":1.256,"unit":"ms","aim":"<= 1","met":false,"ratio":2.5},
                {"name":"memory","value":41,"unit":"MiB","aim":null}]}"#,
        )
        .unwrap();
        assert_eq!(
            table(&rows),
            "flows  list    1.26 ms  x2.50  aim <= 1: NOT met\nflows  memory   41 MiB"
        );
    }

    #[test]
    fn what_could_not_be_measured_says_why_and_misses_its_aim() {
        let text = r#"{"name":"web","results":[{"name":"drag","value":null,"unit":"ms","aim":"<= 17","met":false,"why":"it did not move"}]}"#;
        let line = table(&rows_of(text).unwrap());
        assert!(line.contains("not measured: it did not move"), "{line}");
        assert!(line.contains("NOT met"), "{line}");
    }

    #[test]
    fn a_result_without_a_value_is_an_error() {
        let error = rows_of(r#"{"name":"flows","results":[{"name":"list"}]}"#)
            .unwrap_err()
            .to_string();
        assert!(error.contains("list"), "{error}");
    }
}
