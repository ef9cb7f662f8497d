//! The functions a query can call.

use std::borrow::Cow;

use serde_json::{Map, Value as Json, json};

use super::super::{pattern, tabular, template};
use super::delete::delete;
use super::eval::{Item, Items, Walk};
use super::tree::Expr;
use super::values::{add, compare, kind, number, size, truth};

/// The names of those that take no, one, two arguments.
const KNOWN: [&str; 3] = [
    "length keys values not type tostring tonumber tojson fromjson add any all flatten reverse sort unique min max first \
     last to_entries from_entries ascii_downcase ascii_upcase empty floor ceil round sqrt abs trim arrays objects strings \
     numbers booleans nulls scalars recurse",
    "select map map_values sort_by group_by unique_by min_by max_by first any all flatten join split startswith endswith \
     ltrimstr rtrimstr contains has test with_entries del range index",
    "limit range sub gsub",
];

pub(super) fn exists(name: &str, arguments: usize) -> bool {
    KNOWN
        .get(arguments)
        .is_some_and(|names| names.split_whitespace().any(|known| known == name))
}

pub(super) fn call<'a>(walk: &mut Walk, name: &str, arguments: &[Expr], input: Item<'a>) -> Items<'a> {
    match arguments {
        [] => alone(walk, name, input),
        [argument] if is_over_entries(name) => over_entries(walk, name, argument, input),
        [argument] => with_one(walk, name, argument, input),
        [first, second] => with_two(walk, name, (first, second), input),
        _ => Err(format!("{name} takes fewer arguments")),
    }
}

fn made<'a>(json: impl Into<Json>) -> Items<'a> {
    Ok(vec![Cow::Owned(json.into())])
}

fn alone<'a>(walk: &mut Walk, name: &str, input: Item<'a>) -> Items<'a> {
    walk.charge(size(&input))?;
    let keep_if = |keep: bool, input: Item<'a>| Ok(if keep { vec![input] } else { Vec::new() });
    match name {
        "empty" => return Ok(Vec::new()),
        "arrays" => return keep_if(input.is_array(), input),
        "objects" => return keep_if(input.is_object(), input),
        "strings" => return keep_if(input.is_string(), input),
        "numbers" => return keep_if(input.is_number(), input),
        "booleans" => return keep_if(input.is_boolean(), input),
        "nulls" => return keep_if(input.is_null(), input),
        "scalars" => return keep_if(!input.is_array() && !input.is_object(), input),
        "values" => return keep_if(!input.is_null(), input),
        "recurse" => return walk.eval(&Expr::Descend, input),
        _ => {}
    }
    let value = match name {
        "length" => length(&input)?,
        "not" => Json::Bool(!truth(&input)),
        "type" => kind(&input)
            .trim_start_matches("a ")
            .trim_start_matches("an ")
            .into(),
        "tojson" => input.to_string().into(),
        "tostring" => match &*input {
            Json::String(_) => input.into_owned(),
            other => other.to_string().into(),
        },
        "fromjson" => {
            serde_json::from_str(text(&input)?).map_err(|error| format!("the text is not JSON: {error}"))?
        }
        "tonumber" => match &*input {
            Json::Number(_) => input.into_owned(),
            Json::String(text) => tabular::number(text).ok_or_else(|| format!("{text:?} is not a number"))?,
            other => return Err(format!("{} is not a number", kind(other))),
        },
        "ascii_downcase" => text(&input)?.to_ascii_lowercase().into(),
        "ascii_upcase" => text(&input)?.to_ascii_uppercase().into(),
        "trim" => text(&input)?.trim().into(),
        "floor" => number(float(&input)?.floor()),
        "ceil" => number(float(&input)?.ceil()),
        "round" => number(float(&input)?.round()),
        "sqrt" => number(float(&input)?.sqrt()),
        "abs" => number(float(&input)?.abs()),
        "keys" => keys(&input)?,
        "to_entries" => entries(object(&input)?),
        "from_entries" => from_entries(array(&input)?)?,
        _ => over_list(name, &input)?,
    };
    made(value)
}

fn over_list(name: &str, input: &Item<'_>) -> Result<Json, String> {
    if name == "add" {
        let items: Vec<&Json> = match &**input {
            Json::Object(map) => map.values().collect(),
            _ => array(input)?.iter().collect(),
        };
        return sum(&items);
    }
    if let (Json::String(text), "reverse") = (&**input, name) {
        return Ok(text.chars().rev().collect::<String>().into());
    }
    let items = array(input)?;
    Ok(match name {
        "any" => items.iter().any(truth).into(),
        "all" => items.iter().all(truth).into(),
        "flatten" => Json::Array(flatten(items, usize::MAX)),
        "reverse" => items.iter().rev().cloned().collect(),
        "sort" => Json::Array(sorted(items)),
        "unique" => {
            let mut list = sorted(items);
            list.dedup_by(|a, b| compare(a, b).is_eq());
            Json::Array(list)
        }
        "min" => items
            .iter()
            .min_by(|a, b| compare(a, b))
            .cloned()
            .unwrap_or_default(),
        "max" => items
            .iter()
            .max_by(|a, b| compare(a, b))
            .cloned()
            .unwrap_or_default(),
        "first" => items.first().cloned().unwrap_or_default(),
        _ => items.last().cloned().unwrap_or_default(),
    })
}

/// Adds up pairwise, so that joining many texts does not copy the first ones over and over.
fn sum(items: &[&Json]) -> Result<Json, String> {
    match items {
        [] => Ok(Json::Null),
        [one] => Ok((*one).clone()),
        more => {
            let (left, right) = more.split_at(more.len() / 2);
            add(&sum(left)?, &sum(right)?)
        }
    }
}

fn is_over_entries(name: &str) -> bool {
    matches!(
        name,
        "map"
            | "map_values"
            | "sort_by"
            | "group_by"
            | "unique_by"
            | "min_by"
            | "max_by"
            | "any"
            | "all"
            | "with_entries"
    )
}

fn over_entries<'a>(walk: &mut Walk, name: &str, argument: &Expr, input: Item<'a>) -> Items<'a> {
    walk.charge(size(&input))?;
    if name == "with_entries" {
        let listed = entries(object(&input)?);
        let mut changed = Vec::new();
        for entry in array(&Cow::Owned(listed))? {
            for item in walk.eval(argument, Cow::Borrowed(entry))? {
                changed.push(item.into_owned());
            }
        }
        return made(from_entries(&changed)?);
    }
    if name == "map_values"
        && let Json::Object(map) = &*input
    {
        let mut changed = Map::new();
        for (key, value) in map {
            if let Some(item) = walk.eval(argument, Cow::Borrowed(value))?.into_iter().next() {
                changed.insert(key.clone(), walk.own(item)?);
            }
        }
        return made(changed);
    }
    let items = array(&input)?;
    if matches!(name, "map" | "map_values") {
        let mut changed = Vec::new();
        for item in items {
            for found in walk.eval(argument, Cow::Borrowed(item))? {
                changed.push(walk.own(found)?);
            }
        }
        return made(changed);
    }
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        keyed.push((walk.one(argument, &Cow::Borrowed(item))?, item));
    }
    made(by_key(name, keyed))
}

fn by_key(name: &str, mut keyed: Vec<(Json, &Json)>) -> Json {
    match name {
        "any" => return keyed.iter().any(|(key, _)| truth(key)).into(),
        "all" => return keyed.iter().all(|(key, _)| truth(key)).into(),
        _ => keyed.sort_by(|(a, _), (b, _)| compare(a, b)),
    }
    match name {
        "sort_by" => keyed.into_iter().map(|(_, item)| item.clone()).collect(),
        "min_by" => keyed.first().map(|(_, item)| (*item).clone()).unwrap_or_default(),
        "max_by" => keyed.last().map(|(_, item)| (*item).clone()).unwrap_or_default(),
        _ => {
            let groups = keyed.chunk_by(|(a, _), (b, _)| compare(a, b).is_eq());
            groups
                .map(|group| match name {
                    "unique_by" => group[0].1.clone(),
                    _ => group.iter().map(|(_, item)| (*item).clone()).collect(),
                })
                .collect()
        }
    }
}

fn with_one<'a>(walk: &mut Walk, name: &str, argument: &Expr, input: Item<'a>) -> Items<'a> {
    match name {
        "select" => {
            let tests = walk.eval(argument, Cow::Borrowed(&*input))?;
            let hits = tests.iter().filter(|test| truth(test)).count();
            return Ok(std::iter::repeat_n(input, hits).collect());
        }
        "first" => {
            let mut found = walk.eval(argument, input)?;
            found.truncate(1);
            return Ok(found);
        }
        "del" => return made(delete(walk, argument, input)?),
        "range" => {
            let end = walk.one(argument, &input)?;
            return range(walk, 0.0, float(&Cow::Owned(end))?);
        }
        _ => {}
    }
    let given = Cow::Owned(walk.one(argument, &input)?);
    walk.charge(size(&input))?;
    made(match name {
        "join" => {
            let parts: Vec<_> = array(&input)?.iter().map(template::show).collect();
            parts.join(text(&given)?).into()
        }
        "split" => text(&input)?.split(text(&given)?).collect::<Vec<_>>().into(),
        "startswith" => text(&input)?.starts_with(text(&given)?).into(),
        "endswith" => text(&input)?.ends_with(text(&given)?).into(),
        "ltrimstr" => text(&input)?
            .strip_prefix(text(&given)?)
            .unwrap_or(text(&input)?)
            .into(),
        "rtrimstr" => text(&input)?
            .strip_suffix(text(&given)?)
            .unwrap_or(text(&input)?)
            .into(),
        "test" => regex(text(&given)?)?.is_match(text(&input)?).into(),
        "index" => {
            let found = text(&input)?.find(text(&given)?);
            found.map_or(Json::Null, |at| {
                text(&input).unwrap_or_default()[..at].chars().count().into()
            })
        }
        "has" => match (&*input, &*given) {
            (Json::Object(map), Json::String(key)) => map.contains_key(key).into(),
            (Json::Array(items), Json::Number(at)) => {
                at.as_u64().is_some_and(|at| at < items.len() as u64).into()
            }
            (other, _) => return Err(format!("has cannot look into {}", kind(other))),
        },
        "flatten" => Json::Array(flatten(array(&input)?, float(&given)?.max(0.0) as usize)),
        _ => contains(&input, &given).into(),
    })
}

fn with_two<'a>(walk: &mut Walk, name: &str, (first, second): (&Expr, &Expr), input: Item<'a>) -> Items<'a> {
    match name {
        "limit" => {
            let limit = float(&Cow::Owned(walk.one(first, &input)?))?;
            let mut found = walk.eval(second, input)?;
            found.truncate(limit.max(0.0) as usize);
            Ok(found)
        }
        "range" => {
            let from = float(&Cow::Owned(walk.one(first, &input)?))?;
            let to = float(&Cow::Owned(walk.one(second, &input)?))?;
            range(walk, from, to)
        }
        _ => {
            let (search, with) = (
                Cow::Owned(walk.one(first, &input)?),
                Cow::Owned(walk.one(second, &input)?),
            );
            let regex = regex(text(&search)?)?;
            let with = pattern::replacement(text(&with)?);
            let limit = usize::from(name == "sub");
            let replaced = regex.replacen(text(&input)?, limit, with.as_str()).into_owned();
            walk.charge(replaced.len())?;
            made(replaced)
        }
    }
}

fn range<'a>(walk: &mut Walk, from: f64, to: f64) -> Items<'a> {
    let count = (to - from).ceil().max(0.0) as usize;
    walk.charge(count.saturating_mul(8))?;
    Ok((0..count)
        .map(|step| Cow::Owned(number(from + step as f64)))
        .collect())
}

fn length(input: &Item<'_>) -> Result<Json, String> {
    Ok(match &**input {
        Json::Null => 0.into(),
        Json::String(text) => text.chars().count().into(),
        Json::Array(items) => items.len().into(),
        Json::Object(map) => map.len().into(),
        Json::Number(_) => number(float(input)?.abs()),
        Json::Bool(_) => return Err("a boolean has no length".to_owned()),
    })
}

fn keys(input: &Item<'_>) -> Result<Json, String> {
    match &**input {
        Json::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            Ok(json!(keys))
        }
        Json::Array(items) => Ok((0..items.len()).collect()),
        other => Err(format!("{} has no keys", kind(other))),
    }
}

fn entries(map: &Map<String, Json>) -> Json {
    map.iter()
        .map(|(key, value)| json!({ "key": key, "value": value }))
        .collect()
}

fn from_entries(items: &[Json]) -> Result<Json, String> {
    let mut map = Map::new();
    for item in items {
        let get = |names: &[&str]| names.iter().find_map(|name| item.get(name)).cloned();
        let key = get(&["key", "k", "name"]).ok_or("an entry has no key")?;
        map.insert(
            template::show(&key).into_owned(),
            get(&["value", "v"]).unwrap_or_default(),
        );
    }
    Ok(Json::Object(map))
}

fn flatten(items: &[Json], depth: usize) -> Vec<Json> {
    let mut flat = Vec::new();
    for item in items {
        match item {
            Json::Array(inner) if depth > 0 => flat.extend(flatten(inner, depth - 1)),
            other => flat.push(other.clone()),
        }
    }
    flat
}

fn sorted(items: &[Json]) -> Vec<Json> {
    let mut list = items.to_vec();
    list.sort_by(compare);
    list
}

fn contains(outer: &Json, inner: &Json) -> bool {
    match (outer, inner) {
        (Json::String(outer), Json::String(inner)) => outer.contains(inner.as_str()),
        (Json::Array(outer), Json::Array(inner)) => inner
            .iter()
            .all(|item| outer.iter().any(|other| contains(other, item))),
        (Json::Object(outer), Json::Object(inner)) => inner
            .iter()
            .all(|(key, item)| outer.get(key).is_some_and(|other| contains(other, item))),
        _ => compare(outer, inner).is_eq(),
    }
}

fn regex(written: &str) -> Result<regex::Regex, String> {
    pattern::compile(written, "query").map_err(|failure| failure.message)
}

fn text<'v>(item: &'v Item<'_>) -> Result<&'v str, String> {
    item.as_str()
        .ok_or_else(|| format!("{} is not a text", kind(item)))
}

fn float(item: &Item<'_>) -> Result<f64, String> {
    item.as_f64()
        .ok_or_else(|| format!("{} is not a number", kind(item)))
}

fn array<'v>(item: &'v Item<'_>) -> Result<&'v [Json], String> {
    item.as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| format!("{} is not a list", kind(item)))
}

fn object<'v>(item: &'v Item<'_>) -> Result<&'v Map<String, Json>, String> {
    item.as_object()
        .ok_or_else(|| format!("{} is not an object", kind(item)))
}
