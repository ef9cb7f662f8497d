//! `Call`: what one execution of a component is given, and how it reads its fields.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use crate::component::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::value::{Data, Message, Table, Value};

/// One execution of one node. Owned, so that work can take it along.
#[derive(Clone)]
pub struct Call {
    pub node: Arc<NodeInfo>,
    /// Literal values, in the order of the template.
    pub(crate) literals: Arc<[(Arc<str>, Arc<Json>)]>,
    /// Set for this run or this call only: tweaks, variables, a tool's arguments. They win over literals.
    pub(crate) overrides: Vec<(Arc<str>, Value)>,
    /// What wires brought. They win over everything.
    pub(crate) wired: Vec<(Arc<str>, Value)>,
    /// Fields that name a variable which does not exist, where the component wants to know.
    pub(crate) absent: Vec<(Arc<str>, String)>,
    /// Outputs that something is wired to; all of them when nothing is.
    pub(crate) wanted: Arc<[Arc<str>]>,
    pub cx: Context,
    /// The person's answer, after [`crate::Outcome::Ask`].
    pub answer: Option<Answer>,
    /// The [`crate::Question::state`] of the question that was answered.
    pub memory: Option<Json>,
    /// The results of the rounds, after [`crate::Outcome::Each`].
    pub collected: Option<Vec<Value>>,
    /// How often the innermost cycle around this node has been gone through before; 0 outside of cycles.
    pub round: u32,
}

/// Who runs.
#[derive(Clone, Debug, Default)]
pub struct NodeInfo {
    pub id: String,
    pub r#type: String,
    pub display_name: String,
    /// Its outputs that are wired straight to a chat output.
    pub chat_outputs: Vec<String>,
    /// Some of those chat outputs keeps what it shows.
    pub chat_is_kept: bool,
    /// A chat input is wired straight into this node.
    pub fed_by_chat_input: bool,
    /// Its outputs that something is wired to.
    pub wired_outputs: Vec<String>,
    /// The template entries as saved, for components that look at more than values.
    pub template: Map<String, Json>,
}

impl Call {
    /// For tests and for calling a component outside of a flow.
    pub fn new(node: NodeInfo, fields: Map<String, Json>, wired: Vec<(&str, Value)>, cx: Context) -> Self {
        Self {
            node: Arc::new(node),
            literals: fields
                .into_iter()
                .map(|(name, value)| (Arc::from(name), Arc::new(value)))
                .collect(),
            overrides: Vec::new(),
            wired: wired
                .into_iter()
                .map(|(name, value)| (Arc::from(name), value))
                .collect(),
            absent: Vec::new(),
            wanted: Arc::from([]),
            cx,
            answer: None,
            memory: None,
            collected: None,
            round: 0,
        }
    }

    /// The field's value: the wire's, the tweak's or the literal; `None` when it is unset, null or empty text.
    pub fn get(&self, name: &str) -> Option<Cow<'_, Value>> {
        let found = self.raw(name)?;
        let empty = match &*found {
            Value::Null => true,
            Value::Plain(json) => json.is_null() || json.as_str().is_some_and(str::is_empty),
            _ => false,
        };
        (!empty).then_some(found)
    }

    /// As [`Call::get`], but an empty text counts.
    pub fn raw(&self, name: &str) -> Option<Cow<'_, Value>> {
        let given = |list: &'_ [(Arc<str>, Value)]| list.iter().position(|(known, _)| &**known == name);
        if let Some(at) = given(&self.wired) {
            return Some(Cow::Borrowed(&self.wired[at].1));
        }
        if let Some(at) = given(&self.overrides) {
            return Some(Cow::Borrowed(&self.overrides[at].1));
        }
        let (_, json) = self.literals.iter().find(|(known, _)| &**known == name)?;
        Some(Cow::Owned(Value::Plain(Arc::clone(json))))
    }

    /// The variable this field names, when there is none of that name. Only for lenient fields.
    pub fn absent_variable(&self, name: &str) -> Option<&str> {
        let found = self.absent.iter().find(|(known, _)| &**known == name);
        found.map(|(_, variable)| variable.as_str())
    }

    /// Some wire brought it.
    pub fn is_wired(&self, name: &str) -> bool {
        self.wired.iter().any(|(known, _)| &**known == name)
    }

    /// A wire, a tweak or a variable gave it a value.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.is_wired(name) || self.overrides.iter().any(|(known, _)| &**known == name)
    }

    /// Whether anything waits for this output.
    pub fn wants(&self, output: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|wanted| &**wanted == output)
    }

    /// Names of all fields that have a value of any kind.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        let wired = self.wired.iter().map(|(name, _)| &**name);
        let set = self.overrides.iter().map(|(name, _)| &**name);
        let literal = self.literals.iter().map(|(name, _)| &**name);
        wired.chain(set).chain(literal)
    }

    /// The value of a field that must have one.
    pub fn required(&self, name: &str) -> Result<Cow<'_, Value>, Failure> {
        self.get(name).ok_or_else(|| {
            let label = self.label(name);
            Failure::input(name, format!("{label} is empty"))
                .advice(format!("Fill in {label}, or wire something into it."))
        })
    }

    /// As text; empty when unset.
    pub fn text(&self, name: &str) -> String {
        self.raw(name)
            .map(|value| value.to_text().into_owned())
            .unwrap_or_default()
    }

    /// As text that must not be empty.
    pub fn required_text(&self, name: &str) -> Result<String, Failure> {
        Ok(self.required(name)?.to_text().into_owned())
    }

    pub fn int(&self, name: &str) -> Result<Option<i64>, Failure> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let number = match &*value {
            Value::Plain(json) => json.as_i64().or_else(|| {
                json.as_f64()
                    .filter(|f| f.fract() == 0.0 && f.abs() < 9e15)
                    .map(|f| f as i64)
            }),
            _ => None,
        };
        match number.or_else(|| value.to_text().trim().parse().ok()) {
            Some(number) => Ok(Some(number)),
            None => Err(self.not_a(name, "a whole number", &value)),
        }
    }

    pub fn float(&self, name: &str) -> Result<Option<f64>, Failure> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let number = match &*value {
            Value::Plain(json) => json.as_f64(),
            _ => None,
        };
        match number
            .or_else(|| value.to_text().trim().parse().ok())
            .filter(|f: &f64| f.is_finite())
        {
            Some(number) => Ok(Some(number)),
            None => Err(self.not_a(name, "a number", &value)),
        }
    }

    /// `true`, `"true"`, `1` and the like; false when unset.
    pub fn bool(&self, name: &str) -> bool {
        let Some(value) = self.get(name) else { return false };
        match &*value {
            Value::Plain(json) => match &**json {
                Json::Bool(flag) => *flag,
                Json::Number(number) => number.as_f64().is_some_and(|n| n != 0.0),
                Json::String(text) => matches!(
                    text.trim().to_ascii_lowercase().as_str(),
                    "true" | "1" | "yes" | "on"
                ),
                _ => false,
            },
            other => matches!(
                other.to_text().trim().to_ascii_lowercase().as_str(),
                "true" | "1" | "yes" | "on"
            ),
        }
    }

    /// As plain JSON; null when unset.
    pub fn json(&self, name: &str) -> Json {
        self.get(name).map(|value| value.to_json()).unwrap_or_default()
    }

    /// Several texts: a list's items, or the one text there is. Empty ones are left out.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let Some(value) = self.get(name) else {
            return Vec::new();
        };
        let texts = value.items();
        texts
            .iter()
            .map(|item| item.to_text().into_owned())
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// A JSON object: `Data`, a plain object, or text that is one.
    pub fn data(&self, name: &str) -> Result<Option<Data>, Failure> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match &*value {
            Value::Data(data) => Ok(Some((**data).clone())),
            Value::Plain(json) => match &**json {
                Json::Object(map) => Ok(Some(Data::new(map.clone()))),
                Json::String(text) => match serde_json::from_str(text) {
                    Ok(Json::Object(map)) => Ok(Some(Data::new(map))),
                    _ => Err(self.not_a(name, "a JSON object", &value)),
                },
                _ => Err(self.not_a(name, "a JSON object", &value)),
            },
            Value::Message(message) => Ok(Some(Data::from_text(&message.text))),
            Value::List(items) if items.len() == 1 => match &items[0] {
                Value::Data(data) => Ok(Some((**data).clone())),
                _ => Err(self.not_a(name, "a JSON object", &value)),
            },
            _ => Err(self.not_a(name, "a JSON object", &value)),
        }
    }

    /// A table: its own rows, or a list of objects.
    pub fn table(&self, name: &str) -> Result<Option<Arc<Table>>, Failure> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match &*value {
            Value::Table(table) => Ok(Some(Arc::clone(table))),
            Value::Live(_) | Value::Tools(_) => Err(self.not_a(name, "a table", &value)),
            other => Ok(Some(Arc::new(Table::from_rows(other.rows())))),
        }
    }

    /// A message: the one that came, or a new one with the text there is.
    pub fn message(&self, name: &str) -> Option<Arc<Message>> {
        let value = self.get(name)?;
        Some(match &*value {
            Value::Message(message) => Arc::clone(message),
            other => Arc::new(Message::text(other.to_text().into_owned())),
        })
    }

    /// How people know the field.
    pub fn label(&self, name: &str) -> String {
        let entry = self.node.template.get(name);
        let label = entry
            .and_then(|entry| entry.get("display_name"))
            .and_then(Json::as_str);
        label.filter(|label| !label.is_empty()).unwrap_or(name).to_owned()
    }

    fn not_a(&self, name: &str, expected: &str, found: &Value) -> Failure {
        let label = self.label(name);
        let shown: String = found.to_text().chars().take(40).collect();
        Failure::input(
            name,
            format!("{label} is not {expected}: {shown:?} ({})", found.kind()),
        )
        .advice(format!("Give {label} {expected}."))
    }
}
