//! Wire formats: each file here turns a run's events into what one kind of client reads.
//!
//! `Event` is the only source. An encoder sees every event of a run from the first, in order, and writes bytes;
//! it does no IO and reads no clock, so encoding the same log twice gives the same bytes. A reader that comes
//! back is served by encoding from the start and leaving out what it has (see [`sse::Framing::Numbered`]).

pub mod agui;
pub mod components;
pub mod langflow;
pub mod message;
pub mod meta;
pub mod responses;
pub mod result;
pub mod sse;
mod track;
pub mod value;
pub mod visitor;

use std::fmt::{self, Write as _};

use ferro_engine::{Event, RunStatus};
use serde::{Serialize, Serializer};

pub use meta::Meta;

/// Turns events into bytes of one wire format.
pub trait Encoder: Send {
    /// Adds what this event looks like to `out`: nothing, one frame or several.
    fn encode(&mut self, event: &Event, out: &mut Vec<u8>);

    /// Adds what stands after the last event.
    fn finish(&mut self, out: &mut Vec<u8>) {
        let _ = out;
    }
}

/// Adds a value as JSON. The wire types have text keys only, so writing to memory cannot fail.
pub fn put(out: &mut Vec<u8>, value: &impl Serialize) {
    let before = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(before);
        out.extend_from_slice(b"null");
    }
}

/// What Langflow's job endpoints call a status.
pub fn job_status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Queued => "queued",
        RunStatus::Running => "in_progress",
        RunStatus::Waiting => "suspended",
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Cancelled => "cancelled",
        RunStatus::TimedOut => "timed_out",
    }
}

/// How long something took, in Langflow's words: `350 ms`, `1.2 seconds`, `1 minute, 5.0 seconds`.
pub fn duration_text(micros: u64) -> String {
    let seconds = micros as f64 / 1e6;
    if micros < 1_000_000 {
        return format!("{} ms", micros / 1000);
    }
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let minutes = micros / 60_000_000;
    // Rounding must not say "60.0 seconds" next to a minute.
    let rest = ((seconds - (minutes * 60) as f64) * 10.0).floor() / 10.0;
    let rest_plural = if rest == 1.0 { "" } else { "s" };
    if minutes == 0 {
        return format!("{rest:.1} second{rest_plural}");
    }
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let minutes = format!(
        "{minutes} minute{}, {rest:.1} second{rest_plural}",
        plural(minutes)
    );
    match hours {
        0 => minutes,
        _ => format!("{hours} hour{}, {minutes}", plural(hours)),
    }
}

/// Microseconds since 1970 as a moment of the calendar, UTC.
#[derive(Clone, Copy)]
pub struct Moment(pub i64);

impl Moment {
    fn write(self, f: &mut impl fmt::Write, between: char, end: &str) -> fmt::Result {
        let (days, micros) = (
            self.0.div_euclid(86_400_000_000),
            self.0.rem_euclid(86_400_000_000),
        );
        let (year, month, day) = civil(days);
        let seconds = micros / 1_000_000;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let fraction = micros % 1_000_000;
        write!(f, "{year:04}-{month:02}-{day:02}{between}")?;
        write!(f, "{hour:02}:{minute:02}:{second:02}.{fraction:06}{end}")
    }
}

/// Day, month and year of a day counted from 1970-01-01: eras of 400 years, years beginning in March.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// `2027-01-31 12:00:00.000000 UTC`, as messages have it.
pub struct Spaced(pub Moment);

impl fmt::Display for Spaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, ' ', " UTC")
    }
}

impl Serialize for Spaced {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// `2027-01-31T12:00:00.000000Z`.
pub struct Rfc3339(pub Moment);

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, 'T', "Z")
    }
}

impl Serialize for Rfc3339 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Cut to so many bytes at the end of a character, with how much was left out; borrowed when it fits.
pub fn shortened(text: &str, limit: usize) -> std::borrow::Cow<'_, str> {
    if text.len() <= limit {
        return text.into();
    }
    let cut = text.floor_char_boundary(limit);
    let mut short = text.get(..cut).unwrap_or_default().to_owned();
    let _ = write!(short, "… ({} more bytes)", text.len() - cut);
    short.into()
}

#[cfg(test)]
pub(crate) mod script;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_like_langflows() {
        let cases = [
            (0, "0 ms"),
            (350_400, "350 ms"),
            (999_999, "999 ms"),
            (1_000_000, "1.0 second"),
            (1_250_000, "1.2 seconds"),
            (59_990_000, "59.9 seconds"),
            (65_000_000, "1 minute, 5.0 seconds"),
            (125_000_000, "2 minutes, 5.0 seconds"),
            (3_661_000_000, "1 hour, 1 minute, 1.0 second"),
        ];
        for (micros, text) in cases {
            assert_eq!(duration_text(micros), text);
        }
    }

    #[test]
    fn moments_are_dates() {
        let cases = [
            (0, "1970-01-01 00:00:00.000000 UTC"),
            (951_782_400_000_001, "2000-02-29 00:00:00.000001 UTC"),
            (1_735_689_599_999_999, "2024-12-31 23:59:59.999999 UTC"),
            (-1, "1969-12-31 23:59:59.999999 UTC"),
            (4_102_444_800_000_000, "2100-01-01 00:00:00.000000 UTC"),
        ];
        for (micros, text) in cases {
            assert_eq!(Spaced(Moment(micros)).to_string(), text);
        }
        assert_eq!(Rfc3339(Moment(1)).to_string(), "1970-01-01T00:00:00.000001Z");
        // Nothing on the wire can make it panic.
        let _ = (
            Spaced(Moment(i64::MAX)).to_string(),
            Spaced(Moment(i64::MIN)).to_string(),
        );
    }

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("aé", 2), "a… (2 more bytes)");
    }

    use proptest::prelude::*;

    use super::{
        agui::Agui,
        langflow::{Flavour, Langflow},
        meta::Wanted,
        responses::{Asked, Responses},
        result::Results,
        sse::{Framing, Numbers, Sse},
    };

    fn encoders() -> Vec<Box<dyn Encoder>> {
        let meta = script::meta();
        let results = Results::new(meta.clone(), &Wanted::Debug);
        let numbered = || Framing::Numbered(Numbers::default());
        vec![
            Box::new(Sse::new(meta.clone(), 0)),
            Box::new(Agui::new(meta.clone(), Numbers::default())),
            Box::new(Langflow::new(meta.clone(), Flavour::Build, Framing::Lines)),
            Box::new(Langflow::new(meta.clone(), Flavour::Workflow, numbered())),
            Box::new(Langflow::new(
                meta.clone(),
                Flavour::Run(Box::new(results)),
                Framing::Named,
            )),
            Box::new(Responses::new(meta, Asked::default())),
        ]
    }

    #[test]
    fn what_a_node_remembers_is_shown_to_nobody() {
        let events = script::everything();
        let has_state = |event: &ferro_engine::Event| match &event.body {
            ferro_engine::Body::Asked { question, .. } => question.state.is_some(),
            _ => false,
        };
        let asked = events
            .iter()
            .position(has_state)
            .expect("a question with a state");
        // Also as the last thing that happened: an answer may be made of that alone.
        for shown in [&events[..], &events[..=asked]] {
            for mut encoder in encoders() {
                let text = script::encode(&mut *encoder, shown);
                assert!(!text.contains("for the node alone"), "{text}");
            }
        }
    }

    /// Every line is a field of a frame, a JSON object, or empty.
    fn is_well_formed(text: &str) -> bool {
        let is_json =
            |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok_and(|json| json.is_object());
        text.lines().all(|line| match line.strip_prefix("data: ") {
            Some("[DONE]") => true,
            Some(data) => is_json(data),
            None => {
                line.is_empty() || line.starts_with("id: ") || line.starts_with("event: ") || is_json(line)
            }
        })
    }

    proptest! {
        /// Whatever the order, whatever is missing or comes twice: frames stay whole.
        #[test]
        fn any_log_can_be_written(order in proptest::collection::vec(0..27_usize, 0..60)) {
            let known = script::everything();
            let mut events: Vec<_> = order.iter().filter_map(|at| known.get(*at).cloned()).collect();
            for (at, event) in events.iter_mut().enumerate() {
                event.seq = at as u64 + 1;
            }
            for mut encoder in encoders() {
                let text = script::encode(&mut *encoder, &events);
                prop_assert!(is_well_formed(&text), "{text}");
            }
        }
    }
}
