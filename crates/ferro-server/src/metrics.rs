//! What this server counts, as Prometheus reads it.
//!
//! Things are counted where they happen, by name, with the macros of the crate `metrics`. Here is what keeps the
//! numbers, one for the whole process, and `metrics/table.rs` says what there is and what it means.

mod table;

use std::{
    collections::HashSet,
    sync::{Mutex, OnceLock, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use ferro_store::{Principal, UserId};
use metrics::{Counter, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::state::App;
use table::{Kind, METRICS, Metric, STATUSES};

/// Begins to keep numbers. What is counted earlier is lost; a second time changes nothing.
pub fn install() {
    numbers();
}

/// Sorts measured values into their buckets. They pile up until this is called or somebody reads.
pub fn upkeep() {
    numbers().run_upkeep();
}

/// Everything, in Prometheus' text format. Also looks at what is not counted but simply there.
pub async fn render(app: &App) -> String {
    static READING: Mutex<()> = Mutex::new(());
    let numbers = numbers();
    let sessions = app.store.assistant_sessions(&Principal::System).await;
    // Two servers in one process share the numbers: neither must read what the other has just looked up.
    let _reading = READING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Ok(sessions) = sessions {
        gauge!("assistant_conversation_buffer_sessions").set(sessions as f64);
    }
    gauge!("ferroflow_runs").set(app.runs.count() as f64);
    gauge!("ferroflow_assistant_turns").set(app.assistant_turns.count() as f64);
    gauge!("ferroflow_assistant_turns_limit").set(app.config.assistant.turns as f64);
    gauge!("ferroflow_runs_limit").set(app.config.max_runs as f64);
    let python = app.python.status();
    gauge!("ferroflow_python_workers", "state" => "busy").set(python.busy as f64);
    gauge!("ferroflow_python_workers", "state" => "idle").set(python.idle as f64);
    numbers.render()
}

/// Counts an answer. The counters are looked up once: a request must not pay for finding them.
pub fn answered(status: u16) {
    static CLASSES: OnceLock<[Counter; 5]> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| {
        numbers();
        STATUSES.map(|class| counter!("ferroflow_http_requests_total", "status" => class))
    });
    if let Some(class) = classes.get(usize::from(status / 100).wrapping_sub(1)) {
        class.increment(1);
    }
}

/// Whether this person lets plans and proposals through without being asked, as their panel says.
pub fn note_skip_all(user: UserId, on: bool) {
    static PEOPLE: Mutex<Option<HashSet<UserId>>> = Mutex::new(None);
    let mut people = PEOPLE.lock().unwrap_or_else(PoisonError::into_inner);
    let people = people.get_or_insert_default();
    if on {
        people.insert(user);
    } else {
        people.remove(&user);
    }
    gauge!("assistant_skip_all_enabled_count").set(people.len() as f64);
}

fn numbers() -> &'static PrometheusHandle {
    static NUMBERS: OnceLock<PrometheusHandle> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let recorder = builder().build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!(
                "something else in this process keeps the metrics already: /metrics will be empty"
            );
        }
        METRICS.iter().for_each(begin);
        gauge!("ferroflow_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        gauge!("process_start_time_seconds").set(now.as_secs_f64().round());
        handle
    })
}

fn builder() -> PrometheusBuilder {
    let bucketed = METRICS
        .iter()
        .try_fold(PrometheusBuilder::new(), |builder, metric| match metric.kind {
            Kind::Histogram(buckets) => {
                builder.set_buckets_for_metric(Matcher::Full(metric.name.to_owned()), buckets)
            }
            Kind::Counter | Kind::Gauge => Ok(builder),
        });
    // Only a list of buckets without a bucket is an error, and then summaries are better than nothing.
    bucketed.unwrap_or_default()
}

/// Says what it is, and shows it as 0 where its labels are known: an alert on something that never happened must find
/// a series to look at.
fn begin(metric: &'static Metric) {
    let Metric {
        name,
        help,
        kind,
        labels,
    } = *metric;
    match kind {
        Kind::Counter => describe_counter!(name, help),
        Kind::Gauge => describe_gauge!(name, help),
        Kind::Histogram(_) => describe_histogram!(name, help),
    }
    let mut series: Vec<Vec<metrics::Label>> = vec![Vec::new()];
    for (label, values) in labels {
        let with = |one: &Vec<metrics::Label>, value: &'static str| {
            let mut longer = one.clone();
            longer.push(metrics::Label::from_static_parts(label, value));
            longer
        };
        series = series
            .iter()
            .flat_map(|one| values.iter().map(move |value| with(one, value)))
            .collect();
    }
    for labels in series {
        match kind {
            Kind::Counter => counter!(name, labels).increment(0),
            Kind::Gauge => gauge!(name, labels).increment(0.0),
            Kind::Histogram(_) => drop(histogram!(name, labels)),
        }
    }
}
