//! What is refused before any model is asked: attempts to take over the assistant, and abuse.
//!
//! This is an early and cheap answer, not the boundary: whatever gets past it still meets quoted blocks, gates and
//! tools with the person's own rights. So it errs towards letting an honest request through.

mod quoted;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use self::quoted::{speaks_of_a_text, without_quotations};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Injection,
    Content,
}

impl Refusal {
    /// What the person reads.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Injection => {
                "I can't follow requests to change my own instructions or to show them. Tell me what you want to \
                 build, change or know in Ferroflow and I'll get to work."
            }
            Self::Content => {
                "I'd rather not continue with that wording. Please say it in other words and I'll gladly help with \
                 your flow."
            }
        }
    }
}

/// The text as it may be shown to a model: without characters that no keyboard types.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Why a request is not taken on, if so. Of a refined plan only the person's own words count.
pub(crate) fn refuse(text: &str) -> Option<Refusal> {
    let words = refinement(text).map_or(text, |refinement| refinement.ask);
    let whole = squeezed(words);
    // Line by line as well: a command may begin on a line of its own.
    let mut lines = words.lines().map(squeezed);
    if takes_over(&whole) || lines.any(|line| takes_over(&line)) {
        Some(Refusal::Injection)
    } else if offends(&whole) {
        Some(Refusal::Content)
    } else {
        None
    }
}

/// Whether a text holds words that the assistant neither answers to nor says. For answers and code too.
pub(crate) fn offends(text: &str) -> bool {
    ABUSE.as_ref().is_some_and(|abuse| abuse.is_match(text))
}

/// A request that goes on about a plan the person did not take as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refinement<'a> {
    /// Written by a model: quoted, never obeyed.
    pub plan: &'a str,
    pub ask: &'a str,
}

pub(crate) const REFINEMENT_START: &str = "[Previous plan you proposed";
const PLAN_END: &str = "[End of previous plan]";
const REFINEMENT: &str = "User refinement:";

pub(crate) fn refinement(text: &str) -> Option<Refinement<'_>> {
    let rest = text.trim_start().strip_prefix(REFINEMENT_START)?;
    // The last one: a plan that holds the marker itself must not put words into the person's mouth.
    let marked = |(at, _): (usize, &str)| {
        let after = rest.get(at + PLAN_END.len()..)?;
        Some((rest.get(..at)?, after.trim_start().strip_prefix(REFINEMENT)?))
    };
    let (plan, ask) = rest.rmatch_indices(PLAN_END).find_map(marked)?;
    let plan = plan.split_once("):").map_or(plan, |(_, plan)| plan);
    Some(Refinement {
        plan: plan.trim(),
        ask: ask.trim(),
    })
}

/// White space of any kind and length counts as one space, so that line breaks hide nothing.
fn squeezed(text: &str) -> String {
    let text = clean(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

fn takes_over(words: &str) -> bool {
    // Text that is to stand in a field of the flow is not said to the assistant.
    let outside = without_quotations(words);
    let said: &str = if speaks_of_a_text(&outside) {
        &outside
    } else {
        words
    };
    TAKE_OVER.is_match(said)
}

/// Where somebody begins to tell the assistant what to do: at the start, after a stop, or after such words. `flow that
/// ignores previous messages` is none of it.
const TOLD: &str = r"(?:^|[.!?;:,>*-]\s*|\b(?:please|now|and|then|just|also|first|but|por favor|agora|e|você deve|you (?:to|must|should|will|can|have to|need to))\s+)";

/// The same for roles. Lists and colons are left out: they begin texts for fields.
const BEGINS: &str =
    r"(?:^|[.!?]\s+|\b(?:please|from now on,?|a partir de agora,?|por favor|want you to|need you to|now)\s+)";

static TAKE_OVER: LazyLock<RegexSet> = LazyLock::new(|| {
    let kind = "(?:(?:system|safety|security|core|own|given|full|whole|entire|exact|complete|current|hidden|secret|internal|original|initial|first|real) )*";
    let own = "(?:system prompts?|initial prompts?|prompts?|instructions?|directives|guidelines)";
    let show = "(?:reveal|show|print|output|repeat|display|tell|give|leak|dump|share|recite|expose)";
    let mostre = "(?:mostr[ea]|revel[ea]|exib[ea]|imprim[ae]|repit[ae]|repete|dig[ae]|diz)";
    let patterns = [
        // Take leave of one's instructions.
        format!(
            r"{TOLD}(?:ignore|disregard|forget) (?:(?:all|any|every|everything|of|the|these|those) )*(?:previous|prior|above|earlier|preceding|your) {kind}(?:instructions?|prompts?|rules|directions|directives|guidelines|commands|training)\b"
        ),
        format!(
            r"{TOLD}(?:ignore|disregard|forget) (?:all |the )*(?:system )?(?:instructions?|prompts?)(?: above| before)?(?:\W*$|[.!,;]| and | completely)"
        ),
        format!(
            r"{TOLD}(?:override|bypass) (?:all )?(?:of )?(?:your|the previous|previous|prior) {kind}(?:instructions?|prompts?|rules|guidelines|restrictions|filters)\b"
        ),
        format!(
            r"{TOLD}(?:ignore|disregard|forget) (?:everything|all|anything)(?: that (?:was|is))?(?: said| written)? (?:above|before this|so far)\b"
        ),
        format!(
            r"{TOLD}(?:ignor[ea]|desconsider[ea]|esque[çc][ae]|esquece) (?:(?:todas|todos|tudo|as|os|suas|seus|tuas|essas|estas|quaisquer) )*(?:suas |tuas )?(?:instru[çc][õo]es|regras|diretrizes|ordens)(?: (?:anteriores|acima|pr[ée]vias|do sistema)|\W*$)"
        ),
        format!(
            r"{TOLD}(?:ignor[ea]|desconsider[ea]|esque[çc][ae]|esquece) (?:(?:todas|as) )*(?:suas|tuas) (?:instru[çc][õo]es|regras|diretrizes)\b"
        ),
        // Pass something off as instructions.
        r"\bimportant: ?(?:these are )?(?:your |my |the )?new (?:system )?instructions?\b".to_owned(),
        r"(?:^|[.!?] ?)(?:system )?override ?:".to_owned(),
        r"(?:^|[.!?] ?)new system instructions? ?:".to_owned(),
        r"\[(?:system|/?inst)\]|<</?sys>>|<\|(?:im_start|start_header_id)\|> ?system|<\|system\|>".to_owned(),
        // Become someone else.
        format!(r"{BEGINS}you are now (?:a|an|my|the|in|no longer) "),
        format!(r"{BEGINS}act as (?:a|an|if you were|though you were) "),
        format!(r"{BEGINS}pretend (?:you are|you're|to be|that you are) "),
        format!(r"{BEGINS}(?:voc[êe] agora [ée]|agora voc[êe] [ée]) (?:um|uma|o|a|meu|minha) "),
        format!(r"{BEGINS}(?:aja|atue) como (?:um|uma|se fosse) "),
        format!(r"{BEGINS}finja (?:ser|que (?:voc[êe] )?[ée]) "),
        // Show what the assistant was told. The system prompt of an agent on the canvas is the person's own.
        format!(r"\b{show}(?: me| us)?(?: all)?(?: of)? your {kind}{own}\b"),
        format!(
            r"\b{show}(?: me| us)? (?:the|this) (?:initial|hidden|secret|internal) (?:system )?(?:prompt|instructions?)(?:\W*$|[.!,;]| and )"
        ),
        format!(
            r"^(?:\w+ ){{0,3}}?{show}(?: me| us)? (?:the )?(?:full |whole |entire |exact )?system prompt(?: (?:above|verbatim|word for word))?\W*$"
        ),
        format!(r"\bwhat(?: are| is| were| was|'s) your {kind}{own}\b"),
        format!(
            r"\b{mostre}(?:-me| me)? (?:(?:todo|todas|o|os|as) )*(?:seu|seus|suas|teu|teus|tuas) (?:\w+ )?(?:prompts?|instru[çc][õo]es)\b"
        ),
        r"\b(?:quais s[ãa]o (?:as )?|qual [ée] (?:o )?)(?:seu|suas|teu|tuas) (?:prompt|instru[çc][õo]es)\b"
            .to_owned(),
    ];
    set(&patterns)
});

static ABUSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words: Vec<&str> = include_str!("sanitise/words.txt")
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .collect();
    let pattern = format!(r"(?i)\b(?:{})\b", words.join("|"));
    Regex::new(&pattern).inspect_err(report).ok()
});

fn set(patterns: &[String]) -> RegexSet {
    let patterns = patterns.iter().map(|pattern| format!("(?i){pattern}"));
    RegexSet::new(patterns).inspect_err(report).unwrap_or_default()
}

// The patterns are constants and tests use every one, so this cannot happen in a build that passed them.
fn report(error: &regex::Error) {
    tracing::error!(%error, "assistant.sanitise: a pattern cannot be read; requests are not checked");
}
