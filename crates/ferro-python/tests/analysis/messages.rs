//! What people and models read.

use super::check;
use ferro_python::analysis::{Severity, Span, scan};

fn first(code: &str) -> (String, Span) {
    let found = check(code).diagnostics.into_iter().next().expect("a finding");
    (found.message, found.span)
}

#[track_caller]
fn says(code: &str, parts: &[&str]) {
    let all: Vec<String> = check(code)
        .diagnostics
        .into_iter()
        .map(|found| found.message)
        .collect();
    assert!(
        all.iter()
            .any(|message| parts.iter().all(|part| message.contains(part))),
        "{parts:?} not said in {all:?}"
    );
}

#[test]
fn a_finding_says_what_and_what_instead() {
    says(
        "import os\nos.getenv('A')\n",
        &["`os.getenv`", "environment", "SecretStrInput"],
    );
    says("open('a')\n", &["`open`", "files", "FileInput"]);
    says("import subprocess\n", &["`subprocess`", "processes", "requests"]);
    says("import socket\n", &["`socket`", "connections", "httpx"]);
    says("eval('1')\n", &["`eval`", "as code", "ast.literal_eval"]);
    says("f.__globals__\n", &["`__globals__`", "interpreter"]);
    says("import os\nf(os)\n", &["`os`", "handed on"]);
    says("import os\ngetattr(os, x)\n", &["computed name", "`os`"]);
    says("import sys\nsys.exit()\n", &["`sys.exit`", "raise an exception"]);
}

#[test]
fn reserved_names_are_explained_with_suggestions() {
    let class =
        |output: &str| format!("class A(Component):\n    outputs = [{output}]\n    def f(self): return 1\n");
    says(
        &class("Output(name='component_as_tool', method='f')"),
        &["component_as_tool", "tool mode", "`item`", "`price`", "`result`"],
    );
    says(
        &class("Output(name='a', method='to_toolkit')"),
        &["to_toolkit", "tool mode", "`get_item`"],
    );
    says(&class("Output(name='a', method='g')"), &["no method `g`"]);
    says(
        "class A(Component):\n    outputs = [Output(name='a', method='buld')]\n    def build(self): return 1\n",
        &["Did you mean `build`?"],
    );
}

#[test]
fn columns_count_characters() {
    let (_, span) = first("x = '漢字é'; eval('1')\n");
    assert_eq!(
        span,
        Span {
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1
        }
    );
    let found = scan("x = '漢字é'; eval('1')\n");
    assert_eq!(
        found[0].span,
        Span {
            line: 1,
            column: 12,
            end_line: 1,
            end_column: 16
        }
    );
}

#[test]
fn a_syntax_error_has_its_place() {
    let (message, span) = first("class A(Component):\n    def f(self)\n        return 1\n");
    assert_eq!((span.line, span.column), (2, 16));
    assert!(message.starts_with("Syntax error: "), "{message}");
}

#[test]
fn a_byte_order_mark_moves_no_column() {
    let found = scan("\u{feff}eval('1')\r\nopen('x')\r\n");
    let places: Vec<_> = found
        .iter()
        .map(|found| (found.span.line, found.span.column))
        .collect();
    assert_eq!(places, [(1, 1), (2, 1)]);
}

#[test]
fn every_message_is_one_or_more_whole_sentences() {
    let texts = [
        include_str!("refused.py"),
        include_str!("refused_flow.py"),
        include_str!("components.py"),
    ];
    let mut count = 0;
    for case in texts.iter().flat_map(|text| text.split("### ")) {
        let code = case.split_once('\n').map_or("", |(_, code)| code);
        for found in check(code).diagnostics {
            let ends = found.message.ends_with('.') || found.message.ends_with('?');
            assert!(
                ends && !found.message.contains('\n') && found.message.len() < 400,
                "{}",
                found.message
            );
            assert!(
                found.code.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}",
                found.code
            );
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn the_wire_form_is_flat() {
    let found = scan("eval('1')");
    let json = serde_json::to_value(&found[0]).expect("json");
    assert_eq!(json["severity"], "error");
    assert_eq!(json["code"], "unsafe-code");
    assert_eq!(
        (&json["line"], &json["column"], &json["end_column"]),
        (&1.into(), &1.into(), &5.into())
    );
    assert_eq!(found[0].severity, Severity::Error);
}
