//! Documents as they lie on disk: compressed, because flow JSON shrinks to a tenth and what is not written need not
//! be synced.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sqlx::{Database, Decode, Encode, Type, encode::IsNull, error::BoxDynError};

use crate::error::{Result, StoreError};

/// Shorter texts fit into a page anyway.
const COMPRESS_FROM: usize = 1024;
const PLAIN: u8 = 0;
const LZ4: u8 = 1;
/// Larger than any document that is let in; a damaged length must not ask for more memory than that.
const MAX_TEXT: usize = 64 << 20;

/// A text, compressed where that helps. Made by whoever has the text, so that the writer only has to write it.
#[derive(Clone)]
pub struct Packed(Vec<u8>);

impl Packed {
    /// The exact text it was made from.
    pub fn text(&self) -> Result<String> {
        let damaged = |why: &str| StoreError::Damaged(format!("a stored document {why}"));
        let bytes = match self.0.split_first() {
            Some((&PLAIN, text)) => text.to_vec(),
            Some((&LZ4, body)) => {
                let length = body
                    .first_chunk()
                    .map_or(usize::MAX, |length| u32::from_le_bytes(*length) as usize);
                if length > MAX_TEXT {
                    return Err(damaged("has an impossible length"));
                }
                lz4_flex::decompress_size_prepended(body).map_err(|_| damaged("does not unpack"))?
            }
            _ => return Err(damaged("is packed in an unknown way")),
        };
        String::from_utf8(bytes).map_err(|_| damaged("is not text"))
    }
}

impl From<&str> for Packed {
    fn from(text: &str) -> Self {
        let mut bytes = Vec::new();
        if text.len() >= COMPRESS_FROM {
            bytes.push(LZ4);
            bytes.extend_from_slice(&lz4_flex::compress_prepend_size(text.as_bytes()));
        } else {
            bytes.push(PLAIN);
            bytes.extend_from_slice(text.as_bytes());
        }
        Self(bytes)
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Packed({} bytes)", self.0.len())
    }
}

impl<DB: Database> Type<DB> for Packed
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

impl<'q, DB: Database> Encode<'q, DB> for Packed
where
    Vec<u8>: Encode<'q, DB>,
{
    fn encode(self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        self.0.encode(buffer)
    }

    fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
        self.0.encode_by_ref(buffer)
    }
}

impl<'r, DB: Database> Decode<'r, DB> for Packed
where
    Vec<u8>: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Vec::<u8>::decode(value).map(Self)
    }
}

/// In a dump it is the text itself: readable, and free of how this version happens to pack it.
impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text().map_err(serde::ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from(String::deserialize(deserializer)?.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_exactly_and_smaller() {
        let long = r#"{"nodes":[{"id":"a","data":{}}, "#.repeat(5_000) + "한국어 œ";
        for text in ["", "{}", "œ", long.as_str()] {
            assert_eq!(Packed::from(text).text().unwrap(), text);
        }
        assert!(Packed::from(long.as_str()).0.len() * 10 < long.len());
    }

    #[test]
    fn damage_is_told_not_served() {
        let packed = Packed::from("x".repeat(5_000).as_str());
        for bytes in [
            vec![],
            vec![9, 1],
            vec![LZ4],
            vec![LZ4, 255, 255, 255, 255, 1],
            packed.0[..packed.0.len() - 1].to_vec(),
        ] {
            assert!(matches!(Packed(bytes).text(), Err(StoreError::Damaged(_))));
        }
    }
}
