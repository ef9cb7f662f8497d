//! `.pdf`: the text of its pages, line by line as it stands on the page.

mod place;
mod widths;

use std::collections::BTreeMap;

use ferro_engine::Failure;
use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Encoding, LoadOptions, Object, ObjectId, Stream};

use self::place::Writer;
use self::widths::Widths;
use super::{MAX_TEXT, broken};

const MAX_PAGES: usize = 3_000;
/// Of any one stream.
const MAX_STREAM: usize = 32 * 1024 * 1024;
/// Of all streams together: pages may share one, and are read one by one.
const MAX_CONTENT: usize = 512 * 1024 * 1024;
const MAX_FONTS: usize = 200;
/// Forms inside forms.
const MAX_DEPTH: usize = 4;

pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<String, Failure> {
    let options = LoadOptions {
        max_decompressed_size: Some(MAX_STREAM),
        ..LoadOptions::default()
    };
    let document = Document::load_mem_with_options(bytes, options)
        .map_err(|error| broken(name, "a PDF").detail(error.to_string()))?;
    if document.is_encrypted() {
        return Err(
            Failure::input("path", format!("{name:?} is protected by a password"))
                .advice("Save a copy without a password."),
        );
    }
    let mut reader = Reader {
        document: &document,
        left: MAX_CONTENT,
    };
    let (mut text, mut pages) = (String::new(), 0);
    for page in document.page_iter().take(MAX_PAGES) {
        pages += 1;
        let page = reader.page(page);
        if !page.is_empty() {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(&page);
        }
        if text.len() > MAX_TEXT || reader.left == 0 {
            break;
        }
    }
    if pages == 0 {
        return Err(broken(name, "a PDF"));
    }
    Ok(text)
}

struct Reader<'a> {
    document: &'a Document,
    /// Bytes of content that may still be read.
    left: usize,
}

/// What a content stream refers to by name.
struct Names<'a> {
    fonts: BTreeMap<Vec<u8>, Font<'a>>,
    resources: Vec<&'a Dictionary>,
}

pub(super) struct Font<'a> {
    encoding: Encoding<'a>,
    widths: Option<Widths>,
}

impl Font<'_> {
    fn text(&self, bytes: &[u8]) -> Option<String> {
        Document::decode_text(&self.encoding, bytes).ok()
    }

    /// How far the text reaches, when the font says so.
    fn width(&self, bytes: &[u8]) -> Option<f32> {
        self.widths.as_ref()?.of(bytes)
    }
}

impl<'a> Reader<'a> {
    /// Empty for a page that cannot be read, such as a scanned one: the others still can.
    fn page(&mut self, page: ObjectId) -> String {
        let document = self.document;
        let Ok(content) = document.get_page_content_with_limit(page, MAX_STREAM) else {
            return String::new();
        };
        let fonts = document.get_page_fonts(page).unwrap_or_default();
        let fonts = fonts
            .into_iter()
            .take(MAX_FONTS)
            .filter_map(|(name, font)| Some((name, self.font(font)?)));
        let (own, inherited) = document.get_page_resources(page).unwrap_or_default();
        let inherited = inherited
            .into_iter()
            .filter_map(|id| document.get_dictionary(id).ok());
        let names = Names {
            fonts: fonts.collect(),
            resources: own.into_iter().chain(inherited).collect(),
        };
        let mut writer = Writer::default();
        self.content(&content, &names, &mut writer, 0);
        writer.finish()
    }

    fn font(&self, font: &'a Dictionary) -> Option<Font<'a>> {
        let encoding = font
            .get_font_encoding_with_limit(self.document, MAX_STREAM)
            .ok()?;
        Some(Font {
            encoding,
            widths: Widths::read(self.document, font),
        })
    }

    fn content(&mut self, content: &[u8], names: &Names<'a>, writer: &mut Writer, depth: usize) {
        let Some(left) = self.left.checked_sub(content.len()) else {
            self.left = 0;
            return;
        };
        self.left = left;
        let Ok(content) = Content::decode(content) else {
            return;
        };
        let mut font = None;
        for operation in &content.operations {
            match operation.operator.as_str() {
                "Tf" => {
                    let name = operation.operands.first().and_then(|name| name.as_name().ok());
                    font = name.and_then(|name| names.fonts.get(name));
                    if let Some(size) = number(operation, 1) {
                        writer.size = size;
                    }
                }
                "Do" if depth < MAX_DEPTH => self.form(operation, names, writer, depth),
                _ => writer.take(operation, font),
            }
        }
    }

    /// A form is content of its own, drawn as if it stood here.
    fn form(&mut self, operation: &Operation, names: &Names<'a>, writer: &mut Writer, depth: usize) {
        let Some(form) = self.find_form(operation, names) else {
            return;
        };
        let Ok(content) = form.get_plain_content_with_limit(MAX_STREAM) else {
            return;
        };
        let own = self.document.get_dict_in_dict(&form.dict, b"Resources").ok();
        let fonts = own.and_then(|own| self.document.get_dict_in_dict(own, b"Font").ok());
        let fonts = fonts
            .into_iter()
            .flat_map(|fonts| fonts.iter())
            .take(MAX_FONTS)
            .filter_map(|(name, font)| {
                let (_, font) = self.document.dereference(font).ok()?;
                Some((name.clone(), self.font(font.as_dict().ok()?)?))
            });
        let inner = Names {
            fonts: fonts.collect(),
            resources: own.into_iter().collect(),
        };
        let matrix = form.dict.get(b"Matrix").and_then(Object::as_array).ok();
        let matrix: Vec<f32> = matrix
            .into_iter()
            .flatten()
            .filter_map(|number| number.as_float().ok())
            .collect();
        writer.enter(matrix.try_into().ok());
        self.content(&content, &inner, writer, depth + 1);
        writer.leave();
    }

    fn find_form(&self, operation: &Operation, names: &Names<'a>) -> Option<&'a Stream> {
        let document = self.document;
        let name = operation.operands.first()?.as_name().ok()?;
        let mut found = names.resources.iter().filter_map(|resources| {
            let forms = document.get_dict_in_dict(resources, b"XObject").ok()?;
            let (_, form) = document.dereference(forms.get(name).ok()?).ok()?;
            form.as_stream().ok()
        });
        found.next().filter(|form| {
            form.dict
                .get(b"Subtype")
                .and_then(Object::as_name)
                .is_ok_and(|kind| kind == b"Form")
        })
    }
}

fn number(operation: &Operation, at: usize) -> Option<f32> {
    operation.operands.get(at)?.as_float().ok()
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    fn pdf(pages: &[&str]) -> Vec<u8> {
        let mut document = Document::with_version("1.5");
        let tree = document.new_object_id();
        let font = document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
        });
        let widths: Vec<Object> = (32..127).map(|_| 500.into()).collect();
        let wide = document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "TrueType", "BaseFont" => "X", "Encoding" => "WinAnsiEncoding",
            "FirstChar" => 32, "Widths" => widths,
        });
        let fonts = dictionary! { "F1" => font, "F2" => wide };
        let form = document.add_object(Stream::new(
            dictionary! { "Type" => "XObject", "Subtype" => "Form", "Resources" => dictionary! { "Font" => fonts.clone() } },
            b"BT /F1 12 Tf (in a form) Tj ET".to_vec(),
        ));
        let resources =
            document.add_object(dictionary! { "Font" => fonts, "XObject" => dictionary! { "X1" => form } });
        let kids: Vec<Object> = pages
            .iter()
            .map(|content| {
                let content = document.add_object(Stream::new(dictionary! {}, content.as_bytes().to_vec()));
                document
                    .add_object(dictionary! { "Type" => "Page", "Parent" => tree, "Contents" => content, "Resources" => resources })
                    .into()
            })
            .collect();
        let count = i64::try_from(kids.len()).unwrap();
        document.objects.insert(
            tree,
            Object::Dictionary(dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count,
            "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()] }),
        );
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
        document.trailer.set("Root", catalog);
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn lines_words_and_pages() {
        let first = "BT /F1 12 Tf 72 720 Td (Hello) Tj 0 -14 Td [(W) 20 (orld) -300 (again)] TJ 0 -40 Td (Far \\(below\\)) Tj ET";
        let second = "BT /F1 10 Tf 1 0 0 1 72 700 Tm (A) Tj 1 0 0 1 120 700 Tm (B) Tj T* (C) Tj ET";
        assert_eq!(
            read("x.pdf", &pdf(&[first, second])).unwrap(),
            "Hello\nWorld again\n\nFar (below)\n\nA B\nC"
        );
    }

    #[test]
    fn letters_forms_and_moved_paper() {
        let letters =
            "BT /F2 10 Tf 1 0 0 1 10 700 Tm (H) Tj 1 0 0 1 15 700 Tm (i) Tj 1 0 0 1 25 700 Tm (you) Tj ET";
        assert_eq!(read("x.pdf", &pdf(&[letters])).unwrap(), "Hi you");
        let moved =
            "q 1 0 0 1 72 700 cm BT /F1 12 Tf (one) Tj ET Q q 1 0 0 1 72 685 cm BT /F1 12 Tf (two) Tj ET Q";
        assert_eq!(read("x.pdf", &pdf(&[moved])).unwrap(), "one\ntwo");
        let form = "BT /F1 12 Tf 72 700 Td (before) Tj ET q 1 0 0 1 72 680 cm /X1 Do Q";
        assert_eq!(read("x.pdf", &pdf(&[form])).unwrap(), "before\nin a form");
        let unbalanced = format!(
            "{} {} BT /F1 12 Tf (still) Tj ET",
            "Q ".repeat(9),
            "q ".repeat(100_000)
        );
        assert_eq!(read("x.pdf", &pdf(&[&unbalanced])).unwrap(), "still");
    }

    #[test]
    fn damaged_ones_are_refused_or_empty() {
        assert!(read("x.pdf", b"%PDF-1.7 and nothing").is_err());
        assert_eq!(read("x.pdf", &pdf(&["BT (no font) Tj ET"])).unwrap(), "");
        let whole = pdf(&["BT /F1 12 Tf (Hello) Tj ET"]);
        for cut in (0..whole.len()).step_by(37) {
            // Whatever it says, it says it without a panic.
            let _ = read("x.pdf", &whole[..cut]);
        }
    }
}
