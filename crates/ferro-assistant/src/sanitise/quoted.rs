//! Texts in quotation marks or after a colon: what is to stand in a flow, not what is said to the assistant.

use std::sync::LazyLock;

use regex::Regex;

/// Whether a request is about a text: then what it quotes is that text.
pub(super) fn speaks_of_a_text(request: &str) -> bool {
    ABOUT_TEXT.as_ref().is_some_and(|about| about.is_match(request))
}

static ABOUT_TEXT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:prompts?|fields?|values?|messages?|texts?|instructions? of|descriptions?|notes?|templates?|components?|agents?|phrases?|detects?|blocks?|campos?|valor|mensage(?:m|ns)|textos?|nota|componentes?|agentes?|frases?|detect[ae])\b",
    )
    .ok()
});

/// The request with every quotation left out, and what follows "set the prompt to:". An apostrophe inside a word is no quotation mark.
pub(super) fn without_quotations(request: &str) -> String {
    let given = SETS_TEXT.as_ref().and_then(|sets| sets.find(request));
    let request = given.map_or(request, |given| request.get(..given.end()).unwrap_or(request));
    let mut outside = String::with_capacity(request.len());
    let mut before = ' ';
    let mut rest = request.chars();
    while let Some(letter) = rest.next() {
        let closing = match letter {
            '"' | '`' => Some(letter),
            '\'' if !before.is_alphanumeric() => Some('\''),
            '“' | '„' => Some('”'),
            '‘' => Some('’'),
            '«' => Some('»'),
            _ => None,
        };
        let end = closing.and_then(|closing| end_of_quotation(rest.as_str(), closing));
        match end {
            Some(end) => {
                rest = rest.as_str().get(end..).unwrap_or_default().chars();
                outside.push('…');
                before = '…';
            }
            None => {
                outside.push(letter);
                before = letter;
            }
        }
    }
    outside
}

/// Where a quotation that was opened ends, its closing mark included.
fn end_of_quotation(rest: &str, closing: char) -> Option<usize> {
    rest.match_indices(closing).find_map(|(at, mark)| {
        let end = at + mark.len();
        let next = rest.get(end..)?.chars().next();
        next.is_none_or(|next| !next.is_alphanumeric()).then_some(end)
    })
}

/// A verb of setting, the name of a text, and its colon: the rest is that text.
static SETS_TEXT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:set|change|update|replace|edit|rewrite|use|make|mude|altere|troque|defina|coloque|edite)\b[^.:]{0,60}\b(?:prompts?|instructions?|messages?|texts?|templates?|descriptions?|persona|instru[çc][õo]es|mensagem|texto)\b[^.:]{0,40}:\s",
    )
    .ok()
});
