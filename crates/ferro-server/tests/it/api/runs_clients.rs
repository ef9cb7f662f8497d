//! Clients that go away in the middle, and the server that goes on or does not.

use ferro_testkit::{Client, Outside, until};
use serde_json::{Value, json};

use crate::{site::Site, specs::flow};

const FETCH: &str = "
nodes:
  get: APIRequest
  text: ParserComponent
  out: ChatOutput
edges:
  get.data -> text.input_data
  text.parsed_text -> out.input_value
config:
  text.mode: Stringify
";

struct Scene {
    outside: Outside,
    site: Site,
    client: Client,
    path: String,
    body: Value,
}

/// A flow whose request hangs until it is let through.
async fn scene() -> Scene {
    let outside = Outside::closed().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| config.egress_allow = vec![address]).await;
    let client = site.user("ada").await.client.clone();
    let id = client.post("/api/v1/flows", &flow(FETCH)).await.expect(201).id();
    let body = json!({ "tweaks": { "APIRequest-00get": { "url_input": outside.url("/slow") } } });
    Scene {
        path: format!("/api/v1/run/{id}"),
        outside,
        site,
        client,
        body,
    }
}

impl Scene {
    /// Asks, and hangs up once the flow's own request has gone out.
    async fn ask_and_hang_up(&self, query: &str) {
        let call = self
            .client
            .call("POST", &format!("{}{query}", self.path))
            .json(&self.body);
        let asked = tokio::spawn(async move { call.try_send().await.is_ok() });
        until("the flow's request", || async {
            (!self.outside.calls().is_empty()).then_some(())
        })
        .await;
        asked.abort();
        assert!(
            asked.await.is_err(),
            "the answer came although nobody was let through"
        );
    }
}

#[tokio::test]
async fn a_throw_away_run_stops_with_its_client() {
    for query in ["?durable=false", "?durable=false&stream=true"] {
        let scene = scene().await;
        scene.ask_and_hang_up(query).await;
        until("the run to stop", || async {
            (scene.site.app.runs.count() == 0).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_durable_run_goes_on_without_its_client() {
    for query in ["", "?stream=true"] {
        let scene = scene().await;
        scene.ask_and_hang_up(query).await;
        scene.outside.let_through(1);
        until("the run to finish", || async {
            let runs = scene.client.get("/api/v1/runs").await.expect(200).json();
            (runs["items"][0]["status"] == "completed").then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn as_many_runs_as_may_be_and_no_more() {
    let outside = Outside::closed().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| {
        config.egress_allow = vec![address];
        config.max_runs = 1;
    })
    .await;
    let client = site.user("ada").await.client.clone();
    let fetch = client.post("/api/v1/flows", &flow(FETCH)).await.expect(201).id();
    let tweaks = json!({ "APIRequest-00get": { "url_input": outside.url("/slow") } });
    let body = json!({ "flow_id": fetch, "mode": "background", "tweaks": tweaks });
    client.post("/api/v2/workflows", &body).await.expect(202);
    let refused = client.post("/api/v2/workflows", &body).await;
    assert_eq!(refused.header("retry-after"), "1");
    refused.refused(503, "busy");
    outside.let_through(2);
    until("a place to be free", || async {
        (client.post("/api/v2/workflows", &body).await.status == 202).then_some(())
    })
    .await;
}

/// A person may take days: what waits for one takes nobody's place.
#[tokio::test]
async fn a_run_that_waits_for_a_person_keeps_no_place() {
    let site = Site::with(|config| config.max_runs = 1).await;
    let client = site.user("ada").await.client.clone();
    let asks =
        flow("nodes:\n ask: HumanInput\n out: ChatOutput\nedges:\n ask.branch_approve -> out.input_value");
    let asks = client.post("/api/v1/flows", &asks).await.expect(201).id();
    let echo = client
        .post("/api/v1/flows", &flow(crate::specs::ECHO))
        .await
        .expect(201)
        .id();
    let body = json!({ "flow_id": asks, "mode": "background" });
    client.post("/api/v2/workflows", &body).await.expect(202);
    until("the question", || async {
        let runs = client.get("/api/v1/runs?status=waiting").await.expect(200).json();
        (runs["total"] == 1).then_some(())
    })
    .await;
    client
        .post(&format!("/api/v1/run/{echo}"), &json!({ "input_value": "x" }))
        .await
        .expect(200);
}
