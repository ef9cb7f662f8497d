//! What can be said of a component's code without running it: [`check`] says everything, [`scan`] only what makes
//! the code unsafe to run. The scan is advice with teeth, not the wall: the wall is the worker's confinement.

mod component;
mod declared;
mod flow;
mod names;
mod returns;
mod rules;
mod semantic;
mod source;
mod syntax;

use serde::Serialize;
use source::{Refusal, Source};

/// Longer code is refused unread.
pub const MAX_SOURCE: usize = 256 * 1024;

/// Where something is: lines and columns from 1, columns in characters, the end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Span {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// One finding, for people and models alike. `code` is stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: &'static str,
    pub message: String,
    #[serde(flatten)]
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeclaredOutput {
    pub name: String,
    /// Empty when the declaration names none that can be read.
    pub method: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Import {
    pub module: String,
    #[serde(flatten)]
    pub span: Span,
}

/// What [`check`] found. With a syntax error the lists hold what could still be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    pub class_name: Option<String>,
    pub inputs: Vec<String>,
    pub outputs: Vec<DeclaredOutput>,
    pub imports: Vec<Import>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Everything that can be said: syntax, the class, its names and outputs, and what makes it unsafe.
#[must_use]
pub fn check(code: &str) -> Checked {
    source::with_deep_stack(code, check_parsed, |refusal| Checked {
        diagnostics: vec![refusal],
        ..Checked::default()
    })
}

/// What makes the code unsafe to run; empty when nothing does. Code that does not parse cannot run, so it is safe.
#[must_use]
pub fn scan(code: &str) -> Vec<Diagnostic> {
    source::with_deep_stack(code, scan_parsed, |refusal| vec![refusal])
}

/// The code without what transport adds or loses: line ends, trailing blanks, blank lines around.
#[must_use]
pub fn normalize(code: &str) -> String {
    let code = code.replace("\r\n", "\n");
    let lines: Vec<&str> = code.split('\n').map(str::trim_end).collect();
    let first = lines
        .iter()
        .position(|line| !line.is_empty())
        .unwrap_or(lines.len());
    let last = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(first, |index| index + 1);
    lines.get(first..last).unwrap_or_default().join("\n")
}

/// Whether two texts are the same code after [`normalize`].
#[must_use]
pub fn is_same(a: &str, b: &str) -> bool {
    a == b || normalize(a) == normalize(b)
}

fn check_parsed(code: &str) -> Checked {
    let source = match Source::read(code) {
        Ok(source) => source,
        Err(refusal) => {
            return Checked {
                diagnostics: vec![refusal.diagnostic()],
                ..Checked::default()
            };
        }
    };
    let mut diagnostics = syntax::errors(&source);
    let whole = diagnostics.is_empty();
    let found = component::read(&source);
    if whole {
        diagnostics = semantic::errors(&source);
        diagnostics.extend(found.diagnostics);
        diagnostics.extend(flow::scan(&source));
        diagnostics.extend(syntax::too_new(&source));
    }
    diagnostics.sort_by_key(|found| found.span);
    Checked {
        class_name: found.class_name,
        inputs: found.inputs,
        outputs: found.outputs,
        imports: component::imports(&source),
        diagnostics,
    }
}

fn scan_parsed(code: &str) -> Vec<Diagnostic> {
    match Source::read(code) {
        Ok(source) if source.is_whole() => flow::scan(&source),
        Ok(_) => Vec::new(),
        Err(Refusal::Empty) => Vec::new(),
        Err(refusal) => vec![refusal.diagnostic()],
    }
}

impl Diagnostic {
    fn error(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
        }
    }

    fn warning(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self {
            severity: Severity::Warning,
            code,
            message: message.into(),
            span,
        }
    }
}

impl Span {
    const START: Self = Self {
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 1,
    };
}
