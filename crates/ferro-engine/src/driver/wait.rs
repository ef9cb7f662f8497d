//! Waiting: for work, people, the log, readers and the clock.

use std::sync::Arc;

use futures_util::StreamExt as _;
use tokio::time::Instant;
use uuid::Uuid;

use super::{Done, Driver};
use crate::component::Answer;
use crate::failure::Failure;

/// What ended a wait.
pub(super) enum Woken {
    Done(Done),
    /// Something waits to be written.
    Said,
    Answer(Uuid, Answer),
    Cancelled,
    TooLate,
    /// It waits for an answer, and nobody is left who could give one.
    Nobody,
}

impl Driver {
    pub(super) async fn wait(&mut self) -> Woken {
        let waits = self.running.is_empty();
        let since = Instant::now();
        let timer = self.timers.iter().map(|(at, ..)| *at).min();
        let deadline = self.deadline;
        let woken = tokio::select! {
            biased;
            // Before the token, which is looked at between steps as well and costs more to wait for.
            Some(done) = self.running.next(), if !waits => Woken::Done(done),
            () = self.cancel.cancelled() => Woken::Cancelled,
            answer = self.answers.recv(), if !self.answers.is_closed() || !self.answers.is_empty() => match answer {
                Some((request_id, answer)) => Woken::Answer(request_id, answer),
                None => Woken::Said,
            },
            () = self.journal.dirty() => Woken::Said,
            () = sleep_until(timer), if timer.is_some() => match self.timers.iter().position(|(at, ..)| Some(*at) == timer) {
                Some(at) => {
                    let (_, request_id, answer) = self.timers.swap_remove(at);
                    Woken::Answer(request_id, answer)
                }
                None => Woken::Said,
            },
            () = tokio::time::sleep_until(deadline), if !waits => Woken::TooLate,
            () = std::future::ready(()), if waits && timer.is_none() && self.answers.is_closed() && self.answers.is_empty() => Woken::Nobody,
        };
        if waits {
            // The time people take does not count.
            self.deadline += since.elapsed();
        }
        woken
    }

    /// A run that never waits must still let others run, end in time and not outrun its readers or its log.
    pub(super) async fn look_up(&mut self) -> Result<bool, Failure> {
        tokio::task::yield_now().await;
        if self.journal.is_full() {
            self.flush().await?;
        }
        Ok(self.out_of_room().await || Instant::now() >= self.deadline)
    }

    /// Waits for a slow reader. `true` when there is no more time to wait.
    pub(super) async fn out_of_room(&mut self) -> bool {
        if !self.journal.is_full() {
            return false;
        }
        tokio::select! {
            biased;
            () = self.journal.wait_for_room() => false,
            () = self.cancel.cancelled() => false,
            () = tokio::time::sleep_until(self.deadline) => true,
        }
    }

    /// Has everything written down, while what runs goes on.
    pub(super) async fn flush(&mut self) -> Result<(), Failure> {
        let journal = Arc::clone(&self.journal);
        let writing = journal.flush();
        tokio::pin!(writing);
        let mut cut = false;
        loop {
            tokio::select! {
                biased;
                written = &mut writing => return written,
                () = self.cancel.cancelled(), if !cut => {
                    // Not when the log has answered: what waits for the outside world is cut off at once.
                    self.running.clear();
                    cut = true;
                }
                Some(done) = self.running.next(), if !self.running.is_empty() && !journal.is_full() => self.done.push_back(done),
                () = journal.dirty() => {}
            }
        }
    }

    /// Begins waiting work, as far as the limit allows.
    pub(super) fn launch(&mut self) {
        while self.running.len() < self.limits.parallel.max(1) {
            let Some(work) = self.starting.pop_front() else {
                return;
            };
            self.running.push(work);
        }
    }
}

async fn sleep_until(at: Option<Instant>) {
    if let Some(at) = at {
        tokio::time::sleep_until(at).await;
    }
}
