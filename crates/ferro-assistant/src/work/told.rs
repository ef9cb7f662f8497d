//! From what a patch did to what is told of it: events for the canvas, sentences for people.

use std::borrow::Cow;
use std::collections::HashSet;

use ferro_model::Document;
use ferro_model::edit::{Change, Inserted, Patch, SetValue};
use serde_json::{Map, Value as Json, json};

use crate::event::FlowUpdate;

/// The only output of a node that serves an agent.
const TOOLSET: &str = "component_as_tool";
/// So much of a node's name is shown.
const LONGEST_NAME: usize = 60;

/// What to tell, in the order it happened, and what it means.
#[derive(Default)]
pub(super) struct Told {
    pub updates: Vec<FlowUpdate>,
    pub sentences: Vec<String>,
}

/// `document` is the flow after the patch.
pub(super) fn told(document: &Document, patch: &Patch) -> Told {
    let mut told = Telling {
        document,
        gone: nodes(patch, |change| match change {
            Change::RemoveNode(node) => Some(node),
            _ => None,
        }),
        fresh: nodes(patch, |change| match change {
            Change::InsertNode(node) => Some(node),
            _ => None,
        }),
        told: Told::default(),
    };
    for change in &patch.changes {
        told.change(change);
    }
    told.told
}

/// The name and id of a node, as sentences have it.
pub(super) fn named(document: &Document, id: &str) -> String {
    match document.node(id) {
        Some(node) => shown(&node.name, id),
        None => format!("`{id}`"),
    }
}

fn shown(name: &str, id: &str) -> String {
    let plain: String = name.chars().filter(|letter| !letter.is_control()).collect();
    let name = match plain.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => Cow::Owned(format!("{}…", &plain[..end])),
        None => Cow::Borrowed(plain.as_str()),
    };
    format!("{name} ({id})")
}

fn nodes<'p>(patch: &'p Patch, which: impl Fn(&'p Change) -> Option<&'p Inserted>) -> HashSet<String> {
    let texts = patch.changes.iter().filter_map(which);
    texts
        .filter_map(|node| text_at(&parsed(&node.text), "/id"))
        .collect()
}

struct Telling<'d> {
    document: &'d Document,
    /// Nodes that the patch removes: their wires go without a word.
    gone: HashSet<String>,
    /// Nodes that the patch brings: they are told as they are after all of it.
    fresh: HashSet<String>,
    told: Told,
}

impl Telling<'_> {
    fn tell(&mut self, update: FlowUpdate, sentence: Option<String>) {
        self.told.updates.push(update);
        self.told.sentences.extend(sentence);
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::InsertNode(new) => self.came(&parsed(&new.text)),
            Change::RemoveNode(old) => self.went(&parsed(&old.text)),
            Change::InsertWire(new) => {
                let edge = parsed(&new.text);
                let wire = Ends::of(&edge);
                let sentence = format!(
                    "Connected {} of {} to {} of {}.",
                    wire.output,
                    named(self.document, &wire.source),
                    wire.input,
                    named(self.document, &wire.target),
                );
                self.tell(FlowUpdate::Connect { edge }, Some(sentence));
            }
            Change::RemoveWire(old) => self.cut(&Ends::of(&parsed(&old.text))),
            Change::Set(set) if !self.fresh.contains(&set.node) => self.set(set),
            Change::Set(_) | Change::Replace { .. } => {}
        }
    }

    fn came(&mut self, inserted: &Json) {
        let Some(id) = text_at(inserted, "/id") else {
            return;
        };
        let node = self
            .document
            .node_text(&id)
            .map_or_else(|| inserted.clone(), parsed);
        let sentence = format!("Added {}.", named(self.document, &id));
        self.tell(FlowUpdate::AddComponent { node }, Some(sentence));
    }

    fn went(&mut self, node: &Json) {
        let Some(component_id) = text_at(node, "/id") else {
            return;
        };
        let name = ["/data/node/display_name", "/data/type"].map(|path| text_at(node, path));
        let name = name
            .into_iter()
            .flatten()
            .find(|name| !name.is_empty())
            .unwrap_or_default();
        let sentence = format!("Removed {}.", shown(&name, &component_id));
        self.tell(FlowUpdate::RemoveComponent { component_id }, Some(sentence));
    }

    fn cut(&mut self, wire: &Ends) {
        if self.gone.contains(&wire.source) || self.gone.contains(&wire.target) {
            return;
        }
        let sentence = format!(
            "Disconnected {} of {} from {} of {}.",
            wire.output,
            named(self.document, &wire.source),
            wire.input,
            named(self.document, &wire.target),
        );
        let known = |port: &String| (!port.is_empty()).then(|| port.clone());
        let update = FlowUpdate::Disconnect {
            source_id: wire.source.clone(),
            target_id: wire.target.clone(),
            source_output: known(&wire.output),
            target_input: known(&wire.input),
        };
        self.tell(update, Some(sentence));
    }

    fn set(&mut self, set: &SetValue) {
        let component_id = set.node.clone();
        let value = set.to.as_deref().map_or(Json::Null, parsed);
        let path: Vec<&str> = set.path.iter().map(String::as_str).collect();
        match path.as_slice() {
            ["data", "_connectionMode"] => {
                let enabled = value == Json::Bool(true);
                self.tell(
                    FlowUpdate::SetConnectionMode {
                        component_id,
                        enabled,
                    },
                    None,
                );
            }
            ["data", "node", "outputs"] => self.outputs(component_id, value),
            ["data", "selected_output"] => {
                let output_name = value.as_str().unwrap_or_default().to_owned();
                self.tell(
                    FlowUpdate::SelectOutput {
                        component_id,
                        output_name,
                    },
                    None,
                );
            }
            ["data", "node", "display_name"] | ["data", "name" | "label" | "display_name"] => {
                let name = value.as_str().unwrap_or_default().to_owned();
                let before = set.from.as_deref().map(parsed);
                let before = before.as_ref().and_then(Json::as_str).unwrap_or_default();
                let sentence = format!("Renamed {} to {name}.", shown(before, &component_id));
                self.tell(FlowUpdate::RenameComponent { component_id, name }, Some(sentence));
            }
            ["data", "node", "template", field, "value"] => self.configured(component_id, field, value),
            // Comes and goes with tool mode, which was told.
            ["data", "node", "template", "tools_metadata"] => {}
            ["data", "node", "template", field] => {
                self.field(component_id, field, |entry| *entry = value);
            }
            // Go with the value and the wire, which are told.
            ["data", "node", "template", _, "load_from_db" | "_connection_mode"] => {}
            ["data", "node", "template", field, member] => self.field(component_id, field, |entry| {
                if !entry.is_object() {
                    *entry = json!({});
                }
                entry[*member] = value;
            }),
            // Positions, and what goes with the changes above.
            _ => {}
        }
    }

    /// Values of one node that are set one after the other are one event.
    fn configured(&mut self, id: String, field: &str, value: Json) {
        let sentence = format!("Set {field} of {}.", named(self.document, &id));
        self.told.sentences.push(sentence);
        if let Some(FlowUpdate::Configure { component_id, params }) = self.told.updates.last_mut()
            && *component_id == id
        {
            params.insert(field.to_owned(), value);
            return;
        }
        self.told.updates.push(FlowUpdate::Configure {
            component_id: id,
            params: Map::from_iter([(field.to_owned(), value)]),
        });
    }

    fn outputs(&mut self, component_id: String, outputs: Json) {
        let outputs = outputs.as_array().cloned().unwrap_or_default();
        if outputs.iter().all(|output| output["name"] != TOOLSET) {
            return self.tell(
                FlowUpdate::UpdateOutputs {
                    component_id,
                    outputs,
                },
                None,
            );
        }
        let sentence = format!("Made {} a tool.", named(self.document, &component_id));
        self.tell(
            FlowUpdate::EnableToolMode {
                component_id,
                outputs,
            },
            Some(sentence),
        );
    }

    /// Fields that change one after the other are one event, too.
    fn field(&mut self, id: String, field: &str, change: impl FnOnce(&mut Json)) {
        if let Some(FlowUpdate::UpdateFields { component_id, fields }) = self.told.updates.last_mut()
            && *component_id == id
        {
            return change(fields.entry(field).or_insert(Json::Null));
        }
        let mut entry = Json::Null;
        change(&mut entry);
        self.told.updates.push(FlowUpdate::UpdateFields {
            component_id: id,
            fields: Map::from_iter([(field.to_owned(), entry)]),
        });
    }
}

/// What a wire joins, as its edge says.
struct Ends {
    source: String,
    output: String,
    target: String,
    input: String,
}

impl Ends {
    fn of(edge: &Json) -> Self {
        let first = |paths: &[&str]| {
            paths
                .iter()
                .find_map(|path| text_at(edge, path))
                .unwrap_or_default()
        };
        Self {
            source: first(&["/source"]),
            output: first(&["/data/sourceHandle/name", "/sourceHandle"]),
            target: first(&["/target"]),
            input: first(&[
                "/data/targetHandle/fieldName",
                "/data/targetHandle/name",
                "/targetHandle",
            ]),
        }
    }
}

fn parsed(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_default()
}

fn text_at(json: &Json, path: &str) -> Option<String> {
    json.pointer(path).and_then(Json::as_str).map(str::to_owned)
}
