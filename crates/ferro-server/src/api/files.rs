//! A person's files.

use axum::{
    Json as Answer,
    body::{Body, Bytes},
    extract::{
        Multipart, State,
        multipart::{Field, MultipartError},
    },
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use ferro_store::{File, FileId, Timestamp};
use futures_util::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use tokio_util::io::ReaderStream;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    api::{AppState, Done, download, flows::schema::Upload},
    app::files,
    error::{AppError, ErrorBody, Result},
    http::{
        extract::{self, Json, Path, Query},
        identity::Actor,
    },
};

const MAX_PARTS: usize = 32;

#[derive(Serialize, ToSchema)]
pub struct FileRead {
    pub id: Uuid,
    pub name: String,
    /// What flows refer to it by.
    pub path: String,
    pub size: i64,
    pub mime_type: String,
    /// Always null; Langflow's clients look for it.
    pub provider: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

impl From<File> for FileRead {
    fn from(file: File) -> Self {
        Self {
            id: file.id.0,
            path: format!("{}/{}", file.user_id, file.id),
            name: file.name,
            size: file.size,
            mime_type: file.mime_type,
            provider: None,
            created_at: file.created_at,
            updated_at: file.updated_at,
        }
    }
}

/// Every file of an upload, in memory, within one limit. For imports, which are read as a whole.
pub async fn uploads(mut multipart: Multipart, limit: u64) -> Result<Vec<(String, Bytes)>> {
    let mut files = Vec::new();
    let mut room = limit;
    let mut parts = 0;
    while let Some(field) = next_part(&mut multipart, &mut parts).await? {
        let name = field
            .file_name()
            .map(str::to_owned)
            .unwrap_or_else(|| "upload.json".to_owned());
        let mut bytes = Vec::new();
        let mut field = field;
        while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
            room = room
                .checked_sub(chunk.len() as u64)
                .ok_or_else(|| AppError::too_large("upload", limit))?;
            bytes.extend_from_slice(&chunk);
        }
        files.push((name, Bytes::from(bytes)));
    }
    if files.is_empty() {
        return Err(AppError::invalid(
            "file",
            "is missing; send a file as multipart/form-data",
        ));
    }
    Ok(files)
}

pub(super) async fn next_part<'a>(
    multipart: &'a mut Multipart,
    parts: &mut usize,
) -> Result<Option<Field<'a>>> {
    *parts += 1;
    if *parts > MAX_PARTS {
        return Err(AppError::invalid(
            "file",
            format!("send at most {MAX_PARTS} parts at once"),
        ));
    }
    multipart.next_field().await.map_err(|error| broken(&error))
}

pub(super) fn broken(error: &MultipartError) -> AppError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return AppError::too_large("upload", 0);
    }
    AppError::unreadable("The upload broke off, or is not multipart/form-data.")
}

/// One's files, the newest first.
#[utoipa::path(get, path = "/api/v2/files", tag = "files", responses((status = 200, body = Vec<FileRead>)))]
pub async fn list_files(State(app): AppState, actor: Actor) -> Result<Answer<Vec<FileRead>>> {
    let files = app.store.files(&actor.principal()).await?;
    Ok(Answer(files.into_iter().map(FileRead::from).collect()))
}

/// Upload a file. It is streamed to disk and exists when all of it has arrived.
#[utoipa::path(post, path = "/api/v2/files", tag = "files", request_body(content = Upload, content_type = "multipart/form-data"),
    responses((status = 201, body = FileRead), (status = 413, body = ErrorBody), (status = 507, body = ErrorBody)))]
pub async fn create_file(
    State(app): AppState,
    actor: Actor,
    extract::Multipart(mut multipart): extract::Multipart,
) -> Result<(StatusCode, Answer<FileRead>)> {
    let mut parts = 0;
    while let Some(field) = next_part(&mut multipart, &mut parts).await? {
        let Some(name) = field.file_name().map(str::to_owned) else {
            continue;
        };
        let bytes = field.map_err(|error| broken(&error));
        let file = files::create_file(&app, &actor, &name, bytes).await?;
        return Ok((StatusCode::CREATED, Answer(file.into())));
    }
    Err(AppError::invalid(
        "file",
        "is missing; send a file as multipart/form-data",
    ))
}

/// Where a file went that was uploaded for a flow.
#[derive(Serialize, ToSchema)]
pub struct FlowUpload {
    #[serde(rename = "flowId")]
    pub flow_id: Uuid,
    /// To be given as a file of a run, or as the value of a file field.
    pub file_path: String,
}

/// Upload a file for a flow, as Langflow's first API has it. It becomes one of one's files.
#[utoipa::path(post, path = "/api/v1/files/upload/{flow_id}", tag = "files", params(("flow_id" = Uuid, Path)),
    request_body(content = Upload, content_type = "multipart/form-data"),
    responses((status = 201, body = FlowUpload), (status = 404, body = ErrorBody), (status = 413, body = ErrorBody)))]
pub async fn upload_flow_file(
    State(app): AppState,
    actor: Actor,
    Path(flow_id): Path<ferro_store::FlowId>,
    multipart: extract::Multipart,
) -> Result<(StatusCode, Answer<FlowUpload>)> {
    app.store.flow_header(&actor.principal(), flow_id).await?;
    let (_, Answer(file)) = create_file(State(app), actor, multipart).await?;
    let upload = FlowUpload {
        flow_id: flow_id.0,
        file_path: file.path,
    };
    Ok((StatusCode::CREATED, Answer(upload)))
}

/// Download a file.
#[utoipa::path(get, path = "/api/v2/files/{file_id}", tag = "files", params(("file_id" = Uuid, Path)),
    responses((status = 200, description = "the bytes", content((Vec<u8> = "application/octet-stream"))), (status = 404, body = ErrorBody)))]
pub async fn read_file(State(app): AppState, actor: Actor, Path(id): Path<FileId>) -> Result<Response> {
    let file = app.store.file(&actor.principal(), id).await?;
    let bytes = app.files.read(actor.user.id, id).await?;
    let mut response = download(
        &file.name,
        &file.mime_type,
        Body::from_stream(ReaderStream::with_capacity(bytes, 64 << 10)),
    );
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, HeaderValue::from(file.size));
    Ok(response)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Rename {
    /// Without an extension, the old one is kept.
    pub name: String,
}

/// Rename a file.
#[utoipa::path(put, path = "/api/v2/files/{file_id}", tag = "files", params(("file_id" = Uuid, Path), Rename),
    responses((status = 200, body = FileRead), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn rename_file(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<FileId>,
    Query(query): Query<Rename>,
) -> Result<Answer<FileRead>> {
    Ok(Answer(
        files::rename_file(&app, &actor, id, &query.name).await?.into(),
    ))
}

/// Delete a file.
#[utoipa::path(delete, path = "/api/v2/files/{file_id}", tag = "files", params(("file_id" = Uuid, Path)),
    responses((status = 200, body = Done), (status = 404, body = ErrorBody)))]
pub async fn delete_file(State(app): AppState, actor: Actor, Path(id): Path<FileId>) -> Result<Answer<Done>> {
    files::delete_files(&app, &actor, vec![id]).await?;
    Ok(Answer(Done {
        message: "The file is deleted.".to_owned(),
    }))
}

/// All of them.
#[utoipa::path(delete, path = "/api/v2/files", tag = "files", responses((status = 200, body = Done)))]
pub async fn delete_files(State(app): AppState, actor: Actor) -> Result<Answer<Done>> {
    let ids: Vec<_> = app
        .store
        .files(&actor.principal())
        .await?
        .into_iter()
        .map(|file| file.id)
        .collect();
    let count = ids.len();
    files::delete_files(&app, &actor, ids).await?;
    Ok(Answer(Done {
        message: format!("{count} files are deleted."),
    }))
}

/// Several as a zip.
#[utoipa::path(post, path = "/api/v2/files/batch", tag = "files", request_body = Vec<Uuid>,
    responses((status = 200, description = "the zip", content((Vec<u8> = "application/zip"))), (status = 404, body = ErrorBody)))]
pub async fn download_files(
    State(app): AppState,
    actor: Actor,
    Json(ids): Json<Vec<FileId>>,
) -> Result<Response> {
    let zip = files::zip_files(&app, &actor, ids).await?;
    Ok(download(
        "files.zip",
        "application/zip",
        Body::from_stream(ReaderStream::with_capacity(zip, 64 << 10)),
    ))
}

/// Delete several files, all or none.
#[utoipa::path(delete, path = "/api/v2/files/batch", tag = "files", request_body = Vec<Uuid>,
    responses((status = 200, body = Done), (status = 404, body = ErrorBody)))]
pub async fn delete_file_batch(
    State(app): AppState,
    actor: Actor,
    Json(ids): Json<Vec<FileId>>,
) -> Result<Answer<Done>> {
    let count = ids.len();
    files::delete_files(&app, &actor, ids).await?;
    Ok(Answer(Done {
        message: format!("{count} files are deleted."),
    }))
}
