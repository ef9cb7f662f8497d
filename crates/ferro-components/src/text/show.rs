//! Values as text for people.

use std::sync::Arc;

use ferro_engine::{Table, Value};
use serde_json::Value as Json;

/// Whether tables lose their empty rows and texts their runs of blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tidy {
    AsIs,
    Clean,
}

/// JSON in a fenced block, a table as markdown, a list line by line, anything else as its text.
pub(crate) fn stringify(value: &Value, tidy: Tidy) -> String {
    match value {
        Value::Data(data) => fenced(&Json::Object(data.map.clone())),
        Value::Plain(json) if json.is_object() || json.is_array() => match Value::from_json((**json).clone())
        {
            Value::Plain(json) => fenced(&json),
            other => stringify(&other, tidy),
        },
        Value::Table(table) => match tidy {
            Tidy::AsIs => table.to_markdown(),
            Tidy::Clean => without_empty_rows(table).to_markdown(),
        },
        Value::List(items) => items
            .iter()
            .map(|item| stringify(item, tidy))
            .collect::<Vec<_>>()
            .join("\n"),
        other => other.to_text().into_owned(),
    }
}

fn fenced(json: &Json) -> String {
    format!(
        "```json\n{}\n```",
        serde_json::to_string_pretty(json).unwrap_or_default()
    )
}

fn without_empty_rows(table: &Arc<Table>) -> Arc<Table> {
    let empty = |cell: &Json| cell.is_null() || cell.as_str().is_some_and(|text| text.trim().is_empty());
    if !table.cells.iter().any(|row| row.iter().all(empty)) {
        return Arc::clone(table);
    }
    let cells = table
        .cells
        .iter()
        .filter(|row| !row.iter().all(empty))
        .cloned()
        .collect();
    Arc::new(Table {
        columns: table.columns.clone(),
        cells,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_has_a_text() {
        let data = Value::from_json(json!({ "a": 1 }));
        assert_eq!(stringify(&data, Tidy::Clean), "```json\n{\n  \"a\": 1\n}\n```");
        let list = Value::List([Value::text("x"), Value::plain(2)].into());
        assert_eq!(stringify(&list, Tidy::AsIs), "x\n2");
        let table = Value::table(Table {
            columns: vec!["a".into()],
            cells: vec![vec![json!("")], vec![json!(1)]],
        });
        assert_eq!(stringify(&table, Tidy::Clean), "| a |\n| :--- |\n| 1 |");
        assert_eq!(stringify(&table, Tidy::AsIs), "| a |\n| :--- |\n|  |\n| 1 |");
    }
}
