//! Where a new node goes: beside what it probably belongs to, on nobody's place. Nodes that are there are not moved.

use std::collections::HashMap;

use ferro_model::Document;
use ferro_model::edit::{Change, Patch};
use ferro_model::layout::{LAYER_SPACING_X, NODE_SPACING_Y};
use serde::Deserialize;
use serde_json::Value as Json;

/// What a node's card takes up at most, in most flows.
const CARD: (f64, f64) = (400.0, 320.0);
/// A note's, where it does not say.
const NOTE: (f64, f64) = (324.0, 324.0);
/// Rows that are tried below the first.
const ROWS: u32 = 40;

/// What is taken up. Read once a turn; after that, kept up with the changes.
#[derive(Debug, Default)]
pub(super) struct Places {
    boxes: HashMap<String, Area>,
}

#[derive(Clone, Copy, Debug)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// What a node's JSON says of its place; nothing else of it is read.
#[derive(Deserialize)]
struct Card {
    #[serde(default)]
    position: Json,
    #[serde(default)]
    r#type: Json,
    #[serde(default)]
    width: Json,
    #[serde(default)]
    height: Json,
}

impl Area {
    /// `None` for a node that is nowhere.
    fn of(node: &str) -> Option<Self> {
        let card: Card = serde_json::from_str(node).ok()?;
        let at = |key: &str| card.position.get(key).and_then(Json::as_f64);
        let is_note = matches!(card.r#type.as_str(), Some("noteNode" | "note"));
        let size = |said: &Json, usual| said.as_f64().filter(|_| is_note).unwrap_or(usual);
        let usual = if is_note { NOTE } else { CARD };
        Some(Self {
            x: at("x")?,
            y: at("y")?,
            width: size(&card.width, usual.0),
            height: size(&card.height, usual.1),
        })
    }

    fn card((x, y): (f64, f64)) -> Self {
        Self {
            x,
            y,
            width: CARD.0,
            height: CARD.1,
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// On which side of its neighbour a node goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// It begins a flow.
    Left,
    Right,
}

impl Places {
    pub(super) fn of(document: &Document) -> Self {
        let mut places = Self::default();
        for id in document.ids() {
            places.put(document, id);
        }
        places
    }

    pub(super) fn keep_up(&mut self, document: &Document, patch: &Patch) {
        for change in &patch.changes {
            let (Change::InsertNode(node) | Change::RemoveNode(node)) = change else {
                continue;
            };
            let node: Json = serde_json::from_str(&node.text).unwrap_or_default();
            if let Some(id) = node.get("id").and_then(Json::as_str) {
                self.put(document, id);
            }
        }
    }

    /// As it is now: there or not.
    fn put(&mut self, document: &Document, id: &str) {
        match document.node_text(id).and_then(Area::of) {
            Some(area) => self.boxes.insert(id.to_owned(), area),
            None => self.boxes.remove(id),
        };
    }

    /// A free place beside `anchor`, or beside all there is.
    pub(super) fn free(&self, anchor: Option<&str>, side: Side) -> (f64, f64) {
        if self.boxes.is_empty() {
            return (0.0, 0.0);
        }
        let anchor = anchor
            .and_then(|id| self.boxes.get(id))
            .or_else(|| self.edge(side));
        if let Some(anchor) = anchor {
            let x = match side {
                Side::Left => anchor.x - LAYER_SPACING_X,
                Side::Right => anchor.x + LAYER_SPACING_X,
            };
            for row in 0..ROWS {
                let place = (x, anchor.y + f64::from(row) * NODE_SPACING_Y);
                if self.is_free(place) {
                    return place;
                }
            }
        }
        let below = self
            .boxes
            .values()
            .map(|area| area.y + area.height)
            .fold(0.0, f64::max);
        (0.0, below + NODE_SPACING_Y - CARD.1)
    }

    /// The node that is farthest out.
    fn edge(&self, side: Side) -> Option<&Area> {
        // Of two equally far out the upper one, whatever order a map has.
        let out = |area: &&Area| match side {
            Side::Left => (-area.x, -area.y),
            Side::Right => (area.x, -area.y),
        };
        let farther = |one: &&Area, other: &&Area| {
            let ((x, y), (other_x, other_y)) = (out(one), out(other));
            x.total_cmp(&other_x).then(y.total_cmp(&other_y))
        };
        self.boxes.values().max_by(farther)
    }

    fn is_free(&self, place: (f64, f64)) -> bool {
        let card = Area::card(place);
        self.boxes.values().all(|area| !area.meets(&card))
    }
}
