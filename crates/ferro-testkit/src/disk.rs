//! A disk of a few megabytes, to be filled.
#![allow(clippy::disallowed_types, reason = "mount and umount are programs")]

use std::{
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// A small file system of its own; gone with its content when it is dropped.
pub struct SmallDisk {
    folder: Option<TempDir>,
}

impl SmallDisk {
    /// `Err` says why there is none: mounting needs root.
    pub fn new(megabytes: u32) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "tmpfs"])
            .arg(folder.path())
            .stdin(Stdio::null())
            .output();
        match mounted {
            Ok(output) if output.status.success() => Ok(Self { folder: Some(folder) }),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Err(format!("mount: {error}")),
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.as_ref().unwrap().path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if let Some(folder) = self.folder.take() {
            // Lazily: a server that is just ending may hold a file open a moment longer.
            let _ = Command::new("umount").arg("--lazy").arg(folder.path()).status();
        }
    }
}
