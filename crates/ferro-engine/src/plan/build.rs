//! From a document to nodes and wires. Tolerant: what one node or wire has wrong makes that node fail or the
//! wire fall away when the flow runs; the Problems list says so before.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ferro_model::read::{Edge, Node, NodeKind, Output, Port};
use ferro_model::{FlowData, read, ungroup};
use serde_json::{Map, Value as Json};

use super::own::{self, Own};
use super::{MAX_NODES, Plan, PlanError, PlanNode, Route, Selection, VariableField, Wire, regions};
use crate::call::NodeInfo;
use crate::catalog::Catalog;
use crate::tools::TOOL_OUTPUT;

/// More wires than this and a flow is refused: what Notify and Listen join grows with the square of them.
const MAX_WIRES: usize = 100_000;

pub(super) fn build(flow: &FlowData, catalog: &Catalog, selection: &Selection) -> Result<Plan, PlanError> {
    if flow.summary().nodes > MAX_NODES {
        return Err(PlanError::TooManyNodes(flow.summary().nodes));
    }
    let document = ungroup(read(flow));
    let mut ids = HashSet::new();
    // Of two nodes with one id, the wires and the log could only mean one: the first.
    let mut drafts: Vec<Draft> = document
        .nodes
        .iter()
        .filter(|node| !node.id.is_empty() && ids.insert(&node.id))
        .filter_map(|node| Draft::read(node, catalog))
        .collect();
    if drafts.len() > MAX_NODES {
        return Err(PlanError::TooManyNodes(drafts.len()));
    }
    let workflow: HashSet<&str> = document
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::Workflow)
        .map(|node| &*node.id)
        .collect();
    let mut ends: Vec<End<'_>> = document
        .edges
        .iter()
        .filter_map(|edge| End::read(edge, &workflow))
        .collect();
    notified(&drafts, &mut ends);
    if ends.len() > MAX_WIRES {
        return Err(PlanError::Document(format!(
            "the flow has more than {MAX_WIRES} wires; split it with Run Flow"
        )));
    }
    // All of them, whatever runs: whoever brings unsafe code along is not trusted with the rest.
    own::refuse_unsafe(drafts.iter().filter_map(|draft| draft.own.as_ref()), catalog)?;
    let kept = select(&drafts, &ends, selection)?;
    drafts.retain(|draft| kept.contains(&draft.id));
    check_inputs(&drafts, &ends, selection)?;

    let mut plan = Plan {
        nodes: Vec::with_capacity(drafts.len()),
        wires: Vec::with_capacity(ends.len()),
        regions: Vec::new(),
        index: HashMap::with_capacity(drafts.len()),
    };
    for draft in drafts {
        let at = u32::try_from(plan.nodes.len()).unwrap_or(u32::MAX);
        let node = draft.finish(catalog);
        plan.index.insert(Arc::clone(&node.id), at);
        plan.nodes.push(node);
    }
    connect(&mut plan, ends);
    describe(&mut plan);
    regions::find(&mut plan)?;
    Ok(plan)
}

struct Draft {
    id: Arc<str>,
    r#type: String,
    name: String,
    template: Map<String, Json>,
    loop_output: Option<Arc<str>>,
    frozen: bool,
    tool_mode: bool,
    edited: bool,
    own: Option<Own>,
}

impl Draft {
    /// `None` for notes.
    fn read(node: &Node<'_>, catalog: &Catalog) -> Option<Self> {
        if node.kind == NodeKind::Note {
            return None;
        }
        // Python sources are long and nobody native reads them; `own` has what runs.
        let fields = node.fields.iter().filter(|field| field.name != "code");
        let loops = node.outputs.iter().find(|output| output.allows_loop);
        // A component's own output of that name is an output like any other.
        let own = |output: &Output<'_>| output.name == TOOL_OUTPUT && !output.is_toolset();
        Some(Self {
            id: Arc::from(&*node.id),
            r#type: node.r#type.to_string(),
            name: node.name.to_string(),
            template: fields
                .map(|field| (field.name.to_string(), field.entry()))
                .collect(),
            loop_output: loops.map(|output| Arc::from(&*output.name)),
            frozen: node.frozen,
            tool_mode: node.tool_mode && !node.outputs.iter().any(own),
            edited: node.edited,
            own: Own::read(node, catalog),
        })
    }

    fn literal_text(&self, field: &str) -> &str {
        let value = self.template.get(field).and_then(|entry| entry.get("value"));
        value.and_then(Json::as_str).unwrap_or_default()
    }

    fn finish(self, catalog: &Catalog) -> PlanNode {
        let who = own::Who {
            r#type: &self.r#type,
            name: &self.name,
            edited: self.edited,
        };
        let entry = own::entry(who, self.own.as_ref(), catalog);
        let descriptor = entry.as_ref().ok().map(|entry| &entry.descriptor);
        let mut literals = Vec::with_capacity(self.template.len());
        let (mut variables, mut secrets) = (Vec::new(), Vec::new());
        for (name, entry) in &self.template {
            let Some(entry) = entry.as_object() else { continue };
            let name: Arc<str> = Arc::from(name.as_str());
            let flag = |key: &str| entry.get(key).and_then(Json::as_bool).unwrap_or_default();
            // A flow from elsewhere may not mask what the component here does.
            let known = descriptor.and_then(|descriptor| descriptor.find_field(&name));
            let password = flag("password") || known.is_some_and(|field| field.password);
            if password {
                secrets.push(Arc::clone(&name));
            }
            let value = literal(entry);
            match value.as_str() {
                Some("") if flag("load_from_db") => {}
                Some(variable) if flag("load_from_db") => variables.push(VariableField {
                    field: name,
                    variable: variable.to_owned(),
                    password,
                    lenient: known.is_some_and(|field| field.lenient),
                }),
                _ => literals.push((name, Arc::new(value))),
            }
        }
        PlanNode {
            info: Arc::new(NodeInfo {
                id: self.id.to_string(),
                r#type: self.r#type,
                display_name: self.name,
                template: self.template,
                ..NodeInfo::default()
            }),
            id: self.id,
            entry,
            literals: literals.into(),
            variables,
            secrets,
            wanted: Arc::from([]),
            fields: Vec::new(),
            ins: Vec::new(),
            outs: Vec::new(),
            region: 0,
            frozen: self.frozen,
            tool_mode: self.tool_mode,
            loop_output: self.loop_output,
            body: None,
        }
    }
}

/// A field's literal: files keep theirs in `file_path`.
fn literal(entry: &Map<String, Json>) -> Json {
    let is_file = entry.get("type").and_then(Json::as_str) == Some("file");
    let path = entry
        .get("file_path")
        .filter(|path| is_file && !matches!(path, Json::Null) && path.as_str() != Some(""));
    path.or_else(|| entry.get("value")).cloned().unwrap_or_default()
}

struct End<'a> {
    from: Cow<'a, str>,
    output: Cow<'a, str>,
    to: Cow<'a, str>,
    field: Cow<'a, str>,
    is_loop: bool,
    control: bool,
}

impl<'a> End<'a> {
    /// `None` for a wire that does not say where it begins or ends. Ports of workflow nodes have a bare name or none.
    fn read(edge: &'a Edge<'_>, workflow: &HashSet<&str>) -> Option<Self> {
        let is_loop = edge.into_loop();
        let said =
            matches!(&edge.from, Port::Handle(from) if from.types().iter().any(|kind| kind == "Control"));
        let bare = !matches!(edge.to, Port::Handle(_));
        let control = said || bare && (workflow.contains(&*edge.source) || workflow.contains(&*edge.target));
        if bare && !control {
            return None;
        }
        let (output, field) = (edge.from.name(), edge.to.name());
        if !control && (output.is_empty() || field.is_empty()) {
            return None;
        }
        Some(Self {
            from: Cow::Borrowed(&edge.source),
            output: Cow::Borrowed(output),
            to: Cow::Borrowed(&edge.target),
            field: Cow::Borrowed(if control { "" } else { field }),
            is_loop: is_loop && !control,
            control,
        })
    }
}

/// The field of Listen that takes what was said.
const NOTIFIED: &str = "__notified";

/// What Notify says under a key reaches every Listen with that key, as if there were a wire.
fn notified(drafts: &[Draft], ends: &mut Vec<End<'_>>) {
    let named = |kind: &'static str| drafts.iter().filter(move |draft| draft.r#type == kind);
    for listen in named("Listen") {
        let key = listen.literal_text("context_key");
        for notify in
            named("Notify").filter(|notify| !key.is_empty() && notify.literal_text("context_key") == key)
        {
            ends.push(End {
                from: Cow::Owned(notify.id.to_string()),
                output: Cow::Borrowed("result"),
                to: Cow::Owned(listen.id.to_string()),
                field: Cow::Borrowed(NOTIFIED),
                is_loop: false,
                control: false,
            });
            if ends.len() > MAX_WIRES {
                return;
            }
        }
    }
}

fn select(drafts: &[Draft], ends: &[End<'_>], selection: &Selection) -> Result<HashSet<Arc<str>>, PlanError> {
    let known: HashSet<&str> = drafts.iter().map(|draft| &*draft.id).collect();
    let (mut before, mut after) = (
        HashMap::<&str, Vec<&str>>::new(),
        HashMap::<&str, Vec<&str>>::new(),
    );
    for end in ends
        .iter()
        .filter(|end| known.contains(&*end.from) && known.contains(&*end.to))
    {
        before.entry(&end.to).or_default().push(&end.from);
        after.entry(&end.from).or_default().push(&end.to);
    }
    let spread = |from: Vec<&str>, next: &HashMap<&str, Vec<&str>>| {
        let mut seen: HashSet<String> = from.iter().map(|&id| id.to_owned()).collect();
        let mut open: Vec<String> = seen.iter().cloned().collect();
        while let Some(id) = open.pop() {
            for &other in next.get(&*id).into_iter().flatten() {
                if seen.insert(other.to_owned()) {
                    open.push(other.to_owned());
                }
            }
        }
        seen
    };
    let target = match selection {
        Selection::Whole => None,
        Selection::UpTo(id) | Selection::From(id) => Some(id.as_str()),
    };
    if let Some(id) = target.filter(|id| !known.contains(id)) {
        return Err(PlanError::NoSuchNode(id.to_owned()));
    }
    let wanted = match selection {
        Selection::Whole => known.iter().map(|&id| id.to_owned()).collect(),
        Selection::UpTo(id) => spread(vec![id], &before),
        Selection::From(id) => {
            let following = spread(vec![id], &after);
            spread(following.iter().map(String::as_str).collect(), &before)
        }
    };
    // A tool nobody can call has nothing to do.
    let is_orphan =
        |draft: &Draft| draft.tool_mode && !after.contains_key(&*draft.id) && target != Some(&*draft.id);
    Ok(drafts
        .iter()
        .filter(|draft| wanted.contains(&*draft.id) && !is_orphan(draft))
        .map(|draft| Arc::clone(&draft.id))
        .collect())
}

fn check_inputs(drafts: &[Draft], ends: &[End<'_>], selection: &Selection) -> Result<(), PlanError> {
    let inputs = drafts.iter().filter(|draft| draft.r#type == "ChatInput");
    let inputs: Vec<String> = inputs.map(|draft| draft.id.to_string()).collect();
    if inputs.len() < 2 || *selection != Selection::Whole {
        return Ok(());
    }
    let fed: HashSet<&str> = ends.iter().map(|end| &*end.to).collect();
    let free: Vec<String> = inputs
        .into_iter()
        .filter(|id| !fed.contains(id.as_str()))
        .collect();
    if free.len() > 1 {
        Err(PlanError::SeveralChatInputs(free))
    } else {
        Ok(())
    }
}

fn connect(plan: &mut Plan, ends: Vec<End<'_>>) {
    let mut known = HashSet::with_capacity(ends.len());
    let mut slots: HashMap<(u32, Arc<str>), u32> = HashMap::new();
    for end in ends {
        let (Some(&from), Some(&to)) = (plan.index.get(&*end.from), plan.index.get(&*end.to)) else {
            continue;
        };
        let target = &mut plan.nodes[to as usize];
        let entry = target.info.template.get(&*end.field);
        let flag = |key: &str| {
            entry
                .and_then(|entry| entry.get(key))
                .and_then(Json::as_bool)
                .unwrap_or_default()
        };
        // In tool mode these fields are the agent's to fill.
        if target.tool_mode && flag("tool_mode") {
            continue;
        }
        let list = flag("list") || end.field == NOTIFIED;
        let (output, field): (Arc<str>, Arc<str>) = (Arc::from(end.output), Arc::from(end.field));
        if !known.insert((from, to, Arc::clone(&output), Arc::clone(&field))) {
            continue;
        }
        let slot = *slots.entry((to, Arc::clone(&field))).or_insert_with(|| {
            target.fields.push(Arc::clone(&field));
            u32::try_from(target.fields.len() - 1).unwrap_or(u32::MAX)
        });
        let at = u32::try_from(plan.wires.len()).unwrap_or(u32::MAX);
        plan.wires.push(Wire {
            from,
            output,
            to,
            slot,
            list,
            control: end.control,
            route: if end.is_loop {
                Route::Feedback
            } else {
                Route::Plain
            },
        });
        plan.nodes[from as usize].outs.push(at);
        plan.nodes[to as usize].ins.push(at);
    }
}

/// What nodes know about their neighbours.
fn describe(plan: &mut Plan) {
    let is_a = |plan: &Plan, at: u32, kind: &str| plan.nodes[at as usize].info.r#type == kind;
    for at in 0..plan.nodes.len() {
        let (outs, ins) = (&plan.nodes[at].outs, &plan.nodes[at].ins);
        let mut wired: Vec<Arc<str>> = Vec::new();
        let mut seen: HashSet<&Arc<str>> = HashSet::new();
        for &wire in outs {
            let wire = &plan.wires[wire as usize];
            if !wire.control && seen.insert(&wire.output) {
                wired.push(Arc::clone(&wire.output));
            }
        }
        let to_chat = outs.iter().map(|&w| &plan.wires[w as usize]);
        let to_chat = to_chat.filter(|wire| !wire.control && is_a(plan, wire.to, "ChatOutput"));
        let to_chat: Vec<_> = to_chat.collect();
        let chat_outputs = to_chat.iter().map(|wire| wire.output.to_string()).collect();
        let chat_is_kept = to_chat.iter().any(|wire| {
            let template = &plan.nodes[wire.to as usize].info.template;
            let stores = template
                .get("should_store_message")
                .and_then(|entry| entry.get("value"));
            stores != Some(&Json::Bool(false))
        });
        let fed = ins
            .iter()
            .any(|&w| is_a(plan, plan.wires[w as usize].from, "ChatInput"));
        let node = &mut plan.nodes[at];
        if let Some(info) = Arc::get_mut(&mut node.info) {
            info.chat_outputs = chat_outputs;
            info.chat_is_kept = chat_is_kept;
            info.fed_by_chat_input = fed;
            info.wired_outputs = wired.iter().map(|name| name.to_string()).collect();
        }
        node.wanted = wired.into();
    }
}
