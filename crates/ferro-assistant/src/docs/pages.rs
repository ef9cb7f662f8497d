//! Which pages there are, and how much each has to say to somebody who uses the product.

use ferro_model::Registry;

use super::split::{Section, split};

/// A page, its text, and its weight: for a newcomer's question a guide is a better answer than the architecture.
struct Page(&'static str, &'static str, f64);

macro_rules! page {
    ($path:literal, $weight:literal) => {
        Page($path, include_str!(concat!("../../../../docs/", $path)), $weight)
    };
}

/// A list and not a search of the folder: cargo then knows what to build anew. A test notices a page that is missing.
const PAGES: &[Page] = &[
    page!("guides/building-flows.md", 1.0),
    page!("guides/running-flows.md", 1.0),
    page!("guides/assistant.md", 1.0),
    page!("guides/playground.md", 1.0),
    page!("guides/sharing.md", 1.0),
    page!("guides/models.md", 1.0),
    page!("guides/python-components.md", 1.0),
    page!("guides/adding-a-component.md", 0.6),
    page!("guides/adding-a-provider.md", 0.6),
    page!("guides/adding-an-endpoint.md", 0.6),
    page!("API.md", 0.8),
    page!("OPERATIONS.md", 0.85),
    page!("PYTHON.md", 0.75),
    page!("GLOSSARY.md", 0.7),
    page!("ARCHITECTURE.md", 0.5),
    page!("THREAT_MODEL.md", 0.5),
    Page("README.md", include_str!("../../../../README.md"), 0.75),
];

/// A component's page answers what it does, and little else.
const HELP_WEIGHT: f64 = 0.9;

pub(super) fn shipped() -> Vec<Section> {
    PAGES
        .iter()
        .flat_map(|Page(path, text, weight)| split(path, text, *weight))
        .collect()
}

/// One section for each component that is not old.
pub(super) fn components(registry: &Registry) -> Vec<Section> {
    let current = registry.iter().filter(|component| !component.legacy);
    current
        .map(|component| {
            let body = format!("{}\n\n{}", component.description, component.help);
            Section::new(
                format!("{} component", component.display_name),
                component.display_name.clone(),
                format!("components/{}", component.r#type),
                &body,
                HELP_WEIGHT,
            )
        })
        .collect()
}

#[cfg(test)]
pub(super) fn listed() -> Vec<&'static str> {
    PAGES.iter().map(|Page(path, ..)| *path).collect()
}
