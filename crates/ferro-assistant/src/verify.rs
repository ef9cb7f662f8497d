//! The proof of a flow that was built: look at it, run it where that is safe, have it mended, and say what was proven.

mod verdict;

use ferro_agent::Conversation;
use ferro_llm::ChatMessage;
use ferro_model::FlowData;

use crate::event::{AssistEvent, Caveat, Step, TurnUsage};
use crate::models::Phase;
use crate::prompts;
use crate::turn::Desk;
pub(crate) use verdict::probe;
pub(crate) use verdict::same_flow;
use verdict::{Verdict, loops, of_problems, of_run};

/// How often a flow is looked at; between two looks it is mended.
pub(crate) const ATTEMPTS: u32 = 3;

/// The longest finding that the model is told.
const FINDINGS_CHARS: usize = 3000;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Proof {
    /// It was run and answered.
    pub verified: bool,
    pub caveat: Option<Caveat>,
    pub attempts: u32,
    /// Mending changed what it is made of.
    pub rebuilt: bool,
    /// Of the runs.
    pub usage: TurnUsage,
}

/// `conversation` is the one that built the flow: whoever mends it knows how it came about.
pub(crate) async fn prove(desk: &Desk, mut conversation: Conversation) -> Proof {
    let mut proof = Proof::default();
    let first = desk.work.data();
    loop {
        proof.attempts += 1;
        desk.out.say(AssistEvent::Progress {
            step: Step::Verifying,
            attempt: proof.attempts,
            max_attempts: ATTEMPTS,
            message: Some("Trying out the flow...".to_owned()),
            error: None,
            class_name: None,
            component_code: None,
        });
        let data = desk.work.data();
        let findings = match look(desk, &data, &mut proof.usage).await {
            Verdict::Passed => {
                proof.verified = true;
                break;
            }
            Verdict::Unproven(why) => {
                let why = desk.without_secrets(&why);
                proof.caveat = Some(format!("The flow is not proven: {}", full_stop(&why)));
                break;
            }
            Verdict::Broken(findings) => findings,
        };
        let told = desk.without_secrets(&findings);
        let last = proof.attempts >= ATTEMPTS;
        if last || !mend(desk, &mut conversation, &told, proof.attempts).await {
            let times = match proof.attempts {
                1 => "once".to_owned(),
                many => format!("{many} times"),
            };
            let line = told.lines().next().unwrap_or_default();
            let line = line.strip_prefix("- ").unwrap_or(line);
            proof.caveat = Some(format!(
                "The flow was tried out {times} and does not work yet: {}",
                full_stop(&cut(line, 300))
            ));
            break;
        }
    }
    let (before, now) = (first.summary(), desk.work.data().summary());
    proof.rebuilt = (before.nodes, before.edges) != (now.nodes, now.edges);
    tracing::info!(
        verified = proof.verified,
        attempts = proof.attempts,
        rebuilt = proof.rebuilt,
        "flow_builder.verified"
    );
    proof
}

async fn look(desk: &Desk, data: &FlowData, usage: &mut TurnUsage) -> Verdict {
    let problems = match desk.host.problems(data.clone()).await {
        Ok(problems) => problems,
        Err(error) => return Verdict::Unproven(format!("it could not be checked ({error})")),
    };
    if let Some(verdict) = of_problems(data, &problems) {
        return verdict;
    }
    if desk.has_run(data) {
        return Verdict::Passed;
    }
    if loops(data) {
        return Verdict::Unproven("it was checked but not run, because it loops".to_owned());
    }
    if let Some(why) = desk.host.effects(data) {
        return Verdict::Unproven(format!("it was checked but not run: {why}"));
    }
    let report = desk
        .host
        .run(data.clone(), probe(data, &desk.work.registry()))
        .await;
    usage.input_tokens += report.metrics.input_tokens;
    usage.output_tokens += report.metrics.output_tokens;
    usage.total_tokens += report.metrics.total_tokens;
    of_run(&report)
}

/// `false` when the flow is as it was: trying it out again would say the same.
async fn mend(desk: &Desk, conversation: &mut Conversation, findings: &str, attempt: u32) -> bool {
    let before = desk.work.data();
    // The text is quoted in a block that it must not close.
    let findings = cut(findings, FINDINGS_CHARS).replace("</", "< /");
    conversation
        .messages
        .push(ChatMessage::user(prompts::fix(&findings, attempt, ATTEMPTS)));
    desk.out.gate().hold();
    let ended = desk.talk(Phase::Fix, std::mem::take(conversation)).await;
    let owed = desk.out.gate().release();
    let changed = !same_flow(&before, &desk.work.data());
    if changed {
        desk.out.gate().mend();
        desk.work.propose().await;
    } else {
        for update in owed {
            desk.out.say(AssistEvent::FlowUpdate(update));
        }
    }
    match ended {
        Ok(answer) => {
            *conversation = answer.conversation;
            changed
        }
        Err(stopped) => {
            tracing::warn!(error = %stopped.error, "flow_builder.fix.failed");
            *conversation = stopped.conversation;
            changed && !desk.model.spent()
        }
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn full_stop(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '…']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}
