//! Cutting documents into chunks, and links out of pages.

mod character;
mod html_links;
mod language;
mod natural_language;
mod recursive;
mod splitting;

use std::sync::Arc;

use ferro_engine::Component;

pub(crate) fn all() -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(character::CharacterTextSplitter),
        Arc::new(html_links::HtmlLinkExtractor),
        Arc::new(language::LanguageRecursiveTextSplitter),
        Arc::new(natural_language::NaturalLanguageTextSplitter),
        Arc::new(recursive::RecursiveCharacterTextSplitter),
    ]
}
