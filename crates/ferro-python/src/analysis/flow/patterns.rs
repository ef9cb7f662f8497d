//! Targets of assignments, and `match`.

use super::Flow;
use super::value::Value;
use ruff_python_ast::{Expr, Pattern, StmtMatch};
use ruff_text_size::Ranged;

impl<'a> Flow<'a> {
    pub(super) fn assign(&mut self, targets: &'a [Expr], value: &'a Expr) {
        if let [target] = targets {
            let mut pairs = Vec::new();
            pair(target, value, &mut pairs);
            // All values first: `a, b = b, a`.
            let values: Vec<Value> = pairs.iter().map(|(_, value)| self.expr(value)).collect();
            for ((target, from), value) in pairs.into_iter().zip(values) {
                self.bind_from(target, &value, from);
            }
            return;
        }
        let known = self.expr(value);
        for target in targets {
            self.bind_from(target, &known, value);
        }
    }

    fn bind_from(&mut self, target: &'a Expr, value: &Value, from: &'a Expr) {
        match target {
            Expr::Name(name) => self.bind_visible(name.id.as_str(), value.clone(), from.range()),
            _ => {
                self.escapes(value, from.range());
                self.bind_target(target, value);
            }
        }
    }

    /// Binds every name of a target to the same value; attributes and subscripts are read for what they reach.
    pub(super) fn bind_target(&mut self, target: &'a Expr, value: &Value) {
        match target {
            Expr::Name(name) => self.bind(name.id.as_str(), value.clone()),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|inner| self.bind_target(inner, value)),
            Expr::List(list) => list.elts.iter().for_each(|inner| self.bind_target(inner, value)),
            Expr::Starred(starred) => self.bind_target(&starred.value, value),
            other => drop(self.expr(other)),
        }
    }

    pub(super) fn matched(&mut self, inner: &'a StmtMatch) {
        let subject = self.expr(&inner.subject);
        let before = self.take_state();
        let mut joined = before.clone();
        for case in &inner.cases {
            self.set_state(before.clone());
            self.pattern(&case.pattern, &subject);
            if let Some(guard) = &case.guard {
                self.expr(guard);
            }
            self.body(&case.body);
            let after = self.take_state();
            joined = self.join(joined, after);
        }
        self.set_state(joined);
    }

    fn pattern(&mut self, pattern: &'a Pattern, subject: &Value) {
        self.step(1);
        let nothing = Value::NOTHING;
        match pattern {
            Pattern::MatchValue(inner) => drop(self.expr(&inner.value)),
            Pattern::MatchSingleton(_) => {}
            Pattern::MatchSequence(inner) => inner
                .patterns
                .iter()
                .for_each(|part| self.pattern(part, &nothing)),
            Pattern::MatchMapping(inner) => {
                inner.keys.iter().for_each(|key| drop(self.expr(key)));
                inner
                    .patterns
                    .iter()
                    .for_each(|part| self.pattern(part, &nothing));
                if let Some(rest) = &inner.rest {
                    self.bind(rest.as_str(), nothing);
                }
            }
            Pattern::MatchClass(inner) => {
                self.expr(&inner.cls);
                inner
                    .arguments
                    .patterns
                    .iter()
                    .for_each(|part| self.pattern(part, &nothing));
                for keyword in &inner.arguments.keywords {
                    let value = self.reach(subject, keyword.attr.as_str(), keyword.range());
                    self.pattern(&keyword.pattern, &value);
                }
            }
            Pattern::MatchStar(inner) => {
                if let Some(name) = &inner.name {
                    self.bind(name.as_str(), nothing);
                }
            }
            Pattern::MatchAs(inner) => {
                if let Some(part) = &inner.pattern {
                    self.pattern(part, subject);
                }
                if let Some(name) = &inner.name {
                    self.bind(name.as_str(), subject.clone());
                }
            }
            Pattern::MatchOr(inner) => inner.patterns.iter().for_each(|part| self.pattern(part, subject)),
        }
    }
}

fn elements(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(tuple) => Some(&tuple.elts),
        Expr::List(list) => Some(&list.elts),
        _ => None,
    }
}

/// Which value goes to which target, as far as that can be read off.
fn pair<'a>(target: &'a Expr, value: &'a Expr, pairs: &mut Vec<(&'a Expr, &'a Expr)>) {
    let is_starred = |expr: &Expr| matches!(expr, Expr::Starred(_));
    match (elements(target), elements(value)) {
        (Some(targets), Some(values))
            if targets.len() == values.len() && !targets.iter().chain(values).any(is_starred) =>
        {
            targets
                .iter()
                .zip(values)
                .for_each(|(target, value)| pair(target, value, pairs));
        }
        _ => pairs.push((target, value)),
    }
}
