//! What parses and still does not compile: `return` outside a function, `await` outside an async one, …

use super::Diagnostic;
use super::source::Source;
use super::syntax::capital;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, PythonVersion, Stmt};
use ruff_python_parser::semantic_errors::{
    LazyImportContext, SemanticSyntaxChecker, SemanticSyntaxContext, SemanticSyntaxError,
    SemanticSyntaxErrorKind as Kind,
};
use ruff_text_size::TextRange;
use std::cell::RefCell;

const MOST: usize = 20;

pub(super) fn errors(source: &Source<'_>) -> Vec<Diagnostic> {
    let mut walk = Walk {
        checker: SemanticSyntaxChecker::new(),
        place: Place {
            code: source.code(),
            scopes: vec![Scope::Module],
            loops: 0,
            errors: RefCell::default(),
        },
    };
    walk.visit_body(source.body());
    walk.place
        .errors
        .into_inner()
        .into_iter()
        .take(MOST)
        .map(|error| Diagnostic::error("compile", words(&error), source.span(error.range)))
        .collect()
}

fn words(error: &SemanticSyntaxError) -> String {
    let advice = match &error.kind {
        Kind::ReturnOutsideFunction | Kind::YieldOutsideFunction(_) => {
            "Indent it into the method it belongs to."
        }
        Kind::AwaitOutsideAsyncFunction(_) => "Write `async def` for the method around it.",
        Kind::DuplicateParameter(_) | Kind::DuplicateKeywordArgument(_) => "Rename or remove one of the two.",
        Kind::BreakOutsideLoop | Kind::ContinueOutsideLoop => "Indent it into the loop it belongs to.",
        Kind::LateFutureImport => "Move it to the first line.",
        _ => "",
    };
    let what = capital(&error.to_string());
    if advice.is_empty() {
        format!("{what}.")
    } else {
        format!("{what}. {advice}")
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Module,
    Class,
    Function { is_async: bool },
    Lambda,
    Comprehension { is_async: bool },
    Generator,
}

struct Place<'a> {
    code: &'a str,
    scopes: Vec<Scope>,
    loops: usize,
    errors: RefCell<Vec<SemanticSyntaxError>>,
}

struct Walk<'a> {
    checker: SemanticSyntaxChecker,
    place: Place<'a>,
}

impl Walk<'_> {
    fn within(&mut self, scope: Scope, walk: impl FnOnce(&mut Self)) {
        self.place.scopes.push(scope);
        let loops = std::mem::take(&mut self.place.loops);
        walk(self);
        self.place.loops = loops;
        self.place.scopes.pop();
    }

    fn comprehension<'b>(
        &mut self,
        scope: Scope,
        generators: &'b [ruff_python_ast::Comprehension],
        elements: [Option<&'b Expr>; 2],
    ) {
        if let Some(first) = generators.first() {
            self.visit_expr(&first.iter);
        }
        self.within(scope, |this| {
            for (index, generator) in generators.iter().enumerate() {
                if index > 0 {
                    this.visit_expr(&generator.iter);
                }
                this.visit_expr(&generator.target);
                generator.ifs.iter().for_each(|test| this.visit_expr(test));
            }
            elements
                .into_iter()
                .flatten()
                .for_each(|element| this.visit_expr(element));
        });
    }
}

impl<'b> Visitor<'b> for Walk<'_> {
    fn visit_stmt(&mut self, stmt: &'b Stmt) {
        self.checker.visit_stmt(stmt, &self.place);
        match stmt {
            Stmt::FunctionDef(def) => {
                def.decorator_list
                    .iter()
                    .for_each(|decorator| self.visit_decorator(decorator));
                self.visit_parameters(&def.parameters);
                if let Some(returns) = &def.returns {
                    self.visit_annotation(returns);
                }
                self.within(
                    Scope::Function {
                        is_async: def.is_async,
                    },
                    |this| this.visit_body(&def.body),
                );
            }
            Stmt::ClassDef(def) => {
                def.decorator_list
                    .iter()
                    .for_each(|decorator| self.visit_decorator(decorator));
                if let Some(arguments) = &def.arguments {
                    self.visit_arguments(arguments);
                }
                self.within(Scope::Class, |this| this.visit_body(&def.body));
            }
            Stmt::For(inner) => {
                self.visit_expr(&inner.iter);
                self.visit_expr(&inner.target);
                self.place.loops += 1;
                self.visit_body(&inner.body);
                self.place.loops -= 1;
                self.visit_body(&inner.orelse);
            }
            Stmt::While(inner) => {
                self.visit_expr(&inner.test);
                self.place.loops += 1;
                self.visit_body(&inner.body);
                self.place.loops -= 1;
                self.visit_body(&inner.orelse);
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'b Expr) {
        self.checker.visit_expr(expr, &self.place);
        match expr {
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.visit_parameters(parameters);
                }
                self.within(Scope::Lambda, |this| this.visit_expr(&lambda.body));
            }
            Expr::ListComp(comp) => {
                self.comprehension(
                    sync_or_async(&comp.generators),
                    &comp.generators,
                    [Some(&comp.elt), None],
                );
            }
            Expr::SetComp(comp) => {
                self.comprehension(
                    sync_or_async(&comp.generators),
                    &comp.generators,
                    [Some(&comp.elt), None],
                );
            }
            Expr::DictComp(comp) => {
                let elements = [comp.key.as_deref(), Some(&*comp.value)];
                self.comprehension(sync_or_async(&comp.generators), &comp.generators, elements);
            }
            Expr::Generator(comp) => {
                self.comprehension(Scope::Generator, &comp.generators, [Some(&comp.elt), None])
            }
            _ => visitor::walk_expr(self, expr),
        }
    }
}

fn sync_or_async(generators: &[ruff_python_ast::Comprehension]) -> Scope {
    Scope::Comprehension {
        is_async: generators.iter().any(|generator| generator.is_async),
    }
}

impl Place<'_> {
    fn innermost(&self) -> Scope {
        self.scopes.last().copied().unwrap_or(Scope::Module)
    }

    /// The nearest scope that is not a comprehension.
    fn owner(&self) -> Scope {
        let is_owner = |scope: &&Scope| !matches!(scope, Scope::Comprehension { .. } | Scope::Generator);
        self.scopes
            .iter()
            .rev()
            .find(is_owner)
            .copied()
            .unwrap_or(Scope::Module)
    }
}

impl SemanticSyntaxContext for Place<'_> {
    fn future_annotations_or_stub(&self) -> bool {
        false
    }

    fn lazy_import_context(&self) -> Option<LazyImportContext> {
        None
    }

    fn python_version(&self) -> PythonVersion {
        PythonVersion::PY314
    }

    fn source(&self) -> &str {
        self.code
    }

    fn global(&self, _name: &str) -> Option<TextRange> {
        None
    }

    fn has_nonlocal_binding(&self, _name: &str) -> bool {
        true
    }

    fn in_async_context(&self) -> bool {
        matches!(self.owner(), Scope::Function { is_async: true })
    }

    fn in_await_allowed_context(&self) -> bool {
        matches!(self.owner(), Scope::Function { .. } | Scope::Lambda)
    }

    fn in_yield_allowed_context(&self) -> bool {
        matches!(self.innermost(), Scope::Function { .. } | Scope::Lambda)
    }

    fn in_sync_comprehension(&self) -> bool {
        self.scopes
            .iter()
            .any(|scope| matches!(scope, Scope::Comprehension { is_async: false }))
    }

    fn in_class_body_comprehension(&self) -> bool {
        self.owner() == Scope::Class
    }

    fn in_module_scope(&self) -> bool {
        self.innermost() == Scope::Module
    }

    fn in_function_scope(&self) -> bool {
        matches!(self.innermost(), Scope::Function { .. })
    }

    fn in_generator_context(&self) -> bool {
        self.scopes.contains(&Scope::Generator)
    }

    fn in_notebook(&self) -> bool {
        false
    }

    fn report_semantic_error(&self, error: SemanticSyntaxError) {
        let mut errors = self.errors.borrow_mut();
        if errors.len() < MOST {
            errors.push(error);
        }
    }

    fn in_loop_context(&self) -> bool {
        self.loops > 0
    }

    fn is_bound_parameter(&self, _name: &str) -> bool {
        false
    }
}
