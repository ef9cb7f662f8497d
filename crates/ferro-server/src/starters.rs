//! Starter flows: small flows to begin from and to learn by. Those that ask a model come with the rehearsal model, so
//! that they run anywhere; a person with a provider of their own gets them with their own model.
//!
//! Each is a text spec and a note in `starters/`. They are built against the components as they are now, so that
//! no starter carries an old field.

use std::sync::OnceLock;

use anyhow::{Context as _, anyhow};
use ferro_engine::{Catalog, Entry};
use ferro_llm::ModelKind;
use ferro_model::edit::Moved;
use ferro_model::model_value;
use ferro_model::spec::{self, Spec};
use ferro_model::{Document, Edit, FlowData, apply};
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::app::components::{enter_tool_mode, name_tools};

/// Room for the note, left of the first node.
const NOTE_X: f64 = -420.0;

struct Source {
    slug: &'static str,
    icon: &'static str,
    tags: &'static [&'static str],
    spec: &'static str,
    note: &'static str,
}

macro_rules! source {
    ($slug:literal, $icon:literal, $tags:expr) => {
        Source {
            slug: $slug,
            icon: $icon,
            tags: &$tags,
            spec: include_str!(concat!("../starters/", $slug, ".spec")),
            note: include_str!(concat!("../starters/", $slug, ".md")),
        }
    };
}

/// In the order in which one would try them.
const SOURCES: &[Source] = &[
    source!("echo", "message-circle", ["basics"]),
    source!("text-pipeline", "type", ["basics", "text"]),
    source!("calculator", "calculator", ["basics"]),
    source!("branch", "split", ["control"]),
    source!("csv-report", "table", ["tables"]),
    source!("loop", "repeat", ["control", "tables"]),
    source!("sub-flow", "workflow", ["control"]),
    source!("approval", "user-check", ["control", "people"]),
    source!("webhook", "webhook", ["api"]),
    source!("web-digest", "newspaper", ["web"]),
    source!("basic-prompting", "brain-circuit", ["models", "chatbots"]),
    source!("memory-chatbot", "messages-square", ["models", "chatbots"]),
    source!("structured-extraction", "braces", ["models", "tables"]),
    source!("text-sentiment", "route", ["models", "control"]),
    source!("review-table", "list-checks", ["models", "tables"]),
    source!("simple-agent", "bot", ["agents", "models"]),
    source!("sequential-agents", "arrow-right-left", ["agents", "models"]),
    source!("multi-agent", "users", ["agents", "models"]),
];

#[derive(Clone, Debug)]
pub struct Starter {
    /// Always the same, so that clients can tell starters apart.
    pub id: Uuid,
    /// What the command line calls it.
    pub slug: &'static str,
    pub name: String,
    pub description: String,
    pub icon: &'static str,
    pub tags: &'static [&'static str],
    pub data: FlowData,
}

impl Starter {
    /// As a file to take away: what `POST /api/v1/flows` and Langflow's import read.
    pub fn export(&self) -> String {
        #[derive(Serialize)]
        struct Export<'a> {
            name: &'a str,
            description: &'a str,
            icon: &'a str,
            tags: &'a [&'a str],
            is_component: bool,
            endpoint_name: Option<&'a str>,
            data: &'a FlowData,
        }
        let export = Export {
            name: &self.name,
            description: &self.description,
            icon: self.icon,
            tags: self.tags,
            is_component: false,
            endpoint_name: None,
            data: &self.data,
        };
        serde_json::to_string(&export).unwrap_or_default()
    }
}

pub fn slugs() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|source| source.slug)
}

/// All of them, built once: the components are part of the program.
pub fn all(catalog: &Catalog) -> &'static [Starter] {
    static ALL: OnceLock<Vec<Starter>> = OnceLock::new();
    ALL.get_or_init(|| {
        let built = SOURCES.iter().map(|source| (source.slug, build(source, catalog)));
        let kept = built.filter_map(|(slug, starter)| match starter {
            Ok(starter) => Some(starter),
            Err(error) => {
                tracing::error!(slug, "the starter {slug} is left out: {error:#}");
                None
            }
        });
        kept.collect()
    })
}

/// The one with this slug or name, however it is capitalised.
pub fn find(catalog: &Catalog, name: &str) -> Option<anyhow::Result<Starter>> {
    let called = |source: &&Source| {
        let spec = spec::parse(source.spec).ok();
        source.slug.eq_ignore_ascii_case(name)
            || spec.is_some_and(|spec| spec.name.eq_ignore_ascii_case(name))
    };
    SOURCES.iter().find(called).map(|source| build(source, catalog))
}

fn build(source: &Source, catalog: &Catalog) -> anyhow::Result<Starter> {
    let spec = spec::parse(source.spec)?;
    spec::validate_references(&spec)?;
    let data = nodes(source.slug, &spec, catalog)?;
    let data = wired(source, &spec, catalog, &data)?;
    Ok(Starter {
        id: id_of(&format!("starter/{}", source.slug)),
        slug: source.slug,
        name: spec.name,
        description: spec.description,
        icon: source.icon,
        tags: source.tags,
        data,
    })
}

fn id_of(what: &str) -> Uuid {
    Uuid::new_v5(
        &Uuid::NAMESPACE_URL,
        format!("https://ferroflow.dev/{what}").as_bytes(),
    )
}

/// `<type>-<five letters and digits>`, the same in every build.
fn node_id(slug: &str, node: &str, r#type: &str) -> String {
    let digits = id_of(&format!("starter/{slug}/{node}")).simple().to_string();
    format!("{type}-{}", digits.get(..5).unwrap_or_default())
}

fn no_ids() -> String {
    String::new()
}

/// The nodes without wires, named as in the spec and with its values.
fn nodes(slug: &str, spec: &Spec, catalog: &Catalog) -> anyhow::Result<FlowData> {
    let empty = FlowData::parse(r#"{"nodes":[],"edges":[],"viewport":{"x":0,"y":0,"zoom":1}}"#)?;
    let mut document = Document::new(&empty);
    for node in &spec.nodes {
        let add = Edit::Add {
            r#type: node.r#type.clone(),
            id: Some(node_id(slug, &node.id, &node.r#type)),
            x: 0.0,
            y: 0.0,
        };
        apply(&mut document, catalog.registry(), add, &mut no_ids)?;
    }
    let mut tree: Json = serde_json::from_str(document.to_data()?.as_str())?;
    let made = tree
        .get_mut("nodes")
        .and_then(Json::as_array_mut)
        .context("no nodes were made")?;
    for (node, made) in spec.nodes.iter().zip(made) {
        let entry = catalog
            .get(&node.r#type)
            .with_context(|| format!("no component {}", node.r#type))?;
        let made = made.pointer_mut("/data/node").context("a node without data")?;
        made["display_name"] = node.id.replace('_', " ").into();
        let config = spec
            .config
            .iter()
            .filter(|(id, _)| *id == node.id)
            .flat_map(|(_, fields)| fields);
        for (field, value) in config {
            set(made, entry, field, value).with_context(|| format!("{}.{field}", node.id))?;
        }
        give_models(made, &rehearsal);
    }
    Ok(FlowData::parse(&tree.to_string())?)
}

/// The rehearsal model of a kind, as a model field keeps it.
pub fn rehearsal(kind: &str) -> Option<Json> {
    let kind = if kind == "embedding" {
        ModelKind::Embedding
    } else {
        ModelKind::Language
    };
    let provider = ferro_llm::catalog().provider(ferro_llm::rehearsal::PROVIDER)?;
    let model = provider.default_model(kind)?;
    Some(json!([{ "provider": provider.name, "name": model.name, "icon": provider.icon }]))
}

/// Puts a model into every model field of a node (`data.node`) that has none, or has the rehearsal one.
fn give_models(node: &mut Json, model: &impl Fn(&str) -> Option<Json>) {
    let Some(Json::Object(template)) = node.get_mut("template") else {
        return;
    };
    for field in template.values_mut() {
        if field.get("type").and_then(Json::as_str) != Some("model") {
            continue;
        }
        let chosen = model_value::parse(field.get("value").unwrap_or(&Json::Null));
        let ours = chosen.is_ok_and(|chosen| {
            chosen
                .iter()
                .any(|chosen| chosen.provider != ferro_llm::rehearsal::PROVIDER)
        });
        let kind = field
            .get("model_type")
            .and_then(Json::as_str)
            .unwrap_or("language");
        if let (false, Some(model)) = (ours, model(kind)) {
            field["value"] = model;
        }
    }
}

/// A starter's document with other models than the rehearsal one.
pub fn with_models(data: &FlowData, model: &impl Fn(&str) -> Option<Json>) -> FlowData {
    let Ok(mut tree) = serde_json::from_str::<Json>(data.as_str()) else {
        return data.clone();
    };
    for node in tree
        .get_mut("nodes")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
    {
        if let Some(node) = node.pointer_mut("/data/node") {
            give_models(node, model);
        }
    }
    FlowData::parse(&tree.to_string()).unwrap_or_else(|_| data.clone())
}

/// Sets a field, and everything that depends on it, as the canvas would.
fn set(node: &mut Json, entry: &Entry, field: &str, value: &Json) -> anyhow::Result<()> {
    let known = node
        .pointer_mut(&format!("/template/{field}"))
        .filter(|known| known.is_object());
    let known = known.context("there is no such field")?;
    let value = fitting(known, value)?;
    known["value"] = value.clone();
    entry
        .component
        .refresh(node, field, &value)
        .map_err(|failure| anyhow!(failure.message))
}

/// A spec knows words and numbers only; the field says what they stand for.
fn fitting(field: &Json, value: &Json) -> anyhow::Result<Json> {
    let kind = field.get("type").and_then(Json::as_str).unwrap_or_default();
    let is_list = field.get("list").and_then(Json::as_bool).unwrap_or_default();
    Ok(match (kind, value) {
        ("sortableList", Json::String(name)) => {
            let options = field
                .get("options")
                .and_then(Json::as_array)
                .map_or(&[][..], Vec::as_slice);
            let chosen = options
                .iter()
                .find(|option| option.get("name").and_then(Json::as_str) == Some(name));
            Json::Array(vec![
                chosen
                    .with_context(|| format!("there is no choice {name}"))?
                    .clone(),
            ])
        }
        ("str" | "table", Json::String(text)) if is_list && text.starts_with('[') => {
            serde_json::from_str(text)?
        }
        ("str" | "prompt", Json::Number(_) | Json::Bool(_)) => value.to_string().into(),
        _ => value.clone(),
    })
}

/// Adds the wires, a place for every node, and the note.
fn wired(source: &Source, spec: &Spec, catalog: &Catalog, data: &FlowData) -> anyhow::Result<FlowData> {
    let mut document = Document::new(data);
    let id = |name: &str| {
        let node = spec.nodes.iter().find(|node| node.id == name);
        node.map(|node| node_id(source.slug, &node.id, &node.r#type))
            .unwrap_or_default()
    };
    for edge in &spec.edges {
        let connect = Edit::Connect {
            source: id(&edge.source_id),
            output: edge.source_output.clone(),
            target: id(&edge.target_id),
            input: edge.target_input.clone(),
        };
        apply(&mut document, catalog.registry(), connect, &mut no_ids)?;
    }
    let placed = name_agents(&document.to_data()?, catalog)?;
    let mut document = Document::new(&placed);
    let view = ferro_model::read(&placed);
    let places = ferro_model::layout::layout(&view);
    let top = places.iter().map(|place| place.y).fold(0.0, f64::min);
    let moves = view.nodes.iter().zip(places).map(|(node, place)| Moved {
        node: node.id.to_string(),
        x: place.x,
        y: place.y,
    });
    let moves = Edit::Move {
        moves: moves.collect(),
    };
    apply(&mut document, catalog.registry(), moves, &mut no_ids)?;
    let note = Edit::Note {
        node: None,
        text: Some(source.note.trim().to_owned()),
        color: Some("neutral".to_owned()),
        x: NOTE_X,
        y: top,
    };
    let mut ids = || {
        node_id(source.slug, "note", "note")
            .trim_start_matches("note-")
            .to_owned()
    };
    apply(&mut document, catalog.registry(), note, &mut ids)?;
    Ok(document.to_data()?)
}

/// An agent that serves another as a tool is known by the name of its node and by what its instructions say first.
fn name_agents(data: &FlowData, catalog: &Catalog) -> anyhow::Result<FlowData> {
    let mut tree: Json = serde_json::from_str(data.as_str())?;
    let entry = catalog.get("Agent").context("no component Agent")?;
    let nodes = tree.get_mut("nodes").and_then(Json::as_array_mut);
    for node in nodes.into_iter().flatten() {
        if node.pointer("/data/type").and_then(Json::as_str) != Some("Agent") {
            continue;
        }
        let Some(node) = node.pointer_mut("/data/node") else {
            continue;
        };
        if node["tool_mode"] == true {
            let text = |path: &str| {
                node.pointer(path)
                    .and_then(Json::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            let (name, says) = (text("/display_name"), text("/template/system_prompt/value"));
            enter_tool_mode(node, &entry.descriptor);
            name_tools(
                node,
                &name,
                says.split_inclusive('.').next().unwrap_or_default().trim(),
            );
        }
    }
    Ok(FlowData::parse(&tree.to_string())?)
}

#[cfg(test)]
mod tests {
    use ferro_model::Severity;

    use super::*;

    fn catalog() -> Catalog {
        let net = ferro_net::Client::new(ferro_net::AddressPolicy::default()).unwrap();
        Catalog::new(ferro_components::all(&ferro_components::Shared::new(net)))
    }

    #[test]
    fn every_starter_builds_without_a_problem_and_always_the_same() {
        let catalog = catalog();
        for source in SOURCES {
            let starter =
                build(source, &catalog).unwrap_or_else(|error| panic!("{}: {error:#}", source.slug));
            let found = ferro_model::problems(&starter.data, catalog.registry(), None);
            let errors: Vec<_> = found
                .iter()
                .filter(|problem| problem.severity == Severity::Error)
                .collect();
            assert!(errors.is_empty(), "{}: {errors:#?}", source.slug);
            assert_eq!(
                build(source, &catalog).unwrap().data.as_str(),
                starter.data.as_str()
            );
            assert!(
                !starter.name.is_empty() && starter.description.ends_with('.'),
                "{}",
                source.slug
            );
            assert!(
                !starter.tags.is_empty() && !starter.icon.is_empty(),
                "{}",
                source.slug
            );
            assert_eq!(starter.data.summary().notes, 1, "{}", source.slug);
        }
        assert_eq!(all(&catalog).len(), SOURCES.len());
    }

    #[test]
    fn no_two_nodes_lie_on_each_other() {
        let catalog = catalog();
        for starter in all(&catalog) {
            let view = ferro_model::read(&starter.data);
            let places: Vec<_> = view.nodes.iter().map(|node| node.position.unwrap()).collect();
            for (at, one) in places.iter().enumerate() {
                for other in places.iter().skip(at + 1) {
                    let apart = (one.x - other.x).abs() >= 324.0 || (one.y - other.y).abs() >= 140.0;
                    assert!(apart, "{}: {one:?} {other:?}", starter.slug);
                }
            }
        }
    }

    #[test]
    fn they_are_found_by_slug_and_name() {
        let catalog = catalog();
        for name in ["text-pipeline", "Text pipeline", "TEXT PIPELINE"] {
            assert_eq!(find(&catalog, name).unwrap().unwrap().slug, "text-pipeline");
        }
        assert!(find(&catalog, "nothing").is_none());
    }
}
