//! A model that uses tools until it has an answer.
//!
//! | field | what it does |
//! |---|---|
//! | Language Model | which model; only those that can call tools are offered |
//! | Agent Instructions | its role and rules; `{current_date}`, `{model_name}` and `{optional_user_context}` are filled in |
//! | Tools | wire in components in tool mode, Run Flow, MCP tools, other agents |
//! | Input | the question |
//! | Number of Chat History Messages | earlier messages of the session it is told; 0 for none |
//! | Context ID | tells several conversations inside one session apart |
//! | Max Tokens | the longest answer; 0 leaves it to the model |
//! | Max Iterations | rounds of tool calls before it must stop |
//! | Handle Parse Errors | calls that cannot be read are sent back to the model, twice at most |
//! | Output Format Instructions, Output Schema | the form of *Structured Response* |
//! | Current Date, Calculator | two small tools every agent has unless you turn them off |
//!
//! **Outputs.** *Response* is the answer, shown in the chat as it is written, with every tool call, its input, its output and how
//! long it took. *Structured Response* is the answer as JSON in the form of the schema.
//!
//! A tool that fails tells the model why, and the agent goes on. A tool set to **needs approval** in its node's list of
//! actions makes the run wait until a person agrees, refuses, or changes the arguments.
//!
//! **Example.** Chat Input → Agent → Chat Output, with URL and Calculator in tool mode wired into Tools.
//!
//! **Common mistakes.** Say in a tool's description when it is worth using; the model sees nothing else. An agent that stops at Max
//! Iterations usually has too many tools that look alike.

use std::sync::Arc;

use ferro_agent::{Agent, AgentError, AgentEvent, Answer, Conversation, Ended, Stopped};
use ferro_engine::{Call, Cause, Component, Failure, Outcome, Outputs, Question, Step, Usage, Value};
use ferro_llm::{ChatMessage, ChatRequest, Format, Models, Role};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use super::agent_approval::{Paused, decisions, question};
use super::agent_stage::Stage;
use super::agent_tools::{self, Spent};
use crate::llm::{self, LanguageModel};
use crate::text::{fields, loose};
use crate::wait::unless_stopped;

pub(crate) struct AgentComponent {
    pub models: Models,
}

const RESPONSE: &str = "response";
const STRUCTURED: &str = "structured_response";
const INSTRUCTIONS: &str =
    "You are a helpful assistant. Use your tools when they help, and answer plainly when they do not.";

impl Component for AgentComponent {
    fn descriptor(&self) -> Descriptor {
        let mut descriptor = Descriptor::new("Agent", "Agent")
            .aliases(&["ToolCallingAgent", "OpenAIToolsAgent"])
            .category("models_and_agents")
            .icon("bot")
            .description("A model that uses tools until it has an answer.")
            .tool_name("Call_Agent")
            .help(include_str!("agent.rs"));
        for field in llm::language_fields(true) {
            descriptor = descriptor.field(field);
        }
        descriptor
            .field(
                FieldSpec::multiline("system_prompt", "Agent Instructions")
                    .value(INSTRUCTIONS)
                    .info("Its role and rules."),
            )
            .field(
                FieldSpec::message_text("context_id", "Context ID")
                    .advanced()
                    .info("Tells several conversations inside one session apart."),
            )
            .field(
                FieldSpec::int("n_messages", "Number of Chat History Messages", 100)
                    .advanced()
                    .info("Earlier messages it is told; 0 for none."),
            )
            .field(
                FieldSpec::int("max_tokens", "Max Tokens", 0)
                    .advanced()
                    .info("The longest answer; 0 leaves it to the model."),
            )
            .field(
                FieldSpec::multiline("format_instructions", "Output Format Instructions")
                    .advanced()
                    .info("What should be in the structured response."),
            )
            .field(
                llm::schema_table("output_schema", json!([]))
                    .advanced()
                    .info("The form of the structured response."),
            )
            .field(
                FieldSpec::handle("tools", "Tools", &["Tool"])
                    .list()
                    .info("What it can use."),
            )
            .field(
                FieldSpec::message("input_value", "Input")
                    .tool()
                    .info("What it is asked."),
            )
            .field(
                FieldSpec::bool("handle_parsing_errors", "Handle Parse Errors", true)
                    .advanced()
                    .info("Calls that cannot be read are sent back to the model."),
            )
            .field(
                FieldSpec::int("max_iterations", "Max Iterations", 15)
                    .advanced()
                    .info("Rounds of tool calls before it must stop."),
            )
            .field(
                FieldSpec::bool("stream", "Stream", true)
                    .advanced()
                    .info("Kept for older files: answers for the chat are always streamed."),
            )
            .field(
                FieldSpec::bool("add_current_date_tool", "Current Date", true)
                    .advanced()
                    .info("Gives it a tool for the date and time."),
            )
            .field(
                FieldSpec::bool("add_calculator_tool", "Calculator", true)
                    .advanced()
                    .info("Gives it a tool for arithmetic."),
            )
            .output(OutputSpec::new(
                RESPONSE,
                "Response",
                "message_response",
                &["Message"],
            ))
            .output(
                OutputSpec::new(
                    STRUCTURED,
                    "Structured Response",
                    "json_response",
                    &["Data", "JSON"],
                )
                .no_tool(),
            )
    }

    fn run(&self, call: Call) -> Step {
        let models = self.models.clone();
        Step::later(async move {
            let model = llm::open(&models, &call).await?;
            answer(&call, &model).await
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        llm::refresh(node, field, value);
        Ok(())
    }
}

async fn answer(call: &Call, model: &LanguageModel) -> Result<Outcome, Failure> {
    let wanted = Wanted::of(call);
    let spent = Spent::default();
    let agent = agent(call, model, wanted, &spent)?;
    let paused = match call.memory.clone() {
        Some(memory) => Some(serde_json::from_value::<Paused>(memory).map_err(|error| {
            Failure::new(
                Cause::Internal,
                format!("what the agent had done cannot be read again: {error}"),
            )
            .advice("Start the run again.")
        })?),
        None => None,
    };
    let blocks = paused.as_ref().map(|paused| paused.agent.blocks().clone());
    let message = match &paused {
        Some(paused) => paused.message.clone(),
        None => llm::show_while_speaking(call, model, RESPONSE),
    };
    let stage = Stage::new(
        call,
        message,
        blocks.unwrap_or_default(),
        llm::is_live(call, RESPONSE),
    );
    let listener = |event: AgentEvent| stage.hear(&event);
    let ended = unless_stopped(&call.cx, async {
        Ok(match paused {
            Some(paused) => {
                let decided = decisions(call, &paused.agent);
                agent.resume(paused.agent, decided, &listener).await
            }
            None => {
                let conversation = conversation(call, model).await?;
                agent.run(conversation, &listener).await
            }
        })
    })
    .await;
    match ended {
        Ok(Ok(Ended::Answer(answer))) => finish(call, model, wanted, stage, *answer, spent.sum()).await,
        Ok(Ok(Ended::NeedsApproval(suspended))) => {
            let Some(pending) = suspended.calls.first() else {
                return Err(Failure::new(Cause::Internal, "the agent waits for nobody"));
            };
            let question = question(pending);
            let message = stage.pause();
            let state = serde_json::to_value(Paused {
                agent: suspended.state,
                message,
            });
            Ok(Outcome::Ask(Question {
                state: state.ok(),
                ..question
            }))
        }
        Ok(Err(stopped)) => {
            let failed = failure(&stopped);
            stage.break_off(&failed, &stopped.text);
            Err(failed)
        }
        Err(failed) => {
            stage.break_off(&failed, "");
            Err(failed)
        }
    }
}

/// Which forms of the answer somebody waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Text,
    Structured,
    Both,
}

impl Wanted {
    fn of(call: &Call) -> Self {
        let wired = |name: &str| call.node.wired_outputs.iter().any(|output| output == name);
        match (wired(RESPONSE), wired(STRUCTURED)) {
            (true, true) => Self::Both,
            (false, true) => Self::Structured,
            _ => Self::Text,
        }
    }
}

fn agent(call: &Call, model: &LanguageModel, wanted: Wanted, spent: &Spent) -> Result<Agent, Failure> {
    let mut agent = Agent::new(model.heard_by(&call.cx));
    agent.tools = agent_tools::all(call, spent)?;
    if !agent.tools.is_empty() && !model.info().tool_calling {
        return Err(
            Failure::input("model", format!("`{}` cannot call tools", model.info().name)).advice(
                "Choose a model that can, or remove the tools and turn off Current Date and Calculator.",
            ),
        );
    }
    let rounds = fields::count(call, "max_iterations", 15, 1)?;
    agent.max_iterations = u32::try_from(rounds).unwrap_or(u32::MAX);
    if !fields::on_by_default(call, "handle_parsing_errors") {
        agent.malformed_retries = 0;
    }
    let mut request = model.fit(ChatRequest::default());
    if wanted == Wanted::Structured {
        request.format = format(call)?;
    }
    agent.request = request;
    Ok(agent)
}

/// The form of the structured response.
fn format(call: &Call) -> Result<Format, Failure> {
    let rows = call
        .get("output_schema")
        .map(|value| value.rows())
        .unwrap_or_default();
    if rows.is_empty() {
        return Ok(Format::Json);
    }
    Ok(Format::Schema {
        name: "response".to_owned(),
        schema: llm::from_rows("output_schema", &rows)?,
    })
}

async fn conversation(call: &Call, model: &LanguageModel) -> Result<Conversation, Failure> {
    let asked = call.message("input_value");
    let empty = asked
        .as_ref()
        .is_none_or(|asked| asked.text.trim().is_empty() && asked.files.is_empty());
    let mut messages = Vec::new();
    let system = instructions(call, model)?;
    if !system.trim().is_empty() {
        messages.push(ChatMessage::system(system));
    }
    messages.extend(llm::history(call, asked.as_deref()).await?);
    match asked {
        Some(asked) if !empty => messages.push(ChatMessage {
            role: Role::User,
            parts: llm::attached(call, &asked).await?,
        }),
        // Instructions alone are a task.
        _ if messages.iter().any(|message| message.role == Role::User)
            || !call.text("system_prompt").trim().is_empty() =>
        {
            messages.push(ChatMessage::user("Go on."));
        }
        _ => {
            return Err(Failure::input("input_value", "The agent is asked nothing")
                .advice("Fill in Input, or wire something into it."));
        }
    }
    Ok(Conversation::new(messages))
}

fn instructions(call: &Call, model: &LanguageModel) -> Result<String, Failure> {
    let mut text = call.text("system_prompt");
    if text.contains("{current_date}") {
        let now = crate::utilities::current_date::now_in("UTC")?;
        text = text.replace("{current_date}", &now);
    }
    let text = text
        .replace("{model_name}", &model.info().name)
        .replace("{optional_user_context}", "");
    let form = call.text("format_instructions");
    Ok(
        if Wanted::of(call) == Wanted::Structured && !form.trim().is_empty() {
            format!("{text}\n\n{form}")
        } else {
            text
        },
    )
}

fn failure(stopped: &Stopped) -> Failure {
    match &stopped.error {
        AgentError::Model(error) => llm::failure(error),
        AgentError::Iterations { .. } => Failure::limit(stopped.error.to_string()),
        other => Failure::outside(other.to_string()),
    }
    .advice(stopped.error.advice())
}

async fn finish(
    call: &Call,
    model: &LanguageModel,
    wanted: Wanted,
    stage: Stage<'_>,
    answer: Answer,
    spent: Option<Usage>,
) -> Result<Outcome, Failure> {
    let mut usage = model.usage(answer.usage);
    if let Some(spent) = spent {
        usage += spent;
    }
    let mut structured = answer.structured.clone();
    if wanted == Wanted::Both {
        let (found, spent) = match restate(call, model, &answer).await {
            Ok(restated) => restated,
            Err(failed) => {
                stage.break_off(&failed, &answer.text);
                return Err(failed);
            }
        };
        structured = Some(found);
        if let Some(spent) = spent {
            usage += spent;
        }
    }
    let message = stage.finish(&answer);
    let mut outputs = Outputs::new().with(RESPONSE, Value::Message(Arc::new(message)));
    if let Some(structured) = structured {
        let value = match structured {
            Json::Object(map) => Value::data(map),
            other => Value::from_json(json!({ "result": other })),
        };
        outputs = outputs.with(STRUCTURED, value);
    }
    outputs.usage = Some(usage).filter(|usage| *usage != Usage::default());
    Ok(outputs.done())
}

/// The same answer in the wanted form.
async fn restate(
    call: &Call,
    model: &LanguageModel,
    answer: &Answer,
) -> Result<(Json, Option<Usage>), Failure> {
    let form = call.text("format_instructions");
    let mut request = ChatRequest::new(vec![
        ChatMessage::system(format!(
            "Put the answer below into JSON of the wanted form, and add nothing to it. {form}"
        )),
        ChatMessage::user(answer.text.clone()),
    ]);
    request.format = format(call)?;
    let (response, usage) = llm::ask_quietly(call, model, request).await?;
    match loose::repaired(&response.text) {
        Some(json) => Ok((json, usage)),
        None => Err(Failure::outside("the model did not put its answer into JSON")
            .advice("Simplify the output schema, or choose a model that supports structured output.")
            .detail(response.text.chars().take(200).collect::<String>())),
    }
}
