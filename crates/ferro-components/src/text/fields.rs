//! Reading fields that may be missing from older nodes, and showing or hiding fields when a choice changes.

use ferro_engine::{Call, Data, Failure, Outcome, Step, Value};
use ferro_model::{FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

/// Beyond this many bytes the work leaves the scheduler's thread.
const QUICK: usize = 64 * 1024;

/// Does the work now, or on a thread of its own when there is much to go through.
pub(crate) fn paced(weight: usize, work: impl FnOnce() -> Result<Outcome, Failure> + Send + 'static) -> Step {
    if weight > QUICK {
        Step::busy(work)
    } else {
        Step::Now(work())
    }
}

/// The weight of work that can take long however little comes in: regular expressions and queries.
pub(crate) const LONG: usize = usize::MAX;

/// How much a field carries.
pub(crate) fn weight(call: &Call, name: &str) -> usize {
    call.raw(name).map_or(0, |value| value.weight())
}

/// A switch that is on unless somebody turned it off; hidden fields are not passed at all.
pub(crate) fn on_by_default(call: &Call, name: &str) -> bool {
    call.get(name).is_none() || call.bool(name)
}

pub(crate) fn int_or(call: &Call, name: &str, default: i64) -> Result<i64, Failure> {
    Ok(call.int(name)?.unwrap_or(default))
}

/// As text; `default` when the field is not there. An empty text stays empty.
pub(crate) fn text_or(call: &Call, name: &str, default: &str) -> String {
    call.raw(name)
        .map_or_else(|| default.to_owned(), |value| value.to_text().into_owned())
}

/// A count that must be at least `min`.
pub(crate) fn count(call: &Call, name: &str, default: i64, min: i64) -> Result<usize, Failure> {
    let number = int_or(call, name, default)?;
    if number < min {
        let label = call.label(name);
        return Err(
            Failure::input(name, format!("{label} is {number}, but must be at least {min}"))
                .advice(format!("Set {label} to {min} or more.")),
        );
    }
    Ok(usize::try_from(number).unwrap_or(usize::MAX))
}

/// The entry chosen in a `sortableList`, which older files hold as plain text.
pub(crate) fn choice(value: &Json) -> String {
    match value {
        Json::String(name) => name.clone(),
        Json::Array(items) => items.first().map(choice).unwrap_or_default(),
        Json::Object(map) => map
            .get("name")
            .and_then(Json::as_str)
            .unwrap_or_default()
            .to_owned(),
        _ => String::new(),
    }
}

pub(crate) fn chosen(call: &Call, name: &str) -> String {
    choice(&call.json(name))
}

/// Key and value pairs of a `dict` field: an object, a list of objects, or a list of `{key, value}`.
pub(crate) fn pairs(json: &Json) -> Map<String, Json> {
    let mut all = Map::new();
    match json {
        Json::Object(map) => all.extend(map.clone()),
        Json::Array(items) => {
            for item in items {
                let Json::Object(map) = item else { continue };
                match (map.get("key").and_then(Json::as_str), map.get("value")) {
                    (Some(key), Some(value)) if map.len() == 2 => {
                        all.insert(key.to_owned(), value.clone());
                    }
                    _ => all.extend(map.clone()),
                }
            }
        }
        Json::String(text) => {
            if let Ok(parsed @ (Json::Object(_) | Json::Array(_))) = serde_json::from_str(text) {
                return pairs(&parsed);
            }
        }
        _ => {}
    }
    all
}

/// Everything that came as JSON objects: `Data`, rows of a table, messages as `{"text": …}`.
pub(crate) fn objects(call: &Call, name: &str) -> Result<Vec<Data>, Failure> {
    let value = call.required(name)?;
    let mut found = Vec::new();
    for item in value.items() {
        match item {
            Value::Data(data) => found.push((*data).clone()),
            Value::Table(table) => found.extend(table.rows().map(Data::new)),
            Value::Message(message) => found.push(Data::from_text(&message.text)),
            Value::Plain(json) => match as_object(&json) {
                Some(map) => found.push(Data::new(map)),
                None => return Err(not_json(call, name, &Value::Plain(json))),
            },
            Value::List(items) => {
                for row in items.iter().flat_map(Value::rows) {
                    found.push(Data::new(row));
                }
            }
            other => return Err(not_json(call, name, &other)),
        }
    }
    Ok(found)
}

fn as_object(json: &Json) -> Option<Map<String, Json>> {
    match json {
        Json::Object(map) => Some(map.clone()),
        Json::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// The one JSON object of a field; an error when there are none or several.
pub(crate) fn object(call: &Call, name: &str) -> Result<Data, Failure> {
    let mut all = objects(call, name)?;
    match (all.pop(), all.is_empty()) {
        (Some(one), true) => Ok(one),
        (None, _) => Err(Failure::input(name, format!("{} is empty", call.label(name)))
            .advice("Wire in something that has at least one JSON object.")),
        (Some(_), false) => Err(Failure::input(
            name,
            format!(
                "{} got {} JSON objects, but takes one",
                call.label(name),
                all.len() + 1
            ),
        )
        .advice("Pick one with Select Data, or put them together with Combine Data.")),
    }
}

fn not_json(call: &Call, name: &str, found: &Value) -> Failure {
    let label = call.label(name);
    Failure::input(name, format!("{label} is not a JSON object but {}", found.kind()))
        .advice("Wire in JSON, or convert what you have with Type Convert.")
}

/// A missing key, said together with those there are.
pub(crate) fn missing_key(field: &str, key: &str, map: &Map<String, Json>) -> Failure {
    Failure::input(field, format!("There is no key {key:?} in the JSON"))
        .advice(format!("It has: {}.", names(map.keys().map(String::as_str))))
}

/// Up to twenty names, for errors.
pub(crate) fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let mut list: Vec<&str> = all.take(21).collect();
    if list.is_empty() {
        return "nothing".to_owned();
    }
    if list.len() > 20 {
        list.truncate(20);
        list.push("…");
    }
    list.join(", ")
}

pub(crate) fn list(items: impl IntoIterator<Item = Data>) -> Value {
    Value::List(items.into_iter().map(|data| Value::Data(data.into())).collect())
}

/// The template entries of a node; a node without a template gets an empty one.
pub(crate) fn template(node: &mut Json) -> Option<&mut Map<String, Json>> {
    let node = node.as_object_mut()?;
    let template = node.entry("template").or_insert_with(|| Json::Object(Map::new()));
    if !template.is_object() {
        *template = Json::Object(Map::new());
    }
    template.as_object_mut()
}

/// Of `all`, shows only those in `shown`.
pub(crate) fn show_only(node: &mut Json, all: &[&str], shown: &[&str]) {
    let Some(template) = template(node) else { return };
    for name in all {
        if let Some(Json::Object(entry)) = template.get_mut(*name) {
            entry.insert("show".to_owned(), shown.contains(name).into());
        }
    }
}

/// Sets one attribute of a field, when the node has the field.
pub(crate) fn set(node: &mut Json, field: &str, key: &str, value: impl Into<Json>) {
    if let Some(Json::Object(entry)) = template(node).and_then(|template| template.get_mut(field)) {
        entry.insert(key.to_owned(), value.into());
    }
}

/// The value of another field of the node.
pub(crate) fn value_of(node: &Json, field: &str) -> Json {
    node.pointer(&format!("/template/{field}/value"))
        .cloned()
        .unwrap_or_default()
}

/// Adds a field, keeping the value of one that is there already.
pub(crate) fn add_field(node: &mut Json, field: &FieldSpec) {
    let Some(template) = template(node) else { return };
    if template.contains_key(&field.name) {
        return;
    }
    template.insert(field.name.clone(), field.to_json());
    if let Some(Json::Array(order)) = node.get_mut("field_order") {
        order.push(field.name.clone().into());
    }
}

pub(crate) fn remove_field(node: &mut Json, name: &str) {
    if let Some(template) = template(node) {
        template.remove(name);
    }
    if let Some(Json::Array(order)) = node.get_mut("field_order") {
        order.retain(|known| known.as_str() != Some(name));
    }
}

/// Replaces the outputs of a node, and the types it says it has.
pub(crate) fn set_outputs(node: &mut Json, outputs: &[OutputSpec]) {
    put_outputs(node, outputs.iter().map(OutputSpec::to_json).collect());
}

/// As [`set_outputs`], for outputs that no component describes.
pub(crate) fn put_outputs(node: &mut Json, outputs: Vec<Json>) {
    let Some(node) = node.as_object_mut() else { return };
    let types = outputs.iter().filter_map(|output| output["types"].as_array());
    let mut types: Vec<String> = types
        .flatten()
        .filter_map(Json::as_str)
        .map(str::to_owned)
        .collect();
    types.sort_by_key(|name| name.to_lowercase());
    types.dedup();
    node.insert("base_classes".to_owned(), types.into());
    node.insert("outputs".to_owned(), outputs.into());
}
