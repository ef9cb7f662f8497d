//! Whether a function ever gives a value.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, Stmt, StmtFunctionDef};

/// A function that can only end without a value. One that always raises, or that yields, is not meant.
pub(super) fn never_returns_a_value(def: &StmtFunctionDef) -> bool {
    let mut gives = Gives::default();
    gives.visit_body(&def.body);
    !gives.value && (gives.bare || can_finish(&def.body))
}

#[derive(Default)]
struct Gives {
    value: bool,
    bare: bool,
}

impl<'a> Visitor<'a> for Gives {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Return(inner) => {
                self.value |= inner.value.is_some();
                self.bare |= inner.value.is_none();
                visitor::walk_stmt(self, stmt);
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Yield(_) | Expr::YieldFrom(_) => self.value = true,
            Expr::Lambda(_) => {}
            _ => visitor::walk_expr(self, expr),
        }
    }
}

/// Whether execution can reach the end of these statements.
fn can_finish(body: &[Stmt]) -> bool {
    body.iter().all(|stmt| match stmt {
        Stmt::Return(_) | Stmt::Raise(_) | Stmt::Break(_) | Stmt::Continue(_) => false,
        Stmt::If(inner) => {
            let mut ways = inner.elif_else_clauses.iter();
            let has_else = inner
                .elif_else_clauses
                .last()
                .is_some_and(|clause| clause.test.is_none());
            !has_else || can_finish(&inner.body) || ways.any(|clause| can_finish(&clause.body))
        }
        Stmt::With(inner) => can_finish(&inner.body),
        Stmt::Try(inner) => {
            let of_handlers = inner
                .handlers
                .iter()
                .any(|ExceptHandler::ExceptHandler(handler)| can_finish(&handler.body));
            let of_body = can_finish(&inner.body) && can_finish(&inner.orelse);
            can_finish(&inner.finalbody) && (of_body || of_handlers)
        }
        Stmt::While(inner) => {
            let forever = matches!(&*inner.test, Expr::BooleanLiteral(test) if test.value);
            !forever || breaks(&inner.body)
        }
        _ => true,
    })
}

fn breaks(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Break(_) => true,
        Stmt::If(inner) => {
            breaks(&inner.body) || inner.elif_else_clauses.iter().any(|clause| breaks(&clause.body))
        }
        Stmt::With(inner) => breaks(&inner.body),
        Stmt::Match(inner) => inner.cases.iter().any(|case| breaks(&case.body)),
        Stmt::Try(inner) => {
            let in_handlers = inner
                .handlers
                .iter()
                .any(|ExceptHandler::ExceptHandler(handler)| breaks(&handler.body));
            breaks(&inner.body) || in_handlers || breaks(&inner.orelse) || breaks(&inner.finalbody)
        }
        Stmt::For(inner) => breaks(&inner.orelse),
        Stmt::While(inner) => breaks(&inner.orelse),
        _ => false,
    })
}
