//! Providers that misbehave, in every wire format: each answer ends by itself, with the right kind of error, with
//! the text that had come, and leaves nothing behind.

mod refusals;

use std::time::Duration;

use ferro_llm::{
    Budget, ChatEvent, ChatMessage, ChatRequest, ChatResponse, ChatStream, Class, Credentials, Interrupted,
    LlmError, Models, Options, StopReason, collect,
};
use ferro_net::{AddressPolicy, Client};
use ferro_testkit::{Fault, ModelServer, Turn, until};
use futures_util::StreamExt as _;
use futures_util::future::join_all;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wire {
    Chat,
    Responses,
    Anthropic,
    Gemini,
    Ollama,
    Watsonx,
}

const WIRES: [Wire; 6] = [
    Wire::Chat,
    Wire::Responses,
    Wire::Anthropic,
    Wire::Gemini,
    Wire::Ollama,
    Wire::Watsonx,
];

const ATTEMPTS: u32 = 3;

/// For answers that come: the machine may be busy with other tests.
fn budget() -> Budget {
    Budget {
        attempts: ATTEMPTS,
        backoff: Duration::from_millis(1),
        patience: Duration::from_secs(2),
        idle: Duration::from_secs(10),
        ..Budget::default()
    }
}

/// For those that never do, and for those that never end.
fn budget_for(fault: Fault) -> Budget {
    match fault {
        Fault::BlackHole | Fault::Silence | Fault::Drip | Fault::Heartbeats | Fault::AfterLastFrame => {
            Budget {
                idle: Duration::from_millis(300),
                ..budget()
            }
        }
        Fault::Endless | Fault::GzipBomb => Budget {
            answer: 1024 * 1024,
            ..budget()
        },
        _ => budget(),
    }
}

type Answered = Result<ChatResponse, Box<Interrupted>>;

/// Asks a server once. Fails when the answer does not end.
async fn ask(models: &Models, wire: Wire, url: &str) -> Answered {
    // Far more than any of it should take, on a slow machine.
    let ended = tokio::time::timeout(Duration::from_secs(60), collect(begin(models, wire, url))).await;
    ended.unwrap_or_else(|_| panic!("{wire:?}: the answer does not end"))
}

fn begin(models: &Models, wire: Wire, url: &str) -> ChatStream {
    let (provider, key, base) = match wire {
        Wire::Chat | Wire::Responses => (
            "openai",
            "OPENAI_API_KEY",
            ("OPENAI_BASE_URL", format!("{url}/v1")),
        ),
        Wire::Anthropic => (
            "anthropic",
            "ANTHROPIC_API_KEY",
            ("ANTHROPIC_BASE_URL", url.to_owned()),
        ),
        Wire::Gemini => (
            "google-generative-ai",
            "GOOGLE_API_KEY",
            ("GOOGLE_BASE_URL", url.to_owned()),
        ),
        Wire::Ollama => ("ollama", "UNUSED", ("OLLAMA_BASE_URL", url.to_owned())),
        Wire::Watsonx => ("ibm-watsonx", "WATSONX_APIKEY", ("WATSONX_URL", url.to_owned())),
    };
    let credentials = Credentials::new()
        .with(key, "a-secret-key")
        .with(base.0, base.1)
        .with("WATSONX_PROJECT_ID", "project")
        .with("WATSONX_IAM_URL", url);
    let options = Options {
        responses_api: Some(wire == Wire::Responses),
        ..Options::default()
    };
    let model = models
        .language(provider, "fake-model", &credentials, &options)
        .unwrap();
    model.stream(ChatRequest::new(vec![ChatMessage::user("hello")]))
}

fn client(servers: &[ModelServer]) -> Client {
    let policy = servers.iter().fold(AddressPolicy::default(), |policy, server| {
        policy.allow(server.address().to_string().parse().unwrap())
    });
    Client::new(policy).unwrap()
}

/// Every wire format beside the others, each with a server of its own. In the end nothing is left of them.
async fn on_every_wire(budget: Budget, check: impl AsyncFn(Wire, Models, &ModelServer)) {
    let mut servers = Vec::new();
    for _ in WIRES {
        servers.push(ModelServer::start().await);
    }
    let net = client(&servers);
    let checks = WIRES.into_iter().zip(&servers);
    join_all(checks.map(|(wire, server)| check(wire, Models::new(net.clone(), budget), server))).await;
    drop(net);
    nothing_left(servers).await;
}

/// Nothing is left: no answer under way, no connection, no task.
async fn nothing_left(servers: Vec<ModelServer>) {
    for server in &servers {
        until("every connection is closed", async || {
            (server.busy() == 0 && server.connections() == 0).then_some(())
        })
        .await;
    }
    drop(servers);
    until("every task has ended", async || {
        (tokio::runtime::Handle::current().metrics().num_alive_tasks() == 0).then_some(())
    })
    .await;
}

#[derive(Debug)]
enum Expected {
    /// A good answer with the text.
    Whole,
    /// A good answer with the text and perhaps more.
    Longer,
    /// An error before the first word, after so many attempts.
    Nothing(Class, u32),
    /// An error after the text.
    Partial(Class),
}

/// Asks each wire format with this fault, and compares.
async fn check(fault: Fault, expected: impl Fn(Wire) -> Expected) {
    on_every_wire(budget_for(fault), async |wire, models, server| {
        server.always(Turn::fault(fault));
        let answered = ask(&models, wire, &server.url()).await;
        compare(wire, fault, &expected(wire), &answered);
        let asked = asked(server);
        assert!(asked <= ATTEMPTS as usize, "{wire:?}: asked {asked} times");
    })
    .await;
}

fn compare(wire: Wire, fault: Fault, expected: &Expected, answered: &Answered) {
    let at = format!("{wire:?} with {fault:?}");
    match (expected, answered) {
        (Expected::Whole, Ok(answer)) => {
            assert_eq!(answer.text, Fault::TEXT, "{at}");
            assert!(answer.stop.is_some(), "{at}: no reason to stop");
        }
        (Expected::Longer, Ok(answer)) => {
            assert!(answer.text.starts_with(Fault::TEXT), "{at}: {:?}", answer.text);
            assert!(answer.stop.is_some(), "{at}: no reason to stop");
        }
        (Expected::Nothing(class, attempts), Err(broken)) => {
            assert_eq!(broken.error.class, *class, "{at}: {broken:?}");
            assert_eq!(broken.partial, ChatResponse::default(), "{at}");
            assert_eq!(broken.error.attempts, *attempts, "{at}: {:?}", broken.error);
            well_said(&broken.error, &at);
        }
        (Expected::Partial(class), Err(broken)) => {
            assert_eq!(broken.error.class, *class, "{at}: {:?}", broken.error);
            assert!(
                broken.partial.text.starts_with(Fault::TEXT),
                "{at}: {:?}",
                broken.partial.text
            );
            let most = budget_for(fault).answer;
            assert!(broken.partial.text.len() as u64 <= most, "{at}: more than may be");
            assert!(broken.partial.tool_calls.len() <= 128, "{at}: too many calls");
            assert_eq!(broken.partial.stop, None, "{at}");
            well_said(&broken.error, &at);
        }
        (expected, answered) => panic!("{at}: {expected:?} was expected, this came: {answered:?}"),
    }
}

/// Says what happened and what to do, and not the key.
fn well_said(error: &LlmError, at: &str) {
    assert!(
        !error.message.is_empty() && !error.advice.is_empty(),
        "{at}: {error:?}"
    );
    assert!(!format!("{error:?}").contains("a-secret-key"), "{at}: {error:?}");
}

#[tokio::test]
async fn silence_ends_as_a_timeout() {
    check(Fault::BlackHole, |_| Expected::Nothing(Class::Timeout, 1)).await;
    check(Fault::Silence, |_| Expected::Nothing(Class::Timeout, 1)).await;
}

#[tokio::test]
async fn signs_of_life_are_not_an_answer() {
    check(Fault::Drip, |_| Expected::Partial(Class::Timeout)).await;
    check(Fault::Heartbeats, |_| Expected::Partial(Class::Timeout)).await;
}

#[tokio::test]
async fn broken_connections_are_the_networks_fault() {
    check(Fault::HalfClose, |_| Expected::Partial(Class::Network)).await;
    check(Fault::Reset, |_| Expected::Partial(Class::Network)).await;
    check(Fault::Truncated, |_| Expected::Partial(Class::Network)).await;
}

#[tokio::test]
async fn what_matters_may_have_come_before_the_end() {
    // These two say before their last frame why they end; for the others the last frame is where they say so.
    check(Fault::NoLastFrame, |wire| match wire {
        Wire::Chat | Wire::Anthropic => Expected::Whole,
        _ => Expected::Partial(Class::Network),
    })
    .await;
    // Two have no last mark: they end when the body does, or when nothing more comes.
    check(Fault::AfterLastFrame, |wire| match wire {
        Wire::Gemini | Wire::Watsonx => Expected::Longer,
        _ => Expected::Whole,
    })
    .await;
}

#[tokio::test]
async fn answers_without_bounds_are_cut() {
    check(Fault::LongLine, |_| Expected::Partial(Class::Server)).await;
    check(Fault::Endless, |_| Expected::Partial(Class::Server)).await;
    check(Fault::GzipBomb, |_| Expected::Nothing(Class::Server, ATTEMPTS)).await;
}

#[tokio::test]
async fn what_is_no_answer_is_the_servers_fault() {
    check(Fault::InvalidUtf8, |_| Expected::Partial(Class::Server)).await;
    check(Fault::Garbage, |_| Expected::Nothing(Class::Server, ATTEMPTS)).await;
    check(Fault::Html, |_| Expected::Nothing(Class::Server, ATTEMPTS)).await;
    check(Fault::Redirects, |_| Expected::Nothing(Class::Server, ATTEMPTS)).await;
}

#[tokio::test]
async fn odd_but_good_answers_are_taken() {
    for fault in [
        Fault::Bytewise,
        Fault::CalledJson,
        Fault::CalledText,
        Fault::CalledStream,
        Fault::NanUsage,
        Fault::NegativeUsage,
        Fault::Http10,
    ] {
        check(fault, |_| Expected::Whole).await;
    }
}

#[tokio::test]
async fn a_hundred_thousand_calls_are_too_many() {
    check(Fault::ManyToolCalls, |_| Expected::Partial(Class::Server)).await;
}

#[tokio::test]
async fn calls_keep_their_arguments_whatever_their_numbers() {
    for (fault, count) in [(Fault::SameToolIndex, 2), (Fault::UnorderedToolIndex, 3)] {
        on_every_wire(budget(), async |wire, models, server| {
            server.always(Turn::fault(fault));
            let answer = ask(&models, wire, &server.url()).await.unwrap();
            let calls: Vec<_> = answer
                .tool_calls
                .iter()
                .map(|call| (call.name.as_str(), call.arguments.as_str()))
                .collect();
            let all = [
                ("tool_0", "{\"a\":1}"),
                ("tool_1", "{\"a\":1}"),
                ("tool_2", "{\"a\":1}"),
            ];
            assert_eq!(calls, all[..count], "{wire:?} with {fault:?}");
            assert_eq!(
                answer.stop,
                Some(StopReason::ToolCalls),
                "{wire:?} with {fault:?}"
            );
            let mut ids: Vec<_> = answer.tool_calls.iter().map(|call| call.id.as_str()).collect();
            ids.dedup();
            assert_eq!(ids.len(), count, "{wire:?} with {fault:?}: {ids:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn arguments_that_are_no_json_are_kept_as_they_are() {
    on_every_wire(budget(), async |wire, models, server| {
        server.always(Turn::fault(Fault::InvalidToolJson));
        let answer = ask(&models, wire, &server.url()).await.unwrap();
        let written = match wire {
            // It sends JSON or nothing, so the fake can only send it as a string.
            Wire::Gemini => "\"{\\\"a\\\": [1, 2\"",
            _ => "{\"a\": [1, 2",
        };
        assert_eq!(answer.tool_calls.len(), 1, "{wire:?}");
        assert_eq!(answer.tool_calls[0].arguments, written, "{wire:?}");
    })
    .await;
}

/// So many requests for an answer.
fn asked(server: &ModelServer) -> usize {
    server
        .requests()
        .iter()
        .filter(|one| one.path != "/identity/token")
        .count()
}

#[tokio::test]
async fn a_reader_who_goes_away_closes_the_connection() {
    on_every_wire(budget(), async |wire, models, server| {
        server.always(Turn::text("word").tokens(2000).pace(Duration::from_millis(20)));
        let mut stream = begin(&models, wire, &server.url());
        while stream.next().await.unwrap().unwrap() != ChatEvent::Text("word".to_owned()) {}
        assert_eq!(server.busy(), 1, "{wire:?}");
        drop(stream);
        until("the answer is given up", async || {
            (server.busy() == 0).then_some(())
        })
        .await;
    })
    .await;
}
