//! Writes down what a person would read.

mod write;

use std::collections::HashSet;

use super::walk::{Open, Piece};
use super::{Page, Style};

/// Elements without anything to read.
const SKIPPED: [&str; 9] = [
    "script", "style", "template", "svg", "noscript", "iframe", "noembed", "noframes", "object",
];
/// Deeper marks are dropped: a page of unclosed tags must not cost more than its length.
const MAX_MARKS: usize = 64;
const MAX_LINKS: usize = 5_000;

pub(super) struct Renderer {
    style: Style,
    page: Page,
    out: String,
    /// Line breaks to write before the next text.
    breaks: u8,
    space: bool,
    skipping: Option<Skipping>,
    in_title: bool,
    /// How deep in `pre`.
    preformatted: usize,
    quotes: usize,
    /// How deep the last text was quoted.
    quoted: usize,
    lists: Vec<List>,
    marks: Vec<Mark>,
    tables: usize,
    table: Grid,
    seen_links: HashSet<String>,
}

struct Skipping {
    name: String,
    depth: usize,
}

enum List {
    Bullets,
    Numbers(u32),
}

/// An open `**`, `*`, `` ` `` or `[`.
struct Mark {
    tag: &'static str,
    /// Where its content begins.
    from: usize,
    close: String,
}

#[derive(Default)]
struct Grid {
    rows: usize,
    cells: usize,
    in_cell: bool,
}

impl Renderer {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            page: Page::default(),
            out: String::new(),
            breaks: 0,
            space: false,
            skipping: None,
            in_title: false,
            preformatted: 0,
            quotes: 0,
            quoted: 0,
            lists: Vec::new(),
            marks: Vec::new(),
            tables: 0,
            table: Grid::default(),
            seen_links: HashSet::new(),
        }
    }

    pub(super) fn finish(mut self) -> Page {
        while let Some(mark) = self.marks.pop() {
            self.end_mark(mark);
        }
        self.page.title = self.page.title.split_whitespace().collect::<Vec<_>>().join(" ");
        self.page.text = self.out.trim().to_owned();
        self.page
    }

    pub(super) fn take(&mut self, piece: &Piece<'_>) {
        if let Some(skipping) = &mut self.skipping {
            match piece {
                Piece::Open(tag) if tag.name() == skipping.name => skipping.depth += 1,
                Piece::Close(name) if *name == skipping.name => skipping.depth -= 1,
                _ => {}
            }
            if skipping.depth == 0 {
                self.skipping = None;
            }
            return;
        }
        match piece {
            Piece::Open(tag) if SKIPPED.contains(&tag.name()) => {
                self.skipping = Some(Skipping {
                    name: tag.name().to_owned(),
                    depth: 1,
                });
            }
            Piece::Open(tag) => {
                self.note(tag);
                self.open(tag);
            }
            Piece::Close(name) => self.close(name),
            Piece::Text(text) if self.in_title => self.page.title.push_str(text),
            Piece::Text(text) => self.text(text),
        }
    }

    /// What a tag says about the page.
    fn note(&mut self, tag: &Open<'_>) {
        match tag.name() {
            "html" => tag
                .attribute("lang")
                .unwrap_or_default()
                .trim()
                .clone_into(&mut self.page.language),
            "base" if self.page.base.is_none() => self.page.base = tag.attribute("href").map(str::to_owned),
            "meta" => {
                let name = tag
                    .attribute("name")
                    .or_else(|| tag.attribute("property"))
                    .unwrap_or_default();
                let names = ["description", "og:description"];
                if self.page.description.is_empty()
                    && names.iter().any(|known| name.eq_ignore_ascii_case(known))
                {
                    tag.attribute("content")
                        .unwrap_or_default()
                        .trim()
                        .clone_into(&mut self.page.description);
                }
            }
            "a" | "area" => {
                if let Some(link) = tag
                    .attribute("href")
                    .map(str::trim)
                    .filter(|link| !link.is_empty())
                    && self.page.links.len() < MAX_LINKS
                    && self.seen_links.insert(link.to_owned())
                {
                    self.page.links.push(link.to_owned());
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, tag: &Open<'_>) {
        let markdown = self.style == Style::Markdown;
        match tag.name() {
            // A title inside the body is the name of a drawing.
            "title" => self.in_title = self.page.title.is_empty(),
            "br" => self.line_break(),
            "hr" => {
                self.block();
                if markdown {
                    self.mark("---");
                    self.block();
                }
            }
            "ul" => self.open_list(List::Bullets),
            "ol" => self.open_list(List::Numbers(0)),
            "li" => self.item(),
            "pre" => {
                self.block();
                if markdown {
                    self.mark("```\n");
                }
                self.preformatted += 1;
            }
            "blockquote" => {
                self.block();
                self.quotes = (self.quotes + 1).min(20);
            }
            "table" => {
                self.tables += 1;
                if self.tables == 1 {
                    self.block();
                    self.table = Grid::default();
                }
            }
            "tr" if self.tables == 1 => self.row(),
            "td" | "th" if self.tables == 1 => self.cell(),
            "img" if markdown => self.picture(tag),
            "a" if markdown => {
                if let Some(link) = tag.attribute("href").filter(|link| !link.is_empty()) {
                    let link: String = link.chars().filter(|c| !c.is_whitespace()).collect();
                    self.begin_mark("a", "[", format!("]({link})"));
                }
            }
            "b" | "strong" if markdown => self.begin_mark("b", "**", "**".to_owned()),
            "i" | "em" if markdown => self.begin_mark("i", "*", "*".to_owned()),
            "code" if markdown && self.preformatted == 0 => self.begin_mark("code", "`", "`".to_owned()),
            name => self.separate(name),
        }
    }

    /// Headings, paragraphs and other blocks.
    fn separate(&mut self, name: &str) {
        match heading(name) {
            Some(level) => {
                self.block();
                if self.style == Style::Markdown && !self.table.in_cell {
                    self.mark(&"#".repeat(level));
                    self.space = true;
                }
            }
            None if is_paragraph(name) => self.block(),
            None if is_line(name) => self.line_break(),
            None => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "title" => self.in_title = false,
            "ul" | "ol" => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.block()
                } else {
                    self.line_break()
                }
            }
            "pre" => {
                self.preformatted = self.preformatted.saturating_sub(1);
                if self.style == Style::Markdown {
                    if !self.out.ends_with('\n') {
                        self.out.push('\n');
                    }
                    self.out.push_str("```");
                }
                self.block();
            }
            "blockquote" => {
                self.quotes = self.quotes.saturating_sub(1);
                self.block();
            }
            "table" => {
                if self.tables == 1 {
                    self.end_row();
                    self.block();
                }
                self.tables = self.tables.saturating_sub(1);
            }
            "tr" if self.tables == 1 => self.end_row(),
            "td" | "th" if self.tables == 1 => self.end_cell(),
            "b" | "strong" => self.close_mark("b"),
            "i" | "em" => self.close_mark("i"),
            "a" => self.close_mark("a"),
            "code" => self.close_mark("code"),
            name if heading(name).is_some() || is_paragraph(name) => self.block(),
            name if is_line(name) || name == "li" => self.line_break(),
            _ => {}
        }
    }
}

fn heading(name: &str) -> Option<usize> {
    let level = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

fn is_paragraph(name: &str) -> bool {
    matches!(
        name,
        "p" | "section" | "article" | "main" | "aside" | "figure" | "dl" | "form" | "fieldset" | "details"
    )
}

fn is_line(name: &str) -> bool {
    matches!(
        name,
        "div"
            | "header"
            | "footer"
            | "nav"
            | "address"
            | "dt"
            | "dd"
            | "figcaption"
            | "summary"
            | "option"
            | "body"
            | "legend"
            | "caption"
            | "tr"
            | "thead"
            | "tbody"
            | "tfoot"
            | "textarea"
            | "button"
            | "label"
    )
}
