//! The stages of a turn, in their order.

use std::sync::Arc;

use ferro_agent::{Conversation, Tool};
use ferro_llm::ChatMessage;
use tokio::sync::mpsc::UnboundedSender;

use super::desk::Desk;
use super::ending::Failure;
use super::flags::Flags;
use super::talk::talk;
use super::{Intent, Outcome, Turn, builder};
use crate::account::Account;
use crate::cache::Cache;
use crate::docs::{self, Passage};
use crate::event::{AssistEvent, Completed, Source, Step};
use crate::files::Sandbox;
use crate::framing::{self, Frame, Models};
use crate::gate::Gate;
use crate::generate::{self, Generated, Generator};
use crate::intent::{self, Classified};
use crate::models::{Phase, TurnModel};
use crate::out::Out;
use crate::prompts;
use crate::sanitise::{Refusal, clean, refuse};
use crate::tools::{Kit, Toolset, tools};
use crate::work::{Rules, Work};

/// Rounds of tool calls where nobody says how many, and the most there are.
const ROUNDS: u32 = 30;
const MAX_ROUNDS: u32 = 200;
const MAX_ATTEMPTS: u32 = 5;
/// Passages of the docs that come with a question.
const PASSAGES: usize = 4;

pub(super) struct Pipeline {
    pub turn: Turn,
    /// The person's words, without what no keyboard types.
    pub input: String,
    pub out: Arc<Out>,
    pub model: Arc<TurnModel>,
    pub account: Account,
    pub attempts: u32,
}

impl Pipeline {
    pub(super) fn new(turn: Turn, sender: UnboundedSender<AssistEvent>) -> Self {
        let request = &turn.request;
        Self {
            account: Account::begin(&turn),
            input: clean(&request.input).into_owned(),
            model: TurnModel::asking_for(
                &turn.model,
                (&request.user_id, request.session_id.as_deref()),
                request.iterations_limit.unwrap_or(ROUNDS).min(MAX_ROUNDS),
            ),
            attempts: request
                .max_attempts
                .unwrap_or(generate::ATTEMPTS)
                .clamp(1, MAX_ATTEMPTS),
            out: Arc::new(Out::new(sender, Gate::default())),
            turn,
        }
    }

    pub(super) async fn run(self) -> Outcome {
        if let Some(refusal) = refuse(&self.input) {
            return self.refuse(None, refusal.text());
        }
        if let Some(refined) = crate::sanitise::refinement(&self.input) {
            tracing::info!(
                session_id = self.turn.request.session_id,
                stash_length = refined.plan.len(),
                refinement_length = refined.ask.len(),
                "assistant.plan.refining.send"
            );
        }
        let context = framing::intent_context(self.turn.canvas.as_ref(), &self.turn.history);
        let classified = intent::classify(&self.model.phase(Phase::Intent), &self.input, &context).await;
        self.account.classified(classified.intent);
        match classified.intent {
            Intent::OffTopic => self.refuse(Some(Intent::OffTopic), intent::OFF_TOPIC),
            Intent::Question => self.answer(&classified).await,
            Intent::GenerateComponent => self.generate(&classified).await,
            Intent::BuildFlow | Intent::RunFlow | Intent::ComponentThenFlow | Intent::ManageFiles => {
                builder::build(self, &classified).await
            }
        }
    }

    pub(super) fn progress(&self, step: Step, attempt: u32, message: &str) {
        self.out.say(AssistEvent::Progress {
            step,
            attempt: attempt.clamp(1, self.attempts),
            max_attempts: self.attempts,
            message: Some(message.to_owned()),
            error: None,
            class_name: None,
            component_code: None,
        });
    }

    pub(super) fn first_progress(&self, intent: Intent, translation: &str) {
        let (step, label) = framing::first_step(intent, (&self.input, translation));
        self.progress(step, 1, label);
    }

    /// The request with everything around it. All that differs from turn to turn is in here, so that what comes before
    /// it stays the same and can be cached by providers.
    pub(super) fn framed(&self, classified: &Classified, passages: &[Passage]) -> String {
        let requested = classified
            .requested_model
            .as_deref()
            .map(|model| (classified.requested_provider.as_deref(), model));
        let (provider, model) = self.model.used();
        framing::frame(&Frame {
            input: &self.input,
            translation: Some(&classified.translation),
            canvas: self.turn.canvas.as_ref(),
            models: Some(Models {
                available: &self.turn.available,
                current: (&provider, &model),
                requested,
            }),
            history: &self.turn.history,
            history_limit: self.turn.request.history_limit,
            headless: self.turn.request.headless,
            focus: self.turn.request.focus.as_ref(),
            passages,
        })
    }

    /// Everything the model works with. The gate is set before any tool can tell anything.
    pub(super) async fn desk(
        &self,
        classified: &Classified,
        flags: Flags,
        set: Toolset,
    ) -> Result<Desk, Failure> {
        *self.out.gate() = Gate::new(flags.apply_at_once);
        let host = &self.turn.host;
        let registry = host.registry().await.map_err(Failure::host)?;
        let rules = Rules {
            propose_existing_edits: flags.propose_existing_edits,
            run_wanted: flags.run_wanted,
            headless: self.turn.request.headless,
            model: self.model.used(),
            requested: match (&classified.requested_provider, &classified.requested_model) {
                (provider, Some(model)) => Some((provider.clone(), model.clone())),
                // The provider alone: its best model.
                (Some(provider), None) => Some((Some(provider.clone()), String::new())),
                (None, None) => None,
            },
            available: self.turn.available.clone(),
        };
        let work = Work::new(
            self.turn.canvas.as_ref(),
            registry,
            Arc::clone(host),
            Arc::clone(&self.out),
            rules,
        );
        let kit = Kit {
            work: Arc::clone(&work),
            generator: Arc::new(self.generator()),
            sandbox: self.sandbox().await,
            cache: Arc::new(Cache::default()),
        };
        let rounds = self
            .turn
            .request
            .iterations_limit
            .unwrap_or(ROUNDS)
            .clamp(1, MAX_ROUNDS);
        let tools: Vec<Arc<dyn Tool>> = tools(&kit, set);
        Ok(Desk::new(
            Arc::clone(host),
            Arc::clone(&self.out),
            work,
            Arc::clone(&self.model),
            tools,
            rounds,
        ))
    }

    /// Without a folder there are no file tools; everything else works.
    async fn sandbox(&self) -> Option<Arc<Sandbox>> {
        let folder = self.turn.host.files()?;
        let opened = tokio::task::spawn_blocking(move || Sandbox::open(folder)).await;
        match opened {
            Ok(Ok(sandbox)) => Some(Arc::new(sandbox)),
            Ok(Err(error)) => {
                tracing::warn!(%error, "assistant.files: the person's folder cannot be opened");
                None
            }
            Err(_) => None,
        }
    }

    fn generator(&self) -> Generator {
        Generator {
            host: Arc::clone(&self.turn.host),
            model: self.model.phase(Phase::Generate),
            out: Arc::clone(&self.out),
            max_attempts: self.attempts,
        }
    }

    /// An answer in words, from the docs and from a look at the flow.
    async fn answer(self, classified: &Classified) -> Outcome {
        const INTENT: Intent = Intent::Question;
        self.first_progress(INTENT, &classified.translation);
        let desk = match self.desk(classified, Flags::default(), Toolset::Reader).await {
            Ok(desk) => desk,
            Err(failure) => return self.fail(Some(INTENT), failure, None),
        };
        let passages = self.passages(&classified.translation, &desk).await;
        let conversation = Conversation::new(vec![
            ChatMessage::system(prompts::READER),
            ChatMessage::user(self.framed(classified, &passages)),
        ]);
        let text = match talk(&self, &desk, conversation, 1).await {
            Ok(talked) => talked.text,
            Err(stopped) => {
                return self.fail(
                    Some(INTENT),
                    Failure::of(&stopped.error, "answering"),
                    Some(&desk),
                );
            }
        };
        let completed = Completed {
            sources: sources(&desk, &text),
            result: text,
            ..Completed::default()
        };
        self.complete(Some(INTENT), completed, Some(&desk)).await
    }

    async fn passages(&self, question: &str, desk: &Desk) -> Vec<Passage> {
        // A greeting is no question.
        if question.split_whitespace().count() < 3 && !question.contains('?') {
            return Vec::new();
        }
        let (question, registry) = (question.to_owned(), desk.work.registry());
        let search = move || docs::search(&registry, &question, PASSAGES);
        let found = tokio::task::spawn_blocking(search).await.unwrap_or_default();
        for passage in &found {
            desk.shown(Source {
                title: passage.title.clone(),
                path: passage.path.clone(),
            });
        }
        found
    }

    /// A component and nothing else.
    async fn generate(self, classified: &Classified) -> Outcome {
        const INTENT: Intent = Intent::GenerateComponent;
        let ask = self.framed(classified, &[]);
        let completed = match self.generator().generate(&ask, true).await {
            Generated::Done {
                class_name,
                code,
                text,
                attempts,
                ..
            } => Completed {
                result: text,
                validated: Some(true),
                class_name: Some(class_name),
                component_code: Some(code),
                validation_attempts: Some(attempts),
                ..Completed::default()
            },
            Generated::Words { text, attempts } => Completed {
                result: text,
                validation_attempts: Some(attempts),
                ..Completed::default()
            },
            Generated::Failed {
                fatal: Some(error), ..
            } => {
                return self.fail(Some(INTENT), Failure::of(&error, "generating_component"), None);
            }
            Generated::Failed {
                error,
                code,
                class_name,
                attempts,
                fatal: None,
            } => Completed {
                result: generate::UNABLE.to_owned(),
                validated: Some(false),
                validation_error: Some(error),
                class_name,
                component_code: code,
                validation_attempts: Some(attempts),
                ..Completed::default()
            },
        };
        self.complete(Some(INTENT), completed, None).await
    }

    pub(super) fn content_refusal() -> &'static str {
        Refusal::Content.text()
    }
}

/// Where an answer comes from: the passages it names, else all it was given, unless it was about the flow itself.
fn sources(desk: &Desk, answer: &str) -> Vec<Source> {
    let mut shown = desk.sources();
    let cites = |source: &Source| answer.contains(&source.path);
    if shown.iter().any(cites) {
        shown.retain(cites);
    } else if desk.saw_flow() {
        shown.clear();
    }
    shown
}
