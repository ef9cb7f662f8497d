//! A component in Python from a description: ask, take the code out of the answer, check it, and ask again with what is
//! wrong, so often and no oftener. The same for a request of its own and for the tool in the middle of a loop.

mod extract;
mod rate;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ferro_agent::AgentError;
use ferro_llm::{ChatMessage, ChatModel, ChatRequest, collect};

pub(crate) use self::extract::extract_code;
use crate::event::{AssistEvent, Step};
use crate::friendly::friendly_error;
use crate::host::{Host, Invalid};
use crate::out::Out;
use crate::prompts;
use crate::sanitise::offends;

/// Attempts where nobody says how many, the first included.
pub(crate) const ATTEMPTS: u32 = 3;

/// What people read when no attempt passed.
pub(crate) const UNABLE: &str = "The selected model was unable to generate valid component code. Try again or use a \
     more capable model.";

/// What the log shows of code that did not pass.
const SNIPPET_CHARS: usize = 200;

pub(crate) struct Generator {
    pub host: Arc<dyn Host>,
    pub model: Arc<dyn ChatModel>,
    pub out: Arc<Out>,
    /// The first included; at least one is made.
    pub max_attempts: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Generated {
    /// It passed every check.
    Done {
        class_name: String,
        code: String,
        /// The model's whole answer.
        text: String,
        attempts: u32,
        /// Kept among the person's components: it can be searched for and built with.
        registered: bool,
    },
    /// The model answered without code: it asks back, or says why it will not.
    Words { text: String, attempts: u32 },
    Failed {
        /// What was wrong last, for people.
        error: String,
        code: Option<String>,
        class_name: Option<String>,
        attempts: u32,
        /// Nothing about the code: the model itself failed, or no component can be checked here.
        fatal: Option<AgentError>,
    },
}

/// An attempt that did not pass.
struct Rejected {
    error: String,
    code: String,
    class_name: Option<String>,
    /// Another attempt would meet the same.
    hopeless: bool,
}

impl Generator {
    /// `ask` is the framed request: history and canvas are in it. With `tell`, every step is an event.
    pub(crate) async fn generate(&self, ask: &str, tell: bool) -> Generated {
        let mut telling = Telling {
            out: &self.out,
            tell,
            attempt: 1,
            max: self.max_attempts.max(1),
        };
        let mut last = None;
        loop {
            match self.attempt(ask, last.as_ref(), telling).await {
                Ok(ended) => return ended,
                Err(rejected) if rejected.hopeless || telling.attempt == telling.max => {
                    return gave_up(rejected, telling.attempt);
                }
                Err(rejected) => last = Some(rejected),
            }
            telling.attempt += 1;
            telling.plain(Step::Retrying, "Trying again with what was wrong...");
        }
    }

    async fn attempt(
        &self,
        ask: &str,
        last: Option<&Rejected>,
        telling: Telling<'_>,
    ) -> Result<Generated, Rejected> {
        let Telling { attempt, max, .. } = telling;
        tracing::info!(attempt, max_retries = max, "assistant.generation.attempt");
        telling.plain(Step::GeneratingComponent, "Generating component...");
        let text = match self.answer(ask, last).await {
            Ok(text) => text,
            Err(error) => return Ok(failed_model(error, last, attempt)),
        };
        telling.plain(Step::GenerationComplete, "Response ready");
        telling.plain(Step::ExtractingCode, "Extracting Python code...");
        let Some(code) = extract_code(&text) else {
            return Ok(Generated::Words {
                text,
                attempts: attempt,
            });
        };
        telling.plain(Step::Validating, "Validating component...");
        match self.check(&code).await {
            Ok(class_name) => {
                rate::checked(attempt, true);
                tracing::info!(class_name, attempts = attempt, "assistant.validation.success");
                telling.validated(&class_name, &code);
                let registered = self.register(&class_name, &code).await;
                Ok(Generated::Done {
                    class_name,
                    code,
                    text,
                    attempts: attempt,
                    registered,
                })
            }
            Err(invalid) => {
                let class_name = invalid.class_name.as_deref().unwrap_or_default();
                tracing::warn!(
                    error = invalid.message,
                    attempt,
                    class_name,
                    "assistant.validation.failed"
                );
                telling.rejected(&invalid, &code);
                Err(Rejected {
                    error: invalid.message,
                    code,
                    class_name: invalid.class_name,
                    hopeless: invalid.hopeless,
                })
            }
        }
    }

    async fn answer(&self, ask: &str, last: Option<&Rejected>) -> Result<String, AgentError> {
        let ask = match last {
            Some(last) => prompts::retry(ask, &last.error, &last.code),
            None => ask.to_owned(),
        };
        let request = ChatRequest::new(vec![
            ChatMessage::system(prompts::GENERATOR),
            ChatMessage::user(ask),
        ]);
        let answer = collect(self.model.stream(request)).await;
        Ok(answer.map_err(|broken| broken.error)?.text)
    }

    async fn check(&self, code: &str) -> Result<String, Invalid> {
        if offends(code) {
            return Err(Invalid {
                message: "The code holds offensive words. Write it without them.".to_owned(),
                class_name: None,
                r#unsafe: false,
                hopeless: false,
            });
        }
        let validated = self.host.validate(code.to_owned()).await?;
        Ok(validated.class_name)
    }

    /// A component that cannot be kept is still a component: the person has its code.
    async fn register(&self, class_name: &str, code: &str) -> bool {
        let kept = self.host.register(class_name.to_owned(), code.to_owned()).await;
        kept.unwrap_or_else(|error| {
            tracing::warn!(%error, class_name, "assistant.component.not_registered");
            false
        })
    }
}

fn gave_up(last: Rejected, attempts: u32) -> Generated {
    rate::checked(attempts, false);
    let code_snippet: String = last.code.chars().take(SNIPPET_CHARS).collect();
    tracing::error!(
        error = last.error,
        attempts,
        code_snippet,
        "assistant.validation.exhausted"
    );
    // Where no code could pass, the model is not to blame.
    let fatal = last.hopeless.then(|| AgentError::Tool {
        tool: "generate_component".to_owned(),
        message: last.error.clone(),
    });
    Generated::Failed {
        error: last.error,
        code: Some(last.code),
        class_name: last.class_name,
        attempts,
        fatal,
    }
}

fn failed_model(error: AgentError, last: Option<&Rejected>, attempts: u32) -> Generated {
    Generated::Failed {
        error: friendly_error(&error),
        code: last.map(|last| last.code.clone()),
        class_name: last.and_then(|last| last.class_name.clone()),
        attempts,
        fatal: Some(error),
    }
}

/// Tells how one attempt goes.
#[derive(Clone, Copy)]
struct Telling<'a> {
    out: &'a Out,
    tell: bool,
    attempt: u32,
    max: u32,
}

impl Telling<'_> {
    fn plain(self, step: Step, message: &str) {
        self.say(step, message, None, None, None);
    }

    fn validated(self, class_name: &str, code: &str) {
        self.say(
            Step::Validated,
            "Component validated",
            None,
            Some(class_name),
            Some(code),
        );
    }

    fn rejected(self, invalid: &Invalid, code: &str) {
        let class_name = invalid.class_name.as_deref();
        self.say(
            Step::ValidationFailed,
            "Validation failed",
            Some(&invalid.message),
            class_name,
            Some(code),
        );
    }

    fn say(
        self,
        step: Step,
        message: &str,
        error: Option<&str>,
        class_name: Option<&str>,
        code: Option<&str>,
    ) {
        if !self.tell {
            return;
        }
        self.out.say(AssistEvent::Progress {
            step,
            attempt: self.attempt,
            max_attempts: self.max,
            message: Some(message.to_owned()),
            error: error.map(str::to_owned),
            class_name: class_name.map(str::to_owned),
            component_code: code.map(str::to_owned),
        });
    }
}
