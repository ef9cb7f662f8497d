//! A person's files of the assistant, for the person.

use ferro_assistant::{FileError, Sandbox};

use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;

/// The largest that is shown or sent.
const MOST: u64 = 1 << 20;

pub async fn read_file(app: &App, actor: &Actor, path: String) -> Result<Vec<u8>> {
    let folder = app.files.workspace(actor.user.id).map_err(AppError::io)?;
    let read = move || {
        let sandbox = Sandbox::open(folder).map_err(AppError::io)?;
        sandbox.read_bytes(&path, MOST).map_err(told)
    };
    tokio::task::spawn_blocking(read)
        .await
        .map_err(AppError::internal)?
}

fn told(error: FileError) -> AppError {
    match error {
        FileError::BadPath { .. } | FileError::Unfit(_) => AppError::bad_request(error.to_string()),
        FileError::NotThere { .. } => AppError::not_found("file"),
        FileError::TooLarge { most, .. } => AppError::too_large("file", most),
        FileError::Binary { .. } => AppError::not_text(),
        FileError::Full(_) | FileError::Disk { .. } => AppError::internal(error),
    }
}
