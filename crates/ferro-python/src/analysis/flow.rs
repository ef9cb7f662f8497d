//! The security scan. It follows what names may be through assignments, branches, loops and scopes, and reports every
//! reach for something refused. Refused functions are reported where they are named, so only modules have to be
//! followed; where one can no longer be followed, handing it over is reported instead.

mod bindings;
mod calls;
mod expressions;
mod imports;
mod patterns;
mod scope;
mod statements;
mod text;
mod value;

use super::rules::{self, Reason};
use super::source::Source;
use super::{Diagnostic, Span};
use ruff_python_ast::{Expr, Parameters, Stmt};
use ruff_text_size::{Ranged, TextRange};
use scope::{Kind, Scope, ScopeId, State};
use std::collections::{BTreeMap, VecDeque};
use value::Value;

/// Steps before the code counts as too tangled to follow. Ordinary code takes a few thousand.
const MOST_STEPS: usize = 1_000_000;
const MOST_FINDINGS: usize = 100;
/// A function may give a global a new meaning for functions read before it.
const MOST_ROUNDS: usize = 4;

pub(super) fn scan(source: &Source<'_>) -> Vec<Diagnostic> {
    let mut flow = Flow::default();
    for _ in 0..MOST_ROUNDS {
        flow.round(source.body());
        if !std::mem::take(&mut flow.widened) || flow.is_exhausted() {
            break;
        }
    }
    let mut found: Vec<Diagnostic> = flow
        .findings
        .into_iter()
        .map(|((start, reason), (end, what))| {
            let range = TextRange::new(start.into(), end.into());
            Diagnostic::error(reason.code(), what, source.span(range))
        })
        .collect();
    if flow.steps > MOST_STEPS {
        let message = "The code is too tangled to be checked for safety, so it is refused. Use fewer nested loops and fewer aliases.";
        found.push(Diagnostic::error("too-complex", message, Span::START));
    }
    found
}

/// A function's body, read after everything around it has run.
struct Later<'a> {
    parent: ScopeId,
    parameters: Option<&'a Parameters>,
    defaults: Vec<(&'a str, Value)>,
    body: Body<'a>,
}

#[derive(Clone, Copy)]
enum Body<'a> {
    Statements(&'a [Stmt]),
    Expression(&'a Expr),
}

#[derive(Default)]
struct Flow<'a> {
    scopes: Vec<Scope<'a>>,
    current: ScopeId,
    later: VecDeque<Later<'a>>,
    /// Values that functions gave to names outside them, kept between rounds.
    outside: BTreeMap<&'a str, Value>,
    widened: bool,
    /// By start and reason, so that reading a loop twice reports once.
    findings: BTreeMap<(u32, Reason), (u32, String)>,
    steps: usize,
    /// Modules whose names came in by `from … import *`.
    stars: Vec<String>,
    /// What names were given while a `try` body ran, innermost last.
    attempts: Vec<Vec<(&'a str, Value)>>,
    breaks: Vec<Vec<State<'a>>>,
}

impl<'a> Flow<'a> {
    fn round(&mut self, body: &'a [Stmt]) {
        self.scopes.clear();
        self.stars.clear();
        self.current = self.open_scope(Kind::Module, None);
        self.body(body);
        self.close_scope(self.current);
        while let Some(later) = self.later.pop_front() {
            if self.is_exhausted() {
                self.later.clear();
                return;
            }
            self.function_body(later);
        }
    }

    fn function_body(&mut self, later: Later<'a>) {
        let scope = self.open_scope(Kind::Function, Some(later.parent));
        let names = bindings::of_function(later.parameters, later.body);
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.locals = names.locals;
            scope.globals = names.globals;
            scope.nonlocals = names.nonlocals;
        }
        let before = std::mem::replace(&mut self.current, scope);
        for (name, value) in later.defaults {
            self.bind(name, value);
        }
        match later.body {
            Body::Statements(body) => self.body(body),
            Body::Expression(expr) => self.hand_over(expr),
        }
        self.close_scope(scope);
        self.current = before;
    }

    fn step(&mut self, cost: usize) {
        self.steps = self.steps.saturating_add(cost);
    }

    fn is_exhausted(&self) -> bool {
        self.steps > MOST_STEPS || self.findings.len() >= MOST_FINDINGS
    }

    fn report(&mut self, what: &str, reason: Reason, range: TextRange) {
        self.report_as(rules::message(what, reason), reason, range);
    }

    fn report_as(&mut self, message: String, reason: Reason, range: TextRange) {
        self.findings
            .entry((range.start().into(), reason))
            .or_insert_with(|| (range.end().into(), message));
    }

    /// An expression whose value goes where it cannot be followed.
    fn hand_over(&mut self, expr: &'a Expr) {
        let value = self.expr(expr);
        self.escapes(&value, expr.range());
    }

    fn escapes(&mut self, value: &Value, range: TextRange) {
        if let Some(path) = value.paths().find(|path| rules::is_restricted(path)) {
            let module = path.strip_suffix(".__dict__").unwrap_or(path);
            let message = format!(
                "The module `{module}` is handed on as a value here, which hides what is done with it. {}",
                "Use the module directly where it is needed."
            );
            self.report_as(message, Reason::Alias, range);
        }
    }
}
