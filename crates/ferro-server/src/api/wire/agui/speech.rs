//! What messages say, as AG-UI tells it.

use std::collections::{HashSet, VecDeque};

use uuid::Uuid;

use super::super::message::Passed;
use super::frames::Frames;

/// Texts of messages: one is open at a time, the others wait for it to end.
#[derive(Default)]
pub(super) struct Speech {
    pub(super) passed: Passed,
    pub(super) open: Option<Uuid>,
    pub(super) waiting: VecDeque<Waiting>,
    pub(super) over: HashSet<Uuid>,
}

pub(super) struct Waiting {
    pub(super) id: Uuid,
    pub(super) text: String,
    pub(super) then: Then,
}

/// What follows a piece of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    More,
    Over,
}

impl Speech {
    pub(super) fn say(&mut self, id: Uuid, text: &str, then: Then, frames: &mut Frames, out: &mut Vec<u8>) {
        if self.over.contains(&id) {
            return;
        }
        if self.open.is_none() {
            frames.begin(id, out);
            self.open = Some(id);
        }
        if self.open == Some(id) {
            frames.content(id, text, out);
            if then == Then::Over {
                self.close(frames, out);
            }
            return;
        }
        match self.waiting.iter_mut().find(|waiting| waiting.id == id) {
            Some(waiting) => {
                waiting.text.push_str(text);
                waiting.then = then;
            }
            None => {
                let text = text.to_owned();
                self.waiting.push_back(Waiting { id, text, then });
            }
        }
    }

    /// Ends the open one, and tells what waited until one of those goes on.
    pub(super) fn close(&mut self, frames: &mut Frames, out: &mut Vec<u8>) {
        if let Some(id) = self.open.take() {
            frames.end(id, out);
            self.over.insert(id);
        }
        while self.open.is_none()
            && let Some(next) = self.waiting.pop_front()
        {
            frames.begin(next.id, out);
            frames.content(next.id, &next.text, out);
            if next.then == Then::Over {
                frames.end(next.id, out);
                self.over.insert(next.id);
            } else {
                self.open = Some(next.id);
            }
        }
    }

    pub(super) fn forget(&mut self, id: Uuid, frames: &mut Frames, out: &mut Vec<u8>) {
        self.waiting.retain(|waiting| waiting.id != id);
        if self.open == Some(id) {
            self.close(frames, out);
        }
        self.over.insert(id);
    }

    /// The run is over, and so is everything said in it.
    pub(super) fn stop(&mut self, frames: &mut Frames, out: &mut Vec<u8>) {
        while self.open.is_some() {
            self.close(frames, out);
        }
    }
}
