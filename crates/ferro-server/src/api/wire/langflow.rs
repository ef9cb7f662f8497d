//! Langflow's own event objects: `{"event": …, "data": …}`, for its first API's build and run streams and for the
//! protocol `langflow` of its second.

use std::sync::Arc;

use ferro_engine::{At, Body, Event, Failure, Message, NodeResult, RunStatus};
use serde::Serialize;
use uuid::Uuid;

use super::components::{Broken, HumanRequest, LogEvent, Produced};
use super::message::{Blocks, MessageRead, failure_message, is_error};
use super::meta::{Meta, NodeMeta, Role};
use super::result::{ComponentOutput, Results};
use super::sse::Framing;
use super::track::Track;
use super::{Encoder, Moment, Rfc3339, Spaced};

/// Whose stream it is.
pub enum Flavour {
    /// The build of a canvas: every node's steps, then `end` with how long it took.
    Build,
    /// A run: messages and tokens, then `end` with the same result a plain run answers with, or `error`.
    Run(Box<Results>),
    /// One of several runs whose results are told together (`run_end`): as `Run`, without `end`.
    Part(Box<Results>),
    /// A workflow: a build's events, and what each output says as soon as it is there.
    Workflow,
}

pub struct Langflow {
    track: Track,
    flavour: Flavour,
    framing: Framing,
}

impl Langflow {
    pub fn new(meta: Arc<Meta>, flavour: Flavour, framing: Framing) -> Self {
        Self {
            track: Track::new(meta),
            flavour,
            framing,
        }
    }

    /// What a run's result is made of.
    pub fn into_results(self) -> Option<Results> {
        match self.flavour {
            Flavour::Run(results) | Flavour::Part(results) => Some(*results),
            Flavour::Build | Flavour::Workflow => None,
        }
    }

    fn is_run(&self) -> bool {
        matches!(self.flavour, Flavour::Run(_) | Flavour::Part(_))
    }

    fn blocks(&self) -> Blocks {
        match self.flavour {
            Flavour::Workflow => Blocks::Flat,
            _ => Blocks::Grouped,
        }
    }

    fn message(&mut self, message: &Message, is_output: bool, out: &mut Vec<u8>) {
        let name = if is_error(message) { "error" } else { "add_message" };
        // A run that fails says so once, at its end.
        if name == "error" && self.is_run() {
            return;
        }
        let data = MessageRead::new(message, &self.track.ids, self.blocks()).output(is_output);
        self.framing.named(out, name, &data);
    }

    fn finished(&mut self, at: &At, result: &NodeResult, time: i64, out: &mut Vec<u8>) {
        let logs = self.track.take_logs(&at.node);
        let track = &self.track;
        let produced = Produced::new(&at.node, result, &track.meta, &track.ids, &logs);
        let next = track.next_of(&at.node);
        let data = EndVertex {
            build_data: BuildData {
                id: &at.node,
                valid: true,
                params: "done",
                inactivated_vertices: &result.inactivated,
                next_vertices_ids: &next,
                top_level_vertices: &next,
                timestamp: Rfc3339(Moment(time)),
                data: produced.built(),
            },
            output_meta: OutputMeta::new(&at.node, track.meta.get(&at.node)),
        };
        self.framing.named(out, "end_vertex", &data);
        let is_output = produced.node.is_some_and(|node| node.role == Role::Output);
        if is_output && matches!(self.flavour, Flavour::Workflow) {
            let output = Named {
                component_id: &at.node,
                output: ComponentOutput::new(&produced),
            };
            self.framing.named(out, "output", &output);
        }
    }

    fn failed(&mut self, event: &Event, at: &At, failure: &Failure, duration_us: u64, out: &mut Vec<u8>) {
        let logs = self.track.take_logs(&at.node);
        let track = &self.track;
        let node = track.meta.get(&at.node);
        let data = EndVertex {
            build_data: BuildData {
                id: &at.node,
                valid: false,
                params: &failure.message,
                inactivated_vertices: &[],
                next_vertices_ids: &[],
                top_level_vertices: &[],
                timestamp: Rfc3339(Moment(event.at)),
                data: Broken::new(node, failure, duration_us, &logs),
            },
            output_meta: OutputMeta::new(&at.node, node),
        };
        self.framing.named(out, "end_vertex", &data);
        if !self.track.has_told(&at.node) {
            self.complain(failure, &at.node, event, out);
        }
    }

    /// An `error` event about a node, or about the whole run when `node` is empty.
    fn complain(&mut self, failure: &Failure, node: &str, event: &Event, out: &mut Vec<u8>) {
        let track = &self.track;
        let message = failure_message(failure, node, &track.meta, &track.ids, (event.at, event.seq));
        let data = MessageRead::new(&message, &track.ids, self.blocks());
        self.framing.named(out, "error", &data);
    }

    fn ended(&mut self, event: &Event, out: &mut Vec<u8>) {
        let Body::RunEnded {
            status,
            failure,
            duration_us,
            ..
        } = &event.body
        else {
            return;
        };
        if let Flavour::Run(results) | Flavour::Part(results) = &self.flavour {
            match results.failure() {
                Some(failure) => {
                    let error = &failure.message;
                    self.framing.named(out, "error", &RunError { error });
                }
                None if matches!(self.flavour, Flavour::Part(_)) => {}
                None => {
                    let result = results.run_response();
                    self.framing.named(out, "end", &RunEnd { result });
                }
            }
            return;
        }
        if *status == RunStatus::Cancelled && matches!(self.flavour, Flavour::Workflow) {
            let job_id = self.track.ids.run_id;
            self.framing.named(out, "cancelled", &Cancelled { job_id });
            return;
        }
        if let Some(failure) = failure.as_ref().filter(|_| !self.track.any_failed) {
            self.complain(failure, "", event, out);
        }
        let build_duration = *duration_us as f64 / 1e6;
        self.framing.named(out, "end", &BuildEnd { build_duration });
    }
}

/// The `end` of several runs, as a plain run's stream has it.
pub fn run_end(runs: &[Results], out: &mut Vec<u8>) {
    let result = Results::run_responses(runs);
    Framing::Lines.named(out, "end", &RunEnd { result });
}

/// Why the next of several runs could not begin.
pub fn run_error(error: &str, out: &mut Vec<u8>) {
    Framing::Lines.named(out, "error", &RunError { error });
}

impl Encoder for Langflow {
    fn encode(&mut self, event: &Event, out: &mut Vec<u8>) {
        self.track.observe(event);
        if let Flavour::Run(results) | Flavour::Part(results) = &mut self.flavour {
            results.observe(event);
        }
        let steps = !self.is_run();
        match &event.body {
            Body::Planned { nodes, first } if steps => {
                let data = Sorted {
                    ids: first,
                    to_run: nodes,
                };
                self.framing.named(out, "vertices_sorted", &data);
            }
            Body::NodeStarted { at, .. } if steps => {
                self.framing.named(out, "build_start", &Id { id: &*at.node });
            }
            // A loop that has only begun is not done yet.
            Body::NodeFinished { at, result } if steps && result.each.is_none() => {
                self.finished(at, result, event.at, out);
            }
            Body::NodeFailed {
                at,
                failure,
                duration_us,
                ..
            } if steps => self.failed(event, at, failure, *duration_us, out),
            Body::Message {
                message, is_output, ..
            } => self.message(message, *is_output, out),
            Body::Token {
                message_id, chunk, ..
            } => {
                let data = Token {
                    chunk,
                    id: *message_id,
                    timestamp: Spaced(Moment(event.at)),
                };
                self.framing.named(out, "token", &data);
            }
            Body::MessageRemoved { message_id } => {
                self.framing.named(out, "remove_message", &Id { id: message_id });
            }
            Body::Log { node, name, message } => {
                let data = LogEvent::new(node, name, message, &self.track.meta);
                self.framing.named(out, "log", &data);
            }
            Body::Asked {
                at,
                request_id,
                question,
            } => {
                let track = &self.track;
                let data = HumanRequest::new(*request_id, &at.node, question, &track.meta, &track.ids);
                self.framing.named(out, "human_input_required", &data);
            }
            Body::RunEnded { .. } => self.ended(event, out),
            _ => {}
        }
    }
}

#[derive(Serialize)]
struct Sorted<'a> {
    ids: &'a [Arc<str>],
    to_run: &'a [Arc<str>],
}

#[derive(Serialize)]
struct Id<T> {
    id: T,
}

#[derive(Serialize)]
pub(super) struct Token<'a> {
    pub chunk: &'a str,
    pub id: Uuid,
    pub timestamp: Spaced,
}

#[derive(Serialize)]
struct EndVertex<'a, T> {
    build_data: BuildData<'a, T>,
    output_meta: OutputMeta<'a>,
}

#[derive(Serialize)]
struct BuildData<'a, T> {
    id: &'a str,
    valid: bool,
    params: &'a str,
    inactivated_vertices: &'a [Arc<str>],
    next_vertices_ids: &'a [&'a str],
    top_level_vertices: &'a [&'a str],
    timestamp: Rfc3339,
    data: T,
}

#[derive(Serialize)]
struct OutputMeta<'a> {
    component_id: &'a str,
    display_name: &'a str,
    vertex_type: &'a str,
    is_output: bool,
    is_terminal: bool,
    output_types: Vec<&'a str>,
}

impl<'a> OutputMeta<'a> {
    fn new(id: &'a str, node: Option<&'a NodeMeta>) -> Self {
        let types = node
            .into_iter()
            .flat_map(|node| &node.outputs)
            .flat_map(|output| &output.types);
        let mut output_types: Vec<&str> = Vec::new();
        for r#type in types {
            if !output_types.contains(&r#type.as_str()) {
                output_types.push(r#type);
            }
        }
        Self {
            component_id: id,
            display_name: node.map_or(id, |node| &node.display_name),
            vertex_type: node.map_or("", |node| &node.r#type),
            is_output: node.is_some_and(|node| node.role == Role::Output),
            is_terminal: node.is_some_and(NodeMeta::is_terminal),
            output_types,
        }
    }
}

#[derive(Serialize)]
struct Named<'a> {
    component_id: &'a str,
    #[serde(flatten)]
    output: ComponentOutput<'a>,
}

/// Seconds.
#[derive(Serialize)]
pub(super) struct BuildEnd {
    pub build_duration: f64,
}

#[derive(Serialize)]
struct RunEnd<T> {
    result: T,
}

#[derive(Serialize)]
struct RunError<'a> {
    error: &'a str,
}

#[derive(Serialize)]
struct Cancelled {
    job_id: Option<Uuid>,
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect, expect_file};

    use super::super::meta::Wanted;
    use super::super::script;
    use super::super::sse::Numbers;
    use super::*;

    fn encode(flavour: Flavour, framing: Framing, events: &[Event]) -> String {
        script::encode(&mut Langflow::new(script::meta(), flavour, framing), events)
    }

    fn run() -> Flavour {
        Flavour::Run(Box::new(
            Results::new(script::meta(), &Wanted::Chat).input_value("hello"),
        ))
    }

    #[test]
    fn a_build_tells_every_step() {
        let text = encode(Flavour::Build, Framing::Lines, &script::everything());
        expect_file!["testdata/langflow-build.txt"].assert_eq(&text);
    }

    #[test]
    fn a_run_tells_messages_and_its_result() {
        let text = encode(run(), Framing::Lines, &script::echo());
        expect_file!["testdata/langflow-run.txt"].assert_eq(&text);
    }

    fn names(text: &str) -> String {
        let objects = text
            .lines()
            .filter_map(|line| line.trim_start_matches("data: ").strip_prefix("{\"event\":\""));
        objects
            .filter_map(|rest| rest.split('"').next())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn check(flavour: Flavour, events: &[Event], expected: &Expect) {
        expected.assert_eq(&names(&encode(
            flavour,
            Framing::Numbered(Numbers::default()),
            events,
        )));
    }

    #[test]
    fn each_flavour_has_its_events() {
        let (echo, all) = (script::echo(), script::everything());
        check(
            Flavour::Build,
            &echo,
            &expect![
                "vertices_sorted build_start add_message end_vertex build_start add_message end_vertex end"
            ],
        );
        check(
            Flavour::Workflow,
            &echo,
            &expect![
                "vertices_sorted build_start add_message end_vertex build_start add_message end_vertex output end"
            ],
        );
        check(run(), &echo, &expect!["add_message add_message end"]);
        check(
            run(),
            &all,
            &expect![
                "add_message log add_message token token add_message remove_message human_input_required error"
            ],
        );
    }

    #[test]
    fn a_run_that_fails_as_a_whole_says_why() {
        let events = script::events(&[
            r#"{"type":"run_started","run_id":"00000000-0000-0000-0000-000000000001","flow_id":"00000000-0000-0000-0000-000000000002","session_id":"s"}"#,
            r#"{"type":"run_ended","status":"timed_out","failure":{"cause":"timeout","message":"It took longer than 5 minutes"},"duration_us":300000000}"#,
        ]);
        check(Flavour::Build, &events, &expect!["error end"]);
        check(run(), &events, &expect!["error"]);
        let cancelled = script::events(&[r#"{"type":"run_ended","status":"cancelled","duration_us":1000}"#]);
        check(Flavour::Build, &cancelled, &expect!["end"]);
        check(Flavour::Workflow, &cancelled, &expect!["cancelled"]);
    }

    #[test]
    fn numbers_let_a_reader_come_back() {
        let events = script::everything();
        let numbered = |after| {
            encode(
                Flavour::Workflow,
                Framing::Numbered(Numbers::after(after)),
                &events,
            )
        };
        let whole = numbered(0);
        let ids: Vec<u64> = whole
            .lines()
            .filter_map(|line| line.strip_prefix("id: ")?.parse().ok())
            .collect();
        assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>());
        for last in &ids {
            let at = whole.find(&format!("id: {}\n", last + 1)).unwrap_or(whole.len());
            assert_eq!(numbered(*last), whole[at..], "after {last}");
        }
    }
}
