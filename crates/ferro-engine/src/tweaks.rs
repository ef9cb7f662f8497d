//! Tweaks: values set for one run only, by the caller. The rules are Langflow's.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use crate::plan::{Plan, PlanNode, VariableField};
use crate::value::Value;

/// Values that win over a node's own, by node.
#[derive(Clone, Default)]
pub struct Overrides {
    pub(crate) by_node: HashMap<u32, Vec<(Arc<str>, Value)>>,
    /// Fields that take the value of another variable than the flow says.
    variables: HashMap<u32, Vec<VariableField>>,
    /// Fields that may not be set from outside, as `node.field`.
    pub refused: Vec<String>,
}

impl Overrides {
    /// `{node id or display name: {field: value}}` sets fields of that node; any other entry sets the field of that
    /// name wherever there is one. What no node knows is passed over.
    pub fn from_tweaks(plan: &Plan, tweaks: &Map<String, Json>) -> Self {
        let mut overrides = Self::default();
        for (key, value) in tweaks {
            let named: Vec<u32> = match plan.index.get(key.as_str()) {
                Some(&node) => vec![node],
                None => (0..)
                    .zip(&plan.nodes)
                    .filter(|(_, n)| n.info.display_name == *key)
                    .map(|(at, _)| at)
                    .collect(),
            };
            match value {
                Json::Object(fields) if !named.is_empty() => {
                    for node in named {
                        for (field, value) in fields {
                            overrides.put(plan, node, field, value);
                        }
                    }
                }
                Json::Object(_) => {}
                value => {
                    for node in 0..u32::try_from(plan.nodes.len()).unwrap_or(u32::MAX) {
                        overrides.put(plan, node, key, value);
                    }
                }
            }
        }
        overrides
    }

    /// Sets one field of one node, as a tweak would.
    pub fn set(&mut self, plan: &Plan, node: &str, field: &str, value: &Json) {
        if let Some(&node) = plan.index.get(node) {
            self.put(plan, node, field, value);
        }
    }

    /// Whether a tweak sets this field.
    pub fn sets(&self, plan: &Plan, node: &str, field: &str) -> bool {
        let fields = plan.index.get(node).and_then(|node| self.by_node.get(node));
        fields.is_some_and(|fields| fields.iter().any(|(name, _)| &**name == field))
    }

    pub(crate) fn of(&self, node: u32) -> Vec<(Arc<str>, Value)> {
        self.by_node.get(&node).cloned().unwrap_or_default()
    }

    pub(crate) fn variables_of(&self, node: u32) -> &[VariableField] {
        self.variables.get(&node).map_or(&[], Vec::as_slice)
    }

    fn put(&mut self, plan: &Plan, at: u32, field: &str, value: &Json) {
        let node = &plan.nodes[at as usize];
        let Some(entry) = node.info.template.get(field).and_then(Json::as_object) else {
            if field == "code" {
                self.refused.push(format!("{}.code", node.id));
            }
            return;
        };
        if is_protected(node, field, entry) {
            self.refused.push(format!("{}.{field}", node.id));
            return;
        }
        let kind = entry.get("type").and_then(Json::as_str).unwrap_or("str");
        let by_name = value.get("load_from_db").and_then(Json::as_bool) == Some(true);
        let Some(value) = tweak_value(kind, value) else {
            return;
        };
        if by_name && !matches!(kind, "dict" | "NestedDict") {
            self.variables.entry(at).or_default().push(VariableField {
                field: Arc::from(field),
                variable: value.to_text().into_owned(),
                password: entry.get("password").and_then(Json::as_bool).unwrap_or_default(),
                lenient: false,
            });
            return;
        }
        let fields = self.by_node.entry(at).or_default();
        match fields.iter_mut().find(|(name, _)| &**name == field) {
            Some((_, old)) => *old = value,
            None => fields.push((Arc::from(field), value)),
        }
    }
}

/// Code is part of the flow, not of a call.
fn is_protected(node: &PlanNode, field: &str, entry: &Map<String, Json>) -> bool {
    let is_code = entry.get("type").and_then(Json::as_str) == Some("code") || field == "code";
    is_code
        || node.info.r#type.starts_with("Python")
            && matches!(field, "python_code" | "global_imports" | "function_code")
}

fn tweak_value(kind: &str, value: &Json) -> Option<Value> {
    let plain = |json: &Json| Some(Value::Plain(Arc::new(json.clone())));
    match (kind, value) {
        ("dict", Json::Object(map)) if map.len() == 1 && map.contains_key("value") => plain(&map["value"]),
        ("NestedDict", Json::String(text)) => match serde_json::from_str::<Json>(text) {
            Ok(json) => plain(&json),
            Err(_) => plain(value),
        },
        ("dict" | "NestedDict" | "mcp", _) => plain(value),
        // Anything else that is an object describes the field; only its value matters to a run.
        (_, Json::Object(map)) => match map.get("value").or_else(|| map.get("file_path")) {
            Some(inner) => plain(inner),
            None if matches!(kind, "other" | "table" | "model") => plain(value),
            None => None,
        },
        _ => plain(value),
    }
}
