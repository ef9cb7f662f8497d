//! Changing the working flow: with a way back, in one step, and told as it really was.

use ferro_agent::ToolError;
use ferro_model::edit::{Change, Edit, Patch};
use ferro_model::read::read;
use ferro_model::{Document, EditError, FlowData, apply, ascii, strip_secrets};
use serde_json::{Value as Json, json};

use super::place::{Places, Side};
use super::{State, Work, prompt, refresh, told};
use crate::event::{AssistEvent, FlowUpdate};

/// How a new node's id ends.
const ID_LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// What one call changed.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// Nothing, because everything was so already.
    pub unchanged: bool,
    /// In sentences.
    pub said: Vec<String>,
}

/// A whole flow in the place of the working one.
pub(crate) struct Whole {
    /// The flow keeps its own where these are empty.
    pub name: String,
    pub description: String,
    pub data: FlowData,
    /// What happened, as a sentence.
    pub said: String,
}

impl Work {
    /// Makes all edits or none, and tells what they did.
    pub(crate) async fn change(&self, edits: Vec<Edit>) -> Result<Done, ToolError> {
        if !self.restore.initialized() {
            // What is refused or changes nothing needs no way back.
            let mut trial = self.state().document.clone();
            let patch = self.apply_all(&mut trial, edits.clone()).map_err(refused)?;
            if patch.is_empty() {
                return Ok(Done {
                    unchanged: true,
                    ..Done::default()
                });
            }
            self.secure().await?;
        }
        let mut state = self.state();
        let patch = self.apply_all(&mut state.document, edits).map_err(refused)?;
        let told = told::told(&state.document, &patch);
        state.keep(patch, &told.updates);
        for sentence in &told.sentences {
            if !state.changes.contains(sentence) {
                state.changes.push(sentence.clone());
            }
        }
        let unchanged = told.updates.is_empty();
        // Told while nobody else can change anything, so that events leave in the order of the changes.
        for update in told.updates {
            self.tell(update, &state);
        }
        Ok(Done {
            unchanged,
            said: told.sentences,
        })
    }

    /// Another flow in the place of this one, as a proposal.
    pub(crate) async fn replace(&self, whole: Whole) -> Result<(), ToolError> {
        self.secure().await?;
        self.put_in_place(whole);
        self.propose().await;
        Ok(())
    }

    fn put_in_place(&self, whole: Whole) {
        let mut state = self.state();
        state.document = Document::new(&whole.data);
        state.text = Some(whole.data);
        state.patch = Patch::default();
        if !state.replaced {
            state.live_changes = state.changes.len();
        }
        state.replaced = true;
        state.places = None;
        state.anchor = None;
        state.pending.clear();
        let live = state.live_changes;
        state.changes.truncate(live);
        state.changes.push(whole.said);
        if !whole.name.is_empty() {
            state.name = whole.name;
        }
        if !whole.description.is_empty() {
            state.description = whole.description;
        }
    }

    /// Tells the flow as it is now, as a whole.
    pub(crate) async fn propose(&self) {
        let data = self.data();
        let state = self.state();
        let flow = |data: &FlowData| {
            let data: Json = serde_json::from_str(data.as_str()).unwrap_or_default();
            json!({ "name": state.name, "description": state.description, "data": data })
        };
        let update = FlowUpdate::SetFlow {
            flow: flow(&data),
            auto_apply: false,
        };
        self.tell(update, &state);
        if self.out.gate().is_held() {
            return;
        }
        let summary = data.summary();
        self.out.say(AssistEvent::FlowPreview {
            // To be looked at only, so nothing secret has to be in it.
            flow: flow(&strip_secrets(&data).data),
            name: state.name.clone(),
            node_count: summary.nodes,
            edge_count: summary.edges,
            graph: ascii::draw(&read(&data)),
        });
    }

    /// A proposal for one field, which waits for the person.
    pub(crate) async fn propose_edit(&self, edit: crate::event::FieldEdit) -> Result<(), ToolError> {
        // The page makes the change when the person agrees; the way back is kept now.
        self.secure().await?;
        self.remember_pending(edit.clone());
        let state = self.state();
        self.tell(FlowUpdate::EditField(edit), &state);
        Ok(())
    }

    /// What has no place in the document: plans, and that the flow was run.
    pub(crate) fn tell_only(&self, update: FlowUpdate) {
        let state = self.state();
        self.tell(update, &state);
    }

    fn tell(&self, update: FlowUpdate, state: &State) {
        let action = action(&update);
        metrics::counter!("assistant_flow_update_events_total", "action" => action).increment(1);
        tracing::info!(
            action,
            node_count = state.document.ids().len(),
            edge_count = state.document.wire_count(),
            "flow_builder.action.emitted"
        );
        self.out.update(update);
    }

    /// Keeps the flow as it was, once, before the first change of the turn.
    async fn secure(&self) -> Result<(), ToolError> {
        let kept = self.restore.get_or_try_init(|| self.host.restore_point()).await;
        kept.map(|_| ()).map_err(|error| {
            ToolError::new(format!(
                "Nothing was changed, because the flow as it is now could not be kept to come back to: {error}"
            ))
        })
    }

    /// All edits in their order, as one patch; the document is as it was when one is refused. What follows from values
    /// that were set is done as well: variables of prompts, fields and outputs that depend on others.
    pub(crate) fn apply_all(&self, document: &mut Document, edits: Vec<Edit>) -> Result<Patch, EditError> {
        let registry = self.registry();
        let mut done = Patch::default();
        let all = || -> Result<(), EditError> {
            let mut step = |document: &mut Document, edit: Edit| -> Result<(), EditError> {
                let applied = apply(document, &registry, edit, &mut ending)?;
                done = std::mem::take(&mut done).then(applied.patch);
                Ok(())
            };
            for edit in edits {
                let configured = match &edit {
                    Edit::Configure { node, values } => {
                        Some((node.clone(), values.keys().cloned().collect::<Vec<_>>()))
                    }
                    _ => None,
                };
                step(document, edit)?;
                let Some((node, fields)) = configured else {
                    continue;
                };
                for follows in refresh::refreshed(self.host.as_ref(), &registry, document, (&node, &fields)) {
                    step(document, follows)?;
                }
                let variables = prompt::variables(document, &node);
                if !variables.is_empty() {
                    step(document, Edit::Patch(variables))?;
                }
            }
            Ok(())
        };
        if let Err(error) = all() {
            // What was just done can be undone: nothing has come in between.
            let _ = done.inverse().apply(document);
            return Err(error);
        }
        Ok(done)
    }

    /// An id that no node has.
    pub(crate) fn fresh_id(&self, r#type: &str) -> String {
        self.look(|document| {
            loop {
                let id = format!("{type}-{}", ending());
                if document.node_text(&id).is_none() {
                    return id;
                }
            }
        })
    }

    /// Where a new node goes.
    pub(crate) fn free_place(&self, side: Side) -> (f64, f64) {
        let mut state = self.state();
        let state = &mut *state;
        let places = state.places.get_or_insert_with(|| Places::of(&state.document));
        places.free(state.anchor.as_deref(), side)
    }

    /// The edit that gives a node another name; `None` when it is gone.
    pub(crate) fn rename_edit(&self, id: &str, name: &str) -> Option<Edit> {
        self.look(|document| {
            let has = |path: &[&str]| document.value_text(id, path).is_some();
            let path: &[&str] = if has(&["data", "node"]) {
                &["data", "node", "display_name"]
            } else if !has(&["data", "name"]) && has(&["data", "label"]) {
                &["data", "label"]
            } else {
                &["data", "name"]
            };
            let changes = vec![Change::of_value(document, id, path, Some(&name.into()))?];
            Some(Edit::Patch(Patch { changes }))
        })
    }
}

impl State {
    fn keep(&mut self, patch: Patch, updates: &[FlowUpdate]) {
        if patch.is_empty() {
            return;
        }
        self.text = None;
        if let Some(places) = &mut self.places {
            places.keep_up(&self.document, &patch);
        }
        for update in updates {
            self.settle_pending(update);
        }
        let touched = updates.iter().rev().find_map(|update| match update {
            FlowUpdate::AddComponent { node } => node.get("id").and_then(Json::as_str).map(str::to_owned),
            FlowUpdate::Configure { component_id, .. } => Some(component_id.clone()),
            _ => None,
        });
        self.anchor = touched.or_else(|| self.anchor.take());
        if !self.replaced {
            self.patch = std::mem::take(&mut self.patch).then(patch);
        }
    }

    /// What was set or removed meanwhile, nobody needs to agree to any more.
    fn settle_pending(&mut self, update: &FlowUpdate) {
        match update {
            FlowUpdate::RemoveComponent { component_id } => {
                self.pending.retain(|edit| edit.component_id != *component_id);
            }
            FlowUpdate::Configure { component_id, params } => {
                let told = params
                    .iter()
                    .map(|(field, value)| (component_id.clone(), field.clone(), value.to_string()));
                self.told_values.extend(told);
                self.pending
                    .retain(|edit| edit.component_id != *component_id || !params.contains_key(&edit.field));
            }
            _ => {}
        }
    }
}

/// Five letters and digits.
pub(crate) fn ending() -> String {
    let mut bytes = [0; 5];
    // Without chance every id would be the same, and the next one tried is another.
    if getrandom::fill(&mut bytes).is_err() {
        tracing::error!("the system gives no random numbers");
    }
    let letters = bytes
        .iter()
        .map(|byte| ID_LETTERS[usize::from(*byte) % ID_LETTERS.len()]);
    letters.map(char::from).collect()
}

pub(crate) fn refused(error: EditError) -> ToolError {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    ToolError::new(format!("{}{}.", first.unwrap_or_default(), letters.as_str()))
}

fn action(update: &FlowUpdate) -> &'static str {
    match update {
        FlowUpdate::AddComponent { .. } => "add_component",
        FlowUpdate::RemoveComponent { .. } => "remove_component",
        FlowUpdate::Connect { .. } => "connect",
        FlowUpdate::Configure { .. } => "configure",
        FlowUpdate::SetFlow { .. } => "set_flow",
        FlowUpdate::EditField(_) => "edit_field",
        FlowUpdate::ProposePlan { .. } => "propose_plan",
        FlowUpdate::SelectOutput { .. } => "select_output",
        FlowUpdate::SetConnectionMode { .. } => "set_connection_mode",
        FlowUpdate::EnableToolMode { .. } => "enable_tool_mode",
        FlowUpdate::Disconnect { .. } => "disconnect",
        FlowUpdate::RenameComponent { .. } => "rename_component",
        FlowUpdate::UpdateFields { .. } => "update_fields",
        FlowUpdate::UpdateOutputs { .. } => "update_outputs",
        FlowUpdate::FlowRan { .. } => "flow_ran",
    }
}
