//! People with an account.

use sqlx::FromRow;

use crate::{
    Page, Principal, Role, Store, Timestamp, UserId, Window,
    db::{dual, read, write},
    error::{Result, StoreError, taken},
    names::containing,
};

#[derive(Clone, Debug, FromRow)]
pub struct User {
    pub id: UserId,
    pub username: String,
    pub password_hash: Option<String>,
    pub role: Role,
    pub is_active: bool,
    pub profile_image: Option<String>,
    pub optins: String,
    pub epoch: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub last_login_at: Option<Timestamp>,
}

impl User {
    pub fn principal(&self) -> Principal {
        Principal::User {
            id: self.id,
            role: self.role,
        }
    }
}

#[derive(Clone, Debug)]
pub struct NewUser {
    pub username: String,
    pub password_hash: Option<String>,
    pub role: Role,
    pub is_active: bool,
}

/// What to change; `None` leaves a thing as it is.
#[derive(Clone, Debug, Default)]
pub struct UserChange {
    pub username: Option<String>,
    pub password_hash: Option<String>,
    pub role: Option<Role>,
    pub is_active: Option<bool>,
    pub profile_image: Option<Option<String>>,
    pub optins: Option<String>,
}

macro_rules! user_columns {
    () => {
        "id, username, password_hash, role, is_active, profile_image, optins, epoch, created_at, updated_at, last_login_at"
    };
}

pub(crate) use user_columns;

impl Store {
    /// Sign-up is decided by the caller; this only keeps names unique.
    pub async fn create_user(&self, by: &Principal, new: NewUser) -> Result<User> {
        by.require_admin()?;
        write!(self, insert(UserId::new(), new, Timestamp::now()))
    }

    pub async fn user(&self, by: &Principal, id: UserId) -> Result<User> {
        by.require_self_or_admin(id)
            .map_err(|_| StoreError::NotFound("user"))?;
        read!(self, by_id(id))
    }

    /// For sign-in and the command line: whoever asks is not yet known.
    pub async fn user_by_name(&self, by: &Principal, username: &str) -> Result<Option<User>> {
        by.require_system()?;
        read!(self, by_name(username))
    }

    pub async fn users(&self, by: &Principal, search: Option<&str>, window: Window) -> Result<Page<User>> {
        by.require_admin()?;
        let pattern = search.map(containing);
        read!(self, list(pattern.as_deref(), window))
    }

    /// Raises the epoch, and so ends every session, when the password, role or activity changes.
    pub async fn change_user(&self, by: &Principal, id: UserId, change: UserChange) -> Result<User> {
        by.require_self_or_admin(id)
            .map_err(|_| StoreError::NotFound("user"))?;
        if change.role.is_some() || change.is_active.is_some() {
            by.require_admin()?;
        }
        write!(self, update(id, change, Timestamp::now()))
    }

    pub async fn delete_user(&self, by: &Principal, id: UserId) -> Result<()> {
        by.require_admin()?;
        write!(self, delete(id))
    }

    pub async fn note_login(&self, by: &Principal, id: UserId) -> Result<()> {
        by.require_system()?;
        write!(self, login(id, Timestamp::now()))
    }

    /// Whether anyone at all could sign in with a password and administer this server.
    pub async fn has_admin_with_password(&self, by: &Principal) -> Result<bool> {
        by.require_system()?;
        read!(self, admins_with_password()).map(|n| n > 0)
    }

    /// The account that single-user mode signs in: the oldest active admin.
    pub async fn first_admin(&self, by: &Principal) -> Result<Option<User>> {
        by.require_system()?;
        read!(self, oldest_admin())
    }
}

/// The lock of everyone who changes accounts: two admins must not step down at once, each because of the other.
const PEOPLE: uuid::Uuid = uuid::Uuid::from_u128(0x7065_6f70_6c65_0000_0000_0000_0000_0001);

dual! {
    async fn insert(c, id: UserId, new: NewUser, now: Timestamp) -> Result<User> {
        sqlx::query_as::<Db, User>(concat!(
            "INSERT INTO users (id, username, username_key, password_hash, role, is_active, optins, epoch, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, '{}', 0, $7, $7) RETURNING ", user_columns!()
        ))
        .bind(id)
        .bind(&new.username)
        .bind(new.username.to_lowercase())
        .bind(new.password_hash)
        .bind(new.role)
        .bind(new.is_active)
        .bind(now)
        .fetch_one(c)
        .await
        .map_err(taken("user", "username"))
    }

    async fn by_id(c, id: UserId) -> Result<User> {
        sqlx::query_as::<Db, User>(concat!("SELECT ", user_columns!(), " FROM users WHERE id = $1"))
            .bind(id)
            .fetch_optional(c)
            .await?
            .ok_or(StoreError::NotFound("user"))
    }

    async fn by_name(c, username: &str) -> Result<Option<User>> {
        Ok(sqlx::query_as::<Db, User>(concat!("SELECT ", user_columns!(), " FROM users WHERE username_key = $1"))
            .bind(username.to_lowercase())
            .fetch_optional(c)
            .await?)
    }

    async fn list(c, pattern: Option<&str>, window: Window) -> Result<Page<User>> {
        let total = sqlx::query_scalar::<Db, i64>(r"SELECT count(*) FROM users WHERE $1 IS NULL OR username_key LIKE $1 ESCAPE '\'")
            .bind(pattern)
            .fetch_one(&mut *c)
            .await?;
        let items = sqlx::query_as::<Db, User>(concat!(
            "SELECT ", user_columns!(), r" FROM users WHERE $1 IS NULL OR username_key LIKE $1 ESCAPE '\' ORDER BY username_key LIMIT $2 OFFSET $3"
        ))
        .bind(pattern)
        .bind(window.limit)
        .bind(window.offset)
        .fetch_all(c)
        .await?;
        Ok(Page { items, total })
    }

    async fn update(c, id: UserId, change: UserChange, now: Timestamp) -> Result<User> {
        lock(&mut *c, PEOPLE).await?;
        let mut user = by_id(&mut *c, id).await?;
        let was_admin = user.role == Role::Admin && user.is_active;
        let ends_sessions = change.password_hash.is_some()
            || change.role.is_some_and(|role| role != user.role)
            || change.is_active.is_some_and(|active| active != user.is_active);
        user.username = change.username.unwrap_or(user.username);
        user.password_hash = change.password_hash.or(user.password_hash);
        user.role = change.role.unwrap_or(user.role);
        user.is_active = change.is_active.unwrap_or(user.is_active);
        user.profile_image = change.profile_image.unwrap_or(user.profile_image);
        user.optins = change.optins.unwrap_or(user.optins);
        user.epoch += i64::from(ends_sessions);
        user.updated_at = now;
        sqlx::query::<Db>(
            "UPDATE users SET username = $2, username_key = $3, password_hash = $4, role = $5, is_active = $6,
             profile_image = $7, optins = $8, epoch = $9, updated_at = $10 WHERE id = $1",
        )
        .bind(id)
        .bind(&user.username)
        .bind(user.username.to_lowercase())
        .bind(&user.password_hash)
        .bind(user.role)
        .bind(user.is_active)
        .bind(&user.profile_image)
        .bind(&user.optins)
        .bind(user.epoch)
        .bind(now)
        .execute(&mut *c)
        .await
        .map_err(taken("user", "username"))?;
        if was_admin && !(user.role == Role::Admin && user.is_active) {
            keep_an_admin(c).await?;
        }
        Ok(user)
    }

    async fn delete(c, id: UserId) -> Result<()> {
        lock(&mut *c, PEOPLE).await?;
        let deleted = sqlx::query::<Db>("DELETE FROM users WHERE id = $1").bind(id).execute(&mut *c).await?;
        if deleted.rows_affected() == 0 {
            return Err(StoreError::NotFound("user"));
        }
        keep_an_admin(c).await
    }

    /// Rolls back the change that would leave nobody in charge.
    async fn keep_an_admin(c) -> Result<()> {
        let admins = sqlx::query_scalar::<Db, i64>("SELECT count(*) FROM users WHERE role = 'admin' AND is_active")
            .fetch_one(c)
            .await?;
        if admins == 0 {
            return Err(StoreError::Refused("the last active admin must stay: make someone else an admin first"));
        }
        Ok(())
    }

    async fn login(c, id: UserId, now: Timestamp) -> Result<()> {
        sqlx::query::<Db>("UPDATE users SET last_login_at = $2 WHERE id = $1").bind(id).bind(now).execute(c).await?;
        Ok(())
    }

    async fn admins_with_password(c) -> Result<i64> {
        Ok(sqlx::query_scalar::<Db, i64>(
            "SELECT count(*) FROM users WHERE role = 'admin' AND is_active AND password_hash IS NOT NULL",
        )
        .fetch_one(c)
        .await?)
    }

    async fn oldest_admin(c) -> Result<Option<User>> {
        Ok(sqlx::query_as::<Db, User>(concat!(
            "SELECT ", user_columns!(), " FROM users WHERE role = 'admin' AND is_active ORDER BY created_at, id LIMIT 1"
        ))
        .fetch_optional(c)
        .await?)
    }
}
