//! The stage that does something: one agent with the whole kit, then the proof, then what is told of it.

use ferro_agent::Conversation;
use ferro_llm::ChatMessage;

use super::desk::Desk;
use super::ending::{Failure, listed, sum};
use super::flags::Flags;
use super::pipeline::Pipeline;
use super::talk::{Talked, talk_until_done};
use super::{Intent, Outcome};
use crate::event::{Completed, Step};
use crate::intent::Classified;
use crate::prompts;
use crate::tools::Toolset;
use crate::verify::{Proof, prove};

const REBUILT: &str =
    "Trying it out showed that parts had to change, so the flow is not quite what I first described.";

pub(super) async fn build(pipeline: Pipeline, classified: &Classified) -> Outcome {
    let intent = classified.intent;
    let flags = Flags::of(
        intent,
        (&pipeline.turn.request.input, &classified.translation),
        pipeline.turn.request.headless,
    );
    pipeline.first_progress(intent, &classified.translation);
    let desk = match pipeline.desk(classified, flags, Toolset::Builder).await {
        Ok(desk) => desk,
        Err(failure) => return pipeline.fail(Some(intent), failure, None),
    };
    let conversation = Conversation::new(vec![
        ChatMessage::system(prompts::BUILDER),
        ChatMessage::user(pipeline.framed(classified, &[])),
    ]);
    let talked = match talk_until_done(&pipeline, &desk, conversation, (intent, flags)).await {
        Ok(talked) => talked,
        Err(stopped) => {
            told(&pipeline, &desk);
            // What was built by then can still be taken.
            if desk.proposes() {
                ready(&pipeline, &desk, 1);
            }
            return pipeline.fail(Some(intent), Failure::of(&stopped.error, "building"), Some(&desk));
        }
    };
    pipeline.progress(Step::GenerationComplete, talked.attempts, "Response ready");
    let proof = proof(&pipeline, &desk, &talked).await;
    told(&pipeline, &desk);
    if desk.proposes() {
        ready(&pipeline, &desk, talked.attempts);
    }
    let completed = completed(&desk, intent, flags, talked.text, proof);
    pipeline.complete(Some(intent), completed, Some(&desk)).await
}

/// `None` when there is nothing to prove, or nobody wants it proven.
async fn proof(pipeline: &Pipeline, desk: &Desk, talked: &Talked) -> Option<Proof> {
    let built = desk.out.gate().saw_set_flow();
    if !built || desk.work.plan().is_some() || !pipeline.turn.verify {
        return None;
    }
    if !talked.finished {
        return Some(Proof {
            caveat: Some("The flow is not proven: it was not finished, so it was not tried out.".to_owned()),
            ..Proof::default()
        });
    }
    Some(Box::pin(prove(desk, talked.conversation.clone())).await)
}

/// For the log and the metrics, whatever the end.
fn told(pipeline: &Pipeline, desk: &Desk) {
    metrics::histogram!("assistant_build_tasks_per_message").record(f64::from(desk.out.tasks()));
    if let Some(plan) = desk.work.plan() {
        pipeline.account.plan_proposed(&plan);
        if crate::sanitise::refinement(&pipeline.turn.request.input).is_some() {
            tracing::info!(
                session_id = pipeline.turn.request.session_id,
                "assistant.plan.replan"
            );
        }
    }
    let tail_count = desk.out.gate().tail_updates();
    if tail_count > 0 {
        tracing::warn!(
            tail_count,
            "flow_builder.tail_updates.buffered: changes came after a flow that waits for the person"
        );
        metrics::counter!("assistant_flow_tail_update_buffered_total").increment(tail_count as u64);
    }
}

fn ready(pipeline: &Pipeline, desk: &Desk, attempt: u32) {
    let summary = desk.work.data().summary();
    tracing::info!(
        attempt,
        node_count = summary.nodes,
        edge_count = summary.edges,
        "flow_builder.proposal.ready"
    );
    metrics::counter!("assistant_flow_proposal_ready_total").increment(1);
    pipeline.progress(Step::FlowProposalReady, attempt, "Flow ready for review");
}

fn completed(desk: &Desk, intent: Intent, flags: Flags, text: String, proof: Option<Proof>) -> Completed {
    let work = &desk.work;
    let failed = work.generated().last().and_then(|one| one.error.clone());
    let mut completed = Completed {
        has_flow: (work.changed().is_some() && intent != Intent::ManageFiles).then_some(true),
        continuation_expected: ((flags.run_wanted || work.run_waits()) && work.pending_edits() > 0)
            .then_some(true),
        pending_edits: work.pending_ids(),
        component_generation_failed: failed.is_some().then_some(true),
        component_failure_caveat: failed.map(|error| format!("The component could not be written: {error}")),
        sources: desk.sources(),
        // A model that works without a word: what it did speaks for it.
        result: if text.trim().is_empty() {
            listed(&work.changes())
        } else {
            text
        },
        ..Completed::default()
    };
    let mut lines: Vec<String> = completed.component_failure_caveat.iter().cloned().collect();
    if let Some(proof) = proof {
        completed.verified = Some(proof.verified);
        completed.verification_attempts = (proof.attempts > 0).then_some(proof.attempts);
        completed.verification_rebuilt = proof.rebuilt.then_some(true);
        completed.usage = sum(completed.usage, proof.usage);
        if proof.rebuilt {
            lines.push(REBUILT.to_owned());
        }
        lines.extend(proof.caveat.clone());
        completed.verification_caveat = proof.caveat;
    }
    if let Some(line) = nothing_done(desk, intent, flags) {
        lines.push(line.to_owned());
    }
    for line in lines {
        let gap = if completed.result.trim().is_empty() {
            ""
        } else {
            "\n\n"
        };
        completed.result.push_str(&format!("{gap}{line}"));
    }
    completed
}

/// Said under whatever the model claims, when none of it happened.
fn nothing_done(desk: &Desk, intent: Intent, flags: Flags) -> Option<&'static str> {
    if desk.acted() {
        let not_run = intent == Intent::RunFlow && desk.work.last_run().is_none();
        return (not_run && desk.work.plan().is_none()).then_some("The flow was not run.");
    }
    match intent {
        Intent::RunFlow => Some("The flow was not run and nothing was changed."),
        Intent::ManageFiles if desk.work.tool_calls() == 0 => Some("No file was read or written."),
        _ if flags.must_act => Some("Nothing was changed."),
        _ => None,
    }
}
