//! Where text, breaks and marks go: the part of the renderer that writes.

use super::super::Style;
use super::super::walk::Open;
use super::{List, MAX_MARKS, Mark, Renderer};

impl Renderer {
    pub(super) fn text(&mut self, text: &str) {
        if self.preformatted > 0 {
            self.flush();
            self.out.push_str(text);
            return;
        }
        for word in text.split_inclusive(|c: char| c.is_whitespace()) {
            let bare = word.trim_end();
            if !bare.is_empty() {
                self.flush();
                if self.table.in_cell && self.style == Style::Markdown {
                    self.out.push_str(&bare.replace('|', "\\|"));
                } else {
                    self.out.push_str(bare);
                }
            }
            if bare.len() < word.len() {
                self.space = true;
            }
        }
    }

    /// Writes the breaks or the space that is due.
    pub(super) fn flush(&mut self) {
        if self.breaks > 0 && !self.out.is_empty() {
            // A blank line belongs to a quote only when the quote goes on after it.
            for left in (0..self.breaks).rev() {
                self.out.push('\n');
                self.prefix(if left == 0 {
                    self.quotes
                } else {
                    self.quotes.min(self.quoted)
                });
            }
        } else if self.space && !self.out.is_empty() && !self.out.ends_with(['\n', '[']) {
            self.out.push(' ');
        } else if self.out.is_empty() {
            self.prefix(self.quotes);
        }
        self.quoted = self.quotes;
        self.breaks = 0;
        self.space = false;
    }

    pub(super) fn prefix(&mut self, quotes: usize) {
        if self.style == Style::Markdown {
            for _ in 0..quotes {
                self.out.push_str("> ");
            }
        }
    }

    pub(super) fn mark(&mut self, mark: &str) {
        self.flush();
        self.out.push_str(mark);
    }

    /// A blank line, or a space where lines cannot be broken.
    pub(super) fn block(&mut self) {
        self.due(2);
    }

    pub(super) fn line_break(&mut self) {
        self.due(1);
    }

    pub(super) fn due(&mut self, breaks: u8) {
        if self.tables > 0 && self.table.in_cell {
            self.space = true;
        } else {
            self.breaks = self.breaks.max(breaks);
        }
    }

    pub(super) fn open_list(&mut self, list: List) {
        if self.lists.is_empty() {
            self.block()
        } else {
            self.line_break()
        }
        if self.lists.len() < MAX_MARKS {
            self.lists.push(list);
        }
    }

    pub(super) fn item(&mut self) {
        self.line_break();
        let indent = "  ".repeat(self.lists.len().saturating_sub(1));
        let bullet = match self.lists.last_mut() {
            Some(List::Numbers(count)) => {
                *count += 1;
                format!("{count}.")
            }
            _ => "-".to_owned(),
        };
        self.mark(&format!("{indent}{bullet}"));
        self.space = true;
    }

    pub(super) fn picture(&mut self, tag: &Open<'_>) {
        let Some(source) = tag
            .attribute("src")
            .filter(|source| !source.is_empty() && !source.starts_with("data:"))
        else {
            return;
        };
        let alt = tag
            .attribute("alt")
            .unwrap_or_default()
            .replace(['[', ']', '\n'], " ");
        let source: String = source.chars().filter(|c| !c.is_whitespace()).collect();
        self.mark(&format!("![{}]({source})", alt.trim()));
    }

    pub(super) fn begin_mark(&mut self, tag: &'static str, open: &str, close: String) {
        if self.marks.len() < MAX_MARKS && self.preformatted == 0 {
            self.mark(open);
            self.marks.push(Mark {
                tag,
                from: self.out.len(),
                close,
            });
        }
    }

    pub(super) fn close_mark(&mut self, tag: &str) {
        let Some(at) = self.marks.iter().rposition(|mark| mark.tag == tag) else {
            return;
        };
        while self.marks.len() > at {
            if let Some(mark) = self.marks.pop() {
                self.end_mark(mark);
            }
        }
    }

    pub(super) fn end_mark(&mut self, mark: Mark) {
        if self.out.len() > mark.from {
            self.out.push_str(&mark.close);
            return;
        }
        // Nothing was inside: the opening goes too.
        let open = if mark.tag == "b" { 2 } else { 1 };
        self.out.truncate(mark.from - open);
    }

    pub(super) fn row(&mut self) {
        self.end_row();
        self.line_break();
        self.table.cells = 0;
    }

    pub(super) fn cell(&mut self) {
        self.end_cell();
        if self.style == Style::Markdown {
            self.mark(if self.table.cells == 0 { "|" } else { "" });
            self.space = true;
        } else if self.table.cells > 0 {
            self.mark("\t");
        }
        self.table.cells += 1;
        self.table.in_cell = true;
    }

    pub(super) fn end_cell(&mut self) {
        if !self.table.in_cell {
            return;
        }
        self.table.in_cell = false;
        self.space = false;
        if self.style == Style::Markdown {
            self.out.push_str(" |");
        }
    }

    pub(super) fn end_row(&mut self) {
        self.end_cell();
        if self.table.cells == 0 {
            return;
        }
        self.table.rows += 1;
        if self.style == Style::Markdown && self.table.rows == 1 {
            self.line_break();
            let rule = "| --- ".repeat(self.table.cells) + "|";
            self.mark(&rule);
        }
        self.table.cells = 0;
        self.line_break();
    }
}
