//! Asks a person and goes on along the branch they choose. Until somebody answers, the run waits; it may wait for
//! days, and restarting the server does not lose it.
//!
//! - **Prompt**: what the person reads. It goes on unchanged along the chosen branch.
//! - **Decisions**: the buttons. Each has an output of its own; only what hangs on the chosen one runs.
//! - **Enable Fallback**: adds an output **Fallback** and a **Timeout**. When nobody answers in time, the run goes on
//!   there.
//!
//! An answer may carry an edited text under the name `text`: it then goes on instead of the prompt. Everything
//! else that came with the answer is in the message's data.
//!
//! Example: a draft → Human Input with the decisions Approve and Reject; Approve → API Request; Reject → Chat Output.
//!
//! Common mistakes: renaming a decision after wiring it (the wire belonged to the old output); starting such a flow
//! where nobody can answer, such as a webhook.

use ferro_engine::{Answer, Call, Component, Failure, Message, Outcome, Outputs, Question, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use super::condition::quoted;
use crate::text::fields;

pub(super) struct HumanInput;

const FALLBACK: &str = "fallback";
const MAX_DECISIONS: usize = 20;

impl Component for HumanInput {
    fn descriptor(&self) -> Descriptor {
        let decisions =
            json!([{ "id": "approve", "label": "Approve" }, { "id": "reject", "label": "Reject" }]);
        let mut descriptor = Descriptor::new("HumanInput", "Human Input")
            .category("flow_controls")
            .icon("user-check")
            .description("Waits for a person's decision and goes on along the branch they choose.")
            .help(include_str!("human_input.rs"))
            .field(
                FieldSpec::multiline("prompt", "Prompt").info("What the person is asked, and what goes on."),
            )
            .field(
                FieldSpec::other("decisions", "Decisions", "actionPicker", "ActionPickerInput")
                    .info("The buttons; each has an output.")
                    .value(decisions.clone())
                    .required()
                    .refresh(),
            )
            .field(
                FieldSpec::other("timeout", "Timeout", "duration", "DurationInput")
                    .info("After this long the fallback is taken.")
                    .options(&["Minutes", "Hours", "Days"])
                    .value(json!({ "value": 1, "unit": "Hours" }))
                    .advanced()
                    .hidden(),
            )
            .field(
                FieldSpec::bool("enable_fallback", "Enable Fallback", false)
                    .info("Go on along an output of its own when nobody answers in time.")
                    .advanced()
                    .refresh(),
            )
            .routes();
        for option in options(&decisions) {
            descriptor = descriptor.output(branch(&option));
        }
        descriptor
    }

    fn run(&self, call: Call) -> Step {
        match &call.answer {
            Some(answer) => route(&call, answer),
            None => ask(&call),
        }
        .into()
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if !matches!(field, "decisions" | "enable_fallback") {
            return Ok(());
        }
        let decisions = if field == "decisions" {
            value.clone()
        } else {
            fields::value_of(node, "decisions")
        };
        let fallback = fields::value_of(node, "enable_fallback") == json!(true);
        let mut outputs: Vec<OutputSpec> = options(&decisions).iter().map(branch).collect();
        if fallback {
            outputs.push(branch(&Choice {
                id: FALLBACK.to_owned(),
                label: "Fallback".to_owned(),
                rest: json!({}),
            }));
        }
        fields::show_only(node, &["timeout"], if fallback { &["timeout"] } else { &[] });
        fields::set_outputs(node, &outputs);
        Ok(())
    }
}

struct Choice {
    id: String,
    label: String,
    /// As it was saved.
    rest: Json,
}

/// The decisions, whether saved as texts or as objects; those of the same id count once.
fn options(decisions: &Json) -> Vec<Choice> {
    let list = match decisions {
        Json::Array(list) => list.as_slice(),
        _ => &[],
    };
    let mut found: Vec<Choice> = Vec::new();
    for item in list.iter().take(MAX_DECISIONS) {
        let text = |keys: &[&str]| {
            let mut values = keys.iter().filter_map(|key| item.get(key)?.as_str());
            values.find(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        let label = item
            .as_str()
            .map(str::to_owned)
            .or_else(|| text(&["label", "display_name", "name", "title"]));
        let id = text(&["id", "action_id", "value"])
            .or_else(|| label.clone())
            .map(|id| slug(&id));
        let Some(id) = id.filter(|id| !id.is_empty() && !found.iter().any(|known| known.id == *id)) else {
            continue;
        };
        found.push(Choice {
            label: label.unwrap_or_else(|| id.clone()),
            id,
            rest: item.clone(),
        });
    }
    found
}

/// Lower case, with `_` for what an output's name cannot have.
fn slug(text: &str) -> String {
    let plain = text
        .trim()
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' });
    plain.flat_map(char::to_lowercase).take(60).collect()
}

fn branch(choice: &Choice) -> OutputSpec {
    OutputSpec::new(
        &format!("branch_{}", choice.id),
        &choice.label,
        "route_decision",
        &["Message"],
    )
    .group()
    .no_tool()
}

fn ask(call: &Call) -> Result<Outcome, Failure> {
    let choices = options(&call.json("decisions"));
    if choices.is_empty() {
        return Err(Failure::input("decisions", "There is nothing to choose from")
            .advice("Add at least one decision to the Human Input component."));
    }
    let buttons = choices.iter().map(|choice| match &choice.rest {
        Json::Object(rest) => {
            let mut button = rest.clone();
            button.insert("id".to_owned(), choice.id.clone().into());
            button.insert("label".to_owned(), choice.label.clone().into());
            Json::Object(button)
        }
        _ => json!({ "id": choice.id, "label": choice.label }),
    });
    let fallback = call.bool("enable_fallback");
    Ok(Outcome::Ask(Question {
        kind: "human_input".to_owned(),
        prompt: call.text("prompt"),
        options: buttons.collect(),
        fields: Vec::new(),
        timeout_ms: if fallback {
            Some(timeout(&call.json("timeout"))?)
        } else {
            None
        },
        fallback: fallback.then(|| FALLBACK.to_owned()),
        state: None,
    }))
}

/// `{"value": 2, "unit": "Hours"}` in milliseconds; an hour when unset.
fn timeout(duration: &Json) -> Result<u64, Failure> {
    let unit = duration.get("unit").and_then(Json::as_str).unwrap_or("Hours");
    let seconds = match unit.to_lowercase().as_str() {
        "seconds" => 1.0,
        "minutes" => 60.0,
        "hours" => 3_600.0,
        "days" => 86_400.0,
        _ => 0.0,
    };
    let value = match duration.get("value").unwrap_or(&Json::Null) {
        Json::Null => 1.0,
        Json::String(text) => text.trim().parse().unwrap_or(f64::NAN),
        other => other.as_f64().unwrap_or(f64::NAN),
    };
    let millis = value * seconds * 1_000.0;
    // Ten years; beyond that it is a mistake.
    if millis.is_finite() && (1.0..3.2e11).contains(&millis) {
        return Ok(millis as u64);
    }
    Err(Failure::input("timeout", "The timeout is not a length of time")
        .advice("Give a number above zero and one of Minutes, Hours, Days."))
}

fn route(call: &Call, answer: &Answer) -> Result<Outcome, Failure> {
    let mut names: Vec<String> = options(&call.json("decisions"))
        .into_iter()
        .map(|choice| choice.id)
        .collect();
    if call.bool("enable_fallback") {
        names.push(FALLBACK.to_owned());
    }
    let chosen = slug(&answer.action_id);
    if !names.contains(&chosen) {
        return Err(Failure::input(
            "decisions",
            format!("{:?} is not one of the decisions", answer.action_id),
        )
        .advice(format!("Answer with one of: {}.", names.join(", "))));
    }
    let mut message = call
        .message("prompt")
        .map_or_else(Message::default, |message| (*message).clone());
    if let Some(text) = answer.values.get("text").and_then(Json::as_str) {
        text.clone_into(&mut message.text);
    }
    message.data.extend(answer.values.clone());
    message.data.insert("action_id".to_owned(), chosen.clone().into());
    let why = if call.bool("enable_fallback") && chosen == FALLBACK {
        "nobody answered in time, so the fallback".to_owned()
    } else {
        let choices = options(&call.json("decisions"));
        let label = choices.iter().find(|choice| choice.id == chosen);
        let label = label.map_or(chosen.as_str(), |choice| choice.label.as_str());
        format!("a person chose {}", quoted(label))
    };
    let mut outputs = Outputs::new().status(chosen.clone()).because(why);
    for name in names {
        let output = format!("branch_{name}");
        outputs = if name == chosen {
            outputs.with(output, Value::Message(message.clone().into()))
        } else {
            outputs.stop(output)
        };
    }
    Ok(outputs.done())
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo};

    use super::*;

    fn call(fields: Json) -> Call {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        Call::new(NodeInfo::default(), fields, vec![], Context::nowhere())
    }

    fn run(call: Call) -> Result<Outcome, Failure> {
        let Step::Now(outcome) = HumanInput.run(call) else {
            panic!("it answers at once")
        };
        outcome
    }

    fn decisions() -> Json {
        json!([{ "id": "approve", "label": "Approve", "style": "primary" }, "Send back"])
    }

    #[test]
    fn asks_first() {
        let Outcome::Ask(question) =
            run(call(json!({ "prompt": "Ship?", "decisions": decisions() }))).unwrap()
        else {
            panic!("it asks")
        };
        assert_eq!(question.prompt, "Ship?");
        assert_eq!(
            question.options[0],
            json!({ "id": "approve", "label": "Approve", "style": "primary" })
        );
        assert_eq!(
            question.options[1],
            json!({ "id": "send_back", "label": "Send back" })
        );
        assert_eq!((question.timeout_ms, question.fallback), (None, None));
    }

    #[test]
    fn goes_on_where_it_was_told() {
        let mut call = call(json!({ "prompt": "Ship?", "decisions": decisions() }));
        call.answer = Some(Answer {
            action_id: "send_back".to_owned(),
            ..Answer::default()
        });
        let Outcome::Done(outputs) = run(call.clone()).unwrap() else {
            panic!("it is done")
        };
        assert_eq!(outputs.get("branch_send_back").unwrap().to_text(), "Ship?");
        assert_eq!(outputs.stopped, ["branch_approve"]);

        let values = json!({ "text": "Ship tomorrow" })
            .as_object()
            .cloned()
            .unwrap_or_default();
        call.answer = Some(Answer {
            action_id: "approve".to_owned(),
            values,
        });
        let Outcome::Done(outputs) = run(call.clone()).unwrap() else {
            panic!("it is done")
        };
        assert_eq!(outputs.get("branch_approve").unwrap().to_text(), "Ship tomorrow");

        call.answer = Some(Answer {
            action_id: "maybe".to_owned(),
            ..Answer::default()
        });
        assert!(run(call).unwrap_err().advice.contains("approve"));
    }

    #[test]
    fn nobody_answers() {
        let mut call = call(json!({
            "decisions": decisions(), "enable_fallback": true, "timeout": { "value": 2, "unit": "Minutes" },
        }));
        let Outcome::Ask(question) = run(call.clone()).unwrap() else {
            panic!("it asks")
        };
        assert_eq!(
            (question.timeout_ms, question.fallback.as_deref()),
            (Some(120_000), Some(FALLBACK))
        );
        call.answer = Some(Answer {
            action_id: FALLBACK.to_owned(),
            ..Answer::default()
        });
        let Outcome::Done(outputs) = run(call).unwrap() else {
            panic!("it is done")
        };
        assert!(outputs.get("branch_fallback").is_some());
        assert_eq!(outputs.stopped.len(), 2);
    }

    #[test]
    fn needs_something_to_choose_from_and_a_time() {
        assert!(run(call(json!({ "decisions": [] }))).is_err());
        let wrong = json!({ "decisions": decisions(), "enable_fallback": true, "timeout": { "value": -1 } });
        assert_eq!(run(call(wrong)).unwrap_err().field.as_deref(), Some("timeout"));
    }

    #[test]
    fn outputs_follow_the_decisions() {
        let mut node = HumanInput.descriptor().to_node();
        HumanInput.refresh(&mut node, "decisions", &decisions()).unwrap();
        let names = |node: &Json| -> Vec<String> {
            let outputs = node["outputs"].as_array().cloned().unwrap_or_default();
            outputs
                .iter()
                .filter_map(|output| Some(output["name"].as_str()?.to_owned()))
                .collect()
        };
        assert_eq!(names(&node), ["branch_approve", "branch_send_back"]);
        node["template"]["enable_fallback"]["value"] = json!(true);
        HumanInput
            .refresh(&mut node, "enable_fallback", &json!(true))
            .unwrap();
        assert_eq!(
            names(&node),
            ["branch_approve", "branch_reject", "branch_fallback"]
        );
        assert_eq!(node["template"]["timeout"]["show"], json!(true));
    }
}
