//! `Ulid`: 48 bits of time and 80 of chance, written so that text sorts as time does.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use uuid::Uuid;

const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ulid(pub u128);

/// Makes ids that only ever grow, also within a millisecond and when the clock goes back.
#[derive(Debug)]
pub(crate) struct Ulids {
    last: u128,
}

impl Ulids {
    /// Goes on after `last`, or begins anew.
    pub(crate) fn after(last: Option<Ulid>) -> Self {
        Self {
            last: last.map_or(0, |ulid| ulid.0),
        }
    }

    pub(crate) fn next(&mut self, micros: i64) -> Ulid {
        let millis = u128::from(micros.max(0).unsigned_abs() / 1000) & ((1 << 48) - 1);
        if millis > self.last >> 80 {
            // The top random bit stays clear, so that counting up does not reach the time.
            let chance = Uuid::new_v4().as_u128() & ((1 << 79) - 1);
            self.last = (millis << 80) | chance;
        } else {
            self.last += 1;
        }
        Ulid(self.last)
    }
}

impl fmt::Display for Ulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0_u8; 26];
        for (place, digit) in text.iter_mut().rev().enumerate() {
            *digit = DIGITS[(self.0 >> (5 * place) & 31) as usize];
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Ulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("an event id has 26 letters and digits")]
pub struct BadUlid;

impl FromStr for Ulid {
    type Err = BadUlid;

    fn from_str(text: &str) -> Result<Self, BadUlid> {
        if text.len() != 26 || text.as_bytes()[0] > b'7' {
            return Err(BadUlid);
        }
        let mut value = 0_u128;
        for byte in text.bytes() {
            let digit = DIGITS
                .iter()
                .position(|digit| *digit == byte.to_ascii_uppercase())
                .ok_or(BadUlid)?;
            value = value << 5 | digit as u128;
        }
        Ok(Self(value))
    }
}

impl Serialize for Ulid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ulid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ulid, Ulids};

    #[test]
    fn text_sorts_as_time_does_and_reads_back() {
        let mut ulids = Ulids::after(None);
        let mut made: Vec<Ulid> = [5_000, 5_000, 9_000, 1_000, 9_500]
            .into_iter()
            .map(|micros| ulids.next(micros))
            .collect();
        let texts: Vec<String> = made.iter().map(Ulid::to_string).collect();
        assert!(texts.is_sorted() && made.is_sorted());
        made.dedup();
        assert_eq!(made.len(), 5);
        for (ulid, text) in made.iter().zip(&texts) {
            assert_eq!(text.parse::<Ulid>().unwrap(), *ulid);
        }
        assert!("not an id".parse::<Ulid>().is_err());
        assert!("8ZZZZZZZZZZZZZZZZZZZZZZZZZ".parse::<Ulid>().is_err());
    }
}
