//! What is built is tried out before anybody sees it; what is said of it is what was found.

use ferro_testkit::{ModelServer, Turn};
use serde_json::{Value, json};

use super::components::UPPER;
use super::support::{CHATBOT, KEY, World, last_user};

/// Passes every check and fails when it runs on what people say.
fn fails() -> String {
    UPPER.replace(
        "        return",
        "        if self.text == \"Hello\":\n            raise ValueError(\"greetings are beneath me\")\n        return",
    )
}

const OWN: &str = "
name: Own
nodes:
  in: ChatInput
  own: UppercaseText
  out: ChatOutput
edges:
  in.message -> own.text
  own.result -> out.input_value
";

/// A world in which the component that fails was generated, and a flow with it is about to be built.
async fn built_with_it() -> (World, String) {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("generate_component").writes(&fails());
    assert_eq!(
        world.ask(&flow, "uppercase, please").await.complete()["validated"],
        true
    );
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": OWN }))
        .says("Done.");
    (world, flow)
}

fn sets(told: &super::support::Told) -> Vec<&Value> {
    let updates = told.all("flow_update").into_iter();
    updates.filter(|update| update["action"] == "set_flow").collect()
}

/// The model is told what was found and builds again; the person is told how often.
#[tokio::test]
async fn a_flow_that_fails_is_mended_before_it_is_proposed() {
    let (world, flow) = built_with_it().await;
    world
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Mended.")
        .says("Hello to you.");
    let told = world.ask(&flow, "Build something with UppercaseText").await;
    let done = told.complete();
    assert_eq!(
        (&done["verified"], &done["verification_attempts"]),
        (&json!(true), &json!(2)),
        "{done}"
    );
    let last = sets(&told).pop().unwrap();
    assert_eq!(
        last["flow"]["data"]["nodes"][1]["data"]["type"],
        "LanguageModelComponent"
    );
    assert_ne!(
        last["auto_apply"], true,
        "a trial is not a run that somebody asked for"
    );
    told.step("flow_proposal_ready");
    assert_eq!(told.step("verifying")["attempt"], 1);
    let asked = world.asked();
    let findings = asked
        .iter()
        .map(last_user)
        .find(|text| text.contains("greetings are beneath me"));
    assert!(findings.is_some(), "the model knows what to mend");
}

/// Three times at most, and then it says so instead of pretending.
#[tokio::test]
async fn a_flow_that_never_works_is_proposed_with_a_word_about_it() {
    let (world, flow) = built_with_it().await;
    for name in ["Clerk", "Baker", "Miller"] {
        let spec = format!("{OWN}config:\n  out.sender_name: {name}\n");
        world
            .calls("build_flow", json!({ "spec": spec }))
            .says("Now it works!");
    }
    let told = world.ask(&flow, "Build something with UppercaseText").await;
    let done = told.complete();
    assert_eq!(
        (&done["verified"], &done["verification_attempts"]),
        (&json!(false), &json!(3)),
        "{done}"
    );
    let caveat = done["verification_caveat"].as_str().unwrap();
    assert!(
        caveat.contains("3 times") && caveat.contains("greetings are beneath me"),
        "{caveat}"
    );
    assert!(
        told.result().contains("greetings are beneath me"),
        "whoever reads only the answer knows: {}",
        told.result()
    );
    assert!(!sets(&told).is_empty());
}

/// A model that mends nothing is not asked a third time.
#[tokio::test]
async fn a_repair_that_repairs_nothing_ends_the_proof() {
    let (world, flow) = built_with_it().await;
    world.says("All is well.").says("never asked");
    let told = world.ask(&flow, "Build something with UppercaseText").await;
    let done = told.complete();
    assert_eq!(
        (&done["verified"], &done["verification_attempts"]),
        (&json!(false), &json!(1)),
        "{done}"
    );
    assert_eq!(world.models.waiting(), 1);
}

/// What is wrong is not the flow: nobody mends it, and the person is told.
#[tokio::test]
async fn a_provider_that_refuses_is_no_fault_of_the_flow() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Done.");
    let message = format!("Incorrect API key provided: {KEY}");
    world.models.always(Turn::status(
        401,
        json!({ "error": { "message": message, "code": "invalid_api_key" } }),
    ));
    let told = world.ask(&flow, "Build me a simple chatbot").await;
    let done = told.complete();
    assert_eq!(done["verified"], false, "{done}");
    let caveat = done["verification_caveat"].as_str().unwrap();
    assert!(caveat.contains("key") && !told.text().contains(KEY), "{caveat}");
    assert_eq!(
        world.asked().len(),
        4,
        "classified, built, done, tried: and nobody mends it"
    );
    told.update("set_flow");
}

/// Trying it out would send something into the world: it is looked at and not run.
#[tokio::test]
async fn a_flow_with_effects_is_not_tried_out() {
    let outside = ModelServer::start().await;
    let address = outside.address().to_string();
    let world = World::with(move |config| config.egress_allow.push(address)).await;
    let flow = world.empty().await;
    let spec = format!(
        "nodes:\n  call: APIRequest\n  read: ParserComponent\n  out: ChatOutput\nedges:\n  call.data -> read.input_data\n  \
         read.parsed_text -> out.input_value\nconfig:\n  call.method: POST\n  call.url_input: {}/pay\n",
        outside.url()
    );
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": spec }))
        .calls("run_flow", json!({}))
        .says("Paid!");
    let told = world
        .ask(&flow, "Build me a flow that pays, and run the flow")
        .await;
    let done = told.complete();
    assert!(
        done["verification_caveat"].as_str().unwrap().contains("not run"),
        "{done}"
    );
    assert!(outside.requests().is_empty(), "{:?}", outside.requests());
    // Built and to be run in one breath, but not by itself: a person looks first.
    assert!(world.results()[1].contains("not run"), "{:?}", world.results());
    assert_ne!(told.update("set_flow")["auto_apply"], true);
    assert!(done.get("run_metrics").is_none(), "{done}");
}

#[tokio::test]
async fn an_operator_can_do_without_the_proof() {
    let world = World::with(|config| config.assistant.verify = false).await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Done.");
    let told = world.ask(&flow, "Build me a simple chatbot").await;
    assert!(told.complete().get("verified").is_none(), "{}", told.complete());
    assert_eq!(world.asked().len(), 3, "nothing was tried out");
}
