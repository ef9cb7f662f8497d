//! Tables out of text: comma-separated values, markdown tables, and cells that are numbers.

use ferro_engine::Table;
use serde_json::Value as Json;

/// Comma-separated values with a header line. `None` when it does not look like that.
pub(crate) fn from_csv(text: &str) -> Option<Table> {
    let mut rows = records(text);
    if rows.len() < 2 {
        return None;
    }
    let header = rows.remove(0);
    if header.len() < 2 || rows.iter().any(|row| row.len() != header.len()) {
        return None;
    }
    Some(typed(header, rows))
}

/// Fields may be quoted; a doubled quote stands for one; lines without anything are left out.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row: Vec<String> = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    row.push(cell);
    rows.push(row);
    rows.retain(|row| row.iter().any(|cell| !cell.trim().is_empty()));
    rows
}

/// Whether the first line names the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    FirstLine,
    None,
}

/// One row per line, cells between separators; the rule under a markdown header is left out.
pub(crate) fn from_lines(text: &str, separator: &str, header: Header) -> Table {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut rows: Vec<Vec<String>> = lines
        .map(|line| cells(line, separator))
        .filter(|row| !is_rule(row))
        .collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut columns = match header {
        Header::FirstLine if !rows.is_empty() => rows.remove(0),
        _ => Vec::new(),
    };
    for at in columns.len()..width {
        columns.push(format!("col_{at}"));
    }
    typed(unique(columns), rows)
}

fn cells(line: &str, separator: &str) -> Vec<String> {
    if separator.is_empty() {
        return vec![line.to_owned()];
    }
    let line = line.strip_prefix(separator).unwrap_or(line);
    let line = line.strip_suffix(separator).unwrap_or(line);
    line.split(separator).map(|cell| cell.trim().to_owned()).collect()
}

fn is_rule(row: &[String]) -> bool {
    row.iter()
        .all(|cell| cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | ' ')))
}

/// Two columns of one name would hide each other in rows: the later one gets a number.
fn unique(columns: Vec<String>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::with_capacity(columns.len());
    for name in columns {
        let mut candidate = name.clone();
        let mut number = 1;
        while taken.contains(&candidate) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        taken.push(candidate);
    }
    taken
}

/// A column becomes numbers when all of its cells are.
fn typed(columns: Vec<String>, rows: Vec<Vec<String>>) -> Table {
    let numeric: Vec<bool> = (0..columns.len())
        .map(|at| {
            let mut filled = rows
                .iter()
                .filter_map(|row| row.get(at))
                .filter(|cell| !cell.is_empty())
                .peekable();
            filled.peek().is_some() && filled.all(|cell| number(cell).is_some())
        })
        .collect();
    let cell = |row: &[String], at: usize| match row.get(at) {
        Some(text) if numeric[at] => number(text).unwrap_or_default(),
        Some(text) => Json::String(text.clone()),
        None => Json::Null,
    };
    let cells = rows
        .iter()
        .map(|row| (0..columns.len()).map(|at| cell(row, at)).collect())
        .collect();
    Table { columns, cells }
}

/// The number a text stands for.
pub(crate) fn number(text: &str) -> Option<Json> {
    let text = text.trim();
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
        return None;
    }
    text.parse::<f64>()
        .ok()
        .and_then(serde_json::Number::from_f64)
        .map(Json::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_comma_separated_values() {
        let table = from_csv("name,note\r\n\"a, b\",\"says \"\"hi\"\"\"\r\n2,\n").unwrap();
        assert_eq!(table.columns, ["name", "note"]);
        assert_eq!(
            table.cells,
            [[json!("a, b"), json!("says \"hi\"")], [json!("2"), json!("")]]
        );
        assert_eq!(from_csv("one line only"), None);
        assert_eq!(from_csv("a,b\n1"), None, "rows of another width are not a table");
    }

    #[test]
    fn reads_markdown_tables() {
        let table = from_lines(
            "| a | n |\n|---|:--|\n| x | 1 |\n| y | 2.5 |",
            "|",
            Header::FirstLine,
        );
        assert_eq!(table.columns, ["a", "n"]);
        assert_eq!(table.cells, [[json!("x"), json!(1)], [json!("y"), json!(2.5)]]);
        let table = from_lines("a;b\nc;d;e", ";", Header::None);
        assert_eq!(table.columns, ["col_0", "col_1", "col_2"]);
        assert_eq!(table.cells[0][2], Json::Null);
        assert_eq!(
            from_lines("a;a\n1;2", ";", Header::FirstLine).columns,
            ["a", "a_2"]
        );
        assert!(from_lines("", "|", Header::FirstLine).is_empty());
    }

    #[test]
    fn only_numbers_are_numbers() {
        assert_eq!(number(" 12 "), Some(json!(12)));
        assert_eq!(number("-1.5e3"), Some(json!(-1500.0)));
        for text in ["", "nan", "inf", "1,2", "0x1", "1e999"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
