//! From the text of a query to a tree.

use serde_json::Value as Json;

use super::tree::{Expr, Hop, Op};

/// Nesting of brackets, and nodes altogether: evaluation calls itself along the tree.
const DEPTH: usize = 32;
const NODES: usize = 256;
const LENGTH: usize = 4_000;

/// From loosest to tightest; longer spellings first.
const LEVELS: [&[(&str, Op)]; 6] = [
    &[("//", Op::Alternative)],
    &[("or", Op::Or)],
    &[("and", Op::And)],
    &[
        ("==", Op::Equal),
        ("!=", Op::Unequal),
        ("<=", Op::LessEqual),
        (">=", Op::GreaterEqual),
        ("<", Op::Less),
        (">", Op::Greater),
    ],
    &[("+", Op::Add), ("-", Op::Subtract)],
    &[("*", Op::Multiply), ("/", Op::Divide), ("%", Op::Remainder)],
];

const UNSUPPORTED: [&str; 9] = [
    "as", "reduce", "foreach", "def", "try", "catch", "label", "import", "include",
];

pub(super) fn parse(query: &str) -> Result<Expr, String> {
    if query.len() > LENGTH {
        return Err(format!("it is longer than {LENGTH} characters"));
    }
    let text = query.trim();
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    let mut parser = Parser {
        rest: text.strip_prefix('$').unwrap_or(text),
        depth: 0,
        nodes: 0,
    };
    let tree = parser.pipe()?;
    parser.space();
    if parser.rest.is_empty() {
        Ok(tree)
    } else {
        Err(parser.unexpected())
    }
}

pub(super) struct Parser<'a> {
    pub(super) rest: &'a str,
    depth: usize,
    nodes: usize,
}

impl<'a> Parser<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes a symbol, or a word that does not go on.
    fn take(&mut self, token: &str) -> bool {
        self.space();
        let Some(after) = self.rest.strip_prefix(token) else {
            return false;
        };
        let is_word = token.starts_with(|c: char| c.is_alphabetic());
        if is_word && after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return false;
        }
        // `|=`, `+=` and their like would otherwise be read as two operators.
        self.rest = after;
        true
    }

    pub(super) fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            return Ok(());
        }
        self.space();
        if self.rest.is_empty() {
            return Err(format!("it ends where {token:?} was expected"));
        }
        Err(self.unexpected())
    }

    fn unexpected(&self) -> String {
        let word: String = self
            .rest
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if UNSUPPORTED.contains(&word.as_str()) {
            return format!("{word:?} is not supported here");
        }
        if let Some(format) = self.rest.strip_prefix('@') {
            return format!(
                "formats such as @{} are not supported here",
                format.split_whitespace().next().unwrap_or_default()
            );
        }
        match self.rest.chars().next() {
            None => "it ends too early".to_owned(),
            Some('=') => "values cannot be set (=) here".to_owned(),
            Some('$') => "variables are not supported here".to_owned(),
            Some(_) => format!(
                "{:?} was not expected",
                self.rest.chars().take(12).collect::<String>()
            ),
        }
    }

    fn node(&mut self) -> Result<(), String> {
        self.nodes += 1;
        if self.nodes > NODES {
            Err("it has too many parts".to_owned())
        } else {
            Ok(())
        }
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("it is nested too deeply".to_owned());
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }

    pub(super) fn pipe(&mut self) -> Result<Expr, String> {
        self.nested(|parser| {
            let mut steps = vec![parser.comma()?];
            while !parser.rest.trim_start().starts_with("|=") && parser.take("|") {
                steps.push(parser.comma()?);
            }
            Ok(one_or(steps, Expr::Pipe))
        })
    }

    fn comma(&mut self) -> Result<Expr, String> {
        let mut parts = vec![self.binary(0)?];
        while self.take(",") {
            parts.push(self.binary(0)?);
        }
        Ok(one_or(parts, Expr::Comma))
    }

    fn binary(&mut self, level: usize) -> Result<Expr, String> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        'more: loop {
            for (token, op) in *operators {
                // A single `/` must not swallow the half of a `//`.
                if *token == "/" && self.rest.trim_start().starts_with("//") {
                    continue;
                }
                if self.take(token) {
                    self.node()?;
                    let right = self.binary(level + 1)?;
                    left = Expr::Binary(*op, Box::new(left), Box::new(right));
                    continue 'more;
                }
            }
            return Ok(left);
        }
    }

    fn unary(&mut self) -> Result<Expr, String> {
        let negative = self.take("-");
        let inner = self.postfix()?;
        Ok(if negative {
            Expr::Negate(Box::new(inner))
        } else {
            inner
        })
    }

    fn postfix(&mut self) -> Result<Expr, String> {
        self.node()?;
        let start = self.term()?;
        let mut hops = Vec::new();
        loop {
            if self.rest.starts_with('[') {
                self.rest = &self.rest[1..];
                hops.push(self.bracket()?);
            } else if self.rest.starts_with('?') && !self.rest.starts_with("?//") {
                self.rest = &self.rest[1..];
                hops.push(Hop::Try);
            } else if self.rest.starts_with(".[") {
                self.rest = &self.rest[2..];
                hops.push(self.bracket()?);
            } else if self.rest.starts_with('.') && !self.rest.starts_with("..") {
                self.rest = &self.rest[1..];
                hops.push(Hop::Key(self.key()?));
            } else {
                break;
            }
            self.node()?;
        }
        Ok(if hops.is_empty() {
            start
        } else {
            Expr::Path(Box::new(start), hops)
        })
    }

    fn bracket(&mut self) -> Result<Hop, String> {
        if self.take("]") {
            return Ok(Hop::Each);
        }
        if self.take(":") {
            let to = self.pipe()?;
            self.expect("]")?;
            return Ok(Hop::Slice(None, Some(to)));
        }
        let from = self.pipe()?;
        if self.take("]") {
            return Ok(Hop::At(from));
        }
        self.expect(":")?;
        if self.take("]") {
            return Ok(Hop::Slice(Some(from), None));
        }
        let to = self.pipe()?;
        self.expect("]")?;
        Ok(Hop::Slice(Some(from), Some(to)))
    }

    fn key(&mut self) -> Result<String, String> {
        if self.rest.starts_with('"') {
            return match self.string()? {
                Expr::Literal(Json::String(key)) => Ok(key),
                _ => Err("a key cannot contain \\( )".to_owned()),
            };
        }
        self.name()
            .ok_or_else(|| "there is a dot without a name after it".to_owned())
    }

    fn name(&mut self) -> Option<String> {
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() {
            return None;
        }
        self.rest = rest;
        Some(name.to_owned())
    }

    fn term(&mut self) -> Result<Expr, String> {
        self.space();
        let Some(first) = self.rest.chars().next() else {
            return Err("it ends too early".to_owned());
        };
        match first {
            '.' if self.take("..") => Ok(Expr::Descend),
            '.' => {
                self.rest = &self.rest[1..];
                if self.rest.starts_with('"')
                    || self.rest.starts_with(|c: char| c.is_alphabetic() || c == '_')
                {
                    return Ok(Expr::Path(Box::new(Expr::Identity), vec![Hop::Key(self.key()?)]));
                }
                Ok(Expr::Identity)
            }
            '"' => self.string(),
            '0'..='9' => self.number(),
            '(' => {
                self.rest = &self.rest[1..];
                let inner = self.pipe()?;
                self.expect(")")?;
                Ok(inner)
            }
            '[' => {
                self.rest = &self.rest[1..];
                if self.take("]") {
                    return Ok(Expr::Array(None));
                }
                let inner = self.pipe()?;
                self.expect("]")?;
                Ok(Expr::Array(Some(Box::new(inner))))
            }
            '{' => self.nested(Self::object),
            c if c.is_alphabetic() || c == '_' => self.word(),
            _ => Err(self.unexpected()),
        }
    }

    fn object(&mut self) -> Result<Expr, String> {
        self.rest = &self.rest[1..];
        let mut entries = Vec::new();
        if self.take("}") {
            return Ok(Expr::Object(entries));
        }
        loop {
            self.space();
            self.node()?;
            let key = if self.take("(") {
                let key = self.pipe()?;
                self.expect(")")?;
                key
            } else if self.rest.starts_with('"') {
                self.string()?
            } else {
                Expr::Literal(Json::String(self.name().ok_or_else(|| self.unexpected())?))
            };
            let value = if self.take(":") {
                // A comma belongs to the object here, not to the value.
                self.binary(0)?
            } else {
                Expr::Path(Box::new(Expr::Identity), vec![Hop::At(key.clone())])
            };
            entries.push((key, value));
            if !self.take(",") {
                self.expect("}")?;
                return Ok(Expr::Object(entries));
            }
        }
    }

    fn word(&mut self) -> Result<Expr, String> {
        let start = self.rest;
        let name = self.name().ok_or_else(|| self.unexpected())?;
        match name.as_str() {
            "true" => return Ok(Expr::Literal(Json::Bool(true))),
            "false" => return Ok(Expr::Literal(Json::Bool(false))),
            "null" => return Ok(Expr::Literal(Json::Null)),
            "if" => return self.nested(Self::condition),
            word if UNSUPPORTED.contains(&word) => {
                self.rest = start;
                return Err(self.unexpected());
            }
            _ => {}
        }
        let mut arguments = Vec::new();
        if self.rest.starts_with('(') {
            self.rest = &self.rest[1..];
            loop {
                arguments.push(self.pipe()?);
                if !self.take(";") {
                    break;
                }
            }
            self.expect(")")?;
        }
        if super::functions::exists(&name, arguments.len()) {
            return Ok(Expr::Call(name, arguments));
        }
        if arguments.is_empty() {
            return Ok(Expr::Path(Box::new(Expr::Identity), vec![Hop::Key(name)]));
        }
        let plural = if arguments.len() == 1 { "" } else { "s" };
        Err(format!(
            "there is no function {name} with {} argument{plural}",
            arguments.len()
        ))
    }

    fn condition(&mut self) -> Result<Expr, String> {
        let mut branches = Vec::new();
        loop {
            let test = self.pipe()?;
            self.expect("then")?;
            branches.push((test, self.pipe()?));
            if self.take("elif") {
                continue;
            }
            let otherwise = if self.take("else") {
                Some(Box::new(self.pipe()?))
            } else {
                None
            };
            self.expect("end")?;
            return Ok(Expr::If(branches, otherwise));
        }
    }
}

fn one_or(mut parts: Vec<Expr>, many: impl FnOnce(Vec<Expr>) -> Expr) -> Expr {
    if parts.len() > 1 {
        return many(parts);
    }
    parts.pop().unwrap_or(Expr::Identity)
}
