//! Values of other databases as JSON.

use std::{fmt::Write as _, net::IpAddr};

use serde_json::Value as Json;
use sqlx::{
    TypeInfo as _,
    postgres::{PgTypeInfo, PgTypeKind},
};

/// A number with more digits than that does not survive being read as a double.
const EXACT_DIGITS: usize = 15;

/// The database's own words, without ours around them.
pub(super) fn message(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(refused) => refused.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

pub(super) fn float(value: f64) -> Json {
    serde_json::Number::from_f64(value).map_or_else(
        || {
            let text = match value {
                v if v.is_nan() => "NaN",
                v if v > 0.0 => "Infinity",
                _ => "-Infinity",
            };
            text.into()
        },
        Json::Number,
    )
}

/// Bytes as PostgreSQL shows them: `\x` and hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 + bytes.len() * 2);
    text.push_str("\\x");
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// From the binary form. What has no form of its own here, or is not as long as it should be, is shown as bytes.
pub(super) fn from_postgres(kind: &PgTypeInfo, bytes: &[u8]) -> Json {
    let decoded = match kind.kind() {
        PgTypeKind::Domain(of) => return from_postgres(of, bytes),
        PgTypeKind::Enum(_) => text(bytes),
        PgTypeKind::Array(of) => array(of, bytes),
        _ => simple(kind.name(), bytes),
    };
    decoded.unwrap_or_else(|| hex(bytes).into())
}

fn simple(name: &str, bytes: &[u8]) -> Option<Json> {
    Some(match name {
        "BOOL" => (*bytes.first()? != 0).into(),
        "INT2" => i16::from_be_bytes(bytes.try_into().ok()?).into(),
        "INT4" => i32::from_be_bytes(bytes.try_into().ok()?).into(),
        "INT8" => i64::from_be_bytes(bytes.try_into().ok()?).into(),
        "OID" => u32::from_be_bytes(bytes.try_into().ok()?).into(),
        // By way of text: 0.1 as a single is not 0.10000000149 to whoever wrote it.
        "FLOAT4" => {
            let value = f32::from_be_bytes(bytes.try_into().ok()?);
            float(value.to_string().parse().unwrap_or_else(|_| f64::from(value)))
        }
        "FLOAT8" => float(f64::from_be_bytes(bytes.try_into().ok()?)),
        "NUMERIC" => numeric(bytes)?,
        "UUID" => uuid::Uuid::from_slice(bytes).ok()?.to_string().into(),
        "JSON" => serde_json::from_slice(bytes).ok().or_else(|| text(bytes))?,
        "JSONB" => serde_json::from_slice(bytes.strip_prefix(&[1])?)
            .ok()
            .or_else(|| text(bytes))?,
        "BYTEA" => hex(bytes).into(),
        "DATE" => date(i32::from_be_bytes(bytes.try_into().ok()?))?,
        "TIME" => time(i64::from_be_bytes(bytes.try_into().ok()?))?,
        "TIMESTAMP" => timestamp(i64::from_be_bytes(bytes.try_into().ok()?), "")?,
        "TIMESTAMPTZ" => timestamp(i64::from_be_bytes(bytes.try_into().ok()?), "Z")?,
        "INTERVAL" => interval(bytes)?,
        "INET" | "CIDR" => network(bytes)?,
        "VOID" => Json::Null,
        "TEXT" | "VARCHAR" | "CHAR" | "NAME" | "\"CHAR\"" | "UNKNOWN" => text(bytes)?,
        name if ["citext", "xml"]
            .iter()
            .any(|other| name.eq_ignore_ascii_case(other)) =>
        {
            text(bytes)?
        }
        _ => return None,
    })
}

fn text(bytes: &[u8]) -> Option<Json> {
    std::str::from_utf8(bytes).ok().map(Into::into)
}

/// Takes so many bytes off the front.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*head)
}

/// Groups of four digits, the place of the first, a sign, and how many digits follow the point.
fn numeric(mut bytes: &[u8]) -> Option<Json> {
    let groups = usize::from(u16::from_be_bytes(take(&mut bytes)?));
    let weight = i16::from_be_bytes(take(&mut bytes)?);
    let sign = u16::from_be_bytes(take(&mut bytes)?);
    let scale = usize::from(u16::from_be_bytes(take(&mut bytes)?));
    let negative = match sign {
        0 => false,
        0x4000 => true,
        0xC000 => return Some("NaN".into()),
        0xD000 => return Some("Infinity".into()),
        0xF000 => return Some("-Infinity".into()),
        _ => return None,
    };
    let mut digits = Vec::with_capacity(groups);
    for _ in 0..groups {
        digits.push(u16::from_be_bytes(take(&mut bytes)?));
    }
    let group = |place: i32| {
        let at = usize::try_from(i32::from(weight) - place).ok();
        at.and_then(|at| digits.get(at)).copied().unwrap_or(0)
    };
    let mut whole = String::new();
    for place in (0..=i32::from(weight).max(0)).rev() {
        let _ = write!(whole, "{:04}", group(place));
    }
    let mut fraction = String::new();
    let mut place = -1;
    while fraction.len() < scale {
        let _ = write!(fraction, "{:04}", group(place));
        place -= 1;
    }
    fraction.truncate(scale);
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let mut number = String::from(if negative { "-" } else { "" });
    number.push_str(whole);
    if !fraction.is_empty() {
        number.push('.');
        number.push_str(&fraction);
    }
    if let (true, Ok(exact)) = (fraction.is_empty(), number.parse::<i64>()) {
        return Some(exact.into());
    }
    let significant = whole.trim_start_matches('0').len() + fraction.len();
    match number.parse::<f64>() {
        Ok(value) if significant <= EXACT_DIGITS => Some(float(value)),
        _ => Some(number.into()),
    }
}

/// Counted from the year 2000.
fn date(days: i32) -> Option<Json> {
    match days {
        i32::MAX => return Some("infinity".into()),
        i32::MIN => return Some("-infinity".into()),
        _ => {}
    }
    let date = jiff::civil::date(2000, 1, 1)
        .checked_add(jiff::Span::new().try_days(days).ok()?)
        .ok()?;
    Some(date.to_string().into())
}

fn time(micros: i64) -> Option<Json> {
    let (seconds, rest) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let mut text = format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    if rest != 0 {
        let _ = write!(text, ".{rest:06}");
    }
    Some(text.into())
}

fn timestamp(micros: i64, zone: &str) -> Option<Json> {
    match micros {
        i64::MAX => return Some("infinity".into()),
        i64::MIN => return Some("-infinity".into()),
        _ => {}
    }
    let at = jiff::civil::date(2000, 1, 1)
        .at(0, 0, 0, 0)
        .checked_add(jiff::Span::new().try_microseconds(micros).ok()?)
        .ok()?;
    Some(format!("{at}{zone}").into())
}

/// As ISO 8601 has it: P1Y2M3DT4H5M6S.
fn interval(mut bytes: &[u8]) -> Option<Json> {
    let micros = i64::from_be_bytes(take(&mut bytes)?);
    let days = i32::from_be_bytes(take(&mut bytes)?);
    let months = i32::from_be_bytes(take(&mut bytes)?);
    let mut text = String::from("P");
    for (count, unit) in [(months / 12, 'Y'), (months % 12, 'M'), (days, 'D')] {
        if count != 0 {
            let _ = write!(text, "{count}{unit}");
        }
    }
    if micros != 0 || text.len() == 1 {
        text.push('T');
        let (seconds, rest) = (micros / 1_000_000, micros % 1_000_000);
        for (count, unit) in [(seconds / 3600, 'H'), (seconds / 60 % 60, 'M')] {
            if count != 0 {
                let _ = write!(text, "{count}{unit}");
            }
        }
        let sign = if micros < 0 { "-" } else { "" };
        let seconds = (seconds % 60).unsigned_abs();
        if rest != 0 {
            let _ = write!(text, "{sign}{seconds}.{:06}S", rest.unsigned_abs());
        } else if seconds != 0 || micros == 0 {
            let _ = write!(text, "{sign}{seconds}S");
        }
    }
    Some(text.into())
}

/// Family, bits of the mask, whether it is a network, length, address.
fn network(bytes: &[u8]) -> Option<Json> {
    let (&[_, bits, is_network, _], address) = bytes.split_first_chunk()?;
    let address = match address.len() {
        4 => IpAddr::from(<[u8; 4]>::try_from(address).ok()?),
        16 => IpAddr::from(<[u8; 16]>::try_from(address).ok()?),
        _ => return None,
    };
    let all = if address.is_ipv4() { 32 } else { 128 };
    if bits == all && is_network == 0 {
        return Some(address.to_string().into());
    }
    Some(format!("{address}/{bits}").into())
}

/// Dimensions, then the values of all of them one after the other.
fn array(of: &PgTypeInfo, mut bytes: &[u8]) -> Option<Json> {
    let dimensions = u32::from_be_bytes(take(&mut bytes)?);
    let _has_nulls: [u8; 4] = take(&mut bytes)?;
    let _element: [u8; 4] = take(&mut bytes)?;
    // PostgreSQL itself allows six.
    if dimensions > 6 {
        return None;
    }
    let mut lengths = Vec::new();
    for _ in 0..dimensions {
        lengths.push(usize::try_from(u32::from_be_bytes(take(&mut bytes)?)).ok()?);
        let _from: [u8; 4] = take(&mut bytes)?;
    }
    if lengths.is_empty() {
        return Some(Json::Array(Vec::new()));
    }
    dimension(of, &lengths, &mut bytes)
}

fn dimension(of: &PgTypeInfo, lengths: &[usize], bytes: &mut &[u8]) -> Option<Json> {
    let Some((&length, inner)) = lengths.split_first() else {
        let length = i32::from_be_bytes(take(bytes)?);
        let Ok(length) = usize::try_from(length) else {
            return Some(Json::Null);
        };
        let (value, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        return Some(from_postgres(of, value));
    };
    // Not made room for at once: the length is only what the other side says.
    let mut items = Vec::new();
    for _ in 0..length {
        items.push(dimension(of, inner, bytes)?);
    }
    Some(Json::Array(items))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn number(weight: i16, sign: u16, scale: u16, groups: &[u16]) -> Json {
        let mut bytes = Vec::new();
        bytes.extend((groups.len() as u16).to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend(sign.to_be_bytes());
        bytes.extend(scale.to_be_bytes());
        groups.iter().for_each(|group| bytes.extend(group.to_be_bytes()));
        numeric(&bytes).unwrap()
    }

    #[test]
    fn numbers_stay_exact() {
        assert_eq!(number(0, 0, 0, &[]), json!(0));
        assert_eq!(number(0, 0x4000, 2, &[12, 3400]), json!(-12.34));
        assert_eq!(number(1, 0, 0, &[1]), json!(10_000));
        assert_eq!(number(-1, 0, 4, &[5]), json!(0.0005));
        assert_eq!(
            number(4, 0, 1, &[1, 0, 0, 0, 1, 5000]),
            json!("10000000000000001.5")
        );
        assert_eq!(number(0, 0xC000, 0, &[]), json!("NaN"));
        assert_eq!(numeric(&[0, 9]), None);
    }

    #[test]
    fn times_are_iso() {
        assert_eq!(date(0).unwrap(), json!("2000-01-01"));
        assert_eq!(date(-1).unwrap(), json!("1999-12-31"));
        assert_eq!(date(i32::MAX - 1), None);
        assert_eq!(time(3_723_000_004).unwrap(), json!("01:02:03.000004"));
        assert_eq!(timestamp(-1, "Z").unwrap(), json!("1999-12-31T23:59:59.999999Z"));
        assert_eq!(timestamp(i64::MAX, "Z").unwrap(), json!("infinity"));
        assert_eq!(timestamp(i64::MAX - 1, "Z"), None);
        let span = |micros: i64, days: i32, months: i32| {
            let mut bytes = micros.to_be_bytes().to_vec();
            bytes.extend(days.to_be_bytes());
            bytes.extend(months.to_be_bytes());
            interval(&bytes).unwrap()
        };
        assert_eq!(span(0, 0, 0), json!("PT0S"));
        assert_eq!(span(3_661_500_000, 3, 14), json!("P1Y2M3DT1H1M1.500000S"));
        assert_eq!(span(-500_000, 0, 0), json!("PT-0.500000S"));
    }

    #[test]
    fn what_is_too_short_is_shown_as_bytes() {
        for name in [
            "BOOL",
            "INT4",
            "NUMERIC",
            "TIMESTAMP",
            "INTERVAL",
            "INET",
            "JSONB",
        ] {
            assert_eq!(simple(name, &[]), None, "{name}");
        }
        assert_eq!(array(&PgTypeInfo::with_name("INT4"), &[0, 0, 0, 1]), None);
        assert_eq!(hex(&[0, 255]), "\\x00ff");
    }
}
