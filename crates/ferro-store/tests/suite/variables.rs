//! Variables: names, values, and ciphertext that is swapped only where it still stands.

use ferro_store::{
    NewVariable, StoreError, Variable, VariableChange, VariableId, VariableKind, VariableValue,
};

use crate::{
    both,
    db::{Db, Owner, SYSTEM, is_not_found},
};

both!(
    values_and_kinds_change,
    names_are_unique_per_person,
    ciphertext_is_replaced_only_where_it_still_stands,
);

impl Db {
    async fn variable(
        &self,
        owner: &Owner,
        name: &str,
        value: VariableValue,
    ) -> Result<Variable, StoreError> {
        let default_fields = vec!["api_key".to_owned()];
        let new = NewVariable {
            id: VariableId::new(),
            name: name.to_owned(),
            value,
            default_fields,
        };
        self.store.create_variable(&owner.by, new).await
    }
}

async fn values_and_kinds_change(db: &Db) {
    let ada = db.owner("ada").await;
    let made = db
        .variable(&ada, "B", VariableValue::Generic("плоский\ttext".into()))
        .await
        .unwrap();
    db.variable(&ada, "A", VariableValue::Credential(vec![0, 255, 7]))
        .await
        .unwrap();
    let listed = db.store.variables(&ada.by).await.unwrap();
    assert_eq!(
        listed
            .iter()
            .map(|variable| variable.name.as_str())
            .collect::<Vec<_>>(),
        ["A", "B"]
    );
    assert_eq!(listed[0].value, VariableValue::Credential(vec![0, 255, 7]));
    assert_eq!(listed[1].default_fields, ["api_key"]);

    let sealed = VariableValue::Credential(vec![1; 4096]);
    let change = VariableChange {
        value: Some(sealed.clone()),
        default_fields: Some(vec![]),
        ..VariableChange::default()
    };
    let changed = db.store.change_variable(&ada.by, made.id, change).await.unwrap();
    assert_eq!(
        (changed.value.kind(), &changed.value),
        (VariableKind::Credential, &sealed)
    );
    assert!(changed.default_fields.is_empty() && changed.updated_at >= made.updated_at);
    let renamed = VariableChange {
        name: Some("C".into()),
        ..VariableChange::default()
    };
    let renamed = db.store.change_variable(&ada.by, made.id, renamed).await.unwrap();
    assert_eq!(
        (renamed.name.as_str(), renamed.value),
        ("C", sealed),
        "the rest stays"
    );
    db.store.delete_variable(&ada.by, made.id).await.unwrap();
    is_not_found(db.store.variable(&ada.by, made.id).await);
    is_not_found(db.store.delete_variable(&ada.by, made.id).await);
}

async fn names_are_unique_per_person(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let value = || VariableValue::Generic(String::new());
    db.variable(&ada, "KEY", value()).await.unwrap();
    let other = db.variable(&ada, "OTHER", value()).await.unwrap();
    let taken = db.variable(&ada, "KEY", value()).await;
    assert!(
        matches!(
            taken,
            Err(StoreError::Taken {
                noun: "variable",
                field: "name"
            })
        ),
        "{taken:?}"
    );
    let rename = VariableChange {
        name: Some("KEY".into()),
        ..VariableChange::default()
    };
    let taken = db.store.change_variable(&ada.by, other.id, rename).await;
    assert!(matches!(taken, Err(StoreError::Taken { .. })), "{taken:?}");
    db.variable(&ada, "key", value()).await.unwrap();
    db.variable(&eve, "KEY", value()).await.unwrap();
}

async fn ciphertext_is_replaced_only_where_it_still_stands(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let old = |n: u8| VariableValue::Credential(vec![n; 8]);
    let one = db.variable(&ada, "ONE", old(1)).await.unwrap();
    let two = db.variable(&eve, "TWO", old(2)).await.unwrap();
    db.variable(&eve, "PLAIN", VariableValue::Generic("x".into()))
        .await
        .unwrap();
    assert_eq!(db.store.all_credentials(&SYSTEM).await.unwrap().len(), 2);
    let pairs = vec![(one.id, vec![1; 8], vec![11]), (two.id, vec![9; 8], vec![22])];
    assert_eq!(db.store.reseal_credentials(&SYSTEM, pairs).await.unwrap(), 1);
    assert_eq!(
        db.store.variable(&ada.by, one.id).await.unwrap().value,
        VariableValue::Credential(vec![11])
    );
    assert_eq!(
        db.store.variable(&eve.by, two.id).await.unwrap().value,
        old(2),
        "it was changed meanwhile"
    );

    // A rename at the same moment must not bring the old ciphertext back.
    for round in 0..20_u8 {
        let from = db.store.variable(&ada.by, one.id).await.unwrap().value;
        let VariableValue::Credential(from) = from else {
            panic!("a credential")
        };
        let rename = VariableChange {
            name: Some(format!("ONE{round}")),
            ..VariableChange::default()
        };
        let pairs = vec![(one.id, from, vec![100 + round])];
        let (renamed, resealed) = tokio::join!(
            db.store.change_variable(&ada.by, one.id, rename),
            db.store.reseal_credentials(&SYSTEM, pairs),
        );
        renamed.unwrap();
        assert_eq!(resealed.unwrap(), 1, "round {round}");
        let after = db.store.variable(&ada.by, one.id).await.unwrap().value;
        assert_eq!(
            after,
            VariableValue::Credential(vec![100 + round]),
            "round {round}"
        );
    }
}
