//! `.pptx`: the text of its slides, in order.

use ferro_engine::Failure;

use super::archive::Archive;
use super::xml::{self, Piece};
use super::{MAX_TEXT, broken, decode};

const MAX_SLIDES: usize = 2_000;

pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<String, Failure> {
    let mut archive = Archive::open(name, bytes)?;
    let number = |path: &str| -> Option<u32> {
        path.strip_prefix("ppt/slides/slide")?
            .strip_suffix(".xml")?
            .parse()
            .ok()
    };
    let mut slides: Vec<(u32, String)> = archive
        .names()
        .into_iter()
        .filter_map(|path| Some((number(&path)?, path)))
        .collect();
    slides.sort();
    if slides.is_empty() {
        return Err(broken(name, "a presentation"));
    }
    let mut texts = Vec::new();
    let mut length = 0;
    for (_, path) in slides.into_iter().take(MAX_SLIDES) {
        let Some(part) = archive.part(&path)? else {
            continue;
        };
        let text = slide(&decode::text(&part, None))
            .map_err(|error| broken(name, "a presentation").detail(error))?;
        length += text.len();
        texts.push(text);
        if length > MAX_TEXT {
            break;
        }
    }
    Ok(texts.join("\n\n").trim().to_owned())
}

/// One line for each paragraph.
fn slide(source: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut in_text = false;
    xml::walk(source, |piece| match piece {
        Piece::Open(tag) => match tag.name() {
            "t" => in_text = true,
            "br" => out.push('\n'),
            _ => {}
        },
        Piece::Close("t") => in_text = false,
        Piece::Close("p") if !out.is_empty() && !out.ends_with('\n') => out.push('\n'),
        Piece::Text(text) if in_text => out.push_str(text),
        Piece::Close(_) | Piece::Text(_) => {}
    })?;
    Ok(out.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::archive::tests::pack;
    use super::*;

    #[test]
    fn slides_in_order_of_their_numbers() {
        let slide = |text: &str| {
            format!(
                r#"<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>{text}</a:t></a:r></a:p><a:p><a:r><a:t>end</a:t></a:r></a:p></p:sld>"#
            )
        };
        let (one, two, ten) = (slide("one"), slide("two"), slide("ten"));
        let bytes = pack(&[
            ("ppt/slides/slide10.xml", &ten),
            ("ppt/slides/slide2.xml", &two),
            ("ppt/slides/slide1.xml", &one),
            ("ppt/slides/_rels/slide1.xml.rels", "<x/>"),
        ]);
        assert_eq!(
            read("x.pptx", &bytes).unwrap(),
            "one\nend\n\ntwo\nend\n\nten\nend"
        );
        assert!(read("x.pptx", &pack(&[("a.txt", "hi")])).is_err());
    }
}
