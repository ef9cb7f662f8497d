//! Accounts.

use ferro_net::Secret;
use ferro_store::{NewUser, Principal, Role, User, UserChange, UserId};

use crate::{
    app::auth,
    error::{AppError, FieldError, Result},
    http::{
        client::Client,
        identity::Actor,
        throttle::{PASSWORD_CHANGES, SIGN_UPS},
    },
    passwords::weakness,
    state::App,
};

pub struct SignUp {
    pub username: String,
    pub password: Secret,
    pub is_active: Option<bool>,
    pub is_superuser: Option<bool>,
}

/// By an admin, or by a visitor where sign-up is open.
pub async fn create_user(app: &App, actor: Option<&Actor>, client: &Client, new: SignUp) -> Result<User> {
    let by_admin = actor.is_some_and(|actor| actor.user.role == Role::Admin);
    if !by_admin {
        if !app.config.signup {
            return Err(match actor {
                Some(_) => AppError::forbidden("Only an admin can add people here."),
                None => AppError::forbidden("Sign-up is closed here. Ask an admin for an account."),
            });
        }
        if new.is_superuser.is_some() || new.is_active.is_some() {
            return Err(AppError::forbidden("Only an admin can choose a role."));
        }
    }
    let username = checked_name(&new.username)?;
    check_password(&new.password)?;
    if !by_admin {
        app.throttle
            .count(&format!("sign-up:{}", client.ip), SIGN_UPS)
            .map_err(AppError::throttled)?;
    }
    let role = if by_admin && new.is_superuser == Some(true) {
        Role::Admin
    } else {
        Role::User
    };
    let is_active = if by_admin {
        new.is_active.unwrap_or(true)
    } else {
        app.config.new_user_is_active
    };
    let password_hash = Some(app.passwords.hash(new.password).await?);
    let user = app
        .store
        .create_user(
            &Principal::System,
            NewUser {
                username,
                password_hash,
                role,
                is_active,
            },
        )
        .await?;
    match actor {
        Some(actor) => app.audit(actor, "user.create", user.id).await?,
        None => auth::note(app, Some(user.id), client, "user.sign_up", &user.username).await?,
    }
    Ok(user)
}

#[derive(Default)]
pub struct Profile {
    pub username: Option<String>,
    pub profile_image: Option<Option<String>>,
    pub password: Option<Secret>,
    pub is_active: Option<bool>,
    pub is_superuser: Option<bool>,
    pub optins: Option<String>,
}

pub async fn change_user(app: &App, actor: &Actor, id: UserId, profile: Profile) -> Result<User> {
    let is_admin = actor.user.role == Role::Admin;
    if actor.user.id != id && !is_admin {
        return Err(AppError::not_found("user"));
    }
    if !is_admin && (profile.is_active.is_some() || profile.is_superuser.is_some()) {
        return Err(AppError::forbidden(
            "Only an admin can change a role or switch accounts on and off.",
        ));
    }
    let target = app.store.user(&actor.principal(), id).await?;
    let password_hash = match profile.password {
        None => None,
        // One's own password is changed by proving the old one, unless there is none yet.
        Some(_) if actor.user.id == id && target.password_hash.is_some() => {
            return Err(AppError::invalid(
                "password",
                "change your own password under reset-password, with the current one",
            ));
        }
        Some(password) => {
            check_password(&password)?;
            Some(app.passwords.hash(password).await?)
        }
    };
    let username = profile.username.as_deref().map(checked_name).transpose()?;
    let role = profile
        .is_superuser
        .map(|yes| if yes { Role::Admin } else { Role::User });
    let sensitive = password_hash.is_some() || role.is_some() || profile.is_active.is_some();
    let change = UserChange {
        username,
        password_hash,
        role,
        is_active: profile.is_active,
        profile_image: profile.profile_image,
        optins: profile.optins,
    };
    let user = app.store.change_user(&actor.principal(), id, change).await?;
    if sensitive {
        app.audit(actor, "user.change", id).await?;
    }
    Ok(user)
}

pub async fn reset_password(
    app: &App,
    actor: &Actor,
    id: UserId,
    current: Secret,
    new: Secret,
) -> Result<User> {
    if actor.user.id != id {
        return Err(AppError::not_found("user"));
    }
    let tries = format!("password:{id}");
    app.throttle
        .count(&tries, PASSWORD_CHANGES)
        .map_err(AppError::throttled)?;
    if actor.user.password_hash.is_some()
        && !app
            .passwords
            .verify(current, actor.user.password_hash.clone())
            .await?
    {
        return Err(AppError::invalid("current_password", "is not right"));
    }
    check_password(&new)?;
    let password_hash = Some(app.passwords.hash(new).await?);
    let change = UserChange {
        password_hash,
        ..UserChange::default()
    };
    let user = app.store.change_user(&actor.principal(), id, change).await?;
    app.throttle.forgive(&tries);
    app.audit(actor, "user.password", id).await?;
    Ok(user)
}

/// Takes their projects, flows, variables and files with them.
pub async fn delete_user(app: &App, actor: &Actor, id: UserId) -> Result<()> {
    if actor.user.role != Role::Admin {
        return Err(AppError::forbidden("Only an admin can delete accounts."));
    }
    if actor.user.id == id {
        return Err(AppError::conflict("you cannot delete your own account"));
    }
    app.store.delete_user(&actor.principal(), id).await?;
    app.files.remove_owner(id).await;
    app.audit(actor, "user.delete", id).await
}

pub fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    let problem = if name.is_empty() {
        Some("must not be empty")
    } else if name.chars().count() > 100 {
        Some("must have at most 100 characters")
    } else if name.chars().any(char::is_control) {
        Some("must not have control characters")
    } else {
        None
    };
    match problem {
        Some(message) => Err(AppError::invalid("username", message)),
        None => Ok(name.to_owned()),
    }
}

pub fn check_password(password: &Secret) -> Result<()> {
    match weakness(password.expose()) {
        Some(message) => Err(AppError::invalid_fields(vec![FieldError {
            field: "password".into(),
            message,
        }])),
        None => Ok(()),
    }
}
