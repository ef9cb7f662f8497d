//! The text spec: a flow as a person or a language model would jot it down.
//!
//! ```text
//! name: Greeter
//! nodes:
//!   A: ChatInput
//!   B: ChatOutput
//! edges:
//!   A.message -> B.input_value
//! config:
//!   B.sender_name: Ferro
//! ```
//!
//! The grammar and the wording of its errors are Langflow's, because assistants have learned them.
//! `build.rs` turns a spec into a document, `summary.rs` says in short what a document holds.

mod build;
mod summary;

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

pub use build::{BuildError, Built, Finish, build_flow_from_spec, build_spec};
pub use summary::{FlowInfo, flow_info, flow_to_spec_summary};

/// A parsed spec. Nothing in it has been checked against a registry.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Spec {
    pub name: String,
    pub description: String,
    pub nodes: Vec<SpecNode>,
    pub edges: Vec<SpecEdge>,
    /// Node ids in the order they came, each with its fields.
    #[serde(serialize_with = "as_map")]
    pub config: Vec<(String, Vec<(String, Value)>)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpecNode {
    pub id: String,
    pub r#type: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpecEdge {
    pub source_id: String,
    pub source_output: String,
    pub target_id: String,
    pub target_input: String,
}

fn as_map<S: serde::Serializer>(
    config: &[(String, Vec<(String, Value)>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let object = config.iter().map(|(id, fields)| {
        let fields: Map<String, Value> = fields.iter().cloned().collect();
        (id.clone(), Value::Object(fields))
    });
    object.collect::<Map<String, Value>>().serialize(serializer)
}

/// Why a text is no spec. `Display` is the wording assistants know; `line` is where, counted from one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    pub line: Option<usize>,
    message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Header,
    Nodes,
    Edges,
    Config,
}

/// Reads a spec.
pub fn parse(text: &str) -> Result<Spec, SpecError> {
    let skipped = text.len() - text.trim_start().len();
    let before = text.get(..skipped).unwrap_or_default().matches('\n').count();
    let mut parser = Parser {
        spec: Spec::default(),
        section: Section::Header,
        open: None,
        key_indent: None,
    };
    for (number, raw) in text.trim().split('\n').enumerate() {
        parser.line(raw).map_err(|message| SpecError {
            line: Some(before + number + 1),
            message,
        })?;
    }
    parser.close();
    if parser.spec.nodes.is_empty() {
        return Err(SpecError {
            line: None,
            message: "No nodes found in spec. Expected 'nodes:' section with 'ID: Type' entries.".to_owned(),
        });
    }
    Ok(parser.spec)
}

/// A config value that further lines may add to.
struct Open {
    node: String,
    field: String,
    lines: Vec<String>,
    /// Written with `|`: stays a text, and deeper lines belong to it whatever they look like.
    block: bool,
}

struct Parser {
    spec: Spec,
    section: Section,
    open: Option<Open>,
    /// How far the first config key is indented.
    key_indent: Option<usize>,
}

impl Parser {
    fn line(&mut self, raw: &str) -> Result<(), String> {
        let line = raw.trim();
        if line.is_empty() {
            if let (Section::Config, Some(open)) = (self.section, &mut self.open) {
                open.lines.push(String::new());
            }
            return Ok(());
        }
        let section = match line {
            "nodes:" => Some(Section::Nodes),
            "edges:" => Some(Section::Edges),
            "config:" => Some(Section::Config),
            _ => None,
        };
        if let Some(section) = section {
            self.close();
            self.section = section;
            return Ok(());
        }
        match self.section {
            Section::Header => self.header(line),
            Section::Nodes => self.node(line),
            Section::Edges => self.edge(line),
            Section::Config => self.config(raw, line),
        }
    }

    fn header(&mut self, line: &str) -> Result<(), String> {
        if let Some(name) = line.strip_prefix("name:") {
            name.trim().clone_into(&mut self.spec.name);
        } else if let Some(description) = line.strip_prefix("description:") {
            description.trim().clone_into(&mut self.spec.description);
        } else {
            return Err(format!(
                "Unrecognized line: '{line}'. Expected 'name:', 'description:', or a section header."
            ));
        }
        Ok(())
    }

    fn node(&mut self, line: &str) -> Result<(), String> {
        let Some((id, r#type)) = line.split_once(':') else {
            return Err(format!(
                "Invalid node definition: '{line}'. Expected format: 'ID: ComponentType'"
            ));
        };
        self.spec.nodes.push(SpecNode {
            id: id.trim().to_owned(),
            r#type: r#type.trim().to_owned(),
        });
        Ok(())
    }

    fn edge(&mut self, line: &str) -> Result<(), String> {
        let Some((left, right)) = line.split_once(" -> ") else {
            return Err(format!(
                "Invalid edge definition: '{line}'. Expected format: 'Node.output -> Node.input'"
            ));
        };
        let (Some(from), Some(to)) = (left.trim().split_once('.'), right.trim().split_once('.')) else {
            return Err(format!(
                "Invalid edge definition: '{line}'. Both sides must be 'Node.port'"
            ));
        };
        self.spec.edges.push(SpecEdge {
            source_id: from.0.to_owned(),
            source_output: from.1.to_owned(),
            target_id: to.0.to_owned(),
            target_input: to.1.to_owned(),
        });
        Ok(())
    }

    fn config(&mut self, raw: &str, line: &str) -> Result<(), String> {
        let indent = raw.chars().take_while(|letter| letter.is_whitespace()).count();
        let block = self.open.as_ref().is_some_and(|open| open.block);
        let continues = block && self.key_indent.is_some_and(|key| indent > key);
        if !continues {
            if let Some((node, field, value)) = config_key(line) {
                self.close();
                self.key_indent.get_or_insert(indent);
                self.open = Some(Open {
                    node: node.to_owned(),
                    field: field.to_owned(),
                    lines: match value {
                        "" | "|" => Vec::new(),
                        value => vec![value.to_owned()],
                    },
                    block: value == "|",
                });
                return Ok(());
            }
            if self.open.is_none() {
                return Err(format!(
                    "Invalid config entry: '{line}'. Expected format: 'Node.field: value'"
                ));
            }
        }
        if let Some(open) = &mut self.open {
            let spaces = raw.bytes().take(4).take_while(|&byte| byte == b' ').count();
            open.lines.push(raw.get(spaces..).unwrap_or_default().to_owned());
        }
        Ok(())
    }

    /// Ends the open value. One without any line is dropped.
    fn close(&mut self) {
        let Some(open) = self.open.take().filter(|open| !open.lines.is_empty()) else {
            return;
        };
        let text = open.lines.join("\n");
        let text = text.trim();
        let value = if open.block {
            Value::from(text)
        } else {
            coerce(text)
        };
        let config = &mut self.spec.config;
        let place = config
            .iter()
            .position(|(id, _)| *id == open.node)
            .unwrap_or_else(|| {
                config.push((open.node, Vec::new()));
                config.len() - 1
            });
        if let Some((_, fields)) = config.get_mut(place) {
            match fields.iter_mut().find(|(field, _)| *field == open.field) {
                Some((_, old)) => *old = value,
                None => fields.push((open.field, value)),
            }
        }
    }
}

/// `word.word:` and what follows it.
fn config_key(line: &str) -> Option<(&str, &str, &str)> {
    let is_word = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let (key, value) = line.split_once(':')?;
    let (node, field) = key.split_once('.')?;
    (is_word(node) && is_word(field)).then(|| (node, field, value.trim_start()))
}

/// What a value written on one line means.
fn coerce(text: &str) -> Value {
    match text.to_lowercase().as_str() {
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        "null" | "none" => return Value::Null,
        _ => {}
    }
    if let Some(number) = without_underscores(text).and_then(|digits| number(&digits)) {
        return number;
    }
    Value::from(text)
}

fn number(digits: &str) -> Option<Value> {
    let bare = digits.trim_start_matches(['+', '-']);
    if digits.len() - bare.len() > 1
        || !bare.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.')
    {
        // Also keeps `inf` and `nan` texts: JSON has no such numbers.
        return None;
    }
    if let Ok(whole) = digits.parse::<i64>() {
        return Some(whole.into());
    }
    if bare.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too long for a number that every reader can hold exactly.
        return None;
    }
    let float = digits.parse::<f64>().ok()?;
    serde_json::Number::from_f64(float).map(Value::Number)
}

/// Underscores may stand between digits, nowhere else.
fn without_underscores(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let misplaced = bytes.iter().enumerate().any(|(place, &byte)| {
        let digit = |place: Option<usize>| {
            place
                .and_then(|place| bytes.get(place))
                .is_some_and(u8::is_ascii_digit)
        };
        byte == b'_' && !(digit(place.checked_sub(1)) && digit(Some(place + 1)))
    });
    (!misplaced).then(|| text.replace('_', ""))
}

/// Every id that config and edges speak of must be declared.
pub fn validate_references(spec: &Spec) -> Result<(), SpecError> {
    let ids: BTreeSet<&str> = spec.nodes.iter().map(|node| node.id.as_str()).collect();
    let refuse = |what: &str, id: &str| {
        Err(SpecError {
            line: None,
            message: format!("{what} '{id}'. Available: {}", python_list(ids.iter().copied())),
        })
    };
    for (id, _) in &spec.config {
        if !ids.contains(id.as_str()) {
            return refuse("Config references unknown node", id);
        }
    }
    for edge in &spec.edges {
        if !ids.contains(edge.source_id.as_str()) {
            return refuse("Edge references unknown source", &edge.source_id);
        }
        if !ids.contains(edge.target_id.as_str()) {
            return refuse("Edge references unknown target", &edge.target_id);
        }
    }
    Ok(())
}

/// A list of texts as Python prints it; the errors are known in that form.
fn python_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names
        .into_iter()
        .map(|name| {
            let escaped = name.replace('\\', "\\\\");
            if name.contains('\'') && !name.contains('"') {
                format!("\"{escaped}\"")
            } else {
                format!("'{}'", escaped.replace('\'', "\\'"))
            }
        })
        .collect();
    format!("[{}]", quoted.join(", "))
}
