//! A flow that runs another.

use std::sync::Arc;

use ferro_engine::{Failure, FlowAnswer, FlowCall, Host, Value};
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::support::{World, begin, block_on, prepare};

/// Runs `inner` as the server would: with the same engine, one level down.
struct Flows(Arc<World>);

impl Host for Flows {
    fn run_flow(&self, call: FlowCall) -> BoxFuture<'_, Result<Vec<FlowAnswer>, Failure>> {
        Box::pin(async move {
            if call.stack.len() > 3 {
                return Err(Failure::limit("the flow would run itself"));
            }
            let text = if call.input_value == "deep" {
                "z Sub in=deep"
            } else {
                "a Wait; z Add; a.out -> z.in"
            };
            let mut given = prepare(&self.0, text);
            given.host = Arc::new(Self(Arc::clone(&self.0)));
            given.info.stack = call.stack;
            given.info.stack.push(Uuid::nil());
            let past = begin(&self.0, given).end().await;
            match past.ending.failure {
                Some(failure) => Err(failure),
                None => Ok(vec![FlowAnswer {
                    node_id: "z".to_owned(),
                    output: "out".to_owned(),
                    value: past.output("z", "out").unwrap_or(Value::Null),
                }]),
            }
        })
    }
}

#[test]
fn its_answer_is_the_nodes_output() {
    block_on(async {
        let world = World::new();
        let mut given = prepare(&world, "s Sub in=x; b Add; s.out -> b.in");
        given.host = Arc::new(Flows(world.clone()));
        let run = begin(&world, given);
        run.idle().await;
        world.release("a");
        assert_eq!(run.end().await.text("b"), "azb");
    });
}

#[test]
fn stopping_the_outer_run_stops_the_inner_one() {
    block_on(async {
        let world = World::new();
        let mut given = prepare(&world, "s Sub in=x");
        given.host = Arc::new(Flows(world.clone()));
        let run = begin(&world, given);
        run.idle().await;
        run.handle.cancel();
        run.end().await;
        crate::support::idle().await;
        assert_eq!(*world.dropped.lock().unwrap(), ["a"]);
    });
}

#[test]
fn one_that_runs_itself_is_noticed() {
    block_on(async {
        let world = World::new();
        let mut given = prepare(&world, "s Sub in=deep");
        given.host = Arc::new(Flows(world.clone()));
        let past = begin(&world, given).end().await;
        assert!(
            past.ending
                .failure
                .unwrap()
                .message
                .ends_with("the flow would run itself")
        );
    });
}
