//! Logs as they were and as they are, and the steps they tell.

use serde_json::json;

use super::*;
use crate::api::wire::script;

fn told(events: &[Event], scope: Scope<'_>) -> Told {
    let (meta, none) = (script::meta(), Overrides::default());
    let given = Given {
        input: None,
        to_chat: true,
        files: &[],
        webhook: None,
    };
    let about = About {
        plan: None,
        meta: &meta,
        tweaks: &none,
        overrides: &none,
        given,
    };
    let mut steps = Steps::new(about, scope);
    for event in events {
        steps.take(event);
    }
    steps.told()
}

fn all(bodies: &[&str]) -> Vec<Step> {
    let scope = Scope::All {
        bytes: 100,
        steps: 100,
    };
    told(&script::events(bodies), scope).steps
}

const BEGINNING: [&str; 3] = [
    r#"{"type":"planned","nodes":["Router-1","Model-1","ChatOutput-1"],"first":["Router-1"]}"#,
    r#"{"type":"node_started","node":"Router-1","attempt":1}"#,
    r#"{"type":"node_finished","node":"Router-1","result":{"values":{"yes":{"plain":"hi"}},"stopped":["no"],"inactivated":["ChatOutput-1"],"duration_us":1}}"#,
];

#[test]
fn a_log_from_before_reasons_were_kept_is_still_read() {
    let mut bodies = BEGINNING.to_vec();
    bodies.push(r#"{"type":"node_skipped","node":"ChatOutput-1","why":"inactive"}"#);
    let steps = all(&bodies);
    let states: Vec<_> = steps
        .iter()
        .map(|step| (step.node.as_str(), step.state))
        .collect();
    assert_eq!(
        states,
        [
            ("Router-1", State::Done),
            ("ChatOutput-1", State::Skipped),
            ("Model-1", State::Queued)
        ]
    );
    assert_eq!(steps[0].why, None);
    assert_eq!(steps[0].outputs[0].shown.value, json!("hi"));
    assert_eq!(steps[1].why.as_deref(), Some("Router took another branch"));
}

#[test]
fn times_count_from_the_first_event() {
    let steps = all(&BEGINNING);
    assert_eq!(
        (steps[0].started_ms, steps[0].finished_ms),
        (Some(1000.0), Some(2000.0))
    );
    assert_eq!((steps[1].started_ms, steps[1].finished_ms), (None, None));
}

#[test]
fn calls_variables_and_lost_tokens_are_the_steps_own() {
    let steps = all(&[
        r#"{"type":"node_started","node":"Model-1","attempt":1}"#,
        r#"{"type":"variable_read","node":"Model-1","name":"KEY"}"#,
        r#"{"type":"variable_read","node":"Model-1","field":"url","name":"URL","value":{"text":"http://a","bytes":8}}"#,
        r#"{"type":"model_called","node":"Model-1","call":{"provider":"P","model":"m","began":1800000000500000,"duration_us":2500,"request":{"text":"{\"a\":1}","bytes":7},"answer":{"text":"hi","bytes":2}}}"#,
        r#"{"type":"node_failed","node":"Model-1","failure":{"cause":"outside","message":"no","advice":"","detail":"503"},"duration_us":9,"usage":{"input_tokens":4,"output_tokens":5,"total_tokens":9,"cost_nanousd":7}}"#,
        r#"{"type":"run_ended","status":"failed","duration_us":10}"#,
    ]);
    let step = &steps[0];
    let inputs: Vec<_> = step
        .inputs
        .iter()
        .map(|input| (input.field.as_str(), input.source, input.shown.value.clone()))
        .collect();
    assert_eq!(
        inputs,
        [
            ("KEY", Source::Variable, json!(null)),
            ("url", Source::Variable, json!("http://a"))
        ]
    );
    let call = &step.calls[0];
    assert_eq!((call.started_ms, call.finished_ms), (500.0, 502.5));
    assert_eq!(call.request.value, json!({ "a": 1 }));
    assert_eq!(step.state, State::Failed);
    assert_eq!(step.usage.map(|usage| usage.cost_nanousd), Some(7));
    assert_eq!(
        step.error.as_ref().map(|error| error.detail.as_str()),
        Some("503")
    );
}

#[test]
fn what_was_running_when_the_run_was_stopped_is_cancelled_not_failed() {
    let steps = all(&[
        r#"{"type":"node_started","node":"Model-1","attempt":1}"#,
        r#"{"type":"cancel_requested"}"#,
        r#"{"type":"node_failed","node":"Model-1","failure":{"cause":"cancelled","message":"the run was stopped"},"duration_us":0}"#,
        r#"{"type":"node_skipped","node":"ChatOutput-1","why":"cancelled"}"#,
    ]);
    assert_eq!(
        (steps[0].state, steps[1].state),
        (State::Cancelled, State::Cancelled)
    );
}

#[test]
fn a_long_loop_is_cut_and_counted() {
    let rounds: Vec<String> = (0..5)
        .map(|round| format!(r#"{{"type":"node_started","node":"Model-1","rounds":[{round}],"attempt":1}}"#))
        .collect();
    let bodies: Vec<&str> = rounds.iter().map(String::as_str).collect();
    let scope = Scope::All { bytes: 100, steps: 3 };
    let told = told(&script::events(&bodies), scope);
    let rounds: Vec<_> = told.steps.iter().map(|step| step.iteration.as_deref()).collect();
    assert_eq!(rounds, [Some("1"), Some("2"), Some("3")]);
    assert_eq!(told.left_out, 2);
}

#[test]
fn everything_that_can_happen_makes_steps() {
    let scope = Scope::One {
        node: "Model-1",
        bytes: 100,
    };
    let told = told(&script::everything(), scope);
    assert!(told.steps.iter().all(|step| step.node == "Model-1"));
    assert!(told.began.is_some());
}
