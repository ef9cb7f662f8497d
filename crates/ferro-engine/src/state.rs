//! `RunState`: where a run is. A reducer without IO or clock: events go in, commands come out.
//!
//! One rule decides when a node runs: every data wire into it has been decided, and, if control wires lead to it,
//! one of them has fired. A wire is decided when its source has produced, chose another branch, or will never run.
//! Everything that changes a run is an event, so going on after a crash is feeding the log in again.

mod command;
mod flow;
mod live;
mod rounds;

pub(crate) use command::{Broken, Command, Given};

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_json::Value as Json;
use uuid::Uuid;

use crate::component::{Answer, Outputs};
use crate::event::{At, Body, NodeResult, Skipped};
use crate::plan::{Plan, RegionKind};
use crate::value::Value;

pub(crate) struct RunState {
    pub(crate) plan: Arc<Plan>,
    nodes: Vec<NodeState>,
    regions: Vec<RegionState>,
    /// The last value on each wire that leaves a loop or cycle.
    exits: HashMap<u32, Value>,
    /// What the round before left on the wires that lead back.
    carried: HashMap<u32, Value>,
    /// Who is downstream of a router, one bit a node; computed when first asked.
    downstream: HashMap<u32, Vec<u64>>,
    asked: HashMap<Uuid, Asked>,
    /// What nodes under way were given; a repetition needs it again.
    given: HashMap<u32, Given>,
    seeds: HashMap<u32, Outputs>,
    /// Nodes that are done but whose living outputs are gone, by the names of those.
    hollow: HashMap<u32, Vec<String>>,
    limits: StateLimits,
    decided: VecDeque<u32>,
    commands: Vec<Command>,
    failed: bool,
    cancelled: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StateLimits {
    /// Rounds of a cycle.
    pub rounds: u32,
}

struct Asked {
    node: u32,
    /// Whether an effect that may have happened is to be repeated.
    doubt: bool,
    /// What the node is to know again.
    memory: Option<Arc<Json>>,
}

struct NodeState {
    /// Data wires that are not decided yet.
    pending: u32,
    /// Control wires that are not decided yet.
    controls: u32,
    /// A control wire has fired.
    fired: bool,
    status: Status,
}

enum Status {
    /// In a region that has not begun.
    Dormant,
    Waiting,
    Running,
    Asking,
    Looping {
        items: Vec<Value>,
        results: Vec<Value>,
    },
    Done(Arc<Outputs>),
    Failed,
    /// Because of the branches these nodes did not take.
    Inactive(Arc<[u32]>),
    Blocked,
}

#[derive(Default)]
struct RegionState {
    /// A round of it has begun since the region around it did.
    begun: bool,
    live: bool,
    settled: bool,
    broken: bool,
    round: u32,
    /// Nodes and cycles directly in it that are not decided.
    open: usize,
}

/// What is known of a wire.
enum WireState<'a> {
    Undecided,
    /// Of a round that has not been: it neither brings nor keeps anything.
    Absent,
    Delivered(Option<&'a Value>),
    Inactive(Arc<[u32]>),
    Blocked,
}

/// Asked after a crash in the middle of something that cannot be undone.
pub(crate) const EFFECT_UNKNOWN: &str = "effect_unknown";
/// The answer that repeats it.
pub(crate) const AGAIN: &str = "again";

impl RunState {
    pub(crate) fn new(plan: Arc<Plan>, limits: StateLimits) -> Self {
        let nodes = plan.nodes.iter().map(|_| NodeState {
            pending: 0,
            controls: 0,
            fired: false,
            status: Status::Dormant,
        });
        Self {
            nodes: nodes.collect(),
            regions: plan.regions.iter().map(|_| RegionState::default()).collect(),
            exits: HashMap::new(),
            carried: HashMap::new(),
            downstream: HashMap::new(),
            asked: HashMap::new(),
            given: HashMap::new(),
            seeds: HashMap::new(),
            hollow: HashMap::new(),
            limits,
            decided: VecDeque::new(),
            commands: Vec::new(),
            failed: false,
            cancelled: false,
            plan,
        }
    }

    /// Results that are taken over instead of running their node. Before `start`.
    pub(crate) fn seed(&mut self, node: u32, outputs: Outputs) {
        self.seeds.insert(node, outputs);
    }

    pub(crate) fn start(&mut self) -> Vec<Command> {
        self.start_region(0);
        self.settle();
        std::mem::take(&mut self.commands)
    }

    /// Takes one event in. Those that only tell change nothing.
    pub(crate) fn on(&mut self, event: &Body) -> Vec<Command> {
        match event {
            Body::NodeFinished { at, result } => {
                if let Some(node) = self.running(&at.node) {
                    self.finished(node, result);
                }
            }
            Body::NodeFailed { at, .. } => {
                if let Some(&node) = self.plan.index.get(&at.node) {
                    self.fail(node);
                }
            }
            Body::Asked {
                at,
                request_id,
                question,
            } => {
                if let Some(node) = self.running(&at.node) {
                    let doubt = question.kind == EFFECT_UNKNOWN;
                    let memory = question.state.clone().map(Arc::new);
                    self.asked.insert(*request_id, Asked { node, doubt, memory });
                    self.nodes[node as usize].status = Status::Asking;
                }
            }
            Body::Answered { request_id, answer } => {
                if let Some(asked) = self.asked.remove(request_id) {
                    self.answered(&asked, answer);
                }
            }
            Body::CancelRequested => self.cancel(),
            _ => {}
        }
        self.settle();
        std::mem::take(&mut self.commands)
    }

    fn running(&self, id: &Arc<str>) -> Option<u32> {
        let &node = self.plan.index.get(id)?;
        let open = matches!(self.nodes[node as usize].status, Status::Running | Status::Asking);
        open.then_some(node)
    }

    fn answered(&mut self, asked: &Asked, answer: &Answer) {
        let node = asked.node;
        if !matches!(self.nodes[node as usize].status, Status::Asking) {
            return;
        }
        self.nodes[node as usize].status = Status::Running;
        let mut given = self.given.get(&node).cloned().unwrap_or_default();
        if !asked.doubt {
            given.answer = Some(answer.clone());
            given.memory.clone_from(&asked.memory);
        } else if answer.action_id != AGAIN {
            let at = self.at(node);
            self.commands.push(Command::Break {
                at,
                why: Broken::NotAgain,
            });
            return;
        }
        self.run(node, given);
    }

    /// Has a node run that is given more than its fields.
    fn run(&mut self, node: u32, given: Given) {
        self.given.insert(node, given.clone());
        self.commands.push(Command::Run { node, given });
    }

    fn finished(&mut self, node: u32, result: &NodeResult) {
        self.given.remove(&node);
        let Some(items) = &result.each else {
            if !result.live.is_empty() {
                self.hollow.insert(node, result.live.clone());
            }
            self.nodes[node as usize].status = Status::Done(Arc::new(result.outputs.clone()));
            self.decided.push_back(node);
            return;
        };
        let body = self.plan.nodes[node as usize].body;
        let Some(body) = body.filter(|_| !items.is_empty()) else {
            // Nothing to do for each: the items are their own results.
            let collected = Some(items.clone());
            self.run(
                node,
                Given {
                    collected,
                    ..Given::default()
                },
            );
            return;
        };
        self.nodes[node as usize].status = Status::Looping {
            items: items.clone(),
            results: Vec::new(),
        };
        self.regions[body as usize].round = 0;
        self.begin_round(node, body);
    }

    fn fail(&mut self, node: u32) {
        self.failed = true;
        self.given.remove(&node);
        let state = &mut self.nodes[node as usize];
        let was_open = matches!(
            state.status,
            Status::Running | Status::Asking | Status::Looping { .. }
        );
        state.status = Status::Failed;
        if was_open {
            self.decided.push_back(node);
        }
    }

    /// What has not begun will not; what runs is the driver's to stop.
    fn cancel(&mut self) {
        self.cancelled = true;
        for node in 0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX) {
            if matches!(
                self.nodes[node as usize].status,
                Status::Waiting | Status::Dormant
            ) {
                self.nodes[node as usize].status = Status::Blocked;
                let at = self.at(node);
                self.commands.push(Command::Skip {
                    node,
                    at,
                    why: Skipped::Cancelled,
                });
            }
        }
        self.decided.clear();
        self.commands.push(Command::Finish);
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// Nodes under way, those that wait for a person, and loops between rounds.
    pub(crate) fn open_nodes(&self) -> Vec<u32> {
        self.having(|status| matches!(status, Status::Running | Status::Asking | Status::Looping { .. }))
    }

    pub(crate) fn running_nodes(&self) -> Vec<u32> {
        self.having(|status| matches!(status, Status::Running))
    }

    /// Nodes that have not been decided although nothing is under way: a plan that cannot go on.
    pub(crate) fn stuck(&self) -> Vec<u32> {
        self.having(|status| matches!(status, Status::Waiting))
    }

    fn having(&self, is: impl Fn(&Status) -> bool) -> Vec<u32> {
        (0..)
            .zip(&self.nodes)
            .filter(|(_, state)| is(&state.status))
            .map(|(node, _)| node)
            .collect()
    }

    /// Some node waits for a person.
    pub(crate) fn is_asking(&self) -> bool {
        !self.asked.is_empty()
    }

    /// This question has not been answered.
    pub(crate) fn waits_for(&self, request_id: &Uuid) -> bool {
        self.asked.contains_key(request_id)
    }

    pub(crate) fn outputs(&self, node: u32) -> Option<&Arc<Outputs>> {
        match &self.nodes[node as usize].status {
            Status::Done(outputs) => Some(outputs),
            _ => None,
        }
    }

    pub(crate) fn at(&self, node: u32) -> At {
        At {
            node: Arc::clone(&self.plan.nodes[node as usize].id),
            rounds: self.rounds(node),
        }
    }

    /// The rounds around a node, outermost first.
    pub(crate) fn rounds(&self, node: u32) -> Vec<u32> {
        let mut rounds = Vec::new();
        let mut region = self.plan.nodes[node as usize].region;
        while region != 0 {
            rounds.push(self.regions[region as usize].round);
            region = self.plan.regions[region as usize].parent;
        }
        rounds.reverse();
        rounds
    }

    /// How often the innermost cycle around a node has been gone through before.
    pub(crate) fn cycle_round(&self, node: u32) -> u32 {
        let region = self.plan.nodes[node as usize].region as usize;
        match self.plan.regions[region].kind {
            RegionKind::Cycle(_) => self.regions[region].round,
            _ => 0,
        }
    }
}
