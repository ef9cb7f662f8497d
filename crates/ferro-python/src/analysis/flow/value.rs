//! What an expression may be, as far as the scan cares: modules and their attributes by dotted path, and known text.

use std::rc::Rc;

/// The local names as a dictionary, as `locals()` and `vars()` give it.
pub(super) const LOCALS: &str = "<locals>";
const LONGEST: usize = 512;
const MOST: usize = 24;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Path(Rc<str>),
    Text(Rc<str>),
}

/// Everything it may be that is worth knowing; without items nothing of interest is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Value {
    items: Vec<Item>,
    /// It may also be something that is not known.
    other: bool,
}

impl Value {
    pub(super) const NOTHING: Self = Self {
        items: Vec::new(),
        other: false,
    };

    pub(super) fn path(path: &str) -> Self {
        Self::of(path.len(), || Item::Path(path.into()))
    }

    pub(super) fn text(text: &str) -> Self {
        Self::of(text.len(), || Item::Text(text.into()))
    }

    fn of(length: usize, item: impl FnOnce() -> Item) -> Self {
        if length > LONGEST {
            Self::NOTHING
        } else {
            Self {
                items: vec![item()],
                other: false,
            }
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds what else was found about the same value.
    pub(super) fn add(&mut self, more: &Self) {
        self.other |= more.other;
        for item in &more.items {
            if self.items.contains(item) {
                continue;
            }
            // A path is never dropped; without a text the value is not known any more.
            if self.items.len() < MOST || matches!(item, Item::Path(_)) {
                self.items.push(item.clone());
            } else {
                self.other = true;
            }
        }
    }

    /// It is this or that: nothing known on one side means that it may be anything.
    pub(super) fn either(&mut self, that: &Self) {
        self.other |= self.is_nothing() || that.is_nothing();
        self.add(that);
    }

    #[must_use]
    pub(super) fn or(mut self, that: &Self) -> Self {
        self.either(that);
        self
    }

    #[must_use]
    pub(super) fn or_unknown(mut self) -> Self {
        self.other = true;
        self
    }

    /// Without its texts, which may grow for ever in a loop.
    pub(super) fn forget_texts(&mut self) {
        let before = self.items.len();
        self.items.retain(|item| matches!(item, Item::Path(_)));
        self.other |= self.items.len() < before;
    }

    pub(super) fn is_uncertain(&self) -> bool {
        self.other
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Rc<str>> {
        self.items.iter().filter_map(|item| match item {
            Item::Path(path) => Some(path),
            Item::Text(_) => None,
        })
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &Rc<str>> {
        self.items.iter().filter_map(|item| match item {
            Item::Text(text) => Some(text),
            Item::Path(_) => None,
        })
    }

    /// Its text when it can be nothing else.
    pub(super) fn only_text(&self) -> Option<&str> {
        match self.items.as_slice() {
            [Item::Text(text)] if !self.other => Some(text),
            _ => None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }
}
