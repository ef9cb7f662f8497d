//! What Table Operations and Data Operations do to tables: the operations, their fields and the work.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ferro_engine::{Call, Failure, Table, Value};
use ferro_model::FieldSpec;
use serde_json::Value as Json;

use super::text_work::unknown;
use crate::text::fields::{int_or, names, on_by_default, weight};
use crate::text::tabular::number;
use crate::text::template::show;

/// Operation, icon, and the fields it needs.
pub(super) const OPERATIONS: &[(&str, &str, &[&str])] = &[
    ("Add Column", "plus", &["new_column_name", "new_column_value"]),
    ("Concatenate", "combine", &[]),
    ("Drop Column", "minus", &["column_name"]),
    (
        "Filter",
        "filter",
        &["column_name", "filter_value", "filter_operator"],
    ),
    ("Head", "arrow-up", &["num_rows"]),
    (
        "Merge",
        "merge",
        &[
            "left_dataframe",
            "right_dataframe",
            "merge_on_column",
            "merge_how",
        ],
    ),
    ("Rename Column", "pencil", &["column_name", "new_column_name"]),
    (
        "Replace Value",
        "replace",
        &["column_name", "replace_value", "replacement_value"],
    ),
    ("Select Columns", "columns-3", &["columns_to_select"]),
    ("Sort", "arrow-up-down", &["column_name", "ascending"]),
    ("Tail", "arrow-down", &["num_rows"]),
    ("Drop Duplicates", "copy-x", &["column_name"]),
];

const OPERATORS: [&str; 8] = [
    "equals",
    "not equals",
    "contains",
    "not contains",
    "starts with",
    "ends with",
    "greater than",
    "less than",
];

/// Rows a merge may make: every row of one table can meet every row of the other.
const MERGED: usize = 1_000_000;

/// The fields of all operations, hidden until their operation is chosen.
pub(super) fn fields() -> Vec<FieldSpec> {
    let table = |name, label| FieldSpec::handle(name, label, &["DataFrame", "Table"]).class("DataFrameInput");
    let fields = vec![
        FieldSpec::text("column_name", "Column Name").info("The column to work on."),
        FieldSpec::message_text("filter_value", "Filter Value").info("What cells are compared with."),
        FieldSpec::dropdown("filter_operator", "Filter Operator", &OPERATORS, "equals")
            .info("How they are compared."),
        FieldSpec::bool("ascending", "Sort Ascending", true).info("Smallest first."),
        FieldSpec::text("new_column_name", "New Column Name").info("The name of the new or renamed column."),
        FieldSpec::message_text("new_column_value", "New Column Value").info("What every row holds in it."),
        FieldSpec::text("columns_to_select", "Columns to Select")
            .list()
            .info("Columns to keep, in this order."),
        FieldSpec::int("num_rows", "Number of Rows", 5).info("How many rows to keep."),
        FieldSpec::message_text("replace_value", "Value to Replace").info("The cell to look for."),
        FieldSpec::message_text("replacement_value", "Replacement Value").info("What to put in its place."),
        table("left_dataframe", "Left Table").info("The first table."),
        table("right_dataframe", "Right Table").info("The second table."),
        FieldSpec::text("merge_on_column", "Merge On Column").info("The column both tables have."),
        FieldSpec::dropdown(
            "merge_how",
            "Merge Type",
            &["inner", "outer", "left", "right"],
            "inner",
        )
        .info("Keep rows that meet, all rows, or all rows of one side."),
    ];
    fields.into_iter().map(FieldSpec::hidden).collect()
}

/// How much there is to do.
pub(super) fn effort(call: &Call) -> usize {
    ["df", "left_dataframe", "right_dataframe"]
        .iter()
        .map(|name| weight(call, name))
        .sum()
}

/// Does one operation. Nothing chosen means the table stays as it is.
pub(super) fn apply(call: &Call, operation: &str) -> Result<Table, Failure> {
    match operation {
        "Merge" => return merge(call),
        "Concatenate" => return Ok(concatenated(&tables(call)?)),
        _ => {}
    }
    let table = tables(call)?.into_iter().next().unwrap_or_default();
    let table = Arc::unwrap_or_clone(table);
    match operation {
        "" => Ok(table),
        "Add Column" => add_column(call, table),
        "Drop Column" => drop_column(call, table),
        "Filter" | "Filter Rows" => filter(call, table),
        "Head" | "Head Rows" => head(table, int_or(call, "num_rows", 5)?),
        "Tail" | "Tail Rows" => tail(table, int_or(call, "num_rows", 5)?),
        "Rename Column" => rename(call, table),
        "Replace Value" => replace(call, table),
        "Select Columns" => select(call, &table),
        "Sort" => sort(call, table),
        "Drop Duplicates" => drop_duplicates(call, table),
        other => Err(unknown("operation", other, OPERATIONS)),
    }
}

/// One table per wire; JSON objects that came one by one are rows of one table.
fn tables(call: &Call) -> Result<Vec<Arc<Table>>, Failure> {
    let value = call.required("df")?;
    if let Value::List(items) = &*value
        && items.iter().any(|item| matches!(item, Value::Table(_)))
    {
        return Ok(items
            .iter()
            .map(|item| match item {
                Value::Table(table) => Arc::clone(table),
                other => Arc::new(Table::from_rows(other.rows())),
            })
            .collect());
    }
    Ok(call.table("df")?.into_iter().collect())
}

fn column(call: &Call, table: &Table, field: &str) -> Result<usize, Failure> {
    let name = call.required_text(field)?;
    find(table, name.trim(), field)
}

fn find(table: &Table, name: &str, field: &str) -> Result<usize, Failure> {
    table.column(name).ok_or_else(|| {
        Failure::input(field, format!("The table has no column {name:?}")).advice(format!(
            "It has: {}.",
            names(table.columns.iter().map(String::as_str))
        ))
    })
}

fn add_column(call: &Call, mut table: Table) -> Result<Table, Failure> {
    let name = call.required_text("new_column_name")?;
    let value = Json::String(call.text("new_column_value"));
    match table.column(&name) {
        Some(at) => table.cells.iter_mut().for_each(|row| row[at] = value.clone()),
        None => {
            table.columns.push(name);
            table.cells.iter_mut().for_each(|row| row.push(value.clone()));
        }
    }
    Ok(table)
}

fn drop_column(call: &Call, mut table: Table) -> Result<Table, Failure> {
    let at = column(call, &table, "column_name")?;
    table.columns.remove(at);
    table.cells.iter_mut().for_each(|row| drop(row.remove(at)));
    Ok(table)
}

fn filter(call: &Call, mut table: Table) -> Result<Table, Failure> {
    let at = column(call, &table, "column_name")?;
    let wanted = call.text("filter_value");
    let operator = call.text("filter_operator");
    table.cells.retain(|row| keeps(&row[at], &operator, &wanted));
    Ok(table)
}

/// Numbers are compared as numbers when both sides are; everything else as text.
fn keeps(cell: &Json, operator: &str, wanted: &str) -> bool {
    let text = show(cell);
    let numbers = match (
        number_of(cell).and_then(|n| n.as_f64()),
        number(wanted).and_then(|n| n.as_f64()),
    ) {
        (Some(found), Some(wanted)) => Some((found, wanted)),
        _ => None,
    };
    let order = match numbers {
        Some((found, wanted)) => found.total_cmp(&wanted),
        None => (*text).cmp(wanted),
    };
    match operator {
        "not equals" => order.is_ne(),
        "contains" => text.contains(wanted),
        "not contains" => !text.contains(wanted),
        "starts with" => text.starts_with(wanted),
        "ends with" => text.ends_with(wanted),
        "greater than" => !cell.is_null() && order.is_gt(),
        "less than" => !cell.is_null() && order.is_lt(),
        _ => order.is_eq(),
    }
}

fn number_of(cell: &Json) -> Option<Json> {
    match cell {
        Json::Number(_) => Some(cell.clone()),
        Json::String(text) => number(text),
        _ => None,
    }
}

fn count(rows: i64) -> Result<usize, Failure> {
    usize::try_from(rows).map_err(|_| {
        Failure::input("num_rows", format!("{rows} is not a number of rows")).advice("Set 0 or more.")
    })
}

fn head(mut table: Table, rows: i64) -> Result<Table, Failure> {
    table.cells.truncate(count(rows)?);
    Ok(table)
}

fn tail(mut table: Table, rows: i64) -> Result<Table, Failure> {
    let gone = table.cells.len().saturating_sub(count(rows)?);
    table.cells.drain(..gone);
    Ok(table)
}

fn rename(call: &Call, mut table: Table) -> Result<Table, Failure> {
    let at = column(call, &table, "column_name")?;
    let name = call.required_text("new_column_name")?;
    if table.column(&name).is_some_and(|other| other != at) {
        return Err(Failure::input(
            "new_column_name",
            format!("The table has a column {name:?} already"),
        )
        .advice("Choose another name, or drop that column first."));
    }
    table.columns[at] = name;
    Ok(table)
}

fn replace(call: &Call, mut table: Table) -> Result<Table, Failure> {
    let at = column(call, &table, "column_name")?;
    let (search, with) = (call.text("replace_value"), call.text("replacement_value"));
    for row in &mut table.cells {
        if show(&row[at]) == search.as_str() {
            // A column of numbers stays one.
            let typed = if row[at].is_number() { number(&with) } else { None };
            row[at] = typed.unwrap_or_else(|| Json::String(with.clone()));
        }
    }
    Ok(table)
}

fn select(call: &Call, table: &Table) -> Result<Table, Failure> {
    let wanted = call.texts("columns_to_select");
    let wanted: Vec<&str> = wanted
        .iter()
        .flat_map(|name| name.split(','))
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    if wanted.is_empty() {
        return Err(
            Failure::input("columns_to_select", "No columns to select are named").advice("Add at least one."),
        );
    }
    let places = wanted
        .iter()
        .map(|name| find(table, name, "columns_to_select"))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Table {
        columns: places.iter().map(|&at| table.columns[at].clone()).collect(),
        cells: table
            .cells
            .iter()
            .map(|row| places.iter().map(|&at| row[at].clone()).collect())
            .collect(),
    })
}

fn sort(call: &Call, mut table: Table) -> Result<Table, Failure> {
    let at = column(call, &table, "column_name")?;
    let ascending = on_by_default(call, "ascending");
    table.cells.sort_by(|left, right| {
        let (left, right) = (&left[at], &right[at]);
        match (left.is_null(), right.is_null()) {
            (false, false) if ascending => order(left, right),
            (false, false) => order(right, left),
            // Empty cells come last either way.
            (empty, other) => empty.cmp(&other),
        }
    });
    Ok(table)
}

/// Numbers before texts, and everything else by how it is written.
fn order(left: &Json, right: &Json) -> Ordering {
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => show(left).cmp(&show(right)),
    }
}

fn drop_duplicates(call: &Call, mut table: Table) -> Result<Table, Failure> {
    let at = match call.get("column_name") {
        Some(_) => Some(column(call, &table, "column_name")?),
        None => None,
    };
    let mut seen = BTreeSet::new();
    table.cells.retain(|row| {
        let key = match at {
            Some(at) => row[at].to_string(),
            None => serde_json::to_string(row).unwrap_or_default(),
        };
        seen.insert(key)
    });
    Ok(table)
}

fn concatenated(tables: &[Arc<Table>]) -> Table {
    Table::from_rows(tables.iter().flat_map(|table| table.rows()))
}

fn merge(call: &Call) -> Result<Table, Failure> {
    let side = |name: &str| {
        call.required(name)?;
        Ok::<_, Failure>(call.table(name)?.unwrap_or_default())
    };
    let (left, right) = (side("left_dataframe")?, side("right_dataframe")?);
    let on = call.required_text("merge_on_column")?;
    let how = call.text("merge_how");
    let key = (
        find(&left, &on, "merge_on_column")?,
        find(&right, &on, "merge_on_column")?,
    );
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, row) in right.cells.iter().enumerate() {
        places.entry(row[key.1].to_string()).or_default().push(at);
    }
    let mut met = vec![false; right.cells.len()];
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for (at, row) in left.cells.iter().enumerate() {
        let matches = places.get(&row[key.0].to_string());
        for &other in matches.into_iter().flatten() {
            met[other] = true;
            pairs.push((Some(at), Some(other)));
        }
        if matches.is_none() && matches!(how.as_str(), "left" | "outer") {
            pairs.push((Some(at), None));
        }
        if pairs.len() > MERGED {
            return Err(
                Failure::limit(format!("The merged table would have more than {MERGED} rows"))
                    .advice("Merge on a column whose values occur once, or drop duplicates first."),
            );
        }
    }
    if matches!(how.as_str(), "right" | "outer") {
        pairs.extend((0..met.len()).filter(|&at| !met[at]).map(|at| (None, Some(at))));
    }
    Ok(paired((&left, &right), key, &pairs))
}

/// Columns of the same name on both sides are told apart by `_x` and `_y`.
fn paired(
    (left, right): (&Table, &Table),
    key: (usize, usize),
    pairs: &[(Option<usize>, Option<usize>)],
) -> Table {
    let others: Vec<usize> = (0..right.columns.len()).filter(|&at| at != key.1).collect();
    let mut columns: Vec<String> = Vec::new();
    for (at, name) in left.columns.iter().enumerate() {
        let twice = at != key.0 && others.iter().any(|&other| right.columns[other] == *name);
        columns.push(if twice { format!("{name}_x") } else { name.clone() });
    }
    for &at in &others {
        let name = &right.columns[at];
        columns.push(if left.column(name).is_some() {
            format!("{name}_y")
        } else {
            name.clone()
        });
    }
    let cells = pairs
        .iter()
        .map(|(from_left, from_right)| {
            let mut row = match from_left {
                Some(at) => left.cells[*at].clone(),
                None => vec![Json::Null; left.columns.len()],
            };
            if let (None, Some(at)) = (from_left, from_right) {
                row[key.0] = right.cells[*at][key.1].clone();
            }
            row.extend(
                others
                    .iter()
                    .map(|&other| from_right.map_or(Json::Null, |at| right.cells[at][other].clone())),
            );
            row
        })
        .collect();
    Table { columns, cells }
}
