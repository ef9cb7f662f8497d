//! The list of components: the same text for everybody who has none of their own.

use std::sync::OnceLock;

use axum::{http::HeaderMap, response::Response};
use serde_json::{Map, Value};

use crate::{
    api::{Cached, tag_of},
    app::components,
    app::user_components::{self, CATEGORY, UserRegistry},
    error::Result,
    http::{identity::Actor, rarely},
    state::App,
};

const NAMES: &str = "component_display_names";

struct List {
    /// All of it.
    whole: Cached,
    /// All but what one's own components would change, and the closing brace.
    head: String,
    custom: Map<String, Value>,
    names: Map<String, Value>,
}

impl List {
    fn new(mut all: Value) -> Self {
        let whole = Cached::new(all.to_string());
        let mut taken = |key: &str| match all.as_object_mut().and_then(|all| all.remove(key)) {
            Some(Value::Object(part)) => part,
            _ => Map::new(),
        };
        let (custom, names) = (taken(CATEGORY), taken(NAMES));
        let mut head = all.to_string();
        head.pop();
        Self {
            whole,
            head,
            custom,
            names,
        }
    }

    fn with(&self, own: &UserRegistry) -> Cached {
        let (mut custom, mut names) = (self.custom.clone(), self.names.clone());
        for (class, node) in own.own() {
            names.insert(class.clone(), node["display_name"].clone());
            let node = components::listed(Value::clone(node), class, CATEGORY, "");
            custom.insert(class.clone(), node);
        }
        let (custom, names) = (
            Value::Object(custom).to_string(),
            Value::Object(names).to_string(),
        );
        let etag = tag_of(&[self.whole.etag().as_bytes(), custom.as_bytes(), names.as_bytes()]);
        let comma = if self.head == "{" { "" } else { "," };
        let json = format!(
            "{}{comma}\"{CATEGORY}\":{custom},\"{NAMES}\":{names}}}",
            self.head
        );
        Cached::tagged(json, etag)
    }
}

pub(super) async fn answer(app: &App, actor: &Actor, headers: &HeaderMap) -> Result<Response> {
    static LIST: OnceLock<List> = OnceLock::new();
    let list = LIST.get_or_init(|| List::new(components::list(&app.runs.catalog)));
    if !user_components::has_any(app, actor.user.id).await {
        return Ok(list.whole.answer(headers));
    }
    let own = rarely(user_components::registry_for(app, actor)).await?;
    if own.own().is_empty() {
        return Ok(list.whole.answer(headers));
    }
    Ok(list.with(&own).answer(headers))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_parts_make_the_whole() {
        let all = json!({ "a": { "X": 1 }, CATEGORY: { "C": {} }, "b": {}, NAMES: { "X": "x" } });
        let list = List::new(all);
        assert_eq!(list.head, "{\"a\":{\"X\":1},\"b\":{}");
        assert_eq!((list.custom.len(), list.names.len()), (1, 1));
        let alone = List::new(json!({ NAMES: {} }));
        assert_eq!(alone.head, "{");
    }
}
