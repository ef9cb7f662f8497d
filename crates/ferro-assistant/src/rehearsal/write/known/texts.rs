//! One text in, one text out.

use super::super::Component;
use super::{Draft, text};
use crate::rehearsal::said::{Lang, Said};

pub(super) fn known(said: &Said, lang: Lang) -> Option<Component> {
    let simple = |draft: Draft, body: &str| Some(draft.with(lang, vec![text(lang)], &[body]));
    if said.has(r"\btitle ?case\b|\bcapitali[sz]e\w*\b|\biniciais maiusculas\b|\bem titulo\b|\bformato (?:de )?titulo\b") {
        let draft = Draft {
            class: "TitleCaseText",
            label: ("Title Case", "Iniciais Maiúsculas"),
            description: ("Writes a text in title case.", "Escreve um texto com iniciais maiúsculas."),
            icon: "case-sensitive",
            method: "title_text",
        };
        return simple(draft, "result = (self.text or \"\").title()");
    }
    if said.has(r"\bupper ?case\b|\bupper-case\b|\bcapital letters\b|\bcapitals\b|\bmaiuscul\w*\b") {
        let draft = Draft {
            class: "UppercaseText",
            label: ("Uppercase Text", "Texto em Maiúsculas"),
            description: ("Writes a text in upper case.", "Escreve um texto em maiúsculas."),
            icon: "case-upper",
            method: "uppercase_text",
        };
        return simple(draft, "result = (self.text or \"\").upper()");
    }
    if said.has(r"\blower ?case\b|\blower-case\b|\bsmall letters\b|\bminuscul\w*\b") {
        let draft = Draft {
            class: "LowercaseText",
            label: ("Lowercase Text", "Texto em Minúsculas"),
            description: ("Writes a text in lower case.", "Escreve um texto em minúsculas."),
            icon: "case-lower",
            method: "lowercase_text",
        };
        return simple(draft, "result = (self.text or \"\").lower()");
    }
    if said.has(r"\brevers\w+\b|\bbackwards?\b|\binvert\w+\b|\bao contrario\b|\bde tras para frente\b") {
        let draft = Draft {
            class: "ReverseText",
            label: ("Reverse Text", "Inverter Texto"),
            description: ("Turns a text around.", "Inverte um texto."),
            icon: "arrow-left-right",
            method: "reverse_text",
        };
        return simple(draft, "result = (self.text or \"\")[::-1]");
    }
    if said.has(r"\bslugs?\b|\bslugify\b") {
        let draft = Draft {
            class: "SlugText",
            label: ("Slug", "Slug"),
            description: (
                "Makes a text fit for an address.",
                "Deixa um texto próprio para um endereço.",
            ),
            icon: "link",
            method: "make_slug",
        };
        let mut component = draft.with(
            lang,
            vec![text(lang)],
            &[
                "plain = unicodedata.normalize(\"NFKD\", self.text or \"\")",
                "plain = \"\".join(c for c in plain if not unicodedata.combining(c)).lower()",
                "result = re.sub(r\"[^a-z0-9]+\", \"-\", plain).strip(\"-\")",
            ],
        );
        component.imports = vec!["import re", "import unicodedata"];
        return Some(component);
    }
    if said.has(r"\btrim\w*\b|\bstrips? (?:white ?space|spaces)\b|\baparar?\b|\bremove\w* espacos\b") {
        let draft = Draft {
            class: "TrimText",
            label: ("Trim Text", "Aparar Texto"),
            description: ("Takes white space off both ends.", "Tira os espaços das pontas."),
            icon: "scissors",
            method: "trim_text",
        };
        return simple(draft, "result = (self.text or \"\").strip()");
    }
    None
}
