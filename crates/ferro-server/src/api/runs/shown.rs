//! Values as a person who looks into a run sees them: as much as fits, and how much there is.

use ferro_engine::{Kept, Value};
use serde::Serialize;
use serde_json::Value as Json;
use utoipa::ToSchema;

/// A value, or as much of it as is shown.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Shown {
    pub kind: ShownKind,
    /// A text; any JSON; the rows of a table, each an object. JSON that is cut is the beginning of its text.
    #[schema(value_type = Object)]
    pub value: Json,
    /// How long all of it is, written down.
    pub bytes: usize,
    pub cut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShownKind {
    Text,
    Json,
    Table,
    /// There is nothing, or nothing that can be shown.
    None,
    /// It is there, and shown to nobody.
    Secret,
}

impl Shown {
    pub const NONE: Self = Self::empty(ShownKind::None);
    pub const SECRET: Self = Self::empty(ShownKind::Secret);

    const fn empty(kind: ShownKind) -> Self {
        Self {
            kind,
            value: Json::Null,
            bytes: 0,
            cut: false,
        }
    }

    pub fn of(value: &Value, most: usize) -> Self {
        match value {
            Value::Null | Value::Live(_) => Self::NONE,
            Value::Message(message) => Self::text(&message.text, most),
            Value::Plain(json) => Self::json(json, most),
            Value::Table(table) => Self::rows(table.rows().map(Json::Object), most),
            Value::Data(_) | Value::List(_) | Value::Tools(_) => Self::json(&value.to_json(), most),
        }
    }

    pub fn text(text: &str, most: usize) -> Self {
        let shown = begin(text, most);
        Self {
            kind: ShownKind::Text,
            bytes: text.len(),
            cut: shown.len() < text.len(),
            value: shown.into(),
        }
    }

    pub fn json(json: &Json, most: usize) -> Self {
        match json {
            Json::Null => return Self::NONE,
            Json::String(text) => return Self::text(text, most),
            _ => {}
        }
        let text = json.to_string();
        let cut = text.len() > most;
        Self {
            kind: ShownKind::Json,
            value: if cut {
                begin(&text, most).into()
            } else {
                json.clone()
            },
            bytes: text.len(),
            cut,
        }
    }

    /// What the log kept of a text: as JSON where it is some.
    pub fn kept(kept: &Kept, most: usize) -> Self {
        let looks_like_json = kept.text.starts_with(['{', '[']);
        let mut shown = match serde_json::from_str::<Json>(&kept.text) {
            Ok(json) if looks_like_json => Self::json(&json, most),
            _ => Self::text(&kept.text, most),
        };
        if looks_like_json && kept.cut {
            shown.kind = ShownKind::Json;
        }
        shown.bytes = kept.bytes;
        shown.cut |= kept.cut;
        shown
    }

    fn rows(rows: impl Iterator<Item = Json>, most: usize) -> Self {
        let (mut shown, mut bytes, mut cut) = (Vec::new(), 2, false);
        for row in rows {
            bytes += row.to_string().len() + 1;
            if bytes <= most {
                shown.push(row);
            } else {
                cut = true;
            }
        }
        Self {
            kind: ShownKind::Table,
            value: shown.into(),
            bytes,
            cut,
        }
    }
}

fn begin(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Message, Table};
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_is_whole() {
        let text = Shown::of(&Value::Message(Message::text("häh").into()), 4);
        assert_eq!(
            (text.kind, text.value, text.bytes, text.cut),
            (ShownKind::Text, json!("häh"), 4, false)
        );
        let map = Shown::json(&json!({ "a": [1, 2] }), 100);
        assert_eq!(
            (map.kind, map.value, map.cut),
            (ShownKind::Json, json!({ "a": [1, 2] }), false)
        );
        assert_eq!(Shown::of(&Value::Null, 9).kind, ShownKind::None);
    }

    #[test]
    fn what_does_not_is_cut_and_says_so() {
        let text = Shown::text("häh", 2);
        assert_eq!((text.value, text.bytes, text.cut), (json!("h"), 4, true));
        let map = Shown::json(&json!({ "a": [1, 2] }), 5);
        assert_eq!(
            (map.kind, map.value, map.bytes, map.cut),
            (ShownKind::Json, json!("{\"a\":"), 11, true)
        );
        let rows = json!([{ "n": 1 }, { "n": 2 }, { "n": 3 }]);
        let rows = rows
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|row| row.as_object().cloned());
        let table = Shown::of(&Value::table(Table::from_rows(rows)), 20);
        assert_eq!(
            (table.kind, table.value, table.cut),
            (ShownKind::Table, json!([{ "n": 1 }, { "n": 2 }]), true)
        );
    }

    #[test]
    fn a_body_that_the_log_cut_stays_cut() {
        let kept = Kept::new(r#"{"model":"m","messages":[]}"#.to_owned(), 10);
        let shown = Shown::kept(&kept, 4096);
        assert_eq!(
            (shown.kind, shown.value, shown.bytes, shown.cut),
            (ShownKind::Json, json!(r#"{"model":""#), 27, true)
        );
        let kept = Kept::new(r#"{"model":"m"}"#.to_owned(), 100);
        assert_eq!(Shown::kept(&kept, 4096).value, json!({ "model": "m" }));
        let kept = Kept::new("42".to_owned(), 100);
        assert_eq!(
            Shown::kept(&kept, 4096).value,
            json!("42"),
            "a text that is a number is a text"
        );
    }
}
