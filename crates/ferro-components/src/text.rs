//! What several components share: templates, splitting, patterns, loose JSON, queries, and the reading of fields.

pub(crate) mod fields;
pub(crate) mod loose;
pub(crate) mod pattern;
pub(crate) mod query;
pub(crate) mod show;
pub(crate) mod split;
pub(crate) mod tabular;
pub(crate) mod template;
