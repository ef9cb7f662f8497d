//! The part of JSON Schema that tools and structured answers use: checking a value, and bending what a model wrote
//! slightly wrong (`"3"` for 3) into what was meant.
//!
//! What is not understood (`pattern`, `format`, `if`) is let pass: the tool itself has the last word.

use std::cell::Cell;

use serde_json::{Map, Number, Value as Json};

/// A schema that refers to itself ends here.
const DEEPEST: usize = 32;
/// Enough for any honest answer.
const STEPS: u32 = 100_000;
/// More would only repeat themselves.
const MOST: usize = 8;

/// What does not fit, each with the place it is at; nothing when the value fits.
pub fn problems(schema: &Json, value: &Json) -> Vec<String> {
    let mut found = Vec::new();
    let check = Check::new(schema);
    check.value(schema, value, &mut Path::new(&mut found), 0);
    found
}

/// Turns values into the type their schema asks for, where it is clear what was meant.
pub fn coerce(schema: &Json, value: &mut Json) {
    Check::new(schema).coerce(schema, value, 0);
}

struct Path<'f> {
    at: String,
    found: &'f mut Vec<String>,
}

impl<'f> Path<'f> {
    fn new(found: &'f mut Vec<String>) -> Self {
        Self {
            at: String::new(),
            found,
        }
    }

    fn say(&mut self, what: &str) {
        if self.found.len() < MOST {
            let at = if self.at.is_empty() { "the value" } else { &self.at };
            self.found.push(format!("{at} {what}"));
        }
    }

    fn within(&mut self, step: &str, check: impl FnOnce(&mut Path<'_>)) {
        let before = self.at.len();
        if !self.at.is_empty() && !step.starts_with('[') {
            self.at.push('.');
        }
        self.at.push_str(step);
        check(self);
        self.at.truncate(before);
    }
}

struct Check<'s> {
    root: &'s Json,
    /// Steps left: a schema from elsewhere may branch without end.
    left: Cell<u32>,
}

impl<'s> Check<'s> {
    fn new(root: &'s Json) -> Self {
        Self {
            root,
            left: Cell::new(STEPS),
        }
    }

    /// `false` when it has gone on for too long, or too deep.
    fn goes_on(&self, depth: usize) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0 && depth <= DEEPEST
    }

    /// Where `$ref` leads, within the same document.
    fn resolve(&self, mut schema: &'s Json) -> &'s Json {
        for _ in 0..DEEPEST {
            let Some(target) = schema.get("$ref").and_then(Json::as_str) else {
                return schema;
            };
            match target
                .strip_prefix('#')
                .and_then(|pointer| self.root.pointer(pointer))
            {
                Some(found) => schema = found,
                None => return schema,
            }
        }
        schema
    }

    fn value(&self, schema: &'s Json, value: &Json, path: &mut Path<'_>, depth: usize) {
        let schema = self.resolve(schema);
        if !self.goes_on(depth) || !schema.is_object() {
            return;
        }
        let kinds = kinds(schema);
        if !kinds.is_empty() && !kinds.iter().any(|kind| is_a(kind, value)) {
            path.say(&format!("must be {}, not {}", kinds.join(" or "), kind_of(value)));
            return;
        }
        if let Some(options) = schema.get("enum").and_then(Json::as_array)
            && !options.iter().any(|option| same(option, value))
        {
            let known: Vec<String> = options.iter().take(20).map(Json::to_string).collect();
            path.say(&format!("must be one of {}", known.join(", ")));
        }
        if let Some(only) = schema.get("const")
            && !same(only, value)
        {
            path.say(&format!("must be {only}"));
        }
        for part in parts(schema, "allOf") {
            self.value(part, value, path, depth + 1);
        }
        for key in ["anyOf", "oneOf"] {
            let choices = parts(schema, key);
            if !choices.is_empty() && !choices.iter().any(|choice| self.fits(choice, value, depth + 1)) {
                path.say("fits none of the choices in the schema");
            }
        }
        match value {
            Json::Object(map) => self.object(schema, map, path, depth),
            Json::Array(items) => {
                limits(schema, items.len(), ["minItems", "maxItems"], "items", path);
                if let Some(item) = schema.get("items") {
                    for (index, value) in items.iter().enumerate() {
                        path.within(&format!("[{index}]"), |path| {
                            self.value(item, value, path, depth + 1)
                        });
                    }
                }
            }
            Json::String(text) if schema.get("minLength").or(schema.get("maxLength")).is_some() => {
                limits(
                    schema,
                    text.chars().count(),
                    ["minLength", "maxLength"],
                    "characters",
                    path,
                );
            }
            Json::Number(number) => bounds(schema, number, path),
            _ => {}
        }
    }

    fn fits(&self, schema: &'s Json, value: &Json, depth: usize) -> bool {
        let mut found = Vec::new();
        self.value(schema, value, &mut Path::new(&mut found), depth);
        found.is_empty()
    }

    fn object(&self, schema: &'s Json, map: &Map<String, Json>, path: &mut Path<'_>, depth: usize) {
        for name in parts(schema, "required").iter().filter_map(Json::as_str) {
            if !map.contains_key(name) {
                path.within(name, |path| path.say("is missing"));
            }
        }
        let properties = schema.get("properties").and_then(Json::as_object);
        let more = schema.get("additionalProperties");
        for (name, value) in map {
            match (properties.and_then(|known| known.get(name)), more) {
                (Some(property), _) => {
                    path.within(name, |path| self.value(property, value, path, depth + 1));
                }
                (None, Some(Json::Bool(false))) => path.within(name, |path| path.say("is not known")),
                (None, Some(other)) => {
                    path.within(name, |path| self.value(other, value, path, depth + 1));
                }
                (None, None) => {}
            }
        }
    }

    fn coerce(&self, schema: &'s Json, value: &mut Json, depth: usize) {
        let schema = self.resolve(schema);
        if !self.goes_on(depth) || !schema.is_object() {
            return;
        }
        let choices = ["anyOf", "oneOf"].into_iter().flat_map(|key| parts(schema, key));
        let mut choices = choices.peekable();
        if choices.peek().is_some() {
            self.choose(choices, value, depth);
        }
        let kinds = kinds(schema);
        if !kinds.is_empty()
            && !kinds.iter().any(|kind| is_a(kind, value))
            && let Some(meant) = kinds.iter().find_map(|kind| meant(kind, value))
        {
            *value = meant;
        }
        match value {
            Json::Object(map) => {
                if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
                    self.coerce_members(schema, properties, map, depth);
                }
            }
            Json::Array(items) => {
                if let Some(item) = schema.get("items") {
                    items
                        .iter_mut()
                        .for_each(|value| self.coerce(item, value, depth + 1));
                }
            }
            _ => {}
        }
    }

    /// The first choice that the value fits, bent if it must be.
    fn choose(&self, choices: impl Iterator<Item = &'s Json>, value: &mut Json, depth: usize) {
        let mut bent = None;
        for choice in choices {
            if self.fits(choice, value, depth + 1) {
                return;
            }
            if bent.is_none() {
                let mut tried = value.clone();
                self.coerce(choice, &mut tried, depth + 1);
                bent = self.fits(choice, &tried, depth + 1).then_some(tried);
            }
        }
        if let Some(bent) = bent {
            *value = bent;
        }
    }

    fn coerce_members(
        &self,
        schema: &'s Json,
        properties: &'s Map<String, Json>,
        map: &mut Map<String, Json>,
        depth: usize,
    ) {
        let required = parts(schema, "required");
        map.retain(|name, value| {
            let Some(property) = properties.get(name) else {
                return true;
            };
            // A model that must name every argument writes null for those it leaves out.
            let left_out = value.is_null()
                && !required.iter().any(|known| known == name)
                && !self.fits(property, value, depth + 1);
            !left_out
        });
        for (name, value) in map.iter_mut() {
            if let Some(property) = properties.get(name) {
                self.coerce(property, value, depth + 1);
            }
        }
    }
}

fn parts<'s>(schema: &'s Json, key: &str) -> &'s [Json] {
    schema
        .get(key)
        .and_then(Json::as_array)
        .map_or(&[], Vec::as_slice)
}

fn kinds(schema: &Json) -> Vec<&str> {
    match schema.get("type") {
        Some(Json::String(kind)) => vec![kind.as_str()],
        Some(Json::Array(kinds)) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_a(kind: &str, value: &Json) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        // A kind nobody knows forbids nothing.
        _ => true,
    }
}

fn kind_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// 1 and 1.0 are the same number.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// The value of the wanted kind that was meant by another, where there is no doubt.
fn meant(kind: &str, value: &Json) -> Option<Json> {
    let read = |text: &str| serde_json::from_str::<Json>(text.trim()).ok();
    match (kind, value) {
        ("integer" | "number" | "array" | "object", Json::String(text)) => {
            let found = read(text).filter(|found| is_a(kind, found));
            found.or_else(|| (kind == "array").then(|| Json::Array(vec![value.clone()])))
        }
        ("boolean", Json::String(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" => Some(true.into()),
            "false" | "no" => Some(false.into()),
            _ => None,
        },
        ("string", Json::Number(number)) => Some(number.to_string().into()),
        ("string", Json::Bool(flag)) => Some(flag.to_string().into()),
        ("string", Json::Array(_) | Json::Object(_)) => Some(value.to_string().into()),
        ("array", Json::Number(_) | Json::Bool(_) | Json::Object(_)) => {
            Some(Json::Array(vec![value.clone()]))
        }
        _ => None,
    }
}

fn limits(schema: &Json, size: usize, [least, most]: [&str; 2], what: &str, path: &mut Path<'_>) {
    let limit = |key: &str| schema.get(key).and_then(Json::as_u64);
    let size = u64::try_from(size).unwrap_or(u64::MAX);
    if let Some(least) = limit(least).filter(|least| size < *least) {
        path.say(&format!("must have at least {least} {what}"));
    }
    if let Some(most) = limit(most).filter(|most| size > *most) {
        path.say(&format!("must have at most {most} {what}"));
    }
}

fn bounds(schema: &Json, number: &Number, path: &mut Path<'_>) {
    let Some(number) = number.as_f64() else { return };
    let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
    if let Some(least) = bound("minimum").filter(|least| number < *least) {
        path.say(&format!("must be at least {least}"));
    }
    if let Some(most) = bound("maximum").filter(|most| number > *most) {
        path.say(&format!("must be at most {most}"));
    }
}
