//! Looking into a run: where values came from, what models were asked, which branch was taken and why.

use ferro_testkit::{Client, ModelServer, Turn, until};
use serde_json::{Value, json};

use crate::{
    site::{PASSWORD, Site},
    specs::{ECHO, flow},
};

const BRANCH: &str = "
nodes:
  in: ChatInput
  if: ConditionalRouter
  yes: ChatOutput
  no: ChatOutput
edges:
  in.message -> if.input_text
  if.true_result -> yes.input_value
  if.false_result -> no.input_value
";

const MODEL: &str = "
nodes:
  in: ChatInput
  llm: LanguageModelComponent
  out: ChatOutput
edges:
  in.message -> llm.input_value
  llm.text_output -> out.input_value
config:
  llm.system_message: Be brief.
";

const GUARDED: &str = "
nodes:
  in: ChatInput
  guard: GuardrailValidator
  out: ChatOutput
edges:
  in.message -> guard.input_text
  guard.pass_result -> out.input_value
";

struct World {
    site: Site,
    models: ModelServer,
    client: Client,
}

impl World {
    async fn new() -> Self {
        let models = ModelServer::start().await;
        let address = models.address().to_string();
        let site = Site::with(move |config| config.egress_allow = vec![address]).await;
        let client = site.user("ada").await.client;
        let world = Self { site, models, client };
        world
            .variable("OPENAI_API_KEY", "sk-open-sesame", "Credential")
            .await;
        let url = format!("{}/v1", world.models.url());
        world.variable("OPENAI_BASE_URL", &url, "Generic").await;
        world
    }

    async fn variable(&self, name: &str, value: &str, kind: &str) {
        let body = json!({ "name": name, "value": value, "type": kind });
        self.client.post("/api/v1/variables", &body).await.expect(201);
    }

    async fn save(&self, mut flow: Value) -> String {
        for node in flow["data"]["nodes"].as_array_mut().unwrap() {
            if let Some(field) = node.pointer_mut("/data/node/template/model") {
                field["value"] = json!([{ "provider": "OpenAI", "name": "gpt-4o" }]);
            }
        }
        self.client.post("/api/v1/flows", &flow).await.expect(201).id()
    }

    /// Runs it, well or not, and gives the run's id.
    async fn run(&self, id: &str, query: &str, body: &Value) -> String {
        self.client.post(&format!("/api/v1/run/{id}{query}"), body).await;
        let path = format!("/api/v1/runs?flow_id={id}");
        let runs = self.client.get(&path).await.expect(200).json();
        runs["items"][0]["id"].as_str().unwrap().to_owned()
    }

    async fn detail(&self, run: &str) -> Value {
        let path = format!("/api/v1/runs/{run}/detail");
        self.client.get(&path).await.expect(200).json()
    }
}

/// Sets members of one field of a node.
fn set(flow: &mut Value, node: &str, field: &str, members: &Value) {
    let nodes = flow["data"]["nodes"].as_array_mut().unwrap();
    let node = nodes.iter_mut().find(|known| known["id"] == node).unwrap();
    for (name, value) in members.as_object().unwrap() {
        node["data"]["node"]["template"][field][name] = value.clone();
    }
}

fn step<'a>(detail: &'a Value, node: &str) -> &'a Value {
    let steps = detail["steps"].as_array().unwrap();
    let found = steps.iter().find(|step| step["node"] == node);
    found.unwrap_or_else(|| panic!("no step {node} in {detail:#}"))
}

/// `[source, from, kind, value]` of an input.
fn input(step: &Value, field: &str) -> Value {
    let inputs = step["inputs"].as_array().unwrap();
    let found = inputs.iter().find(|input| input["field"] == field);
    let found = found.unwrap_or_else(|| panic!("no input {field} in {step:#}"));
    json!([
        found["source"],
        found["from"],
        found["shown"]["kind"],
        found["shown"]["value"]
    ])
}

#[tokio::test]
async fn a_branch_tells_which_way_and_why_and_where_its_values_came_from() {
    let world = World::new().await;
    world.variable("WANTED", "yes", "Generic").await;
    let mut flow = flow(BRANCH);
    let router = "ConditionalRouter-000if";
    let wanted = json!({ "value": "WANTED", "load_from_db": true });
    set(&mut flow, router, "match_text", &wanted);
    set(&mut flow, router, "max_iterations", &json!({ "value": 5 }));
    let id = world.save(flow).await;
    let body = json!({ "input_value": "Yes", "tweaks": { router: { "case_sensitive": false } } });
    let run = world.run(&id, "", &body).await;
    let detail = world.detail(&run).await;

    assert_eq!(detail["input"], "Yes");
    assert_eq!(detail["run"]["status"], "completed");
    assert_eq!(detail["run"]["cost_nanousd"], Value::Null, "no model was asked");
    let chat = step(&detail, "ChatInput-000in");
    assert_eq!(input(chat, "input_value"), json!(["input", null, "text", "Yes"]));
    let decided = step(&detail, router);
    assert_eq!(decided["type"], "ConditionalRouter");
    assert_eq!(decided["state"], "done");
    assert_eq!(
        input(decided, "input_text"),
        json!(["wire", "ChatInput-000in.message", "text", "Yes"])
    );
    assert_eq!(
        input(decided, "match_text"),
        json!(["variable", "WANTED", "text", "yes"])
    );
    assert_eq!(
        input(decided, "case_sensitive"),
        json!(["tweak", null, "json", false])
    );
    assert_eq!(
        input(decided, "max_iterations"),
        json!(["literal", null, "json", 5])
    );
    assert_eq!(
        input(decided, "operator"),
        json!(["default", null, "text", "equals"])
    );
    let why = r#""Yes" equals "yes", so the true branch"#;
    assert_eq!(decided["why"], why);
    assert_eq!(decided["outputs"][0]["name"], "true_result");
    assert_eq!(decided["outputs"][0]["shown"]["value"], "Yes");
    let (began, ended) = (&decided["started_ms"], &decided["finished_ms"]);
    assert!(began.as_f64().unwrap() <= ended.as_f64().unwrap(), "{decided}");
    let other = step(&detail, "ChatOutput-000no");
    assert_eq!(other["state"], "skipped");
    assert_eq!(other["why"], format!("If-Else took another branch: {why}"));
    assert_eq!(step(&detail, "ChatOutput-00yes")["state"], "done");
}

#[tokio::test]
async fn what_a_model_was_asked_is_kept_where_somebody_asked_for_it() {
    let world = World::new().await;
    world.models.always(Turn::text("Hello, friend").usage(1000, 100));
    let id = world.save(flow(MODEL)).await;
    let run = world
        .run(&id, "?record=true", &json!({ "input_value": "hi" }))
        .await;
    let detail = world.detail(&run).await;
    assert_eq!(detail["records_calls"], true);
    let asked = step(&detail, "LanguageModelComponent-00llm");
    let call = &asked["calls"][0];
    assert_eq!(
        (&call["provider"], &call["model"]),
        (&json!("OpenAI"), &json!("gpt-4o"))
    );
    let sent = world.models.requests().pop().unwrap();
    assert_eq!(call["request"]["value"], sent.body, "exactly what was sent");
    assert_eq!(call["response"]["value"], "Hello, friend");
    assert_eq!(call["error"], Value::Null);
    assert!(call["finished_ms"].as_f64() >= call["started_ms"].as_f64());
    assert_eq!(asked["usage"]["input_tokens"], 1000);
    let cost = asked["usage"]["cost_nanousd"].as_u64().unwrap();
    assert!(cost > 0, "gpt-4o has a price: {asked}");
    assert_eq!(detail["run"]["cost_nanousd"], cost);
    assert_eq!(
        input(asked, "OPENAI_API_KEY"),
        json!(["variable", "OPENAI_API_KEY", "secret", null])
    );
    assert!(!detail.to_string().contains("sesame"), "{detail}");
    let traces = format!("/api/v1/monitor/traces?flow_id={id}");
    let traces = world.client.get(&traces).await.expect(200).json();
    assert!(
        traces.to_string().contains(&format!("\"cost_nanousd\":{cost}")),
        "{traces}"
    );

    // A program did not ask for it, and pays nothing.
    let run = world.run(&id, "", &json!({ "input_value": "hi" })).await;
    let detail = world.detail(&run).await;
    assert_eq!(detail["records_calls"], false);
    assert_eq!(step(&detail, "LanguageModelComponent-00llm")["calls"], json!([]));
    assert_eq!(detail["run"]["cost_nanousd"], cost);
}

#[tokio::test]
async fn a_person_at_the_page_need_not_ask() {
    let site = Site::new().await;
    site.user_with_password("ada").await;
    let signed_in = site.nobody().login("ada", PASSWORD).await.expect(200);
    let page = site
        .nobody()
        .with_cookie(&signed_in.cookie())
        .with("sec-fetch-site", "same-origin");
    let id = page.post("/api/v1/flows", &flow(ECHO)).await.expect(201).id();
    let body = json!({ "input_value": "hi" });
    page.post(&format!("/api/v1/run/{id}"), &body).await.expect(200);
    let runs = page.get("/api/v1/runs").await.expect(200).json();
    let run = runs["items"][0]["id"].as_str().unwrap();
    let detail = page
        .get(&format!("/api/v1/runs/{run}/detail"))
        .await
        .expect(200)
        .json();
    assert_eq!(detail["records_calls"], true);
}

#[tokio::test]
async fn tokens_count_even_when_the_node_fails_after_them() {
    let world = World::new().await;
    world.models.push(Turn::text("NO").usage(40, 2));
    world.models.push(Turn::status(
        401,
        json!({ "error": { "message": "no such key" } }),
    ));
    let mut guarded = flow(GUARDED);
    let two = json!({ "value": ["PII", "Jailbreak"] });
    set(
        &mut guarded,
        "GuardrailValidator-guard",
        "enabled_guardrails",
        &two,
    );
    let id = world.save(guarded).await;
    let run = world
        .run(&id, "?record=true", &json!({ "input_value": "hi" }))
        .await;
    let detail = world.detail(&run).await;
    assert_eq!(detail["run"]["status"], "failed");
    assert_eq!(detail["run"]["input_tokens"], 40, "{detail:#}");
    let guard = step(&detail, "GuardrailValidator-guard");
    assert_eq!(guard["state"], "failed");
    assert_eq!(guard["usage"]["output_tokens"], 2);
    assert!(!guard["error"]["message"].as_str().unwrap().is_empty());
    assert_eq!(guard["calls"].as_array().unwrap().len(), 2);
    assert!(guard["calls"][1]["error"].is_string(), "{guard:#}");
    let blocked = step(&detail, "ChatOutput-00out");
    assert_eq!(blocked["state"], "skipped");
    let name = guard["name"].as_str().unwrap();
    assert_eq!(blocked["why"], format!("it needs {name}, which failed"));
}

#[tokio::test]
async fn tokens_of_a_flow_inside_a_flow_count() {
    let world = World::new().await;
    world.models.push(Turn::text("inner").usage(30, 3));
    let mut inner = flow(MODEL);
    inner["name"] = json!("Inner");
    world.save(inner).await;
    let outer = "
nodes:
  in: ChatInput
  call: RunFlow
  out: ChatOutput
edges:
  in.message -> call.input_value
  call.flow_output -> out.input_value
config:
  call.flow_name_selected: Inner
";
    let id = world.save(flow(outer)).await;
    let run = world.run(&id, "", &json!({ "input_value": "hi" })).await;
    let detail = world.detail(&run).await;
    assert_eq!(detail["run"]["status"], "completed", "{detail:#}");
    assert_eq!(step(&detail, "RunFlow-0call")["usage"]["input_tokens"], 30);
    assert_eq!(detail["run"]["output_tokens"], 3);
}

#[tokio::test]
async fn every_round_of_a_loop_is_a_step() {
    let world = World::new().await;
    let starters = world
        .client
        .get("/api/v1/flows/basic_examples")
        .await
        .expect(200)
        .json();
    let starters = starters.as_array().unwrap().iter();
    let mut looping = starters.filter(|starter| starter["name"] == "Loop over rows");
    let looping = looping.next().unwrap();
    let id = world
        .save(json!({ "name": "Loop", "data": looping["data"] }))
        .await;
    let run = world.run(&id, "", &json!({})).await;
    let detail = world.detail(&run).await;
    assert_eq!(detail["run"]["status"], "completed", "{detail:#}");
    let steps = detail["steps"].as_array().unwrap();
    let named = |name: &str| {
        steps
            .iter()
            .filter(|step| step["name"] == name)
            .collect::<Vec<_>>()
    };
    let each = named("Each order")[0];
    assert_eq!(each["why"], "4 items, so 4 rounds");
    let lines = named("Line");
    let rounds: Vec<_> = lines.iter().map(|step| step["iteration"].clone()).collect();
    assert_eq!(rounds, ["1", "2", "3", "4"]);
    for line in &lines {
        let item = input(line, "input_data");
        let from = format!("{}.item", each["node"].as_str().unwrap());
        assert_eq!((&item[0], &item[1]), (&json!("wire"), &json!(from)));
        let said = line["outputs"][0]["shown"]["value"].as_str().unwrap();
        let order = format!("Order {}:", item[3]["order_id"]);
        assert!(said.starts_with(&order), "{order} {said}");
    }
    let node = lines[0]["node"].as_str().unwrap();
    let path = format!("/api/v1/runs/{run}/steps/{node}");
    let last = world.client.get(&path).await.expect(200).json();
    assert_eq!(&last, lines[3], "the last round when none is said");
    let first = world
        .client
        .get(&format!("{path}?iteration=1"))
        .await
        .expect(200)
        .json();
    assert_eq!(&first, lines[0]);
    let path = format!("{path}?iteration=5");
    world.client.get(&path).await.refused(404, "not_found");
    let path = format!("/api/v1/runs/{run}/steps/nobody");
    world.client.get(&path).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_fork_says_what_it_took_over() {
    let world = World::new().await;
    let id = world.save(flow(BRANCH)).await;
    let run = world.run(&id, "", &json!({ "input_value": "a" })).await;
    let body = json!({ "from_node": "ConditionalRouter-000if", "tweaks": { "ConditionalRouter-000if": { "match_text": "a" } } });
    let path = format!("/api/v1/runs/{run}/fork");
    let fork = world.client.post(&path, &body).await.expect(202).id();
    until("the fork is over", async || {
        let path = format!("/api/v1/runs/{fork}");
        let run = world.client.get(&path).await.json();
        (run["status"] == "completed").then_some(())
    })
    .await;
    let detail = world.detail(&fork).await;
    let taken = step(&detail, "ChatInput-000in");
    assert_eq!(taken["state"], "reused");
    assert_eq!(
        taken["why"],
        "its result was taken over from the run this one was forked from"
    );
    let decided = step(&detail, "ConditionalRouter-000if");
    assert_eq!(
        input(decided, "input_text"),
        json!(["wire", "ChatInput-000in.message", "text", "a"])
    );
    assert_eq!(decided["why"], r#""a" equals "a", so the true branch"#);
}

#[tokio::test]
async fn long_values_are_cut_in_the_list_and_whole_alone_and_secrets_are_in_neither() {
    let world = World::new().await;
    let mut document = flow(MODEL);
    let key = json!({ "value": "typed-into-the-node", "load_from_db": false });
    set(&mut document, "LanguageModelComponent-00llm", "api_key", &key);
    world.models.always(Turn::text("fine"));
    let id = world.save(document).await;
    let text = "ä".repeat(20_000);
    let run = world
        .run(&id, "?record=true", &json!({ "input_value": text }))
        .await;
    let detail = world.detail(&run).await;
    let asked = step(&detail, "LanguageModelComponent-00llm");
    let inputs = asked["inputs"].as_array().unwrap();
    let shown = &inputs
        .iter()
        .find(|input| input["field"] == "input_value")
        .unwrap()["shown"];
    assert_eq!((&shown["cut"], &shown["bytes"]), (&json!(true), &json!(40_000)));
    assert_eq!(shown["value"].as_str().unwrap().len(), 4096);
    assert_eq!(input(asked, "api_key"), json!(["literal", null, "secret", null]));
    let path = format!("/api/v1/runs/{run}/steps/LanguageModelComponent-00llm");
    let alone = world.client.get(&path).await.expect(200).json();
    assert_eq!(input(&alone, "input_value")[3], json!(text));
    assert_eq!(
        alone["calls"][0]["request"]["value"],
        world.models.requests().pop().unwrap().body
    );
    for seen in [&detail, &alone] {
        assert!(!seen.to_string().contains("typed-into"), "{seen}");
    }
    let other = world.site.user("bob").await;
    other.get(&path).await.refused(404, "not_found");
    let path = format!("/api/v1/runs/{run}/detail");
    other.get(&path).await.refused(404, "not_found");
}
