//! What the scenarios share: a text form of flows, fake components, and a text form of what happened.

mod fakes;
mod flow;
mod log;
mod own_code;
pub mod random;
mod trace;
mod world;

pub use flow::flow;
pub use log::MemoryLog;
pub use trace::trace;
pub use world::World;

use std::sync::Arc;

use expect_test::Expect;
use ferro_engine::{
    Ending, Event, Followed, Handle, Host, Limits, NoHost, Overrides, Plan, RunInfo, Selection, Start, Value,
    start,
};
use tokio_util::task::AbortOnDropHandle;

/// A run under way in a test.
pub struct Run {
    pub handle: Handle,
    ending: AbortOnDropHandle<Ending>,
    reader: AbortOnDropHandle<Vec<Event>>,
}

/// How a run went.
pub struct Past {
    pub ending: Ending,
    pub events: Vec<Event>,
}

impl Past {
    pub fn trace(&self) -> String {
        trace(&self.events)
    }

    /// The last value a node put out.
    pub fn output(&self, node: &str, output: &str) -> Option<Value> {
        self.events.iter().rev().find_map(|event| match &event.body {
            ferro_engine::Body::NodeFinished { at, result } if *at.node == *node => {
                result.outputs.get(output).cloned()
            }
            _ => None,
        })
    }

    pub fn text(&self, node: &str) -> String {
        self.output(node, "out")
            .map(|value| value.to_text().into_owned())
            .unwrap_or_else(|| "-".to_owned())
    }
}

/// Everything a run is given, ready to be changed.
pub fn prepare(world: &Arc<World>, text: &str) -> Start {
    let plan = Plan::new(&flow(text), &world.catalog(), &Selection::Whole).expect("the flow can be planned");
    start_of(Arc::new(plan))
}

pub fn start_of(plan: Arc<Plan>) -> Start {
    Start {
        plan,
        info: RunInfo::default(),
        overrides: Overrides::default(),
        host: Arc::new(NoHost) as Arc<dyn Host>,
        log: None,
        limits: Limits::default(),
        seeds: std::collections::HashMap::new(),
        history: Vec::new(),
    }
}

/// Begins a run and reads along.
pub fn begin(_world: &Arc<World>, given: Start) -> Run {
    let seq = given.history.last().map_or(0, |event| event.seq);
    let (handle, run) = start(given);
    let mut follower = handle.follow(seq);
    Run {
        handle,
        ending: AbortOnDropHandle::new(tokio::spawn(run)),
        reader: AbortOnDropHandle::new(tokio::spawn(async move {
            let mut events = Vec::new();
            loop {
                match follower.next().await {
                    Followed::Events(more) => events.extend(more.iter().map(|event| (**event).clone())),
                    Followed::Behind(_) => panic!("a reader that keeps up is never behind"),
                    Followed::End => return events,
                }
            }
        })),
    }
}

impl Run {
    pub async fn end(self) -> Past {
        let ending = self.ending.await.expect("the run does not panic");
        Past {
            ending,
            events: self.reader.await.expect("the reader does not panic"),
        }
    }

    pub fn is_over(&self) -> bool {
        self.ending.is_finished()
    }

    /// Until nothing can go on without the test.
    pub async fn idle(&self) {
        idle().await;
    }
}

/// Until nothing can go on without the test: the clock stands still, so this returns when everything waits.
pub async fn idle() {
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
}

pub async fn run(text: &str) -> Past {
    let world = World::new();
    begin(&world, prepare(&world, text)).end().await
}

/// Runs a flow and compares what happened, line by line.
pub fn check(text: &str, expect: Expect) {
    block_on(async {
        let past = run(text).await;
        assert_eq!(
            past.ending.failure.is_some(),
            past.trace().contains("ended failed")
        );
        expect.assert_eq(&past.trace());
    });
}

pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}
