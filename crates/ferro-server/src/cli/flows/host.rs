//! What components may ask of a terminal: the files and variables of whoever runs the command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ferro_engine::{
    Catalog, Failure, FileContent, FileEntry, FlowAnswer, FlowCall, Host, Limits, Message, MessageQuery,
    Overrides, Plan, RunInfo, Selection, SqlRequest, Start, Table, Variable, WriteMode, run_inside,
};
use ferro_net::AddressPolicy;
use futures_util::future::BoxFuture;

use super::FlowFile;
use super::models::Choice;
use crate::{
    app::runs::{host::not_reserved, sql},
    files::is_reserved,
    starters,
};

pub struct TerminalHost {
    pub catalog: Arc<Catalog>,
    pub policy: AddressPolicy,
    pub vars: BTreeMap<String, String>,
    /// What is asked instead of the models the flows name.
    pub model: Option<Choice>,
    /// Where the flow's file is; flows it runs are looked for there.
    pub folder: PathBuf,
    pub limits: Limits,
    /// What was said in this run.
    pub messages: Mutex<Vec<Message>>,
}

impl TerminalHost {
    /// A file beside the flow, else a starter.
    fn find(&self, name: &str) -> Result<FlowFile, Failure> {
        let refused = |error: anyhow::Error| Failure::input("flow_name_selected", format!("{error:#}"));
        let is_plain = !name.is_empty() && !name.contains(['/', '\\']);
        let paths = ["json", "flow"]
            .iter()
            .map(|end| self.folder.join(format!("{name}.{end}")));
        if let Some(path) = paths.into_iter().find(|path| is_plain && path.exists()) {
            return super::read(&path).map_err(refused);
        }
        match starters::find(&self.catalog, name) {
            Some(starter) => {
                let starter = starter.map_err(refused)?;
                Ok(FlowFile {
                    id: Some(starter.id),
                    name: starter.name,
                    data: starter.data,
                })
            }
            None => Err(Failure::input(
                "flow_name_selected",
                format!("there is no file `{name}.json` beside the flow"),
            )
            .advice("Put the other flow's file beside this one, named as the flow is.")),
        }
    }

    async fn nested(&self, call: FlowCall) -> Result<Vec<FlowAnswer>, Failure> {
        let name = call.flow_name.clone().unwrap_or_default();
        let mut file = self.find(&name)?;
        if let Some(model) = &self.model {
            file.data = model
                .put(&file.data, &self.catalog)
                .map_err(|error| Failure::input("flow_name_selected", format!("{error:#}")))?;
        }
        let id = file
            .id
            .unwrap_or_else(|| uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_URL, name.as_bytes()));
        if call.stack.contains(&id) {
            return Err(Failure::input(
                "flow_name_selected",
                format!("the flow `{name}` would run itself"),
            ));
        }
        if call.stack.len() >= 10 {
            return Err(Failure::limit("flows are nested deeper than 10"));
        }
        let plan = Plan::new(&file.data, &self.catalog, &Selection::Whole).map_err(|error| {
            Failure::input(
                "flow_name_selected",
                format!("the flow `{name}` cannot run: {error}"),
            )
        })?;
        let plan = Arc::new(plan);
        let mut stack = call.stack;
        stack.push(id);
        let mut overrides = Overrides::from_tweaks(&plan, &call.tweaks);
        crate::app::runs::text_inputs(&plan, &mut overrides, &call.input_value);
        let host = Self {
            catalog: Arc::clone(&self.catalog),
            policy: self.policy.clone(),
            vars: self.vars.clone(),
            model: self.model.clone(),
            folder: self.folder.clone(),
            limits: self.limits,
            messages: Mutex::default(),
        };
        let inner = Start {
            plan: Arc::clone(&plan),
            info: RunInfo {
                run_id: uuid::Uuid::now_v7(),
                flow_id: id,
                flow_name: file.name,
                session_id: call.session_id,
                input_value: call.input_value,
                stack,
                ..RunInfo::default()
            },
            overrides,
            host: Arc::new(host),
            log: None,
            limits: self.limits,
            seeds: Default::default(),
            history: Vec::new(),
        };
        run_inside(inner, call.outer).await
    }
}

impl Host for TerminalHost {
    fn variable<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Variable>, Failure>> {
        #[expect(
            clippy::disallowed_methods,
            reason = "the terminal's variables are the person's own"
        )]
        let value = self.vars.get(name).cloned().or_else(|| std::env::var(name).ok());
        let secret = ferro_llm::catalog()
            .variables()
            .any(|variable| variable.secret && variable.key == name);
        Box::pin(async move { Ok(value.map(|value| Variable { value, secret })) })
    }

    fn messages(&self, query: MessageQuery) -> BoxFuture<'_, Result<Vec<Message>, Failure>> {
        let said = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |message: &&Message| {
            message.session_id == query.session_id
                && query.sender.is_none_or(|sender| message.sender == sender)
        };
        let mut found: Vec<Message> = said.iter().filter(fits).cloned().collect();
        if let Some(limit) = query.limit {
            found.drain(..found.len().saturating_sub(limit));
        }
        Box::pin(async move { Ok(found) })
    }

    fn read_file<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<FileContent, Failure>> {
        Box::pin(async move {
            not_reserved(path)?;
            let bytes = tokio::fs::read(path).await.map_err(|error| {
                Failure::input("path", format!("the file {path} cannot be read")).detail(error.to_string())
            })?;
            let name = Path::new(path)
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            Ok(FileContent {
                name: name.unwrap_or_default(),
                path: path.to_owned(),
                bytes,
            })
        })
    }

    fn write_file<'a>(
        &'a self,
        name: &'a str,
        bytes: Vec<u8>,
        mode: WriteMode,
    ) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(async move {
            use tokio::io::AsyncWriteExt as _;
            not_reserved(name)?;
            // Into the folder one is in, whatever the flow says.
            let name = crate::files::safe_name(name);
            let mut options = tokio::fs::OpenOptions::new();
            options.create(true).write(true);
            match mode {
                WriteMode::Replace => options.truncate(true),
                WriteMode::Append => options.append(true),
            };
            let failed = |error: std::io::Error| {
                Failure::outside(format!("{name} cannot be written")).detail(error.to_string())
            };
            let mut file = options.open(&name).await.map_err(failed)?;
            file.write_all(&bytes).await.map_err(failed)?;
            file.flush().await.map_err(failed)?;
            Ok(name.clone())
        })
    }

    fn list_files<'a>(&'a self, folder: &'a str) -> BoxFuture<'a, Result<Vec<FileEntry>, Failure>> {
        Box::pin(async move {
            not_reserved(folder)?;
            let folder = if folder.is_empty() { "." } else { folder };
            let failed = |error: std::io::Error| {
                Failure::input("path", format!("the folder {folder} cannot be read"))
                    .detail(error.to_string())
            };
            let mut found = Vec::new();
            let mut open = vec![PathBuf::from(folder)];
            while let Some(next) = open.pop() {
                let mut entries = tokio::fs::read_dir(&next).await.map_err(failed)?;
                while let Some(entry) = entries.next_entry().await.map_err(failed)? {
                    let kind = entry.file_type().await.map_err(failed)?;
                    if kind.is_dir() {
                        if !is_reserved(&entry.file_name().to_string_lossy()) {
                            open.push(entry.path());
                        }
                    } else if kind.is_file() {
                        found.push(FileEntry {
                            name: entry.file_name().to_string_lossy().into_owned(),
                            path: entry.path().to_string_lossy().into_owned(),
                            size: entry.metadata().await.map_err(failed)?.len(),
                        });
                    }
                }
            }
            found.sort_by(|a, b| a.path.cmp(&b.path));
            Ok(found)
        })
    }

    fn sql(&self, request: SqlRequest) -> BoxFuture<'_, Result<Table, Failure>> {
        Box::pin(async move {
            let own = sql::sqlite_path(&request.url)?.map(|path| sql::OwnFile { path, limit: None });
            sql::query(&self.policy, request, own).await
        })
    }

    fn run_flow(&self, call: FlowCall) -> BoxFuture<'_, Result<Vec<FlowAnswer>, Failure>> {
        Box::pin(self.nested(call))
    }
}
