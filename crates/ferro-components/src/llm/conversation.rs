//! Messages of a flow as a model is told of them, with the images and documents that belong to them.

use ferro_engine::{Call, Failure, Message, MessageQuery, Sender};
use ferro_llm::{ChatMessage, Media, Part, Role};

use crate::wait::unless_stopped;

/// Larger files are not sent to a model.
const MAX_FILE: usize = 20 * 1024 * 1024;
/// So many files of one message at most.
const MAX_FILES: usize = 16;

/// What somebody said, without its files.
fn said(message: &Message) -> ChatMessage {
    let role = match message.sender {
        Sender::User => Role::User,
        Sender::Machine => Role::Assistant,
    };
    ChatMessage::new(role, message.text.clone())
}

/// A message with its files read: images and documents as such, plain text as text.
pub(crate) async fn attached(call: &Call, message: &Message) -> Result<Vec<Part>, Failure> {
    let mut parts = Vec::new();
    if message.files.len() > MAX_FILES {
        return Err(Failure::limit(format!(
            "{} files came with the message, and a model is sent {MAX_FILES} at most",
            message.files.len()
        ))
        .advice("Send fewer, or read them with Read File first."));
    }
    for path in &message.files {
        let file = unless_stopped(&call.cx, call.cx.host.read_file(path)).await?;
        if file.bytes.len() > MAX_FILE {
            return Err(Failure::limit(format!(
                "the file `{}` is larger than the 20 MB a model is sent",
                file.name
            ))
            .advice("Send a smaller one, or read it with Read File first."));
        }
        let mime = mime_of(&file.bytes);
        let media = |bytes: Vec<u8>| Media {
            mime: mime.to_owned(),
            name: file.name.clone(),
            bytes: bytes.into(),
        };
        if mime.starts_with("image/") {
            parts.push(Part::Image(media(file.bytes)));
        } else if mime == "application/pdf" {
            parts.push(Part::File(media(file.bytes)));
        } else if let Ok(text) = String::from_utf8(file.bytes) {
            parts.push(Part::Text(format!("File {}:\n{text}", file.name)));
        } else {
            return Err(Failure::input(
                "files",
                format!(
                    "`{}` is neither an image, a PDF nor text, so a model cannot be sent it",
                    file.name
                ),
            )
            .advice("Read it with Read File and wire in the text."));
        }
    }
    if !message.text.is_empty() || parts.is_empty() {
        parts.push(Part::Text(message.text.clone()));
    }
    Ok(parts)
}

/// By its first bytes: what a file is called proves nothing.
fn mime_of(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', ..] => "image/gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [b'%', b'P', b'D', b'F', ..] => "application/pdf",
        _ => "text/plain",
    }
}

/// Earlier messages of this session, oldest first, without the one that is being answered.
pub(crate) async fn history(call: &Call, current: Option<&Message>) -> Result<Vec<ChatMessage>, Failure> {
    let limit = call.int("n_messages")?.unwrap_or(100);
    let Some(limit) = usize::try_from(limit).ok().filter(|limit| *limit > 0) else {
        return Ok(Vec::new());
    };
    let session = &call.cx.run.session_id;
    if session.is_empty() {
        return Ok(Vec::new());
    }
    let query = MessageQuery {
        session_id: session.clone(),
        context_id: Some(call.text("context_id")).filter(|id| !id.is_empty()),
        // Besides the question, the answer may be there already, still empty.
        limit: Some(limit.saturating_add(2)),
        ..MessageQuery::default()
    };
    let mut messages = unless_stopped(&call.cx, call.cx.host.messages(query)).await?;
    if let Some(current) = current {
        messages.retain(|message| message.id.is_none() || message.id != current.id);
    }
    messages.retain(|message| !message.error && !message.text.is_empty());
    let start = messages.len().saturating_sub(limit);
    Ok(messages[start..].iter().map(said).collect())
}
