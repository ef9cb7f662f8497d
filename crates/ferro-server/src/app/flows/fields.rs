//! A flow's top-level fields as a client or a file gives them. What we have no name for is kept, not refused:
//! people bring files of other versions and must find everything in them again.

use std::fmt;

use ferro_model::FlowData;
use ferro_store::{Access, Document, FlowChange, FlowId, NewFlow, ProjectId};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    app::projects::checked_name,
    error::{AppError, FieldError, Result},
    http::extract::NO_NUL,
};

const MAX_EXTRA: usize = 256 << 10;

/// Members of a JSON object in the order they came, each as its exact text.
pub struct RawObject(pub Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = RawObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    members.push((name, value));
                }
                Ok(RawObject(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// `None`: not said. For fields that can be empty, `Some(None)`: said to be empty.
#[derive(Clone, Default)]
pub struct FlowFields {
    pub id: Option<FlowId>,
    pub name: Option<String>,
    pub description: Option<Option<String>>,
    pub data: Option<FlowData>,
    pub folder_id: Option<ProjectId>,
    pub endpoint_name: Option<Option<String>>,
    pub icon: Option<Option<String>>,
    pub icon_bg_color: Option<Option<String>>,
    pub gradient: Option<Option<String>>,
    pub tags: Option<String>,
    pub locked: Option<bool>,
    pub is_component: Option<bool>,
    pub mcp_enabled: Option<bool>,
    pub action_name: Option<Option<String>>,
    pub action_description: Option<Option<String>>,
    pub access_type: Option<Access>,
    pub flow_type: Option<String>,
    pub a2a_enabled: Option<bool>,
    /// JSON object text of everything else, if there was anything else.
    pub extra: Option<String>,
}

/// Fields the server makes; a client that sends back what it read is not wrong, it is just not asked.
const SERVER_MADE: &[&str] = &[
    "user_id",
    "updated_at",
    "created_at",
    "revision",
    "webhook",
    "node_count",
    "edge_count",
    "note_count",
    "fs_path",
    "name_key",
    "workspace_id",
    "public_access",
];

impl FlowFields {
    pub fn read(object: RawObject) -> Result<Self> {
        let mut fields = Self::default();
        let mut extra: Vec<(String, Box<RawValue>)> = Vec::new();
        let mut errors = Vec::new();
        for (name, value) in object.0 {
            if let Err(message) = fields.take(&name, value, &mut extra) {
                errors.push(FieldError { field: name, message });
            }
        }
        if !extra.is_empty() {
            let text = object_text(&extra);
            if text.len() > MAX_EXTRA {
                errors.push(FieldError {
                    field: String::new(),
                    message: "unknown fields take more than 256 kB".into(),
                });
            }
            fields.extra = Some(text);
        }
        if errors.is_empty() {
            Ok(fields)
        } else {
            Err(AppError::invalid_fields(errors))
        }
    }

    fn take(
        &mut self,
        name: &str,
        value: Box<RawValue>,
        extra: &mut Vec<(String, Box<RawValue>)>,
    ) -> Result<(), String> {
        let raw = value.get();
        match name {
            "id" => self.id = maybe(raw)?,
            "name" => {
                self.name = maybe::<String>(raw)?
                    .map(|name| {
                        checked_name(&name)
                            .map_err(|_| "must have 1 to 255 characters and no control characters")
                    })
                    .transpose()?
            }
            "description" => self.description = Some(limited(raw, 20_000)?),
            "data" => {
                if raw != "null" {
                    let data = FlowData::from_raw(value).map_err(|error| error.to_string())?;
                    // A model that was written down in a wrong form is put right, the rest stays byte for byte.
                    self.data = Some(ferro_model::repair_models(&data).unwrap_or(data));
                }
            }
            "folder_id" => self.folder_id = maybe(raw)?,
            "endpoint_name" => self.endpoint_name = Some(endpoint_name(raw)?),
            "icon" => self.icon = Some(limited(raw, 100)?),
            "icon_bg_color" => self.icon_bg_color = Some(colour(raw)?),
            "gradient" => self.gradient = Some(limited(raw, 100)?),
            "tags" => self.tags = Some(tags(raw)?),
            "locked" => self.locked = maybe(raw)?,
            "is_component" => self.is_component = maybe(raw)?,
            "mcp_enabled" => self.mcp_enabled = maybe(raw)?,
            "action_name" => self.action_name = Some(limited(raw, 255)?),
            "action_description" => self.action_description = Some(limited(raw, 20_000)?),
            "access_type" => self.access_type = access(raw)?,
            "flow_type" => self.flow_type = flow_type(raw)?,
            "a2a_enabled" => self.a2a_enabled = maybe(raw)?,
            name if SERVER_MADE.contains(&name) => {}
            _ => extra.push((name.to_owned(), value)),
        }
        Ok(())
    }

    pub fn into_new(self, folder: ProjectId, fallback_name: &str) -> Result<NewFlow> {
        let name = match self.name {
            Some(name) => name,
            None => checked_name(fallback_name)?,
        };
        Ok(NewFlow {
            id: self.id,
            folder_id: folder,
            name,
            description: self.description.flatten(),
            endpoint_name: self.endpoint_name.flatten(),
            icon: self.icon.flatten(),
            icon_bg_color: self.icon_bg_color.flatten(),
            gradient: self.gradient.flatten(),
            tags: self.tags.unwrap_or_else(|| "[]".to_owned()),
            locked: self.locked.unwrap_or(false),
            is_component: self.is_component.unwrap_or(false),
            mcp_enabled: self.mcp_enabled.unwrap_or(false),
            action_name: self.action_name.flatten(),
            action_description: self.action_description.flatten(),
            access_type: self.access_type.unwrap_or(Access::Private),
            flow_type: self.flow_type.unwrap_or_else(|| "workflow".to_owned()),
            a2a_enabled: self.a2a_enabled.unwrap_or(false),
            extra: self.extra.unwrap_or_else(|| "{}".to_owned()),
            data: self.data.as_ref().map(document),
        })
    }

    /// `known_extra` is what the flow already keeps; new unknown fields join it.
    pub fn into_change(self, known_extra: &str) -> Result<FlowChange> {
        let extra = self.extra.map(|new| merged(known_extra, &new)).transpose()?;
        Ok(FlowChange {
            folder_id: self.folder_id,
            name: self.name,
            description: self.description,
            endpoint_name: self.endpoint_name,
            icon: self.icon,
            icon_bg_color: self.icon_bg_color,
            gradient: self.gradient,
            tags: self.tags,
            locked: self.locked,
            is_component: self.is_component,
            mcp_enabled: self.mcp_enabled,
            action_name: self.action_name,
            action_description: self.action_description,
            access_type: self.access_type,
            flow_type: self.flow_type,
            a2a_enabled: self.a2a_enabled,
            extra,
            data: self.data.as_ref().map(document),
        })
    }
}

pub fn document(data: &FlowData) -> Document {
    let summary = data.summary();
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    Document {
        text: data.as_str().into(),
        node_count: count(summary.nodes),
        edge_count: count(summary.edges),
        note_count: count(summary.notes),
        webhook: summary.has_webhook,
    }
}

fn object_text(members: &[(String, Box<RawValue>)]) -> String {
    let mut text = String::from("{");
    for (at, (name, value)) in members.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(&serde_json::Value::from(name.as_str()).to_string());
        text.push(':');
        text.push_str(value.get());
    }
    text.push('}');
    text
}

fn merged(known: &str, new: &str) -> Result<String> {
    let read = |text: &str| serde_json::from_str::<RawObject>(text).map_err(AppError::internal);
    let (mut members, new) = (read(known)?.0, read(new)?.0);
    for (name, value) in new {
        match members.iter_mut().find(|(known, _)| *known == name) {
            Some(member) => member.1 = value,
            None => members.push((name, value)),
        }
    }
    Ok(object_text(&members))
}

/// `null` says nothing for a field that cannot be empty.
fn maybe<T: DeserializeOwned>(raw: &str) -> Result<Option<T>, String> {
    serde_json::from_str::<Option<T>>(raw).map_err(|error| {
        let text = error.to_string();
        text.split(" at line ").next().unwrap_or(&text).to_owned()
    })
}

fn limited(raw: &str, most: usize) -> Result<Option<String>, String> {
    let text = maybe::<String>(raw)?;
    match text {
        Some(text) if text.chars().count() > most => Err(format!("must have at most {most} characters")),
        Some(text) if text.contains('\0') => Err(NO_NUL.to_owned()),
        other => Ok(other),
    }
}

fn endpoint_name(raw: &str) -> Result<Option<String>, String> {
    let Some(name) = maybe::<String>(raw)?.filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    if name.len() > 255
        || !name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    {
        return Err("may have letters, digits, - and _ only".to_owned());
    }
    Ok(Some(name))
}

fn colour(raw: &str) -> Result<Option<String>, String> {
    let Some(text) = maybe::<String>(raw)?.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let hex = text.strip_prefix('#').unwrap_or_default();
    if hex.len() != 6 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err("must look like #3b82f6".to_owned());
    }
    Ok(Some(text))
}

fn tags(raw: &str) -> Result<String, String> {
    let tags = maybe::<Vec<String>>(raw)?;
    if let Some(tags) = &tags {
        if tags.len() > 50 {
            return Err("must be at most 50".to_owned());
        }
        if tags.iter().any(|tag| tag.chars().count() > 50) {
            return Err("must have at most 50 characters each".to_owned());
        }
    }
    serde_json::to_string(&tags.unwrap_or_default()).map_err(|error| error.to_string())
}

fn access(raw: &str) -> Result<Option<Access>, String> {
    match maybe::<String>(raw)?.as_deref() {
        None => Ok(None),
        Some("PRIVATE") => Ok(Some(Access::Private)),
        Some("PUBLIC") => Ok(Some(Access::Public)),
        Some(_) => Err("must be PRIVATE or PUBLIC".to_owned()),
    }
}

fn flow_type(raw: &str) -> Result<Option<String>, String> {
    match maybe::<String>(raw)? {
        None => Ok(None),
        Some(kind) if kind == "workflow" || kind == "agent" => Ok(Some(kind)),
        Some(_) => Err("must be workflow or agent".to_owned()),
    }
}
