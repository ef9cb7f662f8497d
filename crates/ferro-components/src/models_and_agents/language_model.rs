//! Asks a language model and gives its answer.
//!
//! | field | what it does |
//! |---|---|
//! | Language Model | which model; **Setup Provider** opens Settings › Model providers |
//! | Input | the question: type it, or wire in a Chat Input or a Prompt Template |
//! | System Message | how the model should behave: role, tone, rules |
//! | API Key | a key for this node alone; empty uses the provider's |
//! | Temperature | 0 answers the same way each time, higher ones vary more; models that reason ignore it |
//! | Max Tokens | the longest answer; 0 leaves it to the model |
//! | Stream | kept for older files: an answer that goes to the chat is always shown while it is written |
//!
//! **Outputs.** *Model Response* is the answer. *Language Model* is the model itself, for other components that want one:
//! with a wire on it only, nothing is asked here.
//!
//! Images and PDFs that came with the message are sent along.
//!
//! **Example.** Chat Input → Language Model → Chat Output, with the system message `Answer in one sentence.`
//!
//! **Common mistakes.** A key that is set but wrong gives an authentication error at once; check it in Settings › Model
//! providers. *Rehearsal* is an offline stand-in for trying things out, not an AI.

use std::sync::Arc;

use ferro_engine::{Call, Component, Failure, Outputs, Step, Value};
use ferro_llm::{ChatMessage, ChatRequest, Format, Models, Role};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use crate::llm::{self, legacy};

pub(crate) struct LanguageModelComponent {
    pub models: Models,
}

const TEXT: &str = "text_output";
const MODEL: &str = "model_output";

impl Component for LanguageModelComponent {
    fn descriptor(&self) -> Descriptor {
        let aliases = legacy::LANGUAGE.each_ref().map(|old| old.r#type);
        let mut descriptor = Descriptor::new("LanguageModelComponent", "Language Model")
            .aliases(&aliases)
            .category("models_and_agents")
            .icon("brain-circuit")
            .description("Asks a language model.")
            .help(include_str!("language_model.rs"));
        for field in llm::language_fields(false) {
            descriptor = descriptor.field(field);
        }
        descriptor
            .field(
                FieldSpec::text("model_name", "Model Name")
                    .advanced()
                    .info("Another model than the chosen one, by name."),
            )
            .field(
                FieldSpec::text("provider", "Provider")
                    .advanced()
                    .info("The provider of that model."),
            )
            .field(FieldSpec::message("input_value", "Input").info("What the model is asked."))
            .field(
                FieldSpec::multiline("system_message", "System Message").info("How the model should behave."),
            )
            .field(
                FieldSpec::bool("stream", "Stream", false)
                    .advanced()
                    .info("Kept for older files: answers for the chat are always streamed."),
            )
            .field(
                FieldSpec::slider("temperature", "Temperature", 0.1, (0.0, 1.0, 0.01))
                    .advanced()
                    .info("0 is steady, 1 is lively."),
            )
            .field(
                FieldSpec::int("max_tokens", "Max Tokens", 0)
                    .advanced()
                    .info("The longest answer; 0 leaves it to the model."),
            )
            .output(OutputSpec::new(
                TEXT,
                "Model Response",
                "text_response",
                &["Message"],
            ))
            .output(OutputSpec::new(MODEL, "Language Model", "build_model", &["LanguageModel"]).no_tool())
    }

    fn run(&self, call: Call) -> Step {
        let models = self.models.clone();
        Step::later(async move {
            let model = llm::open(&models, &call).await?;
            let mut outputs = Outputs::new();
            if call.wants(TEXT) && (call.get("input_value").is_some() || !call.node.wired_outputs.is_empty())
            {
                let asked = llm::ask(&call, &model, request(&call).await?, TEXT).await?;
                outputs.usage = asked.usage;
                outputs = outputs.with(TEXT, Value::Message(Arc::new(asked.message)));
            }
            if call.wants(MODEL) {
                outputs = outputs.with(MODEL, model.into_value());
            }
            Ok(outputs.done())
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        llm::refresh(node, field, value);
        Ok(())
    }
}

async fn request(call: &Call) -> Result<ChatRequest, Failure> {
    let mut messages = Vec::new();
    let system = call.text("system_message");
    if !system.trim().is_empty() {
        messages.push(ChatMessage::system(system));
    }
    let asked = call.message("input_value");
    let empty = asked
        .as_ref()
        .is_none_or(|asked| asked.text.trim().is_empty() && asked.files.is_empty());
    match asked {
        Some(asked) if !empty => messages.push(ChatMessage {
            role: Role::User,
            parts: llm::attached(call, &asked).await?,
        }),
        _ if messages.is_empty() => {
            return Err(Failure::input("input_value", "There is nothing to ask the model")
                .advice("Fill in Input or System Message, or wire something into Input."));
        }
        // Alone it is the question: some providers take no conversation in which nobody asks.
        _ => messages.iter_mut().for_each(|message| message.role = Role::User),
    }
    let mut request = ChatRequest::new(messages);
    if legacy::find(&call.node.r#type).is_some() {
        request.seed = call.int("seed")?;
        if call.bool("json_mode") {
            request.format = Format::Json;
        }
    }
    Ok(request)
}
