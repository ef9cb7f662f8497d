//! What nodes say while they run.

use expect_test::expect;
use ferro_engine::Body;

use crate::support::{block_on, check, run};

#[test]
fn messages_and_tokens_come_where_they_were_said() {
    check(
        "a Echo in=hi; s Speak; a.out -> s.in",
        expect![[r#"
        start a
        done a hi
        start s
        message s "hi" store=true output=true
        token s "to"
        token s "ken"
        done s hi
        ended completed
    "#]],
    );
}

#[test]
fn a_message_gets_an_id_a_time_and_the_session() {
    block_on(async {
        let past = run("s Speak in=x").await;
        let message = past.events.iter().find_map(|event| match &event.body {
            Body::Message { message, .. } => Some(message.clone()),
            _ => None,
        });
        let message = message.unwrap();
        assert!(message.id.is_some() && message.timestamp > 0);
    });
}
