//! What the assistant remembers of a session.

use ferro_assistant::PastTurn;
use ferro_server::{
    app::assistant::memory,
    http::{
        client::Client,
        identity::{Actor, Proof},
    },
};
use ferro_store::{ApiKeyId, SESSIONS_PER_PERSON};

use crate::{
    api::metrics::{read, value},
    site::{Person, Site},
};

fn actor(person: &Person) -> Actor {
    Actor {
        user: person.user.clone().into(),
        proof: Proof::ApiKey(ApiKeyId::new()),
        client: Client {
            ip: [127, 0, 0, 1].into(),
            is_local: true,
            is_https: false,
        },
    }
}

fn turn(user: &str, assistant: &str) -> PastTurn {
    PastTurn {
        user: user.to_owned(),
        assistant: assistant.to_owned(),
    }
}

#[tokio::test]
async fn the_assistant_remembers_turns_with_words_in_a_session_with_a_name() {
    let site = Site::new().await;
    let (admin, app) = (site.admin().await, &site.app);
    let (ada, eve) = (actor(&site.user("ada").await), actor(&site.user("eve").await));
    let before = read(&admin).await;
    let hi = turn("hi", "hello");
    memory::record(app, &ada, Some("agentic_1"), Some(&hi)).await;
    memory::record(app, &ada, Some("agentic_1"), Some(&turn("more", "yes"))).await;
    memory::record(app, &ada, None, Some(&hi)).await;
    memory::record(app, &ada, Some(" "), Some(&hi)).await;
    memory::record(app, &ada, Some("agentic_1"), Some(&turn("hi", " \n"))).await;
    memory::record(app, &ada, Some("agentic_1"), None).await;

    let recent = async |who, session, limit| memory::recent(app, who, session, limit).await.unwrap();
    assert_eq!(
        recent(&ada, Some("agentic_1"), 10).await,
        [hi.clone(), turn("more", "yes")]
    );
    assert_eq!(recent(&ada, Some("agentic_1"), 1).await, [turn("more", "yes")]);
    assert_eq!(recent(&ada, Some("agentic_1"), 0).await, []);
    assert_eq!(recent(&ada, None, 10).await, []);
    assert_eq!(recent(&eve, Some("agentic_1"), 10).await, []);

    let after = read(&admin).await;
    // Other tests of this process may count as well.
    let grew = |series: &str| value(&after, series).unwrap() - value(&before, series).unwrap();
    assert!(grew("assistant_conversation_buffer_turn_recorded_total") >= 2.0);
    for reason in ["anonymous_session", "empty_response"] {
        let series = format!("assistant_conversation_buffer_turn_skipped_total{{reason=\"{reason}\"}}");
        assert!(grew(&series) >= 2.0, "{reason}");
    }
    assert_eq!(value(&after, "assistant_conversation_buffer_sessions"), Some(1.0));

    for _ in 0..2 {
        memory::clear(app, &ada, "agentic_1").await.unwrap();
    }
    assert_eq!(recent(&ada, Some("agentic_1"), 10).await, []);
    for n in 0..=SESSIONS_PER_PERSON {
        memory::record(app, &ada, Some(&n.to_string()), Some(&hi)).await;
    }
    assert_eq!(recent(&ada, Some("0"), 10).await, []);
    let last = read(&admin).await;
    let evicted = "assistant_conversation_buffer_session_evicted_total";
    assert!(value(&last, evicted) > value(&before, evicted));
    assert_eq!(
        value(&last, "assistant_conversation_buffer_sessions"),
        Some(SESSIONS_PER_PERSON as f64)
    );
}
