//! Fields that name a variable have its value while the code looks at them, and the name again afterwards.

use ferro_store::VariableValue;
use serde_json::Value as Json;

use crate::app::models;
use crate::error::Result;
use crate::http::identity::Actor;
use crate::state::App;

/// A field and the variable it names, with the value it was given.
pub struct Named {
    field: String,
    variable: String,
    value: String,
}

/// Credentials go into password fields alone, as in a run. A variable that is not there leaves its name.
pub async fn fill_in(app: &App, actor: &Actor, node: &mut Json) -> Result<Vec<Named>> {
    let mut named = Vec::new();
    let Some(template) = node["template"].as_object_mut() else {
        return Ok(named);
    };
    let names = |entry: &Json| {
        entry["load_from_db"] == true && entry["value"].as_str().is_some_and(|name| !name.is_empty())
    };
    if !template.values().any(names) {
        return Ok(named);
    }
    let known = models::variables(app, &actor.principal()).await?;
    for (field, entry) in template.iter_mut().filter(|(_, entry)| names(entry)) {
        let Some(name) = entry["value"].as_str() else {
            continue;
        };
        let Some(variable) = known.iter().find(|variable| variable.name == name) else {
            continue;
        };
        if matches!(variable.value, VariableValue::Credential(_)) && entry["password"] != true {
            continue;
        }
        let value = models::open(app, variable)?;
        named.push(Named {
            field: field.clone(),
            variable: name.to_owned(),
            value: value.clone(),
        });
        entry["value"] = value.into();
    }
    Ok(named)
}

/// No value of a variable may end up in a flow, wherever the code put it.
pub fn take_out(node: &mut Json, named: Vec<Named>) {
    for Named {
        field,
        variable,
        value,
    } in named
    {
        if let Some(entry) = node["template"]
            .get_mut(&field)
            .filter(|entry| entry["value"] == value.as_str())
        {
            entry["value"] = variable.as_str().into();
        }
        replace(node, &value, &variable);
    }
}

fn replace(json: &mut Json, value: &str, name: &str) {
    // Short values would be found in words that have nothing to do with them.
    const SHORTEST: usize = 6;
    match json {
        Json::String(text) if value.len() >= SHORTEST && text.contains(value) => {
            *text = text.replace(value, name)
        }
        Json::Array(items) => items.iter_mut().for_each(|item| replace(item, value, name)),
        Json::Object(map) => map.values_mut().for_each(|item| replace(item, value, name)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_leaves_no_trace() {
        let mut node = json!({ "template": {
            "key": { "value": "sk-secret" },
            "models": { "options": ["of sk-secret", "b"], "info": "x" },
            "short": { "value": "ab", "info": "table" },
        } });
        let named = |field: &str, variable: &str, value: &str| Named {
            field: field.to_owned(),
            variable: variable.to_owned(),
            value: value.to_owned(),
        };
        take_out(
            &mut node,
            vec![named("key", "KEY", "sk-secret"), named("short", "S", "ab")],
        );
        assert_eq!(
            node["template"],
            json!({
                "key": { "value": "KEY" },
                "models": { "options": ["of KEY", "b"], "info": "x" },
                "short": { "value": "S", "info": "table" },
            })
        );
    }
}
