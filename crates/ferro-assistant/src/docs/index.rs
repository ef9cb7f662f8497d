//! The index: which words stand in which section, and which sections a question means.

use std::collections::HashMap;

use super::excerpt::excerpt;
use super::split::Section;
use super::words::{alike, stems, together};
use super::{LONGEST_PASSAGE, Passage};

/// How much a word counts by where it stands.
const IN_HEADING: f64 = 4.0;
const IN_TITLE: f64 = 1.5;
const IN_CODE: f64 = 0.4;
/// A word that only means the same as the one that was asked for.
const SAID_OTHERWISE: f64 = 0.6;
/// How soon more of the same word stops to count, and how much long sections pay for their length.
const K1: f64 = 1.2;
const B: f64 = 0.6;
/// The part of a question's weight that a passage must have to do with.
const LEAST_COVERED: f64 = 0.34;

pub(super) struct Index {
    sections: Vec<Section>,
    /// For each stem the sections it is in, with how much it counts there.
    places: HashMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
}

impl Index {
    pub(super) fn new(sections: Vec<Section>) -> Self {
        let mut places: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(sections.len());
        for (number, section) in sections.iter().enumerate() {
            let mut counts: HashMap<String, f64> = HashMap::new();
            let mut length = 0.0;
            for unit in &section.units {
                let weight = if unit.code { IN_CODE } else { 1.0 };
                for stem in stems(&unit.text) {
                    length += weight;
                    *counts.entry(stem).or_default() += weight;
                }
            }
            for (text, weight) in [(&section.heading, IN_HEADING), (&section.title, IN_TITLE)] {
                for stem in stems(text) {
                    *counts.entry(stem).or_default() += weight;
                }
            }
            for (stem, count) in counts {
                places.entry(stem).or_default().push((number, count));
            }
            lengths.push(length);
        }
        Self {
            sections,
            places,
            lengths,
        }
    }

    fn found_in(&self, stem: &str) -> &[(usize, f64)] {
        self.places.get(stem).map_or(&[], Vec::as_slice)
    }
}

/// A word of the question with what it weighs, and what else it may be called.
struct Wanted {
    weight: f64,
    forms: Vec<(String, f64)>,
}

/// The best passages of all indexes together, best first.
pub(super) fn search(indexes: &[&Index], query: &str, limit: usize) -> Vec<Passage> {
    let wanted = wanted(indexes, query);
    let whole: f64 = wanted.iter().map(|word| word.weight).sum();
    let lengths = || indexes.iter().flat_map(|index| &index.lengths);
    let usual = lengths().sum::<f64>() / (lengths().count().max(1) as f64);
    // What each section scores, and which part of the question it has to do with.
    let mut scores: HashMap<(usize, usize), (f64, f64)> = HashMap::new();
    for word in &wanted {
        // All that a word may be called counts together: a section that says it in two ways is not twice about it.
        let mut counts: HashMap<(usize, usize), f64> = HashMap::new();
        for (form, share) in &word.forms {
            for (which, index) in indexes.iter().enumerate() {
                for &(number, count) in index.found_in(form) {
                    *counts.entry((which, number)).or_default() += share * count;
                }
            }
        }
        for (place, count) in counts {
            let long = 1.0 - B + B * indexes[place.0].lengths[place.1] / usual.max(1.0);
            let score = count * (K1 + 1.0) / (count + K1 * long);
            let entry = scores.entry(place).or_default();
            entry.0 += word.weight * score;
            entry.1 += word.weight * score.min(1.0);
        }
    }
    let mut ranked: Vec<((usize, usize), f64)> = scores
        .into_iter()
        .filter(|(_, (_, covered))| *covered >= LEAST_COVERED * whole)
        .map(|(place, (score, covered))| {
            let section = &indexes[place.0].sections[place.1];
            (place, score * section.weight * (0.4 + 0.6 * covered / whole))
        })
        .collect();
    // The place decides between equals, so that the same question has the same answer.
    ranked.sort_by(|(place, one), (other_place, other)| other.total_cmp(one).then(place.cmp(other_place)));
    let weights = wanted.iter().flat_map(|word| {
        word.forms
            .iter()
            .map(|(form, share)| (form.as_str(), share * word.weight))
    });
    let weights: HashMap<&str, f64> = weights.collect();
    let best = ranked.into_iter().take(limit);
    best.map(|((which, number), _)| {
        let section = &indexes[which].sections[number];
        let heading: Vec<String> = stems(&section.heading).collect();
        let told = wanted
            .iter()
            .filter(|word| word.forms.iter().any(|(form, _)| heading.contains(form)));
        let told = told.count() as f64 / wanted.len() as f64;
        Passage {
            title: section.title.clone(),
            path: section.path.clone(),
            heading: section.heading.clone(),
            text: excerpt(&section.units, &weights, told, LONGEST_PASSAGE),
        }
    })
    .collect()
}

/// The words of a question that stand somewhere, rare ones first in weight.
fn wanted(indexes: &[&Index], query: &str) -> Vec<Wanted> {
    let sections: usize = indexes.iter().map(|index| index.sections.len()).sum();
    let mut seen = Vec::new();
    let mut wanted = Vec::new();
    // A question is short; what is longer is a text, and its beginning says what it is about.
    for stem in stems(&together(query)).take(40) {
        if seen.contains(&stem) {
            continue;
        }
        let among = |stem: &str| {
            indexes
                .iter()
                .map(|index| index.found_in(stem).len())
                .sum::<usize>()
        };
        let mut forms = vec![(stem.clone(), 1.0)];
        forms.extend(alike(&stem).into_iter().map(|form| (form, SAID_OTHERWISE)));
        let places = forms
            .iter()
            .map(|(form, _)| among(form))
            .find(|&places| places > 0);
        seen.push(stem);
        // A word that is nowhere is asked for all the same: a question about something else must find nothing.
        let places = places.unwrap_or(0) as f64;
        let weight = ((sections as f64 - places + 0.5) / (places + 0.5) + 1.0).ln();
        wanted.push(Wanted { weight, forms });
    }
    wanted
}
