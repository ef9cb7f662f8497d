//! Changes of the canvas that a request asks for, one clause at a time.

use super::ask::Ask;
use super::design::{behaviour, named_model};
use super::names;
use super::said::{Said, value};

/// One change, in the person's words where a component is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Add {
        what: String,
        place: Place,
    },
    Remove {
        what: String,
    },
    Replace {
        old: String,
        new: String,
    },
    /// "This to that": which two are meant is told by what is on the canvas.
    Connect {
        pair: String,
        tool: bool,
    },
    Disconnect {
        pair: String,
    },
    Rename {
        what: String,
        name: String,
    },
    /// Provider and model, or only a name when it is none of those that are there.
    Model {
        what: String,
        name: String,
        provider: Option<String>,
    },
    Instruct {
        what: String,
        text: String,
        /// Added to what is there, instead of taking its place.
        more: bool,
    },
    Set {
        what: String,
        field: String,
        value: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Anywhere,
    Between(String, String),
}

/// A verb that begins a clause of its own.
const CLAUSE: &str = r"(?:^|[,;.\n]\s*|\b(?:and then|and|then|e depois|depois|e entao|e)\s+)(?:(?:now|please|also|then|agora|por favor|tambem)\s+)*(?:add|insert|include|remove|delete|drop|connect|link|wire|disconnect|unlink|change|set|update|rename|make|switch|use|replace|run|execute|test|adicion\w+|insira|inclua|coloque|remov\w+|apague|exclua|conect\w+|ligue|desconect\w+|mude|altere|troque|defina|configure|renome\w+|faca|faz|rode|roda|teste)\b";

pub(super) fn wishes(ask: &Ask) -> Vec<Wish> {
    let said = &ask.said;
    let text = said.text();
    let inside = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        before.matches('"').count() % 2 == 1 || before.matches('“').count() > before.matches('”').count()
    };
    let mut starts: Vec<usize> = said
        .places(CLAUSE)
        .into_iter()
        .map(|(from, _)| from)
        .filter(|from| !inside(*from))
        .collect();
    if starts.is_empty() {
        starts.push(0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let clauses = starts
        .iter()
        .zip(ends)
        .filter_map(|(from, to)| text.get(*from..to));
    clauses
        .filter_map(|clause| wish(ask, &Said::new(clause)))
        .collect()
}

fn wish(ask: &Ask, said: &Said) -> Option<Wish> {
    let tool = said.has(r"\bas (?:a |an )?tools?\b|\bcomo (?:uma )?ferramentas?\b");
    // What is changed about something comes before what is set anew: a mention may hold any word.
    let wire = said.find(
        r"\b(?:remove|delete|drop|cut|remov\w+|apag\w+|exclu\w+|tire)\s+.*?\b(?:connection|wire|edge|link|conexao|fio|ligacao)\s+(?:between|from|of|entre|de|do|da)\s+(.+)$",
    );
    if let Some(found) =
        wire.or_else(|| said.find(r"\b(?:disconnect|unlink|desconect\w+|desligu\w+)\s+(.+)$"))
    {
        return Some(Wish::Disconnect {
            pair: group(&found, 1)?,
        });
    }
    if let Some(found) = said.find(r"\b(?:give|de)\s+(?:ao |to )?((?:the |o )?(?:agents?|agente|it))\s+(.+)$")
    {
        return Some(Wish::Add {
            what: format!("{} to {}", group(&found, 2)?, group(&found, 1)?),
            place: Place::Anywhere,
        });
    }
    if let Some(found) = said.find(r"\b(?:connect|link|wire|conect\w+|ligu\w+)\s+(.+)$") {
        return Some(Wish::Connect {
            pair: group(&found, 1)?,
            tool,
        });
    }
    if let Some(found) = said.find(r"\b(?:rename|renome\w+)\s+(.+?)\s+(?:to|as|into|para|como)\s+(.+)$").or_else(
        || said.find(r"\b(?:change|set|mude|altere|troque) (?:the name|o nome) (?:of|do|da|de) (.+?) (?:to|para) (.+)$"),
    ) {
        return Some(Wish::Rename {
            what: group(&found, 1)?,
            name: group(&found, 2)?,
        });
    }
    if let Some(found) = said.find(
        r"\b(?:add|insert|include|put|adicion\w+|insira|inclua|coloque)\s+(.+?)\s+(?:between|entre)\s+(.+?)\s+(?:and|e)\s+(.+)$",
    ) {
        return Some(Wish::Add {
            what: group(&found, 1)?,
            place: Place::Between(group(&found, 2)?, group(&found, 3)?),
        });
    }
    if let Some(found) =
        said.find(r"\b(?:replace|swap|substitua|troque)\s+(.+?)\s+(?:with|by|for|por|pelo|pela)\s+(.+)$")
    {
        let (old, new) = (group(&found, 1)?, group(&found, 2)?);
        let component = |text: &str| {
            !names::named(&Said::new(text)).is_empty() || names::on_canvas(&ask.canvas, text).is_some()
        };
        if component(&old) && component(&new) {
            return Some(Wish::Replace { old, new });
        }
    }
    if let Some(found) =
        said.find(r"\b(?:add|insert|include|put|adicion\w+|insira|inclua|coloque)\s+(.+?)[.!]?$")
    {
        return Some(Wish::Add {
            what: group(&found, 1)?,
            place: Place::Anywhere,
        });
    }
    if let Some(found) =
        said.find(r"\b(?:remove|delete|drop|get rid of|remov\w+|apag\w+|exclu\w+|tire)\s+(.+)$")
    {
        // Everything at once is agreed on first, elsewhere.
        if said.has(r"\b(?:everything|all|tudo|todos|todas)\b") {
            return None;
        }
        return Some(Wish::Remove {
            what: group(&found, 1)?,
        });
    }
    setting(ask, said)
}

fn setting(ask: &Ask, said: &Said) -> Option<Wish> {
    let what = said.text().to_owned();
    // `'Agent-1.system_prompt'`: the page's mention of a field.
    if let Some(found) = said.find(r"'([^'\s.]+)\.(\w+)'.*?\b(?:to|as|para|como|=|:)\s+(.+)$") {
        return Some(Wish::Set {
            what: group(&found, 1)?,
            field: group(&found, 2)?,
            value: group(&found, 3)?,
        });
    }
    if let Some(found) = said.find(
        r"\b(?:system prompt|system message|agent instructions|instructions?|prompt (?:do|de) sistema|mensagem (?:do|de) sistema|instrucoes)\b(.*?)\b(?:to|as|para|como|:)\s+(.+)$",
    ) {
        return Some(Wish::Instruct {
            what,
            text: group(&found, 2)?,
            more: false,
        });
    }
    let changes =
        said.has(r"\b(?:change|set|switch|use|update|replace|mude|altere|troque|defina|configure|usar)\b");
    if changes && let Some((provider, name)) = named_model(&ask.models, said) {
        return Some(Wish::Model {
            what,
            name,
            provider: Some(provider),
        });
    }
    if let Some(found) = said.find(
        r"\b(?:use|using|switch to|usar|mude para)\s+((?:claude|gpt|gemini|llama|mistral|deepseek|qwen|grok)[\w.:-]*)",
    ) {
        return Some(Wish::Model {
            what,
            name: group(&found, 1)?,
            provider: None,
        });
    }
    if changes
        && let Some(found) = said.find(
            r"\b(?:model|modelo|llm)\b(?: (?:of|do|da|for|on) .+?)?\s+(?:to|para|por|as|:)\s+([\w./:-]+(?: [\w./:-]+)?)",
        )
    {
        return Some(Wish::Model {
            what,
            name: group(&found, 1)?,
            provider: None,
        });
    }
    if said.has(
        r"\b(?:make|have|let|faca|faz|tell|should|must|diga|deve)\b|\b(?:answer|responda|reply|speak|fale)\b",
    ) && let Some(text) = behaviour(said, ask.lang)
    {
        return Some(Wish::Instruct {
            what,
            text,
            more: true,
        });
    }
    let found = said.find(
        r"\b(?:set|change|update|configure|defina|mude|altere|configure|troque)\s+(?:the\s+|o\s+|a\s+)?(.+?)(?:\s+(?:of|on|in|for|do|da|no|na|de)\s+(.+?))?\s+(?:to|para|=|as|como)\s+(.+)$",
    )?;
    Some(Wish::Set {
        what: found.get(2).unwrap_or_default().to_owned(),
        field: group(&found, 1)?,
        value: group(&found, 3)?,
    })
}

fn group(found: &super::said::Groups, group: usize) -> Option<String> {
    found.get(group).map(|text| value(text).to_owned())
}
