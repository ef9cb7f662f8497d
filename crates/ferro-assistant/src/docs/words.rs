//! Words as the search compares them: lower case, without endings, without those that say nothing.

/// Words of questions that say nothing about what is asked.
const EMPTY: &[&str] = &[
    "a",
    "about",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "doing",
    "done",
    "each",
    "every",
    "for",
    "from",
    "get",
    "give",
    "has",
    "have",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "let",
    "like",
    "make",
    "may",
    "me",
    "mean",
    "means",
    "my",
    "need",
    "no",
    "not",
    "of",
    "on",
    "one",
    "or",
    "our",
    "please",
    "possible",
    "several",
    "should",
    "so",
    "some",
    "something",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "this",
    "those",
    "to",
    "two",
    "up",
    "us",
    "use",
    "used",
    "using",
    "want",
    "was",
    "way",
    "we",
    "what",
    "when",
    "where",
    "which",
    "who",
    "why",
    "will",
    "with",
    "work",
    "would",
    "you",
    "your",
    "explain",
];

/// What people say, and what the pages say.
const ALIKE: &[(&str, &[&str])] = &[
    ("ai", &["model"]),
    ("anthropic", &["provider"]),
    ("approve", &["leave"]),
    ("block", &["node", "component"]),
    ("connect", &["wire", "port"]),
    ("conversation", &["session"]),
    ("credential", &["secret", "key", "variable"]),
    ("custom", &["python", "own"]),
    ("database", &["postgresql", "sqlite"]),
    ("debug", &["problem", "fail"]),
    ("delete", &["remove"]),
    ("disconnect", &["wire", "remove"]),
    ("docker", &["container"]),
    ("download", &["export"]),
    ("edge", &["wire"]),
    ("embed", &["chat", "page"]),
    ("error", &["problem", "fail"]),
    ("execute", &["run"]),
    ("expensive", &["cost"]),
    ("free", &["rehearsal"]),
    ("function", &["component", "tool"]),
    ("history", &["version"]),
    ("hotkey", &["keyboard", "shortcut"]),
    ("http", &["curl", "api"]),
    ("human", &["person", "approve"]),
    ("join", &["wire"]),
    ("langflow", &["import"]),
    ("launch", &["run"]),
    ("link", &["wire"]),
    ("llm", &["model"]),
    ("login", &["sign", "account"]),
    ("memory", &["session", "history"]),
    ("offline", &["rehearsal"]),
    ("openai", &["provider"]),
    ("pay", &["cost"]),
    ("permission", &["leave"]),
    ("pipeline", &["flow"]),
    ("postgres", &["postgresql"]),
    ("price", &["cost"]),
    ("program", &["api"]),
    ("publish", &["public", "share"]),
    ("rest", &["api"]),
    ("revert", &["undo", "version", "restore"]),
    ("rollback", &["version", "restore"]),
    ("schedule", &["background", "webhook"]),
    ("share", &["public"]),
    ("shortcut", &["keyboard"]),
    ("site", &["page", "chat"]),
    ("start", &["run", "begin"]),
    ("token", &["key"]),
    ("trigger", &["webhook"]),
    ("upload", &["import", "file"]),
    ("user", &["account"]),
    ("website", &["page", "chat"]),
    ("widget", &["chat", "page"]),
    ("workflow", &["flow"]),
];

/// The stems a person's word may have on the pages.
pub(super) fn alike(said: &str) -> Vec<String> {
    let known = ALIKE.iter().find(|(word, _)| stem(word) == said);
    known.map_or_else(Vec::new, |(_, written)| {
        written.iter().map(|word| stem(word)).collect()
    })
}

/// Two words that the pages write as one.
pub(super) fn together(text: &str) -> String {
    text.to_lowercase()
        .replace("back up", "backup")
        .replace("log in", "login")
}

/// The stems of a text, in order.
pub(super) fn stems(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .filter(|word| !EMPTY.contains(&word.as_str()))
        .map(|word| stem(&word))
}

/// Takes off the commonest endings of English, so that *connecting*, *connection* and *connects* meet.
fn stem(word: &str) -> String {
    let mut word = word.to_owned();
    if !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    if let Some(base) = word.strip_suffix("ies").filter(|base| base.len() > 1) {
        word = format!("{base}y");
    } else if word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is")
    {
        word.pop();
    }
    for ending in [
        "ational", "ation", "ment", "ness", "able", "ible", "ing", "ion", "ent", "ed", "er", "al", "ly", "e",
    ] {
        let Some(base) = word.strip_suffix(ending) else {
            continue;
        };
        let least = if ending == "e" { 3 } else { 4 };
        let enough = base.len() >= least || (matches!(ending, "ing" | "ed" | "er") && base.len() == 3);
        if !enough || !base.bytes().any(|byte| b"aeiouy".contains(&byte)) {
            continue;
        }
        let mut base = base.to_owned();
        // running, stopped
        let bytes = base.as_bytes();
        let doubled = bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2];
        if doubled && matches!(ending, "ing" | "ed" | "er") && !base.ends_with('l') && !base.ends_with('s') {
            base.pop();
        }
        if ending != "e" && base.len() > 3 && base.ends_with('e') {
            base.pop();
        }
        return base;
    }
    word
}
