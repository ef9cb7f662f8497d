//! Which model answers, what it costs, when it ends.

use ferro_llm::{ChatEvent, ChatMessage, collect};

use super::*;
use crate::fake::{Said, Script, calls, fails, says, unavailable};

/// Models by name; each answers with what is given.
fn choice(model: &str, candidates: &[&str], models: Vec<(&'static str, Said)>) -> ModelChoice {
    Script::choice_of(
        model,
        candidates,
        Arc::new(move |name| {
            let found = models.iter().find(|(known, _)| *known == name);
            let said = found.map_or_else(|| unavailable(name), |(_, said)| said.clone());
            Ok(Script::with(move |_, _| said.clone()) as Arc<dyn ChatModel>)
        }),
    )
}

async fn ask(turn: &Arc<TurnModel>, phase: Phase) -> Result<String, LlmError> {
    let request = ChatRequest::new(vec![ChatMessage::user("hello")]);
    match collect(turn.phase(phase).stream(request)).await {
        Ok(response) => Ok(response.text),
        Err(broken) => Err(broken.error),
    }
}

#[tokio::test]
async fn a_model_that_is_not_there_is_replaced_for_the_rest_of_the_turn() {
    let choice = choice("a", &["b", "a", "c"], vec![("c", says("hi"))]);
    let turn = TurnModel::new(&choice, "u", Some("s"));
    assert_eq!(ask(&turn, Phase::Main).await.unwrap(), "hi");
    assert_eq!(ask(&turn, Phase::Main).await.unwrap(), "hi");
    assert_eq!(turn.used(), ("OpenAI".to_owned(), "c".to_owned()));
    let swaps: Vec<_> = turn
        .notices()
        .into_iter()
        .map(|notice| (notice.failed_model, notice.used_model))
        .collect();
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(
        swaps,
        [(name("a"), name("b")), (name("b"), name("c"))],
        "asked once, remembered after"
    );
    assert_eq!(turn.exhausted(), None);
}

#[tokio::test]
async fn when_no_model_is_there_all_of_them_are_named() {
    let turn = TurnModel::new(&choice("a", &["b"], vec![]), "u", None);
    let error = ask(&turn, Phase::Main).await.unwrap_err();
    assert_eq!(Some(&error.message), turn.exhausted().as_ref());
    for name in ["OpenAI", "a", "b"] {
        assert!(
            error.message.contains(name),
            "{name} is not in: {}",
            error.message
        );
    }
}

#[tokio::test]
async fn other_errors_are_told_as_they_are() {
    let classes = [
        Class::Authentication,
        Class::RateLimit,
        Class::Network,
        Class::Quota,
        Class::Timeout,
    ];
    for class in classes {
        let error = LlmError::new(class, "no").cause("model_not_found");
        let choice = choice("a", &["b"], vec![("a", fails(error.clone())), ("b", says("hi"))]);
        let turn = TurnModel::new(&choice, "u", None);
        assert_eq!(ask(&turn, Phase::Main).await, Err(error), "{class:?}");
        assert_eq!(turn.notices(), []);
    }
    for (marker, swapped) in [("Not Found (status code: 404)", true), ("it exploded", false)] {
        let error = LlmError::new(Class::Server, "no").cause(marker);
        let choice = choice("a", &["b"], vec![("a", fails(error)), ("b", says("hi"))]);
        let turn = TurnModel::new(&choice, "u", None);
        assert_eq!(ask(&turn, Phase::Main).await.is_ok(), swapped, "{marker}");
    }
}

#[tokio::test]
async fn an_answer_that_has_begun_is_not_begun_again() {
    let mut said = says("I was");
    said.truncate(1);
    said.extend(unavailable("a"));
    let turn = TurnModel::new(
        &choice("a", &["b"], vec![("a", said), ("b", says("hi"))]),
        "u",
        None,
    );
    assert_eq!(
        ask(&turn, Phase::Main).await.unwrap_err().class,
        Class::ModelUnavailable
    );
    assert_eq!(turn.notices(), []);
}

#[tokio::test]
async fn a_model_that_cannot_be_opened_is_replaced_too() {
    let script = Script::new([says("hi")]);
    let choice = Script::choice_of(
        "a",
        &["b"],
        Arc::new(move |name| match name {
            "a" => Err(LlmError::new(Class::ModelUnavailable, "no `a`")),
            _ => Ok(Arc::clone(&script) as Arc<dyn ChatModel>),
        }),
    );
    assert_eq!(
        ask(&TurnModel::new(&choice, "u", None), Phase::Intent)
            .await
            .unwrap(),
        "hi"
    );
}

#[tokio::test]
async fn tokens_of_all_phases_are_counted_once_each() {
    let turn = TurnModel::new(&choice("a", &[], vec![("a", says("hi"))]), "u", None);
    for phase in [Phase::Intent, Phase::Main, Phase::Fix, Phase::Generate] {
        ask(&turn, phase).await.unwrap();
    }
    let usage = turn.usage();
    assert_eq!(
        (usage.input_tokens, usage.output_tokens, usage.total_tokens),
        (40, 8, 48)
    );
}

#[tokio::test]
async fn a_turn_asks_so_often_and_no_more() {
    let turn = TurnModel::new(&choice("a", &[], vec![("a", says("hi"))]), "u", None);
    for _ in 0..MAX_MODEL_CALLS {
        ask(&turn, Phase::Main).await.unwrap();
    }
    assert!(turn.spent());
    assert!(
        ask(&turn, Phase::Main)
            .await
            .unwrap_err()
            .message
            .contains("120 times")
    );
}

#[tokio::test]
async fn an_answer_without_end_is_cut() {
    let many: Vec<(&str, &str)> = vec![("add_component", "{}"); 100_000];
    let turn = TurnModel::new(&choice("a", &[], vec![("a", calls(&many))]), "u", None);
    let request = ChatRequest::new(vec![ChatMessage::user("hello")]);
    let response = collect(turn.phase(Phase::Main).stream(request)).await.unwrap();
    assert_eq!(response.tool_calls.len(), answer::MAX_CALLS);
    assert_eq!(response.stop, Some(ferro_llm::StopReason::ToolCalls));

    let endless = vec![Some(Ok(ChatEvent::Text("x".repeat(1024 * 1024)))); 10];
    let turn = TurnModel::new(&choice("a", &[], vec![("a", endless)]), "u", None);
    assert!(
        ask(&turn, Phase::Main)
            .await
            .unwrap_err()
            .message
            .contains("does not end")
    );
}
