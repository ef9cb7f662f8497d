//! What goes into the file, in each format.

use ferro_engine::{Failure, Table, Value};
use serde_json::{Value as Json, json};

use crate::documents::{self, separated, sheet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Excel,
    Json,
    Markdown,
    Text,
    Html,
}

impl Format {
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(
            match name.trim().trim_start_matches('.').to_lowercase().as_str() {
                "csv" => Self::Csv,
                "excel" | "xlsx" => Self::Excel,
                "json" => Self::Json,
                "markdown" | "md" => Self::Markdown,
                "txt" | "text" => Self::Text,
                "html" => Self::Html,
                _ => return None,
            },
        )
    }

    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Excel => "xlsx",
            Self::Json => "json",
            Self::Markdown => "md",
            Self::Text => "txt",
            Self::Html => "html",
        }
    }

    /// More can be put at its end without reading what is there.
    pub(super) fn grows(self) -> bool {
        matches!(self, Self::Markdown | Self::Text | Self::Html)
    }
}

/// The bytes to write; `old` is what is there already, when it is to be kept.
pub(super) fn content(
    value: &Value,
    format: Format,
    name: &str,
    old: Option<&[u8]>,
) -> Result<Vec<u8>, Failure> {
    let rows = |old: Option<&[u8]>| -> Result<Table, Failure> {
        let new = Table::from_rows(value.rows());
        // A table keeps its own order of columns.
        let new = if let Value::Table(table) = value {
            (**table).clone()
        } else {
            new
        };
        let Some(old) = old else { return Ok(new) };
        Ok(joined(documents::read(name, old)?.table.unwrap_or_default(), new))
    };
    let line_before = |text: String| if old.is_some() { format!("\n{text}") } else { text };
    Ok(match format {
        Format::Csv => separated::write(&rows(old)?)?,
        Format::Excel => sheet::write(&rows(old)?)?,
        Format::Json => json_bytes(value, name, old)?,
        Format::Text => line_before(value.to_text().into_owned()).into_bytes(),
        Format::Markdown => line_before(markdown(value)).into_bytes(),
        Format::Html => line_before(html(value)).into_bytes(),
    })
}

fn joined(old: Table, new: Table) -> Table {
    if old.columns.is_empty() {
        return new;
    }
    let mut all = old;
    for column in &new.columns {
        if all.column(column).is_none() {
            all.columns.push(column.clone());
        }
    }
    let width = all.columns.len();
    let places: Vec<usize> = new
        .columns
        .iter()
        .filter_map(|column| all.column(column))
        .collect();
    for row in &mut all.cells {
        row.resize(width, Json::Null);
    }
    for row in new.cells {
        let mut cells = vec![Json::Null; width];
        for (place, cell) in places.iter().zip(row) {
            cells[*place] = cell;
        }
        all.cells.push(cells);
    }
    all
}

fn json_bytes(value: &Value, name: &str, old: Option<&[u8]>) -> Result<Vec<u8>, Failure> {
    let new = match value {
        Value::Message(message) => json!({ "message": message.text }),
        Value::Plain(json) if json.is_string() => json!({ "message": **json }),
        other => other.to_json(),
    };
    let all = match old {
        None => new,
        Some(old) => {
            let list = |json: Json| {
                if let Json::Array(items) = json {
                    items
                } else {
                    vec![json]
                }
            };
            let mut items = list(documents::read(name, old)?.json.unwrap_or_default());
            items.extend(list(new));
            Json::Array(items)
        }
    };
    serde_json::to_vec_pretty(&all).map_err(|error| {
        Failure::new(
            ferro_engine::Cause::Internal,
            format!("The JSON could not be written: {error}"),
        )
    })
}

fn markdown(value: &Value) -> String {
    match value {
        Value::Data(data) if !data.map.contains_key(&*data.text_key) => {
            format!(
                "```json\n{}\n```",
                serde_json::to_string_pretty(&data.map).unwrap_or_default()
            )
        }
        other => other.to_text().into_owned(),
    }
}

fn html(value: &Value) -> String {
    let escape = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    };
    let table = match value {
        Value::Table(table) => (**table).clone(),
        Value::List(_) => Table::from_rows(value.rows()),
        other => return format!("<pre>{}</pre>\n", escape(&markdown(other))),
    };
    let row = |cells: &mut dyn Iterator<Item = String>, tag: &str| -> String {
        let cells: String = cells
            .map(|cell| format!("<{tag}>{}</{tag}>", escape(&cell)))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let text = |cell: &Json| match cell {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut page = String::from("<table>\n");
    page += &row(&mut table.columns.iter().cloned(), "th");
    for cells in &table.cells {
        page += &row(&mut cells.iter().map(text), "td");
    }
    page + "</table>\n"
}
