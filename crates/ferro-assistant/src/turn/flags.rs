//! What follows from a request before anything is done. Pure: the same request, the same flags.

use super::Intent;
use crate::intent::{EDIT_CONTINUATION_INPUT, asks_to_run, is_protocol};
use crate::sanitise::refinement;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    /// A whole flow is put on the canvas without asking.
    pub apply_at_once: bool,
    /// Texts of nodes that were there before are proposed, not set.
    pub propose_existing_edits: bool,
    /// After the edits are agreed to, something is left to do.
    pub run_wanted: bool,
    /// The request is to change or run something: an answer alone is not enough.
    pub must_act: bool,
}

impl Flags {
    /// The request as the person wrote it, and in English.
    pub(super) fn of(intent: Intent, (input, translation): (&str, &str), headless: bool) -> Self {
        let protocol = is_protocol(input);
        let asks = asks_to_run(own_words(input)) || asks_to_run(own_words(translation));
        let run_wanted = asks && !protocol
            || matches!(intent, Intent::RunFlow | Intent::ComponentThenFlow)
            || input.trim() == EDIT_CONTINUATION_INPUT;
        let flow = matches!(
            intent,
            Intent::BuildFlow | Intent::ComponentThenFlow | Intent::RunFlow
        );
        Self {
            apply_at_once: headless || intent == Intent::ComponentThenFlow,
            propose_existing_edits: intent == Intent::BuildFlow && !run_wanted && !protocol && !headless,
            run_wanted,
            // A continuation may find that nothing is left.
            must_act: flow && input.trim() != EDIT_CONTINUATION_INPUT,
        }
    }
}

/// What the person said, without the plan that it may come with.
pub(super) fn own_words(input: &str) -> &str {
    refinement(input).map_or(input, |refinement| refinement.ask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::PLAN_APPROVAL_INPUT;

    #[test]
    fn from_the_request_alone() {
        use Intent::{BuildFlow, ComponentThenFlow, ManageFiles, Question, RunFlow};
        // at once, propose edits, run wanted, must act
        let table = [
            (BuildFlow, "Change the prompt to be kind", false, "-p-a"),
            (BuildFlow, "Change the prompt, then run the flow", false, "--ra"),
            (BuildFlow, "mude o prompt e rode o fluxo", false, "--ra"),
            (BuildFlow, "Change the prompt", true, "1--a"),
            (BuildFlow, PLAN_APPROVAL_INPUT, false, "---a"),
            (BuildFlow, EDIT_CONTINUATION_INPUT, false, "--r-"),
            (
                BuildFlow,
                "[Previous plan you proposed (x):\nrun the flow\n[End of previous plan]\n\nUser refinement:\nLess of it",
                false,
                "-p-a",
            ),
            (ComponentThenFlow, "Write a component and use it", false, "1-ra"),
            (RunFlow, "Run my flow", false, "--ra"),
            (ManageFiles, "Write it down", false, "----"),
            (Question, "What is a flow?", false, "----"),
        ];
        for (intent, input, headless, expected) in table {
            let flags = Flags::of(intent, (input, input), headless);
            let letters = [
                (flags.apply_at_once, '1'),
                (flags.propose_existing_edits, 'p'),
                (flags.run_wanted, 'r'),
                (flags.must_act, 'a'),
            ];
            let shown: String = letters
                .iter()
                .map(|(on, letter)| if *on { *letter } else { '-' })
                .collect();
            assert_eq!(shown, expected, "{intent:?} {input:?}");
        }
    }
}
