//! A diff as plain text, for terminals, chat and models.

use std::fmt::{self, Write as _};

use serde_json::Value;

use super::{Change, FlowDiff, NodeRef, WireRef};

/// Longer values are cut, and their length is said.
const LONGEST: usize = 120;

pub(super) fn write(diff: &FlowDiff) -> String {
    let mut text = String::new();
    // Writing to a `String` does not fail.
    let _ = lines(&mut text, diff);
    text
}

fn lines(text: &mut String, diff: &FlowDiff) -> fmt::Result {
    for node in &diff.nodes_added {
        node_line(text, '+', node)?;
    }
    for node in &diff.nodes_removed {
        node_line(text, '-', node)?;
    }
    for node in &diff.nodes_changed {
        node_line(text, '~', &node.node)?;
        change_lines(text, &node.changes)?;
    }
    for wire in &diff.wires_added {
        wire_line(text, '+', wire)?;
    }
    for wire in &diff.wires_removed {
        wire_line(text, '-', wire)?;
    }
    if !diff.flow_changes.is_empty() {
        text.push_str("~ flow\n");
        change_lines(text, &diff.flow_changes)?;
    }
    Ok(())
}

fn node_line(text: &mut String, sign: char, node: &NodeRef) -> fmt::Result {
    writeln!(
        text,
        "{sign} node {} ({})",
        one_line(&node.name),
        one_line(&node.id)
    )
}

fn wire_line(text: &mut String, sign: char, wire: &WireRef) -> fmt::Result {
    let end = |name: &str, port: &str| {
        let dot = if port.is_empty() { "" } else { "." };
        format!("{}{dot}{}", one_line(name), one_line(port))
    };
    let from = end(&wire.from.name, &wire.from.port);
    writeln!(text, "{sign} wire {from} → {}", end(&wire.to.name, &wire.to.port))
}

fn change_lines(text: &mut String, changes: &[Change]) -> fmt::Result {
    for change in changes {
        let label = one_line(&change.label);
        text.push_str("    ");
        match (change.path.as_str(), &change.old, &change.new) {
            ("position", Value::Object(old), Value::Object(new)) => {
                let place = |at: &serde_json::Map<String, Value>| {
                    format!("({}, {})", pixels(at.get("x")), pixels(at.get("y")))
                };
                writeln!(text, "moved {} → {}", place(old), place(new))?;
            }
            ("size", Value::Object(old), Value::Object(new)) => {
                let size = |of: &serde_json::Map<String, Value>| {
                    format!("{} × {}", pixels(of.get("width")), pixels(of.get("height")))
                };
                writeln!(text, "resized {} → {}", size(old), size(new))?;
            }
            ("code", Value::String(old), Value::String(new)) => {
                let (old, new) = (old.lines().count(), new.lines().count());
                writeln!(text, "{label}: {old} → {new} lines")?;
            }
            (_, Value::Null, Value::Object(_)) => writeln!(text, "{label}: added")?,
            (_, Value::Object(_), Value::Null) => writeln!(text, "{label}: removed")?,
            (_, old, new) => writeln!(text, "{label}: {} → {}", short(old), short(new))?,
        }
    }
    Ok(())
}

fn short(value: &Value) -> String {
    // JSON escapes line breaks, so a value stays on its line.
    let json = value.to_string();
    let (length, quote) = match value {
        Value::String(text) => (text.chars().count(), "\""),
        _ => (json.chars().count(), ""),
    };
    if json.chars().count() <= LONGEST {
        return json;
    }
    let start: String = json.chars().take(LONGEST - 20).collect();
    format!("{start}…{quote} ({length} characters)")
}

fn pixels(value: Option<&Value>) -> String {
    match value.and_then(Value::as_f64) {
        // `+ 0.0` turns -0 into 0.
        Some(number) => format!("{}", (number * 100.0).round() / 100.0 + 0.0),
        None => "?".to_owned(),
    }
}

/// Names are other people's text: a line break in one must not look like a line of the diff.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
                ' '
            } else {
                c
            }
        })
        .collect()
}
