//! What components may ask of the server, for the person whose run it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferro_engine::{
    Cause, Failure, FileContent, FileEntry, FlowAnswer, FlowCall, Host, Message, MessageQuery, Outputs,
    Sender, SqlRequest, Table, Variable, WriteMode,
};
use ferro_store::{
    FileId, FlowId, NewFile, NewestFilter, Principal, RunId, StoreError, UserId, VariableValue,
};
use futures_util::future::BoxFuture;
use tokio::io::AsyncReadExt as _;

use super::request::Visit;
use super::sql;
use crate::app::models;
use crate::error::AppError;
use crate::files::{RESERVED_REFUSAL, is_reserved, mime_type, safe_name};
use crate::state::App;

/// A flow inside a flow inside a flow: this deep and no deeper.
const MAX_NESTING: usize = 10;
/// The largest file a component may read whole.
const MAX_READ: u64 = 256 << 20;

pub struct ServerHost {
    pub app: Arc<App>,
    pub owner: Principal,
    pub user_id: UserId,
    pub flow_id: FlowId,
    /// Whose run it is when a visitor asked for it: what was said is looked up among theirs.
    pub visit: Option<Visit>,
    /// Of a run that is written down.
    pub conversation: Option<Conversation>,
    pub globals: BTreeMap<String, String>,
    /// Given with the request of a run that was resumed: not known any more.
    pub lost_globals: Vec<String>,
}

/// The session a run talks in, as it was called when the run began.
pub struct Conversation {
    pub run_id: RunId,
    pub session_id: String,
}

impl ServerHost {
    /// What a session is called now: the run's own may have been renamed since it began.
    async fn session_now(&self, asked: String) -> Result<String, Failure> {
        match &self.conversation {
            Some(own) if own.session_id == asked => {
                match self.app.store.run(&self.owner, own.run_id).await {
                    Ok(run) => Ok(run.session_id),
                    // Not written down yet.
                    Err(StoreError::NotFound(_)) => Ok(asked),
                    Err(error) => Err(storage(error)),
                }
            }
            _ => Ok(asked),
        }
    }

    /// Whose messages the run knows, and under which flow they are kept.
    fn talk(&self) -> (Principal, FlowId) {
        match self.visit {
            None => (self.owner, self.flow_id),
            Some(visit) => (visit.speaker(self.owner), visit.flow_id),
        }
    }

    async fn find_variable(&self, name: &str) -> Result<Option<Variable>, Failure> {
        if let Some(value) = self.globals.get(name) {
            return Ok(Some(Variable {
                value: value.clone(),
                secret: false,
            }));
        }
        if self.lost_globals.iter().any(|lost| lost == name) {
            return Err(Failure::unavailable(format!(
                "the variable `{name}` came with the request and was not kept when the server restarted"
            ))
            .advice("Start the run again."));
        }
        let known = models::variables(&self.app, &self.owner).await;
        let known = known.map_err(|error| {
            Failure::unavailable("the variables cannot be read").detail(error.to_string())
        })?;
        let Some(variable) = known.iter().find(|variable| variable.name == name) else {
            return Ok(None);
        };
        let secret = matches!(variable.value, VariableValue::Credential(_));
        let value = models::open(&self.app, variable).map_err(|_| {
            Failure::unavailable(format!("the credential `{name}` cannot be decrypted"))
                .advice("Set its value again in Settings › Variables.")
        })?;
        Ok(Some(Variable { value, secret }))
    }

    /// By path (`<owner>/<id>`), by id, or by name.
    async fn find_file(&self, path: &str) -> Result<ferro_store::File, Failure> {
        not_reserved(path)?;
        let missing = || {
            Failure::input("path", format!("there is no file `{path}`"))
                .advice("Upload it again, or choose another file.")
        };
        let last = path.rsplit('/').next().unwrap_or(path);
        if let Ok(id) = last.parse::<FileId>() {
            return self.app.store.file(&self.owner, id).await.map_err(|_| missing());
        }
        let files = self.app.store.files(&self.owner).await.map_err(storage)?;
        let newest = files
            .into_iter()
            .filter(|file| file.name == path || file.name == last)
            .max_by_key(|file| file.created_at);
        newest.ok_or_else(missing)
    }

    async fn bytes_of(&self, file: &ferro_store::File) -> Result<Vec<u8>, Failure> {
        if u64::try_from(file.size).unwrap_or(u64::MAX) > MAX_READ {
            return Err(Failure::limit(format!(
                "{} is larger than {} MB",
                file.name,
                MAX_READ >> 20
            )));
        }
        let mut stored = self
            .app
            .files
            .read(self.user_id, file.id)
            .await
            .map_err(|error| outside(&error))?;
        let mut bytes = Vec::new();
        let read = stored.read_to_end(&mut bytes).await;
        read.map_err(|error| {
            Failure::outside(format!("{} could not be read", file.name)).detail(error.to_string())
        })?;
        Ok(bytes)
    }

    /// A statement may have changed how large the file is, also one that failed.
    async fn count_again(&self, file: &ferro_store::File, path: &std::path::Path) -> Result<(), Failure> {
        let Ok(metadata) = tokio::fs::metadata(path).await else {
            return Ok(());
        };
        let size = i64::try_from(metadata.len()).unwrap_or(i64::MAX);
        if size == file.size {
            return Ok(());
        }
        match self.app.store.resize_file(&self.owner, file.id, size).await {
            // Deleted meanwhile.
            Ok(_) | Err(StoreError::NotFound(_)) => Ok(()),
            Err(error) => Err(storage(error)),
        }
    }

    async fn keep_file(&self, name: &str, bytes: Vec<u8>, mode: WriteMode) -> Result<String, Failure> {
        not_reserved(name)?;
        let name = safe_name(name);
        let existing = self.find_file(&name).await.ok().filter(|file| file.name == name);
        let mut content = match (&existing, mode) {
            (Some(file), WriteMode::Append) => self.bytes_of(file).await?,
            _ => Vec::new(),
        };
        content.extend(bytes);
        let mut incoming = self
            .app
            .files
            .begin(self.app.config.max_upload())
            .await
            .map_err(|error| outside(&error))?;
        incoming.write(&content).await.map_err(|error| outside(&error))?;
        let (id, size) = self
            .app
            .files
            .keep(self.user_id, incoming)
            .await
            .map_err(|error| outside(&error))?;
        let new = NewFile {
            id,
            mime_type: mime_type(&name).to_owned(),
            name: name.clone(),
            size: i64::try_from(size).unwrap_or(i64::MAX),
        };
        let file = self
            .app
            .store
            .create_file(&self.owner, new)
            .await
            .map_err(storage)?;
        // The old one goes only when the new one is there, which has a number in its name until then.
        if let Some(old) = existing {
            self.app
                .store
                .delete_files(&self.owner, vec![old.id])
                .await
                .map_err(storage)?;
            self.app.files.remove(self.user_id, old.id).await;
            self.app
                .store
                .rename_file(&self.owner, file.id, name)
                .await
                .map_err(storage)?;
        }
        Ok(format!("{}/{}", file.user_id, file.id))
    }
}

impl Host for ServerHost {
    fn variable<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Variable>, Failure>> {
        Box::pin(self.find_variable(name))
    }

    fn messages(&self, query: MessageQuery) -> BoxFuture<'_, Result<Vec<Message>, Failure>> {
        Box::pin(async move {
            let session_id = self.session_now(query.session_id).await?;
            let filter = NewestFilter {
                context_id: query.context_id,
                sender: query.sender.map(|sender| sender.as_str().to_owned()),
                sender_name: query.sender_name,
            };
            let limit = query
                .limit
                .map_or(i64::MAX, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
            let (by, flow_id) = self.talk();
            let found = self
                .app
                .store
                .newest_messages(&by, flow_id, &session_id, filter, limit)
                .await;
            Ok(found.map_err(storage)?.into_iter().map(message).collect())
        })
    }

    fn read_file<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<FileContent, Failure>> {
        Box::pin(async move {
            let file = self.find_file(path).await?;
            Ok(FileContent {
                bytes: self.bytes_of(&file).await?,
                path: format!("{}/{}", file.user_id, file.id),
                name: file.name,
            })
        })
    }

    fn write_file<'a>(
        &'a self,
        name: &'a str,
        bytes: Vec<u8>,
        mode: WriteMode,
    ) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(self.keep_file(name, bytes, mode))
    }

    fn list_files<'a>(&'a self, folder: &'a str) -> BoxFuture<'a, Result<Vec<FileEntry>, Failure>> {
        Box::pin(async move {
            not_reserved(folder)?;
            if !matches!(folder.trim_end_matches('/'), "" | "." | "./") {
                return Err(Failure::input(
                    "path",
                    format!("there is no folder `{folder}` among your files"),
                )
                .advice("Files are kept in one list; use `.` for all of them."));
            }
            let files = self.app.store.files(&self.owner).await.map_err(storage)?;
            let entry = |file: ferro_store::File| FileEntry {
                path: format!("{}/{}", file.user_id, file.id),
                size: u64::try_from(file.size).unwrap_or_default(),
                name: file.name,
            };
            Ok(files.into_iter().map(entry).collect())
        })
    }

    fn sql(&self, request: SqlRequest) -> BoxFuture<'_, Result<Table, Failure>> {
        Box::pin(async move {
            let Some(path) = sql::sqlite_path(&request.url)? else {
                return sql::query(&self.app.egress, request, None).await;
            };
            // Only files that the person uploaded: nothing else on this machine.
            let file = self.find_file(&path.to_string_lossy()).await?;
            let path = self.app.files.std_path(self.user_id, file.id);
            let reads = request.read_only;
            let own = sql::OwnFile {
                path: path.clone(),
                // No larger than what could be uploaded.
                limit: Some(self.app.config.max_upload()),
            };
            let answer = sql::query(&self.app.egress, request, Some(own)).await;
            if !reads {
                self.count_again(&file, &path).await?;
            }
            answer
        })
    }

    fn run_flow(&self, call: FlowCall) -> BoxFuture<'_, Result<Vec<FlowAnswer>, Failure>> {
        Box::pin(async move {
            if call.stack.len() >= MAX_NESTING {
                return Err(Failure::limit(format!(
                    "flows are nested deeper than {MAX_NESTING}"
                )));
            }
            super::nested::run(&self.app, self, call).await
        })
    }

    fn frozen(&self, node_id: &str) -> Option<Outputs> {
        self.app.runs.frozen.get(self.user_id, self.flow_id, node_id)
    }

    fn freeze(&self, node_id: &str, outputs: &Outputs) {
        self.app
            .runs
            .frozen
            .put(self.user_id, self.flow_id, node_id, outputs);
    }
}

fn message(record: ferro_store::MessageRecord) -> Message {
    fn read<T: serde::de::DeserializeOwned + Default>(text: &str) -> T {
        serde_json::from_str(text).unwrap_or_default()
    }
    Message {
        id: Some(record.id.0),
        text: record.text,
        sender: if record.sender == "User" {
            Sender::User
        } else {
            Sender::Machine
        },
        sender_name: record.sender_name,
        session_id: record.session_id,
        context_id: record.context_id.unwrap_or_default(),
        files: read(&record.files),
        category: record.category,
        error: record.error,
        properties: read(&record.properties),
        content_blocks: read(&record.content_blocks),
        timestamp: record.timestamp.0,
        ..Message::default()
    }
}

pub(super) fn storage(error: ferro_store::StoreError) -> Failure {
    tracing::warn!(%error, "a run could not reach the database");
    Failure::new(Cause::Internal, "the database did not answer")
        .advice("Try again; the server's log has the reason.")
}

pub fn not_reserved(path: &str) -> Result<(), Failure> {
    if is_reserved(path) {
        return Err(Failure::input("path", RESERVED_REFUSAL));
    }
    Ok(())
}

fn outside(error: &AppError) -> Failure {
    Failure::outside(error.to_string())
}
