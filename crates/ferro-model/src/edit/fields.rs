//! Values of fields, and the modes that change which fields and outputs a node has.

use serde_json::{Map, Value, json};

use super::record::Record;
use super::{EditError, listed};
use crate::descriptor::{FieldSpec, OutputSpec, Registry};
use crate::model_value;
use crate::ports::TOOLSET;
use crate::read::Output;
use crate::scan::members;

impl Record<'_> {
    /// Sets literal values: a field that named a variable no longer does.
    pub(super) fn configure(&mut self, id: &str, values: Map<String, Value>) -> Result<(), EditError> {
        self.node(id)?;
        for (field, value) in values {
            let node = self.node(id)?;
            let fields = || listed(node.fields.iter().map(|field| field.name.as_ref()));
            let Some(known) = node.field(&field) else {
                let template = super::splice::get(node.json.as_str(), &["data", "node", "template"]);
                let reserved = template
                    .and_then(members)
                    .is_some_and(|all| all.iter().any(|(key, _)| *key == field));
                let (node, available) = (id.to_owned(), fields());
                return Err(if reserved {
                    EditError::ReservedField {
                        node,
                        field,
                        available,
                    }
                } else {
                    EditError::UnknownField {
                        node,
                        field,
                        available,
                    }
                });
            };
            let value = if known.r#type == "model" {
                model_value::coerce(&value)
            } else {
                value
            };
            // Otherwise the built-in component would go on running in its place.
            let is_new_code =
                field == "code" && known.r#type == "code" && node.code().as_deref() != value.as_str();
            let names_variable = super::splice::get(known.json.as_str(), &["load_from_db"]).is_some();
            self.set(id, &["data", "node", "template", &field, "value"], &value)?;
            if names_variable {
                let path = ["data", "node", "template", &field, "load_from_db"];
                self.set(id, &path, &Value::Bool(false))?;
            }
            if is_new_code {
                self.set(id, &["data", "node", "edited"], &Value::Bool(true))?;
            }
        }
        Ok(())
    }

    /// A node with a choice of outputs has one handle, so wires from the others have nowhere to start.
    pub(super) fn select_output(&mut self, id: &str, output: &str) -> Result<(), EditError> {
        let node = self.node(id)?;
        let Some(chosen) = node.output(output) else {
            return Err(EditError::UnknownOutput {
                node: id.to_owned(),
                output: output.to_owned(),
                available: listed(node.outputs.iter().map(|output| output.name.as_ref())),
            });
        };
        let grouped = chosen.group;
        let others: Vec<String> = node
            .outputs
            .iter()
            .filter(|other| !grouped && !other.group && other.name != output)
            .map(|other| other.name.to_string())
            .collect();
        self.remove_wires(|wire| wire.source == id && others.iter().any(|other| other == wire.output));
        self.set(id, &["data", "selected_output"], &output.into())
    }

    /// A model comes in by wire.
    pub(super) fn wire_model(&mut self, id: &str) -> Result<(), EditError> {
        self.mark_models(id, &Value::Bool(true)).map(|_| ())
    }

    /// A model is chosen. The wire goes with its handle.
    pub(super) fn choose_model(&mut self, id: &str) -> Result<(), EditError> {
        let models = self.mark_models(id, &Value::Bool(false))?;
        self.remove_wires(|wire| {
            wire.target == id && !wire.into_loop && models.iter().any(|field| field == wire.input)
        });
        Ok(())
    }

    /// Where the canvas looks and where the server looks. Gives the fields that hold a model.
    fn mark_models(&mut self, id: &str, on: &Value) -> Result<Vec<String>, EditError> {
        let node = self.node(id)?;
        let models = node.fields.iter().filter(|field| field.r#type == "model");
        let models: Vec<String> = models.map(|field| field.name.to_string()).collect();
        if models.is_empty() {
            return Err(EditError::NoModel { node: id.to_owned() });
        }
        self.set(id, &["data", "_connectionMode"], on)?;
        for field in &models {
            self.set(id, &["data", "node", "template", field, "_connection_mode"], on)?;
        }
        Ok(models)
    }

    /// In tool mode a node has one output, the toolset, and its tool arguments are the agent's to give.
    pub(super) fn tool_mode_on(&mut self, registry: &Registry, id: &str) -> Result<(), EditError> {
        let node = self.node(id)?;
        let has_toolset = node.outputs.iter().any(Output::is_toolset);
        if node.tool_mode && has_toolset {
            return Ok(());
        }
        // Its own output of that name goes away with the others.
        let own = node.output(TOOLSET).is_some() && !has_toolset;
        let no_inputs = node.fields.iter().all(|field| field.name == "code");
        let metadata = node.field("tools_metadata").is_none();
        let capable = node.tool_capable()
            || no_inputs
            || !metadata
            || registry
                .get_alike(&node.r#type)
                .is_some_and(|known| known.tool_capable());
        if !capable {
            return Err(EditError::NoTool { node: id.to_owned() });
        }
        let arguments = node.fields.iter().filter(|field| field.tool_mode);
        let arguments: Vec<String> = arguments.map(|field| field.name.to_string()).collect();
        self.remove_wires(|wire| {
            wire.source == id && (own || wire.output != TOOLSET)
                || wire.target == id && (wire.into_loop || arguments.iter().any(|field| field == wire.input))
        });
        self.become_tool(id)?;
        if metadata {
            let tools = FieldSpec::other("tools_metadata", "Actions", "tools", "ToolsInput")
                .value(Value::Array(Vec::new()))
                .list()
                .refresh();
            let path = ["data", "node", "template", "tools_metadata"];
            self.set(id, &path, &tools.to_json())?;
        }
        Ok(())
    }

    /// Gives a node the outputs of its component back.
    pub(super) fn tool_mode_off(&mut self, registry: &Registry, id: &str) -> Result<(), EditError> {
        let node = self.node(id)?;
        if !node.tool_mode && !node.outputs.iter().any(Output::is_toolset) {
            return Ok(());
        }
        let known = registry.get(&node.r#type);
        let is_own = node.edited || known.is_none_or(|known| known.by_code);
        if is_own && node.code().is_some() {
            return Err(EditError::OutputsInCode { node: id.to_owned() });
        }
        let Some(known) = known else {
            return Err(EditError::NoWayBack {
                node: id.to_owned(),
                r#type: node.r#type.to_string(),
            });
        };
        let outputs: Vec<Value> = known.outputs.iter().map(OutputSpec::to_json).collect();
        self.remove_wires(|wire| wire.source == id && wire.output == TOOLSET);
        self.set(id, &["data", "node", "tool_mode"], &Value::Bool(false))?;
        self.set(id, &["data", "node", "outputs"], &outputs.into())?;
        self.unset(id, &["data", "node", "template", "tools_metadata"])
    }

    /// The least that makes a node a tool: the flag and its only output.
    pub(super) fn become_tool(&mut self, id: &str) -> Result<(), EditError> {
        self.set(id, &["data", "node", "tool_mode"], &Value::Bool(true))?;
        let toolset = json!([OutputSpec::toolset().to_json()]);
        self.set(id, &["data", "node", "outputs"], &toolset)
    }
}
