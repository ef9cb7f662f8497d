//! Password hashing: Argon2id, off the async threads, a few at a time.

use std::sync::{Arc, OnceLock};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use ferro_net::Secret;
use tokio::sync::Semaphore;

use crate::error::AppError;

pub const MIN_LENGTH: usize = 12;
const MAX_LENGTH: usize = 1024;
const MEMORY_KIB: u32 = 32 * 1024;
const ROUNDS: u32 = 3;

/// Hashing takes a core and tens of megabytes for tens of milliseconds: more at once would starve everyone else.
#[derive(Clone)]
pub struct Passwords {
    permits: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(2)),
        }
    }
}

impl Passwords {
    pub async fn hash(&self, password: Secret) -> Result<String, AppError> {
        let _permit = self.permits.acquire().await.map_err(AppError::internal)?;
        tokio::task::spawn_blocking(move || hash(&password))
            .await
            .map_err(AppError::internal)?
    }

    /// Takes the same time whether or not there is a hash to compare with, so that names cannot be guessed by the clock.
    pub async fn verify(&self, password: Secret, against: Option<String>) -> Result<bool, AppError> {
        let _permit = self.permits.acquire().await.map_err(AppError::internal)?;
        tokio::task::spawn_blocking(move || match against {
            Some(stored) => verify(&password, &stored),
            None => {
                verify(&password, dummy()?)?;
                Ok(false)
            }
        })
        .await
        .map_err(AppError::internal)?
    }
}

/// Why a password is not good enough, if it is not.
pub fn weakness(password: &str) -> Option<String> {
    let length = password.chars().count();
    if length < MIN_LENGTH {
        return Some(format!(
            "use at least {MIN_LENGTH} characters; a few words in a row are fine"
        ));
    }
    if length > MAX_LENGTH {
        return Some(format!("use at most {MAX_LENGTH} characters"));
    }
    let first = password.chars().next();
    if password.chars().all(|c| Some(c) == first) {
        return Some("use more than one character over and over".to_owned());
    }
    None
}

fn hasher() -> Result<Argon2<'static>, AppError> {
    let params = Params::new(MEMORY_KIB, ROUNDS, 1, None).map_err(AppError::bug)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &Secret) -> Result<String, AppError> {
    let hash: PasswordHash = hasher()?
        .hash_password(password.expose().as_bytes())
        .map_err(AppError::bug)?;
    Ok(hash.to_string())
}

fn verify(password: &Secret, stored: &str) -> Result<bool, AppError> {
    let parsed = PasswordHash::new(stored).map_err(AppError::bug)?;
    Ok(hasher()?
        .verify_password(password.expose().as_bytes(), &parsed)
        .is_ok())
}

fn dummy() -> Result<&'static str, AppError> {
    static DUMMY: OnceLock<String> = OnceLock::new();
    if let Some(known) = DUMMY.get() {
        return Ok(known);
    }
    let made = hash(&Secret::new("nobody's password".to_owned()))?;
    Ok(DUMMY.get_or_init(|| made))
}
