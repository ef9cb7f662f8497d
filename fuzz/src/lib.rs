//! What each fuzz target does with the text it is given. A failed assertion is a finding.
//!
//! Refuses to know: anything but the public functions of the crates it feeds.
//! Read first: `README.md` (how to run a target) and `fuzz_targets/parse.rs` (what a target is).

mod plan;
mod templates;

pub use plan::plan;
pub use templates::templates;

use ferro_model::handle::{SourceHandle, TargetHandle, canonical_text};
use ferro_model::{
    Document, Edit, FlowData, Registry, apply, ascii, diff, layout, problems, read, strip_secrets, text_form,
    ungroup, upgrade,
};
use serde_json::Value;

/// Any text as a document: refused, or fit for every step there is.
pub fn parse(text: &str) {
    let Ok(flow) = FlowData::parse(text) else {
        return;
    };
    let registry = Registry::default();
    let (new, _) = upgrade(&flow, &registry);
    assert!(upgrade(&new, &registry).1.is_empty());
    problems(&new, &registry, None);
    let flat = ungroup(read(&new));
    layout::layout(&flat);
    ascii::draw(&flat);
    diff(&flow, &strip_secrets(&new).data);
    let mut document = Document::new(&new);
    let Some(node) = document.ids().first().cloned() else {
        return;
    };
    let mut ids = || "00000".to_owned();
    if let Ok(applied) = apply(&mut document, &registry, Edit::Remove { node }, &mut ids) {
        assert!(apply(&mut document, &registry, applied.inverse, &mut ids).is_ok());
    }
    assert_eq!(document.text(), new.as_str());
}

/// Any text as a spec.
pub fn spec(text: &str) {
    if let Ok(spec) = ferro_model::spec::parse(text) {
        let _ = ferro_model::spec::validate_references(&spec);
    }
    let mut next = 0u32;
    let mut ids = || {
        next += 1;
        format!("{next:05}")
    };
    let _ = ferro_model::spec::build_flow_from_spec(text, &Registry::default(), &mut ids);
}

/// Any text as a handle: what is read is written so that it reads the same.
pub fn handles(text: &str) {
    if let Ok(handle) = text.parse::<SourceHandle>() {
        assert_eq!(handle.to_string().parse(), Ok(handle));
    }
    if let Ok(handle) = text.parse::<TargetHandle>() {
        assert_eq!(handle.to_string().parse(), Ok(handle));
    }
    if let Some(canonical) = canonical_text(text) {
        assert_eq!(canonical_text(&canonical).as_ref(), Some(&canonical));
    }
}

/// Any text as JSON and as the text form: nothing is lost on the way there and back.
pub fn text_form(text: &str) {
    if let Ok(written) = text_form::format(text) {
        let back = text_form::parse(&written);
        assert_eq!(back.as_deref().map(text_form::format), Ok(Ok(written)));
        let value = |json: &str| serde_json::from_str::<Value>(json).ok();
        if let Ok(back) = &back {
            assert_eq!(value(text), value(back));
        }
    }
    if let Ok(json) = text_form::parse(text) {
        assert!(text_form::format(&json).is_ok());
    }
}
