//! Runs Python code and gives what it prints.
//!
//! - **Global Imports**: modules the code can use without importing them, separated by commas, such as `math, json`.
//! - **Python Code**: the code. Only what it prints is the result, so end with `print(…)`. As a tool, an agent writes it.
//!
//! The result is `{"result": "…"}`. The code runs in a worker of its own, without files, environment and network; most of
//! Python's standard library is there.
//!
//! Example: `print(sum(n * n for n in range(10)))` gives `285`.
//!
//! Common mistakes: a value on the last line is not shown unless it is printed. Code that ends with an error makes the
//! node fail and names the line.

use std::sync::Arc;

use ferro_engine::{Call, Component, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

use super::desk::Desk;
use super::given::Given;
use super::node::{ask, context};
use super::{PythonNodes, findings};

pub(super) struct Interpreter {
    nodes: Option<PythonNodes>,
}

impl Interpreter {
    pub(super) fn new(nodes: Option<PythonNodes>) -> Self {
        Self { nodes }
    }
}

impl Component for Interpreter {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("PythonREPLComponent", "Python Interpreter")
            .category("utilities")
            .icon("square-terminal")
            .description("Runs Python code and gives what it prints.")
            .help(include_str!("interpreter.rs"))
            .field(imports_field().required())
            .field(
                FieldSpec::multiline("python_code", "Python Code")
                    .info("The code to run. Only what it prints is the result.")
                    .value("print('Hello from Python')")
                    .required()
                    .tool(),
            )
            .output(OutputSpec::new(
                "results",
                "Results",
                "run_python_repl",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let nodes = self.nodes.clone();
        Step::later(async move {
            let printed = execute(nodes.as_ref(), call, None).await?;
            Ok(Outputs::one("results", Value::data(result(printed))))
        })
    }
}

pub(super) fn imports_field() -> FieldSpec {
    FieldSpec::text("global_imports", "Global Imports")
        .info("Modules the code can use, separated by commas.")
        .value("math")
}

pub(super) fn result(printed: String) -> Map<String, Json> {
    Map::from_iter([("result".to_owned(), printed.into())])
}

/// What the code in the field, or this one, prints.
pub(super) async fn execute(
    nodes: Option<&PythonNodes>,
    call: Call,
    code: Option<String>,
) -> Result<String, Failure> {
    let Some(nodes) = nodes else {
        return Err(Failure::unavailable("Python cannot run here")
            .advice("Run the flow on a server that runs Python."));
    };
    let code = match code {
        Some(code) => code,
        None => call.required_text("python_code")?,
    };
    let imports = imports(&call.text("global_imports"))?;
    refuse_unsafe(&code, &imports)?;
    let request = json!({ "do": "exec", "code": code, "imports": imports, "context": context(&call) });
    let desk = Desk::new(call, Arc::new(Given::default()), nodes.net.clone());
    let answer = ask(nodes, &request, &desk).await.map_err(|mut failure| {
        failure.field = Some("python_code".to_owned());
        failure
    })?;
    let printed = answer.get("stdout").and_then(Json::as_str).unwrap_or_default();
    Ok(printed.trim_end().to_owned())
}

fn imports(text: &str) -> Result<Vec<String>, Failure> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    let is_part = |part: &str| {
        let mut letters = part.chars();
        letters
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let checked = names.map(|name| {
        if name.split('.').all(is_part) {
            return Ok(name.to_owned());
        }
        let shown: String = name.chars().take(40).collect();
        Err(
            Failure::input("global_imports", format!("{shown:?} is not the name of a module"))
                .advice("Write names such as math, json, separated by commas."),
        )
    });
    checked.collect()
}

/// A model may have written the code, so it is looked at like that of a node.
fn refuse_unsafe(code: &str, imports: &[String]) -> Result<(), Failure> {
    let refused = |field: &str, found: &[String]| {
        Failure::input(
            field,
            format!("Refused to run: unsafe code detected — {}", found.join("; ")),
        )
        .advice("Leave that out: the code has no files, environment and processes to use.")
    };
    let found = findings(code);
    if !found.is_empty() {
        return Err(refused("python_code", &found));
    }
    for name in imports {
        if !findings(&format!("import {name}")).is_empty() {
            return Err(refused("global_imports", &[format!("the module {name}")]));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_names_of_modules() {
        assert_eq!(imports(" math, os.path ,,").unwrap(), ["math", "os.path"]);
        assert!(imports("").unwrap().is_empty());
        for bad in ["math; x", "1a", "a b", "a.", "import os"] {
            assert_eq!(
                imports(bad).unwrap_err().field.as_deref(),
                Some("global_imports"),
                "{bad}"
            );
        }
    }

    #[test]
    fn unsafe_code_is_refused_with_its_line() {
        let refused = refuse_unsafe("x = 1\nimport subprocess", &[]).unwrap_err();
        assert!(refused.message.contains("line 2"), "{refused}");
        let refused = refuse_unsafe("print(1)", &["math".to_owned(), "subprocess".to_owned()]).unwrap_err();
        assert_eq!(refused.field.as_deref(), Some("global_imports"));
        assert!(refuse_unsafe("print(math.pi)", &["math".to_owned()]).is_ok());
    }
}
