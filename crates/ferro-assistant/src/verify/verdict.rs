//! What a look at a built flow, or a run of it, says about it.

use std::collections::HashSet;

use ferro_model::read::{Node, read};
use ferro_model::{FlowData, Problem, Registry, Severity, diff};

use crate::friendly::friendly;
use crate::host::RunReport;

/// Said to flows that wait for somebody to say something.
pub(super) const PROBE: &str = "Hello";

/// Problems one by one, before "and more".
const SHOWN: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It ran and answered.
    Passed,
    /// Nothing is wrong as far as one can see; why nobody knows more.
    Unproven(String),
    /// Something the model can mend.
    Broken(String),
}

const TIMED_OUT: [&str; 2] = ["timed out after", "flow run timed out"];

/// The flow itself is wrong. Looked for before what is outside of it.
const FIXABLE: [&str; 13] = [
    "attributeerror",
    "typeerror",
    "nameerror",
    "keyerror",
    "valueerror",
    "indexerror",
    "validationerror",
    "not found",
    "does not exist",
    "is not defined",
    "no model selected",
    "missing 1 required positional argument",
    "object has no attribute",
];

/// The flow may be right: a key, a service or a file is missing.
const OUTSIDE: [&str; 24] = [
    "api key",
    "api_key",
    "apikey",
    "authentication",
    "unauthorized",
    "401",
    "403",
    "is not set",
    "permission denied",
    "connection refused",
    "could not be reached",
    "failed to resolve",
    "max retries exceeded",
    "no such file",
    "could not connect",
    "connection timed out",
    "rate limit",
    "429",
    "quota",
    "nothing left to spend",
    "model not available",
    "no model `",
    "takes no more questions",
    "no variable",
];

pub(super) fn of_run(report: &RunReport) -> Verdict {
    let error = match &report.result {
        Ok(_) => return Verdict::Passed,
        Err(error) => error,
    };
    let text = error.to_lowercase();
    let says = |marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    if report.timed_out || says(&TIMED_OUT) {
        return Verdict::Unproven("it was run, but had not answered when the time was up".to_owned());
    }
    if !says(&FIXABLE) && says(&OUTSIDE) {
        let cause = friendly(error);
        return Verdict::Unproven(format!(
            "it was run and stopped at something outside the flow: {cause}"
        ));
    }
    let place = report.failed_node.as_ref().map(|node| format!(" at `{node}`"));
    Verdict::Broken(format!("The run failed{}: {error}", place.unwrap_or_default()))
}

/// What stands in the way of a run; `None` when nothing does.
pub(super) fn of_problems(data: &FlowData, problems: &[Problem]) -> Option<Verdict> {
    let mut errors = problems
        .iter()
        .filter(|problem| problem.severity == Severity::Error)
        .peekable();
    errors.peek()?;
    let flow = read(data);
    let secrets: HashSet<(&str, &str)> = flow.nodes.iter().flat_map(secret_fields).collect();
    // A key is for the person to give.
    let for_person = |problem: &&Problem| {
        let place = problem.node.as_deref().zip(problem.field.as_deref());
        matches!(problem.code, "empty_key" | "unknown_variable")
            || place.is_some_and(|place| secrets.contains(&place))
    };
    let (theirs, mendable): (Vec<&Problem>, Vec<&Problem>) = errors.partition(for_person);
    if mendable.is_empty() {
        let first = theirs
            .first()
            .map(|problem| sentence(problem))
            .unwrap_or_default();
        return Some(Verdict::Unproven(format!(
            "it was checked but not run, because something has to be set first: {first}"
        )));
    }
    let mut lines: Vec<String> = mendable
        .iter()
        .take(SHOWN)
        .map(|problem| format!("- {}", sentence(problem)))
        .collect();
    let more = mendable.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("- and {more} more"));
    }
    Some(Verdict::Broken(lines.join("\n")))
}

fn secret_fields<'n>(node: &'n Node<'_>) -> impl Iterator<Item = (&'n str, &'n str)> {
    let secret = node.fields.iter().filter(|field| field.password);
    secret.map(|field| (node.id.as_ref(), field.name.as_ref()))
}

fn sentence(problem: &Problem) -> String {
    let node = problem
        .node
        .as_ref()
        .map(|node| format!("`{node}`: "))
        .unwrap_or_default();
    format!("{node}{} {}", problem.message, problem.advice)
        .trim()
        .to_owned()
}

/// A wire that leads back into a loop.
pub(super) fn loops(data: &FlowData) -> bool {
    read(data).edges.iter().any(|edge| edge.into_loop())
}

/// What to say to the flow: nothing where it has its words already, or takes none.
pub(crate) fn probe(data: &FlowData, registry: &Registry) -> Option<String> {
    let waits = |node: &Node<'_>| {
        let input = registry.canonical(&node.r#type) == Some("ChatInput");
        let value = node
            .field("input_value")
            .and_then(|field| field.value)
            .and_then(|value| value.text());
        input && value.is_none_or(|text| text.trim().is_empty())
    };
    read(data).nodes.iter().any(waits).then(|| PROBE.to_owned())
}

/// Nothing but places on the canvas differs.
pub(crate) fn same_flow(old: &FlowData, new: &FlowData) -> bool {
    let found = diff(old, new);
    let lists = [
        found.summary.nodes_added,
        found.summary.nodes_removed,
        found.summary.wires_added,
        found.summary.wires_removed,
    ];
    let moved = |path: &str| matches!(path, "position" | "size");
    let only_moved = found
        .nodes_changed
        .iter()
        .all(|node| node.changes.iter().all(|change| moved(&change.path)));
    lists.iter().all(|count| *count == 0) && only_moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::RunMetrics;
    use crate::fake::{chatbot, flow_of, parse, registry};

    fn failed(error: &str) -> RunReport {
        RunReport {
            result: Err(error.to_owned()),
            failed_node: None,
            metrics: RunMetrics::default(),
            timed_out: false,
        }
    }

    #[test]
    fn failures_are_told_apart() {
        let table = [
            ("Agent: no model selected", "broken"),
            ("KeyError: 'api_key'", "broken"),
            ("something nobody has seen before", "broken"),
            ("OpenAI does not accept the API key", "unproven"),
            ("connection refused by the host", "unproven"),
            ("the rate limit is reached", "unproven"),
            ("the flow run timed out", "unproven"),
        ];
        for (error, expected) in table {
            let verdict = match of_run(&failed(error)) {
                Verdict::Passed => "passed",
                Verdict::Unproven(_) => "unproven",
                Verdict::Broken(_) => "broken",
            };
            assert_eq!(verdict, expected, "{error}");
        }
    }

    #[test]
    fn the_probe_is_for_flows_that_wait_for_words() {
        assert_eq!(probe(&chatbot(), &registry()).as_deref(), Some("Hello"));
        let asked = flow_of(
            "nodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value\nconfig:\n  A.input_value: Why?\n",
        );
        assert_eq!(probe(&asked, &registry()), None);
        let silent =
            flow_of("nodes:\n  A: Prompt Template\n  B: ChatOutput\nedges:\n  A.prompt -> B.input_value\n");
        assert_eq!(probe(&silent, &registry()), None);
    }

    #[test]
    fn moving_nodes_is_no_repair() {
        let flow = chatbot();
        let moved = parse(
            &flow
                .as_str()
                .replacen("\"position\":{\"x\":0", "\"position\":{\"x\":9", 1),
        );
        assert_ne!(flow, moved);
        assert!(same_flow(&flow, &moved));
        let changed = parse(&flow.as_str().replacen("You are kind.", "You are not.", 1));
        assert!(!same_flow(&flow, &changed));
    }
}
