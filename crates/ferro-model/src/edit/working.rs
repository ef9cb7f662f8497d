//! A document opened for changes: nodes and edges as separate texts, everything around them as it was.
//!
//! Only what an edit touches is read and written again, so a document that was opened, changed and changed back is
//! the same text, white space included.

use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::document::{DocumentError, FlowData};
use crate::ports::Wire;
use crate::read::{Edge, Node, read_edge, read_node};
use crate::scan::{Cursor, Kind};

/// A document that can be edited. [`Document::to_data`] gives the text back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    parts: Vec<Part>,
    nodes: List,
    edges: List,
    /// Node ids in the order of `nodes`.
    ids: Vec<String>,
    places: HashMap<String, usize>,
    wires: Vec<OwnWire>,
    /// It was `{}` and stays so while nothing is in it.
    bare: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Nodes,
    Edges,
}

/// An array's items with what stands between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct List {
    lead: String,
    items: Vec<Item>,
    tail: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// What stands before it, comma included, when it is not the first.
    pub(super) gap: String,
    pub(super) text: String,
}

/// A [`Wire`] that owns its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnWire {
    pub(super) source: String,
    pub(super) output: String,
    pub(super) target: String,
    pub(super) input: String,
    pub(super) into_loop: bool,
}

impl OwnWire {
    pub(super) fn of(edge: &Edge<'_>) -> Self {
        Self {
            source: edge.source.to_string(),
            output: edge.from.name().to_owned(),
            target: edge.target.to_string(),
            input: edge.to.name().to_owned(),
            into_loop: edge.into_loop(),
        }
    }

    fn borrow(&self) -> Wire<'_> {
        Wire {
            source: &self.source,
            output: &self.output,
            target: &self.target,
            input: &self.input,
            into_loop: self.into_loop,
        }
    }
}

impl List {
    fn read(text: &str) -> Self {
        let mut list = Self::default();
        let mut cursor = Cursor::new(text, usize::MAX);
        cursor.kind();
        cursor.enter();
        let mut end = cursor.offset();
        while cursor.next_item() {
            let span = cursor.value();
            let gap = text.get(end..span.start).unwrap_or_default().to_owned();
            if list.items.is_empty() {
                list.lead.clone_from(&gap);
            }
            list.items.push(Item {
                gap,
                text: span.text.to_owned(),
            });
            end = span.start + span.text.len();
        }
        let close = text.rfind(']').unwrap_or(text.len());
        list.tail = text.get(end..close).unwrap_or_default().to_owned();
        let gap = list.gap();
        if let Some(first) = list.items.first_mut() {
            first.gap = gap;
        }
        list
    }

    /// What to put before an item that has no gap of its own.
    pub(super) fn gap(&self) -> String {
        match self.items.get(1) {
            Some(second) => second.gap.clone(),
            None => format!(",{}", self.lead),
        }
    }

    fn write(&self, text: &mut String) {
        text.push('[');
        for (index, item) in self.items.iter().enumerate() {
            text.push_str(if index == 0 { &self.lead } else { &item.gap });
            text.push_str(&item.text);
        }
        text.push_str(&self.tail);
        text.push(']');
    }
}

impl Document {
    pub fn new(data: &FlowData) -> Self {
        let text = data.as_str();
        let (mut nodes, mut edges) = (List::default(), List::default());
        let mut parts = Vec::new();
        let mut cursor = Cursor::new(text, usize::MAX);
        cursor.kind();
        cursor.enter();
        let mut done = 0;
        while let Some(key) = cursor.next_key() {
            let is_list = cursor.kind() == Kind::Array;
            let span = cursor.value();
            let part = match key.as_ref() {
                "nodes" if is_list => {
                    nodes = List::read(span.text);
                    Part::Nodes
                }
                "edges" if is_list => {
                    edges = List::read(span.text);
                    Part::Edges
                }
                _ => continue,
            };
            parts.push(Part::Text(
                text.get(done..span.start).unwrap_or_default().to_owned(),
            ));
            parts.push(part);
            done = span.start + span.text.len();
        }
        let bare = parts.is_empty();
        if bare {
            let open = || Part::Text("{\"nodes\":".to_owned());
            parts = vec![
                open(),
                Part::Nodes,
                Part::Text(",\"edges\":".to_owned()),
                Part::Edges,
                Part::Text("}".to_owned()),
            ];
        } else {
            parts.push(Part::Text(text.get(done..).unwrap_or_default().to_owned()));
        }
        let mut document = Self {
            parts,
            nodes,
            edges,
            ids: Vec::new(),
            places: HashMap::new(),
            wires: Vec::new(),
            bare,
        };
        document.ids = document
            .nodes
            .items
            .iter()
            .map(|item| read_node(&item.text).id.into_owned())
            .collect();
        document.wires = document
            .edges
            .items
            .iter()
            .map(|item| OwnWire::of(&read_edge(&item.text)))
            .collect();
        document.index();
        document
    }

    /// The document as text, checked.
    pub fn to_data(&self) -> Result<FlowData, DocumentError> {
        let text = self.text();
        let raw = RawValue::from_string(text).map_err(|error| DocumentError::Syntax(error.to_string()))?;
        FlowData::from_raw(raw)
    }

    pub fn text(&self) -> String {
        if self.bare && self.nodes.items.is_empty() && self.edges.items.is_empty() {
            return "{}".to_owned();
        }
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Nodes => self.nodes.write(&mut text),
                Part::Edges => self.edges.write(&mut text),
            }
        }
        text
    }

    /// Node ids in the order of the document.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// How many wires there are.
    pub fn wire_count(&self) -> usize {
        self.wires.len()
    }

    /// A node as the reader sees it.
    pub fn node(&self, id: &str) -> Option<Node<'_>> {
        Some(read_node(self.node_text(id)?))
    }

    /// A node's JSON.
    pub fn node_text(&self, id: &str) -> Option<&str> {
        Some(&self.nodes.items.get(*self.places.get(id)?)?.text)
    }

    /// The JSON of one value of a node.
    pub fn value_text(&self, node: &str, path: &[&str]) -> Option<&str> {
        super::get(self.node_text(node)?, path)
    }

    /// Every wire, in the order of the document.
    pub fn wires(&self) -> Vec<Wire<'_>> {
        self.wires.iter().map(OwnWire::borrow).collect()
    }

    /// The JSON of a wire.
    pub fn edge_text(&self, index: usize) -> Option<&str> {
        Some(&self.edges.items.get(index)?.text)
    }

    pub(crate) fn set_node_text(&mut self, id: &str, text: String) {
        if let Some(item) = self
            .places
            .get(id)
            .and_then(|&place| self.nodes.items.get_mut(place))
        {
            item.text = text;
        }
    }

    pub(crate) fn set_edge_text(&mut self, index: usize, text: String) {
        if let (Some(item), Some(wire)) = (self.edges.items.get_mut(index), self.wires.get_mut(index)) {
            *wire = OwnWire::of(&read_edge(&text));
            item.text = text;
        }
    }

    pub(super) fn node_place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    pub(super) fn node_gap(&self, index: usize) -> Option<String> {
        self.nodes.items.get(index).map(|item| item.gap.clone())
    }

    pub(super) fn wire_gap(&self, index: usize) -> Option<String> {
        self.edges.items.get(index).map(|item| item.gap.clone())
    }

    pub(super) fn insert_node(&mut self, index: usize, text: String, gap: Option<String>) {
        let id = read_node(&text).id.into_owned();
        let index = index.min(self.ids.len());
        let gap = gap.unwrap_or_else(|| self.nodes.gap());
        self.nodes.items.insert(index, Item { gap, text });
        let last = index == self.ids.len();
        self.ids.insert(index, id.clone());
        if last {
            self.places.insert(id, index);
        } else {
            self.index();
        }
    }

    pub(super) fn remove_node(&mut self, index: usize) -> Option<Item> {
        if index >= self.ids.len() {
            return None;
        }
        self.ids.remove(index);
        let item = self.nodes.items.remove(index);
        self.index();
        Some(item)
    }

    pub(super) fn insert_edge(&mut self, index: usize, text: String, gap: Option<String>) {
        let wire = OwnWire::of(&read_edge(&text));
        let index = index.min(self.wires.len());
        let gap = gap.unwrap_or_else(|| self.edges.gap());
        self.edges.items.insert(index, Item { gap, text });
        self.wires.insert(index, wire);
    }

    pub(super) fn remove_edge(&mut self, index: usize) -> Option<Item> {
        if index >= self.wires.len() {
            return None;
        }
        self.wires.remove(index);
        Some(self.edges.items.remove(index))
    }

    /// The place of the edge with this text: `index` if it is there, else wherever it is now.
    pub(super) fn edge_place(&self, index: usize, text: &str) -> Option<usize> {
        let is = |item: &Item| item.text == text;
        if self.edges.items.get(index).is_some_and(is) {
            return Some(index);
        }
        self.edges.items.iter().position(is)
    }

    fn index(&mut self) {
        let ids = self.ids.iter().enumerate();
        self.places = ids.map(|(place, id)| (id.clone(), place)).collect();
    }
}
