//! The part of a section that has most to do with a question.

use std::collections::HashMap;

use super::split::Unit;
use super::words::stems;

/// How much a window is worth for beginning where the section does, and with a unit that has to do with the question,
/// as a part of all that was asked for.
const BEGINS: f64 = 0.15;
const TO_THE_POINT: f64 = 0.1;

/// The neighbouring units that say most about the words asked for, within `longest` characters. `told` is the part of
/// the question that the heading has: the more, the better an answer is the section's beginning.
pub(super) fn excerpt(units: &[Unit], weights: &HashMap<&str, f64>, told: f64, longest: usize) -> String {
    let whole: f64 = weights.values().sum();
    let found: Vec<Vec<String>> = units.iter().map(|unit| said(unit, weights)).collect();
    let (mut best, mut best_worth) = (0..0, -1.0);
    for from in 0..units.len() {
        let to = end(units, from, longest);
        let mut worth = worth(&units[from..to], &found[from..to], weights);
        if from == 0 {
            worth += (BEGINS + told) * whole;
        }
        if !found[from].is_empty() {
            worth += TO_THE_POINT * whole;
        }
        // Strictly more: of equals the first.
        if worth > best_worth + 1e-9 {
            (best, best_worth) = (from..to, worth);
        }
    }
    let mut text = String::new();
    for unit in &units[best] {
        text.push_str(&unit.text);
        text.push(if unit.code || unit.last { '\n' } else { ' ' });
    }
    cut(text.trim(), longest)
}

/// Where a window that begins at `from` is full. One unit always fits: it is cut afterwards.
fn end(units: &[Unit], from: usize, longest: usize) -> usize {
    let mut length = 0;
    let full = units[from..].iter().position(|unit| {
        length += unit.text.chars().count() + 1;
        length > longest
    });
    full.map_or(units.len(), |count| from + count.max(1))
}

/// The words asked for that a unit has.
fn said(unit: &Unit, weights: &HashMap<&str, f64>) -> Vec<String> {
    stems(&unit.text)
        .filter(|stem| weights.contains_key(stem.as_str()))
        .collect()
}

/// Another word is worth more than the same once more.
fn worth(units: &[Unit], found: &[Vec<String>], weights: &HashMap<&str, f64>) -> f64 {
    let mut counts: HashMap<&str, f64> = HashMap::new();
    for (unit, stems) in units.iter().zip(found) {
        for stem in stems {
            *counts.entry(stem).or_default() += if unit.code { 0.5 } else { 1.0 };
        }
    }
    let worth = counts
        .iter()
        .map(|(stem, count)| weights.get(stem).unwrap_or(&0.0) * count.powf(0.3));
    worth.sum()
}

fn cut(text: &str, longest: usize) -> String {
    // One less, for the sign that something is missing.
    let Some((most, _)) = text.char_indices().nth(longest) else {
        return text.to_owned();
    };
    let most = text[..most].char_indices().next_back().map_or(0, |(at, _)| at);
    let at = text[..most].rfind(' ').unwrap_or(most);
    format!("{}…", text[..at].trim_end())
}
