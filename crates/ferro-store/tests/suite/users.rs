//! Accounts: names, roles, and the admin that must stay.

use ferro_store::{NewUser, Principal, Role, StoreError, UserChange, Window};

use crate::{
    both,
    db::{Db, SYSTEM, is_not_found},
};

both!(
    names_are_unique_whatever_their_case,
    the_last_active_admin_stays,
    two_admins_cannot_step_down_at_once,
    changes_at_once_do_not_undo_each_other,
    search_and_paging,
    the_first_admin_is_the_oldest,
    deleting_takes_everything_along,
);

async fn names_are_unique_whatever_their_case(db: &Db) {
    db.person("Ada", Role::User).await;
    let bob = db.person("bob", Role::User).await;
    let again = NewUser {
        username: "ADA".into(),
        password_hash: None,
        role: Role::User,
        is_active: true,
    };
    let taken = db.store.create_user(&SYSTEM, again).await;
    assert!(
        matches!(
            taken,
            Err(StoreError::Taken {
                noun: "user",
                field: "username"
            })
        ),
        "{taken:?}"
    );
    let rename = UserChange {
        username: Some("aDa".into()),
        ..UserChange::default()
    };
    let taken = db.store.change_user(&bob.principal(), bob.id, rename).await;
    assert!(matches!(taken, Err(StoreError::Taken { .. })), "{taken:?}");
    let found = db.store.user_by_name(&SYSTEM, "aDA").await.unwrap().unwrap();
    assert_eq!(found.username, "Ada", "shown as it was written");
    assert!(db.store.user_by_name(&SYSTEM, "nobody").await.unwrap().is_none());
}

#[track_caller]
fn is_refused<T: std::fmt::Debug>(result: Result<T, StoreError>) {
    assert!(matches!(result, Err(StoreError::Refused(_))), "{result:?}");
}

async fn the_last_active_admin_stays(db: &Db) {
    let first = db.person("first", Role::Admin).await;
    let by = first.principal();
    let demote = UserChange {
        role: Some(Role::User),
        ..UserChange::default()
    };
    let disable = UserChange {
        is_active: Some(false),
        ..UserChange::default()
    };
    is_refused(db.store.change_user(&by, first.id, demote.clone()).await);
    is_refused(db.store.change_user(&SYSTEM, first.id, disable.clone()).await);
    is_refused(db.store.delete_user(&SYSTEM, first.id).await);
    let kept = db.store.user(&by, first.id).await.unwrap();
    assert_eq!(
        (kept.role, kept.is_active, kept.epoch),
        (Role::Admin, true, 0),
        "nothing of it stayed"
    );

    let second = db.person("second", Role::Admin).await;
    db.store.change_user(&by, second.id, disable).await.unwrap();
    is_refused(db.store.change_user(&by, first.id, demote.clone()).await);
    let enable = UserChange {
        is_active: Some(true),
        ..UserChange::default()
    };
    db.store.change_user(&by, second.id, enable).await.unwrap();
    let demoted = db.store.change_user(&by, first.id, demote).await.unwrap();
    assert_eq!((demoted.role, demoted.epoch), (Role::User, 1), "its sessions end");
    is_refused(db.store.delete_user(&SYSTEM, second.id).await);
}

async fn two_admins_cannot_step_down_at_once(db: &Db) {
    for round in 0..10 {
        let one = db.person(&format!("one{round}"), Role::Admin).await;
        let two = db.person(&format!("two{round}"), Role::Admin).await;
        let demote = || UserChange {
            role: Some(Role::User),
            ..UserChange::default()
        };
        let (first, second) = tokio::join!(
            db.store.change_user(&SYSTEM, one.id, demote()),
            db.store.change_user(&SYSTEM, two.id, demote()),
        );
        assert_eq!(
            first.is_ok() as u8 + second.is_ok() as u8,
            1,
            "round {round}: {first:?} {second:?}"
        );
        let left = db.store.first_admin(&SYSTEM).await.unwrap().unwrap();
        // The next round begins with no other admin.
        let next = db.person(&format!("next{round}"), Role::Admin).await;
        db.store.delete_user(&SYSTEM, left.id).await.unwrap();
        let spare = db.person(&format!("spare{round}"), Role::Admin).await;
        let (gone, kept) = tokio::join!(
            db.store.delete_user(&SYSTEM, next.id),
            db.store.delete_user(&SYSTEM, spare.id)
        );
        assert_eq!(
            gone.is_ok() as u8 + kept.is_ok() as u8,
            1,
            "round {round}: {gone:?} {kept:?}"
        );
        let left = db.store.first_admin(&SYSTEM).await.unwrap().unwrap();
        db.tamper("UPDATE users SET role = 'user'").await;
        assert!(
            db.store.first_admin(&SYSTEM).await.unwrap().is_none(),
            "{}",
            left.username
        );
    }
}

/// An admin switches someone off while that someone saves their profile: they must stay off.
async fn changes_at_once_do_not_undo_each_other(db: &Db) {
    db.person("root", Role::Admin).await;
    for round in 0..20 {
        let user = db.person(&format!("user{round}"), Role::User).await;
        let off = UserChange {
            is_active: Some(false),
            ..UserChange::default()
        };
        let profile = UserChange {
            profile_image: Some(Some("cat".into())),
            ..UserChange::default()
        };
        let (off, profile) = tokio::join!(
            db.store.change_user(&SYSTEM, user.id, off),
            db.store.change_user(&SYSTEM, user.id, profile),
        );
        off.unwrap();
        profile.unwrap();
        let after = db.store.user(&SYSTEM, user.id).await.unwrap();
        assert!(!after.is_active, "round {round}: switched on again");
        assert_eq!(
            (after.epoch, after.profile_image.as_deref()),
            (1, Some("cat")),
            "round {round}"
        );
    }
}

async fn search_and_paging(db: &Db) {
    for name in ["anna", "Bernd", "b_rnd", "50%", "ÉMILE", "zoë"] {
        db.person(name, Role::User).await;
    }
    let search = async |text: &str| {
        let page = db.store.users(&SYSTEM, Some(text), Window::ALL).await.unwrap();
        page.items
            .into_iter()
            .map(|user| user.username)
            .collect::<Vec<_>>()
    };
    assert_eq!(search("b_r").await, ["b_rnd"]);
    assert_eq!(search("%").await, ["50%"]);
    assert_eq!(search("BERN").await, ["Bernd"]);
    assert_eq!(search("émile").await, ["ÉMILE"]);
    assert_eq!(search("ZOË").await, ["zoë"]);
    assert!(search(r"\").await.is_empty());
    let page = db
        .store
        .users(&SYSTEM, None, Window { offset: 1, limit: 2 })
        .await
        .unwrap();
    assert_eq!((page.items.len(), page.total), (2, 6));
    let beyond = db
        .store
        .users(
            &SYSTEM,
            None,
            Window {
                offset: 100,
                limit: 2,
            },
        )
        .await
        .unwrap();
    assert_eq!((beyond.items.len(), beyond.total), (0, 6));
}

async fn the_first_admin_is_the_oldest(db: &Db) {
    assert!(db.store.first_admin(&SYSTEM).await.unwrap().is_none());
    assert!(!db.store.has_admin_with_password(&SYSTEM).await.unwrap());
    db.person("visitor", Role::User).await;
    let first = db.person("zz", Role::Admin).await;
    let second = db.person("aa", Role::Admin).await;
    assert_eq!(db.store.first_admin(&SYSTEM).await.unwrap().unwrap().id, first.id);
    let change = UserChange {
        password_hash: Some("$argon2id$".into()),
        ..UserChange::default()
    };
    db.store
        .change_user(&second.principal(), second.id, change)
        .await
        .unwrap();
    assert!(db.store.has_admin_with_password(&SYSTEM).await.unwrap());
    let off = UserChange {
        is_active: Some(false),
        ..UserChange::default()
    };
    db.store.change_user(&SYSTEM, second.id, off).await.unwrap();
    assert!(
        !db.store.has_admin_with_password(&SYSTEM).await.unwrap(),
        "who is switched off cannot sign in"
    );
}

async fn deleting_takes_everything_along(db: &Db) {
    db.person("root", Role::Admin).await;
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await;
    db.store.create_version(&ada.by, flow.id, None, 5).await.unwrap();
    let binned = db.flow(&ada, "Two").await;
    db.store
        .trash_flows(&ada.by, vec![binned.id], None)
        .await
        .unwrap();
    db.store.delete_user(&SYSTEM, ada.user.id).await.unwrap();
    is_not_found(db.store.delete_user(&SYSTEM, ada.user.id).await);
    is_not_found(db.store.user(&SYSTEM, ada.user.id).await);
    let left = db.count(
        "SELECT (SELECT count(*) FROM flows) + (SELECT count(*) FROM flow_data) + (SELECT count(*) FROM projects)
         + (SELECT count(*) FROM flow_versions)",
    );
    assert_eq!(left.await, 0);
    is_not_found(db.store.public_flow(&Principal::Nobody, flow.id).await);
}
