//! `.docx`: the text of its body, with headings, lists and tables told apart.

use ferro_engine::Failure;

use super::archive::Archive;
use super::xml::{self, Piece};
use super::{MAX_TEXT, broken, decode};

pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<String, Failure> {
    let mut archive = Archive::open(name, bytes)?;
    let Some(body) = archive.part("word/document.xml")? else {
        return Err(broken(name, "a Word document"));
    };
    let mut writer = Writer::default();
    xml::walk(&decode::text(&body, None), |piece| writer.take(&piece))
        .map_err(|error| broken(name, "a Word document").detail(error))?;
    Ok(writer.out.trim().to_owned())
}

#[derive(Default)]
struct Writer {
    out: String,
    paragraph: String,
    heading: usize,
    bullet: bool,
    in_text: bool,
    /// How deep in deleted text, which is not part of the document any more.
    deleted: usize,
    rows: usize,
    cell: String,
    in_cell: usize,
}

impl Writer {
    fn take(&mut self, piece: &Piece<'_>) {
        if self.out.len() > MAX_TEXT {
            return;
        }
        match piece {
            Piece::Open(tag) => match tag.name() {
                "t" => self.in_text = self.deleted == 0,
                "tab" => self.paragraph.push('\t'),
                "br" | "cr" => self.paragraph.push('\n'),
                "del" | "delText" => self.deleted += 1,
                "pStyle" => self.style(&tag.attribute("val").unwrap_or_default()),
                "numPr" => self.bullet = true,
                "tr" => self.rows += 1,
                "tc" => {
                    self.in_cell += 1;
                    self.cell.clear();
                }
                _ => {}
            },
            Piece::Close(name) => match *name {
                "t" => self.in_text = false,
                "del" | "delText" => self.deleted = self.deleted.saturating_sub(1),
                "p" => self.end_paragraph(),
                "tc" => {
                    self.in_cell = self.in_cell.saturating_sub(1);
                    let cell = std::mem::take(&mut self.cell);
                    if !self.out.is_empty() && !self.out.ends_with(['\n', '\t']) {
                        self.out.push('\t');
                    }
                    self.out.push_str(cell.trim());
                }
                "tr" => self.out.push('\n'),
                "tbl" => self.out.push('\n'),
                _ => {}
            },
            Piece::Text(text) if self.in_text => self.paragraph.push_str(text),
            Piece::Text(_) => {}
        }
    }

    fn style(&mut self, style: &str) {
        let level = style
            .to_lowercase()
            .strip_prefix("heading")
            .and_then(|level| level.trim().parse().ok());
        self.heading = if style.eq_ignore_ascii_case("title") {
            1
        } else {
            level.filter(|level| *level <= 6).unwrap_or(0)
        };
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        let (heading, bullet) = (
            std::mem::take(&mut self.heading),
            std::mem::take(&mut self.bullet),
        );
        if self.in_cell > 0 {
            if !self.cell.is_empty() {
                self.cell.push(' ');
            }
            self.cell.push_str(text.trim());
            return;
        }
        if text.trim().is_empty() {
            return;
        }
        if heading > 0 {
            self.out.push_str(&"#".repeat(heading));
            self.out.push(' ');
        } else if bullet {
            self.out.push_str("- ");
        }
        self.out.push_str(text.trim_end());
        self.out.push('\n');
        if !bullet {
            self.out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::archive::tests::pack;
    use super::*;

    #[test]
    fn paragraphs_headings_lists_and_tables() {
        let body = r#"<w:document xmlns:w="w"><w:body>
            <w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Plan &amp; costs</w:t></w:r></w:p>
            <w:p><w:r><w:t xml:space="preserve">One </w:t></w:r><w:r><w:t>two</w:t><w:br/><w:t>three</w:t></w:r>
              <w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>
            <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>item</w:t></w:r></w:p>
            <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>
            <w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
            </w:body></w:document>"#;
        let bytes = pack(&[("word/document.xml", body)]);
        assert_eq!(
            read("x.docx", &bytes).unwrap(),
            "## Plan & costs\n\nOne two\nthree\n\n- item\na\tb\n1\t2"
        );
    }

    #[test]
    fn something_else_in_a_zip_is_refused() {
        assert!(read("x.docx", &pack(&[("a.txt", "hi")])).is_err());
        assert!(read("x.docx", &pack(&[("word/document.xml", "<w:p")])).is_err());
    }
}
