//! Calls: builtins that look things up, methods of namespaces, and what is handed over.

use super::super::rules::{self, Reason};
use super::Flow;
use super::value::{LOCALS, Value};
use ruff_python_ast::{Expr, ExprCall};
use ruff_text_size::{Ranged, TextRange};

const PATH: &str = "pathlib.Path()";

impl<'a> Flow<'a> {
    /// Everything in the call is read exactly once: reading twice doubles the work at each level of nesting.
    pub(super) fn call(&mut self, call: &'a ExprCall) -> Value {
        let (receiver, function) = match &*call.func {
            Expr::Attribute(method) => {
                let receiver = self.expr(&method.value);
                let function = self.reach(&receiver, method.attr.as_str(), method.range);
                if method.attr.as_str() == "mro" && call.arguments.is_empty() {
                    self.report("mro()", Reason::Internals, call.range());
                }
                if let Some(joined) = self.joined(&receiver, method.attr.as_str(), call) {
                    return joined;
                }
                (receiver, function)
            }
            other => (Value::NOTHING, self.expr(other)),
        };
        let arguments: Vec<Value> = call
            .arguments
            .args
            .iter()
            .map(|argument| self.expr(argument))
            .collect();
        let keywords: Vec<Value> = call
            .arguments
            .keywords
            .iter()
            .map(|keyword| self.expr(&keyword.value))
            .collect();
        if let Expr::Attribute(method) = &*call.func
            && let Some(folded) = self.folded_call(&receiver, method.attr.as_str(), &arguments, call.range())
        {
            return folded;
        }
        let mut result = Value::NOTHING;
        let mut keeps = false;
        // With `*pair` it cannot be seen which argument is which.
        let plain = !call
            .arguments
            .args
            .iter()
            .any(|argument| matches!(argument, Expr::Starred(_)));
        for path in function.paths() {
            self.step(1);
            if let Some(known) = self.known_call(path, plain.then_some(&*arguments), call.range()) {
                result.add(&known);
                keeps = true;
            } else if matches!(
                &**path,
                "pathlib.Path" | "pathlib.PosixPath" | "pathlib.WindowsPath"
            ) || keeps_path(path)
            {
                result.add(&Value::path(PATH));
            }
        }
        if !keeps {
            let of_arguments = arguments
                .iter()
                .zip(call.arguments.args.iter().map(Ranged::range));
            let of_keywords = keywords.iter().zip(
                call.arguments
                    .keywords
                    .iter()
                    .map(|keyword| keyword.value.range()),
            );
            for (value, range) in of_arguments.chain(of_keywords) {
                self.escapes(value, range);
            }
        }
        result
    }

    /// A call that is understood: what it gives, and that its arguments go nowhere else.
    fn known_call(&mut self, path: &str, arguments: Option<&[Value]>, range: TextRange) -> Option<Value> {
        if let Some((namespace, method)) = namespace_method(path) {
            return Some(self.namespace_call(namespace, method, arguments.unwrap_or_default(), range));
        }
        match (path.strip_prefix("builtins.")?, arguments?) {
            ("getattr", [of, name, rest @ ..]) => {
                let found = self.reach_computed(of, name, range);
                Some(
                    rest.iter()
                        .fold(found, |found, fallback| found.or(fallback))
                        .or_unknown(),
                )
            }
            ("vars", [of, ..]) => {
                let namespaces = of.paths().map(|path| Value::path(&format!("{path}.__dict__")));
                Some(
                    namespaces
                        .reduce(|value, namespace| value.or(&namespace))
                        .unwrap_or_default(),
                )
            }
            ("vars" | "locals", _) => Some(Value::path(LOCALS)),
            (name, _) => rules::harmless_with_module(name).then_some(Value::NOTHING),
        }
    }

    /// `namespace.get("name")` and the like.
    fn namespace_call(
        &mut self,
        namespace: &str,
        method: &str,
        arguments: &[Value],
        range: TextRange,
    ) -> Value {
        let of = Value::path(namespace);
        match (method, arguments) {
            ("get" | "pop" | "setdefault" | "__getitem__", [key, rest @ ..]) => {
                let found = self.look_up(&of, key, range);
                rest.iter().fold(found, |found, fallback| found.or(fallback))
            }
            ("keys" | "__len__" | "__contains__" | "update", _) => Value::NOTHING,
            _ if namespace == LOCALS => {
                if self.holds_restricted() {
                    self.report("locals()", Reason::Lookup, range);
                }
                Value::NOTHING
            }
            _ => {
                self.escapes(&of, range);
                Value::NOTHING
            }
        }
    }
}

fn namespace_method(path: &str) -> Option<(&str, &str)> {
    let (namespace, method) = path.rsplit_once('.')?;
    (namespace == LOCALS || namespace.ends_with(".__dict__")).then_some((namespace, method))
}

/// Methods of a path that give a path.
fn keeps_path(path: &str) -> bool {
    let Some(rest) = path.strip_prefix("pathlib.Path") else {
        return false;
    };
    let method = rest.trim_start_matches("()").trim_start_matches('.');
    matches!(
        method,
        "joinpath"
            | "resolve"
            | "absolute"
            | "expanduser"
            | "with_suffix"
            | "with_name"
            | "with_stem"
            | "relative_to"
            | "cwd"
            | "home"
    )
}
