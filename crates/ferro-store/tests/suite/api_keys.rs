//! Keys for programs.

use std::{collections::HashMap, time::Duration};

use ferro_store::{ApiKey, ApiKeyUse, NewApiKey, Principal, Timestamp, UserChange};

use crate::{
    both,
    db::{Db, SYSTEM, is_not_found},
};

both!(a_key_works_until_it_runs_out_or_is_taken_back, uses_are_added_up,);

impl Db {
    async fn key(&self, by: &Principal, number: u8, expires_at: Option<Timestamp>) -> ApiKey {
        let new = NewApiKey {
            name: format!("key {number}"),
            prefix: "sk-abcde".into(),
            hash: [number; 32],
            expires_at,
        };
        self.store.create_api_key(by, new).await.unwrap()
    }

    async fn key_works(&self, number: u8) -> bool {
        self.store
            .api_key_owner(&SYSTEM, &[number; 32])
            .await
            .unwrap()
            .is_some()
    }
}

async fn a_key_works_until_it_runs_out_or_is_taken_back(db: &Db) {
    let ada = db.owner("ada").await;
    let hour = Duration::from_secs(3600);
    let key = db.key(&ada.by, 1, None).await;
    db.key(&ada.by, 2, Some(Timestamp::now().plus(hour))).await;
    db.key(&ada.by, 3, Some(Timestamp::now().minus(hour))).await;
    let (found, owner) = db.store.api_key_owner(&SYSTEM, &[1; 32]).await.unwrap().unwrap();
    assert_eq!((found.id, owner.id), (key.id, ada.user.id));
    assert!(db.key_works(2).await);
    assert!(!db.key_works(3).await, "it ran out");
    assert!(!db.key_works(4).await, "there is none");
    db.store.delete_api_key(&ada.by, key.id).await.unwrap();
    assert!(!db.key_works(1).await, "it was taken back");
    is_not_found(db.store.delete_api_key(&ada.by, key.id).await);
    let off = UserChange {
        is_active: Some(false),
        ..UserChange::default()
    };
    db.store.change_user(&SYSTEM, ada.user.id, off).await.unwrap();
    assert!(!db.key_works(2).await, "its owner is switched off");
    let names: Vec<_> = db
        .store
        .api_keys(&ada.by)
        .await
        .unwrap()
        .into_iter()
        .map(|key| key.name)
        .collect();
    assert_eq!(names, ["key 2", "key 3"], "in the order they were made");
}

async fn uses_are_added_up(db: &Db) {
    let ada = db.owner("ada").await;
    let (one, two) = (db.key(&ada.by, 1, None).await, db.key(&ada.by, 2, None).await);
    let last = Timestamp::now();
    for count in [3, 4] {
        let uses = HashMap::from([(one.id, ApiKeyUse { count, last })]);
        db.store.note_api_key_uses(&SYSTEM, uses).await.unwrap();
    }
    let keys = db.store.api_keys(&ada.by).await.unwrap();
    assert_eq!((keys[0].total_uses, keys[0].last_used_at), (7, Some(last)));
    assert_eq!(
        (keys[1].id, keys[1].total_uses, keys[1].last_used_at),
        (two.id, 0, None)
    );
}
