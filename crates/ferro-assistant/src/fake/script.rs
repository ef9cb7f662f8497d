//! A model that says what a test tells it to.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ferro_assistant::{ModelChoice, OpenModel};
use ferro_llm::{
    ChatEvent, ChatModel, ChatRequest, ChatStream, Class, LlmError, ModelInfo, Role, StopReason, Usage,
};
use futures_util::{StreamExt as _, stream};
use serde_json::json;

/// One answer, piece by piece. `None` at a place means that nothing ever comes from there on.
pub type Said = Vec<Option<Result<ChatEvent, LlmError>>>;

type Speak = Box<dyn Fn(&ChatRequest, usize) -> Said + Send + Sync>;

/// Says one answer after the other, and keeps what it was asked.
pub struct Script {
    info: ModelInfo,
    speak: Speak,
    asked: Mutex<Vec<ChatRequest>>,
    open: Arc<AtomicUsize>,
}

impl Script {
    /// Being asked more often than there are answers fails the test.
    pub fn new(answers: impl IntoIterator<Item = Said>) -> Arc<Self> {
        let answers: Mutex<VecDeque<Said>> = Mutex::new(answers.into_iter().collect());
        Self::with(move |request, number| {
            let next = answers.lock().unwrap().pop_front();
            next.unwrap_or_else(|| {
                let asked = request.messages.last().map(ferro_llm::ChatMessage::text);
                panic!("the script has no answer number {number}; asked was {asked:?}")
            })
        })
    }

    /// Answers from the request and how many came before it.
    pub fn with(speak: impl Fn(&ChatRequest, usize) -> Said + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            info: ModelInfo {
                provider: "OpenAI".to_owned(),
                name: "gpt-5.4".to_owned(),
                tool_calling: true,
                ..ModelInfo::default()
            },
            speak: Box::new(speak),
            asked: Mutex::default(),
            open: Arc::default(),
        })
    }

    pub fn requests(&self) -> Vec<ChatRequest> {
        self.asked.lock().unwrap().clone()
    }

    pub fn request(&self, number: usize) -> ChatRequest {
        self.asked.lock().unwrap()[number].clone()
    }

    pub fn times(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// Answers that are being listened to at this moment.
    pub fn open(&self) -> usize {
        self.open.load(Ordering::SeqCst)
    }

    /// All that was ever sent to the model, as one text: to look for what must not be in it.
    pub fn everything(&self) -> String {
        format!("{:?}", self.requests())
    }

    /// What the user message of a request says.
    pub fn user_text(&self, number: usize) -> String {
        let request = self.request(number);
        let users = request
            .messages
            .iter()
            .filter(|message| message.role == Role::User);
        users
            .map(ferro_llm::ChatMessage::text)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The only model there is.
    pub fn choice(self: &Arc<Self>) -> ModelChoice {
        let model = Arc::clone(self);
        Self::choice_of(
            "gpt-5.4",
            &[],
            Arc::new(move |_| Ok(Arc::clone(&model) as Arc<dyn ChatModel>)),
        )
    }

    pub fn choice_of(model: &str, candidates: &[&str], open: OpenModel) -> ModelChoice {
        ModelChoice {
            provider: "OpenAI".to_owned(),
            model: model.to_owned(),
            candidates: candidates.iter().map(|&name| name.to_owned()).collect(),
            open,
            rehearsal: false,
        }
    }
}

impl ChatModel for Script {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let number = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(request.clone());
            asked.len() - 1
        };
        let said = (self.speak)(&request, number);
        let listening = Listening::new(&self.open);
        stream::iter(said)
            .then(move |piece| {
                let _listening = &listening;
                async move {
                    match piece {
                        Some(piece) => piece,
                        None => std::future::pending().await,
                    }
                }
            })
            .boxed()
    }
}

struct Listening(Arc<AtomicUsize>);

impl Listening {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn cost(input: u64, output: u64) -> Result<ChatEvent, LlmError> {
    Ok(ChatEvent::Usage(Usage {
        input,
        output,
        ..Usage::default()
    }))
}

/// An answer in two pieces that costs 10 tokens in and 2 out.
pub fn says(text: &str) -> Said {
    let middle = text
        .char_indices()
        .nth(text.chars().count() / 2)
        .map_or(0, |(at, _)| at);
    let (first, rest) = text.split_at(middle);
    let mut said: Vec<_> = [first, rest]
        .iter()
        .filter(|piece| !piece.is_empty())
        .map(|piece| Ok(ChatEvent::Text((*piece).to_owned())))
        .collect();
    said.push(cost(10, 2));
    said.push(Ok(ChatEvent::Stop(StopReason::End)));
    said.into_iter().map(Some).collect()
}

/// Calls of tools, with arguments as the model writes them. Costs 5 tokens in and 5 out.
pub fn calls(calls: &[(&str, &str)]) -> Said {
    calls_saying("", calls)
}

pub fn calls_saying(text: &str, calls: &[(&str, &str)]) -> Said {
    let mut said = Vec::new();
    if !text.is_empty() {
        said.push(Ok(ChatEvent::Text(text.to_owned())));
    }
    for (index, (name, arguments)) in calls.iter().enumerate() {
        said.push(Ok(ChatEvent::ToolStart {
            index,
            id: format!("call_{index}"),
            name: (*name).to_owned(),
            signature: None,
        }));
        said.push(Ok(ChatEvent::ToolArguments {
            index,
            chunk: (*arguments).to_owned(),
        }));
    }
    said.push(cost(5, 5));
    said.push(Ok(ChatEvent::Stop(StopReason::ToolCalls)));
    said.into_iter().map(Some).collect()
}

/// The classifier's answer.
pub fn intent(intent: &str) -> Said {
    says(&json!({ "translation": "", "intent": intent }).to_string())
}

pub fn fails(error: LlmError) -> Said {
    vec![Some(Err(error))]
}

/// There is no such model for this key.
pub fn unavailable(model: &str) -> Said {
    fails(
        LlmError::new(
            Class::ModelUnavailable,
            format!("OpenAI has no model `{model}` for this key"),
        )
        .cause("model_not_found"),
    )
}

/// Begins to answer, then the connection breaks.
pub fn broken_off(text: &str) -> Said {
    vec![
        Some(Ok(ChatEvent::Text(text.to_owned()))),
        Some(Err(LlmError::new(
            Class::Network,
            "the connection to OpenAI broke",
        ))),
    ]
}

/// Never answers.
pub fn pending() -> Said {
    vec![None]
}
