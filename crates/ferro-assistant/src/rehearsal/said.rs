//! What somebody said, so that rules can look at it: without capitals and accents, in English or Portuguese.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;

/// The language to answer in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lang {
    En,
    Pt,
}

impl Lang {
    pub(super) fn say<'t>(self, english: &'t str, portuguese: &'t str) -> &'t str {
        match self {
            Self::En => english,
            Self::Pt => portuguese,
        }
    }

    /// The language most of the words belong to; English when they say nothing about it.
    pub(super) fn of(text: &str) -> Self {
        let folded = fold(text);
        let count = |list: &str| {
            words(&folded)
                .filter(|word| list.split(' ').any(|known| known == *word))
                .count()
        };
        if count(PORTUGUESE) > count(ENGLISH) {
            Self::Pt
        } else {
            Self::En
        }
    }
}

const PORTUGUESE: &str = "adicione adiciona adicionar agente ai ajuda altere altera alterar apague arquivo arquivos as bom \
    boa busca calculadora chamado como com componente componentes conecte conecta conectar construa \
    construir conte criar cria crie da das de dele desconecte dia documente documento do dois dos e \
    ele em entrada escreva esse este estao exclua existem explica explique faca faz fluxo fluxos \
    funciona gere gerar historico isso leia ligue linguagem mais maiusculas memoria modelo monte \
    montar mude muda na nao no nome numeros o obrigada obrigado oi ola os ou palavras para pesquisa \
    pirata por qual quais quantas que quero receita remova remove renomeie responda resumir resuma \
    roda rodar rode saida salve se sem simples sistema somar some suporte tabela texto todos tres \
    troque um uma use usando voce";

const ENGLISH: &str = "a add an and answer are as build by change can component components connect create delete \
    describe do does explain file flow for from generate give hello hi how i in instead is it make \
    me my of on please remove rename run set simple some that the this to use want what which with \
    write you";

/// Lower case, without accents, one character for each.
pub(super) fn fold(text: &str) -> String {
    text.chars().map(folded).collect()
}

fn folded(c: char) -> char {
    let lower = c.to_lowercase().next().unwrap_or(c);
    match lower {
        'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        '’' | '‘' => '\'',
        '“' | '”' => '"',
        other => other,
    }
}

/// Runs of letters and digits.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// `ChatInput`, `chat_input` and `Chat Input` are the same two words.
pub(super) fn spaced(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in name.chars() {
        let breaks = c.is_uppercase() && before.is_lowercase();
        if !c.is_alphanumeric() || breaks {
            out.push(' ');
        }
        if c.is_alphanumeric() {
            out.push(folded(c));
        }
        before = c;
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text, and the same folded, with the way back from one to the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    text: String,
    folded: String,
    /// For each byte of `folded`, and its end, the byte of `text`.
    back: Vec<usize>,
}

/// The groups of a match, as they were written.
pub(super) struct Groups(Vec<Option<String>>);

impl Groups {
    /// Trimmed, never empty.
    pub(super) fn get(&self, group: usize) -> Option<&str> {
        let text = self.0.get(group)?.as_deref()?.trim();
        Some(text).filter(|text| !text.is_empty())
    }
}

impl Said {
    pub(super) fn new(text: &str) -> Self {
        let text = text.trim().to_owned();
        let mut folded_text = String::new();
        let mut back = Vec::new();
        for (at, c) in text.char_indices() {
            let c = folded(c);
            back.extend(std::iter::repeat_n(at, c.len_utf8()));
            folded_text.push(c);
        }
        back.push(text.len());
        Self {
            text,
            folded: folded_text,
            back,
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn folded(&self) -> &str {
        &self.folded
    }

    pub(super) fn has(&self, pattern: &'static str) -> bool {
        compiled(pattern).is_some_and(|regex| regex.is_match(&self.folded))
    }

    pub(super) fn find(&self, pattern: &'static str) -> Option<Groups> {
        let regex = compiled(pattern)?;
        let found = regex.captures(&self.folded)?;
        let groups = found.iter().map(|group| {
            let group = group?;
            let from = *self.back.get(group.start())?;
            let to = *self.back.get(group.end())?;
            self.text.get(from..to).map(str::to_owned)
        });
        Some(Groups(groups.collect()))
    }

    /// Where each match begins and ends in the text as it was written.
    pub(super) fn places(&self, pattern: &'static str) -> Vec<(usize, usize)> {
        let Some(regex) = compiled(pattern) else {
            return Vec::new();
        };
        let place =
            |found: regex::Match<'_>| Some((*self.back.get(found.start())?, *self.back.get(found.end())?));
        regex.find_iter(&self.folded).filter_map(place).collect()
    }

    /// What stands in quotation marks, in order.
    pub(super) fn quoted(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for (open, close) in [("\"", "\""), ("“", "”"), ("«", "»"), ("`", "`")] {
            let mut rest = self.text.as_str();
            while let Some((_, after)) = rest.split_once(open) {
                let Some((inside, next)) = after.split_once(close) else {
                    break;
                };
                if !inside.trim().is_empty() {
                    found.push(inside);
                }
                rest = next;
            }
        }
        found
    }

    pub(super) fn url(&self) -> Option<&str> {
        let (from, to) = *self.places(r#"https?://[^\s"'<>)]+"#).first()?;
        self.text
            .get(from..to)
            .map(|url| url.trim_end_matches(['.', ',', ';']))
    }
}

/// Each pattern is compiled once. One that cannot be compiled matches nothing, which the tests of its rule would show.
fn compiled(pattern: &'static str) -> Option<Regex> {
    static KEPT: LazyLock<Mutex<HashMap<&'static str, Option<Regex>>>> = LazyLock::new(Mutex::default);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.entry(pattern)
        .or_insert_with(|| Regex::new(&plain(pattern)).ok())
        .clone()
}

/// Folded text is plain where rules look. The classes of all alphabets would take a hundred times as long to compile.
fn plain(pattern: &str) -> String {
    pattern
        .replace(r"\b", r"(?-u:\b)")
        .replace(r"\w", "[0-9A-Za-z_]")
        .replace(r"\W", "[^0-9A-Za-z_]")
        .replace(r"\s", r"[ \t\r\n]")
        .replace(r"\S", r"[^ \t\r\n]")
}

/// What somebody gave as a value: without the quotation marks around it and the full stop after.
pub(super) fn value(text: &str) -> &str {
    let text = text.trim();
    for (open, close) in [('"', '"'), ('\'', '\''), ('“', '”'), ('`', '`')] {
        if let Some(inside) = text
            .trim_end_matches(['.', '!'])
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
        {
            return inside.trim();
        }
    }
    text.strip_suffix('.').unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_that_of_most_words() {
        for text in [
            "Olá!",
            "crie um chatbot simples",
            "execute o fluxo",
            "Renomeie o agente para Helper",
        ] {
            assert_eq!(Lang::of(text), Lang::Pt, "{text}");
        }
        for text in [
            "Hello",
            "build a simple chatbot",
            "run it",
            "",
            "RAG",
            "make it answer in pirate speak",
        ] {
            assert_eq!(Lang::of(text), Lang::En, "{text}");
        }
    }

    #[test]
    fn groups_come_back_as_they_were_written() {
        let said = Said::new("Renomeie o Agente para “Assistente de Ação”");
        let found = said.find(r"renomeie o (.+) para (.+)").unwrap();
        assert_eq!(found.get(1), Some("Agente"));
        assert_eq!(value(found.get(2).unwrap()), "Assistente de Ação");
        assert_eq!(said.quoted(), ["Assistente de Ação"]);
    }

    #[test]
    fn names_come_apart() {
        assert_eq!(spaced("ChatInput"), "chat input");
        assert_eq!(spaced("Prompt Template"), "prompt template");
        assert_eq!(spaced("URLComponent"), "urlcomponent");
        assert_eq!(spaced("If-Else"), "if else");
    }

    #[test]
    fn addresses_end_where_they_end() {
        assert_eq!(
            Said::new("summarise https://a.example/x. Thanks").url(),
            Some("https://a.example/x")
        );
    }
}
