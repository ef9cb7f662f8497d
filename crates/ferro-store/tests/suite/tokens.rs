//! Sessions and tokens: when they are good, and what ends them.

use std::time::Duration;

use ferro_store::{Grant, NewToken, Role, TokenFamily, TokenKind, User, UserChange};

use crate::{
    both,
    db::{Db, SYSTEM},
};

both!(
    a_token_is_good_for_its_kind_until_it_runs_out,
    a_session_ends_when_left_alone,
    a_refresh_token_works_once_and_a_copy_ends_the_family,
    of_two_refreshes_at_once_one_is_the_copy,
    a_new_epoch_voids_every_token,
    a_family_is_revoked_alone,
);

const HOUR: Duration = Duration::from_secs(3600);
const NEVER: Duration = Duration::from_secs(u32::MAX as u64);

fn token(number: u8, kind: TokenKind, lifetime: Duration) -> NewToken {
    NewToken {
        hash: [number; 32],
        kind,
        lifetime,
    }
}

fn three(from: u8) -> Vec<NewToken> {
    vec![
        token(from, TokenKind::Session, HOUR),
        token(from + 1, TokenKind::Access, HOUR),
        token(from + 2, TokenKind::Refresh, HOUR),
    ]
}

const ANY: &[TokenKind] = &[TokenKind::Session, TokenKind::Access, TokenKind::Refresh];

impl Db {
    async fn sign_in(&self, user: &User, from: u8) -> TokenFamily {
        let family = TokenFamily::new();
        self.store
            .create_tokens(&SYSTEM, user.id, family, three(from))
            .await
            .unwrap();
        family
    }

    async fn grant(&self, number: u8, kinds: &[TokenKind]) -> Option<Grant> {
        self.store
            .grant(&SYSTEM, &[number; 32], kinds, NEVER)
            .await
            .unwrap()
    }

    async fn good(&self, number: u8) -> bool {
        self.grant(number, ANY).await.is_some()
    }

    async fn refresh(&self, number: u8, from: u8) -> Option<Grant> {
        self.store
            .refresh(&SYSTEM, [number; 32], three(from))
            .await
            .unwrap()
    }
}

async fn a_token_is_good_for_its_kind_until_it_runs_out(db: &Db) {
    let ada = db.person("ada", Role::User).await;
    let family = db.sign_in(&ada, 1).await;
    let grant = db.grant(2, &[TokenKind::Access]).await.unwrap();
    assert_eq!(
        (grant.user.id, grant.family, grant.kind),
        (ada.id, family, TokenKind::Access)
    );
    assert!(
        db.grant(3, &[TokenKind::Access]).await.is_none(),
        "a refresh token opens nothing"
    );
    assert!(
        db.grant(1, &[TokenKind::Access]).await.is_none(),
        "nor does a session where a bearer is asked for"
    );
    assert!(!db.good(99).await);

    let over = vec![
        token(10, TokenKind::Access, Duration::ZERO),
        token(11, TokenKind::Refresh, Duration::ZERO),
    ];
    db.store
        .create_tokens(&SYSTEM, ada.id, TokenFamily::new(), over)
        .await
        .unwrap();
    assert!(!db.good(10).await, "it ran out at once");
    assert!(db.refresh(11, 20).await.is_none());
    db.sign_in(&ada, 30).await;
    assert_eq!(
        db.count("SELECT count(*) FROM tokens").await,
        6,
        "a sign-in clears away what ran out"
    );
}

async fn a_session_ends_when_left_alone(db: &Db) {
    let ada = db.person("ada", Role::User).await;
    db.sign_in(&ada, 1).await;
    let session = [TokenKind::Session];
    assert!(
        db.store
            .grant(&SYSTEM, &[1; 32], &session, HOUR)
            .await
            .unwrap()
            .is_some()
    );
    // Two hours ago: idle for longer than the hour allowed, alive for shorter than its lifetime of three.
    db.tamper("UPDATE tokens SET seen_at = seen_at - 7200000000, expires_at = expires_at + 7200000000")
        .await;
    assert!(
        db.store
            .grant(&SYSTEM, &[1; 32], &session, HOUR)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        db.store
            .grant(&SYSTEM, &[2; 32], &[TokenKind::Access], HOUR)
            .await
            .unwrap()
            .is_some(),
        "tokens do not idle"
    );
    // Used in time, it goes on: the use is written down.
    db.tamper("UPDATE tokens SET seen_at = seen_at + 7200000000 - 1800000000")
        .await;
    assert!(
        db.store
            .grant(&SYSTEM, &[1; 32], &session, HOUR)
            .await
            .unwrap()
            .is_some()
    );
    let fresh = db
        .count("SELECT count(*) FROM tokens WHERE kind = 'session' AND seen_at > created_at")
        .await;
    assert_eq!(fresh, 1);
}

async fn a_refresh_token_works_once_and_a_copy_ends_the_family(db: &Db) {
    let ada = db.person("ada", Role::User).await;
    let family = db.sign_in(&ada, 1).await;
    let other = db.sign_in(&ada, 51).await;
    assert_ne!(family, other);
    assert!(db.refresh(2, 10).await.is_none(), "an access token buys nothing");
    let grant = db.refresh(3, 10).await.unwrap();
    assert_eq!(grant.family, family);
    assert!(db.good(11).await && db.good(2).await);
    assert!(!db.good(3).await, "a used refresh token is no proof of anything");
    assert!(
        db.refresh(3, 20).await.is_none(),
        "the second use is a copy in wrong hands"
    );
    for number in [1, 2, 3, 10, 11, 12, 20, 21, 22] {
        assert!(!db.good(number).await, "token {number} outlived its family");
    }
    assert!(db.refresh(12, 30).await.is_none());
    assert!(db.good(51).await && db.good(52).await, "another sign-in goes on");
}

async fn of_two_refreshes_at_once_one_is_the_copy(db: &Db) {
    let ada = db.person("ada", Role::User).await;
    for round in 0..10_u8 {
        let from = round * 20;
        db.sign_in(&ada, from).await;
        let (one, two) = tokio::join!(db.refresh(from + 2, from + 5), db.refresh(from + 2, from + 10));
        assert_eq!(one.is_some() as u8 + two.is_some() as u8, 1, "round {round}");
        assert!(
            !db.good(from).await && !db.good(from + 6).await && !db.good(from + 11).await,
            "round {round}"
        );
    }
}

async fn a_new_epoch_voids_every_token(db: &Db) {
    db.person("root", Role::Admin).await;
    let ada = db.person("ada", Role::User).await;
    let changes = [
        UserChange {
            password_hash: Some("new".into()),
            ..UserChange::default()
        },
        UserChange {
            role: Some(Role::Admin),
            ..UserChange::default()
        },
        UserChange {
            is_active: Some(false),
            ..UserChange::default()
        },
    ];
    for (at, change) in (0_u8..).zip(changes) {
        let from = at * 10 + 1;
        db.sign_in(&ada, from).await;
        assert!(db.good(from).await);
        db.store.change_user(&SYSTEM, ada.id, change).await.unwrap();
        assert!(!db.good(from).await && !db.good(from + 1).await, "change {at}");
        assert!(db.refresh(from + 2, 200).await.is_none(), "change {at}");
    }
    db.sign_in(&ada, 41).await;
    assert!(!db.good(41).await, "who is switched off gets in with nothing");
    let active = UserChange {
        is_active: Some(true),
        ..UserChange::default()
    };
    db.store.change_user(&SYSTEM, ada.id, active).await.unwrap();
    assert!(!db.good(41).await, "switching on again revives no old session");
    db.sign_in(&ada, 51).await;
    let same = UserChange {
        is_active: Some(true),
        username: Some("ada".into()),
        ..UserChange::default()
    };
    db.store.change_user(&SYSTEM, ada.id, same).await.unwrap();
    assert!(db.good(51).await, "nothing that matters changed");
}

async fn a_family_is_revoked_alone(db: &Db) {
    let ada = db.person("ada", Role::User).await;
    let family = db.sign_in(&ada, 1).await;
    db.sign_in(&ada, 11).await;
    db.store.revoke_family(&SYSTEM, family).await.unwrap();
    assert!(!db.good(1).await && !db.good(2).await && !db.good(3).await);
    assert!(db.good(11).await);
    db.store.revoke_family(&SYSTEM, family).await.unwrap();
}
