//! What a person must agree to first. Decided from what happens, never from how the request was worded.

use serde_json::Value as Json;

use crate::event::FlowUpdate;

#[derive(Clone, Debug, Default)]
pub(crate) struct Gate {
    /// Whole flows are applied without asking: nobody looks on, or a part of the request needs them there.
    at_once: bool,
    saw_set_flow: bool,
    /// The flow was run since it was last replaced: what was run must be what people see. A run before that was one of
    /// another flow, and lets nothing through.
    ran: bool,
    auto_applied: bool,
    pending: Option<Pending>,
    tail_updates: usize,
    held: bool,
    /// The next whole flow only mends the one that is on the canvas already.
    mends: bool,
}

/// A flow that left as a proposal, and what was done to it since.
#[derive(Clone, Debug)]
struct Pending {
    flow: Json,
    tail: Vec<FlowUpdate>,
}

impl Gate {
    pub(crate) fn new(at_once: bool) -> Self {
        Self {
            at_once,
            ..Self::default()
        }
    }

    /// What is told of an update, and what earlier ones become because of it.
    pub(crate) fn on(&mut self, update: FlowUpdate) -> Vec<FlowUpdate> {
        match update {
            FlowUpdate::FlowRan { .. } => {
                self.ran = true;
                self.settle()
            }
            // Whoever built the flow does not decide whether it is applied.
            FlowUpdate::SetFlow { flow, .. } => {
                self.saw_set_flow = true;
                self.ran = false;
                self.pending = Some(Pending {
                    flow,
                    tail: Vec::new(),
                });
                if self.held {
                    Vec::new()
                } else if std::mem::take(&mut self.mends) || self.at_once {
                    self.settle()
                } else {
                    self.proposal()
                }
            }
            // These wait for a person by themselves and do not change what is proposed.
            update @ (FlowUpdate::EditField(_) | FlowUpdate::ProposePlan { .. }) => vec![update],
            update => {
                if self.held {
                    return Vec::new();
                }
                if let Some(pending) = &mut self.pending {
                    self.tail_updates += 1;
                    pending.tail.push(update.clone());
                }
                vec![update]
            }
        }
    }

    /// From here on changes of the canvas are kept back: a flow under repair is told as a whole when it is done.
    pub(crate) fn hold(&mut self) {
        self.held = true;
    }

    /// What is told next mends a flow that is on the canvas: it goes where that one went.
    pub(crate) fn mend(&mut self) {
        self.mends = self.auto_applied();
    }

    pub(crate) fn is_held(&self) -> bool {
        self.held
    }

    /// The end of [`Gate::hold`]. What must be told because a run happened meanwhile.
    pub(crate) fn release(&mut self) -> Vec<FlowUpdate> {
        self.held = false;
        if self.ran || self.at_once {
            self.settle()
        } else {
            Vec::new()
        }
    }

    /// A proposal becomes the canvas: the flow goes once more, to be applied, and after it what was done to it since.
    fn settle(&mut self) -> Vec<FlowUpdate> {
        if self.held {
            return Vec::new();
        }
        let Some(Pending { flow, tail }) = self.pending.take() else {
            return Vec::new();
        };
        self.auto_applied = true;
        let applied = FlowUpdate::SetFlow {
            flow,
            auto_apply: true,
        };
        [applied].into_iter().chain(tail).collect()
    }

    fn proposal(&self) -> Vec<FlowUpdate> {
        let flows = self.pending.iter().map(|pending| FlowUpdate::SetFlow {
            flow: pending.flow.clone(),
            auto_apply: false,
        });
        flows.collect()
    }

    pub(crate) fn saw_set_flow(&self) -> bool {
        self.saw_set_flow
    }

    /// The last whole flow is on the canvas, no longer a proposal.
    pub(crate) fn auto_applied(&self) -> bool {
        self.auto_applied && self.pending.is_none()
    }

    /// Changes that came after a flow that waits for a person.
    pub(crate) fn tail_updates(&self) -> usize {
        self.tail_updates
    }
}

#[cfg(test)]
mod tests;
