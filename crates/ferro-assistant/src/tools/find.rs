//! Finding the node a model means.

use ferro_agent::ToolError;
use ferro_model::Document;

use crate::work::Work;

/// Ids that a refusal lists.
const SHOWN: usize = 20;

impl Work {
    /// The node's id: as it was given, or the only node that is of this type or has this name.
    pub(crate) fn find_node(&self, given: &str) -> Result<String, ToolError> {
        self.look(|document| match document.node_text(given) {
            Some(_) => Ok(given.to_owned()),
            None => by_name(document, given),
        })
    }
}

fn by_name(document: &Document, given: &str) -> Result<String, ToolError> {
    if document.ids().is_empty() {
        return Err(ToolError::new(
            "There is nothing on the canvas yet; add components first, or build a flow.",
        ));
    }
    let wanted = given.to_lowercase();
    let of_type = |id: &&String| {
        id.rsplit_once('-')
            .is_some_and(|(kind, _)| kind.to_lowercase() == wanted)
    };
    let named = |id: &&String| {
        document
            .node(id)
            .is_some_and(|node| node.name.to_lowercase() == wanted)
    };
    let mut found: Vec<&String> = document.ids().iter().filter(of_type).collect();
    if found.is_empty() {
        found = document.ids().iter().filter(named).collect();
    }
    match found.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(ToolError::new(format!(
            "There is no component `{given}` in the flow. There is {}. Use one of these ids.",
            listed(document.ids().iter())
        ))),
        several => Err(ToolError::new(format!(
            "Several components are called `{given}`: {}. Use the id of one of them.",
            listed(several.iter().copied())
        ))),
    }
}

pub(super) fn listed<T: AsRef<str>>(names: impl ExactSizeIterator<Item = T>) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let shown: Vec<String> = names
        .take(SHOWN)
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    match more {
        0 if shown.is_empty() => "none".to_owned(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
