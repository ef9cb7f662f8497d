//! Facts about the installation.

use crate::{
    both,
    db::{Db, SYSTEM},
};

both!(a_setting_is_replaced);

async fn a_setting_is_replaced(db: &Db) {
    assert_eq!(db.store.setting(&SYSTEM, "colour").await.unwrap(), None);
    for value in ["red", "grün"] {
        db.store
            .set_setting(&SYSTEM, "colour", value.to_owned())
            .await
            .unwrap();
        assert_eq!(
            db.store.setting(&SYSTEM, "colour").await.unwrap().as_deref(),
            Some(value)
        );
    }
    assert_eq!(db.store.setting(&SYSTEM, "Colour").await.unwrap(), None);
}
