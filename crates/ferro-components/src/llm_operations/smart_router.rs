//! Lets a model decide which branch a text takes.
//!
//! | field | what it does |
//! |---|---|
//! | Language Model | which model decides |
//! | Input | the text |
//! | Routes | one row for each branch: a name, when it fits, and optionally a message that is sent instead of the text |
//! | Include Else Output | a branch for texts that fit none of them |
//! | Override Output | sent along whichever branch is taken, instead of the text |
//! | Additional Instructions | more for the model to go by; `{input_text}` and `{routes}` are filled in |
//!
//! Every route is an output. Only what hangs on the chosen one runs.
//!
//! **Example.** Routes `Refund` (wants money back) and `Question` (asks how something works), each wired to an agent of its
//! own.
//!
//! **Common mistakes.** Without an Else output, a text that fits nowhere ends the flow there. Wires follow the row, not the name:
//! rows that are moved take each other's wires.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_llm::{ChatMessage, ChatRequest, Models};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use crate::flow_controls::quoted;
use crate::llm::{self, LanguageModel};
use crate::text::fields;

pub(super) struct SmartRouter {
    pub models: Models,
}

const ELSE: &str = "default_result";

impl Component for SmartRouter {
    fn descriptor(&self) -> Descriptor {
        let mut descriptor = Descriptor::new("SmartRouter", "Smart Router")
            .category("llm_operations")
            .icon("route")
            .description("Lets a model decide which branch a text takes.")
            .help(include_str!("smart_router.rs"))
            .routes();
        for field in llm::language_fields(false) {
            descriptor = descriptor.field(field);
        }
        let columns = json!({ "columns": [
            { "name": "route_category", "display_name": "Route Name", "type": "str", "edit_mode": "inline", "description": "The name of the branch." },
            { "name": "route_description", "display_name": "Route Description", "type": "str", "edit_mode": "popover", "default": "", "description": "When this branch fits." },
            { "name": "output_value", "display_name": "Route Message", "type": "str", "edit_mode": "popover", "default": "", "description": "Sent instead of the text; may be empty." },
        ] });
        let rows = json!([
            { "route_category": "Positive", "route_description": "praise, thanks, satisfaction", "output_value": "" },
            { "route_category": "Negative", "route_description": "complaints, problems, disappointment", "output_value": "" },
        ]);
        let routes = routes(rows.as_array().map_or(&[], Vec::as_slice));
        let mut descriptor = descriptor
            .field(
                FieldSpec::message_text("input_text", "Input")
                    .required()
                    .info("The text."),
            )
            .field(
                FieldSpec::table("routes", "Routes", columns, rows)
                    .required()
                    .refresh()
                    .info("The branches."),
            )
            .field(
                FieldSpec::message("message", "Override Output")
                    .advanced()
                    .info("Sent along whichever branch is taken."),
            )
            .field(
                FieldSpec::bool("enable_else_output", "Include Else Output", false)
                    .advanced()
                    .refresh()
                    .info("A branch for texts that fit none of the routes."),
            )
            .field(
                FieldSpec::multiline("custom_prompt", "Additional Instructions")
                    .advanced()
                    .info("More for the model to go by."),
            );
        for route in &routes {
            descriptor = descriptor.output(route.output());
        }
        descriptor
    }

    fn run(&self, call: Call) -> Step {
        let models = self.models.clone();
        Step::later(async move {
            let model = llm::open(&models, &call).await?;
            decide(&call, &model).await
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        llm::refresh(node, field, value);
        if matches!(field, "routes" | "enable_else_output") {
            let rows = fields::value_of(node, "routes");
            let mut outputs: Vec<OutputSpec> = routes(rows.as_array().map_or(&[], Vec::as_slice))
                .iter()
                .map(Route::output)
                .collect();
            if fields::value_of(node, "enable_else_output") == Json::Bool(true) {
                outputs.push(OutputSpec::new(ELSE, "Else", "default_response", &["Message"]).group());
            }
            fields::set_outputs(node, &outputs);
        }
        Ok(())
    }
}

struct Route {
    /// The output's name: `category_1_result`, …
    output: String,
    name: String,
    description: String,
    message: String,
}

impl Route {
    fn output(&self) -> OutputSpec {
        OutputSpec::new(&self.output, &self.name, "process_case", &["Message"]).group()
    }
}

fn routes(rows: &[Json]) -> Vec<Route> {
    let text = |row: &Json, key: &str| {
        let text = row.get(key).and_then(Json::as_str).unwrap_or_default();
        text.trim().to_owned()
    };
    let route = |(index, row): (usize, &Json)| {
        let name = text(row, "route_category");
        Route {
            output: format!("category_{}_result", index + 1),
            name: if name.is_empty() {
                format!("Category {}", index + 1)
            } else {
                name
            },
            description: text(row, "route_description"),
            message: text(row, "output_value"),
        }
    };
    rows.iter().enumerate().map(route).collect()
}

async fn decide(call: &Call, model: &LanguageModel) -> Result<Outcome, Failure> {
    let text = call.required_text("input_text")?;
    let rows: Vec<Json> = call
        .get("routes")
        .map(|value| value.rows())
        .unwrap_or_default()
        .into_iter()
        .map(Json::Object)
        .collect();
    let routes = routes(&rows);
    if routes.is_empty() {
        return Err(Failure::input("routes", "There are no routes").advice("Add a row for each branch."));
    }
    let request = ChatRequest::new(vec![ChatMessage::user(question(call, &text, &routes))]);
    let (response, usage) = llm::ask_quietly(call, model, request).await?;
    let chosen = pick(&response.text, &routes);
    call.cx.log(
        "Smart Router",
        match chosen {
            Some(at) => format!("the model chose `{}`", routes[at].name),
            None => format!(
                "the model chose none of the routes: {:?}",
                response.text.chars().take(200).collect::<String>()
            ),
        },
    );
    let with_else = call.bool("enable_else_output");
    let mut outputs = Outputs::new();
    for (at, route) in routes.iter().enumerate() {
        if chosen == Some(at) {
            outputs = outputs.with(route.output.clone(), passed(call, &route.message, &text));
        } else {
            outputs = outputs.stop(route.output.clone());
        }
    }
    if with_else {
        outputs = match chosen {
            None => outputs.with(ELSE, passed(call, "", &text)),
            Some(_) => outputs.stop(ELSE),
        };
    }
    let status = chosen.map_or_else(|| "none of the routes".to_owned(), |at| routes[at].name.clone());
    let said = quoted(response.text.trim());
    let why = match chosen {
        Some(at) => format!(
            "{} answered {said}, so the branch {}",
            model.info().name,
            quoted(&routes[at].name)
        ),
        None if with_else => format!(
            "{} answered {said}, which is none of the routes, so Else",
            model.info().name
        ),
        None => format!(
            "{} answered {said}, which is none of the routes, so no branch",
            model.info().name
        ),
    };
    outputs = outputs.status(status).because(why);
    outputs.usage = usage;
    Ok(outputs.done())
}

fn passed(call: &Call, instead: &str, text: &str) -> Value {
    match call.message("message").filter(|message| !message.text.is_empty()) {
        Some(message) => Value::Message(message),
        None if !instead.is_empty() => Value::text(instead),
        None => call
            .message("input_text")
            .map_or_else(|| Value::text(text), Value::Message),
    }
}

fn question(call: &Call, text: &str, routes: &[Route]) -> String {
    let list: Vec<String> = routes
        .iter()
        .map(|route| match route.description.as_str() {
            "" => format!("- {}", route.name),
            when => format!("- {}: {when}", route.name),
        })
        .collect();
    let mut question = format!(
        "Classify the text below into one of these categories:\n{}\n\nText:\n\"\"\"\n{text}\n\"\"\"\n\nAnswer with the name \
         of the category alone, spelled as above. If none of them fits, answer NONE.",
        list.join("\n")
    );
    let more = call.text("custom_prompt");
    if !more.trim().is_empty() {
        let names: Vec<&str> = routes.iter().map(|route| route.name.as_str()).collect();
        let more = more
            .replace("{input_text}", text)
            .replace("{routes}", &names.join(", "));
        question.push_str("\n\n");
        question.push_str(&more);
    }
    question
}

/// The route an answer names: exactly, or as the only one whose name stands in it.
fn pick(answer: &str, routes: &[Route]) -> Option<usize> {
    let plain = |text: &str| {
        text.trim()
            .trim_matches(['"', '\'', '.', '*', '`'])
            .to_lowercase()
    };
    let said = plain(answer);
    if let Some(at) = routes.iter().position(|route| plain(&route.name) == said) {
        return Some(at);
    }
    if said == "none" {
        return None;
    }
    let words: Vec<&str> = said.split(|c: char| !c.is_alphanumeric()).collect();
    let mut named = routes.iter().enumerate().filter(|(_, route)| {
        let name = plain(&route.name);
        let parts: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        words
            .windows(parts.len().max(1))
            .any(|window| window == parts.as_slice())
    });
    match (named.next(), named.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<Route> {
        routes(&[
            json!({ "route_category": "Refund" }),
            json!({ "route_category": "Open question" }),
        ])
    }

    #[test]
    fn an_answer_names_a_route_exactly_or_alone() {
        assert_eq!(pick("Refund", &two()), Some(0));
        assert_eq!(pick("\"open question\".", &two()), Some(1));
        assert_eq!(pick("The category is: Refund", &two()), Some(0));
        assert_eq!(pick("Refund or open question?", &two()), None);
        assert_eq!(pick("NONE", &two()), None);
        assert_eq!(pick("refunds", &two()), None);
    }
}
