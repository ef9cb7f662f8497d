//! Content blocks: the steps and attachments of a message.

use std::borrow::Cow;

use serde_json::{Value as Json, json};

/// Blocks in the shape of Langflow's first API. Groups stay; a list of steps that used tools becomes one group
/// that ends with the answer; other blocks that stand alone have no place there.
pub fn grouped(blocks: Cow<'_, [Json]>) -> Cow<'_, [Json]> {
    if blocks.iter().all(is_plain_group) {
        return blocks;
    }
    let is_tool = |block: &Json| kind_of(block) == "tool_use";
    let mut groups: Vec<Json> = blocks.iter().filter(|block| is_group(block)).map(group).collect();
    if blocks.iter().any(is_tool) {
        let mut steps: Vec<Json> = blocks.iter().filter(|block| !is_group(block)).cloned().collect();
        // What is said after the last tool is the answer.
        let answer = steps.iter().rposition(|step| kind_of(step) == "text");
        let tool = steps.iter().rposition(is_tool);
        if let Some(text) = answer
            .filter(|at| Some(*at) > tool)
            .and_then(|at| steps[at].as_object_mut())
        {
            text.insert(
                "header".to_owned(),
                json!({ "title": "Output", "icon": "MessageSquare" }),
            );
        }
        groups.push(
            json!({ "title": "Agent Steps", "contents": steps, "allow_markdown": true, "media_url": null }),
        );
    }
    Cow::Owned(groups)
}

pub fn kind_of(block: &Json) -> &str {
    block.get("type").and_then(Json::as_str).unwrap_or_default()
}

fn is_group(block: &Json) -> bool {
    match kind_of(block) {
        "group" => true,
        "" => block.get("contents").is_some_and(Json::is_array),
        _ => false,
    }
}

fn is_plain_group(block: &Json) -> bool {
    const KEYS: [&str; 4] = ["title", "contents", "allow_markdown", "media_url"];
    let Some(map) = block.as_object() else {
        return false;
    };
    is_group(block) && map.len() == KEYS.len() && KEYS.iter().all(|key| map.contains_key(*key))
}

fn group(block: &Json) -> Json {
    let get = |key: &str| block.get(key).cloned();
    json!({
        "title": get("title").unwrap_or_else(|| "".into()),
        "contents": get("contents").unwrap_or_else(|| json!([])),
        "allow_markdown": get("allow_markdown").unwrap_or_else(|| true.into()),
        "media_url": get("media_url"),
    })
}

/// The blocks of a message that stand for something: those of groups one by one, with both places.
pub fn leaves(blocks: &[Json]) -> impl Iterator<Item = (usize, usize, &Json)> {
    blocks.iter().enumerate().flat_map(|(i, block)| {
        let contents = block
            .get("contents")
            .filter(|_| is_group(block))
            .and_then(Json::as_array);
        let leaves = contents.map_or(std::slice::from_ref(block), Vec::as_slice);
        leaves.iter().enumerate().map(move |(j, leaf)| (i, j, leaf))
    })
}

/// One use of a tool, as a block tells it.
pub struct ToolUse<'a> {
    pub name: &'a str,
    /// JSON.
    pub arguments: String,
    /// Text, or JSON when it is something else; `None` until there is one.
    pub result: Option<String>,
}

impl<'a> ToolUse<'a> {
    pub fn of(block: &'a Json) -> Option<Self> {
        if kind_of(block) != "tool_use" {
            return None;
        }
        let get = |key: &str| block.get(key).filter(|value| !value.is_null());
        let input = get("tool_input").or_else(|| get("input"));
        let result = get("output").or_else(|| get("error"));
        Some(Self {
            name: get("name").and_then(Json::as_str).unwrap_or_default(),
            arguments: input.map_or_else(|| "{}".to_owned(), Json::to_string),
            result: result.map(|result| result.as_str().map_or_else(|| result.to_string(), str::to_owned)),
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn steps_become_one_group_for_old_clients() {
        let steps = vec![
            json!({ "type": "text", "text": "thinking" }),
            json!({ "type": "tool_use", "name": "search", "input": { "q": "x" }, "output": "y" }),
            json!({ "type": "text", "text": "answer" }),
            json!({ "type": "group", "title": "Mine", "contents": [], "id": "7" }),
        ];
        let shown = grouped(Cow::Borrowed(&steps));
        expect![[r#"
            [
              {
                "title": "Mine",
                "contents": [],
                "allow_markdown": true,
                "media_url": null
              },
              {
                "title": "Agent Steps",
                "contents": [
                  {
                    "type": "text",
                    "text": "thinking"
                  },
                  {
                    "type": "tool_use",
                    "name": "search",
                    "input": {
                      "q": "x"
                    },
                    "output": "y"
                  },
                  {
                    "type": "text",
                    "text": "answer",
                    "header": {
                      "title": "Output",
                      "icon": "MessageSquare"
                    }
                  }
                ],
                "allow_markdown": true,
                "media_url": null
              }
            ]"#]]
        .assert_eq(&serde_json::to_string_pretty(&shown).unwrap());
        let lone = [json!({ "type": "json", "data": {} })];
        assert!(grouped(Cow::Borrowed(&lone)).is_empty());
        assert!(matches!(grouped(shown), Cow::Owned(groups) if groups.len() == 2));
    }
}
