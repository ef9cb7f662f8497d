//! Messages and the sessions they make up.

use ferro_store::{
    FlowId, MessageChange, MessageFilter, MessageId, MessageOrder, NewestFilter, StoreError, Timestamp,
    Window,
};

use crate::{
    both,
    db::{Db, Owner, is_not_found},
    runs::message,
};

both!(
    messages_are_listed_filtered_and_ordered,
    the_newest_come_oldest_first,
    changing_the_text_marks_it_edited,
    sessions_belong_to_an_owner_and_a_flow,
    sessions_are_renamed_unless_the_name_is_in_use,
    sessions_are_deleted,
    a_message_is_made_once,
);

impl Db {
    async fn say(&self, owner: &Owner, flow: FlowId, session: &str, text: &str) -> MessageId {
        let new = message(flow, session, text);
        self.store.create_message(&owner.by, new).await.unwrap().id
    }

    async fn texts(&self, owner: &Owner, filter: MessageFilter) -> Vec<String> {
        let page = self.store.messages(&owner.by, filter, Window::ALL).await.unwrap();
        page.items.into_iter().map(|message| message.text).collect()
    }

    async fn sessions(&self, owner: &Owner, flow: Option<FlowId>) -> Vec<(String, FlowId, i64)> {
        let found = self.store.message_sessions(&owner.by, flow).await.unwrap();
        found
            .into_iter()
            .map(|session| (session.session_id, session.flow_id, session.messages))
            .collect()
    }
}

async fn messages_are_listed_filtered_and_ordered(db: &Db) {
    let ada = db.owner("ada").await;
    let (one, two) = (FlowId::new(), FlowId::new());
    let mut ids = Vec::new();
    for (n, (flow, session, sender, name, context, text)) in [
        (one, "s2", "User", "Ada", None, "c"),
        (one, "s1", "Machine", "Carl", Some("x"), "b"),
        (two, "s1", "User", "Bob", None, "a"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut new = message(flow, session, text);
        new.timestamp = Timestamp(1_000 + n as i64);
        (new.sender, new.sender_name) = (sender.to_owned(), name.to_owned());
        new.context_id = context.map(str::to_owned);
        ids.push(new.id);
        assert_eq!(db.store.create_message(&ada.by, new.clone()).await.unwrap(), new);
    }
    let all = MessageFilter::default;
    let some = |text: &str| Some(text.to_owned());
    for (filter, expected) in [
        (all(), vec!["c", "b", "a"]),
        (
            MessageFilter {
                descending: true,
                ..all()
            },
            vec!["a", "b", "c"],
        ),
        (
            MessageFilter {
                flow_id: Some(one),
                ..all()
            },
            vec!["c", "b"],
        ),
        (
            MessageFilter {
                session_id: some("s1"),
                ..all()
            },
            vec!["b", "a"],
        ),
        (
            MessageFilter {
                session_id: some("S1"),
                ..all()
            },
            vec![],
        ),
        (
            MessageFilter {
                sender: some("User"),
                ..all()
            },
            vec!["c", "a"],
        ),
        (
            MessageFilter {
                sender_name: some("Carl"),
                ..all()
            },
            vec!["b"],
        ),
        (
            MessageFilter {
                context_id: some("x"),
                ..all()
            },
            vec!["b"],
        ),
        (
            MessageFilter {
                ids: Some(vec![ids[2], ids[0]]),
                ..all()
            },
            vec!["c", "a"],
        ),
        (
            MessageFilter {
                ids: Some(vec![]),
                ..all()
            },
            vec![],
        ),
        (
            MessageFilter {
                order_by: MessageOrder::Text,
                ..all()
            },
            vec!["a", "b", "c"],
        ),
        (
            MessageFilter {
                order_by: MessageOrder::Sender,
                ..all()
            },
            vec!["b", "c", "a"],
        ),
        (
            MessageFilter {
                order_by: MessageOrder::SenderName,
                ..all()
            },
            vec!["c", "a", "b"],
        ),
        (
            MessageFilter {
                order_by: MessageOrder::SessionId,
                ..all()
            },
            vec!["b", "a", "c"],
        ),
        (
            MessageFilter {
                order_by: MessageOrder::SessionId,
                descending: true,
                ..all()
            },
            vec!["c", "a", "b"],
        ),
        (
            MessageFilter {
                order_by: MessageOrder::Text,
                descending: true,
                ..all()
            },
            vec!["c", "b", "a"],
        ),
        (
            MessageFilter {
                order_by: MessageOrder::Sender,
                descending: true,
                ..all()
            },
            vec!["a", "c", "b"],
        ),
        (
            MessageFilter {
                order_by: MessageOrder::SenderName,
                descending: true,
                ..all()
            },
            vec!["b", "a", "c"],
        ),
    ] {
        assert_eq!(db.texts(&ada, filter.clone()).await, expected, "{filter:?}");
    }
    let page = db
        .store
        .messages(&ada.by, all(), Window { offset: 1, limit: 1 })
        .await
        .unwrap();
    assert_eq!((page.items[0].text.as_str(), page.total), ("b", 3));
}

async fn the_newest_come_oldest_first(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    for n in 0..5 {
        let mut new = message(flow, "s", &n.to_string());
        new.timestamp = Timestamp(n);
        new.sender = if n % 2 == 0 { "User" } else { "Machine" }.to_owned();
        new.context_id = (n > 1).then(|| "x".to_owned());
        db.store.create_message(&ada.by, new).await.unwrap();
    }
    db.say(&ada, FlowId::new(), "s", "another flow's").await;
    db.say(&ada, flow, "t", "another session's").await;
    let newest = |filter: NewestFilter, limit| {
        let (store, by) = (db.store.clone(), ada.by);
        async move {
            let found = store
                .newest_messages(&by, flow, "s", filter, limit)
                .await
                .unwrap();
            found.into_iter().map(|message| message.text).collect::<Vec<_>>()
        }
    };
    assert_eq!(newest(NewestFilter::default(), 3).await, ["2", "3", "4"]);
    assert_eq!(newest(NewestFilter::default(), i64::MAX).await.len(), 5);
    let users = NewestFilter {
        sender: Some("User".to_owned()),
        ..NewestFilter::default()
    };
    assert_eq!(newest(users, 2).await, ["2", "4"]);
    let context = NewestFilter {
        context_id: Some("x".to_owned()),
        sender_name: Some("Ada".to_owned()),
        ..NewestFilter::default()
    };
    assert_eq!(newest(context, 9).await, ["2", "3", "4"]);
}

async fn changing_the_text_marks_it_edited(db: &Db) {
    let ada = db.owner("ada").await;
    let id = db.say(&ada, FlowId::new(), "s", "first").await;
    let same = MessageChange {
        text: Some("first".to_owned()),
        properties: Some(r#"{"positive_feedback":true}"#.to_owned()),
        duration_ms: Some(7),
        ..MessageChange::default()
    };
    let changed = db.store.change_message(&ada.by, id, same).await.unwrap();
    assert!(!changed.edit);
    assert_eq!(changed.duration_ms, Some(7));
    let other = MessageChange {
        text: Some("second".to_owned()),
        edit: Some(false),
        ..MessageChange::default()
    };
    let changed = db.store.change_message(&ada.by, id, other).await.unwrap();
    assert!(changed.edit);
    assert_eq!(changed.properties, r#"{"positive_feedback":true}"#);
    let found = db
        .store
        .messages(&ada.by, MessageFilter::default(), Window::ALL)
        .await
        .unwrap();
    assert_eq!(found.items, [changed]);
    let of_another = MessageChange {
        of_flow: Some(FlowId::new()),
        text: Some("third".to_owned()),
        ..MessageChange::default()
    };
    is_not_found(db.store.change_message(&ada.by, id, of_another).await);
    is_not_found(
        db.store
            .change_message(&ada.by, MessageId::new(), MessageChange::default())
            .await,
    );
    assert_eq!(
        db.store
            .delete_messages(&ada.by, vec![id, MessageId::new()])
            .await
            .unwrap(),
        1
    );
    assert_eq!(db.store.delete_messages(&ada.by, vec![]).await.unwrap(), 0);
}

async fn sessions_belong_to_an_owner_and_a_flow(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let (one, two) = (FlowId::new(), FlowId::new());
    db.say(&ada, one, "s", "1").await;
    db.say(&ada, one, "s", "2").await;
    db.say(&ada, two, "s", "3").await;
    db.say(&ada, one, "agentic_x", "hidden").await;
    db.say(&ada, one, "agenticx", "4").await;
    db.say(&ada, one, "AGENTIC_x", "5").await;
    db.say(&eve, one, "s", "6").await;
    let shown = |name: &str, flow, count| (name.to_owned(), flow, count);
    assert_eq!(
        db.sessions(&ada, None).await,
        [
            shown("AGENTIC_x", one, 1),
            shown("agenticx", one, 1),
            shown("s", two, 1),
            shown("s", one, 2)
        ]
    );
    assert_eq!(db.sessions(&ada, Some(two)).await, [shown("s", two, 1)]);
    assert_eq!(db.sessions(&eve, None).await, [shown("s", one, 1)]);
    let session = |flow| MessageFilter {
        flow_id: Some(flow),
        session_id: Some("s".to_owned()),
        ..MessageFilter::default()
    };
    assert_eq!(db.texts(&ada, session(one)).await, ["1", "2"]);
    assert_eq!(db.texts(&ada, session(two)).await, ["3"]);
    assert_eq!(db.texts(&eve, session(one)).await, ["6"]);
    let last = db.store.message_sessions(&ada.by, Some(two)).await.unwrap();
    let newest = db
        .store
        .newest_messages(&ada.by, two, "s", NewestFilter::default(), 1)
        .await;
    assert_eq!(last[0].last_at, newest.unwrap()[0].timestamp);
}

async fn sessions_are_renamed_unless_the_name_is_in_use(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let (one, two) = (FlowId::new(), FlowId::new());
    db.say(&ada, one, "old", "1").await;
    db.say(&ada, two, "old", "2").await;
    db.say(&ada, two, "new", "3").await;
    db.say(&eve, one, "old", "4").await;
    db.say(&eve, one, "new", "5").await;
    let run = db
        .write(&ada, {
            let mut append = ada.ended(one);
            append.create.as_mut().unwrap().session_id = "old".to_owned();
            append
        })
        .await;
    let rename = |flow, old: &'static str, new: &'static str| {
        let (store, by) = (db.store.clone(), ada.by);
        async move { store.rename_session(&by, flow, old, new).await }
    };
    for flow in [Some(two), None] {
        let refused = rename(flow, "old", "new").await;
        assert!(
            matches!(refused, Err(StoreError::Taken { noun: "session", .. })),
            "{refused:?}"
        );
    }
    assert_eq!(rename(Some(one), "old", "new").await.unwrap(), 1);
    assert_eq!(db.store.run(&ada.by, run).await.unwrap().session_id, "new");
    assert_eq!(rename(Some(one), "old", "other").await.unwrap(), 0);
    assert_eq!(rename(Some(one), "new", "new").await.unwrap(), 1);
    assert_eq!(rename(None, "new", "third").await.unwrap(), 2);
    let mut left = db.sessions(&ada, None).await;
    left.sort();
    let mut expected = vec![
        ("third".to_owned(), one, 1),
        ("third".to_owned(), two, 1),
        ("old".to_owned(), two, 1),
    ];
    expected.sort();
    assert_eq!(left, expected);
    assert_eq!(db.sessions(&eve, None).await.len(), 2);
}

async fn sessions_are_deleted(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let (one, two) = (FlowId::new(), FlowId::new());
    for session in ["a", "b", "c"] {
        db.say(&ada, one, session, "x").await;
        db.say(&ada, two, session, "x").await;
        db.say(&eve, one, session, "x").await;
    }
    assert_eq!(db.store.delete_session(&ada.by, Some(one), "a").await.unwrap(), 1);
    assert_eq!(db.store.delete_session(&ada.by, None, "a").await.unwrap(), 1);
    let names = vec!["b".to_owned(), "c".to_owned(), "nowhere".to_owned()];
    assert_eq!(
        db.store.delete_sessions(&ada.by, Some(one), names).await.unwrap(),
        2
    );
    assert_eq!(db.sessions(&ada, None).await.len(), 2);
    assert_eq!(db.sessions(&eve, None).await.len(), 3);
}

async fn a_message_is_made_once(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let new = message(FlowId::new(), "s", "x");
    db.store.create_message(&ada.by, new.clone()).await.unwrap();
    for by in [ada.by, eve.by] {
        let again = db.store.create_message(&by, new.clone()).await;
        assert!(
            matches!(
                again,
                Err(StoreError::Taken {
                    noun: "message",
                    field: "id"
                })
            ),
            "{again:?}"
        );
    }
}
