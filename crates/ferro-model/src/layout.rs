//! Where nodes go when nobody has placed them: in layers from left to right, each centred.

use serde_json::{Value, json};

use crate::graph::Graph;
use crate::read::{Flow, NodeKind, Position};

pub const LAYER_SPACING_X: f64 = 480.0;
pub const NODE_SPACING_Y: f64 = 350.0;

/// A place for every node, in the order of the document. A node stands one layer behind the last of those that
/// feed it; nodes that only a cycle leads to follow at the end, one per layer.
pub fn layout(flow: &Flow<'_>) -> Vec<Position> {
    place(&graph_of(flow))
}

/// [`layout`] that leaves notes where they are: only what takes part in a run is moved.
pub fn layout_components(flow: &Flow<'_>) -> Vec<(usize, Position)> {
    let moved: Vec<usize> = (0..flow.nodes.len())
        .filter(|&place| flow.nodes[place].kind != NodeKind::Note)
        .collect();
    let mut numbers = vec![None; flow.nodes.len()];
    for (number, &place) in moved.iter().enumerate() {
        numbers[place] = Some(number);
    }
    let whole = graph_of(flow);
    let edges = whole.next.iter().enumerate();
    let edges = edges.flat_map(|(from, list)| list.iter().map(move |&to| (from, to)));
    let kept = edges.filter_map(|(from, to)| Some((numbers[from]?, numbers[to]?)));
    moved
        .iter()
        .copied()
        .zip(place(&Graph::new(moved.len(), kept)))
        .collect()
}

/// Nodes by place in the document, joined by the flow's wires.
pub(crate) fn graph_of(flow: &Flow<'_>) -> Graph {
    let places: std::collections::HashMap<&str, usize> = flow
        .nodes
        .iter()
        .enumerate()
        .map(|(place, node)| (node.id.as_ref(), place))
        .collect();
    let edges = flow.edges.iter().filter_map(|edge| {
        Some((
            *places.get(edge.source.as_ref())?,
            *places.get(edge.target.as_ref())?,
        ))
    });
    Graph::new(flow.nodes.len(), edges)
}

fn place(graph: &Graph) -> Vec<Position> {
    let mut places = vec![Position { x: 0.0, y: 0.0 }; graph.len()];
    for (layer, nodes) in graph.layers().into_iter().enumerate() {
        let top = -(nodes.len().saturating_sub(1) as f64 * NODE_SPACING_Y) / 2.0;
        for (row, node) in nodes.into_iter().enumerate() {
            places[node] = Position {
                x: layer as f64 * LAYER_SPACING_X,
                y: top + row as f64 * NODE_SPACING_Y,
            };
        }
    }
    places
}

impl Position {
    /// As a node's `position`; whole numbers without a fraction, as the canvas writes them.
    pub fn to_value(self) -> Value {
        json!({ "x": number(self.x), "y": number(self.y) })
    }
}

/// A finite number as short as it can be; zero for one that is not.
pub(crate) fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        Value::from(value as i64)
    } else {
        serde_json::Number::from_f64(value).map_or(Value::from(0), Value::Number)
    }
}
