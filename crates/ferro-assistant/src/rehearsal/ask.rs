//! A framed request taken apart: what the person asks now, and what is quoted around it.

use ferro_llm::rehearsal::LABEL;
use ferro_llm::{ChatMessage, ChatRequest, Role};

use super::said::{Lang, Said, fold};

/// Something quoted: `[Name …:` to `[End of name]`.
pub(super) struct Block {
    /// The first line without brackets, folded.
    pub head: String,
    pub body: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub id: String,
    pub r#type: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wire {
    pub source: String,
    pub output: String,
    pub target: String,
    pub input: String,
}

/// What the canvas reference says is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Canvas {
    pub name: String,
    pub nodes: Vec<Node>,
    pub wires: Vec<Wire>,
    /// Ids with the names people gave them.
    pub names: Vec<(String, String)>,
}

impl Canvas {
    pub(super) fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }
}

/// A request as the rules see it.
#[derive(Clone)]
pub(super) struct Ask {
    /// What the person asks now.
    pub said: Said,
    /// What they answer in.
    pub lang: Lang,
    /// A plan of ours that they want changed.
    pub refined: Option<String>,
    pub canvas: Canvas,
    /// Providers with their models.
    pub models: Vec<(String, Vec<String>)>,
    /// Nobody can agree to anything: what would be proposed is done.
    pub headless: bool,
    /// Earlier exchanges, oldest first: what was asked, what was answered.
    pub past: Vec<(String, String)>,
    /// Places in the documentation.
    pub passages: Vec<Passage>,
    /// The whole text of the person's message, quotations included.
    pub whole: String,
    /// Provider and model to use where nobody names one.
    pub default_model: Option<(String, String)>,
    /// What was wrong with the component that was written last.
    pub rejected: Option<String>,
    /// What was wrong with the flow that was built last.
    pub findings: Option<String>,
    /// The answer before did nothing, and another one is wanted.
    pub urged: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Passage {
    pub title: String,
    pub path: String,
    pub text: String,
}

impl Ask {
    pub(super) fn read(request: &ChatRequest) -> Self {
        let text = |message: &ChatMessage| message.text().replace(LABEL, "");
        let mut users = request
            .messages
            .iter()
            .filter(|message| message.role == Role::User)
            .map(text);
        // The first has the request and all that is quoted around it; a later one says what is wrong with the work.
        let mut ask = Self::of(&users.next().unwrap_or_default());
        if let Some(last) = users.next_back() {
            ask.findings = between(&last, "<findings>", "</findings>");
            ask.urged = ask.findings.is_none();
        }
        ask
    }

    /// The same request with other words in the person's mouth.
    pub(super) fn of_clause(ask: &Self, said: Said) -> Self {
        Self { said, ..ask.clone() }
    }

    pub(super) fn of(whole: &str) -> Self {
        let rejected = whole
            .starts_with("The component you wrote did not pass")
            .then(|| between(whole, "What is wrong:", "The code (quoted").unwrap_or_default());
        // Whoever asks again puts the request last.
        let asked = whole
            .split_once("The request was:\n\n")
            .map_or(whole, |(_, request)| request);
        let (mut blocks, mut rest) = blocks(asked);
        let mut refined = None;
        if let Some(place) = blocks
            .iter()
            .position(|block| block.head.starts_with("previous plan"))
        {
            refined = Some(blocks.remove(place).body);
            if let Some((_, ask)) = rest.split_once("User refinement:") {
                rest = ask.to_owned();
            }
        }
        let body = |name: &str| {
            let found = blocks.iter().find(|block| block.head.contains(name));
            found.map(|block| block.body.as_str()).unwrap_or_default()
        };
        let (headless, rest) = without_notice(&rest);
        let rest = rest.trim().trim_start_matches("[Request to classify]");
        let said = Said::new(rest);
        let past = past(&format!("{}\n{}", body("conversation"), body("session context")));
        // A short "ok" says nothing about the language; the exchange before does.
        let lang = match (Lang::of(said.text()), past.last()) {
            (Lang::En, Some((before, _))) if protocol(said.text()) => Lang::of(before),
            (lang, _) => lang,
        };
        Self {
            lang,
            refined,
            canvas: canvas(&format!("{}\n{}", body("canvas"), body("session context"))),
            models: models(body("available language models")),
            default_model: default_model(body("available language models")),
            rejected,
            findings: None,
            urged: false,
            headless,
            past,
            passages: passages(body("documentation")),
            whole: whole.to_owned(),
            said,
        }
    }
}

fn between(text: &str, from: &str, to: &str) -> Option<String> {
    let (_, rest) = text.split_once(from)?;
    Some(rest.split_once(to)?.0.trim().to_owned())
}

/// The page said this, not a person.
fn protocol(text: &str) -> bool {
    text == crate::PLAN_APPROVAL_INPUT || text == crate::EDIT_CONTINUATION_INPUT
}

/// Takes the quoted blocks out of a text; what is left is the request.
fn blocks(text: &str) -> (Vec<Block>, String) {
    const END: &str = "[end of ";
    let mut rest = text.to_owned();
    let mut found = Vec::new();
    let mut from = 0;
    loop {
        let folded = rest.to_ascii_lowercase();
        let Some(end) = folded[from..].find(END).map(|at| from + at) else {
            break;
        };
        let Some(close) = folded[end..].find(']').map(|at| end + at + 1) else {
            break;
        };
        let name = folded[end + END.len()..close - 1].trim().to_owned();
        let opening = match name.as_str() {
            "translation" => "[the request below".to_owned(),
            name => format!("[{name}"),
        };
        let Some(start) = folded[..end].find(&opening) else {
            from = close;
            continue;
        };
        let inside = rest[start + 1..end].trim_end().to_owned();
        // The words that introduce a quotation end with its first line, or with the colon after its parenthesis.
        let (head, body) = match (inside.find("):"), inside.find('\n')) {
            (Some(colon), line) if line.is_none_or(|line| colon < line) => {
                (&inside[..=colon], &inside[colon + 2..])
            }
            (_, Some(line)) => (&inside[..line], &inside[line..]),
            _ => inside.split_once(':').unwrap_or((&inside, "")),
        };
        found.push(Block {
            head: fold(head.trim_end_matches([':', ']'])),
            body: body.trim_start_matches(['\n', ']', ' ']).to_owned(),
        });
        rest.replace_range(start..close, "");
        from = start;
    }
    (found, rest.trim().to_owned())
}

/// The notice that nobody looks on is one line in brackets.
fn without_notice(text: &str) -> (bool, String) {
    let Some(start) = text.find("[Headless run") else {
        return (false, text.to_owned());
    };
    let end = text[start..].find(']').map_or(text.len(), |at| start + at + 1);
    (true, format!("{}{}", &text[..start], &text[end..]))
}

fn canvas(text: &str) -> Canvas {
    let mut canvas = Canvas::default();
    let mut section = "";
    for line in text.lines() {
        let line = line.trim();
        match line {
            "components:" => section = "components",
            "connections:" => section = "connections",
            "display names:" => section = "names",
            line if line.starts_with("Recent turns") => break,
            _ => {}
        }
        if let Some(name) = line.strip_prefix("name:").filter(|_| section.is_empty()) {
            name.trim().clone_into(&mut canvas.name);
        } else if section == "components"
            && let Some((id, kind)) = line.split_once(": ")
        {
            canvas.nodes.push(Node {
                id: id.trim().to_owned(),
                r#type: kind.trim().to_owned(),
            });
        } else if section == "names"
            && let Some((id, name)) = line.split_once(": ")
        {
            canvas.names.push((id.trim().to_owned(), name.trim().to_owned()));
        } else if section == "connections"
            && let Some((from, to)) = line.split_once(" -> ")
            && let (Some((source, output)), Some((target, input))) =
                (from.rsplit_once('.'), to.rsplit_once('.'))
        {
            canvas.wires.push(Wire {
                source: source.trim().to_owned(),
                output: output.trim().to_owned(),
                target: target.trim().to_owned(),
                input: input.trim().to_owned(),
            });
        }
    }
    canvas
}

/// Lines such as `- OpenAI: gpt-4o, gpt-4o-mini and 3 more (not an AI: …)`.
fn models(text: &str) -> Vec<(String, Vec<String>)> {
    let line = |line: &str| {
        let (provider, models) = line.trim().strip_prefix("- ")?.split_once(": ")?;
        let models = models.split(" (").next().unwrap_or(models);
        let models = models.split(" and ").next().unwrap_or(models);
        let models = models.split(',').map(|model| model.trim().to_owned());
        Some((
            provider.trim().to_owned(),
            models.filter(|model| !model.is_empty()).collect(),
        ))
    };
    text.lines().filter_map(line).collect()
}

fn default_model(text: &str) -> Option<(String, String)> {
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("Use by default: "))?;
    let (provider, model) = line.split_once(" / ")?;
    Some((provider.trim().to_owned(), model.trim().to_owned()))
}

/// Lines that begin with who spoke.
fn past(text: &str) -> Vec<(String, String)> {
    let mut turns: Vec<(String, String)> = Vec::new();
    let mut theirs = true;
    for line in text.lines() {
        let bare = line.trim_start_matches(['-', '*', ' ', '#']);
        if let Some(said) = bare.strip_prefix("User:") {
            turns.push((said.trim().to_owned(), String::new()));
            theirs = true;
            continue;
        }
        let Some((user, assistant)) = turns.last_mut() else {
            continue;
        };
        let (to, said) = match bare.strip_prefix("Assistant:") {
            Some(said) => {
                theirs = false;
                (assistant, said.trim())
            }
            None if theirs => (user, line),
            None => (assistant, line),
        };
        if !to.is_empty() {
            to.push('\n');
        }
        to.push_str(said);
    }
    turns
}

/// Each passage begins with a line such as `[1] Title (guides/page.md#heading)`.
fn passages(text: &str) -> Vec<Passage> {
    let heading = |line: &str| {
        let (number, rest) = line.strip_prefix('[')?.split_once("] ")?;
        number.parse::<u32>().ok()?;
        let (title, path) = rest.rsplit_once(" (")?;
        Some((title.trim().to_owned(), path.trim_end_matches(')').to_owned()))
    };
    let mut found: Vec<Passage> = Vec::new();
    for line in text.lines() {
        if let Some((title, path)) = heading(line) {
            found.push(Passage {
                title,
                path,
                text: String::new(),
            });
        } else if let Some(passage) = found.last_mut() {
            passage.text.push_str(line);
            passage.text.push('\n');
        }
    }
    found
}
