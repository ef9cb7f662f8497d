//! Scopes and what their names may be. A scope that has run to its end holds, for each name, everything it ever was.

use super::super::rules;
use super::Flow;
use super::value::Value;
use ruff_text_size::TextRange;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

pub(super) type ScopeId = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Module,
    Class,
    Function,
    Comprehension,
}

/// What the names of one scope are at one point. `dead` after a `return` or `raise`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct State<'a> {
    pub(super) names: HashMap<&'a str, Value>,
    pub(super) dead: bool,
}

pub(super) struct Scope<'a> {
    pub(super) kind: Kind,
    pub(super) parent: Option<ScopeId>,
    pub(super) locals: HashSet<&'a str>,
    pub(super) globals: HashSet<&'a str>,
    pub(super) nonlocals: HashSet<&'a str>,
    pub(super) state: State<'a>,
    ever: HashMap<&'a str, Value>,
}

impl<'a> Flow<'a> {
    pub(super) fn open_scope(&mut self, kind: Kind, parent: Option<ScopeId>) -> ScopeId {
        self.step(20);
        self.scopes.push(Scope {
            kind,
            parent,
            locals: HashSet::new(),
            globals: HashSet::new(),
            nonlocals: HashSet::new(),
            state: State::default(),
            ever: HashMap::new(),
        });
        self.scopes.len() - 1
    }

    /// From now on its names are read by code that runs at some later time.
    pub(super) fn close_scope(&mut self, id: ScopeId) {
        let Some(scope) = self.scopes.get_mut(id) else {
            return;
        };
        let ever = std::mem::take(&mut scope.ever);
        for (name, value) in ever {
            let mut whole = match self.scopes.get(id).and_then(|scope| scope.state.names.get(name)) {
                Some(last) => last.clone(),
                None => self.outside_of(id, name),
            };
            whole.either(&value);
            self.put(id, name, whole);
        }
    }

    fn put(&mut self, id: ScopeId, name: &'a str, value: Value) {
        if let Some(scope) = self.scopes.get_mut(id) {
            scope.state.names.insert(name, value);
        }
    }

    pub(super) fn state(&self) -> State<'a> {
        self.scopes
            .get(self.current)
            .map(|scope| scope.state.clone())
            .unwrap_or_default()
    }

    pub(super) fn take_state(&mut self) -> State<'a> {
        let state = self.state();
        self.step(1 + state.names.len());
        state
    }

    pub(super) fn set_state(&mut self, state: State<'a>) {
        if let Some(scope) = self.scopes.get_mut(self.current) {
            scope.state = state;
        }
    }

    pub(super) fn kill(&mut self) {
        if let Some(scope) = self.scopes.get_mut(self.current) {
            scope.state.dead = true;
        }
    }

    /// Either of two ways may have been taken.
    pub(super) fn join(&mut self, a: State<'a>, b: State<'a>) -> State<'a> {
        self.step(a.names.len() + b.names.len());
        match (a.dead, b.dead) {
            (true, false) => return b,
            (false, true) => return a,
            _ => {}
        }
        let dead = a.dead && b.dead;
        let mut names = a.names;
        for (name, value) in &mut names {
            match b.names.get(name) {
                Some(other) => value.either(other),
                None => value.either(&self.outside_of(self.current, name)),
            }
        }
        for (name, value) in b.names {
            if !names.contains_key(name) {
                let outside = self.outside_of(self.current, name);
                names.insert(name, value.or(&outside));
            }
        }
        State { names, dead }
    }

    /// What a name is when the scope itself has not bound it.
    pub(super) fn outside_of(&self, id: ScopeId, name: &str) -> Value {
        let Some(scope) = self.scopes.get(id) else {
            return Value::NOTHING;
        };
        match scope.kind {
            _ if scope.locals.contains(name) => Value::NOTHING,
            Kind::Module => self.builtin(name),
            _ => scope.parent.map_or_else(
                || self.builtin(name),
                |parent| self.find_from(parent, name, false),
            ),
        }
    }

    fn builtin(&self, name: &str) -> Value {
        let mut value = Value::NOTHING;
        for star in &self.stars {
            if rules::attribute(star, name).is_some() || rules::import(&format!("{star}.{name}")).is_some() {
                value.add(&Value::path(&format!("{star}.{name}")));
            } else if star == "pathlib" && name.ends_with("Path") {
                value.add(&Value::path(&format!("pathlib.{name}")));
            }
        }
        if rules::known_builtin(name) {
            value.add(&Value::path(&format!("builtins.{name}")));
        }
        value
    }

    pub(super) fn find(&self, name: &str) -> Value {
        let value = self.find_from(self.current, name, true);
        match self.outside.get(name) {
            Some(outside) => {
                let mut value = value;
                value.add(outside);
                value
            }
            None => value,
        }
    }

    /// A class is seen only by the code directly in it.
    fn find_from(&self, from: ScopeId, name: &str, sees_class: bool) -> Value {
        let mut at = self.scopes.get(from);
        let mut sees_class = sees_class;
        while let Some(scope) = at {
            if scope.globals.contains(name) {
                return self.find_global(name);
            }
            if scope.kind != Kind::Class || sees_class {
                if let Some(value) = scope.state.names.get(name) {
                    return value.clone();
                }
                if scope.locals.contains(name) {
                    return Value::NOTHING;
                }
            }
            sees_class = false;
            at = scope.parent.and_then(|parent| self.scopes.get(parent));
        }
        self.builtin(name)
    }

    fn find_global(&self, name: &str) -> Value {
        let bound = self
            .scopes
            .first()
            .and_then(|module| module.state.names.get(name));
        bound.cloned().unwrap_or_else(|| self.builtin(name))
    }

    /// Gives a name a value in the scope that owns it.
    pub(super) fn bind(&mut self, name: &'a str, value: Value) {
        let mut id = self.current;
        while let Some(scope) = self.scopes.get(id) {
            match (scope.kind, scope.parent) {
                (Kind::Comprehension, Some(parent)) if !scope.locals.contains(name) => id = parent,
                _ => break,
            }
        }
        let Some(scope) = self.scopes.get(id) else { return };
        if scope.globals.contains(name) || scope.nonlocals.contains(name) {
            self.bind_outside(id, name, &value);
            return;
        }
        self.step(1 + value.len());
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.push((name, value.clone()));
        }
        let shadows = !value.is_nothing() || !self.outside_of(id, name).is_nothing();
        let Some(scope) = self.scopes.get_mut(id) else {
            return;
        };
        if shadows || scope.ever.contains_key(name) {
            match scope.ever.entry(name) {
                Entry::Occupied(mut ever) => ever.get_mut().either(&value),
                Entry::Vacant(ever) => drop(ever.insert(value.clone())),
            }
            scope.state.names.insert(name, value);
        }
    }

    /// As [`Flow::bind`], where the value stays reachable as an attribute if the scope is a class.
    pub(super) fn bind_visible(&mut self, name: &'a str, value: Value, range: TextRange) {
        if self
            .scopes
            .get(self.current)
            .is_some_and(|scope| scope.kind == Kind::Class)
        {
            self.escapes(&value, range);
        }
        self.bind(name, value);
    }

    fn bind_outside(&mut self, id: ScopeId, name: &'a str, value: &Value) {
        let mut owner = None;
        let mut at = self.scopes.get(id).and_then(|scope| scope.parent);
        while let Some(scope) = at.and_then(|at| self.scopes.get(at)) {
            if scope.kind == Kind::Module || (scope.kind == Kind::Function && scope.locals.contains(name)) {
                owner = at;
                break;
            }
            at = scope.parent;
        }
        let Some(owner) = owner else { return };
        let bound = self
            .scopes
            .get(owner)
            .and_then(|scope| scope.state.names.get(name))
            .cloned();
        let whole = bound.unwrap_or_else(|| self.outside_of(owner, name));
        if whole.is_nothing() && value.is_nothing() {
            return;
        }
        let known = self
            .outside
            .entry(name)
            .or_insert_with(|| Value::NOTHING.or_unknown());
        let before = known.len();
        known.add(value);
        self.widened |= known.len() > before || !whole.is_uncertain();
        self.put(owner, name, whole.or(value).or_unknown());
    }

    pub(super) fn unbind(&mut self, name: &'a str) {
        if let Some(scope) = self.scopes.get_mut(self.current) {
            scope.state.names.remove(name);
        }
    }

    /// Whether the names of the running scope hold a restricted module, so that a computed name may find it.
    pub(super) fn holds_restricted(&self) -> bool {
        self.scopes.get(self.current).is_some_and(|scope| {
            scope
                .state
                .names
                .values()
                .any(|value| value.paths().any(|path| rules::is_restricted(path)))
        })
    }
}
