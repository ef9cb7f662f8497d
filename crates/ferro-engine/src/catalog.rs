//! `Catalog`: every component that can run here, with its descriptor.

use std::collections::HashMap;
use std::sync::Arc;

use ferro_model::{Descriptor, Registry};

use crate::component::Component;
use crate::own_code::OwnCode;

pub struct Catalog {
    registry: Arc<Registry>,
    components: HashMap<String, Entry>,
    own_code: Option<Arc<dyn OwnCode>>,
}

#[derive(Clone)]
pub struct Entry {
    pub component: Arc<dyn Component>,
    pub descriptor: Arc<Descriptor>,
}

impl Catalog {
    pub fn new(components: impl IntoIterator<Item = Arc<dyn Component>>) -> Self {
        let entries = components.into_iter().map(|component| Entry {
            descriptor: Arc::new(component.descriptor()),
            component,
        });
        let components: HashMap<_, _> = entries
            .map(|entry| (entry.descriptor.r#type.clone(), entry))
            .collect();
        let registry = Registry::new(components.values().map(|entry| Arc::clone(&entry.descriptor)));
        Self {
            registry: Arc::new(registry),
            components,
            own_code: None,
        }
    }

    /// Nodes with Python of their own can run, too.
    #[must_use]
    pub fn with_own_code(mut self, own_code: Arc<dyn OwnCode>) -> Self {
        self.own_code = Some(own_code);
        self
    }

    pub fn own_code(&self) -> Option<&Arc<dyn OwnCode>> {
        self.own_code.as_ref()
    }

    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// By type or alias.
    pub fn get(&self, r#type: &str) -> Option<&Entry> {
        self.components.get(self.registry.canonical(r#type)?)
    }
}
