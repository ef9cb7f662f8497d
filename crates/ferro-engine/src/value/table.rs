//! `Table`: named columns and rows of JSON values.

use serde_json::{Map, Value as Json, json};

use super::weigh;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<String>,
    /// Each as long as `columns`.
    pub cells: Vec<Vec<Json>>,
}

impl Table {
    pub fn new(columns: Vec<String>) -> Self {
        Self {
            columns,
            cells: Vec::new(),
        }
    }

    /// Columns in the order they first appear; a missing cell is null.
    pub fn from_rows(rows: impl IntoIterator<Item = Map<String, Json>>) -> Self {
        let mut table = Self::default();
        for row in rows {
            let mut cells = vec![Json::Null; table.columns.len()];
            for (name, value) in row {
                match table.columns.iter().position(|column| *column == name) {
                    Some(at) => cells[at] = value,
                    None => {
                        table.columns.push(name);
                        cells.push(value);
                    }
                }
            }
            table.cells.push(cells);
        }
        let width = table.columns.len();
        for cells in &mut table.cells {
            cells.resize(width, Json::Null);
        }
        table
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    pub fn rows(&self) -> impl Iterator<Item = Map<String, Json>> + '_ {
        self.cells
            .iter()
            .map(|cells| self.columns.iter().cloned().zip(cells.iter().cloned()).collect())
    }

    /// A list of objects.
    pub fn to_json(&self) -> Json {
        self.rows().map(Json::Object).collect()
    }

    pub fn to_markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.columns.iter().map(|c| cell_text(c)).collect());
        text += &line(self.columns.iter().map(|_| ":---".to_owned()).collect());
        for cells in &self.cells {
            text += &line(cells.iter().map(|cell| cell_text(&plain(cell))).collect());
        }
        text.pop();
        text
    }

    pub(crate) fn weight(&self) -> usize {
        self.cells.iter().flatten().map(weigh).sum()
    }

    pub(crate) fn to_record(&self) -> Json {
        json!({ "columns": self.columns, "cells": self.cells })
    }

    pub(crate) fn from_record(record: Json) -> Option<Self> {
        let Json::Object(mut map) = record else {
            return None;
        };
        let columns: Vec<String> = serde_json::from_value(map.remove("columns")?).ok()?;
        let mut cells: Vec<Vec<Json>> = serde_json::from_value(map.remove("cells")?).ok()?;
        for row in &mut cells {
            row.resize(columns.len(), Json::Null);
        }
        Some(Self { columns, cells })
    }
}

fn plain(cell: &Json) -> String {
    match cell {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn cell_text(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
