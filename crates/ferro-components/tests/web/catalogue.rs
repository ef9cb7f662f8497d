//! What every component must have, whoever wrote it.

use std::collections::BTreeSet;

use crate::support::components;

#[test]
fn every_component_explains_itself() {
    let mut seen = BTreeSet::new();
    for component in components(&[]) {
        let descriptor = component.descriptor();
        let name = &descriptor.r#type;
        assert!(seen.insert(name.clone()), "{name} is there twice");
        let lines = descriptor.help.lines().count();
        assert!(
            (6..=40).contains(&lines),
            "{name} has a help page of {lines} lines"
        );
        assert!(
            !descriptor.description.is_empty() && !descriptor.category.is_empty(),
            "{name}"
        );
        assert!(descriptor.icon != "box", "{name} has no icon");
        let fields: BTreeSet<_> = descriptor.fields.iter().map(|field| &field.name).collect();
        assert_eq!(fields.len(), descriptor.fields.len(), "{name} has a field twice");
    }
}
