//! `StoreLog`: a durable run's events, its status and its messages, written together or not at all.

use std::collections::{HashMap, HashSet};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicI64, Ordering},
};

use ferro_engine::{Body, Cause, Event, EventLog, Failure, Message};
use ferro_store::{
    Append, EventChunk, FlowId, MessageId, MessageRecord, NewRun, Principal, RunId, RunStatus, RunUpdate,
    Store, Timestamp, UserId,
};
use futures_util::future::BoxFuture;
use tokio::sync::OwnedSemaphorePermit;

use crate::api::wire::shortened;

/// How much of an answer lists show.
const SAID: usize = 500;

pub struct StoreLog {
    store: Store,
    run_id: RunId,
    owner: UserId,
    flow_id: FlowId,
    /// What the run calls its session; the store knows what it is called by now.
    session_id: String,
    epoch: AtomicI64,
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
            session_id: session_id.to_owned(),
            epoch: AtomicI64::new(epoch),
            inner: Mutex::default(),
        }
    }

    /// The run's row is made together with its first events.
    pub fn create_with(self, new: NewRun) -> Self {
        self.lock().create = Some(new);
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
                    output: (!inner.said.is_empty()).then(|| text_of(&inner.said)),
                };
                inner.slot = None;
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

    fn record(&self, message: &Message, is_output: bool) -> MessageRecord {
        let mut properties = message.properties.clone();
        if let Some(usage) = message.usage {
            properties.insert(
                "usage".to_owned(),
                serde_json::to_value(usage).unwrap_or_default(),
            );
        }
        MessageRecord {
            id: MessageId(message.id.unwrap_or_else(uuid::Uuid::now_v7)),
            flow_id: self.flow_id,
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
            session_metadata: None,
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
