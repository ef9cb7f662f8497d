//! A flow that runs as one node of another: its answers are the node's, and what it does to the outside world is
//! written down in the outer run before it happens.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;

use crate::context::Context;
use crate::driver::{Start, start};
use crate::event::{Body, Event};
use crate::failure::Failure;
use crate::host::FlowAnswer;
use crate::journal::EventLog;
use crate::plan::Plan;

/// Runs to the end and gives what its outputs and last nodes produced. `outer` is the node it runs for.
pub async fn run_inside(mut inner: Start, outer: Option<Context>) -> Result<Vec<FlowAnswer>, Failure> {
    let log = Arc::new(InnerLog {
        plan: Arc::clone(&inner.plan),
        outer,
        answers: Mutex::default(),
    });
    let name = inner.info.flow_name.clone();
    inner.log = Some(Arc::clone(&log) as Arc<dyn EventLog>);
    // Nobody keeps the handle: a question inside cannot be answered, and fails its branch.
    let (_, work) = start(inner);
    let ending = work.await;
    match ending.failure {
        Some(failure) => Err(Failure {
            message: format!("in the flow `{name}`: {}", failure.message),
            ..failure
        }),
        None => Ok(std::mem::take(
            &mut *log.answers.lock().unwrap_or_else(PoisonError::into_inner),
        )),
    }
}

struct InnerLog {
    plan: Arc<Plan>,
    outer: Option<Context>,
    answers: Mutex<Vec<FlowAnswer>>,
}

impl EventLog for InnerLog {
    fn append<'a>(&'a self, events: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            for event in events {
                match &event.body {
                    Body::EffectStarted { .. } => {
                        if let Some(outer) = &self.outer {
                            outer.begin_effect().await?;
                        }
                    }
                    Body::NodeFinished { at, result } => {
                        let node = self.plan.node(&at.node);
                        if node.is_some_and(|node| node.is_output() || node.is_terminal()) {
                            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
                            answers.extend(result.outputs.values.iter().map(|(output, value)| FlowAnswer {
                                node_id: at.node.to_string(),
                                output: output.to_string(),
                                value: value.clone(),
                            }));
                        }
                    }
                    Body::RunEnded {
                        usage: Some(usage), ..
                    } => {
                        if let Some(outer) = &self.outer {
                            outer.spend(*usage);
                        }
                    }
                    _ => {}
                }
            }
            Ok(())
        })
    }
}
