//! The flow a turn works on: the canvas as it was read, with everything the turn's tools did to it since.
//!
//! Every change is an edit on one document, is told the moment it is made, and is kept as part of one patch, so that
//! one undo takes the whole turn back. Besides, it remembers what really happened, whatever the model says about it.

mod change;
mod models;
mod place;
mod prompt;
mod refresh;
mod told;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use ferro_agent::ToolError;
use ferro_model::edit::Patch;
use ferro_model::{Document, FlowData, Registry};
use tokio::sync::OnceCell;

use crate::event::{FieldEdit, TurnUsage};
use crate::host::{Available, Canvas, Host, RunReport};
use crate::out::Out;
use crate::turn::Changed;

pub(crate) use change::{Whole, ending as id_ending, refused};
pub(crate) use place::Side;
pub(crate) use refresh::has_refresh;

/// Calls of tools in one turn; a model that needs more has lost its way.
pub(crate) const MAX_TOOL_CALLS: u32 = 200;
/// Runs of the flow in one turn.
pub(crate) const MAX_RUNS: u32 = 3;

/// What is decided about a turn before its tools work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Texts of nodes that were there before are proposed, not set.
    pub propose_existing_edits: bool,
    /// The person asked for a run.
    pub run_wanted: bool,
    /// Nobody looks on: what would be proposed is done.
    pub headless: bool,
    /// Provider and model of the turn itself.
    pub model: (String, String),
    /// The model the person named for the flow, with its provider if they said so.
    pub requested: Option<(Option<String>, String)>,
    pub available: Vec<Available>,
}

/// A component that was written in the turn, or should have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GeneratedOne {
    pub class_name: Option<String>,
    pub code: String,
    pub error: Option<String>,
}

pub(crate) struct Work {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) out: Arc<Out>,
    pub(crate) rules: Rules,
    flow_id: String,
    before: FlowData,
    /// Nodes that were on the canvas before the turn.
    existing: HashSet<String>,
    registry: RwLock<Arc<Registry>>,
    restore: OnceCell<Option<String>>,
    /// Held by a tool that changes something, from its beginning to its end: the agent runs calls side by side, and
    /// what they change must come in the order they were asked for.
    order: tokio::sync::Mutex<()>,
    calls: AtomicU32,
    state: Mutex<State>,
}

/// What changes while the turn goes on.
struct State {
    document: Document,
    /// The document's text, until the next change.
    text: Option<FlowData>,
    name: String,
    description: String,
    /// Everything since the canvas was read; not kept once the whole flow was replaced.
    patch: Patch,
    replaced: bool,
    changes: Vec<String>,
    /// Values that were told: the page may have saved any of them.
    told_values: HashSet<(String, String, String)>,
    /// So many of them were on the canvas before the whole flow was replaced.
    live_changes: usize,
    places: Option<place::Places>,
    /// The node that was added or touched last.
    anchor: Option<String>,
    pending: Vec<FieldEdit>,
    plan: Option<String>,
    runs: u32,
    /// A run was wanted, and waits for edits that wait for the person.
    run_waits: bool,
    last_run: Option<RunReport>,
    run_usage: TurnUsage,
    files: Vec<String>,
    generated: Vec<GeneratedOne>,
}

impl Work {
    pub(crate) fn new(
        canvas: Option<&Canvas>,
        registry: Arc<Registry>,
        host: Arc<dyn Host>,
        out: Arc<Out>,
        rules: Rules,
    ) -> Arc<Self> {
        let before = canvas.map_or_else(empty, |canvas| canvas.data.clone());
        let document = Document::new(&before);
        let text = |of: fn(&Canvas) -> &String| canvas.map(of).cloned().unwrap_or_default();
        Arc::new(Self {
            host,
            out,
            rules,
            flow_id: text(|canvas| &canvas.flow_id),
            existing: document.ids().iter().cloned().collect(),
            registry: RwLock::new(registry),
            restore: OnceCell::new(),
            order: tokio::sync::Mutex::new(()),
            calls: AtomicU32::new(0),
            state: Mutex::new(State {
                document,
                text: Some(before.clone()),
                name: text(|canvas| &canvas.name),
                description: text(|canvas| &canvas.description),
                patch: Patch::default(),
                replaced: false,
                changes: Vec::new(),
                told_values: HashSet::new(),
                live_changes: 0,
                places: None,
                anchor: None,
                pending: Vec::new(),
                plan: None,
                runs: 0,
                run_waits: false,
                last_run: None,
                run_usage: TurnUsage::default(),
                files: Vec::new(),
                generated: Vec::new(),
            }),
            before,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The flow as it is now.
    pub(crate) fn data(&self) -> FlowData {
        let mut state = self.state();
        if let Some(data) = &state.text {
            return data.clone();
        }
        match state.document.to_data() {
            Ok(data) => {
                state.text = Some(data.clone());
                data
            }
            Err(error) => {
                // Edits keep a document valid, so nobody gets here; what was there before is at least a flow.
                tracing::error!("the working flow cannot be read any more: {error}");
                self.before.clone()
            }
        }
    }

    /// The text of the whole flow is there.
    #[cfg(test)]
    pub(crate) fn is_written(&self) -> bool {
        self.state().text.is_some()
    }

    pub(crate) fn flow_id(&self) -> &str {
        &self.flow_id
    }

    /// Was on the canvas before the turn.
    pub(crate) fn is_existing(&self, node: &str) -> bool {
        self.existing.contains(node)
    }

    /// Looks at the flow without copying it.
    pub(crate) fn look<T>(&self, with: impl FnOnce(&Document) -> T) -> T {
        with(&self.state().document)
    }

    pub(crate) fn registry(&self) -> Arc<Registry> {
        let registry = self.registry.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&registry)
    }

    /// After a component came or went.
    pub(crate) async fn refresh_registry(&self) -> Result<(), ToolError> {
        let registry = self.host.registry().await;
        let registry = registry.map_err(|error| ToolError::new(error.to_string()))?;
        *self.registry.write().unwrap_or_else(PoisonError::into_inner) = registry;
        Ok(())
    }

    /// What really changed, in sentences.
    pub(crate) fn changes(&self) -> Vec<String> {
        self.state().changes.clone()
    }

    /// The flow with all that the turn did to it; `None` when it is as it was.
    pub(crate) fn changed(&self) -> Option<Changed> {
        let data = self.data();
        let state = self.state();
        if state.patch.is_empty() && !state.replaced || data == self.before {
            return None;
        }
        Some(Changed {
            name: state.name.clone(),
            description: state.description.clone(),
            data,
            patch: if state.replaced {
                Patch::default()
            } else {
                state.patch.clone()
            },
        })
    }

    /// The turn itself gave the field this value at some time.
    pub(crate) fn told_value(&self, node: &str, field: &str, value: &serde_json::Value) -> bool {
        let told = (node.to_owned(), field.to_owned(), value.to_string());
        self.state().told_values.contains(&told)
    }

    /// Edits that wait for the person.
    pub(crate) fn pending_edits(&self) -> usize {
        self.state().pending.len()
    }

    pub(crate) fn pending_ids(&self) -> Vec<String> {
        self.state().pending.iter().map(|edit| edit.id.clone()).collect()
    }

    pub(crate) fn run_waits(&self) -> bool {
        self.state().run_waits
    }

    pub(crate) fn let_run_wait(&self) {
        self.state().run_waits = true;
    }

    pub(crate) fn plan(&self) -> Option<String> {
        self.state().plan.clone()
    }

    pub(crate) fn last_run(&self) -> Option<RunReport> {
        self.state().last_run.clone()
    }

    /// Of all runs of the flow in this turn.
    pub(crate) fn run_usage(&self) -> TurnUsage {
        self.state().run_usage
    }

    /// Paths that were written this turn, each once.
    pub(crate) fn files(&self) -> Vec<String> {
        self.state().files.clone()
    }

    pub(crate) fn wrote_file(&self, path: &str) {
        let mut state = self.state();
        if state.files.iter().all(|known| known != path) {
            state.files.push(path.to_owned());
        }
    }

    pub(crate) fn generated(&self) -> Vec<GeneratedOne> {
        self.state().generated.clone()
    }

    pub(crate) fn remember_generated(&self, one: GeneratedOne) {
        self.state().generated.push(one);
    }

    /// The version of the flow from before the first change.
    pub(crate) fn restore_version(&self) -> Option<String> {
        self.restore.get().cloned().flatten()
    }

    pub(crate) fn tool_calls(&self) -> u32 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Counts a call; the one beyond the limit ends the turn.
    pub(crate) fn count_call(&self) -> Result<(), ToolError> {
        if self.calls.fetch_add(1, Ordering::Relaxed) < MAX_TOOL_CALLS {
            return Ok(());
        }
        // The calls that were refused did not happen.
        self.calls.store(MAX_TOOL_CALLS, Ordering::Relaxed);
        Err(ToolError::fatal(format!(
            "The assistant used its tools {MAX_TOOL_CALLS} times in this turn, which is the most; ask for less at once."
        )))
    }

    /// Waits for the changes that were asked for before this one.
    pub(crate) async fn in_order(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.order.lock().await
    }

    /// Nothing is done after a plan was proposed: the person answers first.
    pub(crate) fn check_no_plan(&self) -> Result<(), ToolError> {
        match self.state().plan {
            Some(_) => Err(ToolError::new(
                "The plan waits for the person's answer, so nothing is changed now. End the turn with one short sentence.",
            )),
            None => Ok(()),
        }
    }

    pub(crate) fn set_plan(&self, markdown: &str) {
        self.state().plan = Some(markdown.to_owned());
    }

    /// The same edit waits already.
    pub(crate) fn is_pending(&self, node: &str, field: &str, value: &serde_json::Value) -> bool {
        let is =
            |edit: &FieldEdit| edit.component_id == node && edit.field == field && edit.new_value == *value;
        self.state().pending.iter().any(is)
    }

    /// Remembers an edit that waits; a newer one for the same field takes its place.
    pub(crate) fn remember_pending(&self, edit: FieldEdit) {
        let mut state = self.state();
        let same = |old: &FieldEdit| old.component_id == edit.component_id && old.field == edit.field;
        state.pending.retain(|old| !same(old));
        state.pending.push(edit);
    }

    /// Takes one of the runs a turn has.
    pub(crate) fn begin_run(&self) -> Result<(), ToolError> {
        let mut state = self.state();
        if state.runs >= MAX_RUNS {
            return Err(ToolError::new(format!(
                "The flow was run {MAX_RUNS} times in this turn, which is the most. Tell the person what the last run said."
            )));
        }
        state.runs += 1;
        Ok(())
    }

    pub(crate) fn remember_run(&self, report: &RunReport) {
        let mut state = self.state();
        let metrics = report.metrics;
        state.run_usage.input_tokens += metrics.input_tokens;
        state.run_usage.output_tokens += metrics.output_tokens;
        state.run_usage.total_tokens += metrics.total_tokens;
        state.last_run = Some(report.clone());
    }
}

/// A canvas with nothing on it.
fn empty() -> FlowData {
    #[expect(clippy::unwrap_used, reason = "the text is right here")]
    FlowData::parse(r#"{"nodes":[],"edges":[],"viewport":{"x":0,"y":0,"zoom":1}}"#).unwrap()
}
