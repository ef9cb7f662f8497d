//! What is written to a log can be read back without loss.

use std::sync::Arc;

use ferro_engine::{
    At, Body, Cause, Event, Failure, Kept, Message, ModelCall, NodeResult, Outputs, Question, RunStatus,
    Skipped, Table, Ulid, Usage, Value,
};
use proptest::prelude::*;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        (-1e12..1e12_f64).prop_map(Json::from),
        "\\PC{0,8}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map("\\PC{0,6}", inner, 0..4)
                .prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

fn map() -> impl Strategy<Value = Map<String, Json>> {
    prop::collection::btree_map("\\PC{0,6}", json(), 0..4).prop_map(|map| map.into_iter().collect())
}

fn value() -> impl Strategy<Value = Value> {
    let message =
        ("\\PC{0,12}", map(), any::<bool>(), any::<i64>()).prop_map(|(text, data, error, timestamp)| {
            Value::Message(Arc::new(Message {
                id: Some(Uuid::from_u128(7)),
                error,
                timestamp,
                usage: error.then(Usage::default),
                data: data.clone(),
                properties: data,
                files: vec![text.clone()],
                ..Message::text(text)
            }))
        });
    let leaf = prop_oneof![
        Just(Value::Null),
        message,
        map().prop_map(Value::data),
        json().prop_map(|json| Value::Plain(Arc::new(json))),
        prop::collection::vec(map(), 0..4).prop_map(|rows| Value::table(Table::from_rows(rows))),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop::collection::vec(inner, 0..3).prop_map(|items| Value::List(items.into()))
    })
}

fn body() -> impl Strategy<Value = Body> {
    let at = ("[a-z]{1,4}", prop::collection::vec(any::<u32>(), 0..3)).prop_map(|(node, rounds)| At {
        node: node.into(),
        rounds,
    });
    let values = prop::collection::btree_map("[a-z]{1,5}", value(), 0..3);
    let result = (
        values,
        prop::option::of(prop::collection::vec(value(), 0..3)),
        prop::option::of(json()),
        any::<bool>(),
    );
    let finished = (at.clone(), result).prop_map(|(at, (values, each, status, reused))| Body::NodeFinished {
        at,
        result: NodeResult {
            outputs: Outputs {
                values: values
                    .into_iter()
                    .map(|(name, value)| (name.into(), value))
                    .collect(),
                stopped: vec!["left".into()],
                // An explicit null is the same as none.
                status: status.filter(|status| !status.is_null()),
                usage: reused.then(Usage::default),
                why: reused.then(|| "because".to_owned()),
            },
            inactivated: vec!["n".into()],
            duration_us: 3,
            reused,
            each,
            ..NodeResult::default()
        },
    });
    let failure = "\\PC{0,12}".prop_map(|text| {
        Failure::new(Cause::Outside, text.clone())
            .advice(text.clone())
            .detail(text)
    });
    prop_oneof![
        finished,
        (at.clone(), any::<u32>()).prop_map(|(at, attempt)| Body::NodeStarted { at, attempt }),
        at.clone().prop_map(|at| Body::EffectStarted { at }),
        (at.clone(), failure.clone()).prop_map(|(at, failure)| Body::NodeFailed {
            at,
            failure,
            duration_us: 1,
            usage: Some(Usage::default()),
        }),
        at.clone().prop_map(|at| Body::VariableRead {
            at,
            field: None,
            name: "NAME".to_owned(),
            value: Some(Kept::new("value".to_owned(), 3)),
        }),
        (at.clone(), "\\PC{0,12}").prop_map(|(at, text)| Body::ModelCalled {
            at,
            call: Box::new(ModelCall {
                request: Kept::new(text.clone(), 4),
                answer: Kept::new(text, 100),
                usage: Some(Usage::default()),
                ..ModelCall::default()
            }),
        }),
        at.clone().prop_map(|at| Body::NodeSkipped {
            at,
            why: Skipped::Blocked
        }),
        (at.clone(), any::<u32>(), any::<Option<u32>>()).prop_map(|(at, round, of)| Body::RoundStarted {
            at,
            round,
            of
        }),
        (at, json()).prop_map(|(at, option)| Body::Asked {
            at,
            request_id: Uuid::from_u128(9),
            question: Question {
                state: Some(option.clone()).filter(|state| !state.is_null()),
                options: vec![option],
                ..Question::default()
            },
        }),
        json().prop_map(|message| Body::Log {
            node: "n".into(),
            name: "l".into(),
            message
        }),
        prop::option::of(failure).prop_map(|failure| Body::RunEnded {
            status: RunStatus::Failed,
            failure,
            duration_us: 1,
            usage: None
        }),
        Just(Body::CancelRequested),
        Just(Body::Resumed),
    ]
}

#[test]
fn figures_that_nobody_gave_are_left_out() {
    let usage = Usage {
        input_tokens: 1,
        ..Usage::default()
    };
    let text = serde_json::to_string(&usage).unwrap();
    assert_eq!(text, r#"{"input_tokens":1,"output_tokens":0,"total_tokens":0}"#);
    assert_eq!(serde_json::from_str::<Usage>(&text).unwrap(), usage);
}

#[test]
fn figures_are_added_up_and_never_overflow() {
    let some = Usage {
        input_tokens: u64::MAX,
        output_tokens: 1,
        total_tokens: u64::MAX,
        cached_tokens: 2,
        reasoning_tokens: 3,
        cost_nanousd: u64::MAX - 1,
    };
    let mut sum = some;
    sum += some;
    let expected = Usage {
        output_tokens: 2,
        cached_tokens: 4,
        reasoning_tokens: 6,
        cost_nanousd: u64::MAX,
        ..some
    };
    assert_eq!(sum, expected);
    let text = serde_json::to_string(&sum).unwrap();
    assert_eq!(serde_json::from_str::<Usage>(&text).unwrap(), sum);
}

proptest! {
    #[test]
    fn any_event_reads_back(body in body(), seq in any::<u64>(), id in 0..u128::MAX >> 1, at in any::<i64>()) {
        let event = Event { seq, id: Ulid(id), at, body };
        let text = serde_json::to_string(&event).unwrap();
        let read: Event = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(format!("{read:?}"), format!("{event:?}"));
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }

    #[test]
    fn damaged_text_is_refused_without_a_panic(text in "\\PC{0,40}", cut in 0..200_usize) {
        let _ = serde_json::from_str::<Event>(&text);
        let event = Event { seq: 1, id: Ulid(1), at: 1, body: Body::NodeFinished { at: At { node: "a".into(), rounds: vec![1] }, result: NodeResult::default() } };
        let good = serde_json::to_string(&event).unwrap();
        let _ = serde_json::from_str::<Event>(good.get(..cut.min(good.len())).unwrap_or_default());
        let _ = Value::from_record(serde_json::from_str(&text).unwrap_or_default());
    }
}
