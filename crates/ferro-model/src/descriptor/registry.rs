//! The component types there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Descriptor;

/// Every component type there is, by type and by alias.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    by_type: BTreeMap<String, Arc<Descriptor>>,
    aliases: BTreeMap<String, String>,
}

impl Registry {
    pub fn new(descriptors: impl IntoIterator<Item = Arc<Descriptor>>) -> Self {
        let mut registry = Self::default();
        for descriptor in descriptors {
            for alias in &descriptor.aliases {
                registry.aliases.insert(alias.clone(), descriptor.r#type.clone());
            }
            registry.by_type.insert(descriptor.r#type.clone(), descriptor);
        }
        registry
    }

    /// The key a saved `data.type` stands for: aliases, and extensions written `ext:<bundle>:<Class>@<slot>`, led back to it.
    pub fn canonical<'a>(&'a self, r#type: &'a str) -> Option<&'a str> {
        if self.by_type.contains_key(r#type) {
            return Some(r#type);
        }
        if let Some(known) = self.aliases.get(r#type) {
            return Some(known);
        }
        let class = r#type.strip_prefix("ext:")?.split_once(':')?.1;
        let class = class.split_once('@').map_or(class, |(class, _)| class);
        let bare = class.strip_suffix("Component").unwrap_or(class);
        [class, bare]
            .into_iter()
            .find(|name| self.by_type.contains_key(*name))
    }

    pub fn get(&self, r#type: &str) -> Option<&Arc<Descriptor>> {
        self.by_type.get(self.canonical(r#type)?)
    }

    /// As [`Registry::get`], but not for types whose nodes are what their own code says.
    pub fn get_alike(&self, r#type: &str) -> Option<&Arc<Descriptor>> {
        self.get(r#type).filter(|known| !known.by_code)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<Descriptor>> {
        self.by_type.values()
    }
}
