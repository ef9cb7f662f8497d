//! Why a file was not read, written or searched. Every text is for the model and for people: no path outside the
//! person's own folder is in it.

use std::io;

/// What went wrong with a file of a person's folder.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// No path of this shape is ever taken, whatever is on disk.
    #[error("The path {path:?} cannot be used: {reason}")]
    BadPath { path: String, reason: &'static str },
    /// Nothing there, or nothing that may be reached: a link, a folder, a device.
    #[error("There is no file {path:?}{hint}")]
    NotThere { path: String, hint: &'static str },
    #[error("{path:?} is too large: {size} bytes, and at most {most} are taken")]
    TooLarge { path: String, size: u64, most: u64 },
    #[error("{path:?} is not a text file in UTF-8, so it cannot be shown or changed here")]
    Binary { path: String },
    /// The folder holds as much as it may.
    #[error("{0}")]
    Full(String),
    /// The request itself does not fit: a pattern, or the text to replace.
    #[error("{0}")]
    Unfit(String),
    #[error("{path:?} could not be {deed}; try again, and tell the operator if it goes on")]
    Disk {
        path: String,
        deed: &'static str,
        #[source]
        source: io::Error,
    },
}
