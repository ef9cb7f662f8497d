//! Flows that ask models, at the command line.

use ferro_testkit::{ModelServer, Turn};
use serde_json::{Value, json};

use super::flows::{Desk, field, node};

#[test]
fn every_starter_with_a_model_answers_without_a_key() {
    let desk = Desk::new();
    let list = desk.run(&["starters", "list", "--json"]).succeeded().stdout;
    let list: Vec<Value> = serde_json::from_str(&list).unwrap();
    let mut ran = 0;
    for starter in list
        .iter()
        .filter(|starter| starter["tags"].to_string().contains("models"))
    {
        let flow = format!("starter:{}", starter["slug"].as_str().unwrap());
        let said = desk.run(&["run", &flow]).succeeded();
        assert!(!said.stdout.trim().is_empty(), "{flow}");
        assert!(!said.stdout.contains("failed"), "{flow}: {}", said.stdout);
        assert_eq!(said.stderr, "", "{flow}");
        ran += 1;
    }
    assert_eq!(ran, 8, "{list:?}");
    let multi = desk.run(&["run", "starter:multi-agent"]).succeeded().stdout;
    assert!(multi.contains("144"), "the mathematician is asked: {multi}");
}

#[test]
fn nobody_waits_for_words_that_go_to_a_pipe() {
    let desk = Desk::new();
    let words = "one two three four five six seven eight nine ten eleven twelve";
    let events = desk
        .run(&["run", "starter:basic-prompting", words, "-o", "events"])
        .succeeded()
        .stdout;
    let events: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let spoken = events.iter().filter(|event| event["type"] == "token").count();
    assert!(spoken > 20, "{spoken}");
    let took = events.last().unwrap()["duration_us"].as_u64().unwrap();
    assert!(took < 40_000 * spoken as u64, "{took} µs for {spoken} words");
}

/// What makes a model server one's own provider.
fn own(server: &ModelServer) -> Vec<String> {
    let url = server.url();
    [
        "--egress-allow".to_owned(),
        server.address().to_string(),
        "--var".to_owned(),
        "OPENAI_API_KEY=sk-open".to_owned(),
        "--var".to_owned(),
        format!("OPENAI_BASE_URL={url}/v1"),
        "--var".to_owned(),
        "ANTHROPIC_API_KEY=sk-ant".to_owned(),
        "--var".to_owned(),
        format!("ANTHROPIC_BASE_URL={url}"),
    ]
    .into()
}

fn asks(desk: &Desk, server: &ModelServer, arguments: &[&str], expected: &str) {
    let own = own(server);
    let all: Vec<&str> = arguments
        .iter()
        .copied()
        .chain(own.iter().map(String::as_str))
        .collect();
    desk.says(&all, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_model_for_one_run() {
    let desk = Desk::new();
    let server = ModelServer::start().await;
    server.always(Turn::text("From afar."));
    let run = ["run", "starter:basic-prompting", "hi", "--model"];
    let with = |model| [&run[..], &[model]].concat();
    asks(&desk, &server, &with("openai/gpt-4o"), "From afar.");
    asks(&desk, &server, &with("Anthropic/claude-sonnet-4-6"), "From afar.");
    asks(&desk, &server, &with("gpt-4o-mini"), "From afar.");
    asks(&desk, &server, &with("anthropic"), "From afar.");
    let sent: Vec<_> = server
        .requests()
        .iter()
        .map(|sent| (sent.path.clone(), sent.body["model"].clone()))
        .collect();
    assert_eq!(sent[0], ("/v1/chat/completions".to_owned(), json!("gpt-4o")));
    assert_eq!(sent[1], ("/v1/messages".to_owned(), json!("claude-sonnet-4-6")));
    assert_eq!(sent[2].1, "gpt-4o-mini");
    assert!(sent[3].1.as_str().unwrap().starts_with("claude-"), "{sent:?}");

    // Every agent of a flow, and the flows it runs.
    let before = server.requests().len();
    asks(
        &desk,
        &server,
        &["run", "starter:sequential-agents", "--model", "openai/gpt-4o"],
        "From afar.",
    );
    assert_eq!(server.requests().len(), before + 3);
    let mut outer = desk.starter("sub-flow");
    field(&mut outer, "Text pipeline", "flow_name_selected")["value"] = json!("Basic prompting");
    let outer = desk.keep("outer.json", &outer.to_string());
    asks(
        &desk,
        &server,
        &["run", &outer, "x", "--model", "openai/gpt-4o"],
        "Text pipeline says:\n\nFrom afar.",
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_does_not_go_to_another_provider() {
    let desk = Desk::new();
    let server = ModelServer::start().await;
    let mut flow = desk.starter("simple-agent");
    let agent = node(&mut flow, "Agent");
    agent["data"]["node"]["template"]["model"]["value"] = json!([{ "provider": "OpenAI", "name": "gpt-4o" }]);
    let key = &mut agent["data"]["node"]["template"]["api_key"];
    (key["value"], key["load_from_db"]) = (json!("OPENAI_API_KEY"), json!(true));
    let file = desk.keep("agent.json", &flow.to_string());
    asks(&desk, &server, &["run", &file, "hi"], "ok");
    asks(
        &desk,
        &server,
        &["run", &file, "hi", "--model", "anthropic/claude-sonnet-4-6"],
        "ok",
    );
    asks(
        &desk,
        &server,
        &["run", &file, "hi", "--model", "openai/gpt-4o-mini"],
        "ok",
    );
    let sent = server.requests();
    assert_eq!(sent[0].header("authorization"), Some("Bearer sk-open"));
    assert_eq!(
        (sent[1].header("x-api-key"), sent[1].header("authorization")),
        (Some("sk-ant"), None)
    );
    assert_eq!(sent[2].header("authorization"), Some("Bearer sk-open"));

    // A component that knows one provider only is given another one all the same.
    let mut old = desk.starter("basic-prompting");
    let text = old["data"]
        .to_string()
        .replace("LanguageModelComponent", "OpenAIModel");
    old["data"] = serde_json::from_str(&text).unwrap();
    for node in old["data"]["nodes"].as_array_mut().unwrap() {
        if node["data"]["type"] == "OpenAIModel" {
            let template = node["data"]["node"]["template"].as_object_mut().unwrap();
            template.remove("model");
            template.insert(
                "model_name".to_owned(),
                json!({ "type": "str", "value": "gpt-4o", "show": true }),
            );
            template.insert(
                "api_key".to_owned(),
                json!({ "type": "str", "value": "sk-typed-in", "show": true }),
            );
        }
    }
    let file = desk.keep("old.json", &old.to_string());
    asks(&desk, &server, &["run", &file, "hi"], "ok");
    asks(
        &desk,
        &server,
        &["run", &file, "hi", "--model", "anthropic/claude-sonnet-4-6"],
        "ok",
    );
    let sent = server.requests();
    assert_eq!(sent[3].header("authorization"), Some("Bearer sk-typed-in"));
    assert_eq!(sent[4].header("x-api-key"), Some("sk-ant"));
    let offline = desk
        .run(&["run", &file, "hi", "--model", "rehearsal"])
        .succeeded();
    assert!(offline.stdout.contains("offline rehearsal"), "{}", offline.stdout);
}

#[test]
fn models_that_cannot_be_asked_are_named() {
    let desk = Desk::new();
    let refuses = |model: &str, expected: &str| {
        desk.refuses(
            &["run", "starter:basic-prompting", "hi", "--model", model],
            expected,
        );
    };
    refuses(
        "oracle/delphi",
        "there is no model provider `oracle`; there are openai, anthropic, ",
    );
    refuses("oracle", "there is no model provider `oracle`");
    refuses(
        "openai-compatible",
        "say which, as in --model openai-compatible/NAME",
    );
    refuses("openai/gpt-4o", "Set `OPENAI_API_KEY`");
    let help = desk.run(&["run", "--help"]).succeeded().stdout;
    assert!(
        help.contains("--model <PROVIDER[/NAME]>") && help.contains("rehearsal"),
        "{help}"
    );
}
