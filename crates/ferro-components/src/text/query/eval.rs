//! Walks the tree of a query. Values are borrowed from the input as long as nothing new is made of them.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::functions;
use super::tree::{Expr, Hop, Op};
use super::values::{add, arithmetic, compare, kind, number, size, truth};

/// Values and copied bytes one query may cost.
const BUDGET: usize = if cfg!(test) { 1_000_000 } else { 20_000_000 };

pub(super) type Item<'a> = Cow<'a, Json>;
pub(super) type Items<'a> = Result<Vec<Item<'a>>, String>;

pub(super) fn all(tree: &Expr, input: &Json) -> Result<Vec<Json>, String> {
    let mut walk = Walk { left: BUDGET };
    let found = walk.eval(tree, Cow::Borrowed(input))?;
    found.into_iter().map(|item| walk.own(item)).collect()
}

pub(super) struct Walk {
    left: usize,
}

impl Walk {
    pub(super) fn charge(&mut self, cost: usize) -> Result<(), String> {
        match self.left.checked_sub(cost) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err("it produces too much".to_owned()),
        }
    }

    pub(super) fn own(&mut self, item: Item<'_>) -> Result<Json, String> {
        if let Cow::Borrowed(json) = item {
            self.charge(size(json))?;
        }
        Ok(item.into_owned())
    }

    pub(super) fn eval<'a>(&mut self, expr: &Expr, input: Item<'a>) -> Items<'a> {
        self.charge(1)?;
        match expr {
            Expr::Identity => Ok(vec![input]),
            Expr::Literal(json) => {
                self.charge(size(json))?;
                Ok(vec![Cow::Owned(json.clone())])
            }
            Expr::Text(parts) => self.text(parts, &input),
            Expr::Path(start, hops) => self.path(start, hops, input),
            Expr::Descend => self.descend(&input),
            Expr::Pipe(steps) => self.pipe(steps, input),
            Expr::Comma(parts) => {
                let mut found = Vec::new();
                for part in parts {
                    found.extend(self.eval(part, input.clone())?);
                }
                self.charge(found.len())?;
                Ok(found)
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right, input),
            Expr::Negate(inner) => {
                let negate = |item: Item<'_>| match item.as_f64() {
                    Some(value) => Ok(Cow::Owned(number(-value))),
                    None => Err(format!("{} cannot be negated", kind(&item))),
                };
                self.eval(inner, input)?.into_iter().map(negate).collect()
            }
            Expr::Array(None) => Ok(vec![Cow::Owned(Json::Array(Vec::new()))]),
            Expr::Array(Some(inner)) => {
                let items = self.eval(inner, input)?;
                let owned = items
                    .into_iter()
                    .map(|item| self.own(item))
                    .collect::<Result<_, _>>()?;
                Ok(vec![Cow::Owned(Json::Array(owned))])
            }
            Expr::Object(entries) => self.object(entries, &input),
            Expr::If(branches, otherwise) => self.condition(branches, otherwise.as_deref(), input),
            Expr::Call(name, arguments) => functions::call(self, name, arguments, input),
        }
    }

    /// The only value of an expression, for arguments.
    pub(super) fn one(&mut self, expr: &Expr, input: &Item<'_>) -> Result<Json, String> {
        let found = self.eval(expr, Cow::Borrowed(&**input))?;
        match found.into_iter().next() {
            Some(item) => self.own(item),
            None => Ok(Json::Null),
        }
    }

    fn pipe<'a>(&mut self, steps: &[Expr], input: Item<'a>) -> Items<'a> {
        let mut current = vec![input];
        for step in steps {
            let mut next = Vec::new();
            for item in current {
                next.extend(self.eval(step, item)?);
            }
            self.charge(next.len())?;
            current = next;
        }
        Ok(current)
    }

    fn path<'a>(&mut self, start: &Expr, hops: &[Hop], input: Item<'a>) -> Items<'a> {
        // What `?` after a failing step turns into nothing.
        let mut state = self.eval(start, input.clone());
        for hop in hops {
            state = match (state, hop) {
                (Err(problem), Hop::Try) if self.left > 0 => {
                    let _ = problem;
                    Ok(Vec::new())
                }
                (Err(problem), _) => Err(problem),
                (Ok(items), Hop::Try) => Ok(items),
                (Ok(items), hop) => self.hop(items, hop, &input),
            };
        }
        state
    }

    fn hop<'a>(&mut self, items: Vec<Item<'a>>, hop: &Hop, input: &Item<'a>) -> Items<'a> {
        let mut found = Vec::with_capacity(items.len());
        for item in items {
            match hop {
                Hop::Key(key) => found.push(key_of(item, key)?),
                Hop::At(index) => match self.one(index, input)? {
                    Json::String(key) => found.push(key_of(item, &key)?),
                    Json::Number(at) => found.push(index_of(item, at.as_f64().unwrap_or_default())?),
                    other => return Err(format!("{} cannot be an index", kind(&other))),
                },
                Hop::Slice(from, to) => {
                    let from = from.as_ref().map(|expr| self.one(expr, input)).transpose()?;
                    let to = to.as_ref().map(|expr| self.one(expr, input)).transpose()?;
                    found.push(self.slice(&item, from.as_ref(), to.as_ref())?);
                }
                Hop::Each => found.extend(each(item)?),
                Hop::Try => {}
            }
        }
        self.charge(found.len())?;
        Ok(found)
    }

    fn slice<'a>(
        &mut self,
        item: &Item<'_>,
        from: Option<&Json>,
        to: Option<&Json>,
    ) -> Result<Item<'a>, String> {
        let length = match &**item {
            Json::Array(items) => items.len(),
            Json::String(text) => text.chars().count(),
            Json::Null => return Ok(Cow::Owned(Json::Null)),
            other => return Err(format!("{} cannot be cut", kind(other))),
        };
        let place = |bound: Option<&Json>, default: usize| match bound.and_then(Json::as_f64) {
            Some(at) if at < 0.0 => length.saturating_sub(-at as usize),
            Some(at) => (at as usize).min(length),
            None => default,
        };
        let (from, to) = (place(from, 0), place(to, length));
        let to = to.max(from);
        self.charge(size(item))?;
        Ok(Cow::Owned(match &**item {
            Json::Array(items) => Json::Array(items[from..to].to_vec()),
            Json::String(text) => Json::String(text.chars().skip(from).take(to - from).collect()),
            _ => Json::Null,
        }))
    }

    fn text<'a>(&mut self, parts: &[Expr], input: &Item<'a>) -> Items<'a> {
        let mut text = String::new();
        for part in parts {
            text.push_str(&super::super::template::show(&self.one(part, input)?));
        }
        self.charge(text.len())?;
        Ok(vec![Cow::Owned(Json::String(text))])
    }

    fn descend<'a>(&mut self, input: &Item<'a>) -> Items<'a> {
        self.charge(size(input).saturating_mul(4))?;
        let mut found = Vec::new();
        let mut waiting = vec![&**input];
        while let Some(value) = waiting.pop() {
            self.charge(size(value))?;
            found.push(Cow::Owned(value.clone()));
            match value {
                Json::Array(items) => waiting.extend(items.iter().rev()),
                Json::Object(map) => waiting.extend(map.values().rev()),
                _ => {}
            }
        }
        Ok(found)
    }

    fn binary<'a>(&mut self, op: Op, left: &Expr, right: &Expr, input: Item<'a>) -> Items<'a> {
        match op {
            Op::Alternative => {
                let found = self.eval(left, input.clone()).unwrap_or_default();
                let truthy: Vec<_> = found.into_iter().filter(|item| truth(item)).collect();
                self.charge(1)?;
                if truthy.is_empty() {
                    self.eval(right, input)
                } else {
                    Ok(truthy)
                }
            }
            Op::And | Op::Or => {
                let mut found = Vec::new();
                for item in self.eval(left, input.clone())? {
                    if truth(&item) == (op == Op::Or) {
                        found.push(Cow::Owned(Json::Bool(op == Op::Or)));
                    } else {
                        let rest = self.eval(right, input.clone())?;
                        found.extend(rest.iter().map(|item| Cow::Owned(Json::Bool(truth(item)))));
                    }
                }
                Ok(found)
            }
            _ => {
                let lefts = self.eval(left, input.clone())?;
                let rights = self.eval(right, input)?;
                let mut found = Vec::new();
                for right in &rights {
                    for left in &lefts {
                        self.charge(1)?;
                        found.push(Cow::Owned(self.calculate(op, left, right)?));
                    }
                }
                Ok(found)
            }
        }
    }

    fn calculate(&mut self, op: Op, left: &Json, right: &Json) -> Result<Json, String> {
        let order = compare(left, right);
        Ok(match op {
            Op::Equal => order.is_eq().into(),
            Op::Unequal => order.is_ne().into(),
            Op::Less => order.is_lt().into(),
            Op::LessEqual => order.is_le().into(),
            Op::Greater => order.is_gt().into(),
            Op::GreaterEqual => order.is_ge().into(),
            Op::Add => {
                self.charge(size(left) + size(right))?;
                add(left, right)?
            }
            _ => arithmetic(op, left, right)?,
        })
    }

    fn object<'a>(&mut self, entries: &[(Expr, Expr)], input: &Item<'a>) -> Items<'a> {
        let mut made = vec![Map::new()];
        for (key, value) in entries {
            let Json::String(key) = self.one(key, input)? else {
                return Err("a key must be a text".to_owned());
            };
            let values = self.eval(value, Cow::Borrowed(&**input))?;
            let mut next = Vec::new();
            for map in &made {
                for value in &values {
                    self.charge(size(value) + map.len() * 16)?;
                    let mut map = map.clone();
                    map.insert(key.clone(), (**value).clone());
                    next.push(map);
                }
            }
            made = next;
        }
        Ok(made
            .into_iter()
            .map(|map| Cow::Owned(Json::Object(map)))
            .collect())
    }

    fn condition<'a>(
        &mut self,
        branches: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        input: Item<'a>,
    ) -> Items<'a> {
        for (test, then) in branches {
            if truth(&self.one(test, &input)?) {
                return self.eval(then, input);
            }
        }
        match otherwise {
            Some(otherwise) => self.eval(otherwise, input),
            None => Ok(vec![input]),
        }
    }
}

fn key_of<'a>(item: Item<'a>, key: &str) -> Result<Item<'a>, String> {
    match item {
        Cow::Borrowed(Json::Object(map)) => Ok(map.get(key).map_or(Cow::Owned(Json::Null), Cow::Borrowed)),
        Cow::Owned(Json::Object(mut map)) => Ok(Cow::Owned(map.remove(key).unwrap_or_default())),
        other if other.is_null() => Ok(other),
        other => Err(format!("{key:?} cannot be looked up in {}", kind(&other))),
    }
}

fn index_of(item: Item<'_>, at: f64) -> Result<Item<'_>, String> {
    let place = |length: usize| {
        let at = if at < 0.0 { at + length as f64 } else { at };
        (at >= 0.0 && at < length as f64).then_some(at as usize)
    };
    match item {
        Cow::Borrowed(Json::Array(items)) => {
            let found = place(items.len()).and_then(|at| items.get(at));
            Ok(found.map_or(Cow::Owned(Json::Null), Cow::Borrowed))
        }
        Cow::Owned(Json::Array(mut items)) => Ok(Cow::Owned(
            place(items.len())
                .map(|at| items.swap_remove(at))
                .unwrap_or_default(),
        )),
        other if other.is_null() => Ok(other),
        other => Err(format!("{} has no entry number {at}", kind(&other))),
    }
}

fn each(item: Item<'_>) -> Items<'_> {
    match item {
        Cow::Borrowed(Json::Array(items)) => Ok(items.iter().map(Cow::Borrowed).collect()),
        Cow::Borrowed(Json::Object(map)) => Ok(map.values().map(Cow::Borrowed).collect()),
        Cow::Owned(Json::Array(items)) => Ok(items.into_iter().map(Cow::Owned).collect()),
        Cow::Owned(Json::Object(map)) => Ok(map.into_iter().map(|(_, value)| Cow::Owned(value)).collect()),
        other => Err(format!("{} has no entries to go through", kind(&other))),
    }
}
