//! What queries do with JSON values: compare, add, measure.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value as Json};

use super::tree::Op;

pub(super) fn add(left: &Json, right: &Json) -> Result<Json, String> {
    Ok(match (left, right) {
        (Json::Null, other) | (other, Json::Null) => other.clone(),
        (Json::String(a), Json::String(b)) => Json::String(format!("{a}{b}")),
        (Json::Array(a), Json::Array(b)) => a.iter().chain(b).cloned().collect(),
        (Json::Object(a), Json::Object(b)) => {
            let mut map = a.clone();
            map.extend(b.clone());
            Json::Object(map)
        }
        (Json::Number(a), Json::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) if a.checked_add(b).is_some() => Json::from(a + b),
            _ => number(a.as_f64().unwrap_or_default() + b.as_f64().unwrap_or_default()),
        },
        _ => return Err(format!("{} and {} cannot be added", kind(left), kind(right))),
    })
}

pub(super) fn arithmetic(op: Op, left: &Json, right: &Json) -> Result<Json, String> {
    if let (Op::Subtract, Json::Array(a), Json::Array(b)) = (op, left, right) {
        return Ok(a
            .iter()
            .filter(|item| !b.iter().any(|other| compare(item, other).is_eq()))
            .cloned()
            .collect());
    }
    let (Some(a), Some(b)) = (left.as_f64(), right.as_f64()) else {
        return Err(format!("{} and {} are not numbers", kind(left), kind(right)));
    };
    if matches!(op, Op::Divide | Op::Remainder) && b == 0.0 {
        return Err(format!("{left} cannot be divided by 0"));
    }
    Ok(number(match op {
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        _ => a % b,
    }))
}

/// Whole numbers are written without a decimal point.
pub(super) fn number(value: f64) -> Json {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Json::from(value as i64);
    }
    Number::from_f64(value).map_or(Json::Null, Json::Number)
}

pub(super) fn truth(json: &Json) -> bool {
    !matches!(json, Json::Null | Json::Bool(false))
}

pub(super) fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}

/// null, false, true, numbers, texts, lists, objects: in this order.
pub(super) fn compare(left: &Json, right: &Json) -> Ordering {
    let rank = |json: &Json| match json {
        Json::Null => 0,
        Json::Bool(false) => 1,
        Json::Bool(true) => 2,
        Json::Number(_) => 3,
        Json::String(_) => 4,
        Json::Array(_) => 5,
        Json::Object(_) => 6,
    };
    match (left, right) {
        (Json::Number(a), Json::Number(b)) => a
            .as_f64()
            .unwrap_or_default()
            .total_cmp(&b.as_f64().unwrap_or_default()),
        (Json::String(a), Json::String(b)) => a.cmp(b),
        (Json::Array(a), Json::Array(b)) => {
            let differing = a
                .iter()
                .zip(b)
                .map(|(a, b)| compare(a, b))
                .find(|order| order.is_ne());
            differing.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Json::Object(a), Json::Object(b)) => {
            let sorted = |map: &Map<String, Json>| {
                let mut keys: Vec<String> = map.keys().cloned().collect();
                keys.sort();
                keys
            };
            let (keys, others) = (sorted(a), sorted(b));
            keys.cmp(&others).then_with(|| {
                let orders = keys.iter().map(|key| compare(&a[key], &b[key]));
                orders
                    .into_iter()
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            })
        }
        _ => rank(left).cmp(&rank(right)),
    }
}

pub(super) fn size(json: &Json) -> usize {
    1 + match json {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(size).sum(),
        Json::Object(map) => map.iter().map(|(key, value)| key.len() + size(value)).sum(),
        _ => 0,
    }
}
