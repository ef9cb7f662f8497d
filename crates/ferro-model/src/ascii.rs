//! A flow drawn with characters, for terminals and for language models.
//!
//! Nodes are boxes in layers from top to bottom, in the same layers as on the canvas. Under each layer a list says
//! where its wires lead; a drawing with lines would be a tangle as soon as wires skip layers. A layer that is wider
//! than the page goes on in the next row.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use crate::layout::graph_of;
use crate::read::{Flow, NodeKind};

/// Columns of the drawing.
const WIDTH: usize = 100;

/// The drawing. Labels are types; of several nodes of one type each has a number. Notes are left out.
pub fn draw(flow: &Flow<'_>) -> String {
    let labels = labels(flow);
    if labels.iter().all(Option::is_none) {
        return "(empty)".to_owned();
    }
    let graph = graph_of(flow);
    let drawn = |place: usize| labels.get(place).and_then(Option::as_deref);
    if graph.next.iter().all(Vec::is_empty) {
        let mut names: Vec<&str> = labels.iter().flatten().map(String::as_str).collect();
        names.sort_unstable();
        return names.join(", ");
    }
    let mut text = String::new();
    for layer in graph.layers() {
        let names: Vec<&str> = layer.iter().filter_map(|&place| drawn(place)).collect();
        if names.is_empty() {
            continue;
        }
        boxes(&mut text, &names);
        for &place in &layer {
            let to: BTreeSet<usize> = graph.next[place].iter().copied().collect();
            let to: Vec<&str> = to.into_iter().filter_map(drawn).collect();
            if let (Some(from), false) = (drawn(place), to.is_empty()) {
                let _ = writeln!(text, "  {from} --> {}", to.join(", "));
            }
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// `None` for notes.
fn labels(flow: &Flow<'_>) -> Vec<Option<String>> {
    let types = || {
        flow.nodes
            .iter()
            .map(|node| (node.kind != NodeKind::Note).then(|| one_line(&node.r#type)))
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in types().flatten() {
        *counts.entry(name).or_default() += 1;
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    types()
        .map(|name| {
            let name = name?;
            if counts.get(&name).copied().unwrap_or_default() < 2 {
                return Some(name);
            }
            let number = seen.entry(name.clone()).or_default();
            *number += 1;
            Some(format!("{name} #{number}"))
        })
        .collect()
}

/// Control characters would break the drawing, and long names the page.
fn one_line(name: &str) -> String {
    const MOST: usize = 40;
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    match name.chars().count() {
        0 => "?".to_owned(),
        count if count <= MOST => name,
        _ => name.chars().take(MOST - 1).chain(['…']).collect(),
    }
}

fn boxes(text: &mut String, names: &[&str]) {
    let mut row: Vec<&str> = Vec::new();
    let mut width = 0;
    for &name in names {
        let wide = name.chars().count() + 6;
        if width + wide > WIDTH && !row.is_empty() {
            row_of_boxes(text, &row);
            row.clear();
            width = 0;
        }
        row.push(name);
        width += wide;
    }
    row_of_boxes(text, &row);
}

fn row_of_boxes(text: &mut String, names: &[&str]) {
    let line = |edge: char, inside: &dyn Fn(&str) -> String| {
        let parts: Vec<String> = names
            .iter()
            .map(|name| format!("{edge}{}{edge}", inside(name)))
            .collect();
        parts.join("  ")
    };
    let rule = line('+', &|name| "-".repeat(name.chars().count() + 2));
    let middle = line('|', &|name| format!(" {name} "));
    let _ = writeln!(text, "{rule}\n{middle}\n{rule}");
}
