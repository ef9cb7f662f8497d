//! Answers from the documentation that ships with the server: found by words, shown as short passages with their place.
//!
//! The pages are part of the binary, so search needs neither a disk nor a network; what the help pages of components
//! say is added from the registry, which knows a person's own ones as well.

mod excerpt;
mod index;
mod pages;
mod split;
mod tool;
mod words;

#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use ferro_model::Registry;

use index::Index;
pub(crate) use tool::tool;

/// Characters of a passage at most.
const LONGEST_PASSAGE: usize = 800;

/// A piece of documentation that has to do with a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Of the page.
    pub(crate) title: String,
    /// Below `docs/`, with the heading after a `#`; `components/<type>` for a component's help.
    pub(crate) path: String,
    pub(crate) heading: String,
    pub(crate) text: String,
}

static SHIPPED: LazyLock<Index> = LazyLock::new(|| Index::new(pages::shipped()));

/// The help pages of the components of the last registry that was searched: most people have no components of their own
/// and share one.
static COMPONENTS: Mutex<Option<(Weak<Registry>, Arc<Index>)>> = Mutex::new(None);

/// The best passages for a question in English, best first: of the shipped pages, and of the help pages of the
/// components there are. Nothing when nothing fits. Takes milliseconds of work: not for where nothing may block.
pub(crate) fn search(registry: &Arc<Registry>, query: &str, limit: usize) -> Vec<Passage> {
    index::search(&[&SHIPPED, &of_components(registry)], query, limit)
}

fn of_components(registry: &Arc<Registry>) -> Arc<Index> {
    let known = || COMPONENTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, index)) = &*known()
        && of.as_ptr() == Arc::as_ptr(registry)
        && of.strong_count() > 0
    {
        return Arc::clone(index);
    }
    let index = Arc::new(Index::new(pages::components(registry)));
    *known() = Some((Arc::downgrade(registry), Arc::clone(&index)));
    index
}
