//! Flows for tests, written down as text specs.

use std::sync::{Arc, LazyLock};

use ferro_engine::Catalog;
use ferro_model::spec::build_flow_from_spec;
use serde_json::{Value, json};

static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let net = ferro_net::Client::new(ferro_net::AddressPolicy::default()).unwrap();
    Arc::new(Catalog::new(ferro_components::all(
        &ferro_components::Shared::new(net),
    )))
});

/// The flow of a spec as `POST /flows` takes it. Node `a` of type `T` has the id `T-0000a`.
pub fn flow(spec: &str) -> Value {
    let parsed = ferro_model::spec::parse(spec).unwrap();
    let mut names = parsed
        .nodes
        .iter()
        .map(|node| format!("{:0>5}", node.id))
        .collect::<Vec<_>>()
        .into_iter();
    let mut ids = || names.next().unwrap();
    let built = build_flow_from_spec(spec, CATALOG.registry(), &mut ids);
    let built = built.unwrap_or_else(|error| panic!("{}: {}", error.error, error.details));
    let data: Value = serde_json::from_str(built.data.as_str()).unwrap();
    let name = if built.name.is_empty() {
        "Flow"
    } else {
        &built.name
    };
    json!({ "name": name, "data": data })
}

pub const ECHO: &str = "
nodes:
  in: ChatInput
  out: ChatOutput
edges:
  in.message -> out.input_value
";
