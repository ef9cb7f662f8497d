//! Providers that say no: closed ports, wrong keys, rates, failures that pass and failures that stay.

use std::time::Duration;

use ferro_llm::{Budget, Class, Models};
use ferro_net::{AddressPolicy, Client};
use ferro_testkit::{ModelServer, Turn, until};
use futures_util::future::join_all;
use serde_json::json;

use super::{ATTEMPTS, WIRES, Wire, ask, asked, budget, client, on_every_wire, well_said};

#[tokio::test]
async fn a_closed_port_is_the_networks_fault() {
    let address = ModelServer::refusing().await;
    let policy = AddressPolicy::default().allow(address.to_string().parse().unwrap());
    let net = Client::new(policy).unwrap();
    for wire in WIRES {
        let models = Models::new(net.clone(), budget());
        let broken = ask(&models, wire, &format!("http://{address}"))
            .await
            .unwrap_err();
        assert_eq!(broken.error.class, Class::Network, "{wire:?}: {:?}", broken.error);
        // The key is exchanged for a token first, and that is asked for once.
        let attempts = if wire == Wire::Watsonx {
            0..=ATTEMPTS
        } else {
            ATTEMPTS..=ATTEMPTS
        };
        assert!(
            attempts.contains(&broken.error.attempts),
            "{wire:?}: {:?}",
            broken.error
        );
        well_said(&broken.error, &format!("{wire:?}"));
    }
}

#[tokio::test]
async fn a_wrong_key_is_not_tried_again() {
    on_every_wire(budget(), async |wire, models, server| {
        // Ollama has no key that its answers could repeat.
        let key = if wire == Wire::Ollama {
            "none"
        } else {
            "a-secret-key"
        };
        let body = json!({"error": {"message": format!("Incorrect API key provided: {key}.")}});
        server.always(Turn::status(401, body));
        let broken = ask(&models, wire, &server.url()).await.unwrap_err();
        assert_eq!(broken.error.class, Class::Authentication, "{wire:?}");
        assert_eq!(broken.error.status, Some(401), "{wire:?}");
        // Where the key buys a token, an old token is given up first.
        let most = if wire == Wire::Watsonx { 2 } else { 1 };
        assert_eq!(asked(server), most, "{wire:?}");
        well_said(&broken.error, &format!("{wire:?}"));
    })
    .await;
}

#[tokio::test]
async fn a_server_that_fails_now_and_then_is_asked_again() {
    on_every_wire(budget(), async |wire, models, server| {
        for _ in 0..6 {
            server.push(Turn::status(500, json!({"error": {"message": "oops"}})));
            server.push(Turn::text("here you are"));
            let answer = ask(&models, wire, &server.url()).await.unwrap();
            assert_eq!(answer.text, "here you are", "{wire:?}");
        }
        assert_eq!(asked(server), 12, "{wire:?}");
    })
    .await;
}

#[tokio::test]
async fn retry_after_is_obeyed_within_reason() {
    on_every_wire(budget(), async |wire, models, server| {
        let refused = |said: &str| {
            Turn::status(429, json!({"error": {"message": "slow down"}})).header("retry-after", said)
        };
        for said in ["0", "-7", "soon", "", "Wed, 21 Oct 2015 07:28:00 GMT"] {
            let before = asked(server);
            server.push(refused(said));
            server.push(Turn::text("now"));
            assert_eq!(
                ask(&models, wire, &server.url()).await.unwrap().text,
                "now",
                "{wire:?}: {said}"
            );
            assert_eq!(asked(server), before + 2, "{wire:?}: {said}");
        }
        for said in ["99999999999999999999", "Wed, 21 Oct 2099 07:28:00 GMT"] {
            // Who pauses one key of one provider pauses no other.
            let models = Models::new(client(std::slice::from_ref(server)), budget());
            let before = asked(server);
            server.push(refused(said));
            for _ in 0..2 {
                let broken = ask(&models, wire, &server.url()).await.unwrap_err();
                assert_eq!(broken.error.class, Class::RateLimit, "{wire:?}: {said}");
                assert!(
                    broken.error.retry_after > Some(Duration::from_secs(60)),
                    "{wire:?}: {said}"
                );
            }
            assert_eq!(
                asked(server),
                before + 1,
                "{wire:?}: asked again although told not to: {said}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_provider_that_keeps_failing_is_left_alone_and_then_tried() {
    let server = ModelServer::start().await;
    let rest = Duration::from_millis(1500);
    let models = Models::new(
        client(std::slice::from_ref(&server)),
        Budget {
            attempts: 1,
            rest,
            ..budget()
        },
    );
    server.always(Turn::status(500, json!({"error": {"message": "oops"}})));
    for _ in 0..5 {
        let broken = ask(&models, Wire::Chat, &server.url()).await.unwrap_err();
        assert_eq!(broken.error.status, Some(500));
    }
    let opened = tokio::time::Instant::now();
    for _ in 0..20 {
        let broken = ask(&models, Wire::Chat, &server.url()).await.unwrap_err();
        assert_eq!((broken.error.class, broken.error.status), (Class::Server, None));
    }
    assert!(opened.elapsed() < rest, "too slow a machine to tell");
    assert_eq!(asked(&server), 5, "asked although it had failed five times");
    // Another provider is not held back by this one.
    let other = ask(&models, Wire::Ollama, &server.url()).await.unwrap_err();
    assert_eq!(other.error.status, Some(500));

    let url = server.url();
    // After the rest one question decides, however many there are.
    let failed = until("one is let through", async || {
        let many = join_all((0..8).map(|_| ask(&models, Wire::Chat, &url))).await;
        let failed = many
            .iter()
            .filter(|one| one.as_ref().is_err_and(|one| one.error.status == Some(500)))
            .count();
        (failed > 0).then_some(failed)
    })
    .await;
    assert_eq!((failed, asked(&server)), (1, 7));
    assert!(opened.elapsed() >= rest);

    server.always(Turn::text("back again"));
    let answer = until("the circuit closes", async || {
        let answered = ask(&models, Wire::Chat, &url).await;
        answered.ok()
    })
    .await;
    assert_eq!(answer.text, "back again");
    ask(&models, Wire::Chat, &server.url()).await.unwrap();
}

#[tokio::test]
async fn the_circuit_opens_within_one_question_too() {
    let server = ModelServer::start().await;
    let models = Models::new(
        client(std::slice::from_ref(&server)),
        Budget {
            attempts: 20,
            ..budget()
        },
    );
    server.always(Turn::status(503, json!({"error": {"message": "overloaded"}})));
    let broken = ask(&models, Wire::Chat, &server.url()).await.unwrap_err();
    // The provider's own words, and not that it is left alone.
    assert_eq!((broken.error.status, broken.error.attempts), (Some(503), 5));
    assert_eq!(asked(&server), 5);
}
