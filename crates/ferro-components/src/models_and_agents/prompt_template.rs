//! Puts text together out of a template and values.
//!
//! Every name in braces becomes a field of the node. Type a value into it, or wire a Message into it.
//!
//! | field | what it does |
//! |---|---|
//! | Template | the text, with variables as `{name}` |
//! | Use Double Brackets | variables are `{{name}}` instead, and single braces are plain text: handy for prompts with JSON |
//!
//! **Example.** `Answer in {language}: {question}` has two fields. With `French` and `What is rust?` the prompt is
//! `Answer in French: What is rust?`.
//!
//! **Common mistakes.**
//! - JSON in the template: its braces look like variables. Write `{{` and `}}` for them, or use double brackets.
//! - A name may have letters, digits, `_` and `-`, and begins with a letter: `{first name}` is refused.
//! - A variable without a value is simply empty. A variable without a field is an error that names it: open the
//!   template once and save it, and the field is there.

use std::borrow::Cow;

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use crate::prompt::{self, Style};
use crate::text::fields;
use crate::text::template;

pub(crate) struct PromptTemplate;

impl Component for PromptTemplate {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("Prompt Template", "Prompt Template")
            .aliases(&["Prompt"])
            .category("models_and_agents")
            .icon("braces")
            .description("Text with variables that are filled in.")
            .help(include_str!("prompt_template.rs"))
            .field(FieldSpec::prompt("template", "Template").info("Variables stand in braces."))
            .field(
                FieldSpec::bool("use_double_brackets", "Use Double Brackets", false)
                    .advanced()
                    .refresh()
                    .info("Variables stand in double braces; single ones are text."),
            )
            .field(
                FieldSpec::message_text("tool_placeholder", "Tool Placeholder")
                    .advanced()
                    .hidden()
                    .tool(),
            )
            .output(OutputSpec::new("prompt", "Prompt", "build_prompt", &["Message"]))
    }

    fn run(&self, call: Call) -> Step {
        Step::Now(build(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, _: &Json) -> Result<(), Failure> {
        if !matches!(field, "template" | "use_double_brackets") {
            return Ok(());
        }
        let style = match fields::value_of(node, "use_double_brackets") {
            Json::Bool(true) => Style::DoubleBraces,
            _ => Style::Braces,
        };
        fields::set(
            node,
            "template",
            "type",
            if style == Style::Braces {
                "prompt"
            } else {
                "mustache"
            },
        );
        let template = fields::value_of(node, "template");
        let variables = prompt::variables(template.as_str().unwrap_or_default(), style)?;
        prompt::set_variables(node, "template", &variables);
        Ok(())
    }
}

fn build(call: &Call) -> Result<Outcome, Failure> {
    let written = call.text("template");
    let style = if call.bool("use_double_brackets") {
        Style::DoubleBraces
    } else {
        Style::Braces
    };
    let pieces = template::parse(&written, style, "template")?;
    let text = template::render(&pieces, |name| match call.raw(name) {
        Some(value) => Ok(Cow::<'static, str>::Owned(value.to_text().into_owned())),
        None => Err(unknown(name, &written, style)),
    })?;
    Ok(Outputs::one("prompt", Value::text(text)))
}

/// A name that could not be a variable is worth another hint than one that lacks its field.
fn unknown(name: &str, written: &str, style: Style) -> Failure {
    if let Err(failure) = prompt::variables(written, style) {
        return failure;
    }
    Failure::input("template", format!("The template uses the variable {name:?}, which has no field and no value"))
        .advice("Open the template and save it, so that the field appears, then fill it in or wire something into it.")
}
