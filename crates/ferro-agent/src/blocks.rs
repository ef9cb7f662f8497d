//! `Blocks`: what happened as the content blocks of a message: a flat list of texts, thoughts and tool calls, in the
//! order they came.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use crate::event::AgentEvent;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Blocks {
    list: Vec<Map<String, Json>>,
    /// Where the blocks of the model's last answer begin.
    #[serde(default)]
    turn: usize,
}

impl Blocks {
    /// As a message carries them.
    pub fn to_json(&self) -> Vec<Json> {
        self.list.iter().cloned().map(Json::Object).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes one event in. `false` when nothing changed that people see.
    pub fn add(&mut self, event: &AgentEvent) -> bool {
        match event {
            AgentEvent::Iteration(_) => {
                self.turn = self.list.len();
                return false;
            }
            AgentEvent::Text(chunk) => self.append("text", chunk),
            AgentEvent::Reasoning(chunk) => self.append("reasoning", chunk),
            AgentEvent::ToolCalled { id, name } => {
                self.tool(id, name);
            }
            AgentEvent::ToolWaiting { id, name, arguments } => {
                let block = self.tool(id, name);
                block.insert("tool_input".to_owned(), Json::Object(arguments.clone()));
                block.insert("header".to_owned(), header(&format!("Waiting to use **{name}**")));
            }
            AgentEvent::ToolStarted { id, name, arguments } => {
                let block = self.tool(id, name);
                block.insert("tool_input".to_owned(), Json::Object(arguments.clone()));
                block.insert("header".to_owned(), header(&format!("Accessing **{name}**")));
            }
            AgentEvent::ToolFinished {
                id,
                name,
                output,
                is_error,
                duration,
            } => {
                let block = self.tool(id, name);
                let place = if *is_error { "error" } else { "output" };
                let title = if *is_error { "Failed to use" } else { "Executed" };
                block.insert(place.to_owned(), output.clone());
                let ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
                block.insert("duration".to_owned(), ms.into());
                block.insert("header".to_owned(), header(&format!("{title} **{name}**")));
            }
            AgentEvent::Discarded { .. } => self.list.truncate(self.turn),
            AgentEvent::ToolArguments { .. } | AgentEvent::Usage(_) => return false,
        }
        true
    }

    /// More text at the end, in the last block if it is of this kind and this turn.
    fn append(&mut self, kind: &str, chunk: &str) {
        if self.list.len() > self.turn
            && let Some(last) = self.list.last_mut()
            && last.get("type").is_some_and(|known| known == kind)
            && let Some(Json::String(text)) = last.get_mut("text")
        {
            text.push_str(chunk);
            return;
        }
        self.list.push(object(json!({ "type": kind, "text": chunk })));
    }

    /// The block of a call, new if it is the first heard of it.
    fn tool(&mut self, id: &str, name: &str) -> &mut Map<String, Json> {
        let is = |block: &Map<String, Json>| block.get("id").is_some_and(|known| known == id);
        let known = self.list.iter().rposition(is);
        let place = known.unwrap_or(self.list.len());
        if known.is_none() {
            self.list.push(object(json!({
                "type": "tool_use",
                "id": id,
                "name": name,
                "tool_input": {},
                "output": null,
                "error": null,
                "duration": null,
                "header": header(&format!("Accessing **{name}**")),
            })));
        }
        &mut self.list[place]
    }
}

fn object(json: Json) -> Map<String, Json> {
    match json {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}

fn header(title: &str) -> Json {
    json!({ "title": title, "icon": "Hammer" })
}
