//! What a tool said once, it need not find out again in the same turn: answers of tools that only read what cannot
//! change meanwhile.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ferro_agent::ToolOutput;
use serde_json::{Map, Value as Json};

/// The most a turn keeps; the one that was not asked for longest goes first.
pub(crate) const MAX_ENTRIES: usize = 100;

#[derive(Default)]
pub(crate) struct Cache {
    /// The one that was used last stands last.
    entries: Mutex<VecDeque<(String, ToolOutput)>>,
}

impl Cache {
    pub(crate) fn get(&self, tool: &str, arguments: &Map<String, Json>) -> Option<ToolOutput> {
        let key = key(tool, arguments);
        let mut entries = self.entries();
        let place = entries.iter().position(|(known, _)| *known == key);
        let Some(entry) = place.and_then(|place| entries.remove(place)) else {
            tracing::info!(tool, "assistant.tool_cache.miss");
            metrics::counter!("assistant_tool_cache_miss_total", "tool" => tool.to_owned()).increment(1);
            return None;
        };
        tracing::info!(tool, "assistant.tool_cache.hit");
        metrics::counter!("assistant_tool_cache_hit_total", "tool" => tool.to_owned()).increment(1);
        let output = entry.1.clone();
        entries.push_back(entry);
        Some(output)
    }

    /// Keeps an answer; failures are not for keeping.
    pub(crate) fn put(&self, tool: &str, arguments: &Map<String, Json>, output: &ToolOutput) {
        let key = key(tool, arguments);
        let mut entries = self.entries();
        entries.retain(|(known, _)| *known != key);
        while entries.len() >= MAX_ENTRIES {
            entries.pop_front();
            metrics::counter!("assistant_tool_cache_eviction_total").increment(1);
        }
        entries.push_back((key, output.clone()));
    }

    /// What there is to find has changed.
    pub(crate) fn clear(&self) {
        self.entries().clear();
    }

    fn entries(&self) -> MutexGuard<'_, VecDeque<(String, ToolOutput)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same for the same arguments, in whatever order they came.
fn key(tool: &str, arguments: &Map<String, Json>) -> String {
    format!("{tool} {}", sorted(&Json::Object(arguments.clone())))
}

fn sorted(value: &Json) -> Json {
    match value {
        Json::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            Json::Object(
                members
                    .into_iter()
                    .map(|(key, value)| (key.clone(), sorted(value)))
                    .collect(),
            )
        }
        Json::Array(items) => Json::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(value: &Json) -> Map<String, Json> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn the_order_of_arguments_does_not_matter_but_the_tool_does() {
        let cache = Cache::default();
        let (one, other) = (
            json!({"a": 1, "b": {"c": 2, "d": 3}}),
            json!({"b": {"d": 3, "c": 2}, "a": 1}),
        );
        cache.put("search", &arguments(&one), &ToolOutput::text("found"));
        assert_eq!(cache.get("search", &arguments(&other)).unwrap().text, "found");
        assert!(cache.get("describe", &arguments(&other)).is_none());
        assert!(cache.get("search", &arguments(&json!({"a": 1}))).is_none());
        cache.clear();
        assert!(cache.get("search", &arguments(&one)).is_none());
    }

    #[test]
    fn the_one_that_was_not_asked_for_longest_goes_first() {
        let cache = Cache::default();
        let at = |number: usize| arguments(&json!({ "n": number }));
        for number in 0..MAX_ENTRIES {
            cache.put("t", &at(number), &ToolOutput::text(number.to_string()));
        }
        assert!(cache.get("t", &at(0)).is_some());
        cache.put("t", &at(MAX_ENTRIES), &ToolOutput::text("new"));
        assert!(cache.get("t", &at(0)).is_some(), "it was asked for just now");
        assert!(cache.get("t", &at(1)).is_none());
        assert!(cache.get("t", &at(2)).is_some());
        assert_eq!(cache.entries().len(), MAX_ENTRIES);
    }
}
