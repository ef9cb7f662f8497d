//! What the assistant remembers of a session: the turns that were brought to an end. They are in the store, so every
//! server of an installation knows them, and a restart forgets nothing.

use ferro_assistant::PastTurn;

use crate::error::Result;
use crate::http::identity::Actor;
use crate::state::App;

/// The last turns of a session, oldest first. Without a session there are none.
pub async fn recent(app: &App, actor: &Actor, session: Option<&str>, limit: usize) -> Result<Vec<PastTurn>> {
    let Some(session) = named(session).filter(|_| limit > 0) else {
        return Ok(Vec::new());
    };
    let kept = app
        .store
        .assistant_turns(&actor.principal(), session, limit)
        .await?;
    let past = kept.into_iter().map(|turn| PastTurn {
        user: turn.asked,
        assistant: turn.answered,
    });
    Ok(past.collect())
}

/// Keeps a turn, if there is something to keep and a session to keep it in. The turn is over by now, so a store that
/// does not take it is told to the log and not to the person.
pub async fn record(app: &App, actor: &Actor, session: Option<&str>, turn: Option<&PastTurn>) {
    let Some(session) = named(session) else {
        return skipped("anonymous_session");
    };
    let said = |turn: &&PastTurn| !turn.user.trim().is_empty() && !turn.assistant.trim().is_empty();
    let Some(turn) = turn.filter(said) else {
        return skipped("empty_response");
    };
    let by = actor.principal();
    let pushed = app
        .store
        .push_assistant_turn(&by, session, &turn.user, &turn.assistant);
    let kept = match pushed.await {
        Ok(kept) => kept,
        Err(error) => {
            tracing::warn!(%error, session_id = session, "a turn with the assistant could not be remembered");
            return;
        }
    };
    metrics::counter!("assistant_conversation_buffer_turn_recorded_total").increment(1);
    tracing::info!(
        session_id = session,
        turn_index = kept.index,
        user_length = turn.user.chars().count(),
        assistant_length = turn.assistant.chars().count(),
        "assistant.conversation_buffer.turn_recorded"
    );
    for evicted in kept.evicted {
        metrics::counter!("assistant_conversation_buffer_session_evicted_total").increment(1);
        tracing::info!(
            evicted_session_id = evicted,
            current_session_count = kept.sessions,
            "assistant.conversation_buffer.session_evicted"
        );
    }
}

/// Forgets a session; one that is not there is forgotten already.
pub async fn clear(app: &App, actor: &Actor, session: &str) -> Result<()> {
    app.store
        .clear_assistant_turns(&actor.principal(), session)
        .await?;
    Ok(())
}

fn named(session: Option<&str>) -> Option<&str> {
    session.filter(|id| !id.trim().is_empty())
}

fn skipped(reason: &'static str) {
    metrics::counter!("assistant_conversation_buffer_turn_skipped_total", "reason" => reason).increment(1);
}
