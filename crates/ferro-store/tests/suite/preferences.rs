//! What a person chose for themselves.

use crate::{both, db::Db};

both!(a_preference_belongs_to_one_person);

async fn a_preference_belongs_to_one_person(db: &Db) {
    let ada = db.owner("ada").await;
    let eve = db.owner("eve").await;
    assert_eq!(db.store.preference(&ada.by, "models.a").await.unwrap(), None);
    for value in ["{}", "[1]"] {
        db.store
            .set_preference(&ada.by, "models.a", value.to_owned())
            .await
            .unwrap();
        let kept = db.store.preference(&ada.by, "models.a").await.unwrap();
        assert_eq!(kept.as_deref(), Some(value));
    }
    db.store
        .set_preference(&ada.by, "other", "1".to_owned())
        .await
        .unwrap();
    assert_eq!(
        db.store.preferences(&ada.by, "models.").await.unwrap(),
        [("models.a".to_owned(), "[1]".to_owned())]
    );
    assert_eq!(db.store.preferences(&eve.by, "").await.unwrap(), []);

    db.store.clear_preference(&eve.by, "models.a").await.unwrap();
    assert!(db.store.preference(&ada.by, "models.a").await.unwrap().is_some());
    db.store.clear_preference(&ada.by, "models.a").await.unwrap();
    db.store.clear_preference(&ada.by, "models.a").await.unwrap();
    assert_eq!(db.store.preference(&ada.by, "models.a").await.unwrap(), None);
}
