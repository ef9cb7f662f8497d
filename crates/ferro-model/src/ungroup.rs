//! Groups opened: the nodes inside stand in the list themselves, and wires lead to them directly.
//!
//! A group shows some fields and outputs of its inner nodes under other names (`proxy`). The value a person sets on
//! the group is the one that counts, so it replaces the inner field; whether the inner field is shown stays its own
//! affair. Inner ids are kept, because runs and tweaks name them; only an id that is already taken gets the group's
//! id in front.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::handle::{FieldHandle, Proxy, SourceHandle, TargetHandle};
use crate::read::{Edge, Field, Flow, Issue, Json, Node, NodeKind, Port, read_text};
use crate::scan::members;

/// How deep groups may stand in groups. `MAX_DEPTH` allows fewer today; this holds if that changes.
const MAX_GROUPS: usize = 16;

/// The flow without groups, in the order of the document. Flows without groups come back as they are.
///
/// `json` of an inner node is its text inside the group, with the values it had there: read `fields`.
pub fn ungroup(mut flow: Flow<'_>) -> Flow<'_> {
    for _ in 0..MAX_GROUPS {
        if flow.nodes.iter().all(|node| node.kind != NodeKind::Group) {
            break;
        }
        flow = open_all(flow);
    }
    flow
}

/// Opens every group once; groups that were inside stand outside afterwards.
fn open_all(flow: Flow<'_>) -> Flow<'_> {
    let Flow {
        nodes,
        mut edges,
        mut issues,
    } = flow;
    let outside = nodes.iter().filter(|node| node.kind != NodeKind::Group);
    let mut taken: HashSet<String> = outside.map(|node| node.id.to_string()).collect();
    let mut groups: HashMap<String, Opened> = HashMap::new();
    let mut flat = Vec::with_capacity(nodes.len());
    let mut inner_edges = Vec::new();
    for (index, node) in nodes.into_iter().enumerate() {
        if node.kind != NodeKind::Group {
            flat.push(node);
            continue;
        }
        let inner = inner_flow(&node);
        let path = format!("nodes[{index}].data.node.flow.data");
        issues.extend(inner.issues.iter().map(|issue| Issue {
            path: format!("{path}.{}", issue.path),
            message: issue.message.clone(),
        }));
        let (opened, inner_nodes, wires) = open(&node, inner, &mut taken);
        groups.insert(node.id.to_string(), opened);
        flat.extend(inner_nodes);
        inner_edges.extend(wires);
    }
    for (index, edge) in edges.iter_mut().enumerate() {
        if let Some(message) = lead_inside(edge, &groups) {
            issues.push(Issue {
                path: format!("edges[{index}]"),
                message,
            });
        }
    }
    edges.extend(inner_edges);
    Flow {
        nodes: flat,
        edges,
        issues,
    }
}

fn inner_flow<'a>(group: &Node<'a>) -> Flow<'a> {
    let text = group.flow.map_or("", Json::as_str);
    let data = members(text).and_then(|flow| flow.into_iter().find(|(key, _)| key == "data"));
    // Old groups keep `nodes` and `edges` without a `data` around them.
    read_text(data.map_or(text, |(_, data)| data))
}

/// How names at the group's edge map to what is inside.
#[derive(Default)]
struct Opened {
    /// Inner ids as written to what they are called now.
    ids: HashMap<String, String>,
    /// The group's field names.
    fields: HashMap<String, Proxy>,
    /// The group's output names.
    outputs: HashMap<String, Proxy>,
    /// Node types by present id, which source handles repeat.
    types: HashMap<String, String>,
}

fn open<'a>(
    group: &Node<'a>,
    inner: Flow<'a>,
    taken: &mut HashSet<String>,
) -> (Opened, Vec<Node<'a>>, Vec<Edge<'a>>) {
    let mut opened = Opened::default();
    let Flow {
        mut nodes, mut edges, ..
    } = inner;
    for node in &mut nodes {
        let old = node.id.to_string();
        if taken.contains(&old) {
            node.id = Cow::Owned(format!("{}/{old}", group.id));
        }
        taken.insert(node.id.to_string());
        opened.types.insert(node.id.to_string(), node.r#type.to_string());
        opened.ids.insert(old, node.id.to_string());
    }
    for edge in &mut edges {
        rename(edge, &opened.ids);
    }
    let places: HashMap<String, usize> = nodes
        .iter()
        .enumerate()
        .map(|(place, node)| (node.id.to_string(), place))
        .collect();
    for field in &group.fields {
        let Some(proxy) = field.proxy.as_ref().and_then(|proxy| opened.now(proxy)) else {
            continue;
        };
        let inner = places.get(&proxy.id).and_then(|&place| nodes.get_mut(place));
        if let Some(inner) =
            inner.and_then(|node| node.fields.iter_mut().find(|inner| inner.name == proxy.field))
        {
            replace(inner, field);
        }
        opened.fields.insert(field.name.to_string(), proxy);
    }
    for output in &group.outputs {
        if let Some(proxy) = output.proxy.as_ref().and_then(|proxy| opened.now(proxy)) {
            opened.outputs.insert(output.name.to_string(), proxy);
        }
    }
    (opened, nodes, edges)
}

fn replace<'a>(inner: &mut Field<'a>, outer: &Field<'a>) {
    *inner = Field {
        name: inner.name.clone(),
        display_name: inner.display_name.clone(),
        show: inner.show,
        advanced: inner.advanced,
        // Of an inner group, which is opened next.
        proxy: inner.proxy.clone(),
        ..outer.clone()
    };
}

impl Opened {
    /// The proxy with the inner node's present id; `None` when there is no such node.
    fn now(&self, proxy: &Proxy) -> Option<Proxy> {
        Some(Proxy {
            id: self.ids.get(&proxy.id)?.clone(),
            field: proxy.field.clone(),
        })
    }

    /// The inner output a handle means: by the group's outputs, or by its name `<inner id>_<output>`.
    fn output(&self, name: &str) -> Option<Proxy> {
        if let Some(proxy) = self.outputs.get(name) {
            return Some(proxy.clone());
        }
        // The longest id wins: ids may hold underscores.
        let breaks = name.rmatch_indices('_');
        breaks.into_iter().find_map(|(place, _)| {
            Some(Proxy {
                id: self.ids.get(name.get(..place)?)?.clone(),
                field: name.get(place + 1..)?.to_owned(),
            })
        })
    }

    fn field(&self, handle: &FieldHandle) -> Option<Proxy> {
        let shown = self.fields.get(&handle.field_name).cloned();
        shown.or_else(|| handle.proxy.as_ref().and_then(|proxy| self.now(proxy)))
    }
}

fn rename(edge: &mut Edge<'_>, ids: &HashMap<String, String>) {
    let now = |id: &str| ids.get(id).filter(|now| *now != id).cloned();
    if let Some(id) = now(&edge.source) {
        edge.source = Cow::Owned(id);
    }
    if let Some(id) = now(&edge.target) {
        edge.target = Cow::Owned(id);
    }
}

/// Moves the ends of a wire from a group to the node inside; says what could not be followed.
fn lead_inside(edge: &mut Edge<'_>, groups: &HashMap<String, Opened>) -> Option<String> {
    let mut lost = None;
    if let Some(group) = groups.get(edge.source.as_ref()) {
        match group.output(edge.from.name()) {
            Some(proxy) => {
                let types = match &edge.from {
                    Port::Handle(handle) => handle.types().to_vec(),
                    _ => Vec::new(),
                };
                edge.from = Port::Handle(SourceHandle {
                    data_type: group.types.get(&proxy.id).cloned(),
                    id: proxy.id.clone(),
                    name: Some(proxy.field),
                    output_types: types,
                    base_classes: Vec::new(),
                });
                edge.source = Cow::Owned(proxy.id);
            }
            None => {
                lost = Some(format!(
                    "leaves the group `{}` by an output it does not have; draw the wire again",
                    edge.source
                ));
            }
        }
    }
    if let Some(group) = groups.get(edge.target.as_ref()) {
        let proxy = match &edge.to {
            Port::Handle(TargetHandle::Field(handle)) => {
                group.field(handle).map(|proxy| (proxy, handle.clone()))
            }
            _ => None,
        };
        match proxy {
            Some((proxy, handle)) => {
                edge.to = Port::Handle(TargetHandle::Field(FieldHandle {
                    field_name: proxy.field,
                    id: proxy.id.clone(),
                    proxy: None,
                    ..handle
                }));
                edge.target = Cow::Owned(proxy.id);
            }
            None => {
                lost = Some(format!(
                    "enters the group `{}` by a field it does not have; draw the wire again",
                    edge.target
                ));
            }
        }
    }
    lost
}
