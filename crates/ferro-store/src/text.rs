//! Small JSON values in text columns, the same in both databases.

use serde::{Serialize, de::DeserializeOwned};

use crate::error::{Result, StoreError};

pub(crate) fn text_of<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// PostgreSQL cannot keep the character NUL in a text; both databases get the same stand-in for it.
pub(crate) fn clean(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains('\0') {
        text.replace('\0', "\u{fffd}").into()
    } else {
        text.into()
    }
}

pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))
}
