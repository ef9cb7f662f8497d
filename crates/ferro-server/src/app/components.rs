//! Components: what there is to put on a canvas, and how a node changes when one of its fields does.

mod tool_mode;

use std::collections::BTreeMap;

use ferro_components::inner_flow;
use ferro_components::prompt::{Style, set_variables, variables};
use ferro_engine::{Catalog, Entry, Failure};
use ferro_store::{FlowFilter, FlowOrder, Window};
use serde_json::{Map, Value as Json};

use crate::app::runs::read_document;
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::starters;
use crate::state::App;
use tool_mode::leave_tool_mode;
pub use tool_mode::{enter_tool_mode, name_tools};

/// Every component by category and type, and their names.
pub fn list(catalog: &Catalog) -> Json {
    let mut categories: BTreeMap<&str, Map<String, Json>> = BTreeMap::new();
    let mut names = Map::new();
    for descriptor in catalog.registry().iter() {
        let node = listed(
            descriptor.to_node(),
            &descriptor.r#type,
            &descriptor.category,
            &descriptor.help,
        );
        categories
            .entry(&descriptor.category)
            .or_default()
            .insert(descriptor.r#type.clone(), node);
        names.insert(descriptor.r#type.clone(), descriptor.display_name.clone().into());
    }
    let mut all: Map<String, Json> = categories
        .into_iter()
        .map(|(category, types)| (category.to_owned(), Json::Object(types)))
        .collect();
    all.insert("component_display_names".to_owned(), Json::Object(names));
    Json::Object(all)
}

/// A fresh node as the list shows it.
pub fn listed(mut node: Json, r#type: &str, category: &str, help: &str) -> Json {
    if let Some(node) = node.as_object_mut() {
        for (key, value) in [
            ("name", r#type),
            ("key", r#type),
            ("category", category),
            ("help", help),
        ] {
            node.insert(key.to_owned(), value.into());
        }
    }
    node
}

/// A prompt's variables, and the node with a field for each of them.
pub fn check_prompt(
    name: &str,
    template: &str,
    style: Style,
    node: Option<Json>,
) -> Result<(Vec<String>, Option<Json>)> {
    let found = variables(template, style).map_err(refused)?;
    let node = node.filter(Json::is_object).map(|mut node| {
        set_variables(&mut node, name, &found);
        node
    });
    Ok((found, node))
}

/// A field of a node was set.
pub struct Change {
    /// The component's type, where the client says it.
    pub r#type: Option<String>,
    /// Python, in nodes that come from Langflow.
    pub code: String,
    pub template: Map<String, Json>,
    pub field: String,
    pub value: Json,
    pub tool_mode: bool,
    /// The node as it is (`data.node`); made anew from its type when missing.
    pub node: Option<Json>,
}

/// The node as it is after the change.
pub fn change_node(catalog: &Catalog, change: Change) -> Result<Json> {
    let entry = find(catalog, &change).ok_or_else(unknown)?;
    let mut node = match change.node {
        Some(node @ Json::Object(_)) => node,
        _ => entry.descriptor.to_node(),
    };
    if !change.template.is_empty() {
        node["template"] = Json::Object(change.template);
    }
    if !node["template"].is_object() {
        return Err(AppError::invalid("template", "must be an object"));
    }
    if change.field == "tool_mode" {
        if change.value.as_bool().unwrap_or(change.tool_mode) {
            enter_tool_mode(&mut node, &entry.descriptor);
        } else {
            leave_tool_mode(&mut node, &entry.descriptor);
        }
        return Ok(node);
    }
    if let Some(field) = node["template"]
        .get_mut(&change.field)
        .and_then(Json::as_object_mut)
    {
        field.insert("value".to_owned(), change.value.clone());
    }
    entry
        .component
        .refresh(&mut node, &change.field, &change.value)
        .map_err(refused)?;
    // Outputs that depend on the field do not show while the node is a tool.
    if change.tool_mode {
        enter_tool_mode(&mut node, &entry.descriptor);
    }
    Ok(node)
}

/// A node that runs another flow offers the person's flows, remembers the chosen one by its id, because names change,
/// and has the fields and outputs of that flow as it is now.
pub async fn offer_flows(app: &App, actor: &Actor, node: &mut Json) -> Result<()> {
    let text = |node: &Json, field: &str| {
        let value = node.pointer(&format!("/template/{field}/value"));
        value.and_then(Json::as_str).unwrap_or_default().to_owned()
    };
    if !node["template"]["flow_name_selected"].is_object() {
        return Ok(());
    }
    let (name, id) = (text(node, "flow_name_selected"), text(node, "flow_id_selected"));
    let by = actor.principal();
    let found = app
        .store
        .flow_headers(&by, FlowFilter::default(), FlowOrder::NameUp, Window::ALL);
    let flows = found.await?.items;
    let options: Json = flows.iter().map(|flow| Json::from(flow.name.as_str())).collect();
    let named = flows.iter().find(|flow| flow.name == name);
    // By its id when it has another name now. No name at all means no flow.
    let known = || flows.iter().find(|flow| flow.id.to_string() == id);
    let chosen = named.or_else(|| known().filter(|_| !name.is_empty()));
    let template = &mut node["template"];
    template["flow_name_selected"]["options"] = options;
    if let Some(flow) = chosen {
        template["flow_name_selected"]["value"] = flow.name.as_str().into();
    }
    if let Some(field) = template
        .get_mut("flow_id_selected")
        .filter(|field| field.is_object())
    {
        field["value"] = chosen.map(|flow| flow.id.to_string()).unwrap_or_default().into();
    }
    let catalog = &app.runs.catalog;
    let mut about = None;
    if let Some(flow) = chosen {
        let flow = app.store.flow(&by, flow.id).await?;
        inner_flow::show(node, &read_document(flow.data.as_deref())?, catalog.registry());
        about = Some((flow.header.name, flow.header.description.unwrap_or_default()));
    } else if let Some(starter) = starters::all(catalog).iter().find(|starter| starter.name == name) {
        inner_flow::show(node, &starter.data, catalog.registry());
        about = Some((starter.name.clone(), String::new()));
    } else if name.is_empty() {
        inner_flow::clear(node);
    }
    if let (true, Some(entry)) = (node["tool_mode"] == true, catalog.get("RunFlow")) {
        enter_tool_mode(node, &entry.descriptor);
        if let Some((name, description)) = about {
            name_tools(node, &name, &description);
        }
    }
    Ok(())
}

fn refused(failure: Failure) -> AppError {
    let advice = if failure.advice.is_empty() {
        String::new()
    } else {
        format!(" {}", failure.advice)
    };
    AppError::cannot_run(format!("{}.{advice}", failure.message.trim_end_matches('.')))
}

fn unknown() -> AppError {
    AppError::cannot_run(
        "this server knows no component with that code. Components with their own Python cannot be changed here; \
         say the component's `type` if it is a built-in one"
            .to_owned(),
    )
}

/// By its type, or by what its Python calls itself.
pub fn find<'c>(catalog: &'c Catalog, change: &Change) -> Option<&'c Entry> {
    let node = change.node.as_ref();
    let said = |key: &str| node.and_then(|node| node.get(key)).and_then(Json::as_str);
    let names = [change.r#type.as_deref(), said("type"), said("key"), said("name")];
    let names = names.into_iter().flatten().filter(|name| !name.is_empty());
    let by_name = names.into_iter().find_map(|name| catalog.get(name));
    by_name.or_else(|| {
        names_in(&change.code)
            .into_iter()
            .find_map(|name| catalog.get(name))
    })
}

/// The `name` of a class, then the class's own name, with and without the usual ending.
fn names_in(code: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut classes = Vec::new();
    for line in code.lines() {
        if let Some(rest) = line.strip_prefix("class ") {
            classes.push(rest.split(['(', ':']).next().unwrap_or_default().trim());
        }
        let Some(value) = line.trim_start().strip_prefix("name").map(str::trim_start) else {
            continue;
        };
        let Some(value) = value.strip_prefix('=').map(str::trim) else {
            continue;
        };
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        if let Some(text) = quote.and_then(|quote| value.trim_matches(quote).split(quote).next()) {
            names.push(text);
        }
    }
    for class in classes {
        names.push(class);
        names.extend(class.strip_suffix("Component"));
    }
    names
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ferro_engine::{Call, Component, Outputs, Step, Value};
    use ferro_model::{Descriptor, FieldSpec, OutputSpec};
    use serde_json::json;

    use super::*;

    struct Shout;

    impl Component for Shout {
        fn descriptor(&self) -> Descriptor {
            Descriptor::new("Shout", "Shout")
                .category("processing")
                .description("Says it louder")
                .aliases(&["ShoutComponent"])
                .field(FieldSpec::message_text("text", "Text").tool())
                .field(FieldSpec::dropdown("how", "How", &["loud", "louder"], "loud").refresh())
                .output(OutputSpec::new("out", "Out", "shout", &["Message"]))
        }

        fn run(&self, _: Call) -> Step {
            Step::Now(Ok(Outputs::one("out", Value::Null)))
        }

        fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
            if value == "silent" {
                return Err(Failure::input(field, "Nobody shouts silently").advice("Choose another."));
            }
            node["template"]["text"]["show"] = (value == "louder").into();
            Ok(())
        }
    }

    fn catalog() -> Catalog {
        Catalog::new([Arc::new(Shout) as Arc<dyn Component>])
    }

    fn change(field: &str, value: impl Into<Json>) -> Change {
        Change {
            r#type: Some("Shout".to_owned()),
            code: String::new(),
            template: Map::new(),
            field: field.to_owned(),
            value: value.into(),
            tool_mode: false,
            node: None,
        }
    }

    #[test]
    fn a_field_changes_the_node() {
        let node = change_node(&catalog(), change("how", "louder")).unwrap();
        assert_eq!(node["template"]["how"]["value"], "louder");
        assert_eq!(node["template"]["text"]["show"], true);
        let error = change_node(&catalog(), change("how", "silent")).unwrap_err();
        assert_eq!(error.to_string(), "Nobody shouts silently. Choose another.");
    }

    #[test]
    fn tool_mode_swaps_the_outputs_and_keeps_what_was_set() {
        let mut node = change_node(&catalog(), change("tool_mode", true)).unwrap();
        assert_eq!(node["outputs"][0]["name"], "component_as_tool");
        assert_eq!(node["tool_mode"], true);
        let row = &mut node["template"]["tools_metadata"]["value"][0];
        assert_eq!(
            (&row["tags"][0], &row["args"]["text"]["type"]),
            (&json!("shout"), &json!("string"))
        );
        row["name"] = "yell".into();
        row["status"] = false.into();
        row["approval"] = true.into();
        let again = change_node(
            &catalog(),
            Change {
                node: Some(node.clone()),
                tool_mode: true,
                ..change("how", "louder")
            },
        )
        .unwrap();
        let row = &again["template"]["tools_metadata"]["value"][0];
        assert_eq!((&row["name"], &row["status"]), (&json!("yell"), &json!(false)));
        assert_eq!(row["approval"], true);
        assert_eq!(again["outputs"][0]["name"], "component_as_tool");
        let off = change_node(
            &catalog(),
            Change {
                node: Some(node),
                ..change("tool_mode", false)
            },
        )
        .unwrap();
        assert_eq!(off["outputs"][0]["name"], "out");
        assert!(off["template"].get("tools_metadata").is_none());
    }

    #[test]
    fn python_of_a_known_component_is_recognised() {
        let code = "from lfx import x\n\nclass ShoutComponent(Component):\n    display_name = \"S\"\n    name = 'Shout'\n";
        let known = Change {
            r#type: None,
            code: code.to_owned(),
            ..change("how", "loud")
        };
        assert!(change_node(&catalog(), known).is_ok());
        for code in [
            "",
            "class Mine(Component):\n    name = \"Mine\"",
            "name =",
            "class ",
            "\u{0}name = \"x",
        ] {
            let unknown = Change {
                r#type: None,
                code: code.to_owned(),
                ..change("how", "loud")
            };
            assert!(change_node(&catalog(), unknown).is_err(), "{code}");
        }
    }

    #[test]
    fn odd_nodes_are_refused_or_mended() {
        for node in [
            json!({}),
            json!({ "template": 7 }),
            json!({ "template": { "how": 1 } }),
            json!([]),
        ] {
            let odd = Change {
                node: Some(node),
                ..change("how", "loud")
            };
            let _ = change_node(&catalog(), odd);
        }
    }

    #[test]
    fn the_list_has_every_type_under_its_category() {
        let all = list(&catalog());
        assert_eq!(all["processing"]["Shout"]["display_name"], "Shout");
        assert_eq!(all["component_display_names"]["Shout"], "Shout");
    }
}
