//! Components that read and write a person's files.

mod directory;
mod paths;
mod read_file;
mod write_file;

use std::sync::Arc;

use ferro_engine::Component;

pub(crate) use paths::paths_in;

pub(crate) fn all() -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(read_file::ReadFile),
        Arc::new(write_file::WriteFile),
        Arc::new(directory::Directory),
    ]
}
