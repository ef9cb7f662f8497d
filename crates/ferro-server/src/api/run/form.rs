//! A run asked for with a form: the fields of the JSON body one by one, and files along with them.

use axum::extract::{FromRequest as _, Request, multipart::Field};
use axum::http::{HeaderMap, header};
use futures_util::TryStreamExt as _;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use utoipa::ToSchema;

use super::RunBody;
use crate::api::files::{broken, next_part};
use crate::app::files;
use crate::error::{AppError, Result};
use crate::http::extract::{JSON_LIMIT, Multipart, parse};
use crate::http::identity::Actor;
use crate::state::App;

/// The fields of the JSON body, each as text.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described here: its parts are read as they come")]
pub struct RunForm {
    input_value: Option<String>,
    /// `chat`, `text` or `any`.
    input_type: Option<String>,
    /// `chat`, `text`, `any` or `debug`.
    output_type: Option<String>,
    output_component: Option<String>,
    session_id: Option<String>,
    /// A JSON object.
    tweaks: Option<String>,
    /// Paths of uploaded files, one in each field of this name.
    files: Option<Vec<String>>,
    /// Files, in any field: they become one's files and go with the input.
    #[schema(value_type = Option<String>, format = Binary)]
    file: Option<Vec<u8>>,
}

pub(super) fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.to_ascii_lowercase().starts_with("multipart/form-data"))
}

/// Fields it does not know are not looked at, as in the JSON body.
pub(super) async fn read_form(app: &App, actor: &Actor, request: Request) -> Result<RunBody> {
    let Multipart(mut multipart) = Multipart::from_request(request, &()).await?;
    let mut body = RunBody::default();
    let (mut parts, mut room) = (0, JSON_LIMIT);
    while let Some(field) = next_part(&mut multipart, &mut parts).await? {
        if let Some(name) = field.file_name().map(str::to_owned) {
            let bytes = field.map_err(|error| broken(&error));
            let file = files::create_file(app, actor, &name, bytes).await?;
            let path = format!("{}/{}", file.user_id, file.id);
            body.files.get_or_insert_default().push(path);
            continue;
        }
        let name = field.name().unwrap_or_default().to_owned();
        let text = text_of(field, &name, &mut room).await?;
        match name.as_str() {
            "input_value" => body.input_value = Some(text),
            "input_type" => body.input_type = member(&name, Json::String(text))?,
            "output_type" => body.output_type = Some(text),
            "output_component" => body.output_component = Some(text),
            "session_id" => body.session_id = Some(text),
            "files" if !text.is_empty() => body.files.get_or_insert_default().push(text),
            "tweaks" if !text.trim().is_empty() => {
                let tweaks = parse::<Json>(text.as_bytes())
                    .map_err(|_| AppError::invalid("tweaks", "must be a JSON object"))?;
                body.tweaks = Some(member(&name, tweaks)?);
            }
            _ => {}
        }
    }
    Ok(body)
}

async fn text_of(mut field: Field<'_>, name: &str, room: &mut usize) -> Result<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        *room = room
            .checked_sub(chunk.len())
            .ok_or_else(|| AppError::too_large("request", JSON_LIMIT as u64))?;
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| AppError::invalid(name, "must be UTF-8 text"))
}

fn member<T: DeserializeOwned>(name: &str, value: Json) -> Result<T> {
    serde_json::from_value(value).map_err(|error| AppError::invalid(name, error.to_string()))
}
