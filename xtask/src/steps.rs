//! Steps that are run one after another, timed, and summed up: one failure does not hide the next.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::sh;

pub struct Steps {
    done: Vec<Step>,
    started: Instant,
}

struct Step {
    name: &'static str,
    time: Duration,
    failure: Option<Failure>,
}

struct Failure {
    error: anyhow::Error,
    remedy: &'static str,
}

impl Steps {
    pub fn new() -> Self {
        Self {
            done: Vec::new(),
            started: Instant::now(),
        }
    }

    /// Runs a step unless a signal came; says whether it succeeded, for steps that build on it.
    pub fn run(
        &mut self,
        name: &'static str,
        remedy: &'static str,
        step: impl FnOnce() -> Result<()>,
    ) -> bool {
        if sh::interrupted() {
            return false;
        }
        println!("\n── {name}");
        let started = Instant::now();
        let failure = step().err().map(|error| Failure { error, remedy });
        let time = started.elapsed();
        if let Some(failure) = &failure {
            println!("   {name} FAILED after {}: {:#}", shown(time), failure.error);
        } else {
            println!("   {name}: ok, {}", shown(time));
        }
        let succeeded = failure.is_none();
        self.done.push(Step { name, time, failure });
        succeeded
    }

    /// A step that could not be run because one before it failed.
    pub fn skip(&mut self, name: &'static str, because: &'static str) {
        println!("\n── {name}\n   not run: {because}");
        let failure = Some(Failure {
            error: anyhow::anyhow!("not run: {because}"),
            remedy: "",
        });
        self.done.push(Step {
            name,
            time: Duration::ZERO,
            failure,
        });
    }

    pub fn finish(self) -> Result<()> {
        println!("\n── summary ({})", shown(self.started.elapsed()));
        for step in &self.done {
            let mark = if step.failure.is_some() { "FAILED" } else { "ok" };
            println!("   {mark:<7} {:<24} {:>8}", step.name, shown(step.time));
        }
        if sh::interrupted() {
            bail!("interrupted");
        }
        let failed: Vec<&Step> = self.done.iter().filter(|step| step.failure.is_some()).collect();
        if failed.is_empty() {
            return Ok(());
        }
        let mut report = format!("{} of {} steps failed:", failed.len(), self.done.len());
        for step in failed {
            let Some(Failure { error, remedy }) = &step.failure else {
                continue;
            };
            report.push_str(&format!("\n  {}: {error:#}", step.name));
            if !remedy.is_empty() {
                report.push_str(&format!("\n    to mend it: {remedy}"));
            }
        }
        bail!(report)
    }
}

pub fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1}s", time.as_secs_f64()),
        10..60 => format!("{seconds}s"),
        _ => format!("{}m{:02}s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_kept_and_the_rest_still_runs() {
        let mut steps = Steps::new();
        assert!(!steps.run("first", "do this", || bail!("broken")));
        let mut ran = false;
        assert!(steps.run("second", "", || {
            ran = true;
            Ok(())
        }));
        steps.skip("third", "first failed");
        assert!(ran);
        let report = steps.finish().unwrap_err().to_string();
        for part in ["2 of 3", "first: broken", "do this", "third: not run"] {
            assert!(report.contains(part), "{report}");
        }
    }

    #[test]
    fn all_well_is_ok() {
        let mut steps = Steps::new();
        steps.run("only", "", || Ok(()));
        assert!(steps.finish().is_ok());
    }

    #[test]
    fn times_read_well() {
        assert_eq!(shown(Duration::from_millis(1234)), "1.2s");
        assert_eq!(shown(Duration::from_secs(42)), "42s");
        assert_eq!(shown(Duration::from_secs(125)), "2m05s");
    }
}
