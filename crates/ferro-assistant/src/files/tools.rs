//! The file tools, as a model sees them. What they read comes back as a JSON string: text of a file is data there.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError, ToolOutput};
use ferro_llm::ToolSpec;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json, json};

use super::edit::Places;
use super::{FileError, Sandbox};
use crate::event::{AssistEvent, FileAction};
use crate::out::Out;
use crate::work::Work;

/// What changes nothing.
pub(crate) fn read_tools(sandbox: &Arc<Sandbox>) -> Vec<Arc<dyn Tool>> {
    let (read, glob, grep) = (Arc::clone(sandbox), Arc::clone(sandbox), Arc::clone(sandbox));
    vec![
        reading(
            "read_file",
            "Reads a text file of the user's folder, with line numbers.",
            json!({"path": path(), "offset": whole("First line, from 1."), "limit": whole("Lines at most.")}),
            &["path"],
            move |given| {
                let shown = read.read(
                    given.text("path")?,
                    given.whole("offset", 1)?,
                    given.some_whole("limit")?,
                )?;
                let mut told =
                    json!({"path": given.text("path")?, "lines": shown.total, "content": shown.text});
                if let Some(next) = shown.next {
                    told["next_offset"] = next.into();
                }
                Ok(told)
            },
        ),
        reading(
            "glob_search",
            "Lists files of the user's folder by name: *.md, docs/**, report-?.txt.",
            json!({"pattern": {"type": "string"}}),
            &["pattern"],
            move |given| {
                let found = glob.glob(given.text("pattern")?)?;
                let files: Vec<Json> = found
                    .files
                    .iter()
                    .map(|(path, size)| json!({"path": path, "size": size}))
                    .collect();
                let mut told = json!({"count": files.len()});
                if !files.is_empty() {
                    told["files"] = files.into();
                }
                if found.more {
                    told["more"] = "There are more: narrow the pattern.".into();
                }
                Ok(told)
            },
        ),
        reading(
            "grep_search",
            "Finds lines in the files of the user's folder by a regular expression.",
            json!({"pattern": {"type": "string"}, "glob": {"type": "string", "description": "Only files that fit, such as *.md."}}),
            &["pattern"],
            move |given| {
                let found = grep.grep(given.text("pattern")?, given.some_text("glob")?)?;
                let hits = found
                    .matches
                    .iter()
                    .map(|hit| json!({"path": hit.path, "line": hit.line, "text": hit.text}));
                let hits: Vec<Json> = hits.collect();
                let mut told = json!({"count": hits.len()});
                if !hits.is_empty() {
                    told["matches"] = hits.into();
                }
                if found.more {
                    told["more"] = "There are more: narrow the pattern, or name files with glob.".into();
                }
                if found.skipped > 0 {
                    told["skipped"] = format!("{} files are too large or no text.", found.skipped).into();
                }
                Ok(told)
            },
        ),
    ]
}

/// All five. A write that succeeded is remembered and told; one that failed is not.
pub(crate) fn tools(sandbox: &Arc<Sandbox>, work: &Arc<Work>, out: &Arc<Out>) -> Vec<Arc<dyn Tool>> {
    let (write, edit) = (Arc::clone(sandbox), Arc::clone(sandbox));
    let telling = (Arc::clone(work), Arc::clone(out));
    let mut all = read_tools(sandbox);
    all.push(writing(
        "write_file",
        "Writes a text file into the user's folder, in the place of what it held.",
        json!({"path": path(), "content": {"type": "string"}}),
        &["path", "content"],
        telling.clone(),
        move |given| {
            let content = given.text("content")?;
            let done = write.write(given.text("path")?, content)?;
            let word = if done.created { "created" } else { "replaced" };
            let told = json!({"path": done.path, "size": done.size, "text": format!("The file was {word}.")});
            Ok((
                told,
                Some(event(
                    FileAction::WriteFile,
                    done.path,
                    done.size,
                    content.to_owned(),
                )),
            ))
        },
    ));
    all.push(writing(
        "edit_file",
        "Replaces a piece of a text file of the user's folder. The old text must be exact and there once.",
        json!({
            "path": path(),
            "old": {"type": "string"},
            "new": {"type": "string"},
            "replace_all": {"type": "boolean", "description": "Every place, not just one."},
        }),
        &["path", "old", "new"],
        telling,
        move |given| {
            let places = if given.flag("replace_all")? {
                Places::All
            } else {
                Places::One
            };
            let done = edit.edit(
                given.text("path")?,
                given.text("old")?,
                given.text("new")?,
                places,
            )?;
            let (path, size) = (done.written.path, done.written.size);
            let told = json!({"path": path, "size": size, "replaced": done.replaced});
            Ok((told, Some(event(FileAction::EditFile, path, size, done.content))))
        },
    ));
    all
}

fn event(action: FileAction, path: String, size: u64, content: String) -> AssistEvent {
    AssistEvent::FileWritten {
        action,
        path,
        size,
        content: Some(content),
    }
}

fn path() -> Json {
    json!({"type": "string", "description": "Relative, such as docs/notes.md."})
}

fn whole(description: &str) -> Json {
    json!({"type": "integer", "minimum": 1, "description": description})
}

type Done = Result<(Json, Option<AssistEvent>), ToolError>;

struct FileTool {
    spec: ToolSpec,
    telling: Option<(Arc<Work>, Arc<Out>)>,
    work: Arc<dyn Fn(&Given) -> Done + Send + Sync>,
}

fn writing(
    name: &str,
    description: &str,
    properties: Json,
    required: &[&str],
    telling: (Arc<Work>, Arc<Out>),
    work: impl Fn(&Given) -> Done + Send + Sync + 'static,
) -> Arc<dyn Tool> {
    Arc::new(FileTool {
        spec: spec(name, description, properties, required),
        telling: Some(telling),
        work: Arc::new(work),
    })
}

fn reading(
    name: &str,
    description: &str,
    properties: Json,
    required: &[&str],
    work: impl Fn(&Given) -> Result<Json, ToolError> + Send + Sync + 'static,
) -> Arc<dyn Tool> {
    Arc::new(FileTool {
        spec: spec(name, description, properties, required),
        telling: None,
        work: Arc::new(move |given| work(given).map(|told| (told, None))),
    })
}

fn spec(name: &str, description: &str, properties: Json, required: &[&str]) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        schema: json!({"type": "object", "properties": properties, "required": required}),
    }
}

impl Tool for FileTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(&self, arguments: Map<String, Json>) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let (work, telling) = (Arc::clone(&self.work), self.telling.clone());
        Box::pin(async move {
            if let Some((turn, _)) = &telling {
                turn.check_no_plan()?;
            }
            let done = tokio::task::spawn_blocking(move || work(&Given(arguments))).await;
            let (told, event) =
                done.map_err(|_| ToolError::new("The file tool broke off; try something else"))??;
            if let (Some((turn, out)), Some(event)) = (telling, event) {
                if let AssistEvent::FileWritten { path, .. } = &event {
                    turn.wrote_file(path);
                }
                out.say(event);
            }
            Ok(ToolOutput {
                text: told.to_string(),
                value: told,
            })
        })
    }
}

impl From<FileError> for ToolError {
    fn from(error: FileError) -> Self {
        if let FileError::Disk { source, .. } = &error {
            tracing::warn!(event = "assistant.files.disk", error = %source, "assistant.files.disk {error}");
        }
        Self::new(error.to_string())
    }
}

/// The arguments of a call. The loop has checked them against the schema; what is odd still is an error, never a guess.
struct Given(Map<String, Json>);

impl Given {
    fn text(&self, name: &str) -> Result<&str, ToolError> {
        self.some_text(name)?
            .ok_or_else(|| ToolError::new(format!("{name:?} is missing")))
    }

    fn some_text(&self, name: &str) -> Result<Option<&str>, ToolError> {
        match self.0.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(ToolError::new(format!("{name:?} must be a text"))),
        }
    }

    fn some_whole(&self, name: &str) -> Result<Option<usize>, ToolError> {
        match self.0.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(value) => {
                let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
                number
                    .map(Some)
                    .ok_or_else(|| ToolError::new(format!("{name:?} must be a whole number from 1 on")))
            }
        }
    }

    fn whole(&self, name: &str, otherwise: usize) -> Result<usize, ToolError> {
        Ok(self.some_whole(name)?.unwrap_or(otherwise))
    }

    fn flag(&self, name: &str) -> Result<bool, ToolError> {
        match self.0.get(name) {
            None | Some(Json::Null) => Ok(false),
            Some(Json::Bool(flag)) => Ok(*flag),
            Some(_) => Err(ToolError::new(format!("{name:?} must be true or false"))),
        }
    }
}
