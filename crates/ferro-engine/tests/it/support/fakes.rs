//! Fake components. `in` is the text they take, `out` the text they give.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use ferro_engine::{
    Call, Component, Context, Failure, FlowCall, Live, Message, Outcome, Outputs, Question, Step, Table,
    Value,
};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, json};

use super::World;

struct Fake {
    descriptor: Descriptor,
    run: Box<dyn Fn(Call) -> Step + Send + Sync>,
}

impl Component for Fake {
    fn descriptor(&self) -> Descriptor {
        self.descriptor.clone()
    }

    fn run(&self, call: Call) -> Step {
        (self.run)(call)
    }
}

pub fn descriptor(kind: &str) -> Option<Descriptor> {
    static KNOWN: OnceLock<HashMap<String, Descriptor>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let all = all(&World::new());
        all.iter()
            .map(|fake| (fake.descriptor().r#type, fake.descriptor()))
            .collect()
    });
    known.get(kind).cloned()
}

fn out(name: &str) -> OutputSpec {
    OutputSpec::new(name, name, name, &["Message"])
}

/// One text in, one text out.
fn plain(kind: &str) -> Descriptor {
    Descriptor::new(kind, kind)
        .field(FieldSpec::message_text("in", "In").tool())
        .output(out("out"))
}

fn gives(text: impl Into<String>) -> Result<Outcome, Failure> {
    Ok(Outputs::one("out", Value::text(text.into())))
}

struct Maker {
    world: Arc<World>,
    made: Vec<Arc<dyn Component>>,
}

impl Maker {
    /// Answers at once.
    fn now(
        &mut self,
        descriptor: Descriptor,
        run: impl Fn(&Call) -> Result<Outcome, Failure> + Send + Sync + 'static,
    ) {
        let world = Arc::clone(&self.world);
        self.any(descriptor, move |call| {
            world.began(&call.node.id);
            Step::Now(run(&call))
        });
    }

    /// Answers later.
    fn later<F>(
        &mut self,
        descriptor: Descriptor,
        run: impl Fn(Call, Arc<World>) -> F + Send + Sync + 'static,
    ) where
        F: Future<Output = Result<Outcome, Failure>> + Send + 'static,
    {
        let world = Arc::clone(&self.world);
        self.any(descriptor, move |call| {
            world.began(&call.node.id);
            let (id, polled) = (call.node.id.clone(), Arc::clone(&world));
            let work = run(call, Arc::clone(&world));
            Step::later(async move {
                polled.first_polled(&id);
                work.await
            })
        });
    }

    fn any(&mut self, descriptor: Descriptor, run: impl Fn(Call) -> Step + Send + Sync + 'static) {
        self.made.push(Arc::new(Fake {
            descriptor,
            run: Box::new(run),
        }));
    }
}

pub fn all(world: &Arc<World>) -> Vec<Arc<dyn Component>> {
    let mut maker = Maker {
        world: Arc::clone(world),
        made: Vec::new(),
    };
    texts(&mut maker);
    branches(&mut maker);
    waits(&mut maker);
    trouble(&mut maker);
    others(&mut maker);
    maker.made
}

fn texts(maker: &mut Maker) {
    maker.now(plain("Echo"), |call| gives(call.text("in")));
    maker.now(plain("Upper"), |call| gives(call.text("in").to_uppercase()));
    // Adds its own id, so that the way a text took can be read off it.
    maker.now(plain("Add"), |call| {
        gives(format!("{}{}", call.text("in"), call.node.id))
    });
    let join = Descriptor::new("Join", "Join")
        .field(FieldSpec::message_text("a", "A"))
        .field(FieldSpec::message_text("b", "B"))
        .output(out("out"));
    maker.now(join, |call| {
        gives(format!("{}+{}", call.text("a"), call.text("b")))
    });
    let collect = Descriptor::new("Collect", "Collect")
        .field(FieldSpec::message_text("list", "List").list())
        .output(out("out"));
    maker.now(collect, |call| gives(call.texts("list").join(",")));
    maker.now(plain("Big"), |call| {
        gives("x".repeat(usize::try_from(call.int("in")?.unwrap_or(0)).unwrap_or(0)))
    });
}

fn branches(maker: &mut Maker) {
    let router = plain("Router")
        .field(FieldSpec::text("go", "Go"))
        .output(out("left"))
        .output(out("right"))
        .routes();
    maker.now(router, |call| {
        let text = Value::text(call.text("in"));
        let outputs = Outputs::new().with("left", text.clone()).with("right", text);
        Ok(if call.text("go").starts_with('l') {
            outputs.stop("right")
        } else {
            outputs.stop("left")
        }
        .done())
    });
    // Goes `again` until the text is long enough, then `done`.
    let until = plain("Until")
        .field(FieldSpec::int("size", "Size", 3))
        .output(out("again"))
        .output(out("done"))
        .routes();
    maker.now(until, |call| {
        let text = call.text("in");
        let enough = text.len() >= usize::try_from(call.int("size")?.unwrap_or(3)).unwrap_or(0);
        let outputs = Outputs::new()
            .with("again", Value::text(&*text))
            .with("done", Value::text(&*text));
        Ok(if enough {
            outputs.stop("again")
        } else {
            outputs.stop("done")
        }
        .done())
    });
    let each = Descriptor::new("Loop", "Loop")
        .field(FieldSpec::handle("data", "Data", &["Data"]).list())
        .output(out("item").loops(&["Message"]))
        .output(out("done"));
    maker.now(each, |call| match &call.collected {
        Some(results) => {
            let texts: Vec<_> = results.iter().map(Value::to_text).collect();
            Ok(Outputs::new()
                .with("done", Value::text(format!("[{}]", texts.join(" "))))
                .stop("item")
                .done())
        }
        None => {
            let text = call.text("data");
            Ok(Outcome::Each(
                text.chars()
                    .filter(|c| !c.is_whitespace())
                    .map(Value::text)
                    .collect(),
            ))
        }
    });
    let notify = plain("Notify")
        .field(FieldSpec::text("context_key", "Key"))
        .output(out("result"));
    maker.now(notify, |call| {
        Ok(Outputs::one("result", Value::text(call.text("in"))))
    });
    let listen = plain("Listen").field(FieldSpec::text("context_key", "Key"));
    maker.now(listen, |call| gives(call.texts("__notified").join("&")));
}

fn waits(maker: &mut Maker) {
    // Waits for the test.
    maker.later(plain("Wait"), |call, world| async move {
        world.wait(&call.node.id).await;
        gives(format!("{}{}", call.text("in"), call.node.id))
    });
    maker.later(plain("Later"), |call, _| async move {
        tokio::task::yield_now().await;
        gives(format!("{}{}", call.text("in"), call.node.id))
    });
    maker.later(plain("Sleep"), |call, _| async move {
        let seconds = u64::try_from(call.int("in")?.unwrap_or(0)).unwrap_or(0);
        tokio::time::sleep(std::time::Duration::from_secs(seconds)).await;
        gives("slept")
    });
    // Leaves something running elsewhere, which ends when it is told to.
    maker.later(plain("Detached"), |call, world| async move {
        let (cancel, left) = (call.cx.cancel.clone(), Arc::clone(&world));
        tokio::spawn(async move {
            cancel.cancelled().await;
            left.effects.lock().unwrap().push("told".to_owned());
        });
        world.wait(&call.node.id).await;
        gives("done")
    });
    let ask = plain("Ask")
        .field(FieldSpec::int("timeout", "Timeout", 0))
        .output(out("left"))
        .output(out("right"))
        .routes();
    maker.now(ask, |call| {
        if let Some(answer) = &call.answer {
            let text = Value::text(format!("{}:{}", call.text("in"), answer.action_id));
            let outputs = Outputs::new()
                .with("out", text.clone())
                .with("left", text.clone())
                .with("right", text);
            return Ok(if answer.action_id == "left" {
                outputs.stop("right")
            } else {
                outputs.stop("left")
            }
            .done());
        }
        let timeout = call.int("timeout")?.filter(|seconds| *seconds > 0);
        Ok(Outcome::Ask(Question {
            kind: "human_input".to_owned(),
            prompt: "left or right?".to_owned(),
            options: vec![json!({ "id": "left" }), json!({ "id": "right" })],
            timeout_ms: timeout.map(|seconds| u64::try_from(seconds).unwrap_or(0) * 1000),
            fallback: timeout.map(|_| "right".to_owned()),
            ..Question::default()
        }))
    });
    // Asks until it is told to stop, and remembers what it was told: nowhere but in its question.
    let gather = plain("Gather").field(FieldSpec::text("pause", "Pause"));
    maker.later(gather, |call, world| async move {
        let before = call.memory.as_ref().and_then(|memory| memory["told"].as_str());
        let said = call
            .answer
            .as_ref()
            .map_or("", |answer| answer.action_id.as_str());
        let told = format!("{}{said}", before.unwrap_or(&call.text("in")));
        if !said.is_empty() && call.text("pause") == said {
            world.wait(&call.node.id).await;
        }
        if said == "." {
            return gives(told);
        }
        Ok(Outcome::Ask(Question {
            kind: "human_input".to_owned(),
            prompt: "and then?".to_owned(),
            // Every second question has nothing to remember.
            state: (said != "forget").then(|| json!({ "told": told })),
            ..Question::default()
        }))
    });
    // Changes the outside world, and may wait for the test before (`before`) or after it.
    let effect = plain("Effect").field(FieldSpec::text("wait", "Wait"));
    maker.later(effect, |call, world| async move {
        call.cx.begin_effect().await?;
        world.effects.lock().unwrap().push(call.node.id.clone());
        if call.text("wait") == "after" {
            world.wait(&call.node.id).await;
        }
        gives(format!("{}{}", call.text("in"), call.node.id))
    });
}

fn trouble(maker: &mut Maker) {
    // Says what it has when the run is stopped.
    maker.later(plain("LastWords"), |call, _| async move {
        call.cx.cancel.cancelled().await;
        call.cx.message(Message::text("so far"), false, false);
        Err(Failure::new(ferro_engine::Cause::Cancelled, "stopped"))
    });
    maker.now(plain("Fail"), |call| {
        Err(Failure::outside(format!("no: {}", call.text("in")))
            .advice("Try again.")
            .detail("said so"))
    });
    maker.later(plain("FailLater"), |call, _| async move {
        Err(Failure::outside(format!("no: {}", call.text("in"))))
    });
    // Fails for one item.
    let picky = plain("Picky").field(FieldSpec::text("not", "Not"));
    maker.now(picky, |call| {
        if call.text("in") == call.text("not") {
            return Err(Failure::input("in", format!("not {}", call.text("in"))));
        }
        gives(call.text("in"))
    });
    maker.now(plain("Panic"), |_| panic!("on purpose"));
    maker.later(plain("PanicLater"), |_, _| async { panic!("on purpose") });
    let secret = plain("Secret")
        .field(FieldSpec::secret("key", "Key"))
        .field(FieldSpec::text("how", "How"));
    maker.now(secret, |call| {
        let key = call.text("key");
        match call.text("how").as_str() {
            "fail" => Err(Failure::outside(format!("refused {key}"))
                .advice(format!("change {key}"))
                .detail(format!("{{\"key\":\"{key}\"}}"))),
            "log" => {
                call.cx
                    .log("said", json!({ "header": [format!("Bearer {key}")] }));
                gives("ok")
            }
            _ => Ok(Outputs::new()
                .with("out", Value::text("ok"))
                .status(json!({ "with": key }))
                .done()),
        }
    });
}

fn others(maker: &mut Maker) {
    maker.now(plain("Speak").answer(), |call| {
        let message = call.cx.message(Message::text(call.text("in")), true, true);
        let id = message.id.unwrap_or_default();
        call.cx.token(id, "to");
        call.cx.token(id, "ken");
        Ok(Outputs::one("out", Value::Message(Arc::new(message))))
    });
    // Says so many tokens, letting others run in between.
    maker.later(plain("Chatter"), |call, _| async move {
        let message = call.cx.message(Message::text(""), false, false);
        for _ in 0..call.int("in")?.unwrap_or(0) {
            call.cx.token(message.id.unwrap_or_default(), "x");
            tokio::task::yield_now().await;
        }
        gives("done")
    });
    maker.now(plain("Model"), |call| {
        let live = Live {
            kind: "LanguageModel",
            value: Arc::new(call.text("in")),
        };
        Ok(Outputs::new()
            .with("out", Value::Live(live))
            .with("name", Value::text("model"))
            .done())
    });
    let uses = |call: &Call| -> Result<String, Failure> {
        match call.get("in").as_deref() {
            Some(Value::Live(live)) => Ok(live.value.downcast_ref::<String>().cloned().unwrap_or_default()),
            _ => Err(Failure::input("in", "no model")),
        }
    };
    maker.later(plain("UseModel"), move |call, world| async move {
        world.wait(&call.node.id).await;
        gives(format!("used {}", uses(&call)?))
    });
    // A model that is built from another.
    maker.later(plain("Wrap"), move |call, _| async move {
        let live = Live {
            kind: "LanguageModel",
            value: Arc::new(format!("wrapped {}", uses(&call)?)),
        };
        Ok(Outputs::one("out", Value::Live(live)))
    });
    // Has an output of its own that is called like the toolset.
    let own = Descriptor::new("OwnToolset", "OwnToolset")
        .field(FieldSpec::message_text("in", "In").tool())
        .output(OutputSpec::new(
            "component_as_tool",
            "Own",
            "get_own",
            &["Message"],
        ));
    maker.now(own, |call| {
        Ok(Outputs::one(
            "component_as_tool",
            Value::text(format!("own {}", call.text("in"))),
        ))
    });
    maker.later(plain("UseTools"), |call, _| async move {
        let mut said = Vec::new();
        if let Some(Value::Tools(tools)) = call.get("in").as_deref() {
            for tool in tools.iter() {
                let mut given = Map::new();
                given.insert("in".to_owned(), json!("asked"));
                said.push(format!(
                    "{}={}",
                    tool.name,
                    (tool.call)(given, Some(call.cx.clone())).await?.value.to_text()
                ));
            }
        }
        gives(said.join(" "))
    });
    // Goes on when a tool fails, and says why it did.
    maker.later(plain("TryTools"), |call, _| async move {
        let mut said = Vec::new();
        if let Some(Value::Tools(tools)) = call.get("in").as_deref() {
            for tool in tools.iter() {
                if let Err(failure) = (tool.call)(Map::new(), Some(call.cx.clone())).await {
                    said.push(format!(
                        "{} {} {}",
                        failure.message, failure.detail, failure.advice
                    ));
                }
            }
        }
        gives(said.join(" "))
    });
    maker.later(plain("Sub"), |call, _| async move {
        let cx: Context = call.cx.clone();
        let given = FlowCall {
            flow_name: Some("inner".to_owned()),
            input_value: call.text("in"),
            stack: cx.run.stack.clone(),
            ..FlowCall::default()
        };
        let answers = cx.host.run_flow(given).await?;
        gives(
            answers
                .iter()
                .map(|answer| answer.value.to_text().into_owned())
                .collect::<Vec<_>>()
                .join(","),
        )
    });
    let rows = Descriptor::new("Rows", "Rows")
        .field(FieldSpec::int("count", "Count", 3))
        .output(out("out"));
    maker.now(rows, |call| {
        let rows = (0..call.int("count")?.unwrap_or(0)).map(|n| Map::from_iter([("n".to_owned(), json!(n))]));
        Ok(Outputs::one("out", Value::table(Table::from_rows(rows))))
    });
}
