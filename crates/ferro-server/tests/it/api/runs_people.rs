//! What people do to a conversation while a run is still going.

use ferro_testkit::{Client, Outside, until};
use serde_json::{Value, json};

use crate::{
    site::{Site, texts},
    specs::{ECHO, flow},
};

/// Answers at once, and a second time when the request is let through.
const TWICE: &str = "
nodes:
  in: ChatInput
  first: ChatOutput
  get: APIRequest
  text: ParserComponent
  last: ChatOutput
edges:
  in.message -> first.input_value
  get.data -> text.input_data
  text.parsed_text -> last.input_value
config:
  text.mode: Stringify
";

struct Scene {
    _site: Site,
    outside: Outside,
    client: Client,
    flow: String,
    job: String,
    /// The first answer.
    answer: Value,
}

async fn messages(client: &Client, flow: &str) -> Vec<Value> {
    let path = format!("/api/v1/monitor/messages?flow_id={flow}");
    client
        .get(&path)
        .await
        .expect(200)
        .json()
        .as_array()
        .unwrap()
        .clone()
}

async fn scene() -> Scene {
    scene_of(TWICE).await
}

/// A run that has answered once and waits for its request.
async fn scene_of(spec: &str) -> Scene {
    let outside = Outside::closed().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| config.egress_allow = vec![address]).await;
    let client = site.user("ada").await.client.clone();
    let id = client.post("/api/v1/flows", &flow(spec)).await.expect(201).id();
    let tweaks = json!({ "APIRequest-00get": { "url_input": outside.url("/slow") } });
    let body = json!({ "flow_id": id, "mode": "background", "session_id": "s", "input_value": "hi", "tweaks": tweaks });
    let job = client.post("/api/v2/workflows", &body).await.expect(202).json();
    let answer = until("the first answer", || async {
        let said = messages(&client, &id).await;
        said.into_iter().find(|message| message["sender"] == "Machine")
    })
    .await;
    assert_eq!(answer["text"], "hi");
    Scene {
        job: job["job_id"].as_str().unwrap().to_owned(),
        flow: id,
        _site: site,
        outside,
        client,
        answer,
    }
}

impl Scene {
    async fn rename(&self, new: &str) {
        let path = format!(
            "/api/v1/monitor/messages/session/s?new_session_id={new}&flow_id={}",
            self.flow
        );
        self.client.call("PATCH", &path).send().await.expect(200);
    }

    async fn finish(&self) -> Vec<Value> {
        self.outside.let_through(1);
        until("the run to finish", || async {
            let path = format!("/api/v1/runs/{}", self.job);
            let run = self.client.get(&path).await.expect(200).json();
            (run["status"] == "completed").then_some(())
        })
        .await;
        messages(&self.client, &self.flow).await
    }
}

#[tokio::test]
async fn an_edit_outlives_the_end_of_the_run() {
    let scene = scene().await;
    let path = format!(
        "/api/v1/monitor/messages/{}",
        scene.answer["id"].as_str().unwrap()
    );
    let change = json!({ "text": "mine", "properties": { "positive_feedback": true } });
    scene.client.put(&path, &change).await.expect(200);
    let said = scene.finish().await;
    assert_eq!(said.len(), 3);
    let edited = said
        .iter()
        .find(|message| message["id"] == scene.answer["id"])
        .unwrap();
    assert_eq!((&edited["text"], &edited["edit"]), (&json!("mine"), &json!(true)));
    assert_eq!(edited["properties"]["positive_feedback"], true);
    assert!(
        edited["duration"].as_i64().unwrap() > 0,
        "the duration is added all the same"
    );
}

#[tokio::test]
async fn feedback_outlives_the_end_of_the_run() {
    let scene = scene().await;
    let path = format!(
        "/api/v1/monitor/messages/{}",
        scene.answer["id"].as_str().unwrap()
    );
    let change = json!({ "properties": { "positive_feedback": false } });
    scene.client.put(&path, &change).await.expect(200);
    let said = scene.finish().await;
    let rated = said
        .iter()
        .find(|message| message["id"] == scene.answer["id"])
        .unwrap();
    assert_eq!(rated["properties"]["positive_feedback"], false, "{rated}");
    assert_eq!((&rated["text"], &rated["edit"]), (&json!("hi"), &json!(false)));
}

#[tokio::test]
async fn a_deleted_answer_does_not_come_back() {
    let scene = scene().await;
    let ids = json!([scene.answer["id"]]);
    let call = scene.client.call("DELETE", "/api/v1/monitor/messages");
    call.json(&ids).send().await.expect(204);
    let said = scene.finish().await;
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().all(|message| message["id"] != scene.answer["id"]));
}

#[tokio::test]
async fn a_run_goes_on_in_its_renamed_session() {
    let scene = scene().await;
    scene.rename("renamed").await;
    let said = scene.finish().await;
    assert_eq!(texts(&json!(said), "session_id"), ["renamed"; 3]);
    let run = scene
        .client
        .get(&format!("/api/v1/runs/{}", scene.job))
        .await
        .expect(200)
        .json();
    assert_eq!(run["session_id"], "renamed");
    let sessions = format!("/api/v1/monitor/messages/sessions?flow_id={}", scene.flow);
    assert_eq!(
        scene.client.get(&sessions).await.expect(200).json(),
        json!(["renamed"])
    );
}

/// A component that reads the conversation late in a run finds it under its new name.
#[tokio::test]
async fn a_run_remembers_its_renamed_session() {
    let remembers = TWICE
        .replace("  last: ChatOutput\n", "  memory: Memory\n  last: ChatOutput\n")
        .replace(
            "  text.parsed_text -> last.input_value\n",
            "  text.parsed_text -> memory.sender\n  memory.messages_text -> last.input_value\n",
        );
    let scene = scene_of(&remembers).await;
    scene.rename("renamed").await;
    let said = scene.finish().await;
    let last = said.last().unwrap()["text"].as_str().unwrap();
    assert_eq!(last, "User: hi\nAI: hi");
}

#[tokio::test]
async fn a_fork_may_be_in_another_session() {
    let site = Site::new().await;
    let client = site.user("ada").await.client.clone();
    let id = client.post("/api/v1/flows", &flow(ECHO)).await.expect(201).id();
    let body = json!({ "input_value": "hi", "session_id": "s" });
    client.post(&format!("/api/v1/run/{id}"), &body).await.expect(200);
    let first = client.get("/api/v1/runs").await.expect(200).json()["items"][0]["id"].clone();
    let rename = format!("/api/v1/monitor/messages/session/s?new_session_id=t&flow_id={id}");
    client.call("PATCH", &rename).send().await.expect(200);
    let path = format!("/api/v1/runs/{}/fork", first.as_str().unwrap());
    for (body, session) in [(json!({}), "t"), (json!({ "session_id": "other" }), "other")] {
        let fork = client.post(&path, &body).await.expect(202).json();
        assert_eq!(
            (&fork["session_id"], &fork["parent_id"]),
            (&json!(session), &first)
        );
        let fork = fork["id"].as_str().unwrap().to_owned();
        client
            .get(&format!("/api/v1/runs/{fork}/events"))
            .await
            .expect(200);
        let said = messages(&client, &id).await;
        let of_fork = said.iter().filter(|message| message["run_id"] == json!(fork));
        let sessions: Vec<_> = of_fork.map(|message| message["session_id"].clone()).collect();
        assert_eq!(sessions, [session; 2]);
    }
}
