//! Running one component outside of a flow.

use std::sync::{Arc, Mutex};

use ferro_components::{Shared, all};
use ferro_engine::{
    Body, Call, Component, Context, Failure, Host, NodeInfo, Outcome, Outputs, RunInfo, Sink, Step, WriteMode,
};
use ferro_net::{AddressPolicy, Client};
use futures_util::future::BoxFuture;
use serde_json::Value as Json;

use crate::server::Server;

/// Every component, on a client that may reach these servers and nothing else on this machine.
pub fn components(servers: &[&Server]) -> Vec<Arc<dyn Component>> {
    let mut policy = AddressPolicy::default();
    for server in servers {
        policy = policy.allow(server.address.to_string().parse().unwrap());
    }
    all(&Shared::new(Client::new(policy).unwrap()))
}

pub fn component(servers: &[&Server], r#type: &str) -> Arc<dyn Component> {
    let all = components(servers);
    all.into_iter()
        .find(|component| component.descriptor().r#type == r#type)
        .unwrap()
}

/// Keeps files that are written and counts effects.
#[derive(Default)]
pub struct Desk {
    pub files: Mutex<Vec<(String, Vec<u8>)>>,
    pub effects: Mutex<usize>,
}

impl Host for Desk {
    fn write_file<'a>(
        &'a self,
        name: &'a str,
        bytes: Vec<u8>,
        _: WriteMode,
    ) -> BoxFuture<'a, Result<String, Failure>> {
        self.files.lock().unwrap().push((name.to_owned(), bytes));
        Box::pin(async move { Ok(format!("mine/{name}")) })
    }
}

impl Sink for Desk {
    fn emit(&self, _: Body) {}
    fn settle(&self, body: Body) -> BoxFuture<'_, Result<(), Failure>> {
        assert!(matches!(body, Body::EffectStarted { .. }));
        *self.effects.lock().unwrap() += 1;
        Box::pin(async { Ok(()) })
    }
}

pub fn call(desk: &Arc<Desk>, fields: Json) -> Call {
    let Json::Object(fields) = fields else {
        panic!("fields are an object")
    };
    let host = Arc::clone(desk) as Arc<dyn Host>;
    let cx = Context::heard(RunInfo::default(), host, Arc::clone(desk) as Arc<dyn Sink>);
    Call::new(NodeInfo::default(), fields, vec![], cx)
}

pub async fn run_call(component: &Arc<dyn Component>, call: Call) -> Result<Outputs, Failure> {
    let outcome = match component.run(call) {
        Step::Now(outcome) => outcome,
        Step::Later(work) => work.await,
    };
    match outcome? {
        Outcome::Done(outputs) => Ok(outputs),
        other => panic!("{other:?}"),
    }
}

pub async fn run(component: &Arc<dyn Component>, fields: Json) -> Result<Outputs, Failure> {
    run_call(component, call(&Arc::default(), fields)).await
}
