//! What the log says of a turn, and what it never says.

use std::future::Future as _;
use std::io::Write;
use std::sync::{Arc, Mutex};

use ferro_llm::ChatModel;

use crate::fake::{Script, World, all, calls, chatbot, chatbot_with, intent, says, unavailable};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Everything that is logged on this thread from here on.
fn listen() -> (Log, tracing::subscriber::DefaultGuard) {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    (log, tracing::subscriber::set_default(subscriber))
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

#[tokio::test]
async fn a_turn_can_be_followed() {
    let (log, _listening) = listen();
    let second = Script::new([
        intent("build_flow"),
        calls(&[("build_flow", &crate::paths::build())]),
        says("Here it is."),
    ]);
    let open = move |name: &str| match name {
        "gpt-9" => Ok(Script::with(|_, _| unavailable("gpt-9")) as Arc<dyn ChatModel>),
        _ => Ok(Arc::clone(&second) as Arc<dyn ChatModel>),
    };
    let choice = Script::choice_of("gpt-9", &["gpt-5"], Arc::new(open));
    all(World::new().turn(choice, "Build a chatbot")).await;
    let text = log.text();
    for line in [
        "assistant.request.started",
        "assistant.model_fallback from=gpt-9 to=gpt-5 provider=OpenAI tried_so_far=[gpt-9]",
        "assistant.tokens.phase phase=intent user_id=user-1 session_id=session-1 input=10 output=2 total=12",
        "assistant.intent.classified",
        "assistant.tokens.phase phase=main user_id=user-1 session_id=session-1 input=5 output=5 total=10",
        "flow_builder.proposal.ready",
        "assistant.request.completed",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("cancelled"), "{text}");
    assert!(
        !text.contains("Build a chatbot"),
        "what people write is not logged\n{text}"
    );
}

#[tokio::test]
async fn secrets_are_not_logged() {
    let (log, _listening) = listen();
    let secret = "sk-very-secret-0123456789abcdef";
    let world = World::new();
    world.next_run(Err(&format!("ValueError: {secret} is wrong")));
    let script = Script::new([
        intent("run_flow"),
        calls(&[("get_field_value", r#"{"component_id":"Agent-00002"}"#)]),
        calls(&[("run_flow", "{}")]),
        calls(&[("remove_component", r#"{"component_id":"Agent-00002"}"#)]),
        says("It failed."),
    ]);
    let flow = chatbot_with(&format!("B.api_key: {secret}"));
    all(world.turn_on(flow, script.choice(), "Run the flow")).await;
    assert!(!log.text().contains(secret), "{}", log.text());
    assert!(log.text().contains("assistant.request.completed"));
}

#[tokio::test]
async fn a_turn_that_is_dropped_says_so() {
    let (log, _listening) = listen();
    let script = Script::new([crate::fake::pending()]);
    let (sender, _receiver) = tokio::sync::mpsc::unbounded_channel();
    let turn = World::new().turn_on(chatbot(), script.choice(), "Why?");
    let mut turn = Box::pin(ferro_assistant::assist(turn, sender));
    let first = std::future::poll_fn(|context| std::task::Poll::Ready(turn.as_mut().poll(context))).await;
    assert!(first.is_pending());
    drop(turn);
    assert!(
        log.text().contains("assistant.request.cancelled"),
        "{}",
        log.text()
    );
}
