//! Who has a turn of the assistant now: one at a time on a flow, a few for a person, so many for the server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferro_store::{FlowId, UserId};
use tokio::time::{Duration, Instant};

use crate::error::{AppError, Result};

/// How many turns one person has at once; the others are for everybody else.
const AT_ONCE: usize = 4;

/// How long a stopped turn may take to end: its connection has to be seen closed.
const ENDING: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(20);

/// Turns under way, by person; `None` is a flow that does not exist yet.
#[derive(Clone, Default)]
pub struct AssistantTurns(Arc<Mutex<HashMap<UserId, Vec<Option<FlowId>>>>>);

/// A turn's place. It is free again when this is dropped, however the turn ended.
pub struct Place {
    turns: AssistantTurns,
    person: UserId,
    flow: Option<FlowId>,
}

impl AssistantTurns {
    /// As `take`, but a turn of the same person that was just stopped is given a moment to end.
    pub async fn take_soon(&self, person: UserId, flow: Option<FlowId>, most: usize) -> Result<Place> {
        let until = Instant::now() + ENDING;
        loop {
            match self.take(person, flow, most) {
                Err(_) if self.has(person, flow) && Instant::now() < until => tokio::time::sleep(LOOK).await,
                taken => return taken,
            }
        }
    }

    fn has(&self, person: UserId, flow: Option<FlowId>) -> bool {
        let under_way = self.lock();
        flow.is_some() && under_way.get(&person).is_some_and(|own| own.contains(&flow))
    }

    /// Nobody waits in line: whoever finds no place is told to come back.
    pub fn take(&self, person: UserId, flow: Option<FlowId>, most: usize) -> Result<Place> {
        let mut under_way = self.lock();
        let own = under_way.get(&person).map_or(&[][..], Vec::as_slice);
        if flow.is_some() && own.contains(&flow) {
            return Err(AppError::conflict(
                "The assistant is already working on this flow; wait until it is done, or stop it",
            ));
        }
        if own.len() >= AT_ONCE {
            return Err(AppError::too_many_turns(
                "You have as many turns of the assistant under way as one person may. Wait until one is done.",
            ));
        }
        if under_way.values().map(Vec::len).sum::<usize>() >= most {
            return Err(AppError::too_many_turns(
                "The assistant has as many turns under way as this server allows. Try again in a moment.",
            ));
        }
        under_way.entry(person).or_default().push(flow);
        Ok(Place {
            turns: self.clone(),
            person,
            flow,
        })
    }

    /// How many there are now.
    pub fn count(&self) -> usize {
        self.lock().values().map(Vec::len).sum()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, Vec<Option<FlowId>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut under_way = self.turns.lock();
        if let Some(own) = under_way.get_mut(&self.person) {
            if let Some(at) = own.iter().position(|flow| *flow == self.flow) {
                own.swap_remove(at);
            }
            if own.is_empty() {
                under_way.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_has_one_turn_and_a_person_a_few() {
        let turns = AssistantTurns::default();
        let (ada, eve, flow) = (UserId::new(), UserId::new(), FlowId::new());
        let first = turns.take(ada, Some(flow), 100).ok().unwrap();
        let again = turns.take(ada, Some(flow), 100).err().unwrap();
        assert!(again.to_string().contains("already working"), "{again}");
        let _other = turns.take(eve, Some(flow), 100).ok().unwrap();
        // Flows that do not exist yet are no obstacle to each other.
        let _new: Vec<_> = (0..3).map(|_| turns.take(ada, None, 100).ok().unwrap()).collect();
        assert!(
            turns
                .take(ada, Some(FlowId::new()), 100)
                .err()
                .unwrap()
                .is_throttled()
        );
        assert!(turns.take(eve, None, 5).err().unwrap().is_throttled());
        drop(first);
        let _again = turns.take(ada, Some(flow), 100).ok().unwrap();
        assert_eq!(turns.count(), 5);
    }

    #[test]
    fn nothing_is_left_of_people_who_are_done() {
        let turns = AssistantTurns::default();
        for _ in 0..50 {
            drop(turns.take(UserId::new(), None, 100));
        }
        assert!(turns.lock().is_empty());
    }
}
