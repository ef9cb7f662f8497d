//! Components that people write: from Python to a node, and how such a node changes when one of its fields does.

mod keep;
mod node;
mod variables;

use ferro_engine::Catalog;
use ferro_model::Descriptor;
use serde_json::{Value as Json, json};

use crate::app::components::{Change, enter_tool_mode, find};
use crate::app::python;
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;
pub use node::fresh;

/// A node made from code (`data.node`), and what it is called.
pub struct Made {
    pub node: Json,
    pub r#type: String,
}

/// A mark that some editors put before a text; Python would take it for a letter of the first line.
pub fn without_mark(code: &str) -> &str {
    code.strip_prefix('\u{feff}').unwrap_or(code)
}

/// The node that this code makes, with what people had set in the one `before` it.
pub async fn make(app: &App, actor: &Actor, code: &str, before: Option<&Json>) -> Result<Made> {
    python::check_allowed(app, actor)?;
    python::check(app, actor, code).await?;
    let description = python::describe(app, actor, code).await?;
    let mut node = fresh(code, &description)?;
    if let Some(before) = before.filter(|before| before["template"].is_object()) {
        let was = described_before(app, actor, code, before).await;
        keep::keep(&mut node, before, was.as_ref());
        let is_tool = before["tool_mode"] == true && can_be_tool(&description);
        if is_tool {
            let rows = before.pointer("/template/tools_metadata").cloned();
            if let Some(rows) = rows.filter(Json::is_object) {
                node["template"]["tools_metadata"] = rows;
            }
            as_tool(&mut node, text(&description, "class_name"));
        }
    }
    Ok(Made {
        node,
        r#type: text(&description, "name").to_owned(),
    })
}

/// What the code before this one said: only so can be told what a person set from what the class did. Nothing depends
/// on it, so that code which no longer works says nothing.
async fn described_before(app: &App, actor: &Actor, code: &str, before: &Json) -> Option<Json> {
    let old = before.pointer("/template/code/value").and_then(Json::as_str)?;
    if ferro_python::analysis::is_same(old, code)
        || python::refusal_of(&python::look(old).await.ok()?).is_some()
    {
        return None;
    }
    python::describe(app, actor, old).await.ok()
}

/// The canvas offers it for components without any field, too.
fn can_be_tool(description: &Json) -> bool {
    let fields = description["fields"].as_array();
    description["tool_mode_capable"] == true || fields.is_none_or(Vec::is_empty)
}

fn as_tool(node: &mut Json, class: &str) {
    let descriptor = Descriptor::from_node(class, node);
    enter_tool_mode(node, &descriptor);
}

/// The node's own code, where that is what makes it: nodes of built-in components carry Langflow's code, which counts
/// only when somebody edited it.
pub fn own_code<'c>(catalog: &Catalog, change: &'c Change) -> Option<&'c str> {
    let node = change.node.as_ref();
    let template = change
        .template
        .get("code")
        .or_else(|| node?.pointer("/template/code"));
    let kept = template
        .and_then(|entry| entry.get("value"))
        .and_then(Json::as_str);
    let code = Some(change.code.as_str()).filter(|code| !code.trim().is_empty());
    let code = code.or(kept).filter(|code| !code.trim().is_empty())?;
    let is_edited = node.is_some_and(|node| node["edited"] == true);
    // As runs decide it: code that is not the one the node was saved with was edited, whoever did it.
    let hash = node
        .and_then(|node| node.pointer("/metadata/code_hash"))
        .and_then(Json::as_str);
    let is_other = catalog
        .own_code()
        .zip(hash)
        .is_some_and(|(maker, hash)| !maker.fits(code, hash));
    let is_own = is_edited || is_other || find(catalog, change).is_none_or(|entry| entry.descriptor.by_code);
    is_own.then(|| without_mark(code))
}

/// The node after one of its fields was set, as its own code wants it.
pub async fn change_node(app: &App, actor: &Actor, code: &str, change: Change) -> Result<Json> {
    python::check_allowed(app, actor)?;
    let checked = python::check(app, actor, code).await?;
    let class = checked.class_name.unwrap_or_default();
    let mut node = match change.node {
        Some(node @ Json::Object(_)) => node,
        _ => fresh(code, &python::describe(app, actor, code).await?)?,
    };
    if !change.template.is_empty() {
        node["template"] = Json::Object(change.template);
    }
    if !node["template"].is_object() {
        return Err(AppError::invalid("template", "must be an object"));
    }
    let is_tool = if change.field == "tool_mode" {
        change.value.as_bool().unwrap_or(change.tool_mode)
    } else {
        change.tool_mode || node["tool_mode"] == true
    };
    // Rows that a person filled in are not the code's to change.
    let rows = node.pointer("/template/tools_metadata").cloned();
    let outputs = own_outputs(app, actor, code, &node).await?;
    node["outputs"] = outputs.clone();
    node["tool_mode"] = is_tool.into();
    let named = variables::fill_in(app, actor, &mut node).await?;
    let request = json!({ "do": "update", "code": code, "node": node, "field": change.field, "value": change.value,
        "tool_mode": false });
    let mut answer = python::ask(app, actor, &request, &app.fetcher).await?;
    let mut node = answer.get_mut("node").map(Json::take).unwrap_or_default();
    variables::take_out(&mut node, named);
    if !node["template"].is_object() {
        let told = "`update_build_config` left no build config behind. Return the one it was given";
        return Err(AppError::invalid_code(format!("{told}."), &json!([])));
    }
    node::seal(&mut node, code, &class);
    if let Some(template) = node["template"].as_object_mut() {
        template.remove("tools_metadata");
    }
    node["tool_mode"] = false.into();
    if !is_tool {
        return Ok(node);
    }
    if let Some(rows) = rows.filter(Json::is_object) {
        node["template"]["tools_metadata"] = rows;
    }
    if is_toolset(&node["outputs"]) {
        node["outputs"] = outputs;
    }
    as_tool(&mut node, &class);
    Ok(node)
}

/// The outputs it has when it is no tool.
async fn own_outputs(app: &App, actor: &Actor, code: &str, node: &Json) -> Result<Json> {
    let outputs = &node["outputs"];
    if outputs.is_array() && !is_toolset(outputs) {
        return Ok(outputs.clone());
    }
    let description = python::describe(app, actor, code).await?;
    Ok(description["outputs"].clone())
}

fn is_toolset(outputs: &Json) -> bool {
    let outputs = outputs.as_array();
    outputs.is_some_and(|outputs| {
        outputs
            .iter()
            .any(|output| output["name"] == ferro_engine::TOOL_OUTPUT)
    })
}

fn text<'a>(object: &'a Json, key: &str) -> &'a str {
    object[key].as_str().unwrap_or_default()
}
