//! Which output may be wired to which input, and why not.
//!
//! Ports are read from the node itself, because a saved flow is the truth about its own nodes; the registry helps
//! out where a node does not say.

mod refusal;

use std::collections::HashMap;

use crate::descriptor::Registry;
use crate::graph::Graph;
use crate::read::{Edge, Flow, Node, NodeKind};

pub use refusal::{Incompatible, Refusal};

/// The output of a node that serves an agent as a tool.
pub const TOOLSET: &str = "component_as_tool";
/// The method that Langflow's classes make it with.
pub const TO_TOOLKIT: &str = "to_toolkit";

/// The current name of a port type: `Data` was renamed to `JSON` and `DataFrame` to `Table`.
pub fn canonical_type(name: &str) -> &str {
    match name {
        "Data" => "JSON",
        "DataFrame" => "Table",
        other => other,
    }
}

/// Whether a wire may join them: some type is on both sides, under its old or its new name.
pub fn compatible(outputs: &[impl AsRef<str>], inputs: &[impl AsRef<str>]) -> Result<(), Incompatible> {
    let fits = outputs.iter().any(|output| {
        let output = canonical_type(output.as_ref());
        inputs
            .iter()
            .any(|input| canonical_type(input.as_ref()) == output)
    });
    if fits {
        return Ok(());
    }
    Err(Incompatible {
        outputs: canonical_list(outputs),
        inputs: canonical_list(inputs),
    })
}

/// What a permitted wire's handles say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The source node's `data.type`.
    pub source_type: String,
    pub output_types: Vec<String>,
    pub into: Entry,
    /// The source must be put into tool mode for the wire to make sense.
    pub flips_tool_mode: bool,
}

/// Where a wire enters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    Field {
        input_types: Vec<String>,
        r#type: String,
    },
    /// An output that takes the wire which closes its loop.
    Loop {
        data_type: String,
        output_types: Vec<String>,
    },
    /// A port of a workflow node.
    Control,
}

/// A wire that is already there, by what it joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wire<'a> {
    pub source: &'a str,
    pub output: &'a str,
    pub target: &'a str,
    pub input: &'a str,
    pub into_loop: bool,
}

impl<'a> Wire<'a> {
    pub fn of(edge: &'a Edge<'_>) -> Self {
        Self {
            source: &edge.source,
            output: edge.from.name(),
            target: &edge.target,
            input: edge.to.name(),
            into_loop: edge.into_loop(),
        }
    }
}

/// Whether `source.output` may be wired to `target.input`. A wire that is already there may.
pub fn can_connect(
    flow: &Flow<'_>,
    registry: &Registry,
    source: &str,
    output: &str,
    target: &str,
    input: &str,
) -> Result<Connection, Refusal> {
    let find = |id: &str| {
        let found = flow.nodes.iter().find(|node| node.id == id);
        found.ok_or_else(|| Refusal::UnknownNode {
            node: id.to_owned(),
            available: flow.nodes.iter().map(|node| node.id.to_string()).collect(),
        })
    };
    let wires: Vec<Wire<'_>> = flow.edges.iter().map(Wire::of).collect();
    join(registry, (find(source)?, output), (find(target)?, input), &wires)
}

/// [`can_connect`] for nodes that have been found.
pub(crate) fn join(
    registry: &Registry,
    (source, output): (&Node<'_>, &str),
    (target, input): (&Node<'_>, &str),
    wires: &[Wire<'_>],
) -> Result<Connection, Refusal> {
    if source.id == target.id {
        return Err(Refusal::SelfWire {
            node: source.id.to_string(),
        });
    }
    let from = output_port(source, registry, output)?;
    let to = input_port(target, registry, input)?;
    fits(source, &from, &to).map_err(|reason| Refusal::Types {
        wire: format!("{}.{output} -> {}.{input}", source.id, target.id),
        reason,
    })?;
    let new = Wire {
        source: &source.id,
        output,
        target: &target.id,
        input,
        into_loop: matches!(to, InputPort::Loop { .. }),
    };
    enterable(target, input, &to)?;
    vacant(&new, &to, wires)?;
    if !new.into_loop && !matches!(to, InputPort::Control) {
        acyclic(&new, wires)?;
    }
    Ok(Connection {
        source_type: source.r#type.to_string(),
        output_types: from.offered,
        flips_tool_mode: output == TOOLSET && source.output(TOOLSET).is_none(),
        into: match to {
            InputPort::Field(field) => Entry::Field {
                input_types: field.input_types,
                r#type: field.r#type,
            },
            InputPort::Loop { types, offered } => Entry::Loop {
                data_type: target.r#type.to_string(),
                output_types: if offered.is_empty() { types } else { offered },
            },
            InputPort::Control => Entry::Control,
        },
    })
}

pub(crate) struct OutputPort {
    pub(crate) types: Vec<String>,
    /// What the wire's handle says it carries.
    pub(crate) offered: Vec<String>,
}

pub(crate) enum InputPort {
    Field(FieldPort),
    Loop {
        types: Vec<String>,
        offered: Vec<String>,
    },
    Control,
}

pub(crate) struct FieldPort {
    pub(crate) input_types: Vec<String>,
    pub(crate) r#type: String,
    list: bool,
    show: bool,
    tool_mode: bool,
}

pub(crate) fn output_port(node: &Node<'_>, registry: &Registry, name: &str) -> Result<OutputPort, Refusal> {
    if node.kind == NodeKind::Workflow {
        let control = vec!["Control".to_owned()];
        return Ok(OutputPort {
            types: control.clone(),
            offered: control,
        });
    }
    if let Some(output) = node.output(name) {
        return Ok(OutputPort {
            // An output that does not name its types gives messages, as Langflow has it.
            types: if output.types.is_empty() && !output.json.as_str().contains("\"types\"") {
                vec!["Message".to_owned()]
            } else {
                owned(&output.types)
            },
            offered: owned(&output.offered()),
        });
    }
    let known = registry.get_alike(&node.r#type);
    let mut available: Vec<String> = node
        .outputs
        .iter()
        .map(|output| output.name.to_string())
        .collect();
    if name == TOOLSET {
        let capable = node.tool_capable() || known.is_some_and(|descriptor| descriptor.tool_capable());
        let types = vec!["Tool".to_owned()];
        return if capable {
            Ok(OutputPort {
                offered: types.clone(),
                types,
            })
        } else {
            Err(Refusal::NoTool {
                node: node.id.to_string(),
                available,
            })
        };
    }
    // Files from before outputs were written down: the type knows them.
    if let (true, Some(descriptor)) = (node.outputs.is_empty(), known) {
        if let Some(output) = descriptor.find_output(name) {
            return Ok(OutputPort {
                types: owned(&output.types),
                offered: owned(&output.types[..output.types.len().min(1)]),
            });
        }
        available = descriptor
            .outputs
            .iter()
            .map(|output| output.name.clone())
            .collect();
    }
    Err(Refusal::UnknownOutput {
        node: node.id.to_string(),
        output: name.to_owned(),
        available,
    })
}

pub(crate) fn input_port(node: &Node<'_>, registry: &Registry, name: &str) -> Result<InputPort, Refusal> {
    if node.kind == NodeKind::Workflow {
        return Ok(InputPort::Control);
    }
    let known = registry.get_alike(&node.r#type);
    let spec = known.and_then(|descriptor| descriptor.find_field(name));
    if let Some(field) = node.field(name) {
        return Ok(InputPort::Field(FieldPort {
            input_types: match (&field.input_types, spec) {
                (Some(types), _) if !types.is_empty() => owned(types),
                (_, Some(spec)) => owned(&spec.input_types),
                (Some(_), None) => Vec::new(),
                (None, None) => vec!["Message".to_owned()],
            },
            r#type: if field.r#type.is_empty() {
                "str".to_owned()
            } else {
                field.r#type.to_string()
            },
            list: field.list,
            show: field.show,
            tool_mode: field.tool_mode && node.tool_mode,
        }));
    }
    // A field wins over an output of the same name.
    if let Some(output) = node.output(name).filter(|output| output.allows_loop) {
        let types = owned(&output.loop_inputs());
        return Ok(InputPort::Loop {
            offered: types.clone(),
            types,
        });
    }
    if let (true, Some(spec)) = (node.fields.is_empty(), spec) {
        return Ok(InputPort::Field(FieldPort {
            input_types: owned(&spec.input_types),
            r#type: spec.r#type.to_string(),
            list: spec.list,
            show: spec.show,
            tool_mode: spec.tool_mode && node.tool_mode,
        }));
    }
    Err(Refusal::UnknownInput {
        node: node.id.to_string(),
        input: name.to_owned(),
        available: inputs_of(node),
    })
}

/// What can be wired into, as a refusal lists it.
fn inputs_of(node: &Node<'_>) -> Vec<String> {
    let fields = node.fields.iter();
    let wired = fields
        .filter(|field| field.show && field.input_types.as_ref().is_some_and(|types| !types.is_empty()));
    let loops = node.outputs.iter().filter(|output| output.allows_loop);
    wired
        .map(|field| field.name.to_string())
        .chain(loops.map(|output| output.name.to_string()))
        .collect()
}

/// The canvas's rule: a common type, else the component's own type, else the type of the field.
pub(crate) fn fits(source: &Node<'_>, from: &OutputPort, to: &InputPort) -> Result<(), Incompatible> {
    match to {
        InputPort::Control => Ok(()),
        InputPort::Loop { types, .. } => compatible(&from.types, types),
        InputPort::Field(field) => compatible(&from.types, &field.input_types).or_else(|refused| {
            let component = [source.r#type.as_ref()];
            let r#type = [field.r#type.as_str()];
            compatible(&component, &field.input_types)
                .or_else(|_| compatible(&from.types, &r#type))
                .or_else(|_| compatible(&component, &r#type))
                .map_err(|_| refused)
        }),
    }
}

pub(crate) fn enterable(target: &Node<'_>, input: &str, to: &InputPort) -> Result<(), Refusal> {
    let InputPort::Field(field) = to else {
        return Ok(());
    };
    let (node, input) = (target.id.to_string(), input.to_owned());
    if field.tool_mode {
        Err(Refusal::ToolArgument { node, input })
    } else if !field.show {
        Err(Refusal::Hidden { node, input })
    } else {
        Ok(())
    }
}

fn vacant(new: &Wire<'_>, to: &InputPort, wires: &[Wire<'_>]) -> Result<(), Refusal> {
    let takes_many = match to {
        InputPort::Field(field) => field.list,
        InputPort::Loop { .. } => false,
        InputPort::Control => true,
    };
    let other = wires.iter().find(|wire| {
        (wire.target, wire.input, wire.into_loop) == (new.target, new.input, new.into_loop) && *wire != new
    });
    match other {
        Some(wire) if !takes_many => Err(Refusal::Occupied {
            node: new.target.to_owned(),
            input: new.input.to_owned(),
            by: format!("{}.{}", wire.source, wire.output),
        }),
        _ => Ok(()),
    }
}

/// Refuses a wire from which other wires lead back to its source, unless one of them enters a loop port.
fn acyclic(new: &Wire<'_>, wires: &[Wire<'_>]) -> Result<(), Refusal> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut names: Vec<&str> = Vec::new();
    let mut place = |id| {
        *places.entry(id).or_insert_with(|| {
            names.push(id);
            names.len() - 1
        })
    };
    let (start, end) = (place(new.target), place(new.source));
    let pairs: Vec<(usize, usize)> = wires
        .iter()
        .filter(|wire| !wire.into_loop && *wire != new)
        .map(|wire| (place(wire.source), place(wire.target)))
        .collect();
    let graph = Graph::new(names.len(), pairs);
    let Some(way) = graph.way(start, end) else {
        return Ok(());
    };
    let mut path: Vec<String> = vec![new.source.to_owned()];
    path.extend(
        way.into_iter()
            .filter_map(|place| names.get(place))
            .map(|&name| name.to_owned()),
    );
    Err(Refusal::Cycle { path })
}

fn owned<T: AsRef<str>>(list: &[T]) -> Vec<String> {
    list.iter().map(|one| one.as_ref().to_owned()).collect()
}

fn canonical_list(types: &[impl AsRef<str>]) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for name in types {
        let name = canonical_type(name.as_ref());
        if list.iter().all(|known| known != name) {
            list.push(name.to_owned());
        }
    }
    list
}
