//! What a field is, and one constructor per kind of field.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::borrowed;

/// A field: what a person sets, or a wire fills.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldSpec {
    pub name: String,
    pub display_name: String,
    pub info: String,
    /// Langflow's field type: `str`, `int`, `bool`, `other`, `tab`, …
    pub r#type: Cow<'static, str>,
    /// The class Langflow's files name, such as `MessageTextInput`.
    pub class: Cow<'static, str>,
    pub value: Value,
    pub required: bool,
    pub advanced: bool,
    pub show: bool,
    pub list: bool,
    pub password: bool,
    pub tool_mode: bool,
    /// A variable that does not exist leaves it empty: the component has better words for what is missing.
    pub lenient: bool,
    /// Changing it asks the server for the node anew.
    pub refresh: bool,
    pub multiline: bool,
    /// Types of wires it takes; empty for none.
    pub input_types: Vec<Cow<'static, str>>,
    pub options: Vec<String>,
    /// Everything else that is written into the template entry.
    pub extra: Map<String, Value>,
}

impl FieldSpec {
    fn new(name: &str, display_name: &str, r#type: &'static str, class: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            display_name: display_name.to_owned(),
            info: String::new(),
            r#type: Cow::Borrowed(r#type),
            class: Cow::Borrowed(class),
            value: Value::String(String::new()),
            required: false,
            advanced: false,
            show: true,
            list: false,
            password: false,
            tool_mode: false,
            lenient: false,
            refresh: false,
            multiline: false,
            input_types: Vec::new(),
            options: Vec::new(),
            extra: Map::new(),
        }
    }

    /// Text that no wire can fill.
    pub fn text(name: &str, display_name: &str) -> Self {
        Self::new(name, display_name, "str", "StrInput")
    }

    /// Text that a `Message` wire can fill.
    pub fn message_text(name: &str, display_name: &str) -> Self {
        let mut field = Self::new(name, display_name, "str", "MessageTextInput");
        field.input_types = borrowed(&["Message"]);
        field
    }

    /// A text area that a `Message` wire can fill.
    pub fn multiline(name: &str, display_name: &str) -> Self {
        let mut field = Self::new(name, display_name, "str", "MultilineInput");
        field.multiline = true;
        field.input_types = borrowed(&["Message"]);
        field
    }

    /// A whole `Message`, not only its text.
    pub fn message(name: &str, display_name: &str) -> Self {
        let mut field = Self::new(name, display_name, "str", "MessageInput");
        field.input_types = borrowed(&["Message"]);
        field
    }

    /// Only a wire can fill it.
    pub fn handle(name: &str, display_name: &str, input_types: &[&'static str]) -> Self {
        let mut field = Self::new(name, display_name, "other", "HandleInput");
        field.input_types = borrowed(input_types);
        field
    }

    pub fn int(name: &str, display_name: &str, value: i64) -> Self {
        Self::new(name, display_name, "int", "IntInput").value(value)
    }

    pub fn float(name: &str, display_name: &str, value: f64) -> Self {
        Self::new(name, display_name, "float", "FloatInput").value(value)
    }

    pub fn bool(name: &str, display_name: &str, value: bool) -> Self {
        Self::new(name, display_name, "bool", "BoolInput").value(value)
    }

    pub fn dropdown(name: &str, display_name: &str, options: &[&str], value: &str) -> Self {
        Self::new(name, display_name, "str", "DropdownInput")
            .options(options)
            .value(value)
            .set("combobox", false)
    }

    pub fn tab(name: &str, display_name: &str, options: &[&str], value: &str) -> Self {
        Self::new(name, display_name, "tab", "TabInput")
            .options(options)
            .value(value)
    }

    pub fn slider(name: &str, display_name: &str, value: f64, (min, max, step): (f64, f64, f64)) -> Self {
        Self::new(name, display_name, "slider", "SliderInput")
            .value(value)
            .set(
                "range_spec",
                json!({ "min": min, "max": max, "step": step, "step_type": "float" }),
            )
    }

    pub fn dict(name: &str, display_name: &str, value: Value) -> Self {
        Self::new(name, display_name, "dict", "DictInput").value(value)
    }

    pub fn nested_dict(name: &str, display_name: &str, value: Value) -> Self {
        Self::new(name, display_name, "NestedDict", "NestedDictInput").value(value)
    }

    /// Rows with the columns of `schema`; a wire can fill it too.
    pub fn table(name: &str, display_name: &str, schema: Value, rows: Value) -> Self {
        let mut field = Self::new(name, display_name, "table", "TableInput").value(rows);
        field.list = true;
        field.input_types = borrowed(&["DataFrame", "Table"]);
        field.set("table_schema", schema)
    }

    /// One or several of the person's files. `types` without dots.
    pub fn file(name: &str, display_name: &str, types: &[&str]) -> Self {
        Self::new(name, display_name, "file", "FileInput")
            .set("fileTypes", types.to_vec())
            .set("file_path", "")
    }

    pub fn secret(name: &str, display_name: &str) -> Self {
        let mut field = Self::new(name, display_name, "str", "SecretStrInput");
        field.password = true;
        field
    }

    pub fn prompt(name: &str, display_name: &str) -> Self {
        Self::new(name, display_name, "prompt", "PromptInput")
    }

    pub fn query(name: &str, display_name: &str) -> Self {
        let mut field = Self::new(name, display_name, "query", "QueryInput");
        field.input_types = borrowed(&["Message"]);
        field
    }

    /// Pick and order entries: `[{"name": …, "icon": …}]`.
    pub fn sortable_list(name: &str, display_name: &str, options: &[(&str, &str)]) -> Self {
        let options: Vec<Value> = options
            .iter()
            .map(|(name, icon)| json!({ "name": name, "icon": icon }))
            .collect();
        Self::new(name, display_name, "sortableList", "SortableListInput")
            .value(Value::Array(Vec::new()))
            .set("options", options)
    }

    /// Any other of Langflow's field types.
    pub fn other(name: &str, display_name: &str, r#type: &'static str, class: &'static str) -> Self {
        Self::new(name, display_name, r#type, class)
    }

    /// Python that people may change; `value` is what a new node begins with.
    pub fn code(name: &str, display_name: &str, value: &str) -> Self {
        let mut field = Self::new(name, display_name, "code", "CodeInput").value(value);
        field.multiline = true;
        field
    }

    #[must_use]
    pub fn value(mut self, value: impl Into<Value>) -> Self {
        self.value = value.into();
        self
    }

    #[must_use]
    pub fn info(mut self, info: &str) -> Self {
        info.clone_into(&mut self.info);
        self
    }

    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Masked, and open to credentials.
    #[must_use]
    pub fn password(mut self) -> Self {
        self.password = true;
        self
    }

    #[must_use]
    pub fn advanced(mut self) -> Self {
        self.advanced = true;
        self
    }

    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.show = false;
        self
    }

    #[must_use]
    pub fn list(mut self) -> Self {
        self.list = true;
        self
    }

    /// An agent that uses the component as a tool gives this argument.
    #[must_use]
    pub fn tool(mut self) -> Self {
        self.tool_mode = true;
        self
    }

    #[must_use]
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    #[must_use]
    pub fn refresh(mut self) -> Self {
        self.refresh = true;
        self
    }

    #[must_use]
    pub fn accepts(mut self, input_types: &[&'static str]) -> Self {
        self.input_types = borrowed(input_types);
        self
    }

    #[must_use]
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = Cow::Borrowed(class);
        self
    }

    #[must_use]
    pub fn options(mut self, options: &[&str]) -> Self {
        self.options = options.iter().map(|&option| option.to_owned()).collect();
        self
    }

    #[must_use]
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(key.to_owned(), value.into());
        self
    }

    /// The template entry.
    pub fn to_json(&self) -> Value {
        let mut entry = Map::new();
        let mut put = |key: &str, value: Value| entry.insert(key.to_owned(), value);
        put("_input_type", self.class.as_ref().into());
        put("advanced", self.advanced.into());
        put("display_name", self.display_name.clone().into());
        put("dynamic", false.into());
        put("info", self.info.clone().into());
        if !self.input_types.is_empty() {
            put("input_types", json!(self.input_types));
        }
        put("list", self.list.into());
        if matches!(self.r#type.as_ref(), "str" | "prompt") {
            put("load_from_db", self.password.into());
        }
        if self.multiline {
            put("multiline", true.into());
        }
        put("name", self.name.clone().into());
        if !self.options.is_empty() {
            put("options", self.options.clone().into());
        }
        if self.password {
            put("password", true.into());
        }
        put("placeholder", "".into());
        if self.refresh {
            put("real_time_refresh", true.into());
        }
        put("required", self.required.into());
        put("show", self.show.into());
        put("title_case", false.into());
        put("tool_mode", self.tool_mode.into());
        put("trace_as_metadata", true.into());
        put("type", self.r#type.as_ref().into());
        put("value", self.value.clone());
        entry.extend(self.extra.clone());
        Value::Object(entry)
    }
}
