//! Whether somebody wants a flow run, told from the words. English and Portuguese only, and never the last word: what
//! is put on the canvas is decided from what the tools did.

use std::sync::LazyLock;

use regex::Regex;

/// Whether a request wants a run, also one that speaks of the flow only as "it".
pub(crate) fn asks_to_run(text: &str) -> bool {
    names_a_run(text) || RUN_IT.as_ref().is_some_and(|run| run.is_match(text))
}

/// Whether a text that was taken for a question is a wish after all. A bare "run it" is not enough here.
pub(super) fn is_told_to_run(text: &str) -> bool {
    let wonders = WONDERS.as_ref().is_some_and(|wonders| wonders.is_match(text));
    names_a_run(text) && !wonders
}

/// A verb of running, then a flow in the same sentence within forty characters.
fn names_a_run(text: &str) -> bool {
    let Some(run) = RUN.as_ref() else { return false };
    let mut from = 0;
    while let Some(found) = run.captures_at(text, from) {
        // "a test flow" is a thing, "test a flow" a wish.
        if found.name("thing").is_none() {
            return true;
        }
        let Some(verb) = found.name("verb") else {
            return false;
        };
        from = verb.end();
    }
    false
}

static RUN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        (?P<thing>\b(?:an?|the|this|my|um|uma|o|este|esse|meu)\s+)?
        \b(?P<verb> (?:re-?)?run(?:s|ning)? | execut(?:e|es|ing|a|ar|ando|em) | test(?:s|ing|e|a|ar|ando|em)?
            | rod(?:e|a|ar|ando|em) )\b
        [^.\n]{0,40}?
        \b(?:flows?|fluxos?)\b",
    )
    .ok()
});

/// The pronoun ends its clause: "run it through a parser" is about something else.
static RUN_IT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: (?:(?:re-?)?run|execute|test)\s+(?:it|them|this|that)
            | (?:rode|roda|rodar|execute|executa|executar|teste|testa|testar)\s+(?:ele|ela|isso|isto|tudo)
            | (?:rode|execute|teste)-[oa] | (?:rod|execut|test)[áa]-l[oa] )
        \s* (?: $ | [.!,;?)] | \b(?:and|then|now|once|again|with|please|for|to|after|e|agora|com|depois|de\s+novo|por\s+favor)\b )",
    )
    .ok()
});

static WONDERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\W*(?:how|what|why|when|where|which|who|is|are|does|do|did|was|were|has|can i|could i|should i|may i|tell me|explain|como|por ?qu[eê]|quando|onde|o que|qual|posso|explique)\b",
    )
    .ok()
});
