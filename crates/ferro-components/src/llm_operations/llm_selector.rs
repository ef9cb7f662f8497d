//! Lets one model choose which of several others answers.
//!
//! | field | what it does |
//! |---|---|
//! | Language Models | wire in two or more models |
//! | Input | the question |
//! | Judge LLM | the model that chooses; a small one is enough |
//! | Optimization | what counts: quality, speed, cost, or a balance |
//! | Use OpenRouter Specs | kept for older files: what is known about the models comes from the catalogue |
//! | Timeout | seconds the judge has |
//! | Fallback to First Model | the first model answers when the judge cannot choose; otherwise the node fails |
//!
//! **Outputs.** *Output* is the answer of the chosen model, *Selected Model Info* what is known about it, *Routing Decision*
//! why it was chosen.
//!
//! **Common mistakes.** Prices and context sizes are known for models in the catalogue; the judge is told when they are not.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Usage, Value};
use ferro_llm::{ChatMessage, ChatRequest, Role};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::json;

use crate::llm::{self, LanguageModel};
use crate::text::fields;

pub(super) struct LlmSelector;

impl Component for LlmSelector {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("LLMSelectorComponent", "LLM Selector")
            .category("llm_operations")
            .icon("git-branch")
            .description("Lets one model choose which of several others answers.")
            .help(include_str!("llm_selector.rs"))
            .field(
                FieldSpec::handle("models", "Language Models", &["LanguageModel"])
                    .list()
                    .required()
                    .info("The models to choose from."),
            )
            .field(
                FieldSpec::message("input_value", "Input")
                    .required()
                    .info("The question."),
            )
            .field(
                FieldSpec::handle("judge_llm", "Judge LLM", &["LanguageModel"])
                    .required()
                    .info("The model that chooses."),
            )
            .field(
                FieldSpec::dropdown(
                    "optimization",
                    "Optimization",
                    &["quality", "speed", "cost", "balanced"],
                    "balanced",
                )
                .info("What counts."),
            )
            .field(
                FieldSpec::bool("use_openrouter_specs", "Use OpenRouter Specs", true)
                    .advanced()
                    .info("Kept for older files."),
            )
            .field(
                FieldSpec::int("timeout", "API Timeout", 10)
                    .advanced()
                    .info("Seconds the judge has."),
            )
            .field(
                FieldSpec::bool("fallback_to_first", "Fallback to First Model", true)
                    .advanced()
                    .info("The first model answers when the judge cannot choose."),
            )
            .output(OutputSpec::new(
                "output",
                "Output",
                "route_to_model",
                &["Message"],
            ))
            .output(OutputSpec::new(
                "selected_model_info",
                "Selected Model Info",
                "get_selected_model_info",
                &["JSON"],
            ))
            .output(OutputSpec::new(
                "routing_decision",
                "Routing Decision",
                "get_routing_decision",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move { select(&call).await })
    }
}

fn models(call: &Call, field: &str) -> Result<Vec<LanguageModel>, Failure> {
    let value = call.required(field)?;
    let mut found = Vec::new();
    for item in value.items() {
        match &item {
            Value::Live(live) => match live.value.downcast_ref::<LanguageModel>() {
                Some(model) => found.push(model.clone()),
                None => return Err(not_a_model(call, field, &item)),
            },
            other => return Err(not_a_model(call, field, other)),
        }
    }
    Ok(found)
}

fn not_a_model(call: &Call, field: &str, found: &Value) -> Failure {
    Failure::input(
        field,
        format!("{} got {}, not a model", call.label(field), found.kind()),
    )
    .advice("Wire in the Language Model output of a Language Model.")
}

async fn select(call: &Call) -> Result<Outcome, Failure> {
    let candidates = models(call, "models")?;
    if candidates.is_empty() {
        return Err(
            Failure::input("models", "Language Models is empty").advice("Wire in two or more models.")
        );
    }
    let judge = models(call, "judge_llm")?.into_iter().next();
    let Some(judge) = judge else {
        return Err(Failure::input("judge_llm", "Judge LLM is empty").advice("Wire in a model."));
    };
    let asked = call
        .message("input_value")
        .filter(|message| !message.text.trim().is_empty());
    let Some(asked) = asked else {
        return Err(Failure::input("input_value", "Input is empty").advice("Wire in or type a question."));
    };
    let wanted = fields::text_or(call, "optimization", "balanced");
    let question = question(&candidates, &asked.text, &wanted);
    let seconds = u64::try_from(fields::int_or(call, "timeout", 10)?)
        .unwrap_or(10)
        .max(1);
    let judged = tokio::time::timeout(
        Duration::from_secs(seconds),
        llm::ask_quietly(call, &judge, ChatRequest::new(vec![ChatMessage::user(question)])),
    )
    .await;
    let mut usage: Option<Usage> = None;
    let choice = match judged {
        Ok(Ok((response, spent))) => {
            usage = spent;
            chosen(&response.text, &candidates).ok_or_else(|| {
                Failure::outside("the judge did not name one of the models")
                    .detail(response.text.chars().take(200).collect::<String>())
            })
        }
        Ok(Err(failure)) => Err(failure),
        Err(_) => Err(Failure::new(
            ferro_engine::Cause::Timeout,
            format!("the judge took longer than {seconds} s"),
        )),
    };
    let (at, why) = match choice {
        Ok(at) => (at, format!("The judge chose it for {wanted}.")),
        Err(failure) if fields::on_by_default(call, "fallback_to_first") => {
            (0, format!("The first model was taken, because {failure}."))
        }
        Err(failure) => return Err(failure.advice("Try again, or turn on Fallback to First Model.")),
    };
    let model = &candidates[at];
    let info = model.info();
    let parts = llm::attached(call, &asked).await?;
    let request = ChatRequest::new(vec![ChatMessage {
        role: Role::User,
        parts,
    }]);
    let answer = llm::ask(call, model, request, "output").await?;
    if let Some(spent) = answer.usage {
        *usage.get_or_insert_default() += spent;
    }
    let decision = format!("{} ({}): {why}", info.name, info.provider);
    let about = json!({
        "model": info.name,
        "provider": info.provider,
        "index": at,
        "context_length": info.context_tokens,
        "price_per_million": info.price.map(|price| json!({ "input": price.input, "output": price.output })),
        "optimization": wanted,
    });
    let mut outputs = Outputs::new()
        .with("output", Value::Message(Arc::new(answer.message)))
        .with("selected_model_info", Value::from_json(about))
        .with("routing_decision", Value::text(decision.clone()))
        .status(decision);
    outputs.usage = usage;
    Ok(outputs.done())
}

fn question(candidates: &[LanguageModel], asked: &str, wanted: &str) -> String {
    let mut list = String::new();
    for (at, model) in candidates.iter().enumerate() {
        let info = model.info();
        let _ = write!(list, "{at}. {} by {}", info.name, info.provider);
        match info.context_tokens {
            Some(tokens) => {
                let _ = write!(list, ", context {tokens} tokens");
            }
            None => list.push_str(", context unknown"),
        }
        match info.price {
            Some(price) => {
                let _ = write!(
                    list,
                    ", ${} in and ${} out for a million tokens",
                    price.input, price.output
                );
            }
            None => list.push_str(", price unknown"),
        }
        list.push_str(if info.reasoning {
            ", reasons before it answers\n"
        } else {
            "\n"
        });
    }
    let aim = match wanted {
        "quality" => "the best answer, whatever it costs",
        "speed" => "the quickest answer that is still right",
        "cost" => "the cheapest answer that is still right",
        _ => "a good balance of quality, speed and cost",
    };
    let asked: String = asked.chars().take(4000).collect();
    format!(
        "Choose which model should answer a question. What counts is {aim}.\n\nModels:\n{list}\nQuestion:\n\"\"\"\n{asked}\n\"\"\"\n\n\
         Answer with the number of the model alone."
    )
}

/// The model an answer names, or the first number in it that is one of theirs. Digits inside a name are no number.
fn chosen(answer: &str, candidates: &[LanguageModel]) -> Option<usize> {
    let plain = answer.trim().trim_matches(['"', '\'', '`', '*', '.']);
    let named = candidates
        .iter()
        .position(|model| model.info().name.eq_ignore_ascii_case(plain));
    named.or_else(|| {
        let mut words = answer.split(|c: char| !c.is_alphanumeric() && c != '-');
        words.find_map(|word| word.parse().ok().filter(|at| *at < candidates.len()))
    })
}
