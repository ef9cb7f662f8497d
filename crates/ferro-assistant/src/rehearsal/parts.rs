//! Components as the tools tell of them: which one a search found, and what it is like.

use serde_json::{Value as Json, json};

use super::said::{fold, spaced, words};
use super::tape::{Heard, Step, Tape, call};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Port {
    pub name: String,
    pub types: Vec<String>,
}

/// A component as the tools described it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub r#type: String,
    pub name: String,
    pub outputs: Vec<Port>,
    pub inputs: Vec<Port>,
    /// Names of everything that can be set.
    pub fields: Vec<String>,
}

impl Part {
    fn read(heard: &Heard) -> Self {
        let text = |json: &Json, key: &str| {
            json.get(key)
                .and_then(Json::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let types = |json: &Json, key: &str| {
            let list = json.get(key).and_then(Json::as_array);
            let names = list.into_iter().flatten().filter_map(Json::as_str);
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        let ports = |key: &str, kinds: &str| {
            let port = |json: &Json| Port {
                name: text(json, "name"),
                types: types(json, kinds),
            };
            heard.list(key).iter().map(port).collect::<Vec<_>>()
        };
        let inputs = ports("inputs", "input_types");
        let mut fields: Vec<String> = inputs.iter().map(|port| port.name.clone()).collect();
        for key in ["fields", "advanced_fields"] {
            match heard.json.get(key) {
                Some(Json::Object(map)) => fields.extend(map.keys().cloned()),
                Some(Json::Array(list)) => fields.extend(list.iter().filter_map(|field| {
                    let name = field
                        .as_str()
                        .or_else(|| field.get("name").and_then(Json::as_str));
                    name.map(str::to_owned)
                })),
                _ => {}
            }
        }
        fields.dedup();
        let name = text(&heard.json, "display_name");
        Self {
            r#type: text(&heard.json, "type"),
            name,
            outputs: ports("outputs", "types"),
            inputs,
            fields,
        }
    }

    /// The first of these that it has.
    pub(super) fn field<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        let has = |name: &&&str| self.fields.iter().any(|field| field == *name);
        names.iter().find(has).copied()
    }

    /// What it is called, for people.
    pub(super) fn label(&self) -> &str {
        if self.name.is_empty() {
            &self.r#type
        } else {
            &self.name
        }
    }
}

/// Searches for all of these at once, then has the best finds described. `None` where nothing fits the words.
pub(super) fn look_up(tape: &mut Tape<'_>, queries: &[&str]) -> Step<Vec<Option<Part>>> {
    let mut unique: Vec<&str> = Vec::new();
    for query in queries {
        if !unique.contains(query) {
            unique.push(query);
        }
    }
    let searches = unique
        .iter()
        .map(|query| call("search_components", &[("query", json!(query))]));
    let heard = tape.all(searches.collect())?;
    let types: Vec<Option<String>> = unique
        .iter()
        .zip(&heard)
        .map(|(query, heard)| best(query, heard))
        .collect();
    let known: Vec<&str> = types.iter().flatten().map(String::as_str).collect();
    let parts = describe(tape, &known)?;
    let find = |query: &&str| {
        let place = unique.iter().position(|known| known == query)?;
        let wanted = types.get(place)?.as_ref()?;
        parts.iter().find(|part| part.r#type == *wanted).cloned()
    };
    Ok(queries.iter().map(find).collect())
}

/// Has these types described, each once. Those that cannot be are left out.
pub(super) fn describe(tape: &mut Tape<'_>, types: &[&str]) -> Step<Vec<Part>> {
    let mut unique: Vec<&str> = Vec::new();
    for kind in types {
        if !unique.contains(kind) {
            unique.push(kind);
        }
    }
    let calls = unique
        .iter()
        .map(|kind| call("describe_component", &[("component_type", json!(kind))]));
    let heard = tape.all(calls.collect())?;
    let mut parts = Vec::new();
    for (kind, heard) in unique.iter().zip(&heard) {
        let mut part = Part::read(heard);
        if !heard.failed {
            (*kind).clone_into(&mut part.r#type);
            parts.push(part);
        }
    }
    Ok(parts)
}

/// The type among the results that the words mean.
fn best(query: &str, heard: &Heard) -> Option<String> {
    let wanted = spaced(query);
    let mut found: Option<(u32, &str)> = None;
    for result in heard.list("results") {
        let text = |key: &str| result.get(key).and_then(Json::as_str).unwrap_or_default();
        let (kind, name) = (text("type"), text("display_name"));
        let squeezed = |text: &str| spaced(text).replace(' ', "");
        let score = if spaced(name) == wanted {
            5
        } else if squeezed(kind) == squeezed(query)
            || squeezed(kind) == format!("{}component", squeezed(query))
        {
            4
        } else if words(&wanted).all(|word| spaced(name).contains(word)) {
            3
        } else if words(&wanted).all(|word| fold(kind).contains(word)) {
            2
        } else if words(&wanted).all(|word| fold(text("description")).contains(word)) {
            1
        } else {
            0
        };
        // Of two that fit equally the search's own order counts.
        if !kind.is_empty() && score > found.map_or(0, |(best, _)| best) {
            found = Some((score, kind));
        }
    }
    found.map(|(_, kind)| kind.to_owned())
}
