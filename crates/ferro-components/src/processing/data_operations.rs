//! Does one of several things to JSON.
//!
//! | operation | what comes out |
//! |---|---|
//! | Select Keys | only the keys you name |
//! | Literal Eval | texts that are JSON or Python values, such as `"[1, 2]"`, become those values |
//! | Combine | several objects as one; where two have the same key, their values become a list |
//! | Filter Values | of a list inside the object, the entries that match |
//! | Append or Update | the object with more keys, or other values for keys it has |
//! | Remove Keys, Rename Keys | the object without keys, or with other names for them, at every depth |
//! | Path Selection | what is at a path, such as `.user.tags[0]` |
//! | JQ Expression | what a query gives, such as `.items[] \| select(.price > 3) \| .name` |
//!
//! When several objects come in, the operation is done to each of them. What is not an object comes out as `{"result": …}`.
//!
//! **JSON to Map** takes an example: after it is pasted, its paths can be chosen under **Select Path**.
//!
//! **Queries** know paths, `[]`, slices, `|`, `,`, `//`, comparisons, arithmetic, `if`, `{…}`, `[…]`, texts with `\(…)`, and functions
//! such as `select`, `map`, `sort_by`, `group_by`, `length`, `keys`, `add`, `join`, `split`, `test`, `to_entries` and `del`. There are no
//! variables, no definitions and no assignments.
//!
//! **Common mistakes.** Select Keys refuses a key that is not there, and says which ones are. A path needs its dot: `.name`.

use ferro_engine::{Call, Component, Data, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

use super::filter_data_values::{OPERATORS, matches};
use super::text_work::unknown;
use crate::text::fields::{self, LONG, choice, chosen, list, missing_key, objects, paced, pairs, weight};
use crate::text::template::show;
use crate::text::{loose, query};

pub(crate) struct DataOperations;

/// Operation, icon, and the fields it needs.
pub(super) const OPERATIONS: &[(&str, &str, &[&str])] = &[
    ("Select Keys", "lasso-select", &["select_keys_input"]),
    ("Literal Eval", "braces", &[]),
    ("Combine", "merge", &[]),
    (
        "Filter Values",
        "filter",
        &["filter_key", "operator", "filter_values"],
    ),
    ("Append or Update", "circle-plus", &["append_update_data"]),
    ("Remove Keys", "eraser", &["remove_keys_input"]),
    ("Rename Keys", "pencil-line", &["rename_keys_input"]),
    (
        "Path Selection",
        "mouse-pointer",
        &["mapped_json_display", "selected_key"],
    ),
    ("JQ Expression", "terminal", &["query"]),
];

impl Component for DataOperations {
    fn descriptor(&self) -> Descriptor {
        let options: Vec<_> = OPERATIONS.iter().map(|(name, icon, _)| (*name, *icon)).collect();
        let descriptor = Descriptor::new("DataOperations", "JSON Operations")
            .category("processing")
            .icon("file-json")
            .description("Selects, changes or queries JSON.")
            .help(include_str!("data_operations.rs"))
            .legacy()
            .field(
                FieldSpec::handle("data", "JSON", &["Data", "JSON"])
                    .class("DataInput")
                    .required()
                    .list()
                    .info("What to work on."),
            )
            .field(
                FieldSpec::sortable_list("operations", "Operations", &options)
                    .refresh()
                    .set("limit", 1)
                    .info("What to do with it."),
            )
            .output(OutputSpec::new("data_output", "JSON", "as_data", &["JSON"]));
        operation_fields().into_iter().fold(descriptor, Descriptor::field)
    }

    fn run(&self, call: Call) -> Step {
        let operation = chosen(&call, "operations");
        paced(effort(&call, &operation), move || {
            Ok(Outputs::one("data_output", apply(&call, &operation)?))
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        refresh(node, field, value, "operations");
        Ok(())
    }
}

/// The fields of all operations, hidden until their operation is chosen.
pub(super) fn operation_fields() -> Vec<FieldSpec> {
    let fields = vec![
        FieldSpec::message_text("select_keys_input", "Select Keys")
            .list()
            .value(json!([]))
            .info("Keys to keep."),
        FieldSpec::message_text("filter_key", "Filter Key")
            .list()
            .value(json!([]))
            .info("The key whose list is filtered."),
        FieldSpec::dropdown("operator", "Comparison Operator", OPERATORS, "equals")
            .info("How values are compared."),
        FieldSpec::dict("filter_values", "Filter Values", json!({}))
            .list()
            .info("Keys of an entry, and what they must hold."),
        FieldSpec::dict(
            "append_update_data",
            "Append or Update",
            json!({ "key": "value" }),
        )
        .list()
        .info("Keys to set, and their values."),
        FieldSpec::message_text("remove_keys_input", "Remove Keys")
            .list()
            .value(json!([]))
            .info("Keys to take out."),
        FieldSpec::dict(
            "rename_keys_input",
            "Rename Keys",
            json!({ "old_key": "new_key" }),
        )
        .list()
        .info("Old names and new names."),
        FieldSpec::multiline("mapped_json_display", "JSON to Map")
            .refresh()
            .set("refresh_button", true)
            .info("An example, to choose a path from."),
        FieldSpec::dropdown("selected_key", "Select Path", &[], "").info("What to take out."),
        FieldSpec::message_text("query", "JQ Expression").info("For instance .items[0].name"),
    ];
    fields.into_iter().map(FieldSpec::hidden).collect()
}

/// Shows what belongs to the chosen operation, and offers the paths of a pasted example.
pub(super) fn refresh(node: &mut Json, field: &str, value: &Json, chooser: &str) {
    if field == chooser {
        let operation = choice(value);
        let all: Vec<&str> = OPERATIONS
            .iter()
            .flat_map(|(_, _, names)| names.iter().copied())
            .collect();
        let shown = OPERATIONS
            .iter()
            .find(|(name, ..)| *name == operation)
            .map_or(&[][..], |(_, _, names)| names);
        fields::show_only(node, &all, shown);
    }
    if field == "mapped_json_display" {
        let example = value.as_str().and_then(loose::repaired).unwrap_or_default();
        fields::set(node, "selected_key", "options", query::paths(&example));
    }
}

/// How much there is to do: a query can take long on a short text.
pub(super) fn effort(call: &Call, operation: &str) -> usize {
    if operation == "JQ Expression" {
        LONG
    } else {
        weight(call, "data")
    }
}

pub(super) fn apply(call: &Call, operation: &str) -> Result<Value, Failure> {
    let items = objects(call, "data")?;
    if operation == "Combine" {
        return Ok(Value::data(combined(items)));
    }
    if operation == "Filter Values" && call.texts("filter_key").is_empty() {
        let conditions = pairs(&call.json("filter_values"));
        let operator = call.text("operator");
        let kept = items
            .into_iter()
            .filter(|data| holds(&data.map, &conditions, &operator));
        return Ok(list(kept));
    }
    let mut changed = Vec::with_capacity(items.len());
    for data in items {
        changed.push(each(call, operation, data)?);
    }
    Ok(match changed.pop() {
        Some(one) if changed.is_empty() => Value::Data(one.into()),
        Some(last) => {
            changed.push(last);
            list(changed)
        }
        None => list(Vec::new()),
    })
}

fn each(call: &Call, operation: &str, mut data: Data) -> Result<Data, Failure> {
    let map = std::mem::take(&mut data.map);
    data.map = match operation {
        "" => map,
        "Select Keys" => select(call, map)?,
        "Literal Eval" => map
            .into_iter()
            .map(|(key, value)| (key, evaluated(value)))
            .collect(),
        "Filter Values" => filtered(call, map)?,
        "Append or Update" => {
            let mut map = map;
            map.extend(pairs(&call.json("append_update_data")));
            map
        }
        "Remove Keys" => {
            let keys = call.texts("remove_keys_input");
            wrap(rebuilt(Json::Object(map), &|key| {
                (!keys.contains(&key)).then_some(key)
            }))
        }
        "Rename Keys" => {
            let names = pairs(&call.json("rename_keys_input"));
            let rename =
                |key: String| Some(names.get(&key).map(|name| show(name).into_owned()).unwrap_or(key));
            wrap(rebuilt(Json::Object(map), &rename))
        }
        "Path Selection" => {
            let path = call.required_text("selected_key")?;
            wrap(query::at(&path, &Json::Object(map), "selected_key")?)
        }
        "JQ Expression" => wrap(queried(&call.required_text("query")?, &Json::Object(map))?),
        other => return Err(unknown("operation", other, OPERATIONS)),
    };
    Ok(data)
}

fn queried(written: &str, input: &Json) -> Result<Json, Failure> {
    let mut found = query::run(written, input, "query")?;
    if found.len() > 1 {
        return Ok(Json::Array(found));
    }
    match found.pop() {
        None | Some(Json::Null) => Err(
            Failure::input("query", format!("The query {written} finds nothing"))
                .advice("Look at what comes in, and check the names in the query."),
        ),
        Some(value) => Ok(value),
    }
}

fn wrap(value: Json) -> Map<String, Json> {
    match value {
        Json::Object(map) => map,
        other => Map::from_iter([("result".to_owned(), other)]),
    }
}

fn select(call: &Call, mut map: Map<String, Json>) -> Result<Map<String, Json>, Failure> {
    let keys = call.texts("select_keys_input");
    if keys.is_empty() {
        return Err(Failure::input("select_keys_input", "No keys to select are named")
            .advice("Add at least one key."));
    }
    for key in &keys {
        if !map.contains_key(key) {
            return Err(missing_key("select_keys_input", key, &map));
        }
    }
    map.retain(|key, _| keys.contains(key));
    Ok(map)
}

/// Texts that are literals become what they say, at every depth.
fn evaluated(value: Json) -> Json {
    match value {
        Json::String(text) => match loose::literal(&text) {
            Some(read) => read,
            None => Json::String(text),
        },
        Json::Array(items) => items.into_iter().map(evaluated).collect(),
        Json::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, evaluated(value)))
            .collect(),
        other => other,
    }
}

fn combined(items: Vec<Data>) -> Map<String, Json> {
    let mut all: Map<String, Json> = Map::new();
    for (key, value) in items.into_iter().flat_map(|data| data.map) {
        let Some(known) = all.get_mut(&key) else {
            all.insert(key, value);
            continue;
        };
        let mut values = match known.take() {
            Json::Array(values) => values,
            one => vec![one],
        };
        match value {
            Json::Array(more) => values.extend(more),
            one => values.push(one),
        }
        *known = Json::Array(values);
    }
    all
}

fn filtered(call: &Call, mut map: Map<String, Json>) -> Result<Map<String, Json>, Failure> {
    let conditions = pairs(&call.json("filter_values"));
    let operator = call.text("operator");
    for key in call.texts("filter_key") {
        match map.get_mut(&key) {
            Some(Json::Array(entries)) => {
                entries.retain(|entry| {
                    entry
                        .as_object()
                        .is_some_and(|entry| holds(entry, &conditions, &operator))
                });
            }
            Some(_) => {
                return Err(
                    Failure::input("filter_key", format!("The key {key:?} does not hold a list"))
                        .advice("Name a key whose value is a list of objects."),
                );
            }
            None => return Err(missing_key("filter_key", &key, &map)),
        }
    }
    Ok(map)
}

fn holds(entry: &Map<String, Json>, conditions: &Map<String, Json>, operator: &str) -> bool {
    conditions.iter().all(|(key, wanted)| {
        entry
            .get(key)
            .is_some_and(|found| matches(operator, &show(found), &show(wanted)))
    })
}

/// The value with each key renamed, or dropped where `name` gives nothing.
fn rebuilt(value: Json, name: &impl Fn(String) -> Option<String>) -> Json {
    match value {
        Json::Object(map) => map
            .into_iter()
            .filter_map(|(key, value)| Some((name(key)?, rebuilt(value, name))))
            .collect(),
        Json::Array(items) => items.into_iter().map(|item| rebuilt(item, name)).collect(),
        other => other,
    }
}
