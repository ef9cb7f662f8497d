//! Variables of prompts: every name in braces is a field of the node, which must be there before something can be
//! wired into it. On the canvas the server makes them; here the working flow does it itself.

use ferro_model::edit::{Change, Patch};
use ferro_model::read::Field;
use ferro_model::{Document, FieldSpec};
use serde_json::{Value as Json, json};

/// Names a variable cannot have, because the node has fields of that name itself.
const TAKEN: [&str; 5] = [
    "template",
    "code",
    "_type",
    "use_double_brackets",
    "tool_placeholder",
];

/// Variables of one prompt; what comes after them is text.
const MOST: usize = 200;

/// What gives the prompts of a node their fields; empty for nodes that need nothing.
pub(super) fn variables(document: &Document, id: &str) -> Patch {
    let mut changes = Vec::new();
    let Some(node) = document.node(id) else {
        return Patch::default();
    };
    let on = |name: &str| node.field(name).and_then(|field| field.to_value()) == Some(Json::Bool(true));
    let is_prompt = |field: &&Field<'_>| matches!(&*field.r#type, "prompt" | "mustache");
    for field in node.fields.iter().filter(is_prompt) {
        let Some(Json::String(template)) = field.to_value() else {
            continue;
        };
        let names = names(&template, field.r#type == "mustache" || on("use_double_brackets"));
        let place = ["data", "node", "custom_fields", &field.name];
        let known = document.value_text(id, &place);
        let known: Vec<String> = known
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default();
        if known == names {
            continue;
        }
        let mut set = |path: &[&str], to: Option<&Json>| {
            changes.extend(Change::of_value(document, id, path, to));
        };
        let wires = document.wires();
        let wired = |name: &str| wires.iter().any(|wire| wire.target == id && wire.input == name);
        for gone in known.iter().filter(|name| !names.contains(name) && !wired(name)) {
            set(&["data", "node", "template", gone], None);
        }
        for new in names.iter().filter(|name| node.field(name).is_none()) {
            set(&["data", "node", "template", new], Some(&entry(new)));
        }
        match document.value_text(id, &place[..3]) {
            Some(_) => set(&place, Some(&names.into())),
            None => set(&place[..3], Some(&json!({ &*field.name: names }))),
        }
    }
    Patch { changes }
}

fn entry(name: &str) -> Json {
    FieldSpec::multiline(name, name)
        .class("DefaultPromptField")
        .set("field_type", "str")
        .set("fileTypes", Json::Array(Vec::new()))
        .set("file_path", "")
        .set("password", false)
        .to_json()
}

/// The variables in the order they appear, each once. What cannot be a name is text: the run says what is wrong.
fn names(template: &str, double: bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        rest = &rest[start..];
        let doubled = rest.starts_with("{{");
        let open = if doubled { 2 } else { 1 };
        let close = if doubled { "}}" } else { "}" };
        let inside = &rest[open..];
        // A name holds no brace, so nothing is looked through twice.
        let Some(next) = inside.find(['{', '}']) else {
            break;
        };
        let end = if inside[next..].starts_with(close) {
            next
        } else {
            0
        };
        let name = inside[..end].trim();
        if doubled == double && is_name(name) {
            if names.len() < MOST && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
            rest = &inside[end + close.len()..];
        } else {
            // `{{` is a brace, not the beginning of a variable.
            rest = inside;
        }
    }
    names
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        && !TAKEN.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_what_stands_in_the_right_braces() {
        for (template, double, expected) in [
            (
                "Answer in {language}: {question} {language}",
                false,
                &["language", "question"][..],
            ),
            ("{\"a\": {b}} {first name} {9} {template}", false, &["b"]),
            ("{{literal}} {real}", false, &["real"]),
            ("{single} {{ real }} {{#section}}", true, &["real"]),
            ("{open", false, &[]),
            ("", false, &[]),
        ] {
            assert_eq!(names(template, double), expected, "{template}");
        }
    }
}
