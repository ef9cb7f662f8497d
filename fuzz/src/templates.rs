//! Any text as a template: refused with advice, or its variables are fields that fill it.

use ferro_components::prompt::{Style, set_variables, variables};
use ferro_engine::{Call, Context, Failure, NodeInfo, Outcome, Step, Value};
use serde_json::{Map, Value as Json, json};

use super::plan::CATALOG;

/// Longer ones are worked on by a thread, which needs a runtime.
const MAX: usize = 32 * 1024;

pub fn templates(text: &str) {
    if text.len() > MAX {
        return;
    }
    for style in [Style::Braces, Style::DoubleBraces] {
        prompt(text, style);
    }
    let row = json!({ "text": "t", "user": { "name": "n" }, "tags": ["a", null], "n": 2.5 });
    for wired in [Value::from_json(row.clone()), Value::from_json(json!([row, {}]))] {
        let fields = json!({ "mode": "Parser", "pattern": text, "sep": text });
        // Keys that the row does not have are refused, and so is an empty pattern; all with a way out.
        if let Some(Err(failure)) = run("ParserComponent", fields, vec![("input_data", wired)]) {
            assert!(!failure.advice.is_empty(), "{failure:?}");
        }
    }
}

fn prompt(text: &str, style: Style) {
    let double = style == Style::DoubleBraces;
    let names = match variables(text, style) {
        Ok(names) => names,
        Err(failure) => {
            assert!(
                !failure.message.is_empty() && !failure.advice.is_empty(),
                "{failure:?}"
            );
            return;
        }
    };
    let mut node = json!({ "template": { "template": { "value": text } }, "field_order": ["template"] });
    set_variables(&mut node, "template", &names);
    let once = node.clone();
    set_variables(&mut node, "template", &names);
    assert_eq!(node, once);
    assert_eq!(node["custom_fields"]["template"], json!(names));
    let mut fields = json!({ "template": text, "use_double_brackets": double });
    for name in &names {
        assert!(node["template"][name.as_str()].is_object(), "{name}");
        fields[name.as_str()] = "\u{1}".into();
    }
    let Some(filled) = run("Prompt Template", fields, Vec::new()) else {
        return;
    };
    let filled = filled.unwrap_or_else(|failure| panic!("{names:?} do not fill {text:?}: {failure:?}"));
    // Every variable stands there at least once, and nothing is lost but braces and blanks.
    assert!(filled.matches('\u{1}').count() >= names.len(), "{filled:?}");
    if names.is_empty() && !text.contains(['{', '}']) {
        assert_eq!(filled, text);
    }
    set_variables(&mut node, "template", &[]);
    assert_eq!(node["field_order"], json!(["template"]));
}

/// The text it gives; `None` when it is not done at once.
fn run(r#type: &str, fields: Json, wired: Vec<(&str, Value)>) -> Option<Result<String, Failure>> {
    let component = &CATALOG.get(r#type)?.component;
    let fields: Map<String, Json> = fields.as_object().cloned().unwrap_or_default();
    let call = Call::new(NodeInfo::default(), fields, wired, Context::nowhere());
    let Step::Now(outcome) = component.run(call) else {
        return None;
    };
    Some(outcome.map(|outcome| {
        match outcome {
            Outcome::Done(outputs) => outputs
                .values
                .first()
                .map(|(_, value)| value.to_text().into_owned())
                .unwrap_or_default(),
            _ => String::new(),
        }
    }))
}
