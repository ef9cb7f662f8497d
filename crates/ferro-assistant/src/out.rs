//! Where a turn's events leave.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::UnboundedSender;

use crate::event::{AssistEvent, FlowUpdate};
use crate::gate::Gate;

/// The way out for everything a turn tells. Changes of the flow pass the gate on it.
pub(crate) struct Out {
    sender: UnboundedSender<AssistEvent>,
    gate: Mutex<Gate>,
    /// Single changes that were told.
    tasks: AtomicU32,
}

impl Out {
    pub(crate) fn new(sender: UnboundedSender<AssistEvent>, gate: Gate) -> Self {
        Self {
            sender,
            gate: Mutex::new(gate),
            tasks: AtomicU32::new(0),
        }
    }

    /// Nobody may be listening any more: that is no concern of whoever speaks.
    pub(crate) fn say(&self, event: AssistEvent) {
        let _ = self.sender.send(event);
    }

    /// A change of the flow, or a wish for one.
    pub(crate) fn update(&self, update: FlowUpdate) {
        // The lock is kept while sending, so that two updates leave in the order the gate saw them.
        let mut gate = self.gate();
        for let_through in gate.on(update) {
            if matches!(
                let_through,
                FlowUpdate::AddComponent { .. }
                    | FlowUpdate::RemoveComponent { .. }
                    | FlowUpdate::Connect { .. }
                    | FlowUpdate::Configure { .. }
            ) {
                self.tasks.fetch_add(1, Ordering::Relaxed);
            }
            self.say(AssistEvent::FlowUpdate(let_through));
        }
    }

    pub(crate) fn tasks(&self) -> u32 {
        self.tasks.load(Ordering::Relaxed)
    }

    pub(crate) fn gate(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
