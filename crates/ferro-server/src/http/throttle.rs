//! How often something may be tried. Kept in memory: a restart forgives.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Old entries are swept out when there are more than this.
const SWEEP_ABOVE: usize = 10_000;

#[derive(Default)]
pub struct Throttle {
    tries: Mutex<HashMap<String, VecDeque<Instant>>>,
}

#[derive(Clone, Copy)]
pub struct Limit {
    pub tries: usize,
    pub within: Duration,
}

pub const PER_ACCOUNT: Limit = Limit {
    tries: 5,
    within: Duration::from_secs(60),
};
pub const PER_ADDRESS: Limit = Limit {
    tries: 20,
    within: Duration::from_secs(60),
};

pub const SIGN_UPS: Limit = Limit {
    tries: 5,
    within: Duration::from_secs(60),
};
pub const REFRESHES: Limit = Limit {
    tries: 60,
    within: Duration::from_secs(60),
};
pub const PASSWORD_CHANGES: Limit = Limit {
    tries: 5,
    within: Duration::from_secs(60 * 60),
};

/// More than a person can click.
pub const FEEDBACK: Limit = Limit {
    tries: 600,
    within: Duration::from_secs(60),
};

impl Throttle {
    /// Counts one try; `Err` says how long to wait when there were too many.
    pub fn count(&self, key: &str, limit: Limit) -> Result<(), Duration> {
        self.count_at(key, limit, Instant::now())
    }

    fn count_at(&self, key: &str, limit: Limit, now: Instant) -> Result<(), Duration> {
        let mut all = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() > SWEEP_ABOVE {
            all.retain(|_, tries| {
                tries
                    .back()
                    .is_some_and(|last| now.duration_since(*last) < limit.within)
            });
        }
        let tries = all.entry(key.to_owned()).or_default();
        while tries
            .front()
            .is_some_and(|first| now.duration_since(*first) >= limit.within)
        {
            tries.pop_front();
        }
        if let Some(first) = tries.front().filter(|_| tries.len() >= limit.tries) {
            return Err(limit.within.saturating_sub(now.duration_since(*first)));
        }
        tries.push_back(now);
        Ok(())
    }

    /// Forgets the tries of someone who got in.
    pub fn forgive(&self, key: &str) {
        self.tries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_tries_wait_out_the_window() {
        let throttle = Throttle::default();
        let start = Instant::now();
        for _ in 0..PER_ACCOUNT.tries {
            assert!(throttle.count_at("ada", PER_ACCOUNT, start).is_ok());
        }
        let wait = throttle
            .count_at("ada", PER_ACCOUNT, start + Duration::from_secs(20))
            .unwrap_err();
        assert_eq!(wait, Duration::from_secs(40));
        assert!(throttle.count_at("bob", PER_ACCOUNT, start).is_ok());
        assert!(
            throttle
                .count_at("ada", PER_ACCOUNT, start + PER_ACCOUNT.within)
                .is_ok()
        );
    }
}
