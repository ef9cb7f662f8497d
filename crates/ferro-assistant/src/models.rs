//! The model of one turn: every question of the turn goes through it, so that a model the key has no access to is
//! replaced by another, tokens are counted by phase, and a turn cannot ask for ever.

mod answer;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferro_llm::{ChatModel, ChatRequest, ChatStream, Class, LlmError, ModelInfo, Usage};

use crate::event::{Notice, NoticeKind, TurnUsage};
use crate::friendly;
use crate::host::ModelChoice;

/// Questions in one turn, whatever for.
pub(crate) const MAX_MODEL_CALLS: u32 = 120;

/// What a question is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Intent,
    Main,
    Fix,
    Generate,
}

impl Phase {
    fn as_str(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Main => "main",
            Self::Fix => "fix",
            Self::Generate => "generate",
        }
    }
}

/// Words of providers for a model that is not there, or not for this key, where no class says so.
const UNAVAILABLE: [&str; 8] = [
    "model_not_found",
    "does not have access to model",
    "model is not available",
    "the model does not exist",
    "model not available",
    "no access to model",
    "not found (status code: 404)",
    "requires a subscription",
];

pub(crate) struct TurnModel {
    choice: ModelChoice,
    user_id: String,
    session_id: String,
    /// Questions it may ask.
    most: u32,
    state: Mutex<State>,
}

struct State {
    model: String,
    open: Option<Arc<dyn ChatModel>>,
    /// Models that were asked, the present one included.
    tried: Vec<String>,
    calls: u32,
    /// Bytes of the answers that are over.
    bytes: usize,
    usage: TurnUsage,
    notices: Vec<Notice>,
    exhausted: Option<String>,
}

impl TurnModel {
    #[cfg(test)]
    pub(crate) fn new(choice: &ModelChoice, user_id: &str, session_id: Option<&str>) -> Arc<Self> {
        Self::asking_for(choice, (user_id, session_id), 0)
    }

    /// For a turn that was given so many rounds.
    pub(crate) fn asking_for(
        choice: &ModelChoice,
        (user_id, session_id): (&str, Option<&str>),
        rounds: u32,
    ) -> Arc<Self> {
        Arc::new(Self {
            // Beside the rounds: what it is about, components, repairs.
            most: MAX_MODEL_CALLS.max(rounds.saturating_add(60)),
            choice: choice.clone(),
            user_id: user_id.to_owned(),
            session_id: session_id.unwrap_or_default().to_owned(),
            state: Mutex::new(State {
                model: choice.model.clone(),
                open: None,
                tried: vec![choice.model.clone()],
                calls: 0,
                bytes: 0,
                usage: TurnUsage::default(),
                notices: Vec::new(),
                exhausted: None,
            }),
        })
    }

    /// The model, to be asked for one purpose.
    pub(crate) fn phase(self: &Arc<Self>, phase: Phase) -> Arc<dyn ChatModel> {
        let (name, opened) = self.current();
        // Where it cannot be opened the first question says so.
        let info = opened.map_or_else(
            |_| ModelInfo {
                provider: self.choice.provider.clone(),
                name,
                rehearsal: self.choice.rehearsal,
                ..ModelInfo::default()
            },
            |model| model.info().clone(),
        );
        Arc::new(PhaseModel {
            info,
            turn: Arc::clone(self),
            phase,
        })
    }

    pub(crate) fn usage(&self) -> TurnUsage {
        self.state().usage
    }

    /// Provider and model, as they are now.
    pub(crate) fn used(&self) -> (String, String) {
        (self.choice.provider.clone(), self.state().model.clone())
    }

    pub(crate) fn notices(&self) -> Vec<Notice> {
        self.state().notices.clone()
    }

    /// What to tell when no model of the provider can be used.
    pub(crate) fn exhausted(&self) -> Option<String> {
        self.state().exhausted.clone()
    }

    /// The turn has asked as often as it may.
    pub(crate) fn spent(&self) -> bool {
        self.state().calls >= self.most
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that was heard in this turn, with so much of the answer under way.
    fn heard(&self, now: usize) -> usize {
        self.state().bytes.saturating_add(now)
    }

    fn keep(&self, bytes: usize) {
        let mut state = self.state();
        state.bytes = state.bytes.saturating_add(bytes);
    }

    fn count(&self) -> Result<(), LlmError> {
        let mut state = self.state();
        if state.calls >= self.most {
            return Err(LlmError::new(
                Class::Request,
                format!(
                    "the assistant has asked the model {} times in this turn and stops here",
                    self.most
                ),
            )
            .advice("Ask for less at once, or go on in a new message."));
        }
        state.calls += 1;
        Ok(())
    }

    /// The model to ask now, with its name.
    fn current(&self) -> (String, Result<Arc<dyn ChatModel>, LlmError>) {
        let mut state = self.state();
        let name = state.model.clone();
        if let Some(open) = &state.open {
            return (name, Ok(Arc::clone(open)));
        }
        let opened = (self.choice.open)(&name);
        if let Ok(model) = &opened {
            state.open = Some(Arc::clone(model));
        }
        (name, opened)
    }

    /// `Ok` when there is another model to ask instead of `failed`.
    fn swap(&self, failed: &str, error: LlmError) -> Result<(), LlmError> {
        if !is_unavailable(&error) {
            return Err(error);
        }
        let mut state = self.state();
        // Somebody who asked at the same time was faster.
        if state.model != failed {
            return Ok(());
        }
        let untried = self
            .choice
            .candidates
            .iter()
            .find(|name| !state.tried.contains(name));
        let provider = &self.choice.provider;
        let Some(next) = untried.cloned() else {
            let message = friendly::exhausted(provider, &state.tried);
            state.exhausted = Some(message.clone());
            return Err(LlmError { message, ..error });
        };
        tracing::warn!(
            from = failed,
            to = next,
            provider,
            tried_so_far = ?state.tried,
            "assistant.model_fallback from={failed} to={next} provider={provider} tried_so_far=[{}]",
            state.tried.join(", "),
        );
        metrics::counter!("assistant_model_fallback_total", "provider" => provider.clone()).increment(1);
        state.notices.push(Notice {
            kind: NoticeKind::ModelFallback,
            reason: format!("{provider} has no `{failed}` for this key, so `{next}` was used."),
            failed_model: Some(failed.to_owned()),
            used_model: Some(next.clone()),
        });
        state.tried.push(next.clone());
        state.model = next;
        state.open = None;
        Ok(())
    }

    fn meter(&self, phase: Phase, usage: Usage) {
        let total = {
            let mut state = self.state();
            let sum = &mut state.usage;
            sum.input_tokens = sum.input_tokens.saturating_add(usage.input);
            sum.output_tokens = sum.output_tokens.saturating_add(usage.output);
            sum.total_tokens = sum.total_tokens.saturating_add(usage.total());
            usage.total()
        };
        let (phase, user_id, session_id) = (phase.as_str(), &self.user_id, &self.session_id);
        let (input, output) = (usage.input, usage.output);
        tracing::info!(
            phase,
            user_id,
            session_id,
            input,
            output,
            total,
            "assistant.tokens.phase phase={phase} user_id={user_id} session_id={session_id} input={input} \
             output={output} total={total}"
        );
    }
}

/// Other errors would meet the next model too: they are told as they are.
fn is_unavailable(error: &LlmError) -> bool {
    match error.class {
        Class::ModelUnavailable => true,
        Class::Request | Class::Server | Class::Configuration => {
            let code = error.code.as_deref().unwrap_or_default();
            let text = format!("{} {} {code}", error.message, error.cause).to_lowercase();
            UNAVAILABLE.iter().any(|marker| text.contains(marker))
        }
        _ => false,
    }
}

struct PhaseModel {
    info: ModelInfo,
    turn: Arc<TurnModel>,
    phase: Phase,
}

impl ChatModel for PhaseModel {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        answer::answer(Arc::clone(&self.turn), self.phase, request)
    }
}

#[cfg(test)]
mod tests;
