//! A table of wanted fields (name, description, type, multiple) as JSON Schema.

use ferro_engine::Failure;
use ferro_model::FieldSpec;
use serde_json::{Map, Value as Json, json};

/// The table people fill in.
pub(crate) fn schema_table(name: &str, rows: Json) -> FieldSpec {
    let columns = json!({ "columns": [
        { "name": "name", "display_name": "Name", "type": "str", "description": "The name of the field.", "default": "field", "edit_mode": "inline" },
        { "name": "description", "display_name": "Description", "type": "str", "description": "What belongs into it.", "default": "description of field", "edit_mode": "popover" },
        { "name": "type", "display_name": "Type", "type": "str", "edit_mode": "inline", "description": "What kind of value it is.", "options": ["str", "int", "float", "bool", "dict"], "default": "str" },
        { "name": "multiple", "display_name": "As List", "type": "boolean", "edit_mode": "inline", "description": "A list of such values.", "default": "False" },
    ] });
    FieldSpec::table(name, "Output Schema", columns, rows)
}

/// The schema of one object with these fields. Every value may be null: what nobody said must not be made up.
pub(crate) fn from_rows(field: &str, rows: &[Map<String, Json>]) -> Result<Json, Failure> {
    let mut properties = Map::new();
    for row in rows {
        let text = |key: &str| row.get(key).and_then(Json::as_str).unwrap_or_default().trim();
        let name = text("name");
        if name.is_empty() {
            return Err(Failure::input(field, "a row of the output schema has no name")
                .advice("Give every row a name, or remove the row."));
        }
        let kind = match text("type").to_ascii_lowercase().as_str() {
            "int" | "integer" => "integer",
            "float" | "number" => "number",
            "bool" | "boolean" => "boolean",
            "dict" | "object" => "object",
            "" | "str" | "string" | "text" => "string",
            // Older files have lists as a type of their own.
            "list" => "array",
            other => {
                return Err(Failure::input(
                    field,
                    format!("the output schema's type `{other}` is not known"),
                )
                .advice("Use str, int, float, bool or dict."));
            }
        };
        let multiple = match row.get("multiple") {
            Some(Json::Bool(flag)) => *flag,
            Some(Json::String(text)) => text.eq_ignore_ascii_case("true"),
            _ => false,
        };
        let mut property = match kind {
            "array" => json!({ "type": "array", "items": { "type": "string" } }),
            kind if multiple => json!({ "type": "array", "items": { "type": kind } }),
            kind => json!({ "type": [kind, "null"] }),
        };
        let description = text("description");
        if !description.is_empty() {
            property["description"] = description.into();
        }
        if properties.insert(name.to_owned(), property).is_some() {
            return Err(
                Failure::input(field, format!("the output schema names `{name}` twice"))
                    .advice("Give every row a name of its own."),
            );
        }
    }
    if properties.is_empty() {
        return Err(
            Failure::input(field, "the output schema is empty").advice("Add at least one field to it.")
        );
    }
    let required: Vec<&String> = properties.keys().collect();
    Ok(json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties,
    }))
}
