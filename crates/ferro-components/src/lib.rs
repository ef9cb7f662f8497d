//! The built-in components, one file each, in the folder of their category.
//!
//! Refuses to know: storage and the server. A component asks its `Call` for fields and its `Host` for everything
//! that belongs to a person; requests leave through `ferro_net`. A file's doc comment is its help page.
//!
//! Read first: `lib.rs` (the list) and `input_output/chat_input.rs` (the simplest of them).

#![forbid(unsafe_code)]

mod data_source;
mod documents;
mod embeddings;
mod feed;
mod files_and_knowledge;
mod flow_controls;
mod html;
mod input_output;
mod langchain_utilities;
mod llm;
mod llm_operations;
mod models_and_agents;
mod processing;
pub mod prompt;
mod python;
mod text;
mod utilities;
mod wait;

use std::sync::Arc;

use ferro_engine::{Catalog, Component};

pub use flow_controls::inner_flow;
pub use llm::{asks_model, replace_model};
pub use python::{Fetcher, Python, PythonNodes};

/// What components share.
#[derive(Clone)]
pub struct Shared {
    pub net: ferro_net::Client,
    pub models: ferro_llm::Models,
}

impl Shared {
    /// With models that are asked as often as providers allow.
    pub fn new(net: ferro_net::Client) -> Self {
        let models = ferro_llm::Models::new(net.clone(), ferro_llm::Budget::default());
        Self { net, models }
    }
}

/// Every built-in component. Those that need Python say that there is none.
pub fn all(shared: &Shared) -> Vec<Arc<dyn Component>> {
    with_python(shared, None)
}

/// Every built-in component, and nodes with Python of their own where there is somebody to run it.
pub fn catalog(shared: &Shared, python: Option<Arc<dyn Python>>) -> Catalog {
    let nodes = python.map(|python| PythonNodes::new(python, shared.net.clone()));
    let catalog = Catalog::new(with_python(shared, nodes.as_ref()));
    match nodes {
        Some(nodes) => catalog.with_own_code(Arc::new(nodes)),
        None => catalog,
    }
}

fn with_python(shared: &Shared, nodes: Option<&PythonNodes>) -> Vec<Arc<dyn Component>> {
    let mut list: Vec<Arc<dyn Component>> = Vec::new();
    list.extend(input_output::all());
    list.extend(processing::all());
    list.extend(langchain_utilities::all());
    list.extend(flow_controls::all());
    list.extend(utilities::all());
    list.extend(models_and_agents::all(&shared.models));
    list.extend(llm_operations::all(&shared.models));
    list.extend(embeddings::all());
    list.extend(data_source::all(shared));
    list.extend(files_and_knowledge::all());
    list.extend(python::all(nodes));
    list
}
