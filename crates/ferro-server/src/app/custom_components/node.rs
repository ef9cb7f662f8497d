//! The node JSON of a component that its own code describes.

use serde_json::{Map, Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::text;
use crate::error::{AppError, Result};

/// `data.node` of a fresh instance.
pub fn fresh(code: &str, description: &Json) -> Result<Json> {
    let class = text(description, "class_name");
    let mut template = Map::new();
    template.insert("_type".to_owned(), "Component".into());
    template.insert("code".to_owned(), code_field(code));
    let mut order = Vec::new();
    for field in description["fields"].as_array().into_iter().flatten() {
        let name = text(field, "name");
        if name.is_empty() {
            continue;
        }
        if template.contains_key(name) || name == "tools_metadata" {
            let told = format!("an input cannot be called `{name}`: the node keeps something else there");
            return Err(AppError::invalid_code(
                format!("{told}. Choose another name."),
                &json!([]),
            ));
        }
        order.push(name.to_owned());
        template.insert(name.to_owned(), field.clone());
    }
    let icon = match text(description, "icon") {
        "" => "code",
        icon => icon,
    };
    let mut node = json!({
        "template": template,
        "description": text(description, "description"),
        "display_name": text(description, "display_name"),
        "documentation": text(description, "documentation"),
        "icon": icon,
        "base_classes": base_classes(&description["outputs"]),
        "output_types": [],
        "outputs": description["outputs"].as_array().cloned().unwrap_or_default(),
        "custom_fields": {},
        "field_order": order,
        "pinned": false,
        "frozen": false,
        "beta": description["beta"] == true,
        "legacy": description["legacy"] == true,
        "edited": true,
        "minimized": description["minimized"] == true,
        "tool_mode": false,
        "conditional_paths": [],
        "metadata": if description["metadata"].is_object() { description["metadata"].clone() } else { json!({}) },
    });
    if description["add_tool_output"] == true {
        node["add_tool_output"] = true.into();
    }
    if description["priority"].is_number() {
        node["priority"] = description["priority"].clone();
    }
    seal(&mut node, code, class);
    Ok(node)
}

/// What code says of its node, but for these: they tell which code it was.
pub(super) fn seal(node: &mut Json, code: &str, class: &str) {
    let mut field = code_field(code);
    if let (Some(field), Some(kept)) = (
        field.as_object_mut(),
        node.pointer("/template/code").and_then(Json::as_object),
    ) {
        // As a person had it: shown among the fields, perhaps.
        for key in ["advanced", "show"] {
            if let Some(value) = kept.get(key).filter(|value| value.is_boolean()) {
                field.insert(key.to_owned(), value.clone());
            }
        }
    }
    node["template"]["_type"] = "Component".into();
    node["template"]["code"] = field;
    node["edited"] = true.into();
    node["base_classes"] = base_classes(&node["outputs"]);
    if !node["metadata"].is_object() {
        node["metadata"] = json!({});
    }
    node["metadata"]["code_hash"] = code_hash(code).into();
    node["metadata"]["module"] = format!("custom_components.{}", snake_case(class)).into();
}

/// Twelve hexadecimal digits that this code has and hardly any other.
fn code_hash(code: &str) -> String {
    let digest = Sha256::digest(code.as_bytes());
    digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

fn code_field(code: &str) -> Json {
    json!({
        "_input_type": "CodeInput",
        "advanced": true,
        "display_name": "Code",
        "dynamic": true,
        "fileTypes": [],
        "file_path": "",
        "info": "",
        "input_types": [],
        "list": false,
        "load_from_db": false,
        "multiline": true,
        "name": "code",
        "password": false,
        "placeholder": "",
        "required": true,
        "show": true,
        "title_case": false,
        "type": "code",
        "value": code,
    })
}

/// The types of all outputs, once each.
fn base_classes(outputs: &Json) -> Json {
    let outputs = outputs.as_array().into_iter().flatten();
    let types = outputs.filter_map(|output| output["types"].as_array()).flatten();
    let mut names: Vec<&str> = types.filter_map(Json::as_str).collect();
    names.sort_by_key(|name| (name.to_lowercase(), *name));
    names.dedup();
    names.into()
}

/// `SumThings` is `sum_things`.
fn snake_case(class: &str) -> String {
    let mut name = String::with_capacity(class.len() + 4);
    let mut was_small = false;
    for letter in class.chars() {
        if letter.is_uppercase() && was_small {
            name.push('_');
        }
        was_small = letter.is_lowercase() || letter.is_numeric();
        name.extend(letter.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description() -> Json {
        json!({
            "class_name": "SumThings", "name": "SumThings", "display_name": "Sum", "description": "Adds.",
            "icon": "", "documentation": "", "beta": false, "legacy": false, "minimized": false, "priority": null,
            "add_tool_output": false, "metadata": { "keywords": ["add"] },
            "fields": [{ "name": "b", "type": "int", "value": 1 }, { "name": "a", "type": "int", "value": 2 }],
            "outputs": [
                { "name": "x", "method": "x", "types": ["Message", "data"] },
                { "name": "y", "method": "y", "types": ["Data", "Message"] }
            ],
        })
    }

    #[test]
    fn a_node_has_what_its_class_says() {
        let node = fresh("code", &description()).unwrap();
        let keys: Vec<&String> = node["template"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["_type", "code", "b", "a"]);
        assert_eq!(node["field_order"], json!(["b", "a"]));
        assert_eq!(node["base_classes"], json!(["Data", "data", "Message"]));
        assert_eq!(node["template"]["code"]["value"], "code");
        // The beginning of what `printf code | sha256sum` says.
        assert_eq!(node["metadata"]["code_hash"], "5694d08a2e53");
        assert_eq!(node["metadata"]["module"], "custom_components.sum_things");
        assert_eq!(node["metadata"]["keywords"], json!(["add"]));
        assert_eq!((&node["edited"], &node["icon"]), (&json!(true), &json!("code")));
    }

    #[test]
    fn an_input_takes_no_place_that_the_node_needs() {
        for name in ["code", "_type", "tools_metadata", "b"] {
            let mut description = description();
            description["fields"][1]["name"] = name.into();
            let refused = fresh("code", &description).unwrap_err().to_string();
            assert!(refused.contains(&format!("`{name}`")), "{refused}");
        }
    }

    #[test]
    fn odd_descriptions_make_nodes_all_the_same() {
        for odd in [
            json!({}),
            json!(null),
            json!({ "fields": [1, {}], "outputs": 7, "metadata": [] }),
        ] {
            let node = fresh("x", &odd).unwrap();
            assert_eq!(
                (&node["outputs"], &node["field_order"]),
                (&json!([]), &json!([])),
                "{odd}"
            );
        }
    }
}
