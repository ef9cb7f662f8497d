//! From a spec to a document.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Map;

use super::{Spec, parse, python_list, validate_references};
use crate::descriptor::Registry;
use crate::document::FlowData;
use crate::edit::{Document, Edit, EditError, IdSource, Moved, apply};
use crate::layout::layout;
use crate::read::read;

/// A flow made from a spec.
#[derive(Debug, Clone, Serialize)]
pub struct Built {
    pub name: String,
    pub description: String,
    pub data: FlowData,
    pub node_count: usize,
    pub edge_count: usize,
    /// Ids in the spec, and what they became, in the order of the spec.
    pub node_id_map: Vec<(String, String)>,
}

/// Why no flow was made: a short form and the details, as assistants get them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{error}: {details}")]
pub struct BuildError {
    pub error: String,
    pub details: String,
}

/// Makes a flow: nodes, then values, then wires, then places on the canvas. `ids` ends the new nodes' ids.
pub fn build_flow_from_spec(text: &str, registry: &Registry, ids: IdSource<'_>) -> Result<Built, BuildError> {
    let spec = parse(text).map_err(|error| BuildError {
        error: "Invalid spec".to_owned(),
        details: error.to_string(),
    })?;
    build_spec(&spec, registry, ids, &mut |_, _| Ok(()))
}

/// What is done to a node, by its id, between its values and its wires.
pub type Finish<'a> = &'a mut dyn FnMut(&mut Document, &str) -> Result<(), EditError>;

/// [`build_flow_from_spec`] for a spec that was read, with a say in every node before it is wired.
pub fn build_spec(
    spec: &Spec,
    registry: &Registry,
    ids: IdSource<'_>,
    finish: Finish<'_>,
) -> Result<Built, BuildError> {
    known_types(spec, registry)?;
    validate_references(spec).map_err(|error| BuildError {
        error: error.to_string(),
        details: error.to_string(),
    })?;
    let empty = FlowData::parse(r#"{"nodes":[],"edges":[],"viewport":{"x":0,"y":0,"zoom":1}}"#)
        .map_err(|error| failed("Failed to start the flow", &error))?;
    let mut document = Document::new(&empty);
    let mut node_id_map = Vec::new();
    for node in &spec.nodes {
        let add = Edit::Add {
            r#type: node.r#type.clone(),
            id: None,
            x: 0.0,
            y: 0.0,
        };
        let added = apply(&mut document, registry, add, ids).map_err(|error| {
            failed(
                &format!("Failed to add component '{}' (node '{}')", node.r#type, node.id),
                &error,
            )
        })?;
        node_id_map.push((node.id.clone(), added.node.unwrap_or_default()));
    }
    // A repeated id means its last node, as it does where specs come from.
    let real: HashMap<&str, &str> = node_id_map
        .iter()
        .map(|(spec, real)| (spec.as_str(), real.as_str()))
        .collect();
    let real = |id: &str| real.get(id).copied().unwrap_or_default().to_owned();
    for (id, fields) in &spec.config {
        let configure = Edit::Configure {
            node: real(id),
            values: fields.iter().cloned().collect::<Map<_, _>>(),
        };
        apply(&mut document, registry, configure, ids)
            .map_err(|error| failed(&format!("Failed to configure node '{id}'"), &error))?;
    }
    for (id, real) in &node_id_map {
        finish(&mut document, real)
            .map_err(|error| failed(&format!("Failed to configure node '{id}'"), &error))?;
    }
    for edge in &spec.edges {
        let connect = Edit::Connect {
            source: real(&edge.source_id),
            output: edge.source_output.clone(),
            target: real(&edge.target_id),
            input: edge.target_input.clone(),
        };
        apply(&mut document, registry, connect, ids).map_err(|error| {
            let (from, to) = (
                (&edge.source_id, &edge.source_output),
                (&edge.target_id, &edge.target_input),
            );
            failed(
                &format!("Failed to connect {}.{} -> {}.{}", from.0, from.1, to.0, to.1),
                &error,
            )
        })?;
    }
    let failed_layout = |error: &dyn std::error::Error| failed("Failed to place the nodes", error);
    let placed = document.to_data().map_err(|error| failed_layout(&error))?;
    let view = read(&placed);
    let moves = view.nodes.iter().zip(layout(&view));
    let moves = moves.map(|(node, place)| Moved {
        node: node.id.to_string(),
        x: place.x,
        y: place.y,
    });
    let moves = Edit::Move {
        moves: moves.collect(),
    };
    apply(&mut document, registry, moves, ids).map_err(|error| failed_layout(&error))?;
    let data = document.to_data().map_err(|error| failed_layout(&error))?;
    Ok(Built {
        name: spec.name.clone(),
        description: spec.description.clone(),
        node_count: data.summary().nodes,
        edge_count: data.summary().edges,
        data,
        node_id_map,
    })
}

fn known_types(spec: &Spec, registry: &Registry) -> Result<(), BuildError> {
    let types = spec.nodes.iter().map(|node| node.r#type.as_str());
    let unknown: Vec<&str> = types.filter(|name| registry.get(name).is_none()).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let sample = registry.iter().take(30).map(|known| known.r#type.as_str());
    Err(BuildError {
        error: format!("Unknown component types: {}", python_list(unknown)),
        details: format!("Available types (sample): {}", python_list(sample)),
    })
}

fn failed(what: &str, error: &dyn std::error::Error) -> BuildError {
    BuildError {
        error: what.to_owned(),
        details: error.to_string(),
    }
}
