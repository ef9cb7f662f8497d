//! What people do to a conversation while a run still talks in it.

use ferro_store::{FlowId, MessageChange, MessageFilter, MessageId, MessageRecord, RunId, RunStatus, Window};

use crate::{both, db::Db, runs::message};

both!(
    what_a_person_made_of_a_message_stays,
    a_run_goes_along_with_its_renamed_session,
);

/// The ways a run's messages are written: few and many of them, and together with durations.
const CROWDS: [usize; 3] = [0, 1, 3];

async fn what_a_person_made_of_a_message_stays(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    for crowd in CROWDS {
        let mut append = ada.begins(flow);
        let (edited, moved, plain) = (
            message(flow, "s", "one"),
            message(flow, "s", "two"),
            message(flow, "s", "three"),
        );
        append.messages = vec![edited.clone(), moved.clone(), plain.clone()];
        let id = db.write(&ada, append).await;
        let change = |text: Option<&str>, session: Option<&str>| MessageChange {
            text: text.map(str::to_owned),
            session_id: session.map(str::to_owned),
            ..MessageChange::default()
        };
        let by = &ada.by;
        db.store
            .change_message(by, edited.id, change(Some("mine"), None))
            .await
            .unwrap();
        db.store
            .change_message(by, moved.id, change(None, Some("t")))
            .await
            .unwrap();
        for (step, mut said) in [edited.clone(), moved.clone(), plain.clone()]
            .into_iter()
            .enumerate()
        {
            let mut append = ada.goes_on(id, 3 + 2 * step as i64);
            append.session_id = Some("s".to_owned());
            said.text = format!("{} and more", said.text);
            append.messages = vec![said];
            append
                .messages
                .extend((0..crowd).map(|_| message(flow, "crowd", "x")));
            db.write(&ada, append).await;
        }
        let mut end = ada.goes_on(id, 9);
        end.durations = vec![(edited.id, 7), (plain.id, 8), (MessageId::new(), 9)];
        end.update.status = Some(RunStatus::Completed);
        db.write(&ada, end).await;
        let filter = MessageFilter {
            ids: Some(vec![edited.id, moved.id, plain.id]),
            ..MessageFilter::default()
        };
        let found = db.store.messages(by, filter, Window::ALL).await.unwrap().items;
        let told: Vec<_> = found
            .iter()
            .map(|m| (m.text.as_str(), m.session_id.as_str(), m.edit, m.duration_ms))
            .collect();
        assert_eq!(
            told,
            [
                ("mine", "s", true, Some(7)),
                ("two and more", "t", false, None),
                ("three and more", "s", false, Some(8)),
            ]
        );
    }
}

async fn a_run_goes_along_with_its_renamed_session(db: &Db) {
    let ada = db.owner("ada").await;
    for crowd in CROWDS {
        let flow = FlowId::new();
        let say = |id: RunId, first_seq: i64, session: &str, text: &str| {
            let mut append = ada.goes_on(id, first_seq);
            append.session_id = Some("s".to_owned());
            let mut said = message(flow, session, text);
            said.run_id = Some(id);
            append.messages = vec![said];
            append.messages.extend((0..crowd).map(|_| MessageRecord {
                run_id: Some(id),
                ..message(flow, "crowd", "x")
            }));
            append
        };
        let mut append = ada.begins(flow);
        append.messages = vec![message(flow, "s", "1")];
        let id = db.write(&ada, append).await;
        for (at, (old, new)) in [("s", "t"), ("t", "u")].into_iter().enumerate() {
            db.store
                .rename_session(&ada.by, Some(flow), old, new)
                .await
                .unwrap();
            assert_eq!(db.store.run(&ada.by, id).await.unwrap().session_id, new);
            db.write(&ada, say(id, 3 + 2 * at as i64, "s", &format!("{}", at + 2)))
                .await;
        }
        db.write(&ada, say(id, 7, "elsewhere", "4")).await;
        let texts = async |session: &str| {
            let filter = MessageFilter {
                flow_id: Some(flow),
                session_id: Some(session.to_owned()),
                ..MessageFilter::default()
            };
            let found = db
                .store
                .messages(&ada.by, filter, Window::ALL)
                .await
                .unwrap()
                .items;
            found.into_iter().map(|m| m.text).collect::<Vec<_>>()
        };
        assert_eq!(texts("u").await, ["1", "2", "3"]);
        assert_eq!(texts("elsewhere").await, ["4"]);
        assert!(texts("s").await.is_empty() && texts("t").await.is_empty());
        // A session of which nothing was said is none: its run keeps the name.
        assert_eq!(
            db.store
                .rename_session(&ada.by, Some(flow), "s", "v")
                .await
                .unwrap(),
            0
        );
        assert_eq!(db.store.run(&ada.by, id).await.unwrap().session_id, "u");
    }
}
