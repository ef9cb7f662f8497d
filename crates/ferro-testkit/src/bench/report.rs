//! What was measured, as a table for people and as JSON for programs.

use std::fmt;

pub struct Table {
    pub name: &'static str,
    pub about: &'static str,
    pub rows: Vec<Row>,
}

pub struct Row {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    /// What we are after, where the figure has an aim.
    pub aim: Option<Aim>,
}

#[derive(Clone, Copy)]
pub enum Aim {
    AtMost(f64),
    AtLeast(f64),
}

impl Table {
    pub fn new(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            rows: Vec::new(),
        }
    }

    pub fn add(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.rows.push(Row {
            name: name.into(),
            value,
            unit,
            aim: None,
        });
    }

    pub fn add_with_aim(&mut self, name: impl Into<String>, value: f64, unit: &'static str, aim: Aim) {
        self.rows.push(Row {
            name: name.into(),
            value,
            unit,
            aim: Some(aim),
        });
    }

    pub fn json(&self) -> String {
        let results: Vec<_> = self
            .rows
            .iter()
            .map(|row| {
                serde_json::json!({
                    "name": row.name,
                    "value": row.value,
                    "unit": row.unit,
                    "aim": row.aim.map(|aim| aim.to_string()),
                    "met": row.aim.map(|aim| aim.is_met(row.value)),
                })
            })
            .collect();
        format!(
            "{:#}\n",
            serde_json::json!({ "name": self.name, "about": self.about, "results": results })
        )
    }
}

impl Aim {
    fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(limit) => write!(f, "<= {limit}"),
            Self::AtLeast(limit) => write!(f, ">= {limit}"),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{}: {}", self.name, self.about)?;
        let width = self
            .rows
            .iter()
            .map(|row| row.name.chars().count())
            .max()
            .unwrap_or(0);
        for row in &self.rows {
            let digits = if row.value < 10.0 { 2 } else { 0 };
            write!(
                f,
                "  {:width$}  {:>12.digits$} {:8}",
                row.name, row.value, row.unit
            )?;
            if let Some(aim) = row.aim {
                write!(
                    f,
                    "  aim {aim}: {}",
                    if aim.is_met(row.value) { "met" } else { "NOT met" }
                )?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
