//! `OwnCode`: components made of the Python that nodes bring along. The engine decides which nodes those are and lets
//! nothing run that was found unsafe; whoever can run Python implements it.

use serde_json::Value as Json;

use crate::catalog::Entry;
use crate::failure::Failure;

/// A node with Python of its own.
#[derive(Clone, Copy, Debug)]
pub struct OwnNode<'a> {
    pub id: &'a str,
    pub r#type: &'a str,
    /// As shown on the canvas.
    pub name: &'a str,
    pub code: &'a str,
    /// What its metadata says the code of the built-in component is.
    pub code_hash: Option<&'a str>,
    /// `data.node`, the code included.
    pub component: &'a Json,
}

pub trait OwnCode: Send + Sync {
    /// The component that the node's code is, or why it cannot run.
    fn entry(&self, node: OwnNode<'_>) -> Result<Entry, Failure>;

    /// What makes the code unsafe to run, each as `line N: what`; nothing when nothing does. Runs none of it.
    fn scan(&self, code: &str) -> Vec<String>;

    /// Whether the code is what this hash is of.
    fn fits(&self, code: &str, code_hash: &str) -> bool;
}
