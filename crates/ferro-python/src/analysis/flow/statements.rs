//! Statements: what they bind, and which ways lead through them.

use super::scope::{Kind, State};
use super::value::Value;
use super::{Body, Flow, Later};
use ruff_python_ast::{
    ExceptHandler, Expr, Stmt, StmtClassDef, StmtFunctionDef, StmtTry, TypeParam, TypeParams,
};
use ruff_text_size::Ranged;

/// A loop body is read again while what its names may be still grows; each turn settles one more alias.
const MOST_TURNS: usize = 64;

impl<'a> Flow<'a> {
    pub(super) fn body(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            if self.is_exhausted() {
                return;
            }
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        self.step(1);
        match stmt {
            Stmt::FunctionDef(def) => self.function(def),
            Stmt::ClassDef(def) => self.class(def),
            Stmt::Return(inner) => {
                if let Some(value) = &inner.value {
                    self.hand_over(value);
                }
                self.kill();
            }
            Stmt::Raise(inner) => {
                for expr in inner.exc.iter().chain(&inner.cause) {
                    self.expr(expr);
                }
                self.kill();
            }
            Stmt::Delete(inner) => {
                for target in &inner.targets {
                    match target {
                        Expr::Name(name) => self.unbind(name.id.as_str()),
                        other => drop(self.expr(other)),
                    }
                }
            }
            Stmt::Assign(inner) => self.assign(&inner.targets, &inner.value),
            Stmt::AugAssign(inner) => {
                let value = self.expr(&inner.value);
                if let Expr::Name(name) = &*inner.target {
                    let before = self.find(name.id.as_str());
                    let sum = self.folded_sum(&before, &value, inner.op);
                    if let Some(sum) = &sum {
                        self.check_texts(sum, inner.range());
                    }
                    // `x += os` gives the module to a method of x.
                    self.escapes(&value, inner.value.range());
                    let value = sum.unwrap_or_else(|| value.or(&before).or_unknown());
                    self.bind_visible(name.id.as_str(), value, inner.range());
                } else {
                    self.escapes(&value, inner.value.range());
                    self.expr(&inner.target);
                }
            }
            Stmt::AnnAssign(inner) => {
                self.annotation(&inner.annotation);
                if let Some(value) = &inner.value {
                    self.assign(std::slice::from_ref(&*inner.target), value);
                }
            }
            Stmt::TypeAlias(inner) => {
                self.type_parameters(inner.type_params.as_deref());
                self.expr(&inner.value);
            }
            Stmt::For(inner) => {
                self.expr(&inner.iter);
                self.looped(&inner.orelse, |this| {
                    this.bind_target(&inner.target, &Value::NOTHING);
                    this.body(&inner.body);
                });
            }
            Stmt::While(inner) => {
                self.expr(&inner.test);
                self.looped(&inner.orelse, |this| {
                    this.expr(&inner.test);
                    this.body(&inner.body);
                });
            }
            Stmt::If(inner) => self.branches(inner),
            Stmt::With(inner) => {
                for item in &inner.items {
                    self.expr(&item.context_expr);
                    if let Some(target) = &item.optional_vars {
                        self.bind_target(target, &Value::NOTHING);
                    }
                }
                // The context may swallow an exception, so that the body is left half done.
                let before = self.take_state();
                let given = self.tried(&inner.body);
                let after = self.take_state();
                let broken = self.broken(before, given);
                if !inner.body.is_empty() && broken != after {
                    let joined = self.join(after, broken);
                    self.set_state(joined);
                }
            }
            Stmt::Match(inner) => self.matched(inner),
            Stmt::Try(inner) => self.attempt(inner),
            Stmt::Assert(inner) => {
                self.expr(&inner.test);
                if let Some(message) = &inner.msg {
                    self.expr(message);
                }
            }
            Stmt::Import(inner) => self.import(inner),
            Stmt::ImportFrom(inner) => self.import_from(inner),
            Stmt::Expr(inner) => drop(self.expr(&inner.value)),
            Stmt::Break(_) | Stmt::Continue(_) => {
                let state = self.take_state();
                if let Some(exits) = self.breaks.last_mut() {
                    exits.push(state);
                }
                self.kill();
            }
            Stmt::Global(_) | Stmt::Nonlocal(_) | Stmt::Pass(_) | Stmt::IpyEscapeCommand(_) => {}
        }
    }

    fn function(&mut self, def: &'a StmtFunctionDef) {
        for decorator in &def.decorator_list {
            self.expr(&decorator.expression);
        }
        if let Some(returns) = &def.returns {
            self.annotation(returns);
        }
        self.type_parameters(def.type_params.as_deref());
        let defaults = self.defaults(&def.parameters);
        self.later.push_back(Later {
            parent: self.current,
            parameters: Some(&def.parameters),
            defaults,
            body: Body::Statements(&def.body),
        });
        self.bind(def.name.as_str(), Value::NOTHING);
    }

    fn type_parameters(&mut self, parameters: Option<&'a TypeParams>) {
        for parameter in parameters
            .into_iter()
            .flat_map(|parameters| &parameters.type_params)
        {
            let bound = match parameter {
                TypeParam::TypeVar(inner) => inner.bound.as_deref(),
                TypeParam::TypeVarTuple(_) | TypeParam::ParamSpec(_) => None,
            };
            let default = match parameter {
                TypeParam::TypeVar(inner) => inner.default.as_deref(),
                TypeParam::TypeVarTuple(inner) => inner.default.as_deref(),
                TypeParam::ParamSpec(inner) => inner.default.as_deref(),
            };
            for expr in bound.into_iter().chain(default) {
                self.expr(expr);
            }
        }
    }

    pub(super) fn defaults(&mut self, parameters: &'a ruff_python_ast::Parameters) -> Vec<(&'a str, Value)> {
        let mut defaults = Vec::new();
        for parameter in parameters.iter() {
            if let Some(annotation) = parameter.annotation() {
                self.annotation(annotation);
            }
            if let Some(default) = parameter.default() {
                let value = self.expr(default);
                if !value.is_nothing() {
                    defaults.push((parameter.name().as_str(), value.or_unknown()));
                }
            }
        }
        defaults
    }

    fn class(&mut self, def: &'a StmtClassDef) {
        for decorator in &def.decorator_list {
            self.expr(&decorator.expression);
        }
        self.type_parameters(def.type_params.as_deref());
        if let Some(arguments) = &def.arguments {
            arguments.args.iter().for_each(|base| self.hand_over(base));
            arguments
                .keywords
                .iter()
                .for_each(|keyword| self.hand_over(&keyword.value));
        }
        let scope = self.open_scope(Kind::Class, Some(self.current));
        let before = std::mem::replace(&mut self.current, scope);
        let attempts = std::mem::take(&mut self.attempts);
        let breaks = std::mem::take(&mut self.breaks);
        self.body(&def.body);
        self.close_scope(scope);
        (self.current, self.attempts, self.breaks) = (before, attempts, breaks);
        self.bind(def.name.as_str(), Value::NOTHING);
    }

    /// Reads a loop's body until its names are settled, then what follows the loop.
    fn looped(&mut self, orelse: &'a [Stmt], mut turn: impl FnMut(&mut Self)) {
        let mut before = self.take_state();
        let mut exits = Vec::new();
        for round in 0..=MOST_TURNS {
            if round == MOST_TURNS {
                self.step(super::MOST_STEPS);
                break;
            }
            self.breaks.push(Vec::new());
            turn(self);
            exits = self.breaks.pop().unwrap_or_default();
            let after = self.take_state();
            let mut joined = self.join(before.clone(), after);
            for exit in exits.clone() {
                joined = self.join(joined, exit);
            }
            joined.dead = before.dead;
            for (name, value) in &mut joined.names {
                if before.names.get(name) != Some(value) {
                    value.forget_texts();
                }
            }
            self.set_state(joined.clone());
            if joined == before || self.is_exhausted() {
                break;
            }
            before = joined;
        }
        self.body(orelse);
        for exit in exits {
            let after = self.take_state();
            let joined = self.join(after, exit);
            self.set_state(joined);
        }
    }

    fn branches(&mut self, inner: &'a ruff_python_ast::StmtIf) {
        self.expr(&inner.test);
        let mut rest = self.take_state();
        self.body(&inner.body);
        let mut joined = self.take_state();
        let mut has_else = false;
        for clause in &inner.elif_else_clauses {
            self.set_state(rest);
            match &clause.test {
                Some(test) => drop(self.expr(test)),
                None => has_else = true,
            }
            rest = self.take_state();
            self.body(&clause.body);
            let after = self.take_state();
            joined = self.join(joined, after);
        }
        if !has_else {
            joined = self.join(joined, rest);
        }
        self.set_state(joined);
    }

    fn attempt(&mut self, inner: &'a StmtTry) {
        let before = self.take_state();
        let given = self.tried(&inner.body);
        // Where an exception leaves the body, each name may be whatever the body had given it by then.
        let broken = self.broken(before, given);
        self.body(&inner.orelse);
        let mut joined = self.take_state();
        for ExceptHandler::ExceptHandler(handler) in &inner.handlers {
            self.set_state(broken.clone());
            if let Some(kind) = &handler.type_ {
                self.expr(kind);
            }
            if let Some(name) = &handler.name {
                self.bind(name.as_str(), Value::NOTHING);
            }
            self.body(&handler.body);
            let after = self.take_state();
            joined = self.join(joined, after);
        }
        if inner.finalbody.is_empty() {
            self.set_state(joined);
            return;
        }
        let dead = joined.dead;
        let mut all = self.join(joined, broken);
        all.dead = false;
        self.set_state(all);
        self.body(&inner.finalbody);
        if dead {
            self.kill();
        }
    }

    /// Reads a body that an exception may leave anywhere, and what it gave to names on the way.
    fn tried(&mut self, body: &'a [Stmt]) -> Vec<(&'a str, Value)> {
        self.attempts.push(Vec::new());
        self.body(body);
        let given = self.attempts.pop().unwrap_or_default();
        self.step(given.len());
        given
    }

    fn broken(&mut self, before: State<'a>, given: Vec<(&'a str, Value)>) -> State<'a> {
        let mut broken = State {
            dead: false,
            ..before
        };
        for (name, value) in &given {
            match broken.names.get_mut(name) {
                Some(known) => known.either(value),
                None => {
                    let outside = self.outside_of(self.current, name);
                    broken.names.insert(name, value.clone().or(&outside));
                }
            }
        }
        if let Some(outer) = self.attempts.last_mut() {
            outer.extend(given);
        }
        broken
    }
}
