//! Which names a function binds: those are its own from its first line on.

use super::Body;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, ExprContext, Parameters, Pattern, Stmt};
use std::collections::HashSet;

#[derive(Default)]
pub(super) struct Names<'a> {
    pub(super) locals: HashSet<&'a str>,
    pub(super) globals: HashSet<&'a str>,
    pub(super) nonlocals: HashSet<&'a str>,
    in_comprehension: usize,
}

pub(super) fn of_function<'a>(parameters: Option<&'a Parameters>, body: Body<'a>) -> Names<'a> {
    let mut names = Names::default();
    if let Some(parameters) = parameters {
        names
            .locals
            .extend(parameters.iter().map(|parameter| parameter.name().as_str()));
    }
    match body {
        Body::Statements(body) => names.visit_body(body),
        Body::Expression(expr) => names.visit_expr(expr),
    }
    for name in names.globals.iter().chain(&names.nonlocals) {
        names.locals.remove(name);
    }
    names
}

/// The names a comprehension's targets bind.
pub(super) fn of_target(target: &Expr) -> HashSet<&str> {
    let mut names = Names::default();
    names.visit_expr(target);
    names.locals
}

/// What `import a.b.c` binds.
pub(super) fn root(module: &str) -> &str {
    module.split('.').next().unwrap_or(module)
}

impl<'a> Visitor<'a> for Names<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => {
                self.locals.insert(def.name.as_str());
                def.decorator_list
                    .iter()
                    .for_each(|decorator| self.visit_decorator(decorator));
                def.parameters
                    .iter()
                    .filter_map(|parameter| parameter.default())
                    .for_each(|default| self.visit_expr(default));
            }
            Stmt::ClassDef(def) => {
                self.locals.insert(def.name.as_str());
                def.decorator_list
                    .iter()
                    .for_each(|decorator| self.visit_decorator(decorator));
                if let Some(arguments) = &def.arguments {
                    self.visit_arguments(arguments);
                }
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.locals.insert(
                        alias
                            .asname
                            .as_ref()
                            .map_or_else(|| root(&alias.name), |name| name.as_str()),
                    );
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in import.names.iter().filter(|alias| alias.name.as_str() != "*") {
                    self.locals
                        .insert(alias.asname.as_ref().unwrap_or(&alias.name).as_str());
                }
            }
            Stmt::Global(global) => self.globals.extend(global.names.iter().map(|name| name.as_str())),
            Stmt::Nonlocal(nonlocal) => self
                .nonlocals
                .extend(nonlocal.names.iter().map(|name| name.as_str())),
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                if name.ctx != ExprContext::Load && self.in_comprehension == 0 {
                    self.locals.insert(name.id.as_str());
                }
            }
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    self.locals.insert(name.id.as_str());
                }
                self.visit_expr(&named.value);
            }
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    parameters
                        .iter()
                        .filter_map(|parameter| parameter.default())
                        .for_each(|default| self.visit_expr(default));
                }
            }
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                self.in_comprehension += 1;
                visitor::walk_expr(self, expr);
                self.in_comprehension -= 1;
            }
            _ => visitor::walk_expr(self, expr),
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.locals.extend(inner.name.as_ref().map(|name| name.as_str()));
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(inner) => inner.name.as_ref(),
            Pattern::MatchStar(inner) => inner.name.as_ref(),
            Pattern::MatchMapping(inner) => inner.rest.as_ref(),
            _ => None,
        };
        self.locals.extend(name.map(|name| name.as_str()));
        visitor::walk_pattern(self, pattern);
    }
}
