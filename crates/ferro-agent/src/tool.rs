//! `Tool`: something the model can call.

use std::collections::HashSet;
use std::sync::Arc;

use ferro_llm::ToolSpec;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json};

pub trait Tool: Send + Sync {
    fn spec(&self) -> &ToolSpec;

    /// A person is asked before each call.
    fn approval(&self) -> bool {
        false
    }

    /// Works. Dropping the future stops it.
    fn call(&self, arguments: Map<String, Json>) -> BoxFuture<'static, Result<ToolOutput, ToolError>>;
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    /// For the model.
    pub text: String,
    /// For people.
    pub value: Json,
}

impl ToolOutput {
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            value: Json::String(text.clone()),
            text,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    pub message: String,
    /// Nothing the model does can mend it: the loop ends.
    pub fatal: bool,
}

impl ToolError {
    /// The model is told, and may try something else.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            fatal: false,
        }
    }

    pub fn fatal(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            fatal: true,
        }
    }
}

/// The tools of one run, each under a name that providers take and no other tool has.
pub(crate) struct Toolbox {
    tools: Vec<(ToolSpec, Arc<dyn Tool>)>,
}

/// Providers take no longer names.
const LONGEST_NAME: usize = 64;

impl Toolbox {
    pub(crate) fn new(tools: &[Arc<dyn Tool>]) -> Self {
        let mut taken = HashSet::new();
        let named = tools.iter().map(|tool| {
            let mut spec = tool.spec().clone();
            spec.name = free_name(&spec.name, &taken);
            taken.insert(spec.name.clone());
            (spec, Arc::clone(tool))
        });
        Self {
            tools: named.collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    pub(crate) fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|(spec, _)| spec.clone()).collect()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&(ToolSpec, Arc<dyn Tool>)> {
        self.tools.iter().find(|(spec, _)| spec.name == name)
    }

    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.tools.iter().map(|(spec, _)| spec.name.as_str()).collect();
        names.join(", ")
    }
}

fn free_name(name: &str, taken: &HashSet<String>) -> String {
    let fit = |c: char| {
        let allowed = c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if allowed { c } else { '_' }
    };
    let base: String = name.chars().map(fit).take(LONGEST_NAME).collect();
    let base = if base.is_empty() { "tool".to_owned() } else { base };
    if !taken.contains(&base) {
        return base;
    }
    let mut number = 2_usize;
    loop {
        let ending = format!("_{number}");
        let kept = base.len().min(LONGEST_NAME.saturating_sub(ending.len()));
        let name = format!("{}{ending}", &base[..kept]);
        if !taken.contains(&name) {
            return name;
        }
        number += 1;
    }
}
