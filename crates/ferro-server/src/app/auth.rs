//! Signing in and out.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use ferro_net::Secret;
use ferro_store::{AuditEntry, NewToken, Principal, TokenFamily, TokenKind, User, UserId};
use sha2::{Digest as _, Sha256};

use crate::{
    config::{ACCESS_LIFETIME, DEFAULT_PROJECT, REFRESH_LIFETIME, SESSION_LIFETIME},
    error::{AppError, Result},
    http::{
        client::Client,
        identity::{Actor, Proof},
        request_id,
        throttle::{PER_ACCOUNT, PER_ADDRESS, REFRESHES},
    },
    state::App,
};

/// What a sign-in gives: a session for the browser's cookie, a pair of tokens for programs.
pub struct SignedIn {
    pub user: User,
    pub session: Secret,
    pub access: Secret,
    pub refresh: Secret,
}

/// Tokens are random enough that a plain hash cannot be turned back.
pub fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

pub fn new_token() -> Result<Secret> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(AppError::bug)?;
    Ok(Secret::new(BASE64.encode(bytes)))
}

pub async fn login(app: &App, client: &Client, username: &str, password: Secret) -> Result<SignedIn> {
    // No account has it in its name, and PostgreSQL could not even look for it.
    let username = &username.replace('\0', "");
    let account = format!("login:account:{}", username.to_lowercase());
    let address = format!("login:address:{}", client.ip);
    for (key, limit) in [(&account, PER_ACCOUNT), (&address, PER_ADDRESS)] {
        if let Err(wait) = app.throttle.count(key, limit) {
            note(app, None, client, "login.throttled", username).await?;
            return Err(AppError::throttled(wait));
        }
    }
    let user = app.store.user_by_name(&Principal::System, username).await?;
    let stored = user.as_ref().and_then(|user| user.password_hash.clone());
    let right = app.passwords.verify(password, stored).await?;
    let Some(user) = user.filter(|_| right) else {
        note(app, None, client, "login.refused", username).await?;
        return Err(AppError::bad_credentials());
    };
    if !user.is_active {
        return Err(AppError::inactive(user.last_login_at.is_none()));
    }
    app.throttle.forgive(&account);
    note(app, Some(user.id), client, "login", username).await?;
    sign_in(app, user).await
}

/// Whether this server signs people in by itself, and as whom.
pub async fn auto_login_user(app: &App) -> Result<Option<User>> {
    if !app.config.host.is_loopback() || app.config.auto_login == Some(false) {
        return Ok(None);
    }
    let admin = app.store.first_admin(&Principal::System).await?;
    Ok(admin.filter(|admin| app.config.auto_login == Some(true) || admin.password_hash.is_none()))
}

pub async fn auto_login(app: &App, client: &Client) -> Result<SignedIn> {
    let Some(user) = auto_login_user(app).await? else {
        return Err(AppError::auto_login_disabled(
            "Automatic sign-in is off. Sign in with a password.",
        ));
    };
    if !client.is_local {
        return Err(AppError::auto_login_disabled(
            "Automatic sign-in works only on the server's own machine.",
        ));
    }
    note(app, Some(user.id), client, "login.automatic", &user.username).await?;
    sign_in(app, user).await
}

async fn sign_in(app: &App, user: User) -> Result<SignedIn> {
    let by = Principal::System;
    let signed_in = SignedIn {
        session: new_token()?,
        access: new_token()?,
        refresh: new_token()?,
        user,
    };
    let tokens = vec![
        NewToken {
            hash: digest(signed_in.session.expose()),
            kind: TokenKind::Session,
            lifetime: SESSION_LIFETIME,
        },
        NewToken {
            hash: digest(signed_in.access.expose()),
            kind: TokenKind::Access,
            lifetime: ACCESS_LIFETIME,
        },
        NewToken {
            hash: digest(signed_in.refresh.expose()),
            kind: TokenKind::Refresh,
            lifetime: REFRESH_LIFETIME,
        },
    ];
    app.store
        .create_tokens(&by, signed_in.user.id, TokenFamily::new(), tokens)
        .await?;
    app.store.note_login(&by, signed_in.user.id).await?;
    app.store
        .default_project(&signed_in.user.principal(), DEFAULT_PROJECT)
        .await?;
    Ok(signed_in)
}

/// A new session in place of one that ended because its owner changed their password.
pub async fn renew_session(app: &App, actor: &Actor) -> Result<Option<Secret>> {
    match actor.proof {
        Proof::Session(_) => {
            let session = new_token()?;
            let token = NewToken {
                hash: digest(session.expose()),
                kind: TokenKind::Session,
                lifetime: SESSION_LIFETIME,
            };
            app.store
                .create_tokens(&Principal::System, actor.user.id, TokenFamily::new(), vec![token])
                .await?;
            Ok(Some(session))
        }
        Proof::Bearer(_) | Proof::ApiKey(_) | Proof::Shared => Ok(None),
    }
}

/// A new pair for a refresh token that was not used before.
pub async fn refresh(app: &App, client: &Client, token: &str) -> Result<(Secret, Secret)> {
    app.throttle
        .count(&format!("refresh:{}", client.ip), REFRESHES)
        .map_err(AppError::throttled)?;
    let (access, refresh) = (new_token()?, new_token()?);
    let tokens = vec![
        NewToken {
            hash: digest(access.expose()),
            kind: TokenKind::Access,
            lifetime: ACCESS_LIFETIME,
        },
        NewToken {
            hash: digest(refresh.expose()),
            kind: TokenKind::Refresh,
            lifetime: REFRESH_LIFETIME,
        },
    ];
    match app
        .store
        .refresh(&Principal::System, digest(token), tokens)
        .await?
    {
        Some(_) => Ok((access, refresh)),
        None => Err(AppError::unauthenticated()),
    }
}

pub async fn logout(app: &App, actor: &Actor) -> Result<()> {
    match actor.proof {
        Proof::Session(family) | Proof::Bearer(family) => {
            app.store.revoke_family(&Principal::System, family).await?;
            app.audit(actor, "logout", &actor.user.username).await
        }
        Proof::ApiKey(_) | Proof::Shared => Ok(()),
    }
}

/// Writes down what someone did who is not signed in yet.
pub async fn note(
    app: &App,
    actor: Option<UserId>,
    client: &Client,
    action: &'static str,
    target: &str,
) -> Result<()> {
    let target = target.chars().take(100).collect();
    let entry = AuditEntry {
        actor,
        action,
        target,
        ip: Some(client.ip.to_string()),
        request_id: Some(request_id()),
    };
    Ok(app.store.audit(&Principal::System, entry).await?)
}
