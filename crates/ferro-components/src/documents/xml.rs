//! XML as tags and texts, one after the other. Names are given without their prefix.

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};

pub(crate) enum Piece<'a> {
    Open(&'a Open<'a>),
    Close(&'a str),
    Text(&'a str),
}

pub(crate) struct Open<'a>(&'a BytesStart<'a>);

impl Open<'_> {
    pub(crate) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// By its name without a prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut all = self.0.attributes();
        let found = all
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.local_name().into_inner() == name)?;
        Some(
            found
                .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                .map_or_else(|_| found.value.to_string(), std::borrow::Cow::into_owned),
        )
    }
}

/// Tells `take` every tag and every text, as far as the XML can be read. What went wrong is the error.
pub(crate) fn walk(xml: &str, mut take: impl FnMut(Piece<'_>)) -> Result<(), String> {
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) => take(Piece::Open(&Open(&tag))),
            Event::Empty(tag) => {
                take(Piece::Open(&Open(&tag)));
                take(Piece::Close(tag.local_name().into_inner()));
            }
            Event::End(tag) => take(Piece::Close(tag.local_name().into_inner())),
            Event::Text(text) => take(Piece::Text(&text)),
            Event::CData(text) => take(Piece::Text(&text)),
            Event::GeneralRef(reference) => {
                if let Ok(Some(c)) = reference.resolve_char_ref() {
                    take(Piece::Text(c.encode_utf8(&mut [0; 4])));
                } else if let Some(text) = resolve_xml_entity(&reference) {
                    take(Piece::Text(text));
                } else {
                    take(Piece::Text(&format!("&{};", &*reference)));
                }
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_texts_and_entities() {
        let mut seen = String::new();
        let xml = "<?xml version='1.0'?><a:x n:k='1 &lt; 2'>a &amp; &#66;<![CDATA[<c>]]> &nbsp; R&D<e/></a:x></stray>";
        walk(xml, |piece| match piece {
            Piece::Open(tag) => seen += &format!("[{} {:?}]", tag.name(), tag.attribute("k")),
            Piece::Close(name) => seen += &format!("[/{name}]"),
            Piece::Text(text) => seen += text,
        })
        .unwrap();
        assert_eq!(
            seen,
            "[x Some(\"1 < 2\")]a & B<c> &nbsp; R&D[e None][/e][/x][/stray]"
        );
        assert!(walk("<a", |_| ()).is_err());
    }
}
