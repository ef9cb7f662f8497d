//! Who acts. Every repository method takes one, so no query can forget to ask.

use crate::{StoreError, UserId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Role {
    Admin,
    User,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principal {
    /// A signed-in person, or a program with their key.
    User { id: UserId, role: Role },
    /// The server itself or an operator at its command line.
    System,
    /// A visitor without an account.
    Nobody,
}

impl Principal {
    /// The account whose rows this principal owns. Others own nothing, so nothing is found for them.
    pub fn owner(&self) -> Result<UserId, StoreError> {
        match self {
            Self::User { id, .. } => Ok(*id),
            Self::System | Self::Nobody => Err(StoreError::Forbidden),
        }
    }

    pub fn require_admin(&self) -> Result<(), StoreError> {
        match self {
            Self::System
            | Self::User {
                role: Role::Admin, ..
            } => Ok(()),
            Self::User { role: Role::User, .. } | Self::Nobody => Err(StoreError::Forbidden),
        }
    }

    /// For what a person may do to their own account and an admin to anyone's.
    pub fn require_self_or_admin(&self, user: UserId) -> Result<(), StoreError> {
        match self {
            Self::User { id, .. } if *id == user => Ok(()),
            _ => self.require_admin(),
        }
    }

    pub fn require_system(&self) -> Result<(), StoreError> {
        match self {
            Self::System => Ok(()),
            Self::User { .. } | Self::Nobody => Err(StoreError::Forbidden),
        }
    }
}
