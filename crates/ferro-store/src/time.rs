//! Instants as both databases keep them: microseconds since 1970, UTC.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub fn now() -> Self {
        Self(jiff::Timestamp::now().as_microsecond())
    }

    pub fn plus(self, by: Duration) -> Self {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(micros))
    }

    pub fn minus(self, by: Duration) -> Self {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_sub(micros))
    }

    pub fn is_past(self) -> bool {
        self <= Self::now()
    }
}

/// RFC 3339 in whole seconds, as Langflow's clients expect it.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.div_euclid(1_000_000);
        match jiff::Timestamp::from_second(seconds) {
            Ok(at) => at.fmt(f),
            Err(_) => f.write_str("9999-12-31T23:59:59Z"),
        }
    }
}

impl FromStr for Timestamp {
    type Err = jiff::Error;

    /// Takes RFC 3339; a time without an offset counts as UTC.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let at = match text.parse::<jiff::Timestamp>() {
            Ok(at) => at,
            Err(error) => match text.parse::<jiff::civil::DateTime>() {
                Ok(civil) => civil.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp(),
                Err(_) => return Err(error),
            },
        };
        Ok(Self(at.as_microsecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| D::Error::custom("not a date and time like 2027-01-31T12:00:00Z"))
    }
}
