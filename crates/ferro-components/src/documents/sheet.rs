//! `.xlsx`: cells of its sheets, and a small writer of one.

use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};

use calamine::{DataRef, Reader as _, Xlsx};
use ferro_engine::{Failure, Table};
use serde_json::{Number, Value as Json};

use super::archive::Archive;
use super::separated::{self, column_names};
use super::{Document, MAX_CELLS, broken};

const MAX_SHEETS: usize = 200;

/// The table is that of the first sheet; the text is that of all.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Document, Failure> {
    let bad = |error: calamine::XlsxError| broken(name, "a spreadsheet").detail(error.to_string());
    Archive::open(name, bytes)?.check()?;
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(bad)?;
    let sheets = book.sheet_names();
    let mut tables = Vec::new();
    let mut left = MAX_CELLS;
    for sheet in sheets.iter().take(MAX_SHEETS) {
        let mut cells: BTreeMap<u32, Vec<(u32, Json)>> = BTreeMap::new();
        let mut reader = match book.worksheet_cells_reader(sheet) {
            Ok(reader) => reader,
            // A sheet that is only a chart.
            Err(calamine::XlsxError::NotAWorksheet(_) | calamine::XlsxError::WorksheetNotFound(_)) => {
                continue;
            }
            Err(error) => return Err(bad(error)),
        };
        while let Some(cell) = reader.next_cell().map_err(bad)? {
            let value = value(cell.get_value());
            if value.is_null() {
                continue;
            }
            left = left.checked_sub(1).ok_or_else(too_many)?;
            let (row, column) = cell.get_position();
            cells.entry(row).or_default().push((column, value));
        }
        tables.push((sheet.clone(), table(cells)?));
    }
    let mut text = String::new();
    for (sheet, table) in &tables {
        if tables.len() > 1 {
            text += &format!("# {sheet}\n");
        }
        text += &String::from_utf8_lossy(&separated::write(table)?);
        text.push('\n');
    }
    let first = tables
        .into_iter()
        .next()
        .map(|(_, table)| table)
        .unwrap_or_default();
    Ok(Document {
        text: text.trim().to_owned(),
        table: Some(first),
        json: None,
    })
}

fn too_many() -> Failure {
    Failure::limit(format!("The spreadsheet has more than {MAX_CELLS} cells")).advice("Split it.")
}

/// The first row that has anything names the columns. A cell far away must not make a table of empty ones.
fn table(cells: BTreeMap<u32, Vec<(u32, Json)>>) -> Result<Table, Failure> {
    let columns = || cells.values().flatten().map(|(column, _)| *column);
    let (Some(first), Some(last)) = (columns().min(), columns().max()) else {
        return Ok(Table::default());
    };
    let width = (last - first) as usize + 1;
    if width.saturating_mul(cells.len()) > MAX_CELLS {
        return Err(too_many());
    }
    let mut rows = cells.into_values().map(|row| {
        let mut filled = vec![Json::Null; width];
        for (column, value) in row {
            filled[(column - first) as usize] = value;
        }
        filled
    });
    let header = rows.next().unwrap_or_default().iter().map(shown).collect();
    let mut table = Table::new(column_names(header, width));
    table.cells = rows.collect();
    Ok(table)
}

fn shown(cell: &Json) -> String {
    match cell {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn value(cell: &DataRef<'_>) -> Json {
    match cell {
        DataRef::Int(number) => (*number).into(),
        // A spreadsheet knows no whole numbers: 3 is kept as 3.0.
        DataRef::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => (*number as i64).into(),
        DataRef::Float(number) => Number::from_f64(*number).map_or(Json::Null, Json::Number),
        DataRef::String(text) => text.clone().into(),
        DataRef::SharedString(text) => (*text).into(),
        DataRef::Bool(flag) => (*flag).into(),
        DataRef::DateTime(date) if date.is_datetime() => {
            let (year, month, day, hour, minute, second, _) = date.to_ymd_hms_milli();
            if (hour, minute, second) == (0, 0, 0) {
                format!("{year:04}-{month:02}-{day:02}").into()
            } else {
                format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}").into()
            }
        }
        DataRef::DateTime(date) => Number::from_f64(date.as_f64()).map_or(Json::Null, Json::Number),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone().into(),
        DataRef::Error(error) => error.to_string().into(),
        DataRef::Empty => Json::Null,
    }
}

/// A workbook with one sheet.
pub(crate) fn write(table: &Table) -> Result<Vec<u8>, Failure> {
    let broke = |error: &dyn std::fmt::Display| {
        Failure::new(
            ferro_engine::Cause::Internal,
            format!("The spreadsheet could not be written: {error}"),
        )
    };
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let sheet = sheet_xml(table);
    let parts = PARTS
        .iter()
        .copied()
        .chain([("xl/worksheets/sheet1.xml", sheet.as_str())]);
    for (path, content) in parts {
        zip.start_file(path, zip::write::SimpleFileOptions::default())
            .map_err(|error| broke(&error))?;
        zip.write_all(content.as_bytes()).map_err(|error| broke(&error))?;
    }
    Ok(zip.finish().map_err(|error| broke(&error))?.into_inner())
}

const PARTS: [(&str, &str); 4] = [
    (
        "[Content_Types].xml",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    ),
    (
        "xl/workbook.xml",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
    ),
];

fn sheet_xml(table: &Table) -> String {
    let mut xml = String::from(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>"#,
    );
    let header: Vec<Json> = table.columns.iter().cloned().map(Json::String).collect();
    for row in std::iter::once(&header).chain(&table.cells) {
        xml += "<row>";
        for cell in row {
            match cell {
                Json::Null => xml += "<c/>",
                Json::Bool(flag) => xml += &format!(r#"<c t="b"><v>{}</v></c>"#, u8::from(*flag)),
                Json::Number(number) => xml += &format!("<c><v>{number}</v></c>"),
                other => {
                    xml += r#"<c t="inlineStr"><is><t xml:space="preserve">"#;
                    escape(&shown(other), &mut xml);
                    xml += "</t></is></c>";
                }
            }
        }
        xml += "</row>";
    }
    xml + "</sheetData></worksheet>"
}

/// Control characters cannot be written in XML at all.
fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            c if c.is_control() && !matches!(c, '\n' | '\t') => {}
            c => into.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::archive::tests::pack;
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut table = Table::new(vec!["name".to_owned(), "n".to_owned(), "ok".to_owned()]);
        table
            .cells
            .push(vec![json!("a <b> & \u{1}c"), json!(1.5), json!(true)]);
        table.cells.push(vec![Json::Null, json!(7), json!(false)]);
        let document = read("x.xlsx", &write(&table).unwrap()).unwrap();
        table.cells[0][0] = json!("a <b> & c");
        assert_eq!(document.text, "name,n,ok\na <b> & c,1.5,true\n,7,false");
        assert_eq!(document.table.unwrap(), table);
    }

    fn with_sheet(sheet: &str) -> Vec<u8> {
        let mut parts = PARTS.to_vec();
        parts.push(("xl/worksheets/sheet1.xml", sheet));
        pack(&parts)
    }

    #[test]
    fn a_far_away_cell_is_no_reason_to_fill_the_memory() {
        let sheet = r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData>
            <row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>"#;
        let table = read("x.xlsx", &with_sheet(sheet)).unwrap().table.unwrap();
        assert_eq!((table.columns.len(), table.len()), (16384, 1));
        let rows: String = (1..=200)
            .map(|n| format!(r#"<row r="{n}"><c r="A{n}"><v>1</v></c><c r="XFD{n}"><v>1</v></c></row>"#))
            .collect();
        let sheet = format!(
            r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
        );
        assert_eq!(
            read("x.xlsx", &with_sheet(&sheet)).unwrap_err().cause,
            ferro_engine::Cause::Limit
        );
    }

    #[test]
    fn dates_shared_texts_and_more_sheets() {
        let names = r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/><sheet name="B" sheetId="2" r:id="rId2"/></sheets></workbook>"#;
        let relation = |id: &str, kind: &str, target: &str| {
            format!(
                r#"<Relationship Id="{id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" Target="{target}"/>"#
            )
        };
        let relations = [
            relation("rId1", "worksheet", "worksheets/sheet1.xml"),
            relation("rId2", "worksheet", "worksheets/sheet2.xml"),
            relation("rId3", "styles", "styles.xml"),
            relation("rId4", "sharedStrings", "sharedStrings.xml"),
        ];
        let relations = format!(
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>"#,
            relations.concat()
        );
        let first = r#"<worksheet><sheetData><row r="1"><c r="B1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
            <row r="3"><c r="B3" s="1"><v>45292</v></c><c r="C3" s="1"><v>45292.5</v></c></row></sheetData></worksheet>"#;
        let second = r#"<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>only</t></is></c></row></sheetData></worksheet>"#;
        let bytes = pack(&[
            PARTS[0],
            PARTS[1],
            ("xl/workbook.xml", names),
            ("xl/_rels/workbook.xml.rels", &relations),
            (
                "xl/styles.xml",
                r#"<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#,
            ),
            (
                "xl/sharedStrings.xml",
                "<sst><si><t>day</t></si><si><r><t>no</t></r><r><t>on</t></r></si></sst>",
            ),
            ("xl/worksheets/sheet1.xml", first),
            ("xl/worksheets/sheet2.xml", second),
        ]);
        let document = read("x.xlsx", &bytes).unwrap();
        let table = document.table.unwrap();
        assert_eq!(table.columns, ["day", "noon"]);
        assert_eq!(table.cells, [[json!("2024-01-01"), json!("2024-01-01T12:00:00")]]);
        assert_eq!(
            document.text,
            "# A\nday,noon\n2024-01-01,2024-01-01T12:00:00\n\n# B\nonly"
        );
    }

    #[test]
    fn damaged_books_are_refused() {
        assert!(read("x.xlsx", &pack(&[("a.txt", "hi")])).is_err());
        assert!(read("x.xlsx", &with_sheet("<worksheet><sheetData><row>")).is_err());
    }
}
