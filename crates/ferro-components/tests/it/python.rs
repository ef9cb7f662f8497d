//! Python in flows, with a script in the interpreter's place: what the code is given, what becomes of what it says and
//! gives back, and what it may ask for.

use std::sync::{Arc, Mutex};

use ferro_components::Python;
use ferro_engine::{Body, Cause, Event};
use ferro_python::{Host, PythonError, Trouble};
use futures_util::future::BoxFuture;
use serde_json::{Value as Json, json};

use crate::flows::{Ran, World};

type Played<'a> = BoxFuture<'a, Result<Json, Trouble>>;
type Play = dyn for<'a> Fn(&'a Json, &'a dyn Host) -> Played<'a> + Send + Sync;

/// Does what a test says, and keeps what it was asked.
struct Script {
    asked: Mutex<Vec<(Option<String>, Json)>>,
    play: Box<Play>,
}

impl Script {
    fn new(play: impl for<'a> Fn(&'a Json, &'a dyn Host) -> Played<'a> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            asked: Mutex::default(),
            play: Box::new(play),
        })
    }

    fn gives(answer: Json) -> Arc<Self> {
        Self::new(move |_, _| {
            let answer = answer.clone();
            Box::pin(async move { Ok(answer) })
        })
    }

    fn fails(trouble: Trouble) -> Arc<Self> {
        Self::new(move |_, _| {
            let trouble = trouble.clone();
            Box::pin(async move { Err(trouble) })
        })
    }

    /// The code asks for this and gives the answer back as JSON.
    fn asks(question: Json) -> Arc<Self> {
        Self::new(move |_, host| {
            let question = question.clone();
            Box::pin(async move {
                let answer = match host.call(question).await {
                    Ok(answer) => json!({ "ok": answer }),
                    Err(refusal) => json!({ "kind": refusal.kind, "error": refusal.message }),
                };
                Ok(
                    json!({ "outputs": { "output": { "$type": "Data", "data": answer } }, "stopped": [], "status": null }),
                )
            })
        })
    }

    fn asked(&self) -> Vec<(Option<String>, Json)> {
        self.asked.lock().unwrap().clone()
    }
}

impl Python for Script {
    fn ask<'a>(&'a self, scope: Option<&'a str>, request: &'a Json, host: &'a dyn Host) -> Played<'a> {
        let asked = (scope.map(str::to_owned), request.clone());
        self.asked.lock().unwrap().push(asked);
        (self.play)(request, host)
    }
}

const ALONE: &str =
    "nodes:\n  py: CustomComponent\n  out: ChatOutput\nedges:\n  py.output -> out.input_value";

/// Runs a custom component that is wired to the chat.
async fn run(script: &Arc<Script>) -> Ran {
    let world = World::with_python(Arc::clone(script) as Arc<dyn Python>).await;
    world.run(&world.flow(ALONE), "").await
}

fn said(text: &str) -> Json {
    json!({ "outputs": { "output": { "$type": "Message", "text": text } }, "stopped": [], "status": "done" })
}

#[tokio::test]
async fn code_is_given_its_fields_and_gives_its_outputs() {
    let script = Script::gives(said("three words here"));
    let ran = run(&script).await;
    assert_eq!(ran.text("out", "message"), "three words here");
    assert_eq!(ran.outputs("py").status, Some(json!("done")));
    let (scope, request) = script.asked().pop().unwrap();
    let context = &request["context"];
    let id = context["node_id"].as_str().unwrap();
    assert_eq!(
        scope.unwrap(),
        format!("{}/{id}", context["run_id"].as_str().unwrap())
    );
    assert!(
        id.starts_with("CustomComponent-") && context["session_id"] == "session",
        "{context}"
    );
    assert_eq!(request["do"], "run");
    assert_eq!(
        request["fields"],
        json!({ "input_value": "Hello from Python" }),
        "the code is no field"
    );
    assert_eq!(request["outputs"], json!(["output"]));
    assert!(
        request["code"]
            .as_str()
            .unwrap()
            .contains("class CustomComponent(Component):")
    );
}

#[tokio::test]
async fn a_branch_that_is_stopped_is_not_taken() {
    let script = Script::gives(json!({ "outputs": {}, "stopped": ["output", "made up"], "status": null }));
    let ran = run(&script).await;
    assert!(ran.is_skipped("out"), "{:?}", ran.failure());
    assert_eq!(ran.outputs("py").stopped, ["output"]);
}

#[tokio::test]
async fn what_code_says_goes_to_the_run() {
    let script = Script::new(|_, host| {
        Box::pin(async move {
            host.event(json!({ "event": "log", "name": "print", "message": "hello" }));
            host.event(json!({ "event": "progress", "value": 0.5, "text": "half" }));
            host.event(json!({ "event": "nonsense" }));
            host.event(json!(3));
            Ok(said("x"))
        })
    });
    let ran = run(&script).await;
    assert_eq!(ran.logs(), ["print: hello", "progress: "]);
}

#[tokio::test]
async fn code_that_never_stops_talking_is_not_heard_to_the_end() {
    let script = Script::new(|_, host| {
        Box::pin(async move {
            for _ in 0..10_000 {
                host.event(json!({ "event": "log", "name": "x", "message": "y" }));
            }
            Ok(said("x"))
        })
    });
    // A reader may have missed some; the last one's number tells how many there were.
    let last = run(&script).await.events.last().unwrap().seq;
    assert!((4_000..4_050).contains(&last), "{last}");
}

fn shown(ran: &Ran) -> Vec<(String, Json, bool)> {
    let messages = ran.events.iter().filter_map(|event: &Event| match &event.body {
        Body::Message {
            message, is_output, ..
        } => Some((
            message.text.clone(),
            message.properties.get("state").cloned().unwrap_or_default(),
            *is_output,
        )),
        _ => None,
    });
    messages.collect()
}

fn streams() -> Arc<Script> {
    Script::new(|_, host| {
        Box::pin(async move {
            host.event(
                json!({ "event": "message", "id": "m1", "message": { "$type": "Message", "text": "" } }),
            );
            host.event(json!({ "event": "token", "id": "m1", "text": "One, " }));
            host.event(json!({ "event": "token", "id": "m1", "text": "two" }));
            host.event(json!({ "event": "token", "id": "else", "text": "never shown" }));
            let value = json!({ "$type": "Message", "text": "One, two", "id": "m1" });
            Ok(json!({ "outputs": { "output": value }, "stopped": [], "status": null }))
        })
    })
}

#[tokio::test]
async fn a_message_for_the_chat_grows_there() {
    let ran = run(&streams()).await;
    assert_eq!(ran.tokens(), ["One, ", "two"]);
    let (partial, complete) = (json!("partial"), json!("complete"));
    assert_eq!(
        shown(&ran),
        [
            (String::new(), partial, false),
            ("One, two".to_owned(), complete, true)
        ]
    );
    assert_eq!(
        ran.message("py", "output").id,
        ran.last_shown().id,
        "it is one message"
    );
}

#[tokio::test]
async fn a_message_for_another_node_is_not_shown() {
    let world = World::with_python(streams()).await;
    let flow =
        world.flow("nodes:\n  py: CustomComponent\n  t: TextOutput\nedges:\n  py.output -> t.input_value");
    let ran = world.run(&flow, "").await;
    assert_eq!(ran.text("py", "output"), "One, two");
    assert!(ran.tokens().is_empty() && shown(&ran).is_empty());
}

#[tokio::test]
async fn messages_that_are_sent_are_shown_once_each() {
    let script = Script::new(|_, host| {
        Box::pin(async move {
            for text in ["first", "first, changed"] {
                host.event(
                    json!({ "event": "message", "id": "a", "message": { "$type": "Message", "text": text } }),
                );
            }
            host.event(
                json!({ "event": "message", "id": "b", "message": { "$type": "Message", "text": "" } }),
            );
            host.event(json!({ "event": "token", "id": "b", "text": "grown" }));
            Ok(said("answer"))
        })
    });
    let ran = run(&script).await;
    let texts: Vec<String> = shown(&ran).into_iter().map(|(text, _, _)| text).collect();
    assert_eq!(texts, ["first", "first, changed", "", "grown", "answer"]);
    let ids: std::collections::BTreeSet<_> = ran
        .events
        .iter()
        .filter_map(|event| match &event.body {
            Body::Message { message, .. } => message.id,
            _ => None,
        })
        .collect();
    assert_eq!(ids.len(), 3);
}

#[tokio::test]
async fn an_exception_is_a_failure_with_its_line() {
    let error = PythonError {
        kind: "raise".to_owned(),
        r#type: "ValueError".to_owned(),
        message: "no good".to_owned(),
        line: Some(7),
        trace: "File \"<component>\", line 7, in go".to_owned(),
        ..PythonError::default()
    };
    let script = Script::new(move |_, host| {
        let error = error.clone();
        Box::pin(async move {
            host.event(
                json!({ "event": "message", "id": "m", "message": { "$type": "Message", "text": "" } }),
            );
            host.event(json!({ "event": "token", "id": "m", "text": "so far" }));
            Err(Trouble::Python(error))
        })
    });
    let ran = run(&script).await;
    let failure = ran.failed("ValueError: no good (line 7)");
    assert_eq!(
        (failure.cause, failure.detail.contains("<component>")),
        (Cause::Input, true)
    );
    let last = ran.last_shown();
    assert_eq!(
        (last.text.as_str(), &last.properties["state"]),
        ("so far", &json!("complete"))
    );
    assert_eq!(last.content_blocks[0]["type"], "error");
    let script = Script::fails(Trouble::TooLong { seconds: 3 });
    assert_eq!(run(&script).await.failed("3 s").cause, Cause::Timeout);
}

#[tokio::test]
async fn variables_are_read_only_where_a_field_names_them() {
    let ask = |name: &str| Script::asks(json!({ "ask": "variable", "name": name }));
    let answer = async |script: Arc<Script>| {
        let world = World::with_python(script as Arc<dyn Python>).await;
        let mut flow = world.flow("nodes:\n  py: CustomComponent");
        flow.node("py")["template"]["key"] = json!({
            "type": "str", "name": "key", "value": "OPENAI_API_KEY", "load_from_db": true, "password": true, "show": true,
        });
        let ran = world.run(&flow, "").await;
        ran.json("py", "output")
    };
    assert_eq!(answer(ask("OPENAI_API_KEY")).await["ok"]["value"], "sk-open");
    let refused = answer(ask("ANTHROPIC_API_KEY")).await;
    assert_eq!(refused["kind"], "refused");
    assert!(
        refused["error"]
            .as_str()
            .unwrap()
            .contains("not given to this node"),
        "{refused}"
    );
    let odd = answer(Script::asks(json!({ "ask": "shell", "command": "ls" }))).await;
    assert_eq!(odd["kind"], "refused");
    assert_eq!(answer(Script::asks(json!([]))).await["kind"], "refused");
}

#[tokio::test]
async fn files_are_read_only_where_the_node_was_given_them() {
    for (path, part) in [
        ("mine.txt", "bWlsaw=="),
        ("other.txt", "not given to this node"),
        ("lost.txt", "there is no file"),
    ] {
        let script = Script::asks(json!({ "ask": "file", "path": path }));
        let world = World::with_python(script as Arc<dyn Python>).await;
        world.host.files.lock().unwrap().extend([
            ("mine.txt".to_owned(), b"milk".to_vec()),
            ("other.txt".to_owned(), b"honey".to_vec()),
        ]);
        let mut flow = world.flow("nodes:\n  py: CustomComponent");
        flow.node("py")["template"]["path"] = json!({
            "type": "file", "name": "path", "value": "", "file_path": ["mine.txt", "lost.txt"], "show": true, "list": true,
        });
        let answer = world.run(&flow, "").await.json("py", "output");
        assert!(answer.to_string().contains(part), "{path}: {answer}");
        assert!(!answer.to_string().contains("aG9uZXk"), "{answer}");
    }
}

#[tokio::test]
async fn a_model_that_is_wired_in_can_be_asked() {
    let model = |at: u64| {
        Script::asks(json!({
            "ask": "model",
            "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Hi" }],
            "model": { "$type": "Live", "kind": "LanguageModel", "ref": at },
        }))
    };
    for (at, answered) in [(0, true), (1, false)] {
        let script = model(at);
        let world = World::with_python(Arc::clone(&script) as Arc<dyn Python>).await;
        world.models.push(ferro_testkit::Turn::text("Hello.").usage(5, 2));
        let flow = world
            .flow("nodes:\n  llm: LanguageModelComponent\n  py: CustomComponent")
            .wire(("llm", "model_output"), ("py", "model"), "LanguageModel");
        let ran = world.run(&flow, "").await;
        let answer = ran.json("py", "output");
        let given = &script.asked()[0].1["fields"]["model"];
        assert_eq!(
            given,
            &json!({ "$type": "Live", "kind": "LanguageModel", "ref": 0 })
        );
        if answered {
            assert_eq!(answer["ok"]["text"], "Hello.");
            assert_eq!(world.told(), ["system: Be brief.", "user: Hi"]);
            assert_eq!(ran.usage("py").total_tokens, 7);
        } else {
            assert_eq!(answer["kind"], "missing");
        }
    }
}

#[tokio::test]
async fn a_tool_that_is_wired_in_can_be_called() {
    for (name, part) in [("evaluate_expression", "\"6\""), ("other", "no tool `other`")] {
        let script = Script::asks(json!({
            "ask": "tool_call", "ref": 0, "name": name, "arguments": { "expression": "2 * 3" },
        }));
        let world = World::with_python(Arc::clone(&script) as Arc<dyn Python>).await;
        let mut flow = world
            .flow("nodes:\n  t: CalculatorComponent\n  py: CustomComponent")
            .wire(("t", "component_as_tool"), ("py", "tools"), "Tool");
        flow.node("t")["tool_mode"] = json!(true);
        let answer = world.run(&flow, "").await.json("py", "output");
        assert!(answer.to_string().contains(part), "{answer}");
        let given = &script.asked()[0].1["fields"]["tools"];
        assert_eq!(given["tools"][0]["name"], "evaluate_expression", "{given}");
    }
}

/// Tools that code makes are called by making them again.
#[tokio::test]
async fn tools_of_code_are_called_with_what_made_them() {
    let script = Script::new(|request, host| {
        Box::pin(async move {
            if request["do"] == "tool" {
                let text = request["arguments"]["text"].as_str().unwrap_or_default();
                return Ok(json!({ "value": { "$type": "Message", "text": text.to_uppercase() } }));
            }
            if request["fields"].get("tools").is_none() {
                let tool =
                    json!({ "name": "shout", "description": "Shouts.", "schema": { "type": "object" } });
                return Ok(
                    json!({ "outputs": { "output": { "$type": "Tools", "tools": [tool] } }, "stopped": [] }),
                );
            }
            let ask =
                json!({ "ask": "tool_call", "ref": 0, "name": "shout", "arguments": { "text": "hey" } });
            let answer = host
                .call(ask)
                .await
                .map_err(|refusal| Trouble::Died(refusal.message))?;
            Ok(json!({ "outputs": { "output": answer }, "stopped": [] }))
        })
    });
    let world = World::with_python(Arc::clone(&script) as Arc<dyn Python>).await;
    let flow = world
        .flow("nodes:\n  a: CustomComponent\n  b: CustomComponent")
        .wire(("a", "output"), ("b", "tools"), "Tool");
    let ran = world.run(&flow, "").await;
    assert_eq!(ran.text("b", "output"), "HEY");
    let asked = script.asked();
    let (scope, used) = asked.iter().find(|(_, request)| request["do"] == "tool").unwrap();
    assert!(
        scope.as_ref().unwrap().ends_with("CustomComponent-0000a"),
        "in the worker of the node that made it"
    );
    assert_eq!(
        (&used["tool"], &used["output"]),
        (&json!("shout"), &json!("output"))
    );
    assert_eq!(used["fields"]["input_value"], "Hello from Python");
}

/// In tool mode a node does not say its outputs: the code does.
#[tokio::test]
async fn code_is_a_tool_by_its_outputs() {
    let script = Script::new(|request, _| {
        Box::pin(async move { Ok(said(&format!("got {}", request["fields"]["input_value"]))) })
    });
    let world = World::with_python(Arc::clone(&script) as Arc<dyn Python>).await;
    let mut flow = world
        .flow("nodes:\n  t: CustomComponent\n  agent: Agent\n  in: ChatInput\nedges:\n  in.message -> agent.input_value")
        .wire(("t", "component_as_tool"), ("agent", "tools"), "Tool");
    let node = flow.node("t");
    node["tool_mode"] = json!(true);
    node["outputs"] = json!([{ "name": "component_as_tool", "method": "to_toolkit", "types": ["Tool"] }]);
    world
        .models
        .push(ferro_testkit::Turn::text("").tool("count_words", json!({ "input_value": "a b" })));
    world.says(&["Two words."]);
    let ran = world.run(&flow, "How many?").await;
    assert_eq!(ran.text("agent", "response"), "Two words.");
    let request = &script.asked()[0].1;
    assert_eq!(request["fields"]["input_value"], "a b");
    assert_eq!(request["outputs"], json!(["output"]));
}

#[tokio::test]
async fn the_interpreter_gives_what_is_printed() {
    let script = Script::gives(json!({ "stdout": "285\n" }));
    let world = World::with_python(Arc::clone(&script) as Arc<dyn Python>).await;
    let flow = world.flow("nodes:\n  py: PythonREPLComponent");
    let flow = flow
        .set("py", "python_code", "print(285)")
        .set("py", "global_imports", "math, json");
    let ran = world.run(&flow, "").await;
    assert_eq!(ran.json("py", "results"), json!({ "result": "285" }));
    let request = &script.asked()[0].1;
    assert_eq!(
        (&request["do"], &request["imports"]),
        (&json!("exec"), &json!(["math", "json"]))
    );
    let flow = flow.set("py", "python_code", "import subprocess");
    let ran = world.run(&flow, "").await;
    assert_eq!(ran.failed("line 1").field.as_deref(), Some("python_code"));
    assert_eq!(script.asked().len(), 1, "it never reached a worker");
    // Without Python the component says so.
    let world = World::new().await;
    let ran = world
        .run(&world.flow("nodes:\n  py: PythonREPLComponent"), "")
        .await;
    assert_eq!(ran.failed("Python cannot run here").cause, Cause::Unavailable);
    let ran = world.run(&world.flow("nodes:\n  py: CustomComponent"), "").await;
    assert_eq!(ran.failed("its own Python code").cause, Cause::Unavailable);
}

#[tokio::test]
async fn the_old_interpreter_is_a_tool() {
    let script = Script::gives(json!({ "stdout": "4\n" }));
    let world = World::with_python(Arc::clone(&script) as Arc<dyn Python>).await;
    let flow = world
        .flow("nodes:\n  py: PythonREPLTool\n  agent: Agent\n  in: ChatInput\nedges:\n  in.message -> agent.input_value")
        .wire(("py", "api_build_tool"), ("agent", "tools"), "Tool");
    world
        .models
        .push(ferro_testkit::Turn::text("").tool("python_repl", json!({ "code": "print(2 + 2)" })));
    world.says(&["Four."]);
    let ran = world.run(&flow, "2 + 2?").await;
    assert_eq!(ran.text("agent", "response"), "Four.");
    assert_eq!(script.asked()[0].1["code"], "print(2 + 2)");
}

#[tokio::test]
async fn a_flow_with_unsafe_code_is_not_planned() {
    let script = Script::gives(said("x"));
    let world = World::with_python(Arc::clone(&script) as Arc<dyn Python>).await;
    let flow = world
        .flow(ALONE)
        .set("py", "code", "import subprocess\nclass X: ...");
    let refused = world.plan(&flow).unwrap_err().to_string();
    assert!(
        refused.starts_with("Refused to run: unsafe component code detected — Custom Component (CustomComponent-000py), line 1: "),
        "{refused}"
    );
}
