//! What is known of files.

use ferro_store::{File, FileId, NewFile, StoreError};

use crate::{
    both,
    db::{Db, Owner, SYSTEM, is_not_found},
};

both!(
    names_count_on_and_order_is_by_change,
    deleting_is_all_or_nothing,
    a_file_that_grew_says_so,
);

impl Db {
    async fn file(&self, owner: &Owner, name: &str) -> File {
        let new = NewFile {
            id: FileId::new(),
            name: name.to_owned(),
            mime_type: "text/plain".into(),
            size: 5,
        };
        self.store.create_file(&owner.by, new).await.unwrap()
    }
}

async fn names_count_on_and_order_is_by_change(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let first = db.file(&ada, "notes.txt").await;
    assert_eq!(db.file(&ada, "notes.txt").await.name, "notes (1).txt");
    assert_eq!(db.file(&ada, "notes.txt").await.name, "notes (2).txt");
    assert_eq!(db.file(&ada, "100%_a.txt").await.name, "100%_a.txt");
    assert_eq!(db.file(&ada, "README").await.name, "README");
    assert_eq!(db.file(&ada, "README").await.name, "README (1)");
    assert_eq!(db.file(&eve, "notes.txt").await.name, "notes.txt");
    let taken = db.store.rename_file(&ada.by, first.id, "README".into()).await;
    assert!(
        matches!(
            taken,
            Err(StoreError::Taken {
                noun: "file",
                field: "name"
            })
        ),
        "{taken:?}"
    );
    let renamed = db
        .store
        .rename_file(&ada.by, first.id, "zettel.txt".into())
        .await
        .unwrap();
    assert!(renamed.updated_at > first.updated_at);
    let listed = db.store.files(&ada.by).await.unwrap();
    assert_eq!(listed[0].name, "zettel.txt", "the last changed first");
    assert_eq!(listed.len(), 6);

    let ada = &ada;
    let made =
        futures_util::future::join_all((0..20).map(|_| async move { db.file(ada, "same.bin").await.name }))
            .await;
    let distinct: std::collections::HashSet<_> = made.iter().collect();
    assert_eq!(distinct.len(), 20, "{made:?}");
}

async fn deleting_is_all_or_nothing(db: &Db) {
    let ada = db.owner("ada").await;
    let (one, two) = (db.file(&ada, "1").await.id, db.file(&ada, "2").await.id);
    is_not_found(
        db.store
            .delete_files(&ada.by, vec![one, FileId::new(), two])
            .await,
    );
    assert_eq!(db.store.files(&ada.by).await.unwrap().len(), 2);
    db.store.delete_files(&ada.by, vec![one, two]).await.unwrap();
    assert!(!db.store.file_exists(&SYSTEM, one).await.unwrap());
    is_not_found(db.store.file(&ada.by, two).await);
}

async fn a_file_that_grew_says_so(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let file = db.file(&ada, "data.db").await;
    is_not_found(db.store.resize_file(&eve.by, file.id, 9).await);
    is_not_found(db.store.resize_file(&ada.by, FileId::new(), 9).await);
    assert_eq!(db.store.file(&ada.by, file.id).await.unwrap().size, 5);
    let grown = db.store.resize_file(&ada.by, file.id, 8192).await.unwrap();
    assert_eq!((grown.size, grown.name.as_str()), (8192, "data.db"));
    assert_eq!(db.store.file(&ada.by, file.id).await.unwrap().size, 8192);
}
