//! Parsed code, and the stack it takes to read hostile code.

use super::{Diagnostic, MAX_SOURCE, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ModModule, Pattern, PythonVersion, Stmt};
use ruff_python_parser::{Mode, ParseOptions, Parsed};
use ruff_source_file::LineIndex;
use ruff_text_size::{TextRange, TextSize};

/// Deeper code is refused: no interpreter compiles it, and everything that walks the tree recurses.
const MAX_DEPTH: usize = 1000;
/// What walking the deepest tree takes, unoptimised too.
const STACK: usize = 16 << 20;
/// What dropping one level of a tree takes; code that is one long chain has a level per byte.
const STACK_PER_BYTE: usize = 1 << 10;

/// Runs `work` where a deep tree can be built, walked and dropped.
pub(super) fn with_deep_stack<T: Send>(
    code: &str,
    work: impl FnOnce(&str) -> T + Send,
    refuse: impl FnOnce(Diagnostic) -> T,
) -> T {
    let done = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("python-analysis".to_owned())
            .stack_size(STACK + code.len().min(MAX_SOURCE) * STACK_PER_BYTE);
        thread
            .spawn_scoped(scope, || work(code))
            .ok()
            .and_then(|running| running.join().ok())
    });
    done.unwrap_or_else(|| refuse(Refusal::NotAnalysed.diagnostic()))
}

/// Why code is not even parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    Empty,
    TooLong(usize),
    Nul(Span),
    TooDeep(Span),
    NotAnalysed,
}

impl Refusal {
    pub(super) fn diagnostic(self) -> Diagnostic {
        match self {
            Self::Empty => Diagnostic::error(
                "no-code",
                "There is no code. Write a class that derives from Component.",
                Span::START,
            ),
            Self::TooLong(length) => Diagnostic::error(
                "too-long",
                format!(
                    "The code has {length} bytes; at most {MAX_SOURCE} are allowed. Split it into several components, or load data as a file."
                ),
                Span::START,
            ),
            Self::Nul(span) => Diagnostic::error(
                "nul-byte",
                "The code contains a NUL character, which Python refuses. Delete it, or write it as \\x00 in a string.",
                span,
            ),
            Self::TooDeep(span) => Diagnostic::error(
                "too-deep",
                format!(
                    "The code is nested more than {MAX_DEPTH} levels deep here. Split the expression into several statements."
                ),
                span,
            ),
            Self::NotAnalysed => Diagnostic::error(
                "not-analysed",
                "The code could not be analysed, so it is refused. Try again, or simplify it.",
                Span::START,
            ),
        }
    }
}

pub(super) struct Source<'a> {
    code: &'a str,
    parsed: Parsed<ModModule>,
    index: LineIndex,
}

impl<'a> Source<'a> {
    pub(super) fn read(code: &'a str) -> Result<Self, Refusal> {
        if code.len() > MAX_SOURCE {
            return Err(Refusal::TooLong(code.len()));
        }
        if code.trim().is_empty() {
            return Err(Refusal::Empty);
        }
        let index = LineIndex::from_source_text(code);
        // The lexer takes NUL for the end of the text: what follows would go unseen.
        if let Some(at) = code.find('\0').and_then(|at| u32::try_from(at).ok()) {
            return Err(Refusal::Nul(span(
                code,
                &index,
                TextRange::at(at.into(), 1.into()),
            )));
        }
        let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::PY314);
        let Some(parsed) = ruff_python_parser::parse_unchecked(code, options).try_into_module() else {
            return Err(Refusal::NotAnalysed);
        };
        let mut depth = Depth::default();
        depth.visit_body(&parsed.syntax().body);
        if let Some(range) = depth.too_deep {
            return Err(Refusal::TooDeep(span(
                code,
                &index,
                TextRange::empty(range.start()),
            )));
        }
        Ok(Self { code, parsed, index })
    }

    pub(super) fn code(&self) -> &'a str {
        self.code
    }

    pub(super) fn body(&self) -> &[Stmt] {
        &self.parsed.syntax().body
    }

    pub(super) fn parsed(&self) -> &Parsed<ModModule> {
        &self.parsed
    }

    /// Without a syntax error.
    pub(super) fn is_whole(&self) -> bool {
        self.parsed.errors().is_empty()
    }

    pub(super) fn span(&self, range: TextRange) -> Span {
        span(self.code, &self.index, range)
    }
}

fn span(code: &str, index: &LineIndex, range: TextRange) -> Span {
    let (line, column) = place(code, index, range.start());
    let (end_line, end_column) = place(code, index, range.end());
    Span {
        line,
        column,
        end_line,
        end_column,
    }
}

fn place(code: &str, index: &LineIndex, offset: TextSize) -> (u32, u32) {
    let mut offset = offset.min(TextSize::of(code));
    while !code.is_char_boundary(offset.to_usize()) {
        offset -= TextSize::from(1);
    }
    let at = index.line_column(offset, code);
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    (number(at.line.get()), number(at.column.get()))
}

/// Finds the first place that is too deep, without going deeper.
#[derive(Default)]
struct Depth {
    level: usize,
    too_deep: Option<TextRange>,
}

impl Depth {
    fn within(&mut self, range: TextRange, walk: impl FnOnce(&mut Self)) {
        if self.too_deep.is_some() {
            return;
        }
        if self.level >= MAX_DEPTH {
            self.too_deep = Some(range);
            return;
        }
        self.level += 1;
        walk(self);
        self.level -= 1;
    }
}

impl<'a> Visitor<'a> for Depth {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.within(ruff_text_size::Ranged::range(stmt), |this| {
            visitor::walk_stmt(this, stmt)
        });
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.within(ruff_text_size::Ranged::range(expr), |this| {
            visitor::walk_expr(this, expr)
        });
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        self.within(ruff_text_size::Ranged::range(pattern), |this| {
            visitor::walk_pattern(this, pattern)
        });
    }
}
