//! The driver: does what the state says, on tokio. Nodes run side by side as soon as they are ready.

mod node;
mod replay;
mod revive;
mod stop;
mod variables;
mod wait;

pub use replay::reusable;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::component::{Answer, Outcome, Outputs};
use crate::context::{Context, RunInfo};
use crate::event::{At, Body, Event, RunStatus};
use crate::failure::Failure;
use crate::host::Host;
use crate::journal::{EventLog, Follower, Journal};
use crate::plan::Plan;
use crate::state::{Command, RunState, StateLimits};
use crate::tweaks::Overrides;
use crate::value::Usage;
use stop::Stop;
use wait::Woken;

/// How much a run may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The whole run, waiting for people not counted.
    pub run: Duration,
    /// One execution of one node.
    pub node: Duration,
    /// Nodes that wait for the outside world at the same time.
    pub parallel: usize,
    /// Rounds of a cycle.
    pub rounds: u32,
    /// Items of a loop.
    pub items: usize,
    /// Bytes that one node may put out.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            run: Duration::from_secs(300),
            node: Duration::from_secs(300),
            parallel: 32,
            rounds: 100,
            items: 100_000,
            output: 32 << 20,
        }
    }
}

/// Everything a run begins with.
pub struct Start {
    pub plan: Arc<Plan>,
    pub info: RunInfo,
    pub overrides: Overrides,
    pub host: Arc<dyn Host>,
    /// Where the events are kept, if they are.
    pub log: Option<Arc<dyn EventLog>>,
    pub limits: Limits,
    /// Results taken over from another run, by node.
    pub seeds: HashMap<String, Outputs>,
    /// The log so far of a run that another process began.
    pub history: Vec<Event>,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Ending {
    pub status: RunStatus,
    pub failure: Option<Failure>,
    /// The log could not be written: the run is unfinished there, and goes on when it is resumed.
    pub lost: bool,
}

/// A run under way, to be watched and steered. Cheap to clone.
#[derive(Clone)]
pub struct Handle {
    journal: Arc<Journal>,
    control: mpsc::UnboundedSender<(Uuid, Answer)>,
    cancel: CancellationToken,
}

impl Handle {
    /// Reads events after number `seq`.
    pub fn follow(&self, seq: u64) -> Follower {
        self.journal.follow(seq)
    }

    /// Stops the run: what waits for the outside world is cut off.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Gives a person's answer. `false` when the run is over.
    pub fn answer(&self, request_id: Uuid, answer: Answer) -> bool {
        self.control.send((request_id, answer)).is_ok()
    }

    /// The number of the last event.
    pub fn last_seq(&self) -> u64 {
        self.journal.last_seq()
    }
}

/// Makes a run ready. It goes on while the future is polled: spawn it, or await it to stop with whoever awaits.
pub fn start(start: Start) -> (Handle, impl Future<Output = Ending> + Send + 'static) {
    let journal = Journal::new(start.log, start.history.last());
    let (control, answers) = mpsc::unbounded_channel();
    let cancel = CancellationToken::new();
    let handle = Handle {
        journal: Arc::clone(&journal),
        control,
        cancel: cancel.clone(),
    };
    let mut state = RunState::new(
        Arc::clone(&start.plan),
        StateLimits {
            rounds: start.limits.rounds,
        },
    );
    for (id, outputs) in start.seeds {
        if let Some(&node) = start.plan.index.get(id.as_str()) {
            state.seed(node, outputs);
        }
    }
    let mut context = Context::heard(
        start.info,
        start.host,
        Arc::clone(&journal) as Arc<dyn crate::Sink>,
    );
    context.cancel = cancel.clone();
    let driver = Driver {
        plan: start.plan,
        state,
        journal,
        context,
        overrides: start.overrides,
        limits: start.limits,
        answers,
        cancel,
        running: FuturesUnordered::new(),
        starting: VecDeque::new(),
        done: VecDeque::new(),
        timers: Vec::new(),
        attempts: HashMap::new(),
        queue: VecDeque::new(),
        parked: Vec::new(),
        skipped: HashSet::new(),
        reviving: HashSet::new(),
        failure: None,
        usage: None,
        began: Instant::now(),
        before_us: 0,
        deadline: Instant::now() + start.limits.run,
        steps: 0,
        finished: false,
    };
    (handle, driver.drive(start.history))
}

/// An execution that has come to an end.
struct Done {
    node: u32,
    began: Instant,
    outcome: Result<Outcome, Failure>,
    /// It ran only for what it had lost.
    revived: bool,
}

type Work = BoxFuture<'static, Done>;

struct Driver {
    plan: Arc<Plan>,
    state: RunState,
    journal: Arc<Journal>,
    context: Context,
    overrides: Overrides,
    limits: Limits,
    answers: mpsc::UnboundedReceiver<(Uuid, Answer)>,
    cancel: CancellationToken,
    running: FuturesUnordered<Work>,
    /// Work that has not begun.
    starting: VecDeque<Work>,
    /// What came to an end while something was being written.
    done: VecDeque<Done>,
    /// Questions that answer themselves.
    timers: Vec<(Instant, Uuid, Answer)>,
    /// The attempt that the next execution of a node is, where it is not the first.
    attempts: HashMap<u32, u32>,
    /// What is still to be done.
    queue: VecDeque<Command>,
    /// Nodes that wait for what another must make again.
    parked: Vec<Command>,
    reviving: HashSet<u32>,
    /// What the log says already about nodes that do not run.
    skipped: HashSet<At>,
    failure: Option<Failure>,
    usage: Option<Usage>,
    began: Instant,
    /// What the run took before another process went on with it.
    before_us: u64,
    deadline: Instant,
    steps: u32,
    finished: bool,
}

/// So many steps without waiting for anything, and the run looks up.
const STRETCH: u32 = 64;

impl Driver {
    async fn drive(mut self, history: Vec<Event>) -> Ending {
        if let Some(Body::RunEnded { status, failure, .. }) = history.last().map(|event| &event.body) {
            self.journal.end();
            return Ending {
                status: *status,
                failure: failure.clone(),
                lost: false,
            };
        }
        let commands = if history.is_empty() {
            self.begin()
        } else {
            self.go_on(history)
        };
        self.queue.extend(commands);
        let outcome = self.until_done().await;
        let status = match outcome {
            Ok(status) => status,
            Err(failure) => {
                self.running.clear();
                self.journal.end();
                return Ending {
                    status: RunStatus::Running,
                    failure: Some(failure),
                    lost: true,
                };
            }
        };
        self.journal.push(Body::RunEnded {
            status,
            failure: self.failure.clone(),
            duration_us: self.before_us + micros(self.began),
            usage: self.usage,
        });
        let flushed = self.journal.flush().await;
        self.journal.end();
        Ending {
            status,
            lost: flushed.is_err(),
            failure: flushed.err().or_else(|| self.failure.take()),
        }
    }

    fn begin(&mut self) -> Vec<Command> {
        let run = &self.context.run;
        self.journal.push(Body::RunStarted {
            run_id: run.run_id,
            flow_id: run.flow_id,
            session_id: run.session_id.clone(),
        });
        let commands = self.state.start();
        self.planned(&commands);
        commands
    }

    fn planned(&self, first: &[Command]) {
        let first = first.iter().filter_map(|command| match command {
            Command::Run { node, .. } | Command::Reuse { node, .. } => {
                Some(Arc::clone(&self.plan.nodes[*node as usize].id))
            }
            _ => None,
        });
        self.journal.push(Body::Planned {
            nodes: self.plan.nodes.iter().map(|node| Arc::clone(&node.id)).collect(),
            first: first.collect(),
        });
    }

    /// Runs until everything is decided. `Err` when the log could not be written.
    async fn until_done(&mut self) -> Result<RunStatus, Failure> {
        loop {
            while !self.cancel.is_cancelled() {
                let Some(command) = self.queue.pop_front() else {
                    break;
                };
                let more = self.perform(command);
                self.queue.extend(more);
                self.steps += 1;
                if self.steps.is_multiple_of(STRETCH) && self.look_up().await? {
                    return Ok(self.stop(Stop::TimedOut));
                }
            }
            if !self.starting.is_empty() && !self.cancel.is_cancelled() {
                // What a node's work follows from must be safe before others can see the work.
                if self.journal.must_flush() {
                    self.flush().await?;
                }
                self.launch();
            }
            if self.cancel.is_cancelled() || self.state.is_cancelled() {
                self.hear_last_words().await;
                return Ok(self.stop(Stop::Cancelled));
            }
            if self.finished {
                let failed = self.state.has_failed();
                return Ok(if failed {
                    RunStatus::Failed
                } else {
                    RunStatus::Completed
                });
            }
            if let Some(done) = self.done.pop_front() {
                self.take(done);
                continue;
            }
            if self.running.is_empty() && !self.state.is_asking() {
                return Ok(self.stop(Stop::Stuck));
            }
            // A reader waits for what has happened, not for what happens next.
            if self.journal.must_flush() {
                self.flush().await?;
                continue;
            }
            if self.out_of_room().await {
                return Ok(self.stop(Stop::TimedOut));
            }
            match self.wait().await {
                Woken::Done(done) => {
                    self.launch();
                    self.take(done);
                }
                Woken::Said => self.flush().await?,
                Woken::Answer(request_id, answer) => {
                    self.timers.retain(|(_, id, _)| *id != request_id);
                    if self.state.waits_for(&request_id) {
                        let more = self.tell(Body::Answered { request_id, answer });
                        self.queue.extend(more);
                    }
                }
                Woken::Cancelled => {}
                Woken::TooLate => {
                    self.hear_last_words().await;
                    return Ok(self.stop(Stop::TimedOut));
                }
                Woken::Nobody => return Ok(self.stop(Stop::Unanswered)),
            }
        }
    }

    fn take(&mut self, done: Done) {
        let more = if done.revived {
            self.revived(done.node, done.outcome)
        } else {
            self.complete(done.node, done.began, done.outcome)
        };
        self.queue.extend(more);
    }

    /// Writes an event down and takes it in.
    fn tell(&mut self, body: Body) -> Vec<Command> {
        let commands = self.state.on(&body);
        self.journal.push(body);
        commands
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Whatever a component left behind, such as a thread, learns that the run is over.
        self.cancel.cancel();
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}
