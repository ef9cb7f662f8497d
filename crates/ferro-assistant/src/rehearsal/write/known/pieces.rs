//! Counting, joining, cutting, replacing, finding.

use super::super::{Component, Shape, python};
use super::{Draft, field, given, text};
use crate::rehearsal::said::{Lang, Said, value};

pub(super) fn known(said: &Said, lang: Lang) -> Option<Component> {
    let counts = said.has(
        r"\bcount\w*\b|\bnumber of\b|\bhow many\b|\bcont(?:a|ar|e|agem|ador)\b|\bquant[ao]s\b|\bnumero de\b",
    );
    let counted = [
        (
            r"\bcharacters?\b|\bletters?\b|\bcaracteres?\b|\bletras?\b",
            "CountCharacters",
            "count_characters",
            "result = len(self.text or \"\")",
            ("Count Characters", "Contar Caracteres"),
            (
                "Counts the characters of a text.",
                "Conta os caracteres de um texto.",
            ),
        ),
        (
            r"\blines?\b|\blinhas?\b",
            "CountLines",
            "count_lines",
            "result = len((self.text or \"\").splitlines())",
            ("Count Lines", "Contar Linhas"),
            ("Counts the lines of a text.", "Conta as linhas de um texto."),
        ),
        (
            r"\bwords?\b|\bpalavras?\b",
            "CountWords",
            "count_words",
            "result = len((self.text or \"\").split())",
            ("Count Words", "Contar Palavras"),
            ("Counts the words of a text.", "Conta as palavras de um texto."),
        ),
    ];
    for (pattern, class, method, body, label, description) in counted {
        if counts && said.has(pattern) {
            let draft = Draft {
                class,
                label,
                description,
                icon: "hash",
                method,
            };
            return Some(draft.with(lang, vec![text(lang)], &[body]));
        }
    }
    let second = |name: &'static str, label: (&str, &str), info: (&str, &str), more: String| {
        let mut field = field(
            "MessageTextInput",
            name,
            lang.say(label.0, label.1),
            lang.say(info.0, info.1),
        );
        field.more = more;
        field
    };
    if said.has(r"\bprefix\w*\b") {
        let draft = Draft {
            class: "AddPrefix",
            label: ("Add Prefix", "Adicionar Prefixo"),
            description: ("Puts something before a text.", "Põe algo antes de um texto."),
            icon: "text-cursor-input",
            method: "add_prefix",
        };
        let prefix = second(
            "prefix",
            ("Prefix", "Prefixo"),
            ("Goes before the text.", "Vai antes do texto."),
            given(said, 0, ""),
        );
        return Some(draft.with(
            lang,
            vec![text(lang), prefix],
            &["result = (self.prefix or \"\") + (self.text or \"\")"],
        ));
    }
    if said.has(r"\bsuffix\w*\b|\bsufix\w*\b") {
        let draft = Draft {
            class: "AddSuffix",
            label: ("Add Suffix", "Adicionar Sufixo"),
            description: ("Puts something behind a text.", "Põe algo depois de um texto."),
            icon: "text-cursor-input",
            method: "add_suffix",
        };
        let suffix = second(
            "suffix",
            ("Suffix", "Sufixo"),
            ("Goes behind the text.", "Vai depois do texto."),
            given(said, 0, ""),
        );
        return Some(draft.with(
            lang,
            vec![text(lang), suffix],
            &["result = (self.text or \"\") + (self.suffix or \"\")"],
        ));
    }
    if said.has(r"\breplac\w+\b|\bsubstitu\w+\b|\btroc\w+ (?:palavras?|textos?)\b") {
        let draft = Draft {
            class: "ReplaceText",
            label: ("Replace Text", "Substituir Texto"),
            description: (
                "Puts one text in the place of another.",
                "Põe um texto no lugar de outro.",
            ),
            icon: "replace",
            method: "replace_text",
        };
        let old = second(
            "search",
            ("Search for", "Procurar"),
            ("What is replaced.", "O que é substituído."),
            given(said, 0, ""),
        );
        let new = second(
            "replacement",
            ("Replace with", "Substituir por"),
            ("What comes instead.", "O que entra no lugar."),
            given(said, 1, ""),
        );
        let body = [
            "if not self.search:",
            "    raise ValueError(\"Fill in what to search for.\")",
            "result = (self.text or \"\").replace(self.search, self.replacement or \"\")",
        ];
        return Some(draft.with(lang, vec![text(lang), old, new], &body));
    }
    if said.has(r"\bsplit\w*\b|\bdivid\w+ (?:o |um |textos?)|\bsepar\w+\b") {
        let draft = Draft {
            class: "SplitParts",
            label: ("Split into Parts", "Dividir em Partes"),
            description: (
                "Cuts a text where a separator stands.",
                "Corta um texto onde há um separador.",
            ),
            icon: "scissors",
            method: "split_text",
        };
        let by = second(
            "separator",
            ("Separator", "Separador"),
            ("Where the text is cut.", "Onde o texto é cortado."),
            given(said, 0, ","),
        );
        let body = [
            "parts = (self.text or \"\").split(self.separator or \",\")",
            "result = [part.strip() for part in parts]",
        ];
        let mut component = draft.with(lang, vec![text(lang), by], &body);
        // Several parts make a table rather than one text.
        component.shape = Shape::Table;
        component.as_text = "\"\\n\".join(result)";
        return Some(component);
    }
    if said.has(r"\b(?:joins?|concat\w*|combin\w+|merg\w+|junt\w+)\b.*\b(?:texts?|strings?|textos?)\b") {
        let draft = Draft {
            class: "JoinTexts",
            label: ("Join Texts", "Juntar Textos"),
            description: ("Puts two texts together.", "Junta dois textos."),
            icon: "merge",
            method: "join_texts",
        };
        let first = second(
            "first",
            ("First", "Primeiro"),
            ("Comes first.", "Vem primeiro."),
            String::new(),
        );
        let other = second(
            "second",
            ("Second", "Segundo"),
            ("Comes after it.", "Vem depois."),
            String::new(),
        );
        let mut by = second(
            "separator",
            ("Separator", "Separador"),
            ("Stands between them.", "Fica entre eles."),
            given(said, 0, " "),
        );
        by.more = if by.more.is_empty() {
            "value=\" \"".to_owned()
        } else {
            by.more
        };
        let body = ["result = (self.separator or \"\").join([self.first or \"\", self.second or \"\"])"];
        return Some(draft.with(lang, vec![first, other, by], &body));
    }
    if said.has(r"\bjson\b") && said.has(r"\bfields?\b|\bkeys?\b|\bextract\w*\b|\bvalues?\b|\bcampos?\b|\bchaves?\b|\bextra\w+\b|\bvalor\w*\b") {
        let draft = Draft {
            class: "JsonField",
            label: ("JSON Field", "Campo de JSON"),
            description: ("Reads one field of a JSON object.", "Lê um campo de um objeto JSON."),
            icon: "braces",
            method: "read_field",
        };
        let name = said.find(r#"\b(?:field|key|campo|chave)\s+(?:called |named |chamad[oa] )?["'`]?(\w+)["'`]?"#);
        let name = name.as_ref().and_then(|found| found.get(1)).map(value).filter(|name| !["of", "from", "in", "de", "do", "extractor", "and"].contains(name));
        let key = second("field", ("Field", "Campo"), ("Its name; parts of a path with dots.", "O nome; partes de um caminho com pontos."), format!("value={}", python(name.unwrap_or("name"))));
        let body = [
            "try:",
            "    found = json.loads(self.text or \"\")",
            "except ValueError as error:",
            "    raise ValueError(f\"The text is not JSON: {error}\") from error",
            "for part in (self.field or \"\").split(\".\"):",
            "    if not isinstance(found, dict) or part not in found:",
            "        raise ValueError(f\"There is no field {self.field!r} in the JSON.\")",
            "    found = found[part]",
            "result = found",
        ];
        let mut component = draft.with(lang, vec![text(lang), key], &body);
        component.imports = vec!["import json"];
        component.as_text = "result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)";
        return Some(component);
    }
    None
}
