//! What people call components, and which node on the canvas they mean by it.

use super::ask::{Canvas, Node};
use super::said::{Said, fold, spaced, words};

/// What people say, and the words a search finds it by. Longer names come before those they hold.
const CALLED: &[(&str, &str)] = &[
    (
        r"\bchat[ -]?inputs?\b|\bentradas? (?:de |do )?chat\b",
        "chat input",
    ),
    (
        r"\bchat[ -]?outputs?\b|\bsaidas? (?:de |do )?chat\b",
        "chat output",
    ),
    (r"\btext[ -]?inputs?\b|\bentradas? de texto\b", "text input"),
    (r"\btext[ -]?outputs?\b|\bsaidas? de texto\b", "text output"),
    (
        r"\bstructured[ -]?outputs?\b|\bsaida estruturada\b",
        "structured output",
    ),
    (
        r"\blanguage[ -]?models?\b|\bllms?\b|\bmodelos? de linguagem\b",
        "language model",
    ),
    (
        r"\bembedding[ -]?models?\b|\bmodelos? de embeddings?\b",
        "embedding model",
    ),
    (
        r"\bprompt[ -]?templates?\b|\bprompts?\b|\bmodelos? de prompt\b",
        "prompt template",
    ),
    (
        r"\bmemory\b|\bmemories\b|\bmemorias?\b|\b(?:message|chat) history\b|\bhistorico\b",
        "message history",
    ),
    (
        r"\bcalculators?\b|\bcalculadoras?\b|\b(?:do|does) (?:maths?|sums)\b|\bmatematica\b|\bcalculos\b",
        "calculator",
    ),
    (
        r"\bnews search\b|\b(?:busca|pesquisa) de noticias\b|\bnoticias\b|\bnews\b",
        "news search",
    ),
    (
        r"\bweb[ -]?search(?:es)?\b|\bsearch(?:es|ing)? the (?:web|internet)\b|\binternet search\b|\b(?:busc|pesquis)\w+(?: n?a)? (?:web|internet)\b",
        "web search",
    ),
    (
        r"\burls?\b|\bweb ?pages?\b|\bweb ?sites?\b|\bpaginas?(?: (?:da )?web)?\b|\bsites?\b|\bscrap\w+\b|\bcrawl\w*\b",
        "url",
    ),
    (r"\bwrite files?\b|\bgravar arquivos?\b", "write file"),
    (
        r"\bread files?\b|\bfiles?\b|\bdocuments?\b|\bpdfs?\b|\barquivos?\b|\bdocumentos?\b",
        "read file",
    ),
    (
        r"\bsplit text\b|\btext splitters?\b|\bdivisor(?:es)? de texto\b",
        "split text",
    ),
    (r"\bparsers?\b|\banalisador(?:es)?\b", "parser"),
    (
        r"\bapi[ -]?requests?\b|\bhttp requests?\b|\brequisic\w+ (?:http|de api)\b",
        "api request",
    ),
    (r"\bpython interpreter\b|\bpython\b", "python interpreter"),
    (r"\bcurrent date\b|\bdata atual\b", "current date"),
    (
        r"\bif[ -]?else\b|\bconditional router\b|\bcondicional\b",
        "if-else",
    ),
    (r"\bloops?\b|\blacos?\b", "loop"),
    (r"\btype convert(?:er)?\b|\bconversor de tipos?\b", "type convert"),
    (r"\bsmart router\b|\broteador\b", "smart router"),
    (r"\bwebhooks?\b", "webhook"),
    (r"\brss\b", "rss reader"),
    (r"\bsql\b", "sql database"),
    (r"\bcombine text\b|\bcombinar textos?\b", "combine text"),
    (r"\bregex extractor\b|\bregex\b", "regex extractor"),
    (r"\bhuman input\b|\baprovacao humana\b", "human input"),
    (r"\bagents?\b|\bagentes?\b", "agent"),
];

/// The components a text names, in the order they are named, each once.
pub(super) fn named(said: &Said) -> Vec<&'static str> {
    let mut places: Vec<(usize, usize, &'static str)> = Vec::new();
    for (pattern, query) in CALLED {
        for (from, to) in said.places(pattern) {
            if places.iter().all(|(start, end, _)| to <= *start || from >= *end) {
                places.push((from, to, query));
            }
        }
    }
    places.sort_unstable();
    let mut found = Vec::new();
    for (_, _, query) in places {
        if !found.contains(&query) {
            found.push(query);
        }
    }
    found
}

/// Whether the words of a search mean this type.
pub(super) fn means(query: &str, kind: &str) -> bool {
    let squeezed = |text: &str| spaced(text).replace(' ', "");
    squeezed(kind).contains(&squeezed(query))
}

/// What an agent uses rather than what text passes through.
pub(super) fn is_tool(query: &str) -> bool {
    [
        "calculator",
        "web search",
        "news search",
        "url",
        "api request",
        "python interpreter",
        "current date",
        "rss reader",
        "sql database",
    ]
    .contains(&query)
}

/// The node on the canvas that the words mean: a mention, an id, a type, or what people call it.
pub(super) fn on_canvas<'c>(canvas: &'c Canvas, text: &str) -> Option<&'c Node> {
    let said = Said::new(text);
    let folded = said.folded();
    let whole = |id: &str| {
        let id = fold(id);
        folded.match_indices(&id).any(|(at, _)| {
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
            edge(folded[..at].chars().next_back()) && edge(folded[at + id.len()..].chars().next())
        })
    };
    // The longest first: `Agent-12` is not `Agent-1`.
    let mut ids: Vec<&Node> = canvas.nodes.iter().filter(|node| whole(&node.id)).collect();
    ids.sort_by_key(|node| std::cmp::Reverse(node.id.len()));
    if let Some(node) = ids.first() {
        return Some(node);
    }
    let plain = format!(" {} ", spaced(text));
    let called = |(id, name): &&(String, String)| {
        let name = spaced(name);
        !name.is_empty() && plain.contains(&format!(" {name} ")) && canvas.node(id).is_some()
    };
    if let Some((id, _)) = canvas.names.iter().find(called) {
        return canvas.node(id);
    }
    let by_type = |node: &&Node| {
        let kind = spaced(&node.r#type);
        let kind = kind.strip_suffix("component").unwrap_or(&kind).trim().to_owned();
        !kind.is_empty() && (plain.contains(&format!(" {kind} ")) || folded.contains(&fold(&node.r#type)))
    };
    if let Some(node) = canvas
        .nodes
        .iter()
        .filter(by_type)
        .max_by_key(|node| node.r#type.len())
    {
        return Some(node);
    }
    // What people call it: every word of the name it is searched by stands in the type.
    named(&said).iter().find_map(|query| {
        let all = |node: &&Node| {
            let kind = fold(&node.r#type);
            words(query).all(|word| kind.contains(word)) || (*query == "message history" && kind == "memory")
        };
        canvas.nodes.iter().find(all)
    })
}

/// Whether a node answers in words of its own.
pub(super) fn thinks(node: &Node) -> bool {
    let kind = fold(&node.r#type);
    kind.contains("agent") || kind.contains("languagemodel")
}

/// The first node that answers in words of its own.
pub(super) fn thinker(canvas: &Canvas) -> Option<&Node> {
    // Who talks to the output is meant, not an agent that serves another one.
    let speaks = canvas.nodes.iter().filter(|node| thinks(node)).find(|node| {
        canvas
            .wires
            .iter()
            .any(|wire| wire.source == node.id && wire.input != "tools")
    });
    speaks.or_else(|| canvas.nodes.iter().find(|node| thinks(node)))
}
