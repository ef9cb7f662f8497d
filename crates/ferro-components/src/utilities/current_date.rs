//! Says what day and time it is.
//!
//! **Timezone** is where, by the name of the place: `Europe/Berlin`, `America/New_York`, `Asia/Tokyo`, or `UTC`. As a tool, an
//! agent fills it in.
//!
//! **Example.** `Europe/Berlin` gives a Message such as `2026-03-01 14:05:09 CET (Europe/Berlin)`.
//!
//! **Common mistakes.** Short names such as `PST` are not places: write `America/Los_Angeles`, and summer time is taken care
//! of. The zones are built in, so the answer does not depend on the machine's settings, only on its clock.

use std::sync::LazyLock;

use ferro_engine::{Call, Component, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::text::fields::text_or;

pub(crate) struct CurrentDate;

/// The zones that came with the program: the machine may have none, or old ones.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

impl Component for CurrentDate {
    fn descriptor(&self) -> Descriptor {
        let zones: Vec<String> = ZONES.available().map(|zone| zone.as_str().to_owned()).collect();
        let zones: Vec<&str> = zones.iter().map(String::as_str).collect();
        Descriptor::new("CurrentDate", "Current Date")
            .category("utilities")
            .icon("clock")
            .description("The date and time in a time zone.")
            .help(include_str!("current_date.rs"))
            .field(
                FieldSpec::dropdown("timezone", "Timezone", &zones, "UTC")
                    .tool()
                    .info("A place, such as Europe/Berlin."),
            )
            .output(OutputSpec::new(
                "current_date",
                "Current Date",
                "get_current_date",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let told = now_in(&text_or(&call, "timezone", "UTC"));
        Step::Now(told.map(|text| Outputs::one("current_date", Value::text(text))))
    }
}

/// The date and time there, as text.
pub(crate) fn now_in(zone: &str) -> Result<String, Failure> {
    tell(zone, Timestamp::now())
}

fn tell(zone: &str, now: Timestamp) -> Result<String, Failure> {
    let zone = if zone.trim().is_empty() {
        "UTC"
    } else {
        zone.trim()
    };
    let found = if zone.eq_ignore_ascii_case("UTC") {
        Ok(TimeZone::UTC)
    } else {
        ZONES.get(zone)
    };
    let Ok(place) = found else {
        let shown: String = zone.chars().take(60).collect();
        return Err(
            Failure::input("timezone", format!("There is no time zone {shown:?}"))
                .advice("Write a place such as Europe/Berlin, America/New_York, Asia/Tokyo, or UTC."),
        );
    };
    Ok(format!(
        "{} ({zone})",
        now.to_zoned(place).strftime("%Y-%m-%d %H:%M:%S %Z")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(zone: &str, expected: &str) {
        let told = tell(zone, "2026-07-01T12:00:00Z".parse().unwrap());
        let found = told.unwrap_or_else(|failure| failure.message);
        assert_eq!(found, expected);
    }

    #[test]
    fn zones_and_summer_time() {
        check("UTC", "2026-07-01 12:00:00 UTC (UTC)");
        check("", "2026-07-01 12:00:00 UTC (UTC)");
        check("Europe/Berlin", "2026-07-01 14:00:00 CEST (Europe/Berlin)");
        check("Asia/Tokyo", "2026-07-01 21:00:00 JST (Asia/Tokyo)");
        check("Mars/Olympus", "There is no time zone \"Mars/Olympus\"");
    }
}
