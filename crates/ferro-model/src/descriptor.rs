//! What a component is, before anyone puts it on a canvas: its name, help, fields and outputs.
//!
//! A descriptor turns into the node JSON that Langflow's files and clients expect (`to_node`), and is what the
//! connection rules, the Problems list and the text spec ask about a type.

mod field;
mod from_node;
mod registry;

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};

pub use field::FieldSpec;
pub use registry::Registry;

/// One component type. Built once at start and shared.
#[derive(Debug, Clone, PartialEq)]
pub struct Descriptor {
    /// The registry key, such as `ParserComponent`; part of every saved flow, so it never changes.
    pub r#type: String,
    /// Other keys under which saved flows know it.
    pub aliases: Vec<String>,
    pub display_name: String,
    /// One sentence.
    pub description: String,
    /// Markdown; where built-in components keep it is the doc comment of their file.
    pub help: String,
    /// A lucide icon's name.
    pub icon: String,
    pub category: String,
    pub fields: Vec<FieldSpec>,
    pub outputs: Vec<OutputSpec>,
    pub legacy: bool,
    pub beta: bool,
    /// Shown small on the canvas.
    pub minimized: bool,
    /// Chooses among its outputs: a cycle that goes through it can end.
    pub routes: bool,
    /// Where a person's or program's input enters a run.
    pub is_input: bool,
    /// What a run answers with.
    pub is_output: bool,
    /// Can serve an agent as a tool although no field says so.
    pub add_tool_output: bool,
    /// What its one tool is called, where the method's name would say nothing. A node's own name takes the place of
    /// the component's in it.
    pub tool_name: Option<&'static str>,
    /// Its nodes are what the Python in their field `code` says.
    pub by_code: bool,
    /// What a fresh node is, where fields and outputs do not say all of it: its code, above all.
    pub fresh: Option<Arc<Value>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OutputSpec {
    pub name: String,
    pub display_name: String,
    pub info: String,
    /// The method of Langflow's class; clients show and match it.
    pub method: String,
    pub types: Vec<Cow<'static, str>>,
    /// A wire may enter here, closing a loop.
    pub allows_loop: bool,
    /// Types besides its own that such a wire may carry.
    pub loop_types: Vec<Cow<'static, str>>,
    /// Has a handle of its own beside its siblings, instead of a dropdown.
    pub group: bool,
    pub tool_mode: bool,
    pub hidden: bool,
}

impl Descriptor {
    pub fn new(r#type: &str, display_name: &str) -> Self {
        Self {
            r#type: r#type.to_owned(),
            aliases: Vec::new(),
            display_name: display_name.to_owned(),
            description: String::new(),
            help: String::new(),
            icon: "box".to_owned(),
            category: String::new(),
            fields: Vec::new(),
            outputs: Vec::new(),
            legacy: false,
            beta: false,
            minimized: false,
            routes: false,
            is_input: false,
            is_output: false,
            add_tool_output: false,
            tool_name: None,
            by_code: false,
            fresh: None,
        }
    }

    #[must_use]
    pub fn aliases(mut self, aliases: &[&str]) -> Self {
        self.aliases = aliases.iter().map(|&alias| alias.to_owned()).collect();
        self
    }

    #[must_use]
    pub fn category(mut self, category: &str) -> Self {
        category.clone_into(&mut self.category);
        self
    }

    #[must_use]
    pub fn icon(mut self, icon: &str) -> Self {
        icon.clone_into(&mut self.icon);
        self
    }

    #[must_use]
    pub fn description(mut self, description: &str) -> Self {
        description.clone_into(&mut self.description);
        self
    }

    /// Takes the `//!` lines at the top of a component's own source as its help page.
    #[must_use]
    pub fn help(mut self, source: &str) -> Self {
        let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
        let page: Vec<_> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        self.help = page.join("\n");
        self
    }

    #[must_use]
    pub fn field(mut self, field: FieldSpec) -> Self {
        self.fields.push(field);
        self
    }

    #[must_use]
    pub fn output(mut self, output: OutputSpec) -> Self {
        self.outputs.push(output);
        self
    }

    #[must_use]
    pub fn legacy(mut self) -> Self {
        self.legacy = true;
        self
    }

    #[must_use]
    pub fn tool_name(mut self, name: &'static str) -> Self {
        self.tool_name = Some(name);
        self
    }

    #[must_use]
    pub fn minimized(mut self) -> Self {
        self.minimized = true;
        self
    }

    #[must_use]
    pub fn routes(mut self) -> Self {
        self.routes = true;
        self
    }

    #[must_use]
    pub fn by_code(mut self) -> Self {
        self.by_code = true;
        self
    }

    #[must_use]
    pub fn input(mut self) -> Self {
        self.is_input = true;
        self
    }

    #[must_use]
    pub fn answer(mut self) -> Self {
        self.is_output = true;
        self
    }

    pub fn find_field(&self, name: &str) -> Option<&FieldSpec> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub fn find_output(&self, name: &str) -> Option<&OutputSpec> {
        self.outputs.iter().find(|output| output.name == name)
    }

    /// Whether an agent can use it: some field is a tool argument, or it says so itself.
    pub fn tool_capable(&self) -> bool {
        self.add_tool_output || self.fields.iter().any(|field| field.tool_mode)
    }

    /// The node JSON (`data.node`) of a fresh instance.
    pub fn to_node(&self) -> Value {
        if let Some(fresh) = &self.fresh {
            return Value::clone(fresh);
        }
        let mut template = Map::new();
        template.insert("_type".into(), "Component".into());
        for field in &self.fields {
            template.insert(field.name.clone(), field.to_json());
        }
        let mut base_classes: Vec<&str> = self
            .outputs
            .iter()
            .flat_map(|output| output.types.iter().map(AsRef::as_ref))
            .collect();
        base_classes.sort_by_key(|class| class.to_lowercase());
        base_classes.dedup();
        let order: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let outputs: Vec<Value> = self.outputs.iter().map(OutputSpec::to_json).collect();
        json!({
            "template": template,
            "description": self.description,
            "display_name": self.display_name,
            "documentation": "",
            "icon": self.icon,
            "base_classes": base_classes,
            "output_types": [],
            "outputs": outputs,
            "custom_fields": {},
            "field_order": order,
            "pinned": false,
            "frozen": false,
            "beta": self.beta,
            "legacy": self.legacy,
            "edited": false,
            "minimized": self.minimized,
            "tool_mode": false,
            "conditional_paths": [],
            "metadata": { "module": format!("ferroflow.{}", self.category) },
        })
    }
}

impl OutputSpec {
    pub fn new(name: &str, display_name: &str, method: &str, types: &[&'static str]) -> Self {
        Self {
            name: name.to_owned(),
            display_name: display_name.to_owned(),
            info: String::new(),
            method: method.to_owned(),
            types: borrowed(types),
            allows_loop: false,
            loop_types: Vec::new(),
            group: false,
            tool_mode: true,
            hidden: false,
        }
    }

    /// What a node in tool mode offers instead of its own outputs.
    pub fn toolset() -> Self {
        Self::new("component_as_tool", "Toolset", "to_toolkit", &["Tool"])
    }

    #[must_use]
    pub fn group(mut self) -> Self {
        self.group = true;
        self
    }

    #[must_use]
    pub fn no_tool(mut self) -> Self {
        self.tool_mode = false;
        self
    }

    #[must_use]
    pub fn loops(mut self, types: &[&'static str]) -> Self {
        self.allows_loop = true;
        self.loop_types = borrowed(types);
        self
    }

    #[must_use]
    pub fn info(mut self, info: &str) -> Self {
        info.clone_into(&mut self.info);
        self
    }

    /// The entry in `outputs`.
    pub fn to_json(&self) -> Value {
        json!({
            "allows_loop": self.allows_loop,
            "cache": true,
            "display_name": self.display_name,
            "group_outputs": self.group,
            "hidden": self.hidden,
            "loop_types": if self.loop_types.is_empty() { Value::Null } else { json!(self.loop_types) },
            "method": self.method,
            "name": self.name,
            "options": null,
            "required_inputs": null,
            "selected": self.types.first(),
            "tool_mode": self.tool_mode,
            "types": self.types,
            "value": "__UNDEFINED__",
        })
    }
}

fn borrowed(names: &[&'static str]) -> Vec<Cow<'static, str>> {
    names.iter().map(|&name| Cow::Borrowed(name)).collect()
}
