//! The rehearsal model through the public door: what it says, calls, counts and embeds.

mod answers;
mod odd;
mod schemas;
mod tools;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use ferro_llm::{
    Budget, ChatEvent, ChatMessage, ChatModel, ChatRequest, ChatResponse, Credentials, Effort, Models,
    Options, StopReason, collect, rehearsal,
};
use ferro_net::{AddressPolicy, Client};
use futures_util::StreamExt as _;

static MODELS: LazyLock<Models> =
    LazyLock::new(|| Models::new(Client::new(AddressPolicy::default()).unwrap(), Budget::default()));

pub fn model(pace: Option<Duration>) -> Arc<dyn ChatModel> {
    let options = Options {
        rehearsal_pace: pace,
        ..Options::default()
    };
    MODELS
        .language(
            rehearsal::PROVIDER,
            rehearsal::MODEL,
            &Credentials::new(),
            &options,
        )
        .unwrap()
}

pub async fn ask(request: ChatRequest) -> ChatResponse {
    collect(model(Some(Duration::ZERO)).stream(request))
        .await
        .unwrap()
}

/// The answer to one sentence, without the label; the label must be there.
pub async fn say(text: &str) -> String {
    said(ask(ChatRequest::new(vec![ChatMessage::user(text)])).await)
}

pub fn said(answer: ChatResponse) -> String {
    let text = answer.text.strip_prefix(rehearsal::LABEL);
    text.unwrap_or_else(|| panic!("no label: {}", answer.text))
        .trim()
        .to_owned()
}

#[test]
fn it_needs_no_key_and_says_what_it_is() {
    let model = model(None);
    let info = model.info();
    assert!(info.rehearsal && info.tool_calling && !info.vision);
    assert_eq!(info.price.unwrap().cost(Default::default()), 0);
}

#[tokio::test]
async fn the_same_question_gets_the_same_answer() {
    let request = || ChatRequest::new(vec![ChatMessage::user("Tell me about iron, steel and rust.")]);
    assert_eq!(ask(request()).await, ask(request()).await);
}

#[tokio::test(start_paused = true)]
async fn words_come_one_by_one_at_a_pace_people_can_read() {
    let started = tokio::time::Instant::now();
    let mut stream = model(None).stream(ChatRequest::new(vec![ChatMessage::user("Hello there")]));
    assert_eq!(started.elapsed(), Duration::ZERO);
    let mut pieces = 0;
    while let Some(event) = stream.next().await {
        if let ChatEvent::Text(piece) = event.unwrap() {
            pieces += 1;
            assert!(piece.split_whitespace().count() <= 1, "{piece:?}");
        }
    }
    assert!(pieces > 5);
    let each = started.elapsed() / pieces;
    assert!(
        (Duration::from_millis(30)..=Duration::from_millis(50)).contains(&each),
        "{each:?}"
    );
}

#[tokio::test]
async fn it_stops_where_it_was_told_to() {
    let request = || ChatRequest::new(vec![ChatMessage::user("one two three four five six seven eight")]);
    let whole = ask(request()).await;
    assert_eq!(whole.stop, Some(StopReason::End));
    for most in [0, 1, 2, 5, 9] {
        let short = ask(ChatRequest {
            max_tokens: Some(most),
            ..request()
        })
        .await;
        assert_eq!(short.stop, Some(StopReason::Length));
        assert!(short.usage.unwrap().output <= u64::from(most));
        assert!(whole.text.starts_with(&short.text) && short.text.len() < whole.text.len());
    }
    let room = u32::try_from(whole.usage.unwrap().output).unwrap();
    let enough = ask(ChatRequest {
        max_tokens: Some(room),
        ..request()
    })
    .await;
    assert_eq!(enough, whole);
    let cut = ask(ChatRequest {
        stop: vec![String::new(), "four".to_owned(), "three".to_owned()],
        ..request()
    })
    .await;
    assert!(cut.text.ends_with("one two "), "{}", cut.text);
    assert_eq!(cut.stop, Some(StopReason::End));
}

#[tokio::test]
async fn usage_is_counted_and_thoughts_are_shown_when_effort_is_asked_for() {
    let short = ask(ChatRequest::new(vec![ChatMessage::user("one two three")])).await;
    assert_eq!(short.usage.unwrap().input, 4);
    assert!(short.usage.unwrap().output > 4 && short.reasoning.is_empty());
    let thinking = ask(ChatRequest {
        effort: Some(Effort::High),
        ..ChatRequest::new(vec![ChatMessage::user("one two three")])
    })
    .await;
    assert!(
        thinking.reasoning.contains("No thinking"),
        "{}",
        thinking.reasoning
    );
    let usage = thinking.usage.unwrap();
    assert!(usage.reasoning > 0 && usage.output > usage.reasoning);
    assert_eq!(thinking.text, short.text);
}

#[tokio::test]
async fn near_texts_have_near_vectors() {
    let embedder = MODELS
        .embedding(
            "Rehearsal",
            rehearsal::EMBEDDING_MODEL,
            &Credentials::new(),
            &Options::default(),
        )
        .unwrap();
    let texts = [
        "How do I reset my password?",
        "Resetting a password",
        "Passwords can be reset in the settings",
        "The recipe needs butter, flour and sugar",
        "",
    ];
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let made = embedder.embed(texts.clone()).await.unwrap();
    assert_eq!(made, embedder.embed(texts).await.unwrap());
    assert!(made.usage.unwrap().input > 0);
    let near = |a: usize, b: usize| -> f32 {
        made.vectors[a]
            .iter()
            .zip(&made.vectors[b])
            .map(|(a, b)| a * b)
            .sum()
    };
    for (place, vector) in made.vectors.iter().enumerate() {
        assert_eq!(vector.len(), 256);
        assert!((near(place, place) - 1.0).abs() < 1e-4);
    }
    assert!(
        near(0, 1) > 0.3 && near(0, 2) > 0.3,
        "{} {}",
        near(0, 1),
        near(0, 2)
    );
    assert!(
        near(0, 3) < 0.2 && near(1, 3) < 0.2,
        "{} {}",
        near(0, 3),
        near(1, 3)
    );
}
