//! Prompts: which variables a template has, and the fields they become on a node.

use ferro_engine::Failure;
use ferro_model::FieldSpec;
use serde_json::{Map, Value as Json};

use crate::text::fields;
use crate::text::template::{self, Piece};

pub use crate::text::template::Style;

/// Names that are fields of the node itself: a variable of that name would replace one.
const TAKEN: [&str; 5] = [
    "template",
    "code",
    "_type",
    "use_double_brackets",
    "tool_placeholder",
];

/// The variables of a template in the order they appear, each once.
pub fn variables(template: &str, style: Style) -> Result<Vec<String>, Failure> {
    let mut names: Vec<String> = Vec::new();
    for piece in template::parse(template, style, "template")? {
        let Piece::Slot(name) = piece else { continue };
        check_name(name, style)?;
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

fn check_name(name: &str, style: Style) -> Result<(), Failure> {
    let refuse = |message: String, advice: &str| Err(Failure::input("template", message).advice(advice));
    let (open, close) = match style {
        Style::Braces => ("{", "}"),
        Style::DoubleBraces => ("{{", "}}"),
    };
    let literal = match style {
        Style::Braces => "Write {{ and }} where you mean braces themselves, as in JSON.",
        Style::DoubleBraces => "Use letters, digits and _ only.",
    };
    if name.is_empty() {
        return refuse(format!("There is no name between {open} and {close}"), literal);
    }
    if style == Style::DoubleBraces && name.starts_with(['#', '/', '^', '!', '>', '&', '{', '=']) {
        return refuse(
            format!(
                "{open}{name}{close} is not a variable: sections, partials and comments are not supported"
            ),
            "Use plain variables, as in {{name}}.",
        );
    }
    let shown: String = name.chars().take(40).collect();
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return refuse(
            format!("{shown:?} is not a name for a variable: it must begin with a letter"),
            literal,
        );
    }
    if let Some(wrong) = name
        .chars()
        .find(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-'))
    {
        return refuse(
            format!("{shown:?} is not a name for a variable: {wrong:?} cannot be part of it"),
            literal,
        );
    }
    if TAKEN.contains(&name) {
        return refuse(
            format!("A variable cannot be called {name:?}: the node has a field of that name"),
            "Choose another name.",
        );
    }
    Ok(())
}

/// Gives a node one field per variable of its template field `field`: new ones are added, others go away, and those
/// that stay keep their values. `custom_fields` of the node remembers which fields are variables.
pub fn set_variables(node: &mut Json, field: &str, variables: &[String]) {
    let before: Vec<String> = node
        .pointer(&format!("/custom_fields/{field}"))
        .and_then(Json::as_array)
        .map(|names| names.iter().filter_map(Json::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    for gone in before.iter().filter(|name| !variables.contains(name)) {
        fields::remove_field(node, gone);
    }
    for name in variables {
        fields::add_field(node, &variable_field(name));
    }
    let Some(node) = node.as_object_mut() else { return };
    let custom = node
        .entry("custom_fields")
        .or_insert_with(|| Json::Object(Map::new()));
    if !custom.is_object() {
        *custom = Json::Object(Map::new());
    }
    if let Json::Object(custom) = custom {
        custom.insert(field.to_owned(), variables.into());
    }
}

fn variable_field(name: &str) -> FieldSpec {
    FieldSpec::multiline(name, name)
        .class("DefaultPromptField")
        .set("field_type", "str")
        .set("fileTypes", Json::Array(Vec::new()))
        .set("file_path", "")
        .set("password", false)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(template: &str, style: Style, expected: Result<&[&str], &str>) {
        match (variables(template, style), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{template}"),
            (Err(failure), Err(part)) => assert!(failure.message.contains(part), "{failure:?}"),
            (found, _) => panic!("{template}: {found:?}"),
        }
    }

    #[test]
    fn variables_are_found_once_and_in_order() {
        check("{b} {a} { b } {{c}}", Style::Braces, Ok(&["b", "a"]));
        check("{{b}} {a} {{ a-1 }}", Style::DoubleBraces, Ok(&["b", "a-1"]));
        check("no variables", Style::Braces, Ok(&[]));
        check("{größe}", Style::Braces, Ok(&["größe"]));
    }

    #[test]
    fn what_is_no_variable_is_refused() {
        check("{\"a\": 1}", Style::Braces, Err("must begin with a letter"));
        check("{a b}", Style::Braces, Err("' ' cannot be part of it"));
        check("{x:.2f}", Style::Braces, Err("':' cannot be part"));
        check("{}", Style::Braces, Err("no name"));
        check("{code}", Style::Braces, Err("cannot be called"));
        check("{a", Style::Braces, Err("without a }"));
        check("a}", Style::Braces, Err("without a {"));
        check("{{#list}}x{{/list}}", Style::DoubleBraces, Err("sections"));
        check("{{a", Style::DoubleBraces, Err("without a }}"));
        check("{{a.b}}", Style::DoubleBraces, Err("'.' cannot be part"));
    }

    #[test]
    fn fields_follow_the_template_and_keep_values() {
        let mut node = json!({
            "template": { "template": {}, "old": { "value": "x" }, "stays": { "value": "kept" } },
            "custom_fields": { "template": ["old", "stays"] },
            "field_order": ["template", "old", "stays"],
        });
        set_variables(&mut node, "template", &["stays".into(), "new".into()]);
        assert!(node["template"].get("old").is_none());
        assert_eq!(node["template"]["stays"]["value"], "kept");
        assert_eq!(node["template"]["new"]["input_types"], json!(["Message"]));
        assert_eq!(node["custom_fields"]["template"], json!(["stays", "new"]));
        assert_eq!(node["field_order"], json!(["template", "stays", "new"]));
    }

    #[test]
    fn a_node_that_is_none_is_left_alone() {
        for mut node in [
            json!(null),
            json!([]),
            json!({}),
            json!({ "custom_fields": 3, "template": "x" }),
        ] {
            set_variables(&mut node, "template", &["a".into()]);
        }
    }
}
