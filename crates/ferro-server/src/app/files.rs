//! A person's files.

use axum::body::Bytes;
use ferro_store::{File, FileId, NewFile};
use futures_util::{Stream, StreamExt as _, pin_mut};

use crate::{
    app::archive::unique,
    error::{AppError, Result},
    files::{check_reserved, mime_type, safe_name},
    http::identity::Actor,
    state::App,
};

/// Streams a file to disk; it exists for the person only when all of it is there.
pub async fn create_file(
    app: &App,
    actor: &Actor,
    name: &str,
    bytes: impl Stream<Item = Result<Bytes>>,
) -> Result<File> {
    check_reserved(name)?;
    let mut incoming = app.files.begin(app.config.max_upload()).await?;
    pin_mut!(bytes);
    while let Some(chunk) = bytes.next().await {
        incoming.write(&chunk?).await?;
    }
    let (id, size) = app.files.keep(actor.user.id, incoming).await?;
    let name = safe_name(name);
    let new = NewFile {
        id,
        mime_type: mime_type(&name).to_owned(),
        name,
        size: i64::try_from(size).unwrap_or(i64::MAX),
    };
    match app.store.create_file(&actor.principal(), new).await {
        Ok(file) => Ok(file),
        Err(error) => {
            app.files.remove(actor.user.id, id).await;
            Err(error.into())
        }
    }
}

pub async fn rename_file(app: &App, actor: &Actor, id: FileId, name: &str) -> Result<File> {
    if name.trim().is_empty() {
        return Err(AppError::invalid("name", "must not be empty"));
    }
    check_reserved(name)?;
    let old = app.store.file(&actor.principal(), id).await?;
    let mut name = safe_name(name);
    // Langflow's clients rename without the extension.
    if let (None, Some((_, extension))) = (name.rsplit_once('.'), old.name.rsplit_once('.')) {
        name = format!("{name}.{extension}");
    }
    Ok(app.store.rename_file(&actor.principal(), id, name).await?)
}

pub async fn delete_files(app: &App, actor: &Actor, ids: Vec<FileId>) -> Result<()> {
    app.store.delete_files(&actor.principal(), ids.clone()).await?;
    for id in ids {
        app.files.remove(actor.user.id, id).await;
    }
    Ok(())
}

/// Several files as one zip, made in a temporary file so that memory stays small.
pub async fn zip_files(app: &App, actor: &Actor, ids: Vec<FileId>) -> Result<tokio::fs::File> {
    if ids.is_empty() {
        return Err(AppError::invalid("", "name at least one file"));
    }
    let mut wanted = Vec::with_capacity(ids.len());
    for id in ids {
        let file = app.store.file(&actor.principal(), id).await?;
        wanted.push((file.name, app.files.std_path(actor.user.id, id)));
    }
    let zipped = tokio::task::spawn_blocking(move || write_zip(wanted))
        .await
        .map_err(AppError::internal)??;
    Ok(tokio::fs::File::from_std(zipped))
}

fn write_zip(wanted: Vec<(String, std::path::PathBuf)>) -> Result<std::fs::File> {
    use std::io::Seek as _;
    let options = zip::write::SimpleFileOptions::default().large_file(true);
    let mut writer = zip::ZipWriter::new(tempfile::tempfile().map_err(AppError::io)?);
    let mut used = std::collections::HashSet::new();
    for (name, path) in wanted {
        writer
            .start_file(unique(&name, &mut used), options)
            .map_err(AppError::internal)?;
        let mut source = std::fs::File::open(path).map_err(AppError::io)?;
        std::io::copy(&mut source, &mut writer).map_err(AppError::io)?;
    }
    let mut file = writer.finish().map_err(AppError::internal)?;
    file.rewind().map_err(AppError::io)?;
    Ok(file)
}
