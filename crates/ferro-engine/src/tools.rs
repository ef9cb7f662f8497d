//! A node in tool mode: its component as something a model can call.

mod arguments;

use std::sync::Arc;

use ferro_model::{Descriptor, OutputSpec};
use serde_json::{Map, Value as Json};

use crate::call::Call;
use crate::catalog::Entry;
use crate::component::{Outcome, Outputs, Step};
use crate::failure::Failure;
use crate::value::{Called, Tool, Value};
pub use arguments::tool_arguments;
use arguments::{arguments, schema};

/// The name of the output that offers them.
pub const TOOL_OUTPUT: &str = "component_as_tool";

/// A tool that a component can be, before anybody has set anything.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput<'a> {
    pub output: &'a OutputSpec,
    /// What the model calls it, unless a person renamed it.
    pub name: String,
    pub description: &'a str,
}

/// Methods that say nothing about what they do.
const GENERIC: [&str; 8] = [
    "output",
    "process",
    "build_output",
    "run",
    "execute",
    "main",
    "handler",
    "build_result",
];

/// One tool for each output that can be one.
pub fn tool_outputs(descriptor: &Descriptor) -> Vec<ToolOutput<'_>> {
    let fit = |output: &&OutputSpec| output.tool_mode && !output.types.iter().any(|known| known == "Tool");
    let outputs: Vec<&OutputSpec> = descriptor.outputs.iter().filter(fit).collect();
    let only = outputs.len() == 1;
    let tools = outputs.into_iter().map(|output| ToolOutput {
        output,
        // Several tools would all get the one name.
        name: if let (true, Some(name)) = (only, descriptor.tool_name) {
            name.to_owned()
        } else if only && GENERIC.contains(&output.method.as_str()) {
            snake_case(&descriptor.r#type)
        } else {
            tool_name(&output.method)
        },
        description: match output.info.as_str() {
            "" => &descriptor.description,
            info => info,
        },
    });
    tools.collect()
}

/// `HTTPClient` is `http_client` and `S3Bucket` is `s3_bucket`.
fn snake_case(class: &str) -> String {
    let letters: Vec<char> = class.chars().collect();
    let mut name = String::with_capacity(class.len() + 4);
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let next_is_small = letters.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let begins = letter.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || before.is_ascii_uppercase() && next_is_small
            });
        if begins {
            name.push('_');
        }
        name.push(if letter.is_whitespace() {
            '_'
        } else {
            letter.to_ascii_lowercase()
        });
    }
    tool_name(&name)
}

/// The tools of a node, as the person set them.
pub(crate) fn toolkit(entry: &Entry, call: &Call) -> Vec<Tool> {
    let descriptor = &entry.descriptor;
    let tools = tool_outputs(descriptor).into_iter().filter_map(|known| {
        let row = settings(call, &known);
        let set = |key: &str| row.and_then(|row| row.get(key));
        if set("status") == Some(&Json::Bool(false)) {
            return None;
        }
        let said = |key: &str| set(key).and_then(Json::as_str).filter(|text| !text.is_empty());
        let schema = schema(descriptor, &call.node.template);
        let (entry, call, output) = (entry.clone(), call.clone(), known.output.name.clone());
        Some(Tool {
            name: named(descriptor, &call.node.display_name, said("name"), known.name),
            description: said("description").unwrap_or(known.description).to_owned(),
            schema,
            approval: row.is_some_and(|row| needs_leave(&Json::Object(row.clone()))),
            call: Arc::new(move |arguments, caller| {
                let (entry, mut call, output) = (entry.clone(), call.clone(), output.clone());
                if let Some(caller) = caller {
                    call.cx.act_for(&caller);
                }
                Box::pin(async move { use_tool(&entry, call, &output, arguments).await })
            }),
        })
    });
    tools.collect()
}

/// As the person named it. Otherwise two agents would be tools of one name, so the node's name tells them apart.
fn named(descriptor: &Descriptor, node: &str, said: Option<&str>, usual: String) -> String {
    let said = said.map(tool_name).unwrap_or_else(|| usual.clone());
    if descriptor.tool_name.is_none() || said != usual || node.is_empty() {
        return said;
    }
    let own = usual.replace(&descriptor.display_name, &node.replace(char::is_whitespace, "_"));
    tool_name(&own)
}

/// Some tool of a node with this template makes a run wait for a person.
pub(crate) fn asks_leave(template: &Map<String, Json>) -> bool {
    let rows = template
        .get("tools_metadata")
        .and_then(|field| field.get("value"));
    let rows = rows.and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    rows.iter()
        .filter(|row| row.get("status") != Some(&Json::Bool(false)))
        .any(needs_leave)
}

fn needs_leave(row: &Json) -> bool {
    // Langflow's rows list the buttons that a person is shown.
    let actions = row.get("approval_actions").and_then(Json::as_array);
    row.get("approval") == Some(&Json::Bool(true)) || actions.is_some_and(|all| !all.is_empty())
}

/// What the person set for this tool in the node's table of actions. Rows are known by their first tag: our own by
/// the method, Langflow's by the name it derives.
fn settings<'a>(call: &'a Call, tool: &ToolOutput<'_>) -> Option<&'a Map<String, Json>> {
    let rows = call
        .node
        .template
        .get("tools_metadata")?
        .get("value")?
        .as_array()?;
    let rows = rows.iter().filter_map(Json::as_object);
    rows.into_iter().find(|row| {
        let tag = row
            .get("tags")
            .and_then(Json::as_array)
            .and_then(|tags| tags.first());
        let tag = tag.and_then(Json::as_str);
        tag == Some(&tool.output.method) || tag == Some(&tool.name)
    })
}

fn tool_name(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.chars().map(|c| if allowed(c) { c } else { '-' }).collect()
}

/// The fields that whoever calls the node as a tool fills in.
pub(crate) fn argument_fields<'a>(
    descriptor: &'a Descriptor,
    template: &'a Map<String, Json>,
) -> Vec<&'a str> {
    arguments(descriptor, template)
        .into_iter()
        .map(|argument| argument.field)
        .collect()
}

async fn use_tool(
    entry: &Entry,
    mut call: Call,
    output: &str,
    given: Map<String, Json>,
) -> Result<Called, Failure> {
    let node = Arc::clone(&call.node);
    let known = arguments(&entry.descriptor, &node.template);
    for (name, value) in given {
        let Some(argument) = known
            .iter()
            .find(|known| known.name == name || known.field == name)
        else {
            let names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
            let message = format!("the tool has no argument `{name}`; it takes {}", names.join(", "));
            return Err(Failure::input(&name, message));
        };
        call.wired.retain(|(known, _)| **known != *argument.field);
        call.overrides.retain(|(known, _)| **known != *argument.field);
        call.overrides
            .push((Arc::from(argument.field), Value::Plain(Arc::new(value))));
    }
    call.wanted = Arc::from([Arc::from(output)]);
    let sink = Arc::clone(&call.cx.sink);
    let outcome = match entry.component.run(call) {
        Step::Now(outcome) => outcome,
        Step::Later(work) => work.await,
    };
    // A model is told of it, and the chat shows it: neither may see what the node was given in confidence.
    match outcome.map_err(|failure| sink.masked(failure))? {
        Outcome::Done(Outputs { values, usage, .. }) => {
            let found = values.into_iter().find(|(name, _)| name == output);
            let value = found.map(|(_, value)| value).unwrap_or_default();
            Ok(Called { value, usage })
        }
        Outcome::Each(items) => Ok(Value::List(items.into()).into()),
        Outcome::Ask(_) => Err(Failure::unavailable("a tool cannot stop to ask a person")),
    }
}

#[cfg(test)]
mod tests {
    use ferro_model::FieldSpec;
    use serde_json::json;

    use super::*;
    use crate::call::NodeInfo;
    use crate::catalog::Catalog;
    use crate::component::Component;
    use crate::context::Context;

    /// Says which fields it has.
    struct Fields;

    impl Component for Fields {
        fn descriptor(&self) -> Descriptor {
            Descriptor::new("Fields", "Fields")
                .field(FieldSpec::message_text("own", "Own").tool())
                .field(FieldSpec::int("many", "Many", 0).list().required().tool())
                .field(FieldSpec::dropdown("how", "How", &["a", "b"], "a").tool())
                .field(FieldSpec::text("kept", "Kept"))
                .output(OutputSpec::new("out", "Out", "fields", &["Message"]))
        }

        fn run(&self, call: Call) -> Step {
            Step::Now(Ok(Outputs::one("out", Value::text(call.text("In-1~text")))))
        }
    }

    fn tool(template: Json) -> Tool {
        tools(template).pop().unwrap()
    }

    fn tools(template: Json) -> Vec<Tool> {
        let catalog = Catalog::new([Arc::new(Fields) as Arc<dyn Component>]);
        let node = NodeInfo {
            template: template.as_object().cloned().unwrap_or_default(),
            ..NodeInfo::default()
        };
        let call = Call::new(node, Map::new(), Vec::new(), Context::nowhere());
        let entry = catalog.get("Fields").unwrap();
        toolkit(entry, &call)
    }

    fn names(descriptor: &Descriptor) -> Vec<String> {
        tool_outputs(descriptor)
            .into_iter()
            .map(|tool| tool.name)
            .collect()
    }

    fn out(name: &str, method: &str) -> OutputSpec {
        OutputSpec::new(name, name, method, &["Message"])
    }

    #[test]
    fn a_method_that_says_nothing_gives_way_to_the_class() {
        for (class, name) in [
            ("HTTPClient", "http_client"),
            ("S3Bucket", "s3_bucket"),
            ("RandomMenuItem", "random_menu_item"),
            ("getURL", "get_url"),
            ("Base64Encoder", "base64_encoder"),
            ("Prompt Template", "prompt_template"),
            ("UUID", "uuid"),
            ("Größe", "gr--e"),
        ] {
            assert_eq!(
                names(&Descriptor::new(class, "X").output(out("o", "build_output"))),
                [name]
            );
        }
        let told = Descriptor::new("HTTPClient", "X").output(out("o", "fetch_page"));
        assert_eq!(names(&told), ["fetch_page"]);
        let two = told.output(out("p", "run"));
        assert_eq!(names(&two), ["fetch_page", "run"], "two tools keep two names");
        let one = Descriptor::new("HTTPClient", "X")
            .output(out("o", "run"))
            .output(out("p", "execute").no_tool());
        assert_eq!(names(&one), ["http_client"], "only what is offered counts");
    }

    #[test]
    fn a_tool_named_after_its_component_is_told_apart_by_its_node() {
        let agent = Descriptor::new("Agent", "Agent")
            .tool_name("Call_Agent")
            .output(out("response", "message_response"));
        assert_eq!(names(&agent), ["Call_Agent"]);
        let own = |node: &str, said: Option<&str>| named(&agent, node, said, "Call_Agent".to_owned());
        assert_eq!(own("Agent", None), "Call_Agent");
        assert_eq!(own("Fact finder", None), "Call_Fact_finder");
        assert_eq!(own("Fact finder", Some("Call_Agent")), "Call_Fact_finder");
        assert_eq!(own("Fact finder", Some("look up")), "look-up");
        assert_eq!(own("", None), "Call_Agent");
    }

    #[test]
    fn an_output_that_shares_the_name_of_the_toolset_is_a_tool() {
        let own = Descriptor::new("Mine", "Mine").output(out(TOOL_OUTPUT, "get_x"));
        assert_eq!(names(&own), ["get_x"]);
        let toolset = Descriptor::new("Mine", "Mine").output(OutputSpec::toolset());
        assert_eq!(names(&toolset), [""; 0]);
    }

    #[test]
    fn a_person_renames_switches_off_and_asks_to_be_asked() {
        let row = |row: Json| json!({ "tools_metadata": { "value": [row] } });
        let usual = tool(json!({}));
        assert_eq!((usual.name.as_str(), usual.approval), ("fields", false));
        let set = tool(row(json!({
            "tags": ["fields"], "name": "my fields", "description": "Mine.", "status": true, "approval": true,
        })));
        assert_eq!(
            (set.name.as_str(), set.description.as_str(), set.approval),
            ("my-fields", "Mine.", true)
        );
        let asked = row(json!({ "tags": ["fields"], "approval_actions": ["approve", "reject"] }));
        assert!(tool(asked).approval);
        let odd =
            row(json!({ "tags": ["fields"], "approval": "yes", "approval_actions": [], "status": null }));
        assert!(!tool(odd).approval);
        assert!(tools(row(json!({ "tags": ["fields"], "status": false }))).is_empty());
        let other = row(json!({ "tags": ["else"], "status": false, "name": "x" }));
        assert_eq!(tool(other).name, "fields");
    }

    #[test]
    fn fields_become_a_schema() {
        assert_eq!(
            tool(json!({})).schema,
            json!({
                "type": "object",
                "properties": {
                    "own": { "type": "string", "title": "Own", "description": "Own" },
                    "many": { "type": "array", "items": { "type": "integer" }, "title": "Many", "description": "Many" },
                    "how": { "type": "string", "enum": ["a", "b"], "title": "How", "description": "How" },
                },
                "required": ["many"],
            })
        );
    }

    #[tokio::test]
    async fn a_node_adds_arguments_and_takes_some_away() {
        let tool = tool(json!({
            "own": { "tool_mode": false },
            "kept": { "tool_mode": true },
            "In-1~text": { "tool_mode": true, "type": "str", "display_name": "Text", "info": "What to say." },
            "odd": 3,
        }));
        let names: Vec<_> = tool.schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(
            names,
            ["many", "how", "In-1-text"],
            "a component decides what is its own"
        );
        assert_eq!(
            tool.schema["properties"]["In-1-text"]["description"],
            "What to say."
        );
        let give = |name: &str| Map::from_iter([(name.to_owned(), json!("hi"))]);
        assert_eq!(
            (tool.call)(give("In-1-text"), None)
                .await
                .unwrap()
                .value
                .to_text(),
            "hi"
        );
        let failure = (tool.call)(give("own"), None).await.unwrap_err();
        assert!(
            failure.message.contains("it takes many, how, In-1-text"),
            "{failure:?}"
        );
    }
}
