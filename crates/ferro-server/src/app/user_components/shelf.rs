//! What files of components were found to be, so that a worker looks at each only once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde_json::Value as Json;

use crate::app::runs::live::Recent;

const ROOM: usize = 512;

/// A fresh node of it, or why there is none.
pub(super) type Looked = Result<Arc<Json>, String>;

/// A file as it was when it was found.
pub(super) struct Kept {
    pub class_name: String,
    pub path: PathBuf,
    pub modified: SystemTime,
    pub size: u64,
}

impl Kept {
    /// `None` when it is gone, or no file.
    pub async fn at(folder: &Path, class: &str) -> Option<Self> {
        let path = folder.join(format!("{class}.py"));
        let metadata = tokio::fs::symlink_metadata(&path).await.ok()?;
        metadata.is_file().then(|| Self {
            class_name: class.to_owned(),
            path,
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            size: metadata.len(),
        })
    }
}

/// By path. An entry counts while the file has the time and the size it had.
pub struct Shelf(Mutex<Recent<PathBuf, (SystemTime, u64, Looked)>>);

impl Default for Shelf {
    fn default() -> Self {
        Self(Mutex::new(Recent::new(ROOM)))
    }
}

impl Shelf {
    pub(super) fn get(&self, file: &Kept) -> Option<Looked> {
        let (modified, size, looked) = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&file.path)?;
        (modified == file.modified && size == file.size).then_some(looked)
    }

    pub(super) fn put(&self, file: &Kept, looked: Looked) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.put(file.path.clone(), (file.modified, file.size, looked));
    }

    pub(super) fn forget(&self, path: &Path) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.remove(&path.to_owned());
    }
}
