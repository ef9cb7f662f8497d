//! Arithmetic: reads an expression and says what it is worth. Nothing else can be written in it.

use std::f64::consts;

/// Longer ones are refused.
const LENGTH: usize = 1_000;
/// Brackets, signs and powers inside each other: the reader calls itself.
const DEPTH: usize = 50;

/// What an expression is worth.
pub(super) fn evaluate(expression: &str) -> Result<f64, String> {
    if expression.len() > LENGTH {
        return Err(format!("The expression is longer than {LENGTH} characters"));
    }
    if expression.trim().is_empty() {
        return Err("The expression is empty".to_owned());
    }
    let mut reader = Reader {
        rest: expression,
        depth: 0,
    };
    let value = reader.sum()?;
    reader.space();
    if !reader.rest.is_empty() {
        return Err(reader.unexpected());
    }
    Ok(value)
}

/// At most six decimals, without zeros at the end.
pub(super) fn shown(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn unexpected(&self) -> String {
        match self.rest.chars().next() {
            Some(c) => format!("{c:?} was not expected"),
            None => "The expression ends too early".to_owned(),
        }
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Result<f64, String>) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("The expression is nested too deeply".to_owned());
        }
        let value = inner(self);
        self.depth -= 1;
        value
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = finite(value + self.product()?)?;
            } else if self.take("-") || self.take("−") {
                value = finite(value - self.product()?)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        loop {
            self.space();
            if self.rest.starts_with("**") {
                return Ok(value);
            }
            if self.take("//") {
                let by = nonzero(self.signed()?)?;
                value = finite((value / by).floor())?;
            } else if self.take("*") || self.take("×") {
                value = finite(value * self.signed()?)?;
            } else if self.take("/") || self.take("÷") {
                value = finite(value / nonzero(self.signed()?)?)?;
            } else if self.take("%") {
                let by = nonzero(self.signed()?)?;
                // The sign is that of the divisor, so that -1 % 7 is 6.
                value = finite(value - by * (value / by).floor())?;
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<f64, String> {
        if self.take("-") || self.take("−") {
            return Ok(-self.nested(Self::signed)?);
        }
        if self.take("+") {
            return self.nested(Self::signed);
        }
        self.power()
    }

    fn power(&mut self) -> Result<f64, String> {
        let base = self.atom()?;
        if self.take("**") || self.take("^") {
            let exponent = self.nested(Self::signed)?;
            if base == 0.0 && exponent < 0.0 {
                return Err("Division by zero".to_owned());
            }
            let value = base.powf(exponent);
            if value.is_nan() {
                return Err("A negative number has no such power".to_owned());
            }
            return finite(value);
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<f64, String> {
        self.space();
        if self.take("(") {
            let value = self.nested(Self::sum)?;
            return if self.take(")") {
                Ok(value)
            } else {
                Err("A bracket is not closed".to_owned())
            };
        }
        match self.rest.chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == 'π' => self.name(),
            _ => Err(self.unexpected()),
        }
    }

    fn number(&mut self) -> Result<f64, String> {
        let bytes = self.rest.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(|b| b.is_ascii_digit() || *b == b'_') {
                at += 1;
            }
            at
        };
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let after = digits(end + 1 + sign);
            if after > end + 1 + sign {
                end = after;
            }
        }
        let (written, rest) = self.rest.split_at(end);
        let value = written
            .replace('_', "")
            .parse()
            .map_err(|_| format!("{written:?} is not a number"))?;
        self.rest = rest;
        finite(value)
    }

    fn name(&mut self) -> Result<f64, String> {
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        match name {
            "pi" | "PI" | "π" => return Ok(consts::PI),
            "e" | "E" => return Ok(consts::E),
            "tau" => return Ok(consts::TAU),
            _ => {}
        }
        if !self.take("(") {
            return Err(format!("{name:?} is not known"));
        }
        let mut arguments = Vec::new();
        if !self.take(")") {
            loop {
                let value = {
                    self.depth += 1;
                    if self.depth > DEPTH {
                        return Err("The expression is nested too deeply".to_owned());
                    }
                    let value = self.sum()?;
                    self.depth -= 1;
                    value
                };
                arguments.push(value);
                if self.take(")") {
                    break;
                }
                if !self.take(",") {
                    return Err("A bracket is not closed".to_owned());
                }
            }
        }
        call(name, &arguments)
    }
}

fn call(name: &str, arguments: &[f64]) -> Result<f64, String> {
    let value = match (name.to_ascii_lowercase().as_str(), arguments) {
        ("sqrt", [x]) if *x < 0.0 => return Err("A negative number has no square root".to_owned()),
        ("ln" | "log" | "log10" | "log2", [x, ..]) if *x <= 0.0 => {
            return Err("Only positive numbers have a logarithm".to_owned());
        }
        ("asin" | "acos", [x]) if x.abs() > 1.0 => return Err(format!("{name} takes numbers from -1 to 1")),
        ("sqrt", [x]) => x.sqrt(),
        ("cbrt", [x]) => x.cbrt(),
        ("abs", [x]) => x.abs(),
        ("floor", [x]) => x.floor(),
        ("ceil", [x]) => x.ceil(),
        ("trunc" | "int", [x]) => x.trunc(),
        ("round", [x]) => x.round_ties_even(),
        ("round", [x, digits]) => rounded(*x, *digits),
        ("sin", [x]) => x.sin(),
        ("cos", [x]) => x.cos(),
        ("tan", [x]) => x.tan(),
        ("asin", [x]) => x.asin(),
        ("acos", [x]) => x.acos(),
        ("atan", [x]) => x.atan(),
        ("atan2", [y, x]) => y.atan2(*x),
        ("sinh", [x]) => x.sinh(),
        ("cosh", [x]) => x.cosh(),
        ("tanh", [x]) => x.tanh(),
        ("radians", [x]) => x.to_radians(),
        ("degrees", [x]) => x.to_degrees(),
        ("exp", [x]) => x.exp(),
        ("ln" | "log", [x]) => x.ln(),
        ("log", [x, base]) if *base > 0.0 && *base != 1.0 => x.log(*base),
        ("log10", [x]) => x.log10(),
        ("log2", [x]) => x.log2(),
        ("pow", [x, y]) => x.powf(*y),
        ("hypot", [x, y]) => x.hypot(*y),
        ("factorial", [x]) if *x >= 0.0 && x.fract() == 0.0 && *x <= 170.0 => {
            (1..=*x as u32).map(f64::from).product()
        }
        ("min", [first, rest @ ..]) => rest.iter().copied().fold(*first, f64::min),
        ("max", [first, rest @ ..]) => rest.iter().copied().fold(*first, f64::max),
        ("sum", all) => all.iter().sum(),
        (known, _) if FUNCTIONS.contains(&known) => return Err(format!("{name} does not take these values")),
        _ => return Err(format!("There is no function {name:?}")),
    };
    finite(value)
}

const FUNCTIONS: &[&str] = &[
    "sqrt",
    "cbrt",
    "abs",
    "floor",
    "ceil",
    "trunc",
    "int",
    "round",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "radians",
    "degrees",
    "exp",
    "ln",
    "log",
    "log10",
    "log2",
    "pow",
    "hypot",
    "factorial",
    "min",
    "max",
];

fn rounded(value: f64, digits: f64) -> f64 {
    let scale = 10f64.powf(digits.trunc().clamp(-300.0, 300.0));
    let scaled = value * scale;
    if scaled.is_finite() {
        scaled.round() / scale
    } else {
        value
    }
}

fn nonzero(value: f64) -> Result<f64, String> {
    if value == 0.0 {
        Err("Division by zero".to_owned())
    } else {
        Ok(value)
    }
}

fn finite(value: f64) -> Result<f64, String> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err("The result is too large".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, expected: &str) {
        let found = evaluate(expression).map_or_else(|problem| format!("! {problem}"), shown);
        assert_eq!(found, expected, "{expression}");
    }

    #[test]
    fn precedence_and_signs() {
        check("2 + 3 * 4", "14");
        check("(2 + 3) * 4", "20");
        check("-2 ** 2", "-4");
        check("2 ** -1", "0.5");
        check("2 ** 3 ** 2", "512");
        check("2^10", "1024");
        check("--3 - -2", "5");
        check("7 // 2 + -7 // 2", "-1");
        check("7 % 3 + -1 % 7", "7");
        check("10 / 4 / 5", "0.5");
        check("1_000 + .5e1 + 2.", "1007");
    }

    #[test]
    fn functions_and_constants() {
        check("sqrt(16) + abs(-2) + max(1, 5, 3) - min(2, 1)", "10");
        check("round(2.567, 2) + round(2.5)", "4.57");
        check("sin(pi / 2) + cos(0)", "2");
        check("log(e) + log(8, 2) + log10(100)", "6");
        check("factorial(5)", "120");
        check("pi", "3.141593");
        check("1 / 3", "0.333333");
    }

    #[test]
    fn what_cannot_be_worked_out() {
        check("1 / 0", "! Division by zero");
        check("1 // 0", "! Division by zero");
        check("1 % 0", "! Division by zero");
        check("0 ** -1", "! Division by zero");
        check("9 ** 9 ** 9", "! The result is too large");
        check("1e999", "! The result is too large");
        check("(-8) ** 0.5", "! A negative number has no such power");
        check("sqrt(-1)", "! A negative number has no square root");
        check("", "! The expression is empty");
        check("1 +", "! The expression ends too early");
        check("(1", "! A bracket is not closed");
        check("1 2", "! '2' was not expected");
        check("__import__('os')", "! '_' was not expected");
        check("x + 1", "! \"x\" is not known");
        check("nope(1)", "! There is no function \"nope\"");
        check("sqrt()", "! sqrt does not take these values");
        check("1..2", "! '.' was not expected");
        check(".", "! \".\" is not a number");
    }

    #[test]
    fn size_and_depth_are_bounded() {
        check(&"(".repeat(900), "! The expression is nested too deeply");
        check(&"-".repeat(900), "! The expression is nested too deeply");
        check(&"abs(".repeat(200), "! The expression is nested too deeply");
        check(
            &"1+".repeat(600),
            "! The expression is longer than 1000 characters",
        );
        check(&"2**".repeat(300), "! The expression is nested too deeply");
    }
}
