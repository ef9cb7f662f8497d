//! Reading one node or edge, with a default for whatever is not as it should be.

use std::borrow::Cow;
use std::str::FromStr;

use serde_json::Value;

use super::{Edge, Field, Issue, Json, Members, Node, NodeKind, Output, Port, Position, is_note};
use crate::handle::{HandleError, Proxy, SourceHandle, TargetHandle};
use crate::scan::{Kind, items, kind_of, members, string_content};
use crate::tree::{Object, Tree};

/// The `type` of a workflow node. Their `note` is a note like any other.
const WORKFLOW_TYPES: [&str; 11] = [
    "start",
    "agent",
    "end",
    "fileSearch",
    "guardrails",
    "mcp",
    "ifElse",
    "while",
    "userApproval",
    "transform",
    "setState",
];

/// Collects issues on the way through a document.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) issues: Vec<Issue>,
}

impl Reader {
    pub(super) fn node<'a>(&mut self, path: &str, tree: &Tree<'a>) -> Node<'a> {
        let (missing, no_component) = (Object::default(), Object::default());
        let node = self.object(path, Some(tree)).unwrap_or(&missing);
        let data_path = format!("{path}.data");
        let data = self.object(&data_path, node.tree("data")).unwrap_or(&missing);
        let component_path = format!("{data_path}.node");
        let node_type = self.text(path, node, "type");
        let data_type = self.text(&data_path, data, "type");
        let component_tree = data.tree("node");
        let component = match component_tree {
            Some(_) => self
                .object(&component_path, component_tree)
                .unwrap_or(&no_component),
            None => &no_component,
        };
        let inner = component.get("flow").filter(|flow| kind_of(flow) == Kind::Object);
        let kind = kind(&node_type, &data_type, component_tree.is_some(), inner.is_some());
        let id = self.text(path, node, "id");
        let r#type = if kind == NodeKind::Workflow || data_type.is_empty() {
            node_type
        } else {
            data_type
        };
        let name = [
            (component, "display_name"),
            (data, "display_name"),
            (data, "name"),
            (data, "label"),
        ]
        .into_iter()
        .filter_map(|(members, key)| members.get(key).and_then(string_content))
        .find(|name| !name.trim().is_empty())
        .unwrap_or_else(|| match kind {
            NodeKind::Note => Cow::Borrowed("Note"),
            _ if r#type.is_empty() => id.clone(),
            _ => r#type.clone(),
        });
        let fields = match kind {
            NodeKind::Note => Vec::new(),
            _ => self.fields(&format!("{component_path}.template"), component.tree("template")),
        };
        let outputs = self.outputs(&format!("{component_path}.outputs"), component.tree("outputs"));
        let position = self.position(&format!("{path}.position"), node.tree("position"));
        Node {
            id,
            kind,
            r#type,
            name,
            position,
            fields,
            outputs,
            tool_mode: component.is_true("tool_mode"),
            edited: component.is_true("edited"),
            frozen: component.is_true("frozen"),
            selected_output: data.get("selected_output").and_then(string_content),
            flow: inner.map(Json),
            json: Json(tree.text),
        }
    }

    fn fields<'a>(&mut self, path: &str, template: Option<&Tree<'a>>) -> Vec<Field<'a>> {
        let Some(template) = template.and_then(|template| self.object(path, Some(template))) else {
            return Vec::new();
        };
        let mut fields = Vec::with_capacity(template.0.len());
        for (name, tree) in &template.0 {
            match tree.object() {
                Some(field) => {
                    fields.push(self.field(&format!("{path}.{name}"), name.clone(), (tree.text, field)));
                }
                // `_type` and what the server keeps for itself are plain values.
                None if name.starts_with('_') || name == "is_refresh" => {}
                None => self.issue(format!("{path}.{name}"), "an object", tree.text),
            }
        }
        fields
    }

    fn field<'a>(
        &mut self,
        path: &str,
        name: Cow<'a, str>,
        (text, field): (&'a str, &Object<'a>),
    ) -> Field<'a> {
        let display_name = self.text(path, field, "display_name");
        Field {
            display_name: if display_name.is_empty() {
                name.clone()
            } else {
                display_name
            },
            name,
            r#type: self.text(path, field, "type"),
            password: self.flag(path, field, "password", false),
            load_from_db: self.flag(path, field, "load_from_db", false),
            required: self.flag(path, field, "required", false),
            show: self.flag(path, field, "show", true),
            advanced: self.flag(path, field, "advanced", false),
            list: field.is_true("list"),
            tool_mode: field.is_true("tool_mode"),
            input_types: field.get("input_types").and_then(items).map(texts),
            proxy: field.get("proxy").and_then(|text| proxy(text, "field")),
            value: field.get("value").map(Json),
            json: Json(text),
        }
    }

    fn outputs<'a>(&mut self, path: &str, outputs: Option<&Tree<'a>>) -> Vec<Output<'a>> {
        let Some(tree) = outputs.filter(|tree| tree.text != "null") else {
            return Vec::new();
        };
        let Some(list) = tree.items() else {
            self.issue(path.to_owned(), "an array", tree.text);
            return Vec::new();
        };
        let missing = Object::default();
        let mut found = Vec::with_capacity(list.len());
        for (index, tree) in list.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let output = self.object(&path, Some(tree)).unwrap_or(&missing);
            let name = self.text(&path, output, "name");
            let display_name = self.text(&path, output, "display_name");
            let list = |key| output.get(key).and_then(items).map(texts).unwrap_or_default();
            found.push(Output {
                display_name: if display_name.is_empty() {
                    name.clone()
                } else {
                    display_name
                },
                name,
                method: output.get("method").and_then(string_content).unwrap_or_default(),
                types: list("types"),
                selected: output.get("selected").and_then(string_content),
                allows_loop: output.is_true("allows_loop"),
                loop_types: list("loop_types"),
                group: output.is_true("group_outputs"),
                hidden: output.is_true("hidden"),
                proxy: output.get("proxy").and_then(|text| proxy(text, "name")),
                json: Json(tree.text),
            });
        }
        found
    }

    fn position(&mut self, path: &str, tree: Option<&Tree<'_>>) -> Option<Position> {
        let place = self.object(path, tree)?;
        let coordinate = |key| {
            place
                .get(key)?
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite())
        };
        let position = coordinate("x").and_then(|x| {
            Some(Position {
                x,
                y: coordinate("y")?,
            })
        });
        if position.is_none() && !place.0.is_empty() {
            self.push(path.to_owned(), "should have the numbers `x` and `y`".to_owned());
        }
        position
    }

    pub(super) fn edge<'a>(&mut self, path: &str, tree: &Tree<'a>) -> Edge<'a> {
        let missing = Object::default();
        let edge = self.object(path, Some(tree)).unwrap_or(&missing);
        let data = edge.tree("data").and_then(Tree::object).unwrap_or(&missing);
        Edge {
            id: edge.get("id").and_then(string_content),
            source: self.text(path, edge, "source"),
            target: self.text(path, edge, "target"),
            from: self.port(path, (edge, data), "sourceHandle", SourceHandle::from_value),
            to: self.port(path, (edge, data), "targetHandle", TargetHandle::from_value),
            json: Json(tree.text),
        }
    }

    /// The executor's copy in `data` first, then the canvas's text.
    fn port<'a, H: FromStr>(
        &mut self,
        path: &str,
        (edge, data): (&Object<'a>, &Object<'a>),
        key: &str,
        from_value: impl Fn(&Value) -> Result<H, HandleError>,
    ) -> Port<'a, H> {
        if let Some(Ok(handle)) = data.get(key).map(|text| from_value(&Json(text).to_value())) {
            return Port::Handle(handle);
        }
        match edge.get(key).and_then(string_content) {
            None => Port::Only,
            Some(text) if text.is_empty() => Port::Only,
            Some(text) if !text.trim_start().starts_with('{') => Port::Named(text),
            Some(text) => match text.parse() {
                Ok(handle) => Port::Handle(handle),
                Err(_) => {
                    self.push(
                        format!("{path}.{key}"),
                        "is not a handle; draw the wire again".to_owned(),
                    );
                    Port::Named(text)
                }
            },
        }
    }

    fn object<'t, 'a>(&mut self, path: &str, tree: Option<&'t Tree<'a>>) -> Option<&'t Object<'a>> {
        match tree {
            Some(tree) => {
                let object = tree.object();
                if object.is_none() {
                    self.issue(path.to_owned(), "an object", tree.text);
                }
                object
            }
            None => {
                self.push(path.to_owned(), "is missing".to_owned());
                None
            }
        }
    }

    /// A string; empty when it is missing or null.
    fn text<'a>(&mut self, path: &str, members: &Object<'a>, key: &str) -> Cow<'a, str> {
        match members.get(key) {
            None | Some("null") => Cow::Borrowed(""),
            Some(text) => string_content(text).unwrap_or_else(|| {
                self.issue(format!("{path}.{key}"), "a string", text);
                Cow::Borrowed("")
            }),
        }
    }

    fn flag(&mut self, path: &str, members: &Object<'_>, key: &str, default: bool) -> bool {
        match members.get(key) {
            None | Some("null") => default,
            Some("true") => true,
            Some("false") => false,
            Some(text) => {
                self.issue(format!("{path}.{key}"), "a boolean", text);
                default
            }
        }
    }

    fn issue(&mut self, path: String, expected: &str, found: &str) {
        self.push(
            path,
            format!("should be {expected}, not {}", kind_of(found).name()),
        );
    }

    fn push(&mut self, path: String, message: String) {
        self.issues.push(Issue { path, message });
    }
}

fn kind(node_type: &str, data_type: &str, has_component: bool, group: bool) -> NodeKind {
    if is_note(node_type, data_type) {
        NodeKind::Note
    } else if WORKFLOW_TYPES.contains(&node_type) {
        NodeKind::Workflow
    } else if group {
        NodeKind::Group
    } else if node_type == "genericNode" || (node_type.is_empty() && has_component) {
        NodeKind::Component
    } else {
        NodeKind::Unknown
    }
}

fn texts(list: Vec<&str>) -> Vec<Cow<'_, str>> {
    list.into_iter().filter_map(string_content).collect()
}

/// `{"id": …, <key>: …}`, both texts.
fn proxy(text: &str, key: &str) -> Option<Proxy> {
    let proxy = Members(members(text)?);
    let text = |key| Some(string_content(proxy.get(key)?)?.into_owned());
    Some(Proxy {
        id: text("id")?,
        field: text(key)?,
    })
}
