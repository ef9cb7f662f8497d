//! Compares a text with another and goes on along **True** or along **False**.
//!
//! - **Text Input**: what is looked at. It goes on unchanged along the branch that is taken.
//! - **Operator**: `equals`, `not equals`, `contains`, `starts with`, `ends with`, `regex` (a pattern that must
//!   match from the start of the text), and four comparisons of numbers.
//! - **Match Text**: what it is compared with.
//! - **Case Sensitive**: whether `Yes` and `yes` differ. Patterns decide that for themselves: start one with `(?i)`.
//! - **Case True / Case False**: sent along instead of the text, when filled in.
//! - **Max Iterations** and **Default Route**: when the component stands in a cycle, it takes the default route at
//!   the last of so many rounds, whatever the comparison says. That is how the cycle ends.
//!
//! Example: a text `42`, operator `greater than`, match text `10` takes the branch **True**.
//!
//! Common mistakes: comparing numbers with `equals` (`1` and `1.0` are different texts); texts that are no
//! numbers are neither less nor greater than anything, so they take **False**; what hangs on the other branch
//! does not run at all, it does not run with an empty text.

use ferro_engine::{Call, Component, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use super::condition::{Case, OPERATORS, compared, holds};
use crate::text::fields;

pub(super) struct IfElse;

const TRUE: &str = "true_result";
const FALSE: &str = "false_result";

impl Component for IfElse {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("ConditionalRouter", "If-Else")
            .category("flow_controls")
            .icon("split")
            .description("Takes one of two branches, depending on a comparison of texts.")
            .help(include_str!("if_else.rs"))
            .field(
                FieldSpec::message_text("input_text", "Text Input")
                    .info("What is looked at.")
                    .required(),
            )
            .field(
                FieldSpec::dropdown("operator", "Operator", &OPERATORS, "equals")
                    .info("How the two texts are compared.")
                    .refresh(),
            )
            .field(
                FieldSpec::message_text("match_text", "Match Text")
                    .info("What the text is compared with.")
                    .required(),
            )
            .field(
                FieldSpec::bool("case_sensitive", "Case Sensitive", true)
                    .info("Whether upper and lower case differ.")
                    .advanced(),
            )
            .field(
                FieldSpec::message("true_case_message", "Case True")
                    .info("Sent along the true branch instead of the text.")
                    .advanced(),
            )
            .field(
                FieldSpec::message("false_case_message", "Case False")
                    .info("Sent along the false branch instead of the text.")
                    .advanced(),
            )
            .field(
                FieldSpec::int("max_iterations", "Max Iterations", 10)
                    .info("In a cycle: after so many rounds the default route is taken.")
                    .advanced(),
            )
            .field(
                FieldSpec::dropdown("default_route", "Default Route", &[TRUE, FALSE], FALSE)
                    .info("The branch that ends a cycle.")
                    .advanced(),
            )
            .output(OutputSpec::new(TRUE, "True", "true_response", &["Message"]).group())
            .output(OutputSpec::new(FALSE, "False", "false_response", &["Message"]).group())
            .routes()
    }

    fn run(&self, call: Call) -> Step {
        decide(&call).into()
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field == "operator" {
            let shown: &[&str] = if value == "regex" {
                &[]
            } else {
                &["case_sensitive"]
            };
            fields::show_only(node, &["case_sensitive"], shown);
        }
        Ok(())
    }
}

fn decide(call: &Call) -> Result<ferro_engine::Outcome, Failure> {
    let text = call.text("input_text");
    let operator = fields::text_or(call, "operator", "equals");
    let case = if fields::on_by_default(call, "case_sensitive") {
        Case::Kept
    } else {
        Case::Ignored
    };
    let wanted = call.text("match_text");
    let holds = holds(&text, &operator, &wanted, case)?;
    let mut taken = if holds { TRUE } else { FALSE };

    let default = fields::text_or(call, "default_route", FALSE);
    let default = if default == TRUE { TRUE } else { FALSE };
    let limit = fields::int_or(call, "max_iterations", 10)?;
    let last = i64::from(call.round) + 1 >= limit;
    if last {
        taken = default;
    }

    let (message, other) = if taken == TRUE {
        ("true_case_message", FALSE)
    } else {
        ("false_case_message", TRUE)
    };
    let value = match call.message(message).filter(|message| !message.text.is_empty()) {
        Some(message) => Value::Message(message),
        None => call
            .message("input_text")
            .map_or_else(|| Value::text(""), Value::Message),
    };
    let status = value.to_text().into_owned();
    let branch = if taken == TRUE { "true" } else { "false" };
    let why = if last {
        format!("this was round {limit} of at most {limit}, so the default route: the {branch} branch")
    } else {
        format!(
            "{}, so the {branch} branch",
            compared(&text, &operator, &wanted, holds)
        )
    };
    Ok(Outputs::new()
        .with(taken, value)
        .stop(other)
        .status(status)
        .because(why)
        .done())
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo, Outcome};
    use serde_json::json;

    use super::*;

    fn call(fields: Json) -> Call {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        Call::new(NodeInfo::default(), fields, vec![], Context::nowhere())
    }

    fn why(call: Call) -> String {
        let Step::Now(Ok(Outcome::Done(outputs))) = IfElse.run(call) else {
            panic!("it decides at once")
        };
        outputs.why.unwrap_or_default()
    }

    #[test]
    fn says_why() {
        let ada = |wanted: &str| call(json!({ "input_text": "Ada", "match_text": wanted }));
        assert_eq!(why(ada("Ada")), r#""Ada" equals "Ada", so the true branch"#);
        assert_eq!(
            why(ada("Bob")),
            r#""Ada" does not equal "Bob", so the false branch"#
        );
        let long = call(json!({ "input_text": "x".repeat(500), "operator": "contains", "match_text": "y" }));
        assert!(why(long).contains("…\" does not contain \"y\", so the false branch"));
        let mut last = call(json!({ "input_text": "a", "match_text": "a", "max_iterations": 3 }));
        last.round = 2;
        assert_eq!(
            why(last),
            "this was round 3 of at most 3, so the default route: the false branch"
        );
    }

    fn taken(call: Call) -> (String, String, String) {
        let Step::Now(Ok(Outcome::Done(outputs))) = IfElse.run(call) else {
            panic!("it decides at once")
        };
        let (name, value) = &outputs.values[0];
        assert_eq!(outputs.values.len(), 1);
        (
            name.to_string(),
            value.to_text().into_owned(),
            outputs.stopped[0].to_string(),
        )
    }

    #[test]
    fn takes_one_branch_and_stops_the_other() {
        let (name, text, stopped) = taken(call(json!({ "input_text": "a", "match_text": "a" })));
        assert_eq!(
            (name.as_str(), text.as_str(), stopped.as_str()),
            (TRUE, "a", FALSE)
        );
        let (name, _, stopped) = taken(call(json!({ "input_text": "a", "match_text": "b" })));
        assert_eq!((name.as_str(), stopped.as_str()), (FALSE, TRUE));
    }

    #[test]
    fn case_messages_replace_the_text() {
        let fields = json!({
            "input_text": "A", "match_text": "a", "case_sensitive": false, "true_case_message": "same", "false_case_message": "",
        });
        assert_eq!(taken(call(fields)).1, "same");
        let fields = json!({ "input_text": "A", "match_text": "a", "false_case_message": "" });
        assert_eq!(taken(call(fields)).1, "A");
    }

    #[test]
    fn the_default_route_ends_a_cycle() {
        let mut call = call(json!({ "input_text": "a", "match_text": "a", "max_iterations": 3 }));
        call.round = 1;
        assert_eq!(taken(call.clone()).0, TRUE);
        call.round = 2;
        assert_eq!(taken(call).0, FALSE);
    }

    #[test]
    fn patterns_decide_about_case_themselves() {
        let mut node = IfElse.descriptor().to_node();
        IfElse.refresh(&mut node, "operator", &json!("regex")).unwrap();
        assert_eq!(node["template"]["case_sensitive"]["show"], json!(false));
        IfElse.refresh(&mut node, "operator", &json!("equals")).unwrap();
        assert_eq!(node["template"]["case_sensitive"]["show"], json!(true));
        let Step::Now(Err(failure)) = IfElse.run(call(json!({ "operator": "regex", "match_text": "(" })))
        else {
            panic!("a bad pattern is refused")
        };
        assert_eq!(failure.field.as_deref(), Some("match_text"));
    }
}
