//! What is counted of a turn.

use std::collections::BTreeMap;
use std::future::Future as _;
use std::sync::{Arc, Mutex};

use ferro_assistant::{Turn, assist};
use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};
use serde_json::json;

use crate::fake::{Script, World, all, calls, chatbot, fails, intent, pending, says};
use crate::paths::build;

/// Sums of counters and numbers of records, by name with labels.
#[derive(Clone, Default)]
struct Book(Arc<Mutex<BTreeMap<String, u64>>>);

struct Line(Book, String);

impl Line {
    fn add(&self, value: u64) {
        *self.0.0.lock().unwrap().entry(self.1.clone()).or_default() += value;
    }
}

impl CounterFn for Line {
    fn increment(&self, value: u64) {
        self.add(value);
    }
    fn absolute(&self, _value: u64) {}
}

impl HistogramFn for Line {
    fn record(&self, _value: f64) {
        self.add(1);
    }
}

impl Book {
    fn line(&self, key: &Key) -> Arc<Line> {
        let labels: String = key
            .labels()
            .map(|label| format!(" {}={}", label.key(), label.value()))
            .collect();
        Arc::new(Line(self.clone(), format!("{}{labels}", key.name())))
    }
}

impl Recorder for Book {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.line(key))
    }
    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }
    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.line(key))
    }
}

/// Works through a turn, or drops it where it waits, and gives what was counted.
fn counted(turn: Turn, drop_it: bool) -> BTreeMap<String, u64> {
    let book = Book::default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    metrics::with_local_recorder(&book, || {
        runtime.block_on(async {
            if drop_it {
                let (sender, _receiver) = tokio::sync::mpsc::unbounded_channel();
                let mut turn = Box::pin(assist(turn, sender));
                let first =
                    std::future::poll_fn(|context| std::task::Poll::Ready(turn.as_mut().poll(context))).await;
                assert!(first.is_pending());
            } else {
                all(turn).await;
            }
        });
    });
    std::mem::take(&mut *book.0.lock().unwrap())
}

fn assert_counts(lines: &BTreeMap<String, u64>, expected: &[(&str, u64)]) {
    for (name, count) in expected {
        assert_eq!(
            lines.get(*name).copied().unwrap_or_default(),
            *count,
            "{name} in {lines:#?}"
        );
    }
}

#[test]
fn a_turn_that_built_a_flow() {
    let tail = json!({"component_type": "Prompt Template"}).to_string();
    let script = Script::new([
        intent("build_flow"),
        calls(&[("build_flow", &build())]),
        calls(&[("add_component", &tail)]),
        says("Here it is."),
    ]);
    let lines = counted(World::new().turn(script.choice(), "Build a chatbot"), false);
    assert_counts(
        &lines,
        &[
            ("assistant_requests_total", 1),
            ("assistant_requests_by_intent intent=build_flow", 1),
            ("assistant_intent_build_flow_total", 1),
            ("assistant_provider_usage provider=OpenAI", 1),
            ("assistant_generation_duration_seconds", 1),
            ("assistant_flow_proposal_ready_total", 1),
            ("assistant_flow_tail_update_buffered_total", 1),
            ("assistant_build_tasks_per_message", 1),
            ("assistant_cancellations_total", 0),
            ("assistant_plan_proposal_total", 0),
        ],
    );
}

#[test]
fn a_plan_a_failure_and_a_turn_that_was_dropped() {
    let plan = json!({"plan": "# Plan"}).to_string();
    let script = Script::new([
        intent("build_flow"),
        calls(&[("propose_plan", &plan)]),
        says("Well?"),
    ]);
    let lines = counted(World::new().turn(script.choice(), "Build something big"), false);
    assert_counts(
        &lines,
        &[
            ("assistant_plan_proposal_total", 1),
            ("assistant_flow_proposal_ready_total", 0),
        ],
    );

    let error = ferro_llm::LlmError::new(ferro_llm::Class::RateLimit, "no");
    let script = Script::new([intent("question"), fails(error)]);
    let lines = counted(World::new().turn(script.choice(), "Why?"), false);
    assert_counts(
        &lines,
        &[
            ("assistant_errors_total type=rate_limit", 1),
            ("assistant_generation_duration_seconds", 1),
        ],
    );

    let script = Script::new([pending()]);
    let lines = counted(World::new().turn_on(chatbot(), script.choice(), "Why?"), true);
    assert_counts(
        &lines,
        &[
            ("assistant_requests_total", 1),
            ("assistant_cancellations_total", 1),
            ("assistant_generation_duration_seconds", 0),
        ],
    );
}
