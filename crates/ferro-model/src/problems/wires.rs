//! Problems of single wires: ends that are not there, types that do not fit, ports that take no wire.

use std::collections::{HashMap, HashSet};

use super::{Check, Problem, Severity, about};
use crate::descriptor::OutputSpec;
use crate::handle::TargetHandle;
use crate::ports::{Incompatible, TOOLSET, compatible};
use crate::read::{Edge, Field, Node, NodeKind, Output, Port};

impl<'f, 'a> Check<'f, 'a> {
    pub(super) fn wires(&mut self) {
        let outputs = self.outputs();
        let mut seen: HashMap<(usize, &'f str), &'f Edge<'a>> = HashMap::new();
        let mut told: HashSet<(usize, &'f str)> = HashSet::new();
        for (index, edge) in self.flow.edges.iter().enumerate() {
            let ends = (
                self.places.get(edge.source.as_ref()).copied(),
                self.places.get(edge.target.as_ref()).copied(),
            );
            let (Some(from), Some(to)) = ends else {
                self.dangling(index, edge);
                continue;
            };
            let (source, target) = (&self.flow.nodes[from], &self.flow.nodes[to]);
            // Control wires have no types, and a node whose type nobody knows is a problem already.
            if [source, target]
                .iter()
                .any(|node| matches!(node.kind, NodeKind::Workflow | NodeKind::Note | NodeKind::Group))
            {
                continue;
            }
            let given = self.given(from, edge, &outputs);
            let taken = self.taken(to, edge, &outputs);
            if let (Some(given), Some(taken)) = (given, taken)
                && let Err(reason) = self.fits(source, &given, &taken, edge)
            {
                self.incompatible(source, target, edge, &reason);
            }
            if edge.into_loop() {
                continue;
            }
            let key = (to, edge.to.name());
            if let Some(field) = self.field(to, edge.to.name()) {
                self.entrance(source, target, field);
                let first = *seen.entry(key).or_insert(edge);
                let same = (&first.source, first.from.name()) == (&edge.source, edge.from.name());
                if !field.list && !same && told.insert(key) {
                    self.wire_warning(
                        "several_wires",
                        target,
                        &field.name,
                        format!(
                            "{} of {} takes one wire and has several.",
                            field.display_name, target.name
                        ),
                        "Remove all but one of them.",
                    );
                }
            }
        }
    }

    fn outputs(&self) -> HashMap<(usize, &'f str), &'f Output<'a>> {
        let mut outputs = HashMap::new();
        for (place, node) in self.flow.nodes.iter().enumerate() {
            for output in &node.outputs {
                outputs.insert((place, output.name.as_ref()), output);
            }
        }
        outputs
    }

    fn field(&self, place: usize, name: &str) -> Option<&'f Field<'a>> {
        let index = *self.fields.get(&(place, name))?;
        self.flow.nodes.get(place)?.fields.get(index)
    }

    fn dangling(&mut self, index: usize, edge: &Edge<'_>) {
        for (id, other, leads) in [
            (&edge.source, &edge.target, "comes from"),
            (&edge.target, &edge.source, "leads to"),
        ] {
            if self.places.contains_key(id.as_ref()) {
                continue;
            }
            let other = self
                .places
                .get(other.as_ref())
                .and_then(|&place| self.flow.nodes.get(place));
            self.found.push(Problem {
                severity: Severity::Error,
                code: "wire_to_missing_node",
                node: other.map(|node| node.id.to_string()),
                node_name: other.map(|node| node.name.to_string()),
                field: None,
                message: format!("Wire {} {leads} `{id}`, which is not there.", index + 1),
                advice: "Remove the wire, or draw it again.".to_owned(),
            });
        }
    }

    /// The types a wire carries, or a problem when its output does not exist.
    fn given(
        &mut self,
        place: usize,
        edge: &Edge<'_>,
        outputs: &HashMap<(usize, &'f str), &'f Output<'a>>,
    ) -> Option<Vec<String>> {
        let node = &self.flow.nodes[place];
        let handle = match &edge.from {
            Port::Handle(handle) => Some(handle),
            _ => None,
        };
        let name = edge.from.name();
        if let Some(output) = outputs.get(&(place, name)) {
            let own = output.types.iter().chain(&output.selected);
            let types: Vec<String> = own.map(ToString::to_string).collect();
            return (!types.is_empty()).then_some(types);
        }
        // From before outputs had names, or were written down.
        let unnamed = handle.is_some_and(|handle| handle.name.is_none());
        let spec = self.known[place].and_then(|known| known.find_output(name));
        match (spec, handle) {
            (Some(spec), _) if node.outputs.is_empty() => Some(types_of(spec)),
            (_, Some(handle)) if unnamed || (node.outputs.is_empty() && self.known[place].is_none()) => {
                Some(handle.types().to_vec()).filter(|types| !types.is_empty())
            }
            _ => {
                let offers: Vec<&str> = node.outputs.iter().map(|output| output.name.as_ref()).collect();
                let message = if name.is_empty() {
                    format!("A wire leaves {} without saying by which output.", node.name)
                } else {
                    format!(
                        "A wire leaves {} by the output `{name}`, which it does not have.",
                        node.name
                    )
                };
                let advice = match offers.as_slice() {
                    [] => "Remove the wire.".to_owned(),
                    offers => format!("Draw it again from one of: {}.", offers.join(", ")),
                };
                self.found.push(about(
                    Severity::Error,
                    "wire_to_missing_port",
                    node,
                    message,
                    &advice,
                ));
                None
            }
        }
    }

    /// The types the input takes, or a problem when it does not exist.
    fn taken(
        &mut self,
        place: usize,
        edge: &Edge<'_>,
        outputs: &HashMap<(usize, &'f str), &'f Output<'a>>,
    ) -> Option<Vec<String>> {
        let node = &self.flow.nodes[place];
        let name = edge.to.name();
        if let Port::Handle(TargetHandle::Loop(handle)) = &edge.to {
            if let Some(output) = outputs.get(&(place, name)).filter(|output| output.allows_loop) {
                let own = output.types.iter().chain(&output.loop_types);
                let written = handle.types().iter().cloned();
                return Some(own.map(ToString::to_string).chain(written).collect());
            }
        } else if let Some(field) = self.field(place, name) {
            let spec = self.known[place].and_then(|known| known.find_field(name));
            let types: Vec<String> = match (&field.input_types, spec) {
                (Some(types), _) if !types.is_empty() => types.iter().map(ToString::to_string).collect(),
                (_, Some(spec)) => spec.input_types.iter().map(ToString::to_string).collect(),
                _ => match &edge.to {
                    Port::Handle(TargetHandle::Field(handle)) => {
                        handle.input_types.clone().unwrap_or_default()
                    }
                    _ => Vec::new(),
                },
            };
            return Some(types.into_iter().chain([field.r#type.to_string()]).collect());
        }
        let message = if name.is_empty() {
            format!("A wire enters {} without saying by which input.", node.name)
        } else {
            format!(
                "A wire enters {} by the input `{name}`, which it does not have.",
                node.name
            )
        };
        let takes = node.fields.iter();
        let takes = takes
            .filter(|field| field.show && field.input_types.as_ref().is_some_and(|types| !types.is_empty()));
        let takes: Vec<&str> = takes.map(|field| field.name.as_ref()).take(20).collect();
        let advice = match takes.as_slice() {
            [] => "Remove the wire.".to_owned(),
            takes => format!("Draw it again into one of: {}.", takes.join(", ")),
        };
        self.found.push(about(
            Severity::Error,
            "wire_to_missing_port",
            node,
            message,
            &advice,
        ));
        None
    }

    fn fits(
        &self,
        source: &Node<'_>,
        given: &[String],
        taken: &[String],
        edge: &Edge<'_>,
    ) -> Result<(), Incompatible> {
        compatible(given, taken).or_else(|refused| {
            let toolset = edge.from.name() == TOOLSET && compatible(&["Tool"], taken).is_ok();
            let component = compatible(&[source.r#type.as_ref()], taken).is_ok();
            if toolset || component {
                Ok(())
            } else {
                Err(refused)
            }
        })
    }

    fn incompatible(&mut self, source: &Node<'_>, target: &Node<'_>, edge: &Edge<'_>, reason: &Incompatible) {
        let problem = about(
            Severity::Error,
            "incompatible_wire",
            target,
            format!(
                "{} ({}) cannot be wired to {} ({}): {}.",
                source.name,
                edge.from.name(),
                target.name,
                edge.to.name(),
                reason.to_string().split("; ").next().unwrap_or_default(),
            ),
            &reason
                .to_string()
                .split_once("; ")
                .map_or("Remove the wire.".to_owned(), |(_, advice)| sentence(advice)),
        );
        self.found.push(Problem {
            field: Some(edge.to.name().to_owned()),
            ..problem
        });
    }

    fn entrance(&mut self, source: &Node<'_>, target: &Node<'_>, field: &Field<'_>) {
        if field.tool_mode && target.tool_mode {
            self.wire_warning(
                "wire_to_tool_argument",
                target,
                &field.name,
                format!(
                    "{} of {} is given by the agent; the wire from {} is ignored.",
                    field.display_name, target.name, source.name
                ),
                "Turn tool mode off, or remove the wire.",
            );
        } else if !field.show {
            self.wire_warning(
                "wire_to_hidden_field",
                target,
                &field.name,
                format!(
                    "{} of {} is hidden with its present settings; the wire from {} is ignored.",
                    field.display_name, target.name, source.name
                ),
                "Change what hides the field, or remove the wire.",
            );
        }
    }

    fn wire_warning(
        &mut self,
        code: &'static str,
        target: &Node<'_>,
        field: &str,
        message: String,
        advice: &str,
    ) {
        let problem = about(Severity::Warning, code, target, message, advice);
        self.found.push(Problem {
            field: Some(field.to_owned()),
            ..problem
        });
    }
}

fn types_of(spec: &OutputSpec) -> Vec<String> {
    spec.types.iter().map(ToString::to_string).collect()
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
