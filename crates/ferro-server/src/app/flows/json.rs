//! Flows as JSON text. The document goes in as it is stored, so that it comes out byte for byte.

use ferro_store::{Access, FlowHeader};
use serde::{Serialize, ser::SerializeMap as _};
use serde_json::value::RawValue;

use crate::app::flows::fields::RawObject;

/// As `FlowRead`: everything, with the document.
pub fn read(header: &FlowHeader, data: Option<&str>) -> String {
    let mut text = text_of(&Whole {
        header,
        form: Form::Read,
    });
    text.pop();
    text.reserve(data.map_or(4, str::len) + 16);
    text.push_str(",\"data\":");
    text.push_str(data.unwrap_or("null"));
    text.push('}');
    text
}

/// As `FlowHeader`: everything but the document, and what was counted in it.
pub fn header(header: &FlowHeader) -> String {
    text_of(&Whole {
        header,
        form: Form::Header,
    })
}

/// As a file to take away: nothing of this server, everything of the flow.
pub fn export(header: &FlowHeader, data: Option<&str>) -> String {
    let mut text = text_of(&Whole {
        header,
        form: Form::Export,
    });
    text.pop();
    text.push_str(",\"data\":");
    text.push_str(data.unwrap_or("null"));
    text.push('}');
    text
}

/// `[a,b,c]` of texts that are JSON already.
pub fn array(items: impl IntoIterator<Item = String>) -> String {
    let mut text = String::from("[");
    for item in items {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&item);
    }
    text.push(']');
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Read,
    Header,
    Export,
}

struct Whole<'a> {
    header: &'a FlowHeader,
    form: Form,
}

fn text_of(whole: &Whole<'_>) -> String {
    serde_json::to_string(whole).unwrap_or_else(|_| "{}".to_owned())
}

impl Serialize for Whole<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let h = self.header;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &h.id)?;
        map.serialize_entry("name", &h.name)?;
        map.serialize_entry("description", &h.description)?;
        map.serialize_entry("icon", &h.icon)?;
        map.serialize_entry("icon_bg_color", &h.icon_bg_color)?;
        map.serialize_entry("gradient", &h.gradient)?;
        map.serialize_entry("is_component", &h.is_component)?;
        map.serialize_entry("endpoint_name", &h.endpoint_name)?;
        map.serialize_entry("tags", &raw(&h.tags))?;
        map.serialize_entry("locked", &h.locked)?;
        map.serialize_entry("mcp_enabled", &h.mcp_enabled)?;
        map.serialize_entry("action_name", &h.action_name)?;
        map.serialize_entry("action_description", &h.action_description)?;
        map.serialize_entry("flow_type", &h.flow_type)?;
        map.serialize_entry("a2a_enabled", &h.a2a_enabled)?;
        if self.form != Form::Export {
            map.serialize_entry("access_type", access(h.access_type))?;
            map.serialize_entry("webhook", &h.webhook)?;
            map.serialize_entry("user_id", &h.user_id)?;
            map.serialize_entry("folder_id", &h.folder_id)?;
            map.serialize_entry("revision", &h.revision)?;
            map.serialize_entry("created_at", &h.created_at)?;
            map.serialize_entry("updated_at", &h.updated_at)?;
        }
        if self.form == Form::Header {
            map.serialize_entry("node_count", &h.node_count)?;
            map.serialize_entry("edge_count", &h.edge_count)?;
            map.serialize_entry("note_count", &h.note_count)?;
        }
        if h.extra != "{}"
            && let Ok(extra) = serde_json::from_str::<RawObject>(&h.extra)
        {
            for (name, value) in &extra.0 {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

pub fn access(access: Access) -> &'static str {
    match access {
        Access::Private => "PRIVATE",
        Access::Public => "PUBLIC",
    }
}

fn raw(text: &str) -> Option<&RawValue> {
    serde_json::from_str(text).ok()
}
