//! Static analysis: text in, findings out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ferro_python::analysis::{self, Checked, Diagnostic, Severity};

#[path = "analysis/cases.rs"]
mod cases;
#[path = "analysis/component.rs"]
mod component;
#[path = "analysis/hostile.rs"]
mod hostile;
#[path = "analysis/messages.rs"]
mod messages;
#[path = "analysis/random.rs"]
mod random;
#[path = "analysis/same.rs"]
mod same;

fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    found.iter().map(|found| found.code).collect()
}

fn check(code: &str) -> Checked {
    analysis::check(code)
}

fn has_errors(checked: &Checked) -> bool {
    checked
        .diagnostics
        .iter()
        .any(|found| found.severity == Severity::Error)
}
