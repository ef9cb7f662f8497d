//! What a node's code is given: the values of its fields, and with them the right to the variables, files, models and
//! tools that they name.

use std::collections::{BTreeSet, HashMap};

use ferro_engine::{Call, Failure, Value};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::wire::Tables;

/// Entries of the template that are no fields of the class.
const NOT_FIELDS: [&str; 3] = ["code", "tools_metadata", "is_refresh"];
/// Nothing typed into a field of these types leaves it to the class.
const NEVER_EMPTY: [&str; 4] = ["other", "int", "float", "slider"];

#[derive(Default)]
pub(super) struct Given {
    pub fields: Map<String, Json>,
    pub tables: Tables,
    pub variables: BTreeSet<String>,
    pub files: BTreeSet<String>,
    /// Messages that came in, by the id Python knows.
    pub messages: HashMap<String, Uuid>,
}

impl Given {
    pub(super) fn read(call: &Call) -> Result<Self, Failure> {
        let mut given = Self::default();
        for (name, entry) in &call.node.template {
            let Some(entry) = entry.as_object() else { continue };
            let is = |key: &str| entry.get(key) == Some(&Json::Bool(true));
            let hidden = entry.get("show") == Some(&Json::Bool(false)) && !is("override_skip");
            if hidden || name.starts_with('_') || NOT_FIELDS.contains(&name.as_str()) {
                continue;
            }
            if is("load_from_db")
                && let Some(variable) = entry.get("value").and_then(Json::as_str)
            {
                given.variables.insert(variable.to_owned());
            }
            let Some(value) = call.raw(name) else { continue };
            let kind = entry.get("type").and_then(Json::as_str).unwrap_or_default();
            if is_unset(&value, kind) {
                continue;
            }
            if kind == "file" {
                given.files.extend(call.texts(name));
            }
            given.note(&value);
            let wire = given.tables.write(&value).map_err(|mut failure| {
                failure.field = Some(name.clone());
                failure
            })?;
            given.fields.insert(name.clone(), wire);
        }
        Ok(given)
    }

    /// Files and messages that come along with a value.
    fn note(&mut self, value: &Value) {
        match value {
            Value::Message(message) => {
                self.files.extend(message.files.iter().cloned());
                if let Some(id) = message.id {
                    self.messages.insert(id.to_string(), id);
                }
            }
            Value::Data(data) => {
                let path = data.map.get("file_path").and_then(Json::as_str);
                self.files.extend(path.map(str::to_owned));
            }
            Value::List(items) => items.iter().for_each(|item| self.note(item)),
            _ => {}
        }
    }
}

fn is_unset(value: &Value, kind: &str) -> bool {
    match value {
        Value::Null => true,
        Value::Plain(json) => match &**json {
            Json::Null => true,
            Json::String(text) => text.is_empty() && NEVER_EMPTY.contains(&kind),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ferro_engine::{Context, Message, NodeInfo};
    use serde_json::json;

    use super::*;

    fn given(template: Json, wired: Vec<(&str, Value)>) -> Given {
        let Json::Object(template) = template else {
            panic!("an object")
        };
        let values = template
            .iter()
            .filter_map(|(name, entry)| Some((name.clone(), entry.get("value")?.clone())))
            .collect();
        let node = NodeInfo {
            template,
            ..NodeInfo::default()
        };
        Given::read(&Call::new(node, values, wired, Context::nowhere())).unwrap()
    }

    #[test]
    fn fields_that_are_shown_are_given() {
        let given = given(
            json!({
                "_type": "Component",
                "code": { "type": "code", "value": "class X: ..." },
                "tools_metadata": { "type": "tools", "value": [] },
                "text": { "type": "str", "value": "" },
                "number": { "type": "int", "value": "" },
                "handle": { "type": "other", "value": "" },
                "nothing": { "type": "str", "value": null },
                "hidden": { "type": "str", "value": "x", "show": false },
                "kept": { "type": "str", "value": "x", "show": false, "override_skip": true },
                "many": { "type": "str", "value": ["a", "b"], "list": true },
                "secret": { "type": "str", "value": "s3", "password": true },
            }),
            Vec::new(),
        );
        assert_eq!(
            Json::Object(given.fields),
            json!({ "text": "", "kept": "x", "many": ["a", "b"], "secret": "s3" })
        );
    }

    #[test]
    fn with_the_values_come_rights() {
        let id = Uuid::from_u128(7);
        let message = Message {
            id: Some(id),
            files: vec!["me/b.png".to_owned()],
            ..Message::text("hi")
        };
        let given = given(
            json!({
                "key": { "type": "str", "value": "OPENAI", "load_from_db": true },
                "word": { "type": "str", "value": "NOT_ONE", "load_from_db": false },
                "path": { "type": "file", "value": ["me/a.txt"] },
                "input": { "type": "str", "value": "" },
                "data": { "type": "other", "value": "" },
            }),
            vec![
                ("input", Value::Message(Arc::new(message))),
                ("data", Value::from_json(json!([{ "file_path": "me/c.csv" }]))),
            ],
        );
        assert_eq!(given.variables.into_iter().collect::<Vec<_>>(), ["OPENAI"]);
        assert_eq!(
            given.files.into_iter().collect::<Vec<_>>(),
            ["me/a.txt", "me/b.png", "me/c.csv"]
        );
        assert_eq!(given.messages.values().collect::<Vec<_>>(), [&id]);
        assert_eq!(given.fields["input"]["text"], "hi");
    }
}
