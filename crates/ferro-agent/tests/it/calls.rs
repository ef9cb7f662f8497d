//! What becomes of calls: good ones, bad ones, several at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ferro_agent::{AgentError, AgentEvent, ToolError, ToolOutput};
use futures_util::FutureExt as _;
use serde_json::json;

use crate::support::{Fake, Script, agent, answer, broken, calls, results, run, says, stopped, upper};

/// Takes as many seconds as `text` says.
fn sleeper() -> Fake {
    Fake::new("sleep", |given| {
        Box::pin(async move {
            let seconds = given["text"].as_str().unwrap().parse().unwrap();
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Ok(ToolOutput::text(format!("slept {seconds}")))
        })
    })
}

const NAPS: [(&str, &str); 3] = [
    ("sleep", r#"{"text":"3"}"#),
    ("sleep", r#"{"text":"1"}"#),
    ("sleep", r#"{"text":"2"}"#),
];

#[tokio::test(start_paused = true)]
async fn several_calls_run_side_by_side_and_are_told_in_their_order() {
    let began = tokio::time::Instant::now();
    let model = Script::new([calls(&NAPS), says("ok")]);
    let (_, heard) = run(&agent(&model, vec![sleeper()])).await;
    assert_eq!(began.elapsed().as_secs(), 3);
    let told = results(&model.request(1));
    assert_eq!(
        told,
        [
            "call_0 sleep: slept 3",
            "call_1 sleep: slept 1",
            "call_2 sleep: slept 2"
        ]
    );
    let took = heard.events().into_iter().filter_map(|event| match event {
        AgentEvent::ToolFinished { id, duration, .. } => Some((id, duration.as_secs())),
        _ => None,
    });
    let took: Vec<_> = took.collect();
    assert_eq!(
        took,
        [
            ("call_1".to_owned(), 1),
            ("call_2".to_owned(), 2),
            ("call_0".to_owned(), 3)
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn or_one_after_the_other() {
    let began = tokio::time::Instant::now();
    let model = Script::new([calls(&NAPS), says("ok")]);
    let mut agent = agent(&model, vec![sleeper()]);
    agent.parallel = false;
    let (_, heard) = run(&agent).await;
    assert_eq!(began.elapsed().as_secs(), 6);
    let trace = heard.trace();
    let at = |line: &str| trace.find(line).unwrap_or_else(|| panic!("{line} in {trace}"));
    assert!(at("done call_0") < at("start call_1"));
}

#[tokio::test]
async fn a_tool_that_fails_is_told_to_the_model() {
    let model = Script::new([calls(&[("find", r#"{"text":"x"}"#)]), says("sorry")]);
    assert_eq!(answer(&agent(&model, vec![broken("find")])).await.text, "sorry");
    assert_eq!(results(&model.request(1)), ["call_0 find! no such city"]);
}

#[tokio::test(start_paused = true)]
async fn a_fatal_failure_ends_the_loop_with_every_call_answered() {
    let began = tokio::time::Instant::now();
    let model = Script::new([calls(&[
        ("sleep", r#"{"text":"60"}"#),
        ("bad", r#"{"text":"x"}"#),
        ("shout", r#"{"text":"y"}"#),
    ])]);
    let bad = Fake::new("bad", |_| {
        Box::pin(async { Err(ToolError::fatal("the key is gone")) })
    });
    let stopped = stopped(&agent(&model, vec![sleeper(), bad, upper("shout")])).await;
    assert_eq!(
        stopped.error,
        AgentError::Tool {
            tool: "bad".to_owned(),
            message: "the key is gone".to_owned()
        }
    );
    assert_eq!(stopped.conversation.messages[3].parts.len(), 3);
    assert_eq!(began.elapsed().as_secs(), 0, "the others are not waited for");
    let shown = stopped.blocks.to_json();
    assert_eq!(shown[0]["error"], "It was not finished.");
    assert_eq!(stopped.usage.total(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_hangs_or_panics_is_an_error_result() {
    let model = Script::new([
        calls(&[
            ("hang", r#"{"text":"x"}"#),
            ("panic", r#"{"text":"x"}"#),
            ("early", r#"{"text":"x"}"#),
        ]),
        says("ok"),
    ]);
    let hang = Fake::new("hang", |_| Box::pin(std::future::pending()));
    let panics = Fake::new("panic", |_| Box::pin(async { panic!("on purpose") }));
    let early = Fake::new("early", |_| panic!("on purpose"));
    answer(&agent(&model, vec![hang, panics, early])).await;
    assert_eq!(
        results(&model.request(1)),
        [
            "call_0 hang! the tool took longer than 120 s and was stopped",
            "call_1 panic! the tool stopped unexpectedly",
            "call_2 early! the tool stopped unexpectedly",
        ]
    );
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_the_known_ones() {
    let model = Script::new([calls(&[("whisper", "not json")]), says("ok")]);
    answer(&agent(&model, vec![upper("shout"), upper("sing")])).await;
    let told = results(&model.request(1));
    assert_eq!(
        told,
        ["call_0 whisper! There is no tool `whisper`. The tools are: shout, sing."]
    );
}

#[tokio::test]
async fn arguments_are_bent_to_the_schema() {
    let model = Script::new([
        calls(&[
            ("shout", r#"{"text":5,"times":"3","loud":"TRUE"}"#),
            ("shout", r#""{\"text\":\"twice encoded\"}""#),
            ("shout", r#"{"text":"x","times":null}"#),
        ]),
        says("ok"),
    ]);
    let tool = upper("shout");
    let given = tool.given.clone();
    answer(&agent(&model, vec![tool])).await;
    assert_eq!(
        *given.lock().unwrap(),
        [
            json!({ "text": "5", "times": 3, "loud": true }),
            json!({ "text": "twice encoded" }),
            json!({ "text": "x" }),
        ]
    );
}

#[tokio::test]
async fn a_malformed_call_is_told_and_may_be_mended() {
    let model = Script::new([
        calls(&[("shout", r#"{"text": "#)]),
        calls(&[("shout", r#"{"times": "many"}"#)]),
        calls(&[("shout", r#"{"text":"a"}"#)]),
        says("ok"),
    ]);
    let tool = upper("shout");
    let given = tool.given.clone();
    assert_eq!(answer(&agent(&model, vec![tool])).await.text, "ok");
    let told = results(&model.request(3));
    assert!(
        told[0].starts_with("call_0 shout! The call was not made: the arguments are not JSON (EOF"),
        "{told:?}"
    );
    assert!(
        told[1].contains("text is missing; times must be integer, not string"),
        "{told:?}"
    );
    assert_eq!(told[2], "call_0_3 shout: A");
    assert_eq!(given.lock().unwrap().len(), 1);
    // What cannot be read is not sent back: some providers would refuse the whole conversation.
    let said: Vec<_> = model
        .request(3)
        .messages
        .iter()
        .flat_map(|m| m.tool_calls().cloned().collect::<Vec<_>>())
        .collect();
    assert_eq!(said[0].arguments, "{}");
}

#[tokio::test]
async fn malformed_calls_are_not_borne_for_ever() {
    let bad = || calls(&[("shout", "[1]")]);
    let model = Script::new([bad(), bad(), bad()]);
    let stopped = stopped(&agent(&model, vec![upper("shout")])).await;
    let AgentError::Malformed { tool, times, problem } = &stopped.error else {
        panic!("{:?}", stopped.error)
    };
    assert_eq!((tool.as_str(), *times), ("shout", 3));
    assert!(problem.contains("not a JSON object"), "{problem}");
    assert!(!stopped.error.advice().is_empty());

    let model = Script::new([bad()]);
    let mut impatient = agent(&model, vec![upper("shout")]);
    impatient.malformed_retries = 0;
    crate::support::stopped(&impatient).await;

    let good = || calls(&[("shout", r#"{"text":"a"}"#)]);
    let model = Script::new([bad(), bad(), good(), bad(), bad(), says("ok")]);
    assert_eq!(answer(&agent(&model, vec![upper("shout")])).await.text, "ok");
}

#[tokio::test]
async fn the_very_same_call_is_not_tried_for_ever() {
    let same = || calls(&[("find", r#"{"text":"x","times":1}"#)]);
    let turned = || calls(&[("find", r#"{"times":1,"text":"x"}"#)]);
    let other = calls(&[("find", r#"{"text":"y"}"#)]);
    let model = Script::new([same(), turned(), same(), turned(), other, says("ok")]);
    let tool = broken("find");
    let given = tool.given.clone();
    answer(&agent(&model, vec![tool])).await;
    assert_eq!(
        given.lock().unwrap().len(),
        4,
        "three times the same, once another"
    );
    let told = results(&model.request(5));
    assert!(told[3].contains("it has failed 3 times"), "{told:?}");
    assert!(told[4].ends_with("no such city"), "{told:?}");
}

#[tokio::test]
async fn a_call_that_works_again_may_be_repeated() {
    let same = || calls(&[("flaky", r#"{"text":"x"}"#)]);
    let model = Script::new([same(), same(), same(), same(), same(), same(), says("ok")]);
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let flaky = Fake::new("flaky", move |_| {
        let number = counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            if number == 2 {
                Ok(ToolOutput::text("fine"))
            } else {
                Err(ToolError::new("busy"))
            }
        })
    });
    answer(&agent(&model, vec![flaky])).await;
    assert_eq!(count.load(Ordering::SeqCst), 6);
}

#[tokio::test]
async fn fifty_megabytes_are_cut() {
    let model = Script::new([calls(&[("big", r#"{"text":"x"}"#)]), says("ok")]);
    let big = Fake::new("big", |_| {
        Box::pin(async {
            let text = "é".repeat(25 << 20);
            Ok(ToolOutput {
                value: json!({ "rows": [text.clone()] }),
                text,
            })
        })
    });
    let mut agent = agent(&model, vec![big]);
    agent.max_output_chars = 1000;
    let (_, heard) = run(&agent).await;
    let told = &results(&model.request(1))[0];
    assert!(
        told.ends_with("\n[Cut: these are the first 1000 of 26214400 characters.]"),
        "{}",
        told.len()
    );
    assert!(told.chars().count() < 1100);
    let shown = heard.events().into_iter().find_map(|event| match event {
        AgentEvent::ToolFinished { output, .. } => Some(output.to_string().chars().count()),
        _ => None,
    });
    assert!(shown.unwrap() < 1200);
}

#[tokio::test]
async fn dropping_the_future_drops_the_tools() {
    struct Told(Arc<AtomicUsize>);
    impl Drop for Told {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let model = Script::new([calls(&[("hang", r#"{"text":"x"}"#), ("hang", r#"{"text":"y"}"#)])]);
    let dropped = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&dropped);
    let hang = Fake::new("hang", move |_| {
        let told = Told(Arc::clone(&counted));
        Box::pin(async move {
            let _told = told;
            std::future::pending().await
        })
    });
    let agent = agent(&model, vec![hang]);
    let mut work = Box::pin(run(&agent));
    assert!(work.as_mut().now_or_never().is_none());
    assert_eq!(dropped.load(Ordering::SeqCst), 0);
    drop(work);
    assert_eq!(dropped.load(Ordering::SeqCst), 2);
}
