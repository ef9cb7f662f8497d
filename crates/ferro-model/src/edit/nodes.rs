//! Nodes and notes that come, go and move.

use serde_json::{Value, json};

use super::record::Record;
use super::{EditError, IdSource, Moved, listed};
use crate::descriptor::Registry;
use crate::read::{NodeKind, Position};

/// How often an id source is asked before its ids count as used up.
const TRIES: usize = 100;

impl Record<'_> {
    pub(super) fn add(
        &mut self,
        registry: &Registry,
        r#type: &str,
        (id, ids): (Option<String>, IdSource<'_>),
        (x, y): (f64, f64),
    ) -> Result<String, EditError> {
        let Some(descriptor) = registry.get(r#type) else {
            let sample = registry.iter().take(20).map(|known| known.r#type.as_str());
            return Err(EditError::UnknownType {
                r#type: r#type.to_owned(),
                available: listed(sample),
            });
        };
        let id = self.free_id(&descriptor.r#type, id, ids)?;
        let node = json!({
            "id": id,
            "type": "genericNode",
            "position": position(x, y)?,
            "selected": false,
            "data": {
                "id": id,
                "type": descriptor.r#type,
                "node": descriptor.to_node(),
                "showNode": true,
            },
        });
        self.insert_node(&node)?;
        Ok(id)
    }

    /// The id that was asked for, or the first that nobody has.
    fn free_id(&self, prefix: &str, asked: Option<String>, ids: IdSource<'_>) -> Result<String, EditError> {
        let taken = |id: &str| self.document.node_place(id).is_some();
        if let Some(id) = asked {
            return if taken(&id) || id.is_empty() {
                Err(EditError::NodeExists { node: id })
            } else {
                Ok(id)
            };
        }
        let mut id = String::new();
        for _ in 0..TRIES {
            id = format!("{prefix}-{}", ids());
            if !taken(&id) {
                return Ok(id);
            }
        }
        Err(EditError::NodeExists { node: id })
    }

    pub(super) fn remove(&mut self, id: &str) -> Result<(), EditError> {
        self.node(id)?;
        self.remove_wires(|wire| wire.source == id || wire.target == id);
        self.remove_node(id)
    }

    pub(super) fn move_nodes(&mut self, moves: &[Moved]) -> Result<(), EditError> {
        for Moved { node, x, y } in moves {
            let place = position(*x, *y)?;
            self.node(node)?;
            for key in ["x", "y"] {
                self.set(node, &["position", key], &place[key])?;
            }
        }
        Ok(())
    }

    pub(super) fn add_note(
        &mut self,
        ids: IdSource<'_>,
        text: Option<String>,
        color: Option<String>,
        (x, y): (f64, f64),
    ) -> Result<String, EditError> {
        let id = self.free_id("note", None, ids)?;
        let note = json!({
            "id": id,
            "type": "noteNode",
            "position": position(x, y)?,
            "selected": false,
            "width": 324,
            "data": {
                "id": id,
                "type": "note",
                "node": {
                    "description": text.unwrap_or_default(),
                    "display_name": "",
                    "documentation": "",
                    "template": { "backgroundColor": color.unwrap_or_else(|| "neutral".to_owned()) },
                },
            },
        });
        self.insert_node(&note)?;
        Ok(id)
    }

    pub(super) fn change_note(
        &mut self,
        id: &str,
        text: Option<String>,
        color: Option<String>,
    ) -> Result<(), EditError> {
        if self.node(id)?.kind != NodeKind::Note {
            return Err(EditError::NotANote { node: id.to_owned() });
        }
        if let Some(text) = text {
            self.set(id, &["data", "node", "description"], &text.into())?;
        }
        if let Some(color) = color {
            self.set(
                id,
                &["data", "node", "template", "backgroundColor"],
                &color.into(),
            )?;
        }
        Ok(())
    }
}

fn position(x: f64, y: f64) -> Result<Value, EditError> {
    if x.is_finite() && y.is_finite() {
        Ok(Position { x, y }.to_value())
    } else {
        Err(EditError::NotFinite)
    }
}
