//! Comma-separated values: a header line and rows.

use ferro_engine::{Failure, Table};
use serde_json::{Number, Value as Json};

use super::MAX_CELLS;

/// Separators are commas, semicolons or tabs, whichever the first line has most of. A column whose every cell is a
/// number holds numbers, and an empty cell is null.
pub(crate) fn read(text: &str) -> Result<Table, Failure> {
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator(text))
        .from_reader(text.as_bytes());
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut cells = 0;
    for record in reader.records() {
        let record = record.map_err(|error| {
            Failure::input("path", "The comma-separated values cannot be read").detail(error.to_string())
        })?;
        cells += record.len();
        if cells > MAX_CELLS {
            return Err(
                Failure::limit(format!("The table has more than {MAX_CELLS} cells"))
                    .advice("Split the file."),
            );
        }
        rows.push(record.iter().map(str::to_owned).collect());
    }
    if rows.is_empty() {
        return Ok(Table::default());
    }
    let header = rows.remove(0);
    let width = rows
        .iter()
        .map(Vec::len)
        .max()
        .unwrap_or_default()
        .max(header.len());
    if width.saturating_mul(rows.len()) > MAX_CELLS {
        return Err(
            Failure::limit(format!("The table has more than {MAX_CELLS} cells")).advice("Split the file."),
        );
    }
    let mut table = Table::new(column_names(header, width));
    table.cells = rows.into_iter().map(|row| padded(row, width)).collect();
    for at in 0..width {
        type_column(&mut table, at);
    }
    Ok(table)
}

fn separator(text: &str) -> u8 {
    let line = text.lines().next().unwrap_or_default();
    let count = |separator: u8| line.bytes().filter(|byte| *byte == separator).count();
    // The first of equals wins, so a line without any is a column of its own.
    let mut best = b',';
    for candidate in [b';', b'\t'] {
        if count(candidate) > count(best) {
            best = candidate;
        }
    }
    best
}

/// Names for every column; those that are empty or there already get a number.
pub(crate) fn column_names(header: Vec<String>, width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(width);
    let mut seen = std::collections::HashSet::new();
    let header = header
        .into_iter()
        .map(Some)
        .chain(std::iter::repeat(None))
        .take(width);
    for (at, name) in header.enumerate() {
        let name = name
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty());
        let mut name = name.unwrap_or_else(|| format!("column_{}", at + 1));
        while !seen.insert(name.clone()) {
            name = format!("{name}_{}", at + 1);
        }
        names.push(name);
    }
    names
}

fn padded(row: Vec<String>, width: usize) -> Vec<Json> {
    let mut cells: Vec<Json> = row
        .into_iter()
        .map(|cell| {
            if cell.is_empty() {
                Json::Null
            } else {
                Json::String(cell)
            }
        })
        .collect();
    cells.resize(width, Json::Null);
    cells
}

fn type_column(table: &mut Table, at: usize) {
    let texts = || table.cells.iter().filter_map(|row| row[at].as_str());
    if texts().next().is_none() {
        return;
    }
    let read: fn(&str) -> Option<Json> = if texts().all(|text| whole(text).is_some()) {
        whole
    } else if texts().all(|text| fraction(text).is_some()) {
        fraction
    } else if texts().all(|text| flag(text).is_some()) {
        flag
    } else {
        return;
    };
    for row in &mut table.cells {
        if let Some(value) = row[at].as_str().and_then(read) {
            row[at] = value;
        }
    }
}

/// Not a code such as `007` or `+49`.
fn plain_digits(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    digits.starts_with(|c: char| c.is_ascii_digit()) && !leading_zero
}

fn whole(text: &str) -> Option<Json> {
    let text = text.trim();
    plain_digits(text)
        .then(|| text.parse::<i64>().ok())?
        .map(Json::from)
}

fn fraction(text: &str) -> Option<Json> {
    let text = text.trim();
    let number = plain_digits(text).then(|| text.parse::<f64>().ok())??;
    Number::from_f64(number).map(Json::Number)
}

fn flag(text: &str) -> Option<Json> {
    match text.trim() {
        "true" | "True" | "TRUE" => Some(Json::Bool(true)),
        "false" | "False" | "FALSE" => Some(Json::Bool(false)),
        _ => None,
    }
}

/// With a header line.
pub(crate) fn write(table: &Table) -> Result<Vec<u8>, Failure> {
    let broke = |error: ::csv::Error| {
        Failure::new(
            ferro_engine::Cause::Internal,
            format!("The table could not be written: {error}"),
        )
    };
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    if !table.columns.is_empty() {
        writer.write_record(&table.columns).map_err(broke)?;
    }
    for row in &table.cells {
        let cells = row.iter().map(|cell| match cell {
            Json::Null => String::new(),
            Json::String(text) => text.clone(),
            other => other.to_string(),
        });
        writer.write_record(cells).map_err(broke)?;
    }
    writer
        .into_inner()
        .map_err(|error| broke(error.into_error().into()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_flags_and_codes() {
        let table = read("n,f,b,code,empty\n1,1.5,true,007,\n-2,2,False,12,\n").unwrap();
        assert_eq!(
            table.cells[0],
            [json!(1), json!(1.5), json!(true), json!("007"), Json::Null]
        );
        assert_eq!(
            table.cells[1],
            [json!(-2), json!(2.0), json!(false), json!("12"), Json::Null]
        );
    }

    #[test]
    fn quotes_other_separators_and_ragged_rows() {
        let table = read("a;b\n\"x;\"\"y\"\"\nz\";2\n3;4;5\n").unwrap();
        assert_eq!(table.columns, ["a", "b", "column_3"]);
        assert_eq!(table.cells[0], [json!("x;\"y\"\nz"), json!(2), Json::Null]);
        assert!(read("").unwrap().is_empty());
        assert_eq!(read("a,a,\n1,2,3").unwrap().columns, ["a", "a_2", "column_3"]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let table = read("a,b\n1,\"x, y\"\n,z\n").unwrap();
        let bytes = write(&table).unwrap();
        assert_eq!(String::from_utf8_lossy(&bytes), "a,b\n1,\"x, y\"\n,z\n");
        assert_eq!(read(&String::from_utf8_lossy(&bytes)).unwrap(), table);
    }
}
