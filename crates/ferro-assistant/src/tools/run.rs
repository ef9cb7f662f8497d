//! `run_flow`: runs the working flow as it is now.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::edit::Edit;
use ferro_model::model_value::{self, ModelValueError};
use ferro_model::read::read;
use ferro_model::{FlowData, Problem, Severity};
use serde_json::json;

use super::{Kit, Told, fit, made, secrets};
use crate::event::FlowUpdate;
use crate::host::RunReport;
use crate::verify::probe;

/// Problems that a refusal lists.
const MOST: usize = 5;

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "run_flow",
        description: "Runs the flow as it is now and returns its answer with duration and tokens.",
        arguments: json!({
            "input": { "type": "string", "description": "Only what the person said the flow should be asked." },
        }),
        required: &[],
    };
    made(kit, told, async |kit, arguments| {
        let work = &kit.work;
        let mut data = work.data();
        if data.summary().nodes == data.summary().notes {
            return Err(ToolError::new(
                "There is no flow on the canvas to run; build one first.",
            ));
        }
        if work.pending_edits() > 0 {
            work.let_run_wait();
            return Err(ToolError::new(
                "The flow was not run: proposed edits wait for the person, and the flow is run once they are there. End \
                 the turn now and say so.",
            ));
        }
        // Text in a flow, a file or an answer may have talked the model into what it did: whatever then acts on the world
        // is looked at by a person first.
        let why = if work.changed().is_some() {
            Some("it was changed in this turn")
        } else {
            (!work.rules.run_wanted).then_some("nobody asked for a run")
        };
        if let Some((why, effect)) = why.zip(work.host.effects(&data)) {
            return Err(ToolError::new(format!(
                "The flow was not run: {why}, and {effect}. The person looks at it and runs it themselves. End the \
                 turn now and say so."
            )));
        }
        let without_model = without_model(&data);
        let filled = !without_model.is_empty();
        if filled {
            let usual = work.rules.usual_model().value;
            let edits = without_model.into_iter().map(|(node, field)| Edit::Configure {
                node,
                values: [(field, usual.clone())].into_iter().collect(),
            });
            work.change(edits.collect()).await?;
            data = work.data();
        }
        let problems = work.host.problems(data.clone()).await;
        let problems =
            problems.map_err(|error| ToolError::new(format!("The flow could not be checked: {error}")))?;
        let errors: Vec<&Problem> = problems
            .iter()
            .filter(|one| one.severity == Severity::Error)
            .collect();
        if !errors.is_empty() {
            return Err(told_errors(&errors));
        }
        work.begin_run()?;
        let given = arguments.some_text("input");
        // A flow that waits for words is not run without any: that would only tell that there are none.
        let probe = given.is_none().then(|| probe(&data, &work.registry())).flatten();
        let report = work.host.run(data, given.or_else(|| probe.clone())).await;
        work.remember_run(&report);
        match &report.result {
            Ok(answer) => {
                work.tell_only(FlowUpdate::FlowRan {
                    flow_id: work.flow_id().to_owned(),
                });
                let answer = secrets::without_keys_in(answer);
                let mut text = "The flow ran.".to_owned();
                if filled {
                    text.push_str(" Components without a model were given one first; say so.");
                }
                if let Some(probe) = probe {
                    text.push_str(&format!(
                        " The person gave no input, so it was asked \"{probe}\"; say so."
                    ));
                }
                Ok(json!({ "result": answer, "metrics": report.metrics, "text": text }))
            }
            Err(error) => Err(failed(&report, error)),
        }
    })
}

/// Fields that choose a language model, are needed, and hold none: nodes by hand, or from a file.
fn without_model(data: &FlowData) -> Vec<(String, String)> {
    let view = read(data);
    let wired = |node: &str, field: &str| {
        let mut wires = view.edges.iter();
        wires.any(|edge| edge.target == node && edge.to.name() == field)
    };
    let mut found = Vec::new();
    for node in &view.nodes {
        for field in &node.fields {
            let now = field.to_value().unwrap_or_default();
            let empty = match model_value::parse(&now) {
                Ok(models) => models.is_empty(),
                Err(error) => error == ModelValueError::Empty,
            };
            if empty
                && field.required
                && fit::is_language_model(&field.json.to_value())
                && !wired(&node.id, &field.name)
            {
                found.push((node.id.to_string(), field.name.to_string()));
            }
        }
    }
    found
}

fn told_errors(errors: &[&Problem]) -> ToolError {
    let refused: Vec<&&Problem> = errors.iter().filter(|one| one.code == "unsafe_code").collect();
    if !refused.is_empty() {
        let told: Vec<String> = refused.iter().take(MOST).map(|one| place_and(one)).collect();
        tracing::warn!(nodes = refused.len(), "assistant.run_flow.blocked_unsafe_code");
        return ToolError::new(format!(
            "Refused to run: unsafe component code detected — {}",
            told.join(" | ")
        ));
    }
    let shown: Vec<String> = errors.iter().take(MOST).map(|one| place_and(one)).collect();
    let more = match errors.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    ToolError::new(format!(
        "The flow was not run, because it cannot work yet. {}{more}",
        shown.join(" | ")
    ))
}

fn place_and(one: &Problem) -> String {
    let place = [one.node.as_deref(), one.field.as_deref()];
    let place = place.into_iter().flatten().collect::<Vec<_>>().join(".");
    let gap = if place.is_empty() { "" } else { ": " };
    format!("{place}{gap}{} {}", one.message, one.advice)
}

fn failed(report: &RunReport, error: &str) -> ToolError {
    let place = report
        .failed_node
        .as_ref()
        .map(|node| format!(" at `{node}`"))
        .unwrap_or_default();
    let what = if report.timed_out {
        "took too long"
    } else {
        "failed"
    };
    let error = secrets::without_keys_in(error);
    ToolError::new(format!(
        "The run {what}{place}: {error}. Mend what you can and run once more, or say what is missing."
    ))
}
