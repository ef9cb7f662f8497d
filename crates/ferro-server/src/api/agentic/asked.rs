//! What clients send to the assistant, and how much of it is taken.

use ferro_store::FlowId;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::assistant::{Ask, Wanted};
use crate::error::{AppError, FieldError, Result};

/// What a person may type at once.
const MAX_INPUT: usize = 2_000;
/// A plan that is sent back with remarks has the plan in it, and begins so.
const REFINEMENT: &str = "[Previous plan you proposed";
const MAX_REFINEMENT: usize = 20_000;
const MAX_SESSION: usize = 128;
const MAX_NAME: usize = 500;

/// A request to the assistant.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct AssistantRequest {
    /// The flow on the canvas.
    pub flow_id: Uuid,
    /// What the person asks for; at most 2,000 characters.
    #[serde(default)]
    #[schema(example = "Build a chatbot that answers in rhymes", max_length = 2000)]
    pub input_value: Option<String>,
    /// The node the person has before them: what "this component" means.
    #[serde(default)]
    pub component_id: Option<String>,
    /// A field of that node.
    #[serde(default)]
    pub field_name: Option<String>,
    /// How often a component is written at most, the first time included. 3 when it is not said.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 5)]
    pub max_retries: Option<i64>,
    /// By name or id, in any case; with `model_name` the person's choice of a model.
    #[serde(default)]
    #[schema(example = "OpenAI")]
    pub provider: Option<String>,
    #[serde(default)]
    pub model_name: Option<String>,
    /// The conversation; without one nothing is remembered.
    #[serde(default)]
    #[schema(max_length = 128)]
    pub session_id: Option<String>,
    /// Earlier turns that the model is told.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 100)]
    pub history_limit: Option<i64>,
    /// Rounds of tool calls.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    pub iterations_limit: Option<i64>,
}

/// A request that nobody watches: what would be proposed is done and saved.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct HeadlessRequest {
    /// What is to be done; 1 to 2,000 characters.
    #[schema(example = "Build a chatbot that answers in rhymes", max_length = 2000)]
    pub instruction: String,
    /// The flow to change; without one a new flow is made.
    #[serde(default)]
    pub flow_id: Option<Uuid>,
    #[serde(default)]
    pub provider: Option<String>,
    #[serde(default)]
    pub model_name: Option<String>,
    #[serde(default)]
    #[schema(max_length = 128)]
    pub session_id: Option<String>,
}

/// Says all that is wrong at once.
#[derive(Default)]
struct Checks(Vec<FieldError>);

impl Checks {
    fn wrong(&mut self, field: &str, message: String) {
        self.0.push(FieldError {
            field: field.to_owned(),
            message,
        });
    }

    fn text(&mut self, field: &str, text: Option<&str>, most: usize) {
        if text.is_some_and(|text| text.chars().count() > most) {
            self.wrong(field, format!("must have at most {most} characters"));
        }
    }

    fn number<T: TryFrom<i64>>(
        &mut self,
        field: &str,
        number: Option<i64>,
        least: i64,
        most: i64,
    ) -> Option<T> {
        let number = number?;
        if !(least..=most).contains(&number) {
            self.wrong(field, format!("must be {least} to {most}"));
        }
        T::try_from(number).ok()
    }

    fn done(self) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(AppError::invalid_fields(self.0))
    }
}

impl AssistantRequest {
    pub fn into_ask(self) -> Result<Ask> {
        let input = self.input_value.unwrap_or_default();
        let most = if input.starts_with(REFINEMENT) {
            MAX_REFINEMENT
        } else {
            MAX_INPUT
        };
        let mut checks = Checks::default();
        checks.text("input_value", Some(&input), most);
        checks.text("session_id", self.session_id.as_deref(), MAX_SESSION);
        for (field, text) in [
            ("component_id", &self.component_id),
            ("field_name", &self.field_name),
            ("provider", &self.provider),
            ("model_name", &self.model_name),
        ] {
            checks.text(field, text.as_deref(), MAX_NAME);
        }
        let max_attempts = checks.number("max_retries", self.max_retries, 1, 5);
        let history_limit = checks.number("history_limit", self.history_limit, 0, 100);
        let iterations_limit = checks.number("iterations_limit", self.iterations_limit, 1, 200);
        checks.done()?;
        Ok(Ask {
            input,
            flow_id: Some(FlowId(self.flow_id)),
            wanted: Wanted {
                provider: self.provider,
                model: self.model_name,
            },
            session_id: named(self.session_id),
            max_attempts,
            history_limit,
            iterations_limit,
            focus: self.component_id.map(|component| (component, self.field_name)),
            headless: false,
        })
    }
}

impl HeadlessRequest {
    pub fn into_ask(self) -> Result<Ask> {
        let mut checks = Checks::default();
        if self.instruction.trim().is_empty() {
            checks.wrong("instruction", "must not be empty".to_owned());
        }
        checks.text("instruction", Some(&self.instruction), MAX_INPUT);
        checks.text("session_id", self.session_id.as_deref(), MAX_SESSION);
        checks.text("provider", self.provider.as_deref(), MAX_NAME);
        checks.text("model_name", self.model_name.as_deref(), MAX_NAME);
        checks.done()?;
        Ok(Ask {
            input: self.instruction,
            flow_id: self.flow_id.map(FlowId),
            wanted: Wanted {
                provider: self.provider,
                model: self.model_name,
            },
            session_id: named(self.session_id),
            headless: true,
            ..Ask::default()
        })
    }
}

fn named(session: Option<String>) -> Option<String> {
    session.filter(|session| !session.trim().is_empty())
}

/// For queries that name a session.
pub fn check_session(session: Option<&str>) -> Result<()> {
    let mut checks = Checks::default();
    checks.text("session_id", session, MAX_SESSION);
    checks.done()
}
