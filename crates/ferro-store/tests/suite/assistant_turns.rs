//! What people and the assistant said to each other lately.

use ferro_store::{AssistantTurn, Principal, SESSIONS_PER_PERSON, TURN_TEXT, TURNS_PER_SESSION, Timestamp};

use crate::{
    both,
    db::{Db, Owner, SYSTEM, is_forbidden},
};

both!(
    turns_are_told_oldest_first_and_only_to_their_own,
    a_session_keeps_its_last_turns,
    the_session_not_used_for_longest_goes,
    turns_said_at_once_are_all_kept,
    long_texts_are_shortened,
    turns_go_with_the_account_and_with_time,
);

const TURNS: usize = TURNS_PER_SESSION as usize;

impl Db {
    async fn turn(&self, who: &Owner, session: &str, asked: &str) -> ferro_store::KeptTurn {
        self.store
            .push_assistant_turn(&who.by, session, asked, "yes")
            .await
            .unwrap()
    }

    async fn asked(&self, who: &Owner, session: &str) -> Vec<String> {
        let turns = self
            .store
            .assistant_turns(&who.by, session, usize::MAX)
            .await
            .unwrap();
        turns.into_iter().map(|turn| turn.asked).collect()
    }
}

async fn turns_are_told_oldest_first_and_only_to_their_own(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    assert!(db.asked(&ada, "s").await.is_empty());
    assert_eq!(db.turn(&ada, "s", "one").await.index, 1);
    assert_eq!(db.turn(&ada, "s", "two").await.index, 2);
    assert_eq!(db.turn(&ada, "other", "three").await.sessions, 2);
    db.turn(&eve, "s", "hers").await;

    assert_eq!(db.asked(&ada, "s").await, ["one", "two"]);
    assert_eq!(
        db.store.assistant_turns(&ada.by, "s", 1).await.unwrap(),
        [AssistantTurn {
            asked: "two".to_owned(),
            answered: "yes".to_owned()
        }]
    );
    assert_eq!(db.asked(&eve, "s").await, ["hers"]);
    assert_eq!(db.store.assistant_sessions(&SYSTEM).await.unwrap(), 3);

    for left in [2, 0] {
        let cleared = db.store.clear_assistant_turns(&ada.by, "s").await.unwrap();
        assert_eq!(cleared, left, "a second time changes nothing");
    }
    assert_eq!(db.asked(&ada, "other").await, ["three"]);
    assert_eq!(db.asked(&eve, "s").await, ["hers"]);

    for by in [Principal::Nobody, SYSTEM] {
        is_forbidden(db.store.assistant_turns(&by, "s", 1).await);
        is_forbidden(db.store.push_assistant_turn(&by, "s", "a", "b").await);
        is_forbidden(db.store.clear_assistant_turns(&by, "s").await);
    }
    is_forbidden(db.store.assistant_sessions(&ada.by).await);
    is_forbidden(db.store.purge_assistant_turns(&ada.by, Timestamp::now()).await);
}

async fn a_session_keeps_its_last_turns(db: &Db) {
    let ada = db.owner("ada").await;
    for n in 0..TURNS + 3 {
        let kept = db.turn(&ada, "s", &n.to_string()).await;
        assert_eq!(kept.index, TURNS_PER_SESSION.min(n as i64 + 1));
        db.turn(&ada, "between", &n.to_string()).await;
    }
    let last: Vec<String> = (3..TURNS + 3).map(|n| n.to_string()).collect();
    assert_eq!(db.asked(&ada, "s").await, last);
    assert_eq!(db.asked(&ada, "between").await, last);
}

async fn the_session_not_used_for_longest_goes(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    db.turn(&eve, "session 0", "hers").await;
    for n in 0..SESSIONS_PER_PERSON {
        assert!(
            db.turn(&ada, &format!("session {n}"), "hi")
                .await
                .evicted
                .is_empty()
        );
    }
    db.turn(&ada, "session 0", "again").await;
    let kept = db.turn(&ada, "one more", "hi").await;
    assert_eq!(kept.evicted, ["session 1"]);
    assert_eq!(kept.sessions, SESSIONS_PER_PERSON);
    assert_eq!(db.asked(&ada, "session 0").await, ["hi", "again"]);
    assert!(db.asked(&ada, "session 1").await.is_empty());
    assert_eq!(db.asked(&eve, "session 0").await, ["hers"]);
}

async fn turns_said_at_once_are_all_kept(db: &Db) {
    let ada = db.owner("ada").await;
    let said = (0..TURNS).map(|n| {
        let (store, by) = (db.store.clone(), ada.by);
        tokio::spawn(async move {
            store
                .push_assistant_turn(&by, "s", &n.to_string(), "yes")
                .await
                .unwrap()
                .index
        })
    });
    let mut places: Vec<i64> = futures_util::future::try_join_all(said).await.unwrap();
    places.sort_unstable();
    assert_eq!(places, (1..=TURNS_PER_SESSION).collect::<Vec<_>>());
    let mut kept = db.asked(&ada, "s").await;
    kept.sort_unstable();
    assert_eq!(kept, (0..TURNS).map(|n| n.to_string()).collect::<Vec<_>>());
}

async fn long_texts_are_shortened(db: &Db) {
    let ada = db.owner("ada").await;
    let long = "ü".repeat(TURN_TEXT + 1);
    db.store
        .push_assistant_turn(&ada.by, "s\0", &long, "nul \0 there")
        .await
        .unwrap();
    let kept = db.store.assistant_turns(&ada.by, "s\0", 1).await.unwrap();
    assert_eq!(kept[0].asked, "ü".repeat(TURN_TEXT));
    assert_eq!(kept[0].answered, "nul \u{fffd} there");
}

async fn turns_go_with_the_account_and_with_time(db: &Db) {
    db.person("root", ferro_store::Role::Admin).await;
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    db.turn(&ada, "s", "hi").await;
    db.turn(&eve, "s", "hi").await;
    db.store.delete_user(&SYSTEM, ada.user.id).await.unwrap();
    assert_eq!(db.count("SELECT count(*) FROM assistant_turns").await, 1);

    let store = &db.store;
    assert_eq!(
        store.purge_assistant_turns(&SYSTEM, Timestamp(0)).await.unwrap(),
        0
    );
    assert_eq!(db.asked(&eve, "s").await, ["hi"]);
    let later = Timestamp::now().plus(std::time::Duration::from_secs(1));
    assert_eq!(store.purge_assistant_turns(&SYSTEM, later).await.unwrap(), 1);
    assert!(db.asked(&eve, "s").await.is_empty());
}
