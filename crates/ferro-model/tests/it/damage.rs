//! Ways to damage a good file. The tests of other crates use them too.

use proptest::prelude::*;

/// Values that tend to break things, as JSON writes them.
const NASTY: &[&str] = &[
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "-1",
    "1e999",
    "\"NaN\"",
    "\"\\ud800\"",
    "[[[[[[[[]]]]]]]]",
    "\"œ\"",
    "{\"id\":{}}",
    "0.1e-400",
];

#[derive(Debug, Clone)]
pub enum Damage {
    Set(usize, u8),
    Cut(usize, usize),
    Double(usize, usize),
    /// A JSON value in the place of another.
    Swap(usize, usize),
}

pub fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<usize>;
    prop_oneof![
        1 => (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        1 => (at(), 0..40usize).prop_map(|(at, len)| Damage::Cut(at, len)),
        1 => (at(), 0..40usize).prop_map(|(at, len)| Damage::Double(at, len)),
        4 => (at(), at()).prop_map(|(at, value)| Damage::Swap(at, value)),
    ]
}

pub fn damaged(text: &str, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for damage in damages {
        let len = bytes.len().max(1);
        match *damage {
            Damage::Set(at, byte) => {
                if let Some(place) = bytes.get_mut(at % len) {
                    *place = byte;
                }
            }
            Damage::Cut(at, count) => {
                let start = (at % len).min(bytes.len());
                bytes.drain(start..(start + count).min(bytes.len()));
            }
            Damage::Double(at, count) => {
                let start = (at % len).min(bytes.len());
                let piece = bytes[start..(start + count).min(bytes.len())].to_vec();
                bytes.splice(start..start, piece);
            }
            Damage::Swap(at, value) => {
                let colons: Vec<usize> = (0..bytes.len()).filter(|&place| bytes[place] == b':').collect();
                let Some(&colon) = colons.get(at % colons.len().max(1)) else {
                    continue;
                };
                let end = (colon + 1..bytes.len()).find(|&place| matches!(bytes[place], b',' | b'}'));
                let value = NASTY[value % NASTY.len()].bytes();
                bytes.splice(colon + 1..end.unwrap_or(bytes.len()), value);
            }
        }
    }
    bytes
}
