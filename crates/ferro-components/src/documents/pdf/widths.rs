//! How wide the letters of a font are, in thousandths of its size.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object};

/// More than any font has letters.
const MAX_WIDTHS: usize = 70_000;

pub(super) enum Widths {
    /// One byte for each letter: the first code, and widths from there.
    Bytes(usize, Vec<f32>),
    /// Two bytes for each letter: those that differ from the usual width.
    Pairs(HashMap<u16, f32>, f32),
}

impl Widths {
    /// `None` when the font does not say.
    pub(super) fn read(document: &Document, font: &Dictionary) -> Option<Self> {
        if font.get(b"Subtype").and_then(Object::as_name).ok()? == b"Type0" {
            return pairs(document, font);
        }
        let first = usize::try_from(font.get(b"FirstChar").ok()?.as_i64().ok()?).ok()?;
        let list = found(document, font, b"Widths")?
            .as_array()
            .ok()?
            .iter()
            .take(256);
        Some(Self::Bytes(
            first,
            list.map(|width| width.as_float().unwrap_or(0.0)).collect(),
        ))
    }

    pub(super) fn of(&self, bytes: &[u8]) -> Option<f32> {
        match self {
            Self::Bytes(first, widths) => bytes
                .iter()
                .map(|&code| widths.get(usize::from(code).checked_sub(*first)?).copied())
                .sum(),
            Self::Pairs(widths, usual) => {
                let codes = bytes
                    .chunks_exact(2)
                    .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
                Some(codes.map(|code| widths.get(&code).unwrap_or(usual)).sum())
            }
        }
    }
}

fn found<'a>(document: &'a Document, dictionary: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
    Some(document.dereference(dictionary.get(key).ok()?).ok()?.1)
}

/// `[first [width …] first last width …]`, of fonts whose codes are the letters' own numbers.
fn pairs(document: &Document, font: &Dictionary) -> Option<Widths> {
    let encoding = found(document, font, b"Encoding")?.as_name().ok()?;
    if !encoding.starts_with(b"Identity") {
        return None;
    }
    let inner = found(document, font, b"DescendantFonts")?
        .as_array()
        .ok()?
        .first()?;
    let inner = document.dereference(inner).ok()?.1.as_dict().ok()?;
    let usual = found(document, inner, b"DW")
        .and_then(|width| width.as_float().ok())
        .unwrap_or(1000.0);
    let mut widths = HashMap::new();
    let list = found(document, inner, b"W").and_then(|list| list.as_array().ok());
    let mut items = list
        .into_iter()
        .flatten()
        .filter_map(|item| Some(document.dereference(item).ok()?.1));
    while let (Some(first), Some(next)) = (items.next(), items.next()) {
        let Some(first) = code(first) else { break };
        if let Ok(run) = next.as_array() {
            for (at, width) in run.iter().enumerate().take(usize::from(u16::MAX)) {
                let at = u16::try_from(at).ok().and_then(|at| first.checked_add(at));
                widths.extend(at.zip(width.as_float().ok()));
            }
        } else {
            let (Some(last), Some(width)) = (code(next), items.next()) else {
                break;
            };
            let width = width.as_float().unwrap_or(usual);
            widths.extend((first..=last).map(|code| (code, width)));
        }
        if widths.len() > MAX_WIDTHS {
            break;
        }
    }
    Some(Widths::Pairs(widths, usual))
}

fn code(object: &Object) -> Option<u16> {
    u16::try_from(object.as_i64().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    #[test]
    fn runs_ranges_and_the_usual_width() {
        let runs = vec![
            1.into(),
            vec![100.into(), 200.into()].into(),
            5.into(),
            7.into(),
            300.into(),
        ];
        let inner = dictionary! { "Subtype" => "CIDFontType2", "DW" => 50, "W" => runs };
        let font = dictionary! {
            "Subtype" => "Type0", "Encoding" => "Identity-H", "DescendantFonts" => vec![Object::Dictionary(inner)],
        };
        let widths = Widths::read(&Document::new(), &font).unwrap();
        assert_eq!(
            widths.of(&[0, 1, 0, 2, 0, 6, 0, 9]),
            Some(100.0 + 200.0 + 300.0 + 50.0)
        );
        let endless = dictionary! { "Subtype" => "Type0", "Encoding" => "Identity-H",
        "DescendantFonts" => vec![Object::Dictionary(dictionary! { "W" => vec![9.into(), 3.into(), 1.into(), 4.into()] })] };
        assert_eq!(
            Widths::read(&Document::new(), &endless).unwrap().of(&[0, 9]),
            Some(1000.0)
        );
        assert!(Widths::read(&Document::new(), &dictionary! { "Subtype" => "Type1" }).is_none());
    }
}
