//! Components written in Python. The code runs in a worker that has nothing; what it needs it asks for, and this is
//! where the answers come from: `desk.rs` hears and answers, `given.rs` and `wire.rs` say what goes in and comes out.

mod custom;
mod desk;
mod given;
mod http;
mod interpreter;
mod node;
mod read;
mod repl_tool;
mod shown;
mod tools;
mod trouble;
mod wire;

pub use http::Fetcher;

use std::sync::Arc;

use ferro_engine::{Component, Entry, Failure, OwnCode, OwnNode};
use ferro_net::Client;
use ferro_python::{Host, Trouble, Workers, analysis};
use futures_util::future::BoxFuture;
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use self::node::NodeComponent;

/// Whoever runs Python: [`Workers`], or a stand-in in tests.
pub trait Python: Send + Sync {
    /// As [`Workers::ask`].
    fn ask<'a>(
        &'a self,
        scope: Option<&'a str>,
        request: &'a Json,
        host: &'a dyn Host,
    ) -> BoxFuture<'a, Result<Json, Trouble>>;
}

impl Python for Workers {
    fn ask<'a>(
        &'a self,
        scope: Option<&'a str>,
        request: &'a Json,
        host: &'a dyn Host,
    ) -> BoxFuture<'a, Result<Json, Trouble>> {
        Box::pin(Workers::ask(self, scope, request, host))
    }
}

/// What Python in flows needs: somebody who runs it, and the way out for its requests.
#[derive(Clone)]
pub struct PythonNodes {
    python: Arc<dyn Python>,
    net: Client,
}

impl PythonNodes {
    pub fn new(python: Arc<dyn Python>, net: Client) -> Self {
        Self { python, net }
    }
}

impl OwnCode for PythonNodes {
    fn entry(&self, node: OwnNode<'_>) -> Result<Entry, Failure> {
        let component = NodeComponent::new(self.clone(), node)?;
        Ok(Entry {
            descriptor: Arc::new(component.descriptor()),
            component: Arc::new(component),
        })
    }

    fn scan(&self, code: &str) -> Vec<String> {
        findings(code)
    }

    fn fits(&self, code: &str, code_hash: &str) -> bool {
        // Whoever saved it may have trimmed its lines.
        let hash_of = |code: &str| {
            let hash = Sha256::digest(code.as_bytes());
            hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        let is_said = |code: &str| code_hash.len() >= 12 && hash_of(code).starts_with(code_hash);
        is_said(code) || is_said(&analysis::normalize(code)) || is_said(&(analysis::normalize(code) + "\n"))
    }
}

/// What makes code unsafe, each as `line N: what`.
fn findings(code: &str) -> Vec<String> {
    let found = analysis::scan(code).into_iter();
    found
        .map(|finding| {
            // They are joined into one sentence.
            let message = finding.message.trim_end_matches('.');
            format!("line {}: {message}", finding.span.line)
        })
        .collect()
}

/// Components that need Python. Without it they say so when they run.
pub(crate) fn all(nodes: Option<&PythonNodes>) -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(custom::CustomComponent),
        Arc::new(interpreter::Interpreter::new(nodes.cloned())),
        Arc::new(repl_tool::ReplTool::new(nodes.cloned())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;

    impl Python for Nobody {
        fn ask<'a>(
            &'a self,
            _: Option<&'a str>,
            _: &'a Json,
            _: &'a dyn Host,
        ) -> BoxFuture<'a, Result<Json, Trouble>> {
            Box::pin(async { Err(Trouble::Died("nobody".to_owned())) })
        }
    }

    #[test]
    fn a_hash_is_the_beginning_of_the_sha256_of_the_code() {
        let net = Client::new(ferro_net::AddressPolicy::default()).unwrap();
        let nodes = PythonNodes::new(Arc::new(Nobody), net);
        // sha256("a = 1\n") = 5291c0d1…
        let hash = |code: &str| {
            let hash = Sha256::digest(code.as_bytes());
            hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        let full = hash("a = 1\n");
        assert!(nodes.fits("a = 1\n", &full[..12]));
        assert!(nodes.fits("a = 1\n", &full));
        assert!(nodes.fits("a = 1   \r\n\r\n", &full[..12]), "only blanks differ");
        assert!(!nodes.fits("a = 2\n", &full[..12]));
        assert!(!nodes.fits("a = 1\n", &full[..11]), "too short to mean anything");
        assert!(!nodes.fits("a = 1\n", ""));
    }
}
