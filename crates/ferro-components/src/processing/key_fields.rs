//! Fields that hold one key and its value each: what Create Data and Update Data grow by the number asked for.

use ferro_engine::{Call, Data, Failure, Value};
use ferro_model::FieldSpec;
use serde_json::{Map, Value as Json, json};

use crate::text::fields;

/// More would not fit on a canvas.
pub(super) const MAX: i64 = 15;

pub(super) fn count_field(value: i64) -> FieldSpec {
    FieldSpec::int("number_of_fields", "Number of Fields", value)
        .refresh()
        .set(
            "range_spec",
            json!({ "min": 0, "max": MAX, "step": 1, "step_type": "int" }),
        )
        .info("How many keys to set, 15 at most.")
}

pub(super) fn text_key_field() -> FieldSpec {
    FieldSpec::message_text("text_key", "Text Key")
        .advanced()
        .info("The key whose value is the object's text.")
}

pub(super) fn validator_field() -> FieldSpec {
    FieldSpec::bool("text_key_validator", "Text Key Validator", false)
        .advanced()
        .info("Fail when there is no such key.")
}

/// Adds and takes away fields until there are as many as asked for.
pub(super) fn refresh(node: &mut Json, value: &Json) -> Result<(), Failure> {
    let asked = value
        .as_i64()
        .or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()))
        .unwrap_or_default();
    if !(0..=MAX).contains(&asked) {
        return Err(
            Failure::input("number_of_fields", format!("{asked} fields are not possible"))
                .advice(format!("Set a number from 0 to {MAX}.")),
        );
    }
    let present: Vec<String> = fields::template(node)
        .map(|template| {
            template
                .keys()
                .filter(|name| number(name).is_some())
                .cloned()
                .collect()
        })
        .unwrap_or_default();
    for name in present
        .iter()
        .filter(|name| number(name).is_some_and(|at| at > asked))
    {
        fields::remove_field(node, name);
    }
    for at in 1..=asked {
        let field = FieldSpec::dict(&format!("field_{at}_key"), &format!("Field {at}"), json!({}))
            .accepts(&["Message", "Data", "JSON"])
            .info("A key and its value. A wire brings the value of the key that is set here.");
        fields::add_field(node, &field);
    }
    Ok(())
}

/// `3` for `field_3_key`.
fn number(name: &str) -> Option<i64> {
    name.strip_prefix("field_")?.strip_suffix("_key")?.parse().ok()
}

/// The keys and values of all such fields, in order.
pub(super) fn read(call: &Call) -> Map<String, Json> {
    let mut names: Vec<(i64, String)> = call
        .field_names()
        .filter_map(|name| Some((number(name)?, name.to_owned())))
        .collect();
    names.sort();
    names.dedup();
    let mut map = Map::new();
    for (_, name) in names {
        if call.is_wired(&name) {
            let key = wired_key(call, &name);
            let value = call.raw(&name).map(|value| plain(&value)).unwrap_or_default();
            map.insert(key, value);
        } else {
            map.extend(fields::pairs(&call.json(&name)));
        }
    }
    map
}

/// The key somebody wrote into the field before wiring it.
fn wired_key(call: &Call, name: &str) -> String {
    let written = call.node.template.get(name).and_then(|entry| entry.get("value"));
    let first = written
        .map(fields::pairs)
        .and_then(|pairs| pairs.keys().next().cloned());
    first
        .filter(|key| !key.is_empty())
        .unwrap_or_else(|| name.to_owned())
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Message(message) => message.text.clone().into(),
        Value::Data(data) => match data.map.get(&*data.text_key) {
            Some(text) => text.clone(),
            None => Json::Object(data.map.clone()),
        },
        other => other.to_json(),
    }
}

/// Names the text key of an object, and checks it when asked to.
pub(super) fn with_text_key(call: &Call, mut data: Data) -> Result<Data, Failure> {
    let key = call.text("text_key");
    if call.bool("text_key_validator") && !data.map.contains_key(&key) {
        return Err(fields::missing_key("text_key", &key, &data.map));
    }
    if !key.is_empty() {
        data.text_key = key.into();
    }
    Ok(data)
}
