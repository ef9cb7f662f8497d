//! What a person had set in a node, carried over to the node that its changed code makes.

use serde_json::{Map, Value as Json};

use super::text;

/// `was` is what the old code said of itself, where that is known: a value that the class had set then follows the
/// class. Where it is not known every value is taken for the person's.
pub(super) fn keep(node: &mut Json, before: &Json, was: Option<&Json>) {
    for key in ["pinned", "frozen"] {
        if before[key].is_boolean() {
            node[key] = before[key].clone();
        }
    }
    if let Some(was) = was {
        for key in ["display_name", "description"] {
            let named = text(before, key);
            if !named.is_empty() && named != text(was, key) {
                node[key] = named.into();
            }
        }
    }
    let old = before["template"].as_object();
    let new = node["template"].as_object_mut();
    for (name, field) in new.into_iter().flatten() {
        let entry = old.and_then(|old| old.get(name)).and_then(Json::as_object);
        if let (Some(field), Some(entry)) = (field.as_object_mut(), entry)
            && name != "code"
        {
            keep_field(field, entry, was.and_then(|was| field_of(was, name)));
        }
    }
    keep_selected(node, before);
}

fn field_of<'a>(description: &'a Json, name: &str) -> Option<&'a Json> {
    let fields = description["fields"].as_array()?;
    fields.iter().find(|field| text(field, "name") == name)
}

fn keep_field(field: &mut Map<String, Json>, entry: &Map<String, Json>, was: Option<&Json>) {
    let same = |key: &str| field.get(key) == entry.get(key);
    if !same("type") || !same("list") {
        return;
    }
    let set = |key: &str| {
        let value = entry.get(key).filter(|value| !value.is_null())?;
        was.is_none_or(|was| was.get(key) != Some(value))
            .then(|| value.clone())
    };
    // A field that was not there before this code has nothing but its place to be compared with.
    if was.is_some()
        && let Some(advanced) = set("advanced")
    {
        field.insert("advanced".to_owned(), advanced);
    }
    let Some(value) = set("value") else {
        return;
    };
    if !offered(field, &value) {
        return;
    }
    field.insert("value".to_owned(), value);
    for key in ["load_from_db", "file_path"] {
        if let Some(value) = entry.get(key).filter(|value| !value.is_null()) {
            field.insert(key.to_owned(), value.clone());
        }
    }
}

/// Whether the field still has this among its options. Fields without options take anything.
fn offered(field: &Map<String, Json>, value: &Json) -> bool {
    let Some(Json::Array(options)) = field.get("options") else {
        return true;
    };
    let is_free = field.get("combobox") == Some(&Json::Bool(true)) || !options.iter().all(Json::is_string);
    let is_there = |value: &Json| options.contains(value);
    is_free
        || options.is_empty()
        || match value {
            Json::Array(values) => values.iter().all(is_there),
            value => is_there(value),
        }
}

/// Which type of an output a person chose.
fn keep_selected(node: &mut Json, before: &Json) {
    let old = before["outputs"].as_array().map_or(&[][..], Vec::as_slice);
    for output in node["outputs"].as_array_mut().into_iter().flatten() {
        let chosen = old.iter().find(|old| old["name"] == output["name"]);
        let Some(chosen) = chosen.map(|old| &old["selected"]) else {
            continue;
        };
        let types = output["types"].as_array();
        if types.is_some_and(|types| types.contains(chosen)) {
            output["selected"] = chosen.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node(fields: Json) -> Json {
        json!({ "display_name": "New", "description": "", "template": fields,
            "outputs": [{ "name": "o", "types": ["Message", "Data"], "selected": "Message" }] })
    }

    #[test]
    fn what_a_person_set_stays_and_what_the_class_set_follows_it() {
        let mut now = node(json!({
            "set": { "type": "int", "value": 1 },
            "not_set": { "type": "int", "value": 9 },
            "other_type": { "type": "str", "value": "" },
            "new": { "type": "int", "value": 3 },
            "choice": { "type": "str", "value": "b", "options": ["b", "c"] },
            "code": { "type": "code", "value": "new code" },
        }));
        let before = json!({ "display_name": "Mine", "description": "Old", "frozen": true, "template": {
            "set": { "type": "int", "value": 42, "load_from_db": true },
            "not_set": { "type": "int", "value": 2 },
            "other_type": { "type": "int", "value": 5 },
            "gone": { "type": "int", "value": 5 },
            "choice": { "type": "str", "value": "a", "options": ["a"] },
            "code": { "type": "code", "value": "old code" },
        }, "outputs": [{ "name": "o", "selected": "Data" }] });
        let was = json!({ "display_name": "Old name", "description": "Old", "fields": [
            { "name": "set", "value": 1 }, { "name": "not_set", "value": 2 }, { "name": "choice", "value": "x" } ] });
        keep(&mut now, &before, Some(&was));
        let value = |name: &str| now["template"][name]["value"].clone();
        assert_eq!((value("set"), value("not_set")), (json!(42), json!(9)));
        assert_eq!((value("other_type"), value("new")), (json!(""), json!(3)));
        assert_eq!((value("choice"), value("code")), (json!("b"), json!("new code")));
        assert_eq!(now["template"]["set"]["load_from_db"], true);
        assert!(now["template"].get("gone").is_none());
        assert_eq!(
            (&now["display_name"], &now["description"]),
            (&json!("Mine"), &json!(""))
        );
        assert_eq!(
            (&now["frozen"], &now["outputs"][0]["selected"]),
            (&json!(true), &json!("Data"))
        );
    }

    #[test]
    fn without_knowing_the_old_class_every_value_is_the_persons() {
        let mut now = node(json!({ "a": { "type": "int", "value": 9 } }));
        let before = json!({ "display_name": "Mine", "template": { "a": { "type": "int", "value": 2 } } });
        keep(&mut now, &before, None);
        assert_eq!(now["template"]["a"]["value"], 2);
        assert_eq!(now["display_name"], "New");
    }

    #[test]
    fn odd_nodes_change_nothing() {
        for before in [
            json!({}),
            json!(7),
            json!({ "template": [], "outputs": [1] }),
            json!({ "template": { "a": 1 } }),
        ] {
            let mut now = node(json!({ "a": { "type": "int", "value": 9 } }));
            keep(&mut now, &before, None);
            assert_eq!(now["template"]["a"]["value"], 9, "{before}");
        }
    }
}
