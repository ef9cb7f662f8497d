//! Whether trying a flow out could do something in the world. In doubt it could.

use std::collections::HashMap;

use ferro_engine::{NodeView, Plan};
use ferro_model::{FlowData, read, ungroup};
use ferro_python::analysis;
use serde_json::Value as Json;

/// Modules with which a component can only compute. A worker has no disk and no network of its own: what is left are
/// requests, and those need a module that is not named here.
const COMPUTE: [&str; 37] = [
    "__future__",
    "abc",
    "base64",
    "bisect",
    "collections",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "html",
    "inspect",
    "io",
    "itertools",
    "json",
    "langflow",
    "lfx",
    "loguru",
    "math",
    "operator",
    "random",
    "re",
    "statistics",
    "string",
    "textwrap",
    "time",
    "typing",
    "typing_extensions",
    "unicodedata",
    "uuid",
];

/// Why, if it could.
pub fn of_flow(flow: &FlowData, plan: &Plan) -> Option<String> {
    let document = ungroup(read(flow));
    let codes = document
        .nodes
        .iter()
        .filter_map(|node| Some((node.id.to_string(), node.code()?.into_owned())));
    let codes: HashMap<String, String> = codes.collect();
    plan.nodes().find_map(|node| {
        let does = deed(node, codes.get(&**node.id()).map(String::as_str))?;
        Some(format!("{} ({}) {does}", node.info().display_name, node.id()))
    })
}

fn deed(node: NodeView<'_>, code: Option<&str>) -> Option<&'static str> {
    if node.asks_leave() {
        return Some("asks a person before it is used");
    }
    if node.runs_own_code() {
        // Whoever wrote the code would see it: what it computes from a key goes to the model as the answer of the run.
        if node.template().values().any(hands_over_a_secret) {
            return Some("runs code that is given a variable or a secret");
        }
        return code
            .is_none_or(does_more_than_sums)
            .then_some("runs code that can send requests");
    }
    // What cannot run here does nothing.
    match node.component()? {
        "HumanInput" => Some("asks a person"),
        "SaveToFile" => Some("writes a file"),
        "SQLComponent" if !is_off(node, "allow_writes") => Some("may change a database"),
        "APIRequest" if !only_reads(node) => Some("sends a request that may change something"),
        "APIRequest" | "URLComponent" if carries_a_secret(node) => {
            Some("sends a request with headers or a secret of yours")
        }
        "RunFlow" | "SubFlow" | "FlowTool" => Some("runs another flow"),
        "PythonREPLComponent" | "PythonREPLTool" | "PythonFunction" | "PythonCodeStructuredTool" => {
            Some("runs Python")
        }
        _ => None,
    }
}

/// What goes out with the request may be for one address only.
fn carries_a_secret(node: NodeView<'_>) -> bool {
    let filled = |field: &str| {
        value(node, field).is_some_and(|value| match value {
            Json::Array(rows) => rows.iter().any(says_more_than_who_asks),
            Json::Object(members) => !members.is_empty(),
            Json::String(text) => !text.trim().is_empty(),
            _ => false,
        })
    };
    filled("headers") || filled("auth") || node.template().values().any(hands_over_a_secret)
}

/// Every page is asked for with a name of the program; no address is told more by it than by another.
fn says_more_than_who_asks(row: &Json) -> bool {
    let name = row.get("key").and_then(Json::as_str).unwrap_or_default();
    !["user-agent", "accept", "accept-language"].contains(&name.trim().to_ascii_lowercase().as_str())
}

fn value<'n>(node: NodeView<'n>, field: &str) -> Option<&'n Json> {
    node.template().get(field)?.get("value")
}

fn is_off(node: NodeView<'_>, field: &str) -> bool {
    value(node, field).is_none_or(|value| value == &Json::Bool(false))
}

fn only_reads(node: NodeView<'_>) -> bool {
    let method = value(node, "method").and_then(Json::as_str).unwrap_or("GET");
    let by_parts = value(node, "mode").and_then(Json::as_str) != Some("cURL");
    by_parts && matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD") && is_off(node, "save_to_file")
}

fn hands_over_a_secret(field: &Json) -> bool {
    let is = |key: &str| field.get(key) == Some(&Json::Bool(true));
    let value = field.get("value").and_then(Json::as_str).unwrap_or_default();
    (is("password") || is("load_from_db")) && !value.trim().is_empty()
}

fn does_more_than_sums(code: &str) -> bool {
    let checked = analysis::check(code);
    let computes = |module: &str| {
        let root = module.split('.').next().unwrap_or_default();
        // There are clients for requests among its helpers.
        COMPUTE.contains(&root) && !module.contains(".utils")
    };
    !checked.imports.iter().all(|import| computes(&import.module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_hands_over_what_it_holds_or_names() {
        use serde_json::json;
        for (field, secret) in [
            (
                json!({ "type": "str", "password": true, "load_from_db": true, "value": "OPENAI_API_KEY" }),
                true,
            ),
            (json!({ "type": "str", "password": true, "value": "sk-1" }), true),
            (
                json!({ "type": "str", "load_from_db": true, "value": "SOME_VARIABLE" }),
                true,
            ),
            (
                json!({ "type": "str", "password": true, "load_from_db": true, "value": " " }),
                false,
            ),
            (
                json!({ "type": "str", "load_from_db": false, "value": "plain" }),
                false,
            ),
            (json!("Component"), false),
        ] {
            assert_eq!(hands_over_a_secret(&field), secret, "{field}");
        }
    }

    #[test]
    fn a_header_may_be_for_one_address_only() {
        use serde_json::json;
        for (row, more) in [
            (json!({ "key": "User-Agent", "value": "Ferroflow" }), false),
            (json!({ "key": " accept ", "value": "text/html" }), false),
            (json!({ "key": "Authorization", "value": "Bearer x" }), true),
            (json!({ "key": "X-Anything", "value": "x" }), true),
            (json!("Cookie: x"), true),
        ] {
            assert_eq!(says_more_than_who_asks(&row), more, "{row}");
        }
    }

    #[test]
    fn code_is_judged_by_what_it_brings_in() {
        for (code, harmless) in [
            (
                "from lfx.custom import Component\nimport re, json\nfrom datetime import date\n",
                true,
            ),
            ("", true),
            ("import requests\n", false),
            ("import re\nfrom urllib import parse\n", false),
            ("def run():\n    import httpx\n", false),
            ("from lfx.utils.request_utils import anything\n", false),
        ] {
            assert_eq!(!does_more_than_sums(code), harmless, "{code:?}");
        }
    }
}
