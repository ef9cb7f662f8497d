//! Expressions: what they may be, and what they reach for.

use super::super::rules::{self, Reason};
use super::scope::Kind;
use super::value::{LOCALS, Value};
use super::{Body, Flow, Later, bindings, text};
use ruff_python_ast::{CmpOp, Comprehension, Expr, ExprContext, ExprSubscript, InterpolatedStringElements};
use ruff_text_size::{Ranged, TextRange};

impl<'a> Flow<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Value {
        self.step(1);
        match expr {
            Expr::Name(name) => self.name(name.id.as_str(), name.ctx, name.range),
            Expr::Attribute(inner) => {
                let value = self.expr(&inner.value);
                if inner.ctx != ExprContext::Load {
                    self.refuse_change(&value, inner.attr.as_str(), inner.range);
                }
                self.reach(&value, inner.attr.as_str(), inner.range)
            }
            Expr::Call(call) => self.call(call),
            Expr::Subscript(inner) => self.subscript(inner),
            Expr::StringLiteral(inner) => self.text(inner.value.to_str(), inner.range),
            Expr::FString(inner) => {
                let mut folded = Some(String::new());
                for part in &inner.value {
                    match part {
                        ruff_python_ast::FStringPart::Literal(literal) => {
                            text::append(&mut folded, Some(literal.as_str()));
                        }
                        ruff_python_ast::FStringPart::FString(inner) => {
                            self.interpolated(&inner.elements, &mut folded)
                        }
                    }
                }
                folded.map_or(Value::NOTHING, |folded| self.text(&folded, inner.range))
            }
            Expr::TString(inner) => {
                for part in &inner.value {
                    self.interpolated(&part.elements, &mut None);
                }
                Value::NOTHING
            }
            Expr::BinOp(inner) => {
                let left = self.expr(&inner.left);
                let right = self.expr(&inner.right);
                if inner.op == ruff_python_ast::Operator::Div
                    && left.paths().any(|path| &**path == "pathlib.Path()")
                {
                    return left;
                }
                let folded = match inner.op {
                    ruff_python_ast::Operator::Mult => text::repeated(&left, &inner.right),
                    op => self.folded_sum(&left, &right, op),
                };
                if folded.is_none() {
                    // An operator is a method that is given the other side.
                    self.escapes(&left, inner.left.range());
                    self.escapes(&right, inner.right.range());
                }
                match folded {
                    Some(sum) => {
                        self.check_texts(&sum, inner.range);
                        sum
                    }
                    None => Value::NOTHING,
                }
            }
            Expr::BoolOp(inner) => {
                let parts: Vec<Value> = inner.values.iter().map(|part| self.expr(part)).collect();
                parts
                    .into_iter()
                    .reduce(|value, part| value.or(&part))
                    .unwrap_or_default()
            }
            Expr::Named(inner) => {
                let value = self.expr(&inner.value);
                if let Expr::Name(name) = &*inner.target {
                    self.bind_visible(name.id.as_str(), value.clone(), inner.range);
                }
                value
            }
            Expr::If(inner) => {
                self.expr(&inner.test);
                let body = self.expr(&inner.body);
                body.or(&self.expr(&inner.orelse))
            }
            Expr::Lambda(inner) => {
                let defaults = inner
                    .parameters
                    .as_ref()
                    .map(|parameters| self.defaults(parameters))
                    .unwrap_or_default();
                self.later.push_back(Later {
                    parent: self.current,
                    parameters: inner.parameters.as_deref(),
                    defaults,
                    body: Body::Expression(&inner.body),
                });
                Value::NOTHING
            }
            Expr::ListComp(inner) => self.comprehension(&inner.generators, &[&inner.elt]),
            Expr::SetComp(inner) => self.comprehension(&inner.generators, &[&inner.elt]),
            Expr::Generator(inner) => self.comprehension(&inner.generators, &[&inner.elt]),
            Expr::DictComp(inner) => match &inner.key {
                Some(key) => self.comprehension(&inner.generators, &[key, &inner.value]),
                None => self.comprehension(&inner.generators, &[&inner.value]),
            },
            Expr::Dict(inner) => {
                for item in &inner.items {
                    item.key.iter().for_each(|key| self.hand_over(key));
                    self.hand_over(&item.value);
                }
                Value::NOTHING
            }
            Expr::Set(inner) => self.hand_over_all(&inner.elts),
            Expr::List(inner) => self.hand_over_all(&inner.elts),
            Expr::Tuple(inner) => self.hand_over_all(&inner.elts),
            Expr::Yield(inner) => {
                inner.value.iter().for_each(|value| self.hand_over(value));
                Value::NOTHING
            }
            Expr::YieldFrom(inner) => {
                self.hand_over(&inner.value);
                Value::NOTHING
            }
            Expr::Await(inner) => self.forget(&inner.value),
            Expr::UnaryOp(inner) => self.forget(&inner.operand),
            Expr::Starred(inner) => self.expr(&inner.value),
            Expr::Compare(inner) => {
                let is_identity = |op: &CmpOp| matches!(op, CmpOp::Is | CmpOp::IsNot);
                let hidden = !inner.ops.iter().all(is_identity);
                for part in std::iter::once(&*inner.left).chain(&inner.comparators) {
                    let value = self.expr(part);
                    if hidden {
                        self.escapes(&value, part.range());
                    }
                }
                Value::NOTHING
            }
            Expr::Slice(inner) => {
                for part in [&inner.lower, &inner.upper, &inner.step].into_iter().flatten() {
                    self.expr(part);
                }
                Value::NOTHING
            }
            Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_)
            | Expr::IpyEscapeCommand(_) => Value::NOTHING,
        }
    }

    /// `os.name = …`: seen by everything else that runs there.
    fn refuse_change(&mut self, value: &Value, name: &str, range: TextRange) {
        if let Some(path) = value.paths().find(|path| matches!(&***path, "os" | "builtins")) {
            let message = format!(
                "This changes `{path}.{name}` for all other code. Keep the value in a variable or in `self` instead."
            );
            self.report_as(message, Reason::Internals, range);
        }
    }

    fn forget(&mut self, expr: &'a Expr) -> Value {
        self.expr(expr);
        Value::NOTHING
    }

    fn hand_over_all(&mut self, elements: &'a [Expr]) -> Value {
        elements.iter().for_each(|element| self.hand_over(element));
        Value::NOTHING
    }

    fn name(&mut self, name: &'a str, ctx: ExprContext, range: TextRange) -> Value {
        if ctx != ExprContext::Load {
            return Value::NOTHING;
        }
        let value = self.find(name);
        if value.is_nothing() && rules::internal_name(name) {
            self.report(name, Reason::Internals, range);
        }
        self.refuse_builtins(value, range)
    }

    /// Names that are refused functions; what is left is what has to be followed.
    fn refuse_builtins(&mut self, value: Value, range: TextRange) -> Value {
        for path in value.paths() {
            let Some((module, name)) = path.rsplit_once('.') else {
                continue;
            };
            if let Some(reason) = rules::attribute(module, name) {
                let shown = path.strip_prefix("builtins.").unwrap_or(path);
                self.report(shown, reason, range);
            }
        }
        value
    }

    /// `value.name`.
    pub(super) fn reach(&mut self, value: &Value, name: &str, range: TextRange) -> Value {
        if rules::internal_attribute(name) {
            self.report(name, Reason::Internals, range);
            return Value::NOTHING;
        }
        let mut reached = Value::NOTHING;
        for path in value.paths() {
            self.step(1);
            if path.starts_with('<') || path.ends_with(".__dict__") {
                reached.add(&Value::path(&format!("{path}.{name}")));
            } else if name == "__dict__" {
                reached.add(&Value::path(&format!("{path}.__dict__")));
            } else if &**path == "pathlib.Path()" && matches!(name, "parent" | "parents") {
                reached.add(&Value::path(path));
            } else {
                reached.add(&self.attribute_of(path, name, range));
            }
        }
        reached
    }

    fn subscript(&mut self, inner: &'a ExprSubscript) -> Value {
        let value = self.expr(&inner.value);
        let key = self.expr(&inner.slice);
        self.escapes(&key, inner.slice.range());
        if let (Some(known), Expr::Slice(slice)) = (value.only_text(), &*inner.slice)
            && let Some(folded) = text::reversed(known, slice)
        {
            return self.text(&folded, inner.range);
        }
        self.look_up(&value, &key, inner.range)
    }

    /// `namespace[key]`, where the namespace may be a module's or the local names.
    pub(super) fn look_up(&mut self, value: &Value, key: &Value, range: TextRange) -> Value {
        let mut found = Value::NOTHING;
        for path in value.paths() {
            if &**path == LOCALS {
                match key.only_text() {
                    Some(name) => {
                        let known = self.find(name);
                        found.add(&self.refuse_builtins(known, range));
                    }
                    None if self.holds_restricted() => self.report("locals()", Reason::Lookup, range),
                    None => {}
                }
            } else if let Some(module) = path.strip_suffix(".__dict__") {
                let of = Value::path(module);
                found.add(&self.reach_computed(&of, key, range));
            }
        }
        found
    }

    /// `getattr(value, key)`.
    pub(super) fn reach_computed(&mut self, value: &Value, key: &Value, range: TextRange) -> Value {
        if let Some(name) = key.only_text() {
            // Text that names an internal attribute was reported where it is written.
            return if rules::internal_text(name) {
                Value::NOTHING
            } else {
                self.reach(value, name, range)
            };
        }
        if let Some(path) = value.paths().find(|path| rules::has_refused_attributes(path)) {
            let module = path.strip_suffix("()").unwrap_or(path);
            let message = format!(
                "This looks up a computed name in `{module}`, which could be any function of it. Write the attribute out, for example `{module}.name`."
            );
            self.report_as(message, Reason::Lookup, range);
        }
        Value::NOTHING
    }

    fn comprehension(&mut self, generators: &'a [Comprehension], elements: &[&'a Expr]) -> Value {
        if let Some(first) = generators.first() {
            self.expr(&first.iter);
        }
        let scope = self.open_scope(Kind::Comprehension, Some(self.current));
        let names = generators
            .iter()
            .flat_map(|generator| bindings::of_target(&generator.target))
            .collect();
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.locals = names;
        }
        let before = std::mem::replace(&mut self.current, scope);
        for (index, generator) in generators.iter().enumerate() {
            if index > 0 {
                self.expr(&generator.iter);
            }
            self.bind_target(&generator.target, &Value::NOTHING);
            generator.ifs.iter().for_each(|test| drop(self.expr(test)));
        }
        elements.iter().for_each(|element| self.hand_over(element));
        self.current = before;
        Value::NOTHING
    }

    fn interpolated(&mut self, elements: &'a InterpolatedStringElements, folded: &mut Option<String>) {
        for element in elements {
            match element {
                ruff_python_ast::InterpolatedStringElement::Literal(literal) => {
                    text::append(folded, Some(&*literal.value))
                }
                ruff_python_ast::InterpolatedStringElement::Interpolation(inner) => {
                    let value = self.expr(&inner.expression);
                    let plain = inner.format_spec.is_none() && inner.debug_text.is_none();
                    text::append(folded, value.only_text().filter(|_| plain));
                    if let Some(spec) = &inner.format_spec {
                        self.interpolated(&spec.elements, &mut None);
                    }
                }
            }
        }
    }
}
