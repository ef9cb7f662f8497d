//! Waiting for something to be so, instead of for time to pass.

use std::time::{Duration, Instant};

/// How long anything may take before a test gives up on it.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Asks again until the answer is `Some`. Panics with `what` when it never is.
pub async fn until<T, F>(what: &str, mut ask: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    let started = Instant::now();
    loop {
        if let Some(found) = ask().await {
            return found;
        }
        assert!(
            started.elapsed() < PATIENCE,
            "waited {PATIENCE:?} in vain: {what}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
