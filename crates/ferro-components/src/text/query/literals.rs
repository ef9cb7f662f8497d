//! Numbers and texts in a query.

use super::super::tabular;
use super::parse::Parser;
use super::tree::Expr;

impl Parser<'_> {
    pub(super) fn number(&mut self) -> Result<Expr, String> {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while let Some(&byte) = bytes.get(end) {
            let sign = matches!(byte, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E');
            if !byte.is_ascii_digit() && !matches!(byte, b'.' | b'e' | b'E') && !sign {
                break;
            }
            end += 1;
        }
        let (digits, rest) = self.rest.split_at(end);
        let value = tabular::number(digits).ok_or_else(|| format!("{digits:?} is not a number"))?;
        self.rest = rest;
        Ok(Expr::Literal(value))
    }

    /// A string in double quotes; `\(…)` holds a query of its own.
    pub(super) fn string(&mut self) -> Result<Expr, String> {
        self.rest = &self.rest[1..];
        let mut parts = Vec::new();
        let mut raw = String::from("\"");
        loop {
            let Some(c) = self.rest.chars().next() else {
                return Err("a text is not closed".to_owned());
            };
            if let Some(after) = self.rest.strip_prefix("\\(") {
                self.rest = after;
                parts.push(text(&mut raw)?);
                parts.push(self.pipe()?);
                self.expect(")")?;
                continue;
            }
            let length = if c == '\\' {
                1 + self.rest[1..].chars().next().map_or(0, char::len_utf8)
            } else {
                c.len_utf8()
            };
            let (piece, rest) = self.rest.split_at(length);
            self.rest = rest;
            if c == '"' {
                break;
            }
            raw.push_str(piece);
        }
        let last = text(&mut raw)?;
        if parts.is_empty() {
            return Ok(last);
        }
        parts.push(last);
        Ok(Expr::Text(parts))
    }
}

/// Reads escapes the way JSON does.
fn text(raw: &mut String) -> Result<Expr, String> {
    raw.push('"');
    let read = serde_json::from_str(raw).map_err(|_| format!("{raw} is not a text"));
    "\"".clone_into(raw);
    read.map(Expr::Literal)
}
