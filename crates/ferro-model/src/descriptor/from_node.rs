//! The descriptor of a node that is its own component: what its JSON says is all there is to know of its type.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Descriptor, FieldSpec, OutputSpec};

/// Fields that are not the component's own.
const NOT_FIELDS: [&str; 2] = ["code", "tools_metadata"];

impl Descriptor {
    /// [`Descriptor::from_node`] of a component that new nodes can be made of: each is `node` itself, code included.
    pub fn of_fresh(r#type: &str, node: Arc<Value>) -> Self {
        Self {
            fresh: Some(Arc::clone(&node)),
            ..Self::from_node(r#type, &node)
        }
    }

    /// From `data.node`. What is missing or odd is as if nobody had said it; in tool mode there are no outputs, since
    /// the node does not say them then.
    pub fn from_node(r#type: &str, node: &Value) -> Self {
        let text = |key: &str| node.get(key).and_then(Value::as_str).unwrap_or_default();
        let name = Some(text("display_name")).filter(|name| !name.is_empty());
        let mut descriptor = Self::new(r#type, name.unwrap_or(r#type))
            .category("custom_component")
            .description(text("description"));
        if !text("icon").is_empty() {
            descriptor = descriptor.icon(text("icon"));
        }
        descriptor.beta = is(node, "beta");
        descriptor.legacy = is(node, "legacy");
        descriptor.minimized = is(node, "minimized");
        descriptor.add_tool_output = is(node, "add_tool_output");
        descriptor.by_code = true;
        let template = node.get("template").and_then(Value::as_object);
        let order = node.get("field_order").and_then(Value::as_array);
        descriptor.fields = in_order(template, order.map_or(&[], Vec::as_slice));
        let outputs = node.get("outputs").and_then(Value::as_array);
        descriptor.outputs = outputs
            .into_iter()
            .flatten()
            .filter_map(OutputSpec::from_json)
            .filter(|output| *output != toolset_like(output))
            .collect();
        // Whoever has several outputs may choose among them while it runs.
        descriptor.routes = descriptor.outputs.len() > 1;
        descriptor
    }
}

/// The toolset as this output would be it: whatever else it says, name, method and type make it one.
fn toolset_like(output: &OutputSpec) -> OutputSpec {
    let toolset = OutputSpec::toolset();
    OutputSpec {
        name: toolset.name,
        method: toolset.method,
        types: toolset.types,
        ..output.clone()
    }
}

fn in_order(template: Option<&Map<String, Value>>, order: &[Value]) -> Vec<FieldSpec> {
    let Some(template) = template else {
        return Vec::new();
    };
    let first: Vec<&str> = order.iter().filter_map(Value::as_str).collect();
    let place = |name: &str| {
        first
            .iter()
            .position(|known| *known == name)
            .unwrap_or(first.len())
    };
    let mut fields: Vec<FieldSpec> = template
        .iter()
        .filter(|(name, _)| !name.starts_with('_') && !NOT_FIELDS.contains(&name.as_str()))
        .filter_map(|(name, entry)| FieldSpec::from_json(name, entry))
        .collect();
    fields.sort_by_cached_key(|field| place(&field.name));
    fields
}

impl FieldSpec {
    /// From a template entry; `None` for what is no object.
    pub fn from_json(name: &str, entry: &Value) -> Option<Self> {
        entry.as_object()?;
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let label = Some(text("display_name")).filter(|label| !label.is_empty());
        let mut field = Self::text(name, label.unwrap_or(name)).info(text("info"));
        if !text("type").is_empty() {
            field.r#type = Cow::Owned(text("type").to_owned());
        }
        if !text("_input_type").is_empty() {
            field.class = Cow::Owned(text("_input_type").to_owned());
        }
        field.value = entry.get("value").cloned().unwrap_or_default();
        field.required = is(entry, "required");
        field.advanced = is(entry, "advanced");
        field.show = entry.get("show") != Some(&Value::Bool(false));
        field.list = is(entry, "list");
        field.password = is(entry, "password");
        field.tool_mode = is(entry, "tool_mode");
        field.refresh = is(entry, "real_time_refresh");
        field.multiline = is(entry, "multiline");
        field.input_types = texts(entry, "input_types");
        field.options = texts(entry, "options").into_iter().map(Cow::into_owned).collect();
        Some(field)
    }
}

impl OutputSpec {
    /// From an entry of `outputs`; `None` for one without a name.
    pub fn from_json(entry: &Value) -> Option<Self> {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let name = Some(text("name")).filter(|name| !name.is_empty())?;
        let label = Some(text("display_name")).filter(|label| !label.is_empty());
        let mut output = Self::new(name, label.unwrap_or(name), text("method"), &[]).info(text("info"));
        output.types = texts(entry, "types");
        output.allows_loop = is(entry, "allows_loop");
        output.loop_types = texts(entry, "loop_types");
        output.group = is(entry, "group_outputs");
        output.hidden = is(entry, "hidden");
        output.tool_mode = entry.get("tool_mode") != Some(&Value::Bool(false));
        Some(output)
    }
}

fn is(entry: &Value, key: &str) -> bool {
    entry.get(key) == Some(&Value::Bool(true))
}

fn texts(entry: &Value, key: &str) -> Vec<Cow<'static, str>> {
    let list = entry.get(key).and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(|text| Cow::Owned(text.to_owned())).collect()
}
