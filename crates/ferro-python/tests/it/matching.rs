//! How expectations are compared with what came: see `tests/components/README.md`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libtest_mimic::Trial;
use regex::Regex;
use serde_json::{Value as Json, json};

/// The first place where `got` is not as `want` says, or nothing.
pub fn differs(want: &Json, got: Option<&Json>, at: &str) -> Option<String> {
    if let Some((form, inner)) = form(want) {
        return differs_from_form(form, inner, got, at);
    }
    let Some(got) = got else {
        return Some(format!("{at}: is missing"));
    };
    match (want, got) {
        (Json::Object(want), Json::Object(got)) => want
            .iter()
            .find_map(|(key, value)| differs(value, got.get(key), &format!("{at}.{key}"))),
        (Json::Array(want), Json::Array(items)) if want.len() == items.len() => {
            let mut pairs = want.iter().zip(items).enumerate();
            pairs.find_map(|(number, (want, got))| differs(want, Some(got), &format!("{at}[{number}]")))
        }
        (Json::Number(want), Json::Number(number)) if want.as_f64() == number.as_f64() => None,
        _ if want == got => None,
        _ => Some(format!("{at}: is {}, not {want}", short(got))),
    }
}

/// `{"$re": …}` and its like.
fn form(want: &Json) -> Option<(&str, &Json)> {
    let object = want.as_object().filter(|object| object.len() == 1)?;
    let (key, inner) = object.iter().next()?;
    let known = ["$absent", "$len", "$contains", "$re", "$values"].contains(&key.as_str());
    known.then_some((key.as_str(), inner))
}

fn differs_from_form(form: &str, inner: &Json, got: Option<&Json>, at: &str) -> Option<String> {
    let Some(got) = got else {
        return (form != "$absent").then(|| format!("{at}: is missing"));
    };
    let holds = match (form, got) {
        ("$len", _) => length(got).is_some_and(|length| inner.as_u64() == Some(length as u64)),
        ("$contains", Json::String(text)) => inner.as_str().is_some_and(|part| text.contains(part)),
        ("$contains", Json::Array(items)) => {
            items.iter().any(|item| differs(inner, Some(item), at).is_none())
        }
        ("$re", Json::String(text)) => Regex::new(inner.as_str().unwrap_or_default())
            .unwrap()
            .is_match(text),
        ("$values", Json::Object(object)) => {
            let values = Json::Array(object.values().cloned().collect());
            return differs(inner, Some(&values), at);
        }
        _ => false,
    };
    (!holds).then(|| format!("{at}: is {}, not {form} {inner}", short(got)))
}

fn length(value: &Json) -> Option<usize> {
    match value {
        Json::Array(items) => Some(items.len()),
        Json::Object(object) => Some(object.len()),
        Json::String(text) => Some(text.chars().count()),
        _ => None,
    }
}

pub fn short(value: &Json) -> String {
    let text = value.to_string();
    text.char_indices()
        .nth(400)
        .map_or_else(|| text.clone(), |(end, _)| format!("{}…", &text[..end]))
}

/// Events that were expected, in their order, among all that came.
pub fn events_differ(wanted: &[Json], came: &[Json]) -> Option<String> {
    let mut came_left = came.iter();
    let missing = wanted
        .iter()
        .find(|want| !came_left.any(|event| differs(want, Some(event), "event").is_none()))?;
    Some(format!("no event {missing} among {}", short(&json!(came))))
}

/// Puts base64 in the place of every `{"$b64": …}`.
pub fn with_base64(value: &Json) -> Json {
    match value {
        Json::Object(object) if object.len() == 1 && object.contains_key("$b64") => {
            let inner = &object["$b64"];
            let text = inner.as_str().map_or_else(|| inner.to_string(), str::to_owned);
            STANDARD.encode(text).into()
        }
        Json::Object(object) => object
            .iter()
            .map(|(key, value)| (key.clone(), with_base64(value)))
            .collect(),
        Json::Array(items) => items.iter().map(with_base64).collect(),
        other => other.clone(),
    }
}

/// Lays `patch` over `target`, objects key by key.
pub fn merge(target: &mut Json, patch: &Json) {
    match (target, patch) {
        (Json::Object(target), Json::Object(patch)) => {
            for (key, value) in patch {
                merge(target.entry(key.clone()).or_insert(Json::Null), value);
            }
        }
        (target, patch) => *target = patch.clone(),
    }
}

pub fn list(trials: &mut Vec<Trial>) {
    trials.push(Trial::test("matching::forms", || {
        forms();
        Ok(())
    }));
}

fn forms() {
    let got = json!({ "a": [1, 2.0, "three"], "b": { "c": null }, "t": "some text" });
    let fits = [
        json!({}),
        json!({ "a": [1.0, 2, "three"] }),
        json!({ "a": { "$len": 3 }, "b": { "$len": 1 }, "t": { "$len": 9 } }),
        json!({ "a": { "$contains": { "$re": "^th" } }, "t": { "$contains": "e te" } }),
        json!({ "b": { "c": null, "d": { "$absent": true } } }),
        json!({ "b": { "$values": [null] } }),
    ];
    for want in fits {
        assert_eq!(differs(&want, Some(&got), "got"), None, "{want}");
    }
    let differing = [
        json!({ "a": [1, 2] }),
        json!({ "a": [1, 2, "3"] }),
        json!({ "b": { "c": { "$absent": true } } }),
        json!({ "b": { "c": false } }),
        json!({ "x": null }),
        json!({ "a": { "$len": 2 } }),
        json!({ "t": { "$re": "^text" } }),
        json!({ "a": { "$contains": 4 } }),
        json!({ "t": ["some text"] }),
        json!({ "b": { "$values": [1] } }),
    ];
    for want in differing {
        assert!(differs(&want, Some(&got), "got").is_some(), "{want}");
    }
    let came = [json!({ "n": 1 }), json!({ "n": 2 }), json!({ "n": 3 })];
    assert_eq!(
        events_differ(&[json!({ "n": 1 }), json!({ "n": 3 })], &came),
        None
    );
    assert!(events_differ(&[json!({ "n": 3 }), json!({ "n": 1 })], &came).is_some());
    let base64 = with_base64(&json!([{ "$b64": "é" }, { "$b64": { "a": 1 } }, { "$b64": "x", "more": 1 }]));
    assert_eq!(
        base64,
        json!(["w6k=", "eyJhIjoxfQ==", { "$b64": "x", "more": 1 }])
    );
    let mut target = json!({ "a": { "b": 1, "c": 2 } });
    merge(&mut target, &json!({ "a": { "b": 9, "d": { "e": 3 } } }));
    assert_eq!(target, json!({ "a": { "b": 9, "c": 2, "d": { "e": 3 } } }));
}
