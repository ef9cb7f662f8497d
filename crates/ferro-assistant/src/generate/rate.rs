//! How often components pass, for whoever watches the server.

use std::sync::atomic::{AtomicU64, Ordering};

static ALL: AtomicU64 = AtomicU64::new(0);
static AT_ONCE: AtomicU64 = AtomicU64::new(0);

/// A component was brought to its end, one way or the other.
pub(super) fn checked(attempts: u32, passed: bool) {
    metrics::histogram!("assistant_validation_attempts").record(attempts);
    let all = ALL.fetch_add(1, Ordering::Relaxed) + 1;
    let first = u64::from(passed && attempts == 1);
    let at_once = AT_ONCE.fetch_add(first, Ordering::Relaxed) + first;
    metrics::gauge!("assistant_validation_success_rate").set(percent(at_once, all));
}

/// Of those since the server started.
fn percent(part: u64, whole: u64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a percentage needs no more than 52 bits"
    )]
    let rate = part as f64 * 100.0 / whole.max(1) as f64;
    rate.min(100.0)
}
