//! Answers to questions: from the canvas, from the documentation, from what is set, or that it does not know.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::ask::{Ask, Passage};
use super::said::{Lang, fold, words};
use super::tape::{Step, Tape};
use super::translate::english;
use super::{names, parts};

pub(super) fn answer(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let (said, lang) = (&ask.said, ask.lang);
    if said.text().is_empty() || said.has(r"^\W*(?:help|ajuda)\W*$|what can you do|what do you do|o que voce (?:pode|sabe|consegue) fazer|quem e voce|who are you") {
        return Ok(abilities(lang).to_owned());
    }
    if said.has(r"^\W*(?:thanks?|thank you|cheers|obrigad[oa]|valeu)\b") {
        return Ok(lang.say("You're welcome.", "De nada.").to_owned());
    }
    if said
        .has(r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|ola|oi|bom dia|boa (?:tarde|noite))\b")
        && words(said.folded()).count() <= 5
    {
        let hello = lang.say("Hello!", "Olá!");
        return Ok(format!("{hello} {}", abilities(lang)));
    }
    if said.has(r"\bwhat did i (?:ask|say)\b|\bo que eu (?:pedi|disse|perguntei)\b") {
        return Ok(recalled(ask));
    }
    if let Some(found) = said.find(r"'([^'\s.]+)\.(\w+)'")
        && let (Some(id), Some(field)) = (found.get(1), found.get(2))
    {
        let heard = tape.call(
            "get_field_value",
            &[("component_id", json!(id)), ("field_name", json!(field))],
        )?;
        if heard.failed {
            return Ok(heard.error().to_owned());
        }
        let value = heard.json.get("value").cloned().unwrap_or_default();
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        return Ok(match lang {
            Lang::En => format!("`{field}` of {id} is: {value}"),
            Lang::Pt => format!("`{field}` de {id} é: {value}"),
        });
    }
    let about_flow = said.has(
        r"\b(?:this|the|my|current|este|esse|o|meu) (?:flow|canvas|fluxo|quadro)\b|\b(?:explain|describe|explique|descreva) (?:it|this|isso)\b|\bwhat does it do\b|\bo que (?:ele|isso) faz\b",
    );
    if about_flow && !said.has(r"^\W*(?:how (?:do|can) i|como (?:eu |posso )?)") {
        return explained(tape, ask);
    }
    if said.has(r"\b(?:which|what|quais|que)\s+(?:\w+\s+)?(?:models|providers|modelos|provedores)\b")
        && !ask.models.is_empty()
    {
        return Ok(models(ask));
    }
    if said.has(r"\b(?:list|which|what|show|quais|liste|mostre)\b.*\b(?:templates?|modelos? prontos?)\b")
        && tape.has("list_templates")
    {
        return super::template::listed(tape, lang);
    }
    if let Some(text) = from_docs(ask, &ask.passages) {
        return Ok(text);
    }
    if tape.has("search_docs") {
        let query = english(said.text(), lang);
        let heard = tape.call("search_docs", &[("query", json!(query))])?;
        if let Some(text) = from_docs(ask, &found(&heard.json)) {
            return Ok(text);
        }
    }
    if let Some(query) = names::named(said).first()
        && let Some(part) = parts::look_up(tape, &[query])?.pop().flatten()
    {
        return Ok(described(lang, &part));
    }
    let unknown = lang.say(
        "I found nothing about that in the documentation, and rules cannot think it up.",
        "Não encontrei nada sobre isso na documentação, e regras não podem inventar.",
    );
    Ok(format!("{unknown} {}", abilities(lang)))
}

pub(super) fn abilities(lang: Lang) -> &'static str {
    lang.say(
        "I follow rules, so that the assistant can be tried without a key. I can build flows (\"build a simple chatbot\", \"an agent with calculator and web search\"), change the canvas (add, remove, connect, configure, rename), run the flow, explain it, write simple components and documents, and answer from the documentation. For free wishes set up a real model in Settings › Model providers.",
        "Eu sigo regras, para que o assistente possa ser experimentado sem chave. Posso montar fluxos (\"crie um chatbot simples\", \"um agente com calculadora e busca na web\"), mudar o quadro (adicionar, remover, conectar, configurar, renomear), executar o fluxo, explicá-lo, escrever componentes simples e documentos e responder pela documentação. Para pedidos livres, configure um modelo de verdade em Settings › Model providers.",
    )
}

fn recalled(ask: &Ask) -> String {
    match ask.past.last() {
        Some((before, _)) => match ask.lang {
            Lang::En => format!("Before this you asked: \"{before}\""),
            Lang::Pt => format!("Antes disso você pediu: \"{before}\""),
        },
        None => ask
            .lang
            .say("Nothing before this.", "Nada antes disso.")
            .to_owned(),
    }
}

fn models(ask: &Ask) -> String {
    let mut text = ask
        .lang
        .say("These can be used here:", "Estes podem ser usados aqui:")
        .to_owned();
    for (provider, models) in &ask.models {
        let _ = write!(text, "\n- {provider}: {}", models.join(", "));
    }
    text
}

fn described(lang: Lang, part: &parts::Part) -> String {
    let ports = |ports: &[parts::Port]| {
        let names: Vec<String> = ports.iter().map(|port| format!("`{}`", port.name)).collect();
        if names.is_empty() {
            "-".to_owned()
        } else {
            names.join(", ")
        }
    };
    let (inputs, outputs) = (ports(&part.inputs), ports(&part.outputs));
    match lang {
        Lang::En => format!(
            "{} (`{}`) takes {inputs} and gives {outputs}.",
            part.label(),
            part.r#type
        ),
        Lang::Pt => format!(
            "{} (`{}`) recebe {inputs} e entrega {outputs}.",
            part.label(),
            part.r#type
        ),
    }
}

/// The flow in words, from its wires.
pub(super) fn explained(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let (lang, canvas) = (ask.lang, &ask.canvas);
    if canvas.nodes.is_empty() {
        return Ok(lang
            .say("The canvas is empty.", "O quadro está vazio.")
            .to_owned());
    }
    let io = tape.call("describe_flow_io", &[])?;
    let ids = |key: &str| {
        let ids = io
            .list(key)
            .iter()
            .filter_map(|one| one.get("id").and_then(Json::as_str));
        ids.map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
    };
    let mut text = match lang {
        Lang::En => format!(
            "\"{}\" has {} components and {} wires.",
            canvas.name,
            canvas.nodes.len(),
            canvas.wires.len()
        ),
        Lang::Pt => format!(
            "\"{}\" tem {} componentes e {} fios.",
            canvas.name,
            canvas.nodes.len(),
            canvas.wires.len()
        ),
    };
    for (key, label) in [
        ("inputs", lang.say("It begins at", "Começa em")),
        ("outputs", lang.say("It ends at", "Termina em")),
        ("tools", lang.say("Tools", "Ferramentas")),
    ] {
        let ids = ids(key);
        if !ids.is_empty() {
            let _ = write!(text, " {label}: {ids}.");
        }
    }
    for wire in &canvas.wires {
        let kind = |id: &str| {
            canvas
                .node(id)
                .map_or("?", |node| node.r#type.as_str())
                .to_owned()
        };
        let how = if wire.input == "tools" {
            lang.say("serves as a tool to", "serve de ferramenta a")
        } else {
            lang.say("hands on to", "passa para")
        };
        let _ = write!(
            text,
            "\n- {} (`{}`) {how} {} (`{}`)",
            kind(&wire.source),
            wire.source,
            kind(&wire.target),
            wire.target
        );
    }
    Ok(text)
}

/// The sentences of the passages that share most words with the question, and where they stand.
fn from_docs(ask: &Ask, passages: &[Passage]) -> Option<String> {
    let question = fold(&english(ask.said.text(), ask.lang));
    let asked: Vec<&str> = words(&question)
        .filter(|word| word.len() > 2 && !COMMON.contains(word))
        .collect();
    let mut best: Option<(usize, &str, &Passage)> = None;
    for passage in passages {
        let title = fold(&passage.title);
        for sentence in passage.text.split(['\n']).flat_map(|line| line.split(". ")) {
            let folded = fold(sentence);
            let shared = asked
                .iter()
                .filter(|word| folded.contains(stem(word)) || title.contains(stem(word)))
                .count();
            let long = words(sentence).count() >= 4;
            if long && shared > best.map_or(0, |(most, ..)| most) {
                best = Some((shared, sentence, passage));
            }
        }
    }
    let (_, sentence, passage) = best?;
    // What comes after it belongs to it.
    let at = passage.text.find(sentence)?;
    let shown: String = passage.text[at..].chars().take(500).collect();
    let shown = shown
        .rsplit_once(". ")
        .map_or(shown.as_str(), |(whole, _)| whole)
        .trim();
    let source = ask.lang.say("Source", "Fonte");
    Some(format!(
        "{shown}\n\n{source}: {} ({})",
        passage.title, passage.path
    ))
}

fn stem(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

const COMMON: &[&str] = &[
    "how", "the", "can", "you", "and", "for", "are", "add", "use", "get", "has", "not", "our", "its", "was",
    "que", "com", "uma", "what", "which", "does", "where", "when", "with", "this", "that", "have", "there",
    "como", "qual", "quais", "para", "esse", "este", "posso", "fazer", "could", "would", "about", "into",
    "from", "your",
];

/// Passages as a search gives them.
fn found(json: &Json) -> Vec<Passage> {
    let lists = ["passages", "results"];
    let list = lists.iter().find_map(|key| json.get(key)?.as_array());
    let passage = |one: &Json| {
        let text = |key: &str| one.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        Passage {
            title: text("title"),
            path: text("path"),
            text: text("text"),
        }
    };
    list.into_iter().flatten().map(passage).collect()
}
