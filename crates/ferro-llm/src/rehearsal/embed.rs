//! Vectors from words and letters: texts that share them lie near each other. No meaning is involved.

use super::words::{is_common, stem, words};

pub(super) const DIMENSIONS: usize = 256;

/// A vector of length one.
pub(super) fn vector(text: &str) -> Vec<f32> {
    let mut sums = vec![0f32; DIMENSIONS];
    let all = words(text);
    for word in &all {
        let weight = if is_common(word) { 0.1 } else { 1.0 };
        add(&mut sums, "w", &stem(word), weight);
        if is_common(word) {
            continue;
        }
        // Letters in threes bring spellings of one word together.
        let letters: Vec<char> = std::iter::once('^').chain(word.chars()).chain(['$']).collect();
        let each = letters.windows(3).map(|three| three.iter().collect::<String>());
        let weight = 0.5 / (letters.len() as f32).sqrt();
        for three in each {
            add(&mut sums, "c", &three, weight);
        }
    }
    for pair in all.windows(2) {
        if let [first, second] = pair
            && !is_common(first)
            && !is_common(second)
        {
            add(&mut sums, "b", &format!("{} {}", stem(first), stem(second)), 0.4);
        }
    }
    let length = sums.iter().map(|sum| sum * sum).sum::<f32>().sqrt();
    if length > 0.0 {
        sums.iter_mut().for_each(|sum| *sum /= length);
    } else if let Some(first) = sums.first_mut() {
        // Nothing to go by: still a vector that can be compared.
        *first = 1.0;
    }
    sums
}

/// Adds a feature at the place its hash names, up or down, so that features which share a place cancel out on average.
fn add(sums: &mut [f32], kind: &str, feature: &str, weight: f32) {
    // FNV-1a: the same on every machine and in every version, as stored vectors must be.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in kind.bytes().chain([0]).chain(feature.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let place = (hash >> 32) as usize % DIMENSIONS;
    if let Some(sum) = sums.get_mut(place) {
        *sum += if hash & 1 == 0 { weight } else { -weight };
    }
}
