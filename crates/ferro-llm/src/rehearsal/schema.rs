//! JSON that fits a schema, filled from a text where the names of fields say what to look for.
//!
//! What is not found becomes the emptiest value of its type. A `pattern` is not worked out.

mod guess;

use serde_json::{Map, Value as Json, json};

use super::classify::{choose, sentiment};
use super::extract::labelled;
use super::words::words;

/// How deep references and nesting are followed: a schema may contain itself.
const DEPTH: usize = 12;
/// From here on only what must be there is filled in.
const DEEP: usize = 5;
/// Schemas looked at for one document: one that contains itself several times grows with every level.
const MOST: usize = 5_000;

/// Fills schemas from one text.
pub(super) struct Filler<'a> {
    root: &'a Json,
    text: &'a str,
    /// How many values came from the text.
    pub found: usize,
    /// How many more schemas are looked at.
    left: usize,
}

/// The whole document for a schema.
pub(super) fn fill(schema: &Json, text: &str) -> Json {
    Filler::new(schema, text).value("", schema, 0)
}

/// A schema for documents like this one.
pub(super) fn like(example: &Json) -> Json {
    match example {
        Json::Object(members) => {
            let properties: Map<String, Json> = members
                .iter()
                .map(|(key, value)| (key.clone(), like(value)))
                .collect();
            json!({"type": "object", "properties": properties})
        }
        Json::Array(items) => {
            json!({"type": "array", "items": items.first().map(like).unwrap_or(Json::Bool(true))})
        }
        Json::Number(number) if number.is_f64() => json!({"type": "number"}),
        Json::Number(_) => json!({"type": "integer"}),
        Json::Bool(_) => json!({"type": "boolean"}),
        _ => json!({"type": "string"}),
    }
}

impl<'a> Filler<'a> {
    pub fn new(root: &'a Json, text: &'a str) -> Self {
        Self {
            root,
            text,
            found: 0,
            left: MOST,
        }
    }

    pub fn value(&mut self, name: &str, schema: &Json, depth: usize) -> Json {
        let Some(schema) = self.resolved(schema, depth) else {
            return Json::Null;
        };
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(values) = schema.get("enum").and_then(Json::as_array) {
            return self.one_of(name, values, schema.get("default"));
        }
        if let Some(options) = options(&schema) {
            return self.option(name, &options, depth);
        }
        match kind(&schema) {
            "object" => self.object(&schema, depth),
            "array" => self.array(name, &schema, depth),
            "integer" => self.number(name, &schema, true),
            "number" => self.number(name, &schema, false),
            "boolean" => self.boolean(name, &schema),
            "null" => Json::Null,
            _ => self.string(name, &schema),
        }
    }

    /// References followed, `allOf` put together. `None` when there is nothing or no end.
    fn resolved(&mut self, schema: &Json, depth: usize) -> Option<Json> {
        self.left = self.left.checked_sub(1)?;
        if depth > DEPTH {
            return None;
        }
        let mut schema = schema.clone();
        for _ in 0..DEPTH {
            let Some(place) = schema.get("$ref").and_then(Json::as_str) else {
                break;
            };
            schema = self.root.pointer(place.strip_prefix('#')?)?.clone();
        }
        if let Some(parts) = schema.get("allOf").and_then(Json::as_array).cloned() {
            let whole = schema.as_object_mut()?;
            whole.remove("allOf");
            for part in parts {
                let Some(Json::Object(part)) = self.resolved(&part, depth + 1) else {
                    continue;
                };
                for (key, value) in part {
                    match (whole.get_mut(&key), value) {
                        (Some(Json::Object(old)), Json::Object(new)) => old.extend(new),
                        (Some(Json::Array(old)), Json::Array(new)) => old.extend(new),
                        (Some(_), _) => {}
                        (None, value) => {
                            whole.insert(key, value);
                        }
                    }
                }
            }
        }
        Some(schema)
    }

    /// The first that is not null; null when it may be and nothing was found.
    fn option(&mut self, name: &str, options: &[Json], depth: usize) -> Json {
        let null = |schema: &Json| schema.get("type").and_then(Json::as_str) == Some("null");
        let Some(first) = options.iter().find(|option| !null(option)) else {
            return Json::Null;
        };
        let nullable = options.iter().any(null);
        if nullable && depth > DEEP {
            return Json::Null;
        }
        let before = self.found;
        let value = self.value(name, first, depth + 1);
        if self.found == before && nullable {
            return Json::Null;
        }
        value
    }

    fn one_of(&mut self, name: &str, values: &[Json], default: Option<&Json>) -> Json {
        let labels: Vec<String> = values
            .iter()
            .filter_map(Json::as_str)
            .map(str::to_owned)
            .collect();
        let said = labelled(self.text, name)
            .and_then(|said| labels.iter().find(|label| label.eq_ignore_ascii_case(said)));
        if let Some(label) = said
            .map(String::as_str)
            .or_else(|| choose(&labels, "", self.text))
        {
            self.found += 1;
            return label.into();
        }
        let default = default.filter(|default| values.contains(default));
        default.or(values.first()).cloned().unwrap_or_default()
    }

    fn object(&mut self, schema: &Json, depth: usize) -> Json {
        let required = schema.get("required").and_then(Json::as_array);
        let required: Vec<&str> = required.into_iter().flatten().filter_map(Json::as_str).collect();
        let properties = schema.get("properties").and_then(Json::as_object);
        let mut members = Map::new();
        for (name, property) in properties.into_iter().flatten() {
            if depth <= DEEP || required.contains(&name.as_str()) {
                members.insert(name.clone(), self.value(name, property, depth + 1));
            }
        }
        for name in required {
            if !members.contains_key(name) {
                members.insert(name.to_owned(), Json::String(String::new()));
            }
        }
        Json::Object(members)
    }

    fn array(&mut self, name: &str, schema: &Json, depth: usize) -> Json {
        let most = limit(schema, "maxItems").unwrap_or(usize::MAX);
        // A bound nobody can mean is not worth the memory.
        let least = limit(schema, "minItems").unwrap_or(0).min(1_000);
        let open = Json::Bool(true);
        let item = schema.get("items").unwrap_or(&open);
        let shape = self.resolved(item, depth).unwrap_or_default();
        let chosen = ["enum", "const"].iter().any(|key| shape.get(key).is_some());
        let chosen = chosen || options(&shape).is_some();
        let mut items = match kind(&shape) {
            _ if depth > DEEP || chosen => Vec::new(),
            "object" => self.records(&shape, depth),
            "string" => {
                let format = shape.get("format").and_then(Json::as_str).unwrap_or_default();
                let texts = match format {
                    "" => guess::texts(name, self.text),
                    format => guess::formatted(format, self.text).into_iter().collect(),
                };
                self.found += texts.len();
                texts
                    .into_iter()
                    .map(|text| Json::String(bounded(text, &shape)))
                    .collect()
            }
            "integer" | "number" => {
                let whole = kind(&shape) == "integer";
                let all = guess::list_of_numbers(name, self.text);
                self.found += all.len();
                all.into_iter()
                    .map(|number| fitted(number, &shape, whole))
                    .collect()
            }
            _ => Vec::new(),
        };
        items.truncate(most);
        while items.len() < least {
            let mut next = self.value(name, item, depth + 1);
            if let Json::String(text) = &mut next
                && schema.get("uniqueItems") == Some(&Json::Bool(true))
                && shape.get("enum").is_none()
            {
                text.push_str(&format!("{}", items.len() + 1));
            }
            items.push(next);
        }
        Json::Array(items)
    }

    /// One object for each line that has something for it, or one for the whole text.
    fn records(&mut self, shape: &Json, depth: usize) -> Vec<Json> {
        let fields = shape
            .get("properties")
            .and_then(Json::as_object)
            .map_or(0, Map::len);
        let mut by_line = Vec::new();
        let mut found = 0;
        for line in self.text.lines().filter(|line| !line.trim().is_empty()).take(500) {
            let mut part = Filler::new(self.root, line);
            part.left = self.left;
            let record = part.value("", shape, depth + 1);
            self.left = part.left;
            if part.found > 0 && part.found * 2 >= fields {
                by_line.push(record);
                found += part.found;
            }
        }
        if by_line.len() >= 2 {
            self.found += found;
            return by_line;
        }
        let before = self.found;
        let record = self.value("", shape, depth + 1);
        if self.found > before {
            vec![record]
        } else {
            Vec::new()
        }
    }

    fn number(&mut self, name: &str, schema: &Json, whole: bool) -> Json {
        let found = guess::number(name, self.text);
        self.found += usize::from(found.is_some());
        let default = schema.get("default").and_then(Json::as_f64);
        fitted(found.or(default).unwrap_or(0.0), schema, whole)
    }

    fn boolean(&mut self, name: &str, schema: &Json) -> Json {
        if let Some(said) = labelled(self.text, name) {
            self.found += 1;
            return matches!(said.to_lowercase().as_str(), "yes" | "true" | "y" | "1").into();
        }
        let parts = words(name);
        let named = |word: &str| parts.iter().any(|part| part == word);
        if named("positive") || named("negative") {
            self.found += 1;
            let sum = sentiment(self.text);
            return Json::Bool(if named("positive") { sum > 0 } else { sum < 0 });
        }
        schema
            .get("default")
            .filter(|default| default.is_boolean())
            .cloned()
            .unwrap_or(Json::Bool(false))
    }

    fn string(&mut self, name: &str, schema: &Json) -> Json {
        let format = schema.get("format").and_then(Json::as_str).unwrap_or_default();
        let found = match format {
            "" => guess::text(name, self.text),
            format => guess::formatted(format, self.text),
        };
        self.found += usize::from(found.is_some());
        let default = schema.get("default").and_then(Json::as_str).map(str::to_owned);
        let text = found
            .or(default)
            .unwrap_or_else(|| guess::blank(format).to_owned());
        Json::String(bounded(text, schema))
    }
}

/// A bound on a length or a count.
fn limit(schema: &Json, key: &str) -> Option<usize> {
    usize::try_from(schema.get(key)?.as_u64()?).ok()
}

/// A text within the bounds of its schema.
fn bounded(mut text: String, schema: &Json) -> String {
    if let Some(most) = limit(schema, "maxLength") {
        text = text.chars().take(most).collect();
    }
    let least = limit(schema, "minLength").unwrap_or(0).min(10_000);
    let missing = least.saturating_sub(text.chars().count());
    text.extend(std::iter::repeat_n('-', missing));
    text
}

fn kind(schema: &Json) -> &str {
    match schema.get("type").and_then(Json::as_str) {
        Some(kind) => kind,
        None if schema.get("properties").is_some() => "object",
        None if schema.get("items").is_some() => "array",
        None => "string",
    }
}

/// The schemas to choose from, whichever way that is written.
fn options(schema: &Json) -> Option<Vec<Json>> {
    if let Some(kinds) = schema.get("type").and_then(Json::as_array) {
        let each = kinds.iter().map(|kind| {
            let mut one = schema.clone();
            one["type"] = kind.clone();
            one
        });
        return Some(each.collect());
    }
    let list = schema.get("anyOf").or_else(|| schema.get("oneOf"))?;
    let mut list = list.as_array()?.clone();
    if schema.get("nullable") == Some(&Json::Bool(true)) {
        list.push(json!({"type": "null"}));
    }
    Some(list)
}

/// A number within the bounds of its schema.
fn fitted(number: f64, schema: &Json, whole: bool) -> Json {
    let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
    let step = bound("multipleOf")
        .filter(|step| *step > 0.0)
        .unwrap_or(if whole { 1.0 } else { 0.0 });
    // A bound that is not reached itself is missed by a step, or by a little.
    let gap = if step > 0.0 { step } else { 1e-6 };
    let least = bound("minimum").or(bound("exclusiveMinimum").map(|bound| bound + gap));
    let most = bound("maximum").or(bound("exclusiveMaximum").map(|bound| bound - gap));
    let mut number = number;
    if let Some(most) = most {
        number = number.min(most);
    }
    if let Some(least) = least {
        number = number.max(least);
    }
    if step > 0.0 {
        number = (number / step).round() * step;
        if least.is_some_and(|least| number < least) {
            number += step;
        }
        if most.is_some_and(|most| number > most) {
            number -= step;
        }
    }
    if whole || number.fract() == 0.0 && number.abs() < 9e15 {
        return (number as i64).into();
    }
    number.into()
}
