//! What a run answers when nobody listens to it: the response of `/run` and of a workflow.

mod workflow;

use std::borrow::Cow;
use std::sync::Arc;

use ferro_engine::{At, Body, Cause, Event, Failure, NodeResult, Question, RunStatus, Usage};
use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeSeq as _, Serializer};
use uuid::Uuid;

use super::components::{LogLine, Produced};
use super::meta::{Meta, Wanted};
use super::track::Track;
use super::value::text;

pub use workflow::{Asked, ComponentOutput};

/// Collects what a response needs while the events pass by. Only results that are asked for are kept.
pub struct Results {
    track: Track,
    wanted: Vec<bool>,
    input_value: String,
    kept: Vec<Kept>,
    failures: Vec<(Arc<str>, Failure)>,
    asked: Option<(Uuid, Arc<str>, Question)>,
    ended: Option<Ended>,
    started_at: i64,
}

struct Kept {
    node: Arc<str>,
    /// Shares its values with the run.
    result: NodeResult,
    logs: Vec<LogLine>,
}

struct Ended {
    status: RunStatus,
    failure: Option<Failure>,
    duration_us: u64,
    usage: Option<Usage>,
}

impl Results {
    pub fn new(meta: Arc<Meta>, wanted: &Wanted) -> Self {
        Self {
            wanted: wanted.select(&meta),
            track: Track::without_progress(meta),
            input_value: String::new(),
            kept: Vec::new(),
            failures: Vec::new(),
            asked: None,
            ended: None,
            started_at: 0,
        }
    }

    /// What the run was given, to be said again in the response.
    #[must_use]
    pub fn input_value(mut self, text: &str) -> Self {
        text.clone_into(&mut self.input_value);
        self
    }

    pub fn observe(&mut self, event: &Event) {
        self.track.observe(event);
        match &event.body {
            Body::RunStarted { .. } => self.started_at = event.at,
            Body::NodeFinished { at, result } if result.each.is_none() => self.keep(at, result),
            Body::NodeFailed { at, failure, .. } => {
                self.failures.push((Arc::clone(&at.node), failure.clone()))
            }
            Body::Asked {
                at,
                request_id,
                question,
            } => self.asked = Some((*request_id, Arc::clone(&at.node), question.clone())),
            Body::Answered { .. } => self.asked = None,
            Body::RunEnded {
                status,
                failure,
                duration_us,
                usage,
            } => {
                self.ended = Some(Ended {
                    status: *status,
                    failure: failure.clone(),
                    duration_us: *duration_us,
                    usage: *usage,
                });
            }
            _ => {}
        }
    }

    /// A node that runs again, in a cycle or a loop, answers with what it said last.
    fn keep(&mut self, at: &At, result: &NodeResult) {
        let logs = self.track.take_logs(&at.node);
        let index = self.track.meta.index_of(&at.node);
        if index.is_none_or(|index| self.wanted.get(index) != Some(&true)) {
            return;
        }
        let kept = Kept {
            node: Arc::clone(&at.node),
            result: result.clone(),
            logs,
        };
        match self.kept.iter_mut().find(|kept| kept.node == at.node) {
            Some(before) => *before = kept,
            None => self.kept.push(kept),
        }
    }

    pub fn session_id(&self) -> &str {
        &self.track.ids.session_id
    }

    pub fn run_id(&self) -> Uuid {
        self.track.ids.run_id.unwrap_or_default()
    }

    pub fn status(&self) -> RunStatus {
        match (&self.ended, &self.asked) {
            (Some(ended), _) => ended.status,
            (None, Some(_)) => RunStatus::Waiting,
            (None, None) => RunStatus::Running,
        }
    }

    /// Why the run did not complete, if it ended without.
    pub fn failure(&self) -> Option<Cow<'_, Failure>> {
        let ended = self.ended.as_ref()?;
        if ended.status == RunStatus::Completed {
            return None;
        }
        let first = self.failures.first().map(|(_, failure)| failure);
        Some(match ended.failure.as_ref().or(first) {
            Some(failure) => Cow::Borrowed(failure),
            None => Cow::Owned(Failure::new(
                Cause::Cancelled,
                "The run was stopped before it was done",
            )),
        })
    }

    /// The node that failed first, and why.
    pub fn first_failure(&self) -> Option<(&str, &Failure)> {
        self.failures.first().map(|(node, failure)| (&**node, failure))
    }

    pub fn usage(&self) -> Option<Usage> {
        self.ended.as_ref().and_then(|ended| ended.usage)
    }

    /// The texts of the wanted nodes, in the order of the flow's nodes.
    pub fn texts(&self) -> Vec<&str> {
        self.in_order()
            .into_iter()
            .filter_map(|kept| self.produced(kept).first().and_then(text))
            .collect()
    }

    /// `{session_id, outputs: [{inputs, outputs}]}`.
    pub fn run_response(&self) -> impl Serialize + '_ {
        RunResponse(std::slice::from_ref(self))
    }

    /// The same for a request with several inputs: one entry for each run.
    pub fn run_responses(runs: &[Results]) -> impl Serialize + '_ {
        RunResponse(runs)
    }

    fn produced<'s>(&'s self, kept: &'s Kept) -> Produced<'s> {
        Produced::new(
            &kept.node,
            &kept.result,
            &self.track.meta,
            &self.track.ids,
            &kept.logs,
        )
    }

    /// Those with a result, in the order of the flow's nodes.
    fn in_order(&self) -> Vec<&Kept> {
        let mut kept: Vec<_> = self.kept.iter().collect();
        kept.sort_by_key(|kept| self.track.meta.index_of(&kept.node).unwrap_or(usize::MAX));
        kept
    }
}

struct RunResponse<'s>(&'s [Results]);

impl Serialize for RunResponse<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("session_id", self.0.first().map_or("", Results::session_id))?;
        map.serialize_entry("outputs", &RunOutputs(self.0))?;
        map.end()
    }
}

struct RunOutputs<'s>(&'s [Results]);

impl Serialize for RunOutputs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct One<'s> {
            inputs: Inputs<'s>,
            outputs: Several<'s>,
        }
        #[derive(Serialize)]
        struct Inputs<'s> {
            input_value: &'s str,
        }
        let entries = self.0.iter().map(|results| One {
            inputs: Inputs {
                input_value: &results.input_value,
            },
            outputs: Several(results),
        });
        serializer.collect_seq(entries)
    }
}

struct Several<'s>(&'s Results);

impl Serialize for Several<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kept = self.0.in_order();
        let mut list = serializer.serialize_seq(Some(kept.len()))?;
        for kept in kept {
            list.serialize_element(&self.0.produced(kept).result_data())?;
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect, expect_file};

    use serde_json::{Map, Value as Json};

    use super::super::script;
    use super::*;

    fn results(wanted: &Wanted, events: &[Event]) -> Results {
        let mut results = Results::new(script::meta(), wanted).input_value("hello");
        events.iter().for_each(|event| results.observe(event));
        results
    }

    fn pretty(value: &impl Serialize) -> String {
        let json: Json = serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap();
        serde_json::to_string_pretty(&json).unwrap()
    }

    #[test]
    fn a_run_answers_as_langflow_does() {
        let events = script::echo();
        let done = results(&Wanted::Chat, &events);
        expect_file!["testdata/run-response.json"].assert_eq(&pretty(&done.run_response()));
        // The paths that people's programs walk.
        let json: Json = serde_json::to_value(done.run_response()).unwrap();
        let first = &json["outputs"][0]["outputs"][0];
        assert_eq!(first["results"]["message"]["text"], "hello");
        assert_eq!(first["results"]["message"]["data"]["text"], "hello");
        assert_eq!(first["outputs"]["message"]["message"], "hello");
        assert_eq!(first["artifacts"]["message"], "hello");
        assert_eq!(first["messages"][0]["message"], "hello");
    }

    fn check(wanted: &Wanted, expected: &Expect) {
        let json: Json = serde_json::to_value(results(wanted, &script::everything()).run_response()).unwrap();
        let ids = json["outputs"][0]["outputs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["component_id"].as_str().unwrap());
        expected.assert_eq(&ids.collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn callers_choose_whose_results_they_get() {
        let of = |kind: &str, component: &str| Wanted::of(Some(kind), Some(component)).unwrap();
        check(&of("chat", ""), &expect!["ChatOutput-1"]);
        check(&of("text", ""), &expect!["TextOutput-1"]);
        check(&of("any", ""), &expect!["ChatOutput-1 TextOutput-1"]);
        check(
            &of("debug", ""),
            &expect!["ChatInput-1 Router-1 Model-1 ChatOutput-1 TextOutput-1"],
        );
        check(&of("chat", "Model-1"), &expect!["Model-1"]);
        check(&of("chat", "Router"), &expect!["Router-1"]);
        check(&of("chat", "nobody"), &expect![""]);
        assert_eq!(Wanted::of(Some("sound"), None), None);
        assert_eq!(Wanted::of(None, None), Some(Wanted::Chat));
    }

    #[test]
    fn a_workflow_answers_with_one_object() {
        let events = script::echo();
        let done = results(&Wanted::Any, &events);
        let asked = Asked {
            inputs: Map::from_iter([("input_value".to_owned(), "hello".into())]),
            globals: vec!["KEY".to_owned()],
        };
        expect_file!["testdata/workflow-response.json"].assert_eq(&pretty(&done.workflow_response(&asked)));
        let events = script::everything();
        let failed = results(&Wanted::Any, &events);
        expect_file!["testdata/workflow-failed.json"]
            .assert_eq(&pretty(&failed.workflow_response(&Asked::default())));
    }

    #[test]
    fn a_run_that_waits_says_for_what() {
        let all = script::everything();
        let asked = all
            .iter()
            .position(|event| matches!(event.body, Body::Asked { .. }))
            .unwrap();
        let waiting = results(&Wanted::Any, &all[..=asked]);
        let json = serde_json::to_value(waiting.workflow_response(&Asked::default())).unwrap();
        assert_eq!(json["status"], "suspended");
        assert_eq!(
            json["human_request"]["allowed_decisions"],
            serde_json::json!(["yes", "no"])
        );
        let none = Results::new(script::meta(), &Wanted::Any);
        let json = serde_json::to_value(none.workflow_response(&Asked::default())).unwrap();
        assert_eq!(
            (&json["status"], &json["output"]["reason"]),
            (&"in_progress".into(), &"none".into())
        );
    }
}
