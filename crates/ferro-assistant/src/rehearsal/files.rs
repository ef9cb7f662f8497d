//! Files of the person: a document about the flow, notes, reading, looking for, changing.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::ask::Ask;
use super::build::failed;
use super::said::{Lang, Said, value};
use super::tape::{Next, Step, Tape};

const FILE: &str = r"\bfiles?\b|\bmarkdown\b|\breadme\b|\bdocument(?:ation|s)?\b|\breport\b|\bnotes?\b|\barquivos?\b|\bdocumento?s?\b|\bdocumentacao\b|\brelatorio\b|\bnotas?\b|\b[\w/-]+\.(?:md|txt|json|csv|yaml|html)\b";

/// Whether a request is about files, not about a flow that reads some.
pub(super) fn wanted(said: &Said) -> bool {
    if said.has(r"^\W*(?:document|documente|documentar)\b") {
        return true;
    }
    let asks_content = r"^\W*(?:what'?s?|o que)\b.*\b[\w/-]+\.(?:md|txt|json|csv|yaml|html)\b";
    let saves = r"^\W*(?:save|write|export|salve|escreva|grave|exporte)\b.*\b(?:to|into|as|in|em|num|como)\s+(?:an? |um |uma )?(?:\w+ )?(?:files?|arquivo|markdown|documento?)\b";
    if said.has(asks_content) || said.has(saves) {
        return true;
    }
    let other = r"\b(?:flows?|chat ?bots?|agents?|components?|rag|fluxos?|agentes?|componentes?)\b";
    let file = said.places(FILE);
    let first = |places: Vec<(usize, usize)>| places.first().map(|place| place.0);
    let Some(file) = first(file) else {
        return false;
    };
    // "A flow that reads a file" builds a flow; "a file about the flow" writes a file.
    if first(said.places(other)).is_some_and(|other| other < file) {
        return false;
    }
    said.has(
        r"\b(?:write|create|save|generate|make|read|open|show|list|find|search|look for|edit|replace|change|append|update|which|escreva|crie|salve|gere|faca|leia|abra|mostre|liste|procure|busque|edite|troque|substitua|altere|quais|que)\b",
    )
}

pub(super) fn files(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let said = &ask.said;
    let path = said
        .find(r"\b([\w./-]+\.(?:md|txt|json|csv|yaml|html))\b")
        .and_then(|found| found.get(1).map(str::to_owned));
    if said.has(r"\b(?:edit|replace|change|update|edite|troque|substitua|altere)\b")
        && let Some(path) = &path
        && let Some(change) = said.find(
            r#"\b(?:replace|change|troque|substitua|altere)\s+["'`“]?(.+?)["'`”]?\s+(?:with|to|by|por|para)\s+["'`“]?(.+?)["'`”]?(?:\s+(?:in|em|no arquivo|in the file)\s+\S+)?[.]?$"#,
        )
        && let (Some(old), Some(new)) = (change.get(1), change.get(2))
    {
        return edit(tape, ask, path, value(old), value(new));
    }
    if said.has(r"\b(?:search|find|look for|grep|procure|busque|encontre)\b")
        && let Some(what) = said.find(
            r#"\b(?:for|mentions?|contain(?:ing|s)?|with|por|mencionam?|com|que contem)\s+["'`“]?(.+?)["'`”]?(?:\s+(?:in|em|nos|inside)\s+.+)?[.?]?$"#,
        )
        && let Some(what) = what.get(1)
    {
        return search(tape, ask.lang, value(what));
    }
    if said.has(r"\b(?:list|which|what|liste|quais|que)\b")
        && path.is_none()
        && !said.has(r"\b(?:write|create|save|escreva|crie|salve)\b")
    {
        return list(tape, ask.lang);
    }
    if said.has(r"\b(?:read|open|show|what'?s?|leia|abra|mostre|o que)\b")
        && let Some(path) = &path
    {
        let heard = tape.call("read_file", &[("path", json!(path))])?;
        if heard.failed {
            return Ok(failed(ask.lang, heard.error()));
        }
        let content: String = heard
            .str("content")
            .unwrap_or(&heard.text)
            .chars()
            .take(2000)
            .collect();
        return Ok(format!("`{path}`:\n\n```\n{content}\n```"));
    }
    write(tape, ask, path)
}

fn edit(tape: &mut Tape<'_>, ask: &Ask, path: &str, old: &str, new: &str) -> Step<String> {
    // Nobody changes what they have not seen.
    let heard = tape.call("read_file", &[("path", json!(path))])?;
    if heard.failed {
        return Ok(failed(ask.lang, heard.error()));
    }
    let (was, is) = (
        tape.argument("edit_file", &["old", "old_string", "old_text"]),
        tape.argument("edit_file", &["new", "new_string", "new_text"]),
    );
    let heard = tape.call(
        "edit_file",
        &[("path", json!(path)), (was, json!(old)), (is, json!(new))],
    )?;
    if heard.failed {
        return Ok(failed(ask.lang, heard.error()));
    }
    Ok(match ask.lang {
        Lang::En => format!("Changed `{path}`: \"{old}\" is \"{new}\" now."),
        Lang::Pt => format!("`{path}` alterado: \"{old}\" agora é \"{new}\"."),
    })
}

fn search(tape: &mut Tape<'_>, lang: Lang, what: &str) -> Step<String> {
    let pattern = regex::escape(what);
    let heard = tape.call("grep_search", &[("pattern", json!(pattern))])?;
    if heard.failed {
        return Ok(failed(lang, heard.error()));
    }
    let mut text = match lang {
        Lang::En => format!(
            "\"{what}\" stands in {} places of your files.",
            heard.list("matches").len()
        ),
        Lang::Pt => format!(
            "\"{what}\" aparece em {} lugares dos seus arquivos.",
            heard.list("matches").len()
        ),
    };
    for hit in heard.list("matches").iter().take(20) {
        let part = |key: &str| hit.get(key).map(plain).unwrap_or_default();
        let _ = write!(text, "\n- `{}`, {}: {}", part("path"), part("line"), part("text"));
    }
    Ok(text)
}

fn plain(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}

fn list(tape: &mut Tape<'_>, lang: Lang) -> Step<String> {
    let heard = tape.call("glob_search", &[("pattern", json!("**"))])?;
    if heard.failed {
        return Ok(failed(lang, heard.error()));
    }
    let files = heard.list("files");
    let mut text = match lang {
        Lang::En => format!("Your folder has {} files.", files.len()),
        Lang::Pt => format!("Sua pasta tem {} arquivos.", files.len()),
    };
    for file in files.iter().take(50) {
        let path = file.get("path").map_or_else(|| plain(file), plain);
        let _ = write!(text, "\n- `{path}`");
    }
    Ok(text)
}

fn write(tape: &mut Tape<'_>, ask: &Ask, path: Option<String>) -> Step<String> {
    let lang = ask.lang;
    let said = &ask.said;
    let given = said.find(
        r#"\b(?:that says|saying|with the (?:text|content)|containing|que diga|que diz|dizendo|com o (?:texto|conteudo))\s*:?\s*(.+)$"#,
    );
    let about_flow =
        said.has(r"\bflows?\b|\bfluxos?\b|\bcanvas\b|\bdocument(?:e|ing|ando|s)?\b|\bit\b|\bisso\b");
    let content = match given.as_ref().and_then(|given| given.get(1)) {
        Some(text) => format!("{}\n", value(text)),
        None if about_flow && !ask.canvas.nodes.is_empty() => document(tape, ask)?,
        None if about_flow => {
            let text = lang.say(
                "The canvas is empty, so there is nothing to document yet.",
                "O quadro está vazio, então ainda não há o que documentar.",
            );
            return Err(Next::Say(text.to_owned()));
        }
        None => {
            let text = lang.say(
                "I follow rules and cannot make up a text. I can write a document about the flow on the canvas, or a text that you give me (\"write a file notes.md that says …\").",
                "Eu sigo regras e não sei inventar um texto. Posso escrever um documento sobre o fluxo no quadro ou um texto que você me der (\"escreva um arquivo notas.md que diz …\").",
            );
            return Err(Next::Say(text.to_owned()));
        }
    };
    let path = path.unwrap_or_else(|| match given.is_some() {
        true => lang.say("notes.md", "notas.md").to_owned(),
        false => format!("{}.md", slug(&ask.canvas.name)),
    });
    let heard = tape.call(
        "write_file",
        &[("path", json!(path)), ("content", json!(content))],
    )?;
    if heard.failed {
        return Ok(failed(lang, heard.error()));
    }
    Ok(match lang {
        Lang::En => format!("Wrote `{path}`."),
        Lang::Pt => format!("`{path}` escrito."),
    })
}

fn slug(name: &str) -> String {
    let words: Vec<String> = super::said::words(&super::said::fold(name))
        .map(str::to_owned)
        .collect();
    let slug: String = words.join("-").chars().filter(char::is_ascii).take(60).collect();
    if slug.is_empty() { "flow".to_owned() } else { slug }
}

/// What the canvas holds, as a page of Markdown.
fn document(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let lang = ask.lang;
    let canvas = &ask.canvas;
    let io = tape.call("describe_flow_io", &[])?;
    let types: Vec<&str> = canvas.nodes.iter().map(|node| node.r#type.as_str()).collect();
    let parts = super::parts::describe(tape, &types)?;
    let name = if canvas.name.is_empty() {
        lang.say("Flow", "Fluxo")
    } else {
        canvas.name.as_str()
    };
    let mut page = format!(
        "# {name}\n\n## {}\n\n| id | {} | {} |\n|---|---|---|\n",
        lang.say("Components", "Componentes"),
        lang.say("type", "tipo"),
        lang.say("name", "nome")
    );
    for node in &canvas.nodes {
        let own = canvas
            .names
            .iter()
            .find(|(id, _)| *id == node.id)
            .map(|(_, name)| name.as_str());
        let usual = parts
            .iter()
            .find(|part| part.r#type == node.r#type)
            .map(|part| part.label());
        let _ = writeln!(
            page,
            "| `{}` | `{}` | {} |",
            node.id,
            node.r#type,
            own.or(usual).unwrap_or("-")
        );
    }
    let _ = write!(page, "\n## {}\n", lang.say("Wires", "Fios"));
    for wire in &canvas.wires {
        let _ = write!(
            page,
            "\n- `{}.{}` → `{}.{}`",
            wire.source, wire.output, wire.target, wire.input
        );
    }
    if canvas.wires.is_empty() {
        let _ = write!(page, "\n{}", lang.say("None.", "Nenhum."));
    }
    let _ = write!(
        page,
        "\n\n## {}\n",
        lang.say("Where it begins and ends", "Onde começa e termina")
    );
    for (key, label) in [
        ("inputs", lang.say("Inputs", "Entradas")),
        ("outputs", lang.say("Outputs", "Saídas")),
        ("tools", lang.say("Tools", "Ferramentas")),
    ] {
        let ids: Vec<String> = io
            .list(key)
            .iter()
            .filter_map(|one| Some(format!("`{}`", one.get("id")?.as_str()?)))
            .collect();
        let ids = if ids.is_empty() {
            "-".to_owned()
        } else {
            ids.join(", ")
        };
        let _ = write!(page, "\n- {label}: {ids}");
    }
    page.push('\n');
    Ok(page)
}
