//! From a request to the flow it means: which components, how they are joined, how they are set.

use std::fmt::Write as _;

use super::ask::Ask;
use super::names;
use super::ports::Kind;
use super::said::{Lang, Said, value};

/// A flow in outline. Components are named by the words a search finds them by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Design {
    pub name: String,
    /// One after the other, from where text comes in to where it goes out.
    pub chain: Vec<String>,
    /// What the last agent in the chain uses.
    pub tools: Vec<String>,
    /// What tells the last model in the chain how to behave: a component whose text it reads.
    pub reads: Option<String>,
    /// How the last agent or model behaves.
    pub instructions: Option<String>,
    /// What the chat begins with.
    pub input: Option<String>,
    /// Provider and model.
    pub model: Option<(String, String)>,
    /// Searched for, and said to be missing when nothing is found.
    pub wished: Vec<String>,
    /// Only put together from what was named: a template may know better.
    pub guessed: bool,
}

impl Design {
    fn chain(name: &str, chain: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            chain: chain.iter().map(|part| (*part).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// The place in the chain of who thinks.
    pub(super) fn thinker(&self) -> Option<usize> {
        self.chain
            .iter()
            .rposition(|part| names::means("agent", part) || names::means("language model", part))
    }

    /// Which parts there are, in the order they get ids, and how they are joined.
    pub(super) fn parts(&self) -> (Vec<&str>, Vec<(usize, usize, Kind)>) {
        let mut parts: Vec<&str> = self.chain.iter().map(String::as_str).collect();
        let mut wires: Vec<(usize, usize, Kind)> =
            (1..parts.len()).map(|to| (to - 1, to, Kind::Main)).collect();
        let Some(thinker) = self.thinker() else {
            return (parts, wires);
        };
        for tool in &self.tools {
            wires.push((parts.len(), thinker, Kind::Tool));
            parts.push(tool);
        }
        if let Some(reads) = &self.reads {
            wires.push((parts.len(), thinker, Kind::System));
            parts.push(reads);
        }
        (parts, wires)
    }

    /// In words a person can agree to, and [`Design::from_plan`] can read again. `label` gives name and type.
    pub(super) fn plan(&self, lang: Lang, label: &dyn Fn(&str) -> (String, String)) -> String {
        let shown = |part: &str| {
            let (name, kind) = label(part);
            format!("{name} (`{kind}`)")
        };
        let mut text = format!("**{}: {}**\n", lang.say("Plan", "Plano"), self.name);
        for (place, part) in self.chain.iter().enumerate() {
            let _ = write!(text, "\n{}. {}", place + 1, shown(part));
            if Some(place) != self.thinker() {
                continue;
            }
            if let Some(instructions) = &self.instructions {
                let _ = write!(text, "\n   - instructions: {instructions}");
            }
            if let Some((provider, model)) = &self.model {
                let _ = write!(text, "\n   - model: {provider} / {model}");
            }
            for tool in &self.tools {
                let _ = write!(text, "\n   - tool: {}", shown(tool));
            }
            if let Some(reads) = &self.reads {
                let _ = write!(text, "\n   - reads: {}", shown(reads));
            }
        }
        let names: Vec<String> = self.chain.iter().map(|part| label(part).0).collect();
        let _ = write!(text, "\n\n{}", names.join(" → "));
        text
    }

    /// A plan of ours, read again.
    pub(super) fn from_plan(text: &str) -> Option<Self> {
        let (_, rest) = text
            .split_once("**Plan: ")
            .or_else(|| text.split_once("**Plano: "))?;
        let mut design = Self {
            name: rest.split("**").next()?.trim().to_owned(),
            ..Self::default()
        };
        for line in rest.lines() {
            let line = line.trim();
            let part = || Some(line.rsplit_once("(`")?.1.trim_end_matches("`)").to_owned());
            if line.starts_with("- tool:") {
                design.tools.extend(part());
            } else if line.starts_with("- reads:") {
                design.reads = part();
            } else if let Some(said) = line.strip_prefix("- instructions:") {
                design.instructions = Some(said.trim().to_owned());
            } else if let Some((provider, model)) = line
                .strip_prefix("- model:")
                .and_then(|said| said.split_once(" / "))
            {
                design.model = Some((provider.trim().to_owned(), model.trim().to_owned()));
            } else if line.starts_with(|c: char| c.is_ascii_digit()) {
                design.chain.extend(part());
            }
        }
        (!design.chain.is_empty()).then_some(design)
    }

    /// The flow a request means; `None` when no rule knows it.
    pub(super) fn of(ask: &Ask) -> Option<Self> {
        let mut design = Self::meant(&ask.said, ask.lang)?;
        if let Some(extra) = behaviour(&ask.said, ask.lang) {
            design.instruct(&extra);
        }
        design.model = named_model(&ask.models, &ask.said);
        Some(design)
    }

    fn meant(said: &Said, lang: Lang) -> Option<Self> {
        let named = names::named(said);
        let has = |part: &str| named.contains(&part);
        let chatbot = said.has(r"chat ?bots?|chatbots|\bassistants?\b|\bassistentes?\b|\bbots?\b");
        let summary = said.has(r"summar|\bresum");
        let document = said.has(
            r"\brag\b|\b(?:my|your|the|a|our) (?:documents?|pdfs?|files?|docs)\b|\b(?:meus?|um|uns|o|os|nosso) (?:documentos?|pdfs?|arquivos?)\b|\bknowledge base\b|\bbase de conhecimento\b",
        );
        let tools: Vec<String> = named
            .iter()
            .filter(|part| names::is_tool(part))
            .map(|part| (*part).to_owned())
            .collect();
        let url = has("url") || said.url().is_some();
        let asks = said.has(r"\brag\b|\bask\w*\b|\bquestions?\b|\bpergunt\w+\b");
        let mut design = if document && summary && !asks {
            let mut design = Self::chain(
                lang.say("File summary", "Resumo de arquivo"),
                &["read file", "language model", "chat output"],
            );
            let how = lang.say(
                "Summarise the text in a few sentences.",
                "Resuma o texto em poucas frases.",
            );
            design.instructions = Some(how.to_owned());
            design
        } else if document {
            let mut design = Self::chain(
                lang.say("Ask a document", "Perguntas a um documento"),
                &["chat input", "language model", "chat output"],
            );
            design.reads = Some("read file".to_owned());
            design.wished = vec!["vector store".to_owned()];
            design
        } else if summary && url {
            let mut design = Self::chain(
                lang.say("Page summary", "Resumo de página"),
                &["chat input", "url", "language model", "chat output"],
            );
            design.instructions = Some(
                lang.say(
                    "Summarise the text in a few sentences.",
                    "Resuma o texto em poucas frases.",
                )
                .to_owned(),
            );
            design.input = said.url().map(str::to_owned);
            design
        } else if has("message history") && (chatbot || has("language model") || has("agent")) {
            let mut design = Self::chain(
                lang.say("Chatbot with memory", "Chatbot com memória"),
                &["chat input", "language model", "chat output"],
            );
            design.reads = Some("message history".to_owned());
            design
        } else if has("agent") {
            let mut design = Self::chain(
                lang.say("Agent", "Agente"),
                &["chat input", "agent", "chat output"],
            );
            if !tools.is_empty() {
                lang.say("Agent with tools", "Agente com ferramentas")
                    .clone_into(&mut design.name);
            }
            design.guessed = tools.is_empty();
            design.tools = tools;
            design
        } else if chatbot {
            let mut design = Self::chain(
                lang.say("Simple chatbot", "Chatbot simples"),
                &[
                    "chat input",
                    if has("language model") {
                        "language model"
                    } else {
                        "agent"
                    },
                    "chat output",
                ],
            );
            if !has("language model") {
                design.tools = tools;
            }
            design
        } else if summary {
            let mut design = Self::chain(
                lang.say("Summary", "Resumo"),
                &["chat input", "language model", "chat output"],
            );
            design.instructions = Some(
                lang.say(
                    "Summarise what you are given in a few sentences.",
                    "Resuma em poucas frases o que receber.",
                )
                .to_owned(),
            );
            design
        } else if named.len() >= 2 || (named.len() == 1 && !has("read file")) {
            let mut design = Self::of_named(&named, lang);
            design.guessed = named.len() == 1;
            design
        } else {
            return None;
        };
        if let Some(name) = called(said) {
            design.name = name;
        }
        Some(design)
    }

    /// Those that were named, in their order, from a chat to a chat.
    fn of_named(named: &[&str], lang: Lang) -> Self {
        let inputs = ["chat input", "text input", "webhook"];
        let outputs = ["chat output", "text output"];
        let has = |list: &[&str]| named.iter().any(|part| list.contains(part));
        // What tells a model how to behave stands beside the way the text takes.
        let thinks = has(&["agent", "language model"]);
        let reads = named
            .iter()
            .find(|part| thinks && ["prompt template", "message history", "read file"].contains(part));
        let inner = |part: &&&str| !inputs.contains(part) && !outputs.contains(part) && Some(*part) != reads;
        let mut chain: Vec<&str> = Vec::new();
        if !has(&inputs) {
            chain.push("chat input");
        }
        chain.extend(named.iter().filter(|part| inputs.contains(part)));
        chain.extend(named.iter().filter(inner));
        chain.extend(named.iter().filter(|part| outputs.contains(part)));
        if !has(&outputs) {
            chain.push("chat output");
        }
        let mut design = Self::chain(lang.say("New flow", "Novo fluxo"), &chain);
        design.reads = reads.map(|part| (*part).to_owned());
        design
    }

    pub(super) fn instruct(&mut self, more: &str) {
        let mut all = self.instructions.take().unwrap_or_default();
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(&more.replace('\n', " "));
        self.instructions = Some(all);
    }
}

/// A flow for a request that is about something large: an agent that is told what it is for.
pub(super) fn large(ask: &Ask) -> Design {
    let said = &ask.said;
    let subject = subject(said);
    let mut design = Design::chain(&capital(&subject), &["chat input", "agent", "chat output"]);
    let named = names::named(said);
    design.tools = named
        .iter()
        .filter(|part| names::is_tool(part))
        .map(|part| (*part).to_owned())
        .collect();
    design.instruct(&match ask.lang {
        Lang::En => format!("You are the assistant of this flow: {subject}. Answer every message accordingly, and say what you do not know."),
        Lang::Pt => format!("Você é o assistente deste fluxo: {subject}. Responda a cada mensagem de acordo e diga o que não sabe."),
    });
    design.model = named_model(&ask.models, &ask.said);
    design
}

/// Whether a request is so large that a plan should be agreed to first.
pub(super) fn is_large(said: &Said) -> bool {
    said.has(
        r"\bsystems?\b|\bsistemas?\b|\bplatforms?\b|\bplataformas?\b|\bscrapers?\b|\bscrap\w+\b|\braspador\w*\b|\bpipelines?\b|\bend[ -]to[ -]end\b|\bcomplete solution\b|\bworkflow for\b|\bsuporte ao cliente\b|\bcustomer support\b|\batendimento\b",
    )
}

/// Whether a request says what the flow is for, so that an agent can be told.
pub(super) fn has_purpose(said: &Said) -> bool {
    said.has(r"\b(?:that|which|to|for|que|para)\s+\w+|\w+(?:ator|ater|tor|dor)\b|\w+ers?\b")
}

/// What is to be built, without the words that ask for it.
fn subject(said: &Said) -> String {
    let found = said.find(
        r"(?:build|create|make|design|set up|construa|construir|crie|criar|cria|monte|montar|faca)\s+(?:me\s+|for me\s+|para mim\s+)?(?:an?\s+|the\s+|um\s+|uma\s+|o\s+|a\s+)?(.+?)(?:\s+(?:and|e)\s+(?:then\s+|depois\s+)?(?:run|rode|execute|roda)\b.*)?[.!]?$",
    );
    let subject = found
        .as_ref()
        .and_then(|found| found.get(1))
        .unwrap_or(said.text());
    subject.chars().take(120).collect()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    let short: String = chars.take(59).collect();
    format!("{first}{short}")
}

/// The name somebody gives a new thing.
pub(super) fn called(said: &Said) -> Option<String> {
    let found =
        said.find(r#"\b(?:called|named|chamad[oa]|com o nome(?: de)?)\s+(?:"([^"]+)"|'([^']+)'|([\w-]+))"#)?;
    let name = found.get(1).or(found.get(2)).or(found.get(3))?;
    Some(value(name).to_owned())
}

/// How something should answer, as an instruction to it.
pub(super) fn behaviour(said: &Said, lang: Lang) -> Option<String> {
    if let Some(found) = said.find(
        r"\b(?:system prompt|instructions?|instrucoes|prompt do sistema)\s*(?:to|as|is|:|para|como)\s+(.+)$",
    ) {
        return found.get(1).map(|text| value(text).to_owned());
    }
    if let Some(found) = said.find(r"\b(?:tell|diga)\b.*?\b(?:to|para)\s+(.+?)[.!]?$") {
        return found.get(1).map(|text| format!("{}.", capital(text)));
    }
    if let Some(found) =
        said.find(r"\b(?:agent|agente|model|modelo|chatbot|bot|it|ele)\s+(?:should|must|deve)\s+(.+?)[.!]?$")
    {
        return found.get(1).map(|text| match lang {
            Lang::En => format!("You should {text}."),
            Lang::Pt => format!("Você deve {text}."),
        });
    }
    if said.has(r"\bpirates?\b|\bpiratas?\b") {
        let text = lang.say(
            "Answer in the way a pirate speaks.",
            "Responda como um pirata fala.",
        );
        return Some(text.to_owned());
    }
    let found = said.find(
        r"\b(?:answers?|repl(?:y|ies)|responds?|speaks?|talks?|responda|responde|fale|fala)\s+((?:only |always |so |sempre )?(?:in|like|as|with|em|como|com)\s+.+?)(?:\s+(?:and|e)\s+(?:then\s+|depois\s+)?(?:run|rode|execute)\b.*)?[.!]?$",
    )?;
    let how = value(found.get(1)?);
    Some(match lang {
        Lang::En => format!("Answer {how}."),
        Lang::Pt => format!("Responda {how}."),
    })
}

/// A model of those that are there, named in the request.
pub(super) fn named_model(models: &[(String, Vec<String>)], said: &Said) -> Option<(String, String)> {
    let text = said.folded();
    let mut found: Option<(&str, &str)> = None;
    for (provider, models) in models {
        for model in models {
            let longer = found.is_none_or(|(_, known)| model.len() > known.len());
            // A model that is called like its provider, or like a common word, is not meant by it.
            if longer && model.len() > 3 && text.contains(&super::said::fold(model)) {
                found = Some((provider, model));
            }
        }
    }
    found.map(|(provider, model)| (provider.to_owned(), model.to_owned()))
}
