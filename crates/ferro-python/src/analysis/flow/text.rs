//! Text put together in the code: `"sys" + "tem"`, `"".join(…)`, `"metsys"[::-1]`, and format templates.

use super::super::rules::{self, Reason};
use super::Flow;
use super::value::Value;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, ExprSlice, Operator, UnaryOp};
use ruff_text_size::{Ranged, TextRange};

const LONGEST: usize = 512;

impl<'a> Flow<'a> {
    /// A piece of text, reported when it names an internal attribute or formats its way to one.
    pub(super) fn text(&mut self, text: &str, range: TextRange) -> Value {
        if let Some(name) = internal(text) {
            self.report(name, Reason::Internals, range);
        }
        Value::text(text)
    }

    /// An annotation: an expression, and the expressions in its texts.
    pub(super) fn annotation(&mut self, expr: &'a Expr) {
        self.expr(expr);
        let mut texts = Texts::default();
        texts.visit_expr(expr);
        for (text, range) in texts.0 {
            self.step(text.len());
            if text.len() > LONGEST {
                self.report("a long text as annotation", Reason::Code, range);
            } else {
                for name in in_annotation(text) {
                    self.report(&name, Reason::Code, range);
                }
            }
        }
    }

    pub(super) fn check_texts(&mut self, value: &Value, range: TextRange) {
        for text in value.texts() {
            if let Some(name) = internal(text) {
                self.report(name, Reason::Internals, range);
            }
        }
    }

    pub(super) fn folded_sum(&mut self, left: &Value, right: &Value, op: Operator) -> Option<Value> {
        if op != Operator::Add {
            return None;
        }
        self.step(left.len() * right.len());
        let uncertain = left.is_uncertain() || right.is_uncertain();
        let mut sum = if uncertain {
            Value::NOTHING.or_unknown()
        } else {
            Value::NOTHING
        };
        for left in left.texts() {
            for right in right.texts() {
                sum.add(&Value::text(&format!("{left}{right}")));
            }
        }
        (!sum.is_nothing()).then_some(sum)
    }

    /// The result of a text method whose receiver and arguments are known.
    pub(super) fn folded_call(
        &mut self,
        receiver: &Value,
        method: &str,
        arguments: &[Value],
        range: TextRange,
    ) -> Option<Value> {
        let receiver = receiver.only_text()?;
        let folded = match (method, arguments) {
            ("lower" | "casefold", []) => receiver.to_lowercase(),
            ("upper", []) => receiver.to_uppercase(),
            ("strip", []) => receiver.trim().to_owned(),
            ("replace", [from, to]) => {
                let (from, to) = (from.only_text()?, to.only_text().filter(|to| to.len() <= 16)?);
                receiver.replace(from, to)
            }
            _ => return None,
        };
        Some(self.text(&folded, range))
    }

    /// `"".join(("a", "b"))`, read here because the parts of the list are known only here.
    pub(super) fn joined(&mut self, receiver: &Value, method: &str, call: &'a ExprCall) -> Option<Value> {
        let glue = receiver.only_text().filter(|_| method == "join")?;
        let parts = match &*call.arguments.args {
            [Expr::List(list)] => &list.elts,
            [Expr::Tuple(tuple)] => &tuple.elts,
            _ => return None,
        };
        let mut folded = Some(String::new());
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                append(&mut folded, Some(glue));
            }
            let value = self.expr(part);
            self.escapes(&value, part.range());
            append(&mut folded, value.only_text());
        }
        Some(folded.map_or(Value::NOTHING, |folded| self.text(&folded, call.range())))
    }
}

#[derive(Default)]
struct Texts<'a>(Vec<(&'a str, TextRange)>);

impl<'a> Visitor<'a> for Texts<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::StringLiteral(literal) => self.0.push((literal.value.to_str(), literal.range)),
            // `Literal["eval"]` and the arguments of calls are values, not types.
            Expr::Call(_) => {}
            Expr::Subscript(subscript) if is_named(&subscript.value, "Literal") => {}
            Expr::Subscript(subscript) if is_named(&subscript.value, "Annotated") => {
                match &*subscript.slice {
                    Expr::Tuple(tuple) => tuple.elts.iter().take(1).for_each(|kind| self.visit_expr(kind)),
                    kind => self.visit_expr(kind),
                }
            }
            _ => visitor::walk_expr(self, expr),
        }
    }
}

fn is_named(expr: &Expr, wanted: &str) -> bool {
    match expr {
        Expr::Name(name) => name.id.as_str() == wanted,
        Expr::Attribute(attribute) => attribute.attr.as_str() == wanted,
        _ => false,
    }
}

/// Adds to a text that is known so far; `None` once a part is not known or it grows too long.
pub(super) fn append(folded: &mut Option<String>, part: Option<&str>) {
    match (folded.as_mut(), part) {
        (Some(so_far), Some(part)) if so_far.len() + part.len() <= LONGEST => so_far.push_str(part),
        _ => *folded = None,
    }
}

/// `"_" * 2`.
pub(super) fn repeated(text: &Value, times: &Expr) -> Option<Value> {
    let Expr::NumberLiteral(number) = times else {
        return None;
    };
    let times = number.value.as_int()?.as_u8()?;
    let text = text.only_text()?;
    (text.len() * usize::from(times) <= LONGEST).then(|| Value::text(&text.repeat(times.into())))
}

/// Text in an annotation may be run by whoever asks for the types.
fn in_annotation(text: &str) -> Vec<String> {
    #[derive(Default)]
    struct Reached(Vec<String>);
    impl<'b> Visitor<'b> for Reached {
        fn visit_expr(&mut self, expr: &'b Expr) {
            match expr {
                Expr::Name(name)
                    if rules::attribute("builtins", &name.id).is_some() || rules::internal_name(&name.id) =>
                {
                    self.0.push(name.id.to_string());
                }
                Expr::Attribute(attribute) if rules::internal_attribute(&attribute.attr) => {
                    self.0.push(attribute.attr.to_string());
                }
                _ => {}
            }
            visitor::walk_expr(self, expr);
        }
    }
    let mut reached = Reached::default();
    if let Ok(parsed) = ruff_python_parser::parse_expression(text) {
        reached.visit_expr(parsed.expr());
    }
    reached.0
}

pub(super) fn reversed(text: &str, slice: &ExprSlice) -> Option<String> {
    let backwards = match slice.step.as_deref() {
        Some(Expr::UnaryOp(unary)) if unary.op == UnaryOp::USub => {
            matches!(&*unary.operand, Expr::NumberLiteral(number) if number.value.as_int().and_then(|int| int.as_u8()) == Some(1))
        }
        _ => false,
    };
    (backwards && slice.lower.is_none() && slice.upper.is_none()).then(|| text.chars().rev().collect())
}

/// The internal attribute a text names: alone, in a dotted path, or within a `{…}` of a format template.
fn internal(text: &str) -> Option<&str> {
    if !text.contains("__")
        && !text.contains("_frame")
        && !text.contains("f_")
        && !text.contains("func_globals")
    {
        return None;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = |part: &'_ str| -> Option<(usize, usize)> {
        let mut at = 0;
        for word in part.split(|c: char| !is_word(c)) {
            let start = part
                .get(at..)
                .and_then(|rest| rest.find(word))
                .map_or(at, |offset| at + offset);
            if rules::internal_text(word) {
                return Some((start, start + word.len()));
            }
            at = start + word.len();
        }
        None
    };
    let is_path = text.len() <= 256
        && text
            .chars()
            .all(|c| is_word(c) || matches!(c, '.' | '[' | ']' | '\'' | '"' | ':'));
    if is_path {
        return words(text).and_then(|(start, end)| text.get(start..end));
    }
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        rest = rest.get(open + 1..)?;
        let Some(close) = rest.find(['}', '{']) else { break };
        let field = rest.get(..close)?;
        if field.contains(['.', '['])
            && let Some((start, end)) = words(field)
        {
            return field.get(start..end);
        }
    }
    None
}
