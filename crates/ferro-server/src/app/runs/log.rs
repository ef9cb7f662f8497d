//! `StoreLog`: a durable run's events, its status and its messages, written together or not at all.

use std::collections::{HashMap, HashSet};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicI64, Ordering},
};

use ferro_engine::{Body, Cause, Event, EventLog, Failure, Message};
use ferro_store::{
    Append, EventChunk, FlowId, MessageId, MessageRecord, NewRun, Principal, RunId, RunStatus, RunUpdate,
    Store, Timestamp, UserId, VISIT,
};
use futures_util::future::BoxFuture;
use tokio::sync::OwnedSemaphorePermit;

use super::live::Ready;
use super::request::Visit;
use super::trouble::Trouble;
use crate::api::wire::message::Ids;
use crate::api::wire::visitor::for_visitor;
use crate::api::wire::{Meta, shortened};

/// How many bytes of model calls a run keeps: a loop over thousands of items must not fill the disk with prompts.
const ROOM: usize = 8 << 20;

/// How much of an answer lists show.
const SAID: usize = 500;

pub struct StoreLog {
    store: Store,
    run_id: RunId,
    owner: UserId,
    flow_id: FlowId,
    visit: Option<Visit>,
    /// Who a failure is told to at the end, if the run talks with somebody.
    meta: Option<Arc<Meta>>,
    /// What the run calls its session; the store knows what it is called by now.
    session_id: String,
    epoch: AtomicI64,
    /// How many bytes of model calls it keeps.
    room: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    create: Option<NewRun>,
    /// The run's answers, to which the duration is added at its end. Nothing else of them is written again: somebody may have
    /// edited or deleted one meanwhile.
    answers: HashSet<MessageId>,
    /// Nodes under way, and questions nobody has answered: a run with only the latter waits.
    running: HashSet<Arc<str>>,
    asked: i64,
    trouble: Trouble,
    /// What the run answered with, for lists.
    said: Vec<String>,
    /// The run's place among those under way.
    slot: Option<OwnedSemaphorePermit>,
}

impl StoreLog {
    pub fn new(
        store: Store,
        run_id: RunId,
        owner: UserId,
        flow_id: FlowId,
        session_id: &str,
        epoch: i64,
    ) -> Self {
        Self {
            store,
            run_id,
            owner,
            flow_id,
            visit: None,
            meta: None,
            session_id: session_id.to_owned(),
            epoch: AtomicI64::new(epoch),
            room: 0,
            inner: Mutex::default(),
        }
    }

    /// A visitor asked for the run: what is said in it is kept apart from what its owner says to the flow.
    #[must_use]
    pub fn visited(mut self, visit: Option<Visit>) -> Self {
        self.visit = visit;
        self
    }

    /// The run talks with somebody, who is told in the chat when it fails.
    #[must_use]
    pub fn talking(mut self, ready: &Ready) -> Self {
        self.meta = ready.talks().then(|| Arc::clone(&ready.meta));
        self
    }

    /// The run's row is made together with its first events.
    pub fn create_with(self, new: NewRun) -> Self {
        self.lock().create = Some(new);
        self
    }

    /// Keeps what models are asked and answer, up to a limit.
    pub fn recording(mut self, record: Option<bool>) -> Self {
        self.room = if record == Some(true) { ROOM } else { 0 };
        self
    }

    /// The run takes up a place among those under way, until it ends or waits.
    pub fn hold(&self, slot: OwnedSemaphorePermit) {
        self.lock().slot = Some(slot);
    }

    /// The run was claimed anew.
    pub fn set_epoch(&self, epoch: i64) {
        self.epoch.store(epoch, Ordering::Relaxed);
    }

    /// Takes in what was written before, by this process or another.
    pub fn remember(&self, events: &[Event]) {
        let mut inner = self.lock();
        for event in events {
            inner.trouble.observe(event);
            match &event.body {
                Body::Message {
                    message,
                    store: true,
                    is_output: true,
                    ..
                } => {
                    inner.answers.extend(message.id.map(MessageId));
                }
                Body::MessageRemoved { message_id } => {
                    inner.answers.remove(&MessageId(*message_id));
                }
                Body::Asked { .. } => inner.asked += 1,
                Body::Answered { .. } => inner.asked -= 1,
                _ => {}
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn batch(&self, events: &[Arc<Event>]) -> Result<Append, Failure> {
        let mut append = Append::new(self.run_id, self.owner, self.epoch.load(Ordering::Relaxed));
        append.session_id = Some(self.session_id.clone());
        append.speaker = self.visit.and_then(|visit| visit.user_id);
        let text = serde_json::to_string(events).map_err(|error| {
            Failure::new(Cause::Internal, "an event cannot be written down").detail(error.to_string())
        })?;
        if let (Some(first), Some(last)) = (events.first(), events.last()) {
            append.chunk = Some(EventChunk {
                first_seq: i64::try_from(first.seq).unwrap_or(i64::MAX),
                last_seq: i64::try_from(last.seq).unwrap_or(i64::MAX),
                text,
            });
        }
        let mut inner = self.lock();
        let mut messages: HashMap<MessageId, MessageRecord> = HashMap::new();
        let mut order = Vec::new();
        for event in events {
            self.take_in(&mut inner, event, &mut messages, &mut order, &mut append);
        }
        append.messages = order.into_iter().filter_map(|id| messages.remove(&id)).collect();
        append.create = inner.create.take();
        Ok(append)
    }

    fn take_in(
        &self,
        inner: &mut Inner,
        event: &Event,
        messages: &mut HashMap<MessageId, MessageRecord>,
        order: &mut Vec<MessageId>,
        append: &mut Append,
    ) {
        inner.trouble.observe(event);
        match &event.body {
            Body::Message {
                message,
                store: true,
                is_output,
                ..
            } => {
                let record = self.record(message, *is_output);
                if *is_output {
                    inner.said.push(shortened(&record.text, SAID).into_owned());
                    inner.answers.insert(record.id);
                }
                put(messages, order, record);
            }
            Body::MessageRemoved { message_id } => {
                let id = MessageId(*message_id);
                messages.remove(&id);
                inner.answers.remove(&id);
                append.removed.push(id);
            }
            Body::NodeStarted { at, .. } => {
                inner.running.insert(Arc::clone(&at.node));
            }
            Body::NodeFinished { at, .. } | Body::NodeFailed { at, .. } => {
                inner.running.remove(&at.node);
            }
            Body::Asked { at, .. } => {
                inner.running.remove(&at.node);
                inner.asked += 1;
            }
            Body::Answered { .. } => inner.asked -= 1,
            Body::RunEnded {
                status,
                failure,
                duration_us,
                usage,
            } => {
                append.update = RunUpdate {
                    status: Some(stored_status(*status)),
                    error: failure.as_ref().map(|failure| failure.message.clone()),
                    input_tokens: usage.map(|usage| tokens(usage.input_tokens)),
                    output_tokens: usage.map(|usage| tokens(usage.output_tokens)),
                    cost_nanousd: usage.map(|usage| tokens(usage.cost_nanousd)),
                    output: (!inner.said.is_empty()).then(|| text_of(&inner.said)),
                };
                inner.slot = None;
                if let (Some(failure), Some(meta)) = (failure, &self.meta)
                    && let Some(message) = inner.trouble.complaint(event, failure, meta, &self.ids())
                {
                    put(messages, order, self.record(&message, false));
                }
                // A run that was quicker than the unit did not take no time.
                let duration = i64::try_from(duration_us.div_ceil(1000)).unwrap_or(i64::MAX);
                for id in inner.answers.drain() {
                    match messages.get_mut(&id) {
                        Some(record) => record.duration_ms = Some(duration),
                        None => append.durations.push((id, duration)),
                    }
                }
                return;
            }
            _ => return,
        }
        let waits = inner.running.is_empty() && inner.asked > 0;
        match &event.body {
            Body::Asked { .. } if waits => {
                append.update.status = Some(RunStatus::Waiting);
                inner.slot = None;
            }
            Body::Answered { .. } => append.update.status = Some(RunStatus::Running),
            _ => {}
        }
    }

    fn ids(&self) -> Ids {
        Ids {
            run_id: Some(self.run_id.0),
            flow_id: Some(self.flow_id.0),
            session_id: self.session_id.clone(),
        }
    }

    fn record(&self, message: &Message, is_output: bool) -> MessageRecord {
        let discreet;
        let message = match self.visit {
            None => message,
            Some(_) => {
                discreet = for_visitor(message);
                &discreet
            }
        };
        let mut properties = message.properties.clone();
        if let Some(usage) = message.usage {
            properties.insert(
                "usage".to_owned(),
                serde_json::to_value(usage).unwrap_or_default(),
            );
        }
        MessageRecord {
            id: MessageId(message.id.unwrap_or_else(uuid::Uuid::now_v7)),
            flow_id: self.visit.map_or(self.flow_id, |visit| visit.flow_id),
            session_id: message.session_id.clone(),
            context_id: (!message.context_id.is_empty()).then(|| message.context_id.clone()),
            run_id: Some(self.run_id),
            timestamp: Timestamp(message.timestamp),
            sender: message.sender.as_str().to_owned(),
            sender_name: message.sender_name.clone(),
            // PostgreSQL cannot keep this character in text.
            text: message.text.replace('\0', ""),
            files: text_of(&message.files),
            error: message.error,
            edit: false,
            properties: text_of(&properties),
            category: if message.category.is_empty() {
                "message".to_owned()
            } else {
                message.category.clone()
            },
            content_blocks: text_of(&message.content_blocks),
            session_metadata: self.visit.map(|_| VISIT.to_owned()),
            is_output,
            duration_ms: None,
        }
    }
}

fn text_of(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

fn put(messages: &mut HashMap<MessageId, MessageRecord>, order: &mut Vec<MessageId>, record: MessageRecord) {
    if !messages.contains_key(&record.id) {
        order.push(record.id);
    }
    messages.insert(record.id, record);
}

fn tokens(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub fn stored_status(status: ferro_engine::RunStatus) -> RunStatus {
    match status {
        ferro_engine::RunStatus::Queued => RunStatus::Queued,
        ferro_engine::RunStatus::Running => RunStatus::Running,
        ferro_engine::RunStatus::Waiting => RunStatus::Waiting,
        ferro_engine::RunStatus::Completed => RunStatus::Completed,
        ferro_engine::RunStatus::Failed => RunStatus::Failed,
        ferro_engine::RunStatus::Cancelled => RunStatus::Cancelled,
        ferro_engine::RunStatus::TimedOut => RunStatus::TimedOut,
    }
}

pub fn engine_status(status: RunStatus) -> ferro_engine::RunStatus {
    match status {
        RunStatus::Queued => ferro_engine::RunStatus::Queued,
        RunStatus::Running => ferro_engine::RunStatus::Running,
        RunStatus::Waiting => ferro_engine::RunStatus::Waiting,
        RunStatus::Completed => ferro_engine::RunStatus::Completed,
        RunStatus::Failed => ferro_engine::RunStatus::Failed,
        RunStatus::Cancelled => ferro_engine::RunStatus::Cancelled,
        RunStatus::TimedOut => ferro_engine::RunStatus::TimedOut,
    }
}

impl EventLog for StoreLog {
    fn room(&self) -> usize {
        self.room
    }

    fn append<'a>(&'a self, events: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let append = self.batch(events)?;
            self.store.append_run(&Principal::System, append).await.map_err(|error| {
                tracing::warn!(run = %self.run_id, %error, "the log of run {} could not be written", self.run_id);
                Failure::new(Cause::Internal, "the run's log could not be written").advice("Look at the server's log.")
            })
        })
    }
}
