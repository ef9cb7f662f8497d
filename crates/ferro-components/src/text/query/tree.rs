//! The tree of a query.

use serde_json::Value as Json;

#[derive(Debug, Clone)]
pub(super) enum Expr {
    Literal(Json),
    /// Text with values in between.
    Text(Vec<Expr>),
    /// A start, and what is done to it one after the other.
    Path(Box<Expr>, Vec<Hop>),
    Identity,
    /// The value and everything in it.
    Descend,
    Pipe(Vec<Expr>),
    Comma(Vec<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    Array(Option<Box<Expr>>),
    Object(Vec<(Expr, Expr)>),
    If(Vec<(Expr, Expr)>, Option<Box<Expr>>),
    Call(String, Vec<Expr>),
}

#[derive(Debug, Clone)]
pub(super) enum Hop {
    Key(String),
    At(Expr),
    Slice(Option<Expr>, Option<Expr>),
    Each,
    /// What went wrong before this yields nothing.
    Try,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Alternative,
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
