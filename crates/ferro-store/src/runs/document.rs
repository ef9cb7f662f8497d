//! The document a run uses, known by its content.

use std::{
    collections::HashSet,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use sqlx::{Database, Decode, Encode, Type, encode::IsNull, error::BoxDynError};

/// A hash of the document's text; SHA-256, as far as the store is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DocumentHash(pub [u8; 32]);

impl fmt::Display for DocumentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for DocumentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DocumentHash({self})")
    }
}

impl<DB: Database> Type<DB> for DocumentHash
where
    Vec<u8>: Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        Vec::<u8>::type_info()
    }

    fn compatible(ty: &DB::TypeInfo) -> bool {
        Vec::<u8>::compatible(ty)
    }
}

impl<'q, DB: Database> Encode<'q, DB> for DocumentHash
where
    Vec<u8>: Encode<'q, DB>,
{
    fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        self.0.to_vec().encode(buffer)
    }
}

impl<'r, DB: Database> Decode<'r, DB> for DocumentHash
where
    Vec<u8>: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        let bytes = Vec::<u8>::decode(value)?;
        let bytes = bytes.try_into().map_err(|_| "a document's hash has 32 bytes")?;
        Ok(Self(bytes))
    }
}

#[derive(Clone, Debug)]
pub struct RunDocument {
    pub hash: DocumentHash,
    pub text: Arc<str>,
}

/// Forgotten all at once when there are more.
const REMEMBERED: usize = 4096;

/// Documents that were there lately. One may be gone since: whoever leaves it out is told and sends it after all.
#[derive(Clone, Default)]
pub(crate) struct SeenDocuments(Arc<Mutex<HashSet<DocumentHash>>>);

impl SeenDocuments {
    pub(crate) fn has(&self, hash: DocumentHash) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(&hash)
    }

    pub(crate) fn remember(&self, hash: DocumentHash) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= REMEMBERED {
            seen.clear();
        }
        seen.insert(hash);
    }

    pub(crate) fn forget(&self, hash: DocumentHash) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&hash);
    }

    pub(crate) fn forget_all(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
