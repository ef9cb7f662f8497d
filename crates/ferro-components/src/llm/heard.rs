//! A model that is asked on behalf of a node: what it spends counts whether the node succeeds or not, and what it is
//! asked and says is kept where the run keeps such things.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use ferro_engine::{Context, Kept, ModelCall};
use ferro_llm::{
    ChatEvent, ChatModel, ChatRequest, ChatResponse, ChatStream, LlmError, ModelInfo, SeenBy, Usage,
};
use futures_util::StreamExt as _;
use serde_json::json;

use super::{LanguageModel, usage_of};

/// The most that is kept of a request, and of an answer.
const MOST: usize = 256 * 1024;

impl LanguageModel {
    /// The model, asked for the node that this context is of.
    pub(crate) fn heard_by(&self, cx: &Context) -> Arc<dyn ChatModel> {
        Arc::new(Heard {
            model: Arc::clone(&self.model),
            cx: cx.clone(),
        })
    }
}

struct Heard {
    model: Arc<dyn ChatModel>,
    cx: Context,
}

impl ChatModel for Heard {
    fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    fn stream(&self, mut request: ChatRequest) -> ChatStream {
        let mut record = Record {
            model: Arc::clone(&self.model),
            cx: self.cx.clone(),
            usage: None,
            kept: None,
        };
        let room = self.cx.room();
        if room > 0 {
            let kept = Keeping::new(room);
            let sent = Arc::clone(&kept.sent);
            if self.model.info().rehearsal {
                let question = json!({ "messages": request.messages, "tools": request.tools });
                *lock(&sent) = Some(Kept::new(question.to_string(), kept.most));
            }
            let most = kept.most;
            request.seen_by = Some(SeenBy::new(move |body| {
                let text = String::from_utf8_lossy(body).into_owned();
                *lock(&sent) = Some(Kept::new(text, most));
            }));
            record.kept = Some(Box::new(kept));
        }
        self.model
            .stream(request)
            .inspect(move |event| record.hear(event))
            .boxed()
    }
}

fn lock(sent: &Mutex<Option<Kept>>) -> std::sync::MutexGuard<'_, Option<Kept>> {
    sent.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Told to the run when the stream is dropped: at its end, or when the run is stopped in the middle.
struct Record {
    model: Arc<dyn ChatModel>,
    cx: Context,
    usage: Option<Usage>,
    kept: Option<Box<Keeping>>,
}

struct Keeping {
    began: SystemTime,
    clock: Instant,
    /// The body of the last attempt.
    sent: Arc<Mutex<Option<Kept>>>,
    answer: ChatResponse,
    error: Option<String>,
    most: usize,
}

impl Keeping {
    fn new(room: usize) -> Self {
        Self {
            began: SystemTime::now(),
            clock: Instant::now(),
            sent: Arc::default(),
            answer: ChatResponse::default(),
            error: None,
            most: MOST.min(room),
        }
    }
}

impl Record {
    fn hear(&mut self, event: &Result<ChatEvent, LlmError>) {
        if let Ok(ChatEvent::Usage(usage)) = event {
            self.usage = Some(*usage);
        }
        let Some(kept) = &mut self.kept else { return };
        match event {
            Ok(event) => kept.answer.add(event.clone()),
            Err(error) => kept.error = Some(error.message.clone()),
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let info = self.model.info();
        let usage = self.usage.map(|usage| usage_of(info, usage));
        if let Some(usage) = usage {
            self.cx.spend(usage);
        }
        let Some(kept) = self.kept.take() else { return };
        let request = lock(&kept.sent).take();
        if request.is_none() && kept.error.is_none() {
            // Nobody ever listened, so nothing was sent.
            return;
        }
        let broke_off = || {
            let whole = kept.answer.stop.is_some();
            (!whole).then(|| "It was stopped before the answer was whole".to_owned())
        };
        self.cx.model_called(ModelCall {
            provider: info.provider.clone(),
            model: info.name.clone(),
            began: kept
                .began
                .duration_since(UNIX_EPOCH)
                .ok()
                .and_then(|since| i64::try_from(since.as_micros()).ok())
                .unwrap_or_default(),
            duration_us: u64::try_from(kept.clock.elapsed().as_micros()).unwrap_or(u64::MAX),
            request: request.unwrap_or_default(),
            answer: Kept::new(said(&kept.answer), kept.most),
            usage,
            error: kept.error.clone().or_else(broke_off),
        });
    }
}

/// Plain text where that is all, else JSON with what came along.
fn said(answer: &ChatResponse) -> String {
    if answer.tool_calls.is_empty() && answer.reasoning.is_empty() {
        return answer.text.clone();
    }
    let calls = answer.tool_calls.iter();
    let calls = calls.map(|call| json!({ "name": call.name, "arguments": call.arguments }));
    json!({
        "text": answer.text,
        "reasoning": answer.reasoning,
        "tool_calls": calls.collect::<Vec<_>>(),
    })
    .to_string()
}
