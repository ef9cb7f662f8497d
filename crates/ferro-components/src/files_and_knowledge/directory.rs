//! Reads all files in one of your folders. New flows use Read File.
//!
//! - **Path**: the folder; `.` for all of your files.
//! - **File Types**: only files with these endings, such as `txt` or `csv`; all that can be read when empty.
//! - **Recursive**: also files in folders below. **Depth**: how many folders below; it counts even when Recursive is off.
//! - **Load Hidden**: also files whose name begins with a dot.
//! - **Silent Errors**: leave out files that cannot be read instead of failing.
//!
//! The result is a table with `file_path` and `text`, sorted by path.
//!
//! Example: path `reports`, file types `md` → Split Text.
//!
//! Common mistakes: it sees your stored files, not the disk of the server; pictures have no text and are left out.

use ferro_engine::{Call, Cause, Component, Failure, Outcome, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::documents::{self, ENDINGS, Kind};
use crate::text::fields;
use crate::wait::{busy, unless_stopped};

pub(super) struct Directory;

const MAX_FILES: usize = 1_000;
const MAX_TEXT: usize = 64 * 1024 * 1024;

impl Component for Directory {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("Directory", "Directory")
            .category("files_and_knowledge")
            .icon("folder")
            .description("Reads all files in a folder.")
            .help(include_str!("directory.rs"))
            .legacy()
            .field(
                FieldSpec::message_text("path", "Path")
                    .info("One of your folders.")
                    .value(".")
                    .tool(),
            )
            .field(
                FieldSpec::other("types", "File Types", "str", "MultiselectInput")
                    .info("Endings of names; all that can be read when empty.")
                    .options(&ENDINGS)
                    .value(serde_json::json!([]))
                    .list(),
            )
            .field(FieldSpec::int("depth", "Depth", 0).info("How many folders below are read."))
            .field(
                FieldSpec::int("max_concurrency", "Max Concurrency", 2)
                    .info("Kept for older files.")
                    .advanced(),
            )
            .field(
                FieldSpec::bool("load_hidden", "Load Hidden", false)
                    .info("Also files whose name begins with a dot.")
                    .advanced(),
            )
            .field(
                FieldSpec::bool("recursive", "Recursive", false)
                    .info("Also files in folders below.")
                    .advanced(),
            )
            .field(
                FieldSpec::bool("silent_errors", "Silent Errors", false)
                    .info("Leave out files that cannot be read.")
                    .advanced(),
            )
            .field(
                FieldSpec::bool("use_multithreading", "Use Multithreading", false)
                    .info("Kept for older files.")
                    .advanced(),
            )
            .output(OutputSpec::new(
                "dataframe",
                "Loaded Files",
                "as_dataframe",
                &["Table"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move { read(&call).await })
    }
}

async fn read(call: &Call) -> Result<Outcome, Failure> {
    let folder = fields::text_or(call, "path", ".");
    let folder = folder.trim().trim_end_matches('/');
    let folder = if folder.is_empty() { "." } else { folder };
    let depth = fields::count(call, "depth", 0, 0)?;
    let deepest = if depth > 0 {
        depth
    } else if call.bool("recursive") {
        usize::MAX
    } else {
        0
    };
    let types: Vec<String> = call
        .texts("types")
        .iter()
        .map(|ending| ending.trim_start_matches('.').to_lowercase())
        .collect();
    let hidden = call.bool("load_hidden");

    let mut files = unless_stopped(&call.cx, call.cx.host.list_files(folder)).await?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.retain(|file| {
        let below = below(folder, &file.path);
        let is_hidden = below.split('/').any(|part| part.starts_with('.'));
        let wanted = types.is_empty() || types.contains(&documents::ending(&file.path));
        let readable = documents::kind(&file.path).is_some_and(|kind| kind != Kind::Picture);
        below.matches('/').count() <= deepest && (hidden || !is_hidden) && wanted && readable
    });
    if files.len() > MAX_FILES {
        return Err(Failure::limit(format!(
            "The folder has {} files: at most {MAX_FILES} are read at once",
            files.len()
        ))
        .advice("Choose fewer file types, or a folder below."));
    }
    let mut table = Table::new(vec!["file_path".to_owned(), "text".to_owned()]);
    let mut length = 0;
    for file in files {
        let path = file.path.clone();
        let text = async {
            let content = unless_stopped(&call.cx, call.cx.host.read_file(&path)).await?;
            let name = path.clone();
            busy(&call.cx, move || Ok(documents::read(&name, &content.bytes)?.text)).await
        };
        match text.await {
            Ok(text) => {
                length += text.len();
                if length > MAX_TEXT {
                    return Err(Failure::limit(
                        "The files of the folder hold too much text to be read at once",
                    )
                    .advice("Choose fewer file types."));
                }
                table.cells.push(vec![path.into(), text.into()]);
            }
            Err(failure) if call.bool("silent_errors") && failure.cause != Cause::Cancelled => {
                call.cx.log("Directory", failure.to_string())
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(Outputs::one("dataframe", Value::table(table)))
}

/// The path as seen from the folder.
fn below<'a>(folder: &str, path: &'a str) -> &'a str {
    let folder = folder.trim_start_matches("./");
    if folder == "." {
        return path.trim_start_matches("./");
    }
    path.strip_prefix(folder)
        .map_or(path, |rest| rest.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ferro_engine::{Context, FileContent, FileEntry, Host, NodeInfo, RunInfo};
    use futures_util::future::BoxFuture;
    use serde_json::{Value as Json, json};

    use super::*;

    struct Folder;

    impl Host for Folder {
        fn list_files<'a>(&'a self, folder: &'a str) -> BoxFuture<'a, Result<Vec<FileEntry>, Failure>> {
            let all = [
                "d/z.txt",
                "d/a.md",
                "d/deep/b.txt",
                "d/deep/er/c.txt",
                "d/.hidden.txt",
                "d/p.png",
                "d/bad.json",
                "e/x.txt",
            ];
            let found = all
                .iter()
                .filter(|path| folder == "." || path.starts_with(folder));
            let found = found
                .map(|path| FileEntry {
                    name: (*path).to_owned(),
                    path: (*path).to_owned(),
                    size: 1,
                })
                .collect();
            Box::pin(async move { Ok(found) })
        }

        fn read_file<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<FileContent, Failure>> {
            let bytes = path.to_uppercase().into_bytes();
            Box::pin(async move {
                Ok(FileContent {
                    name: path.to_owned(),
                    path: path.to_owned(),
                    bytes,
                })
            })
        }
    }

    async fn run(fields: Json) -> Result<Vec<String>, Failure> {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let call = Call::new(
            NodeInfo::default(),
            fields,
            vec![],
            Context::silent(RunInfo::default(), Arc::new(Folder)),
        );
        let Step::Later(work) = Directory.run(call) else {
            panic!("it takes a while")
        };
        let Outcome::Done(outputs) = work.await? else {
            panic!("it is done")
        };
        let rows = outputs.get("dataframe").unwrap().rows();
        Ok(rows
            .iter()
            .map(|row| {
                format!(
                    "{}={}",
                    row["file_path"].as_str().unwrap(),
                    row["text"].as_str().unwrap()
                )
            })
            .collect())
    }

    #[tokio::test]
    async fn what_is_read() {
        assert_eq!(
            run(json!({ "path": "d", "types": ["txt", ".md"] }))
                .await
                .unwrap(),
            ["d/a.md=D/A.MD", "d/z.txt=D/Z.TXT"]
        );
        let deep = run(json!({ "path": "d/", "types": ["txt"], "depth": 1 }))
            .await
            .unwrap();
        assert_eq!(deep, ["d/deep/b.txt=D/DEEP/B.TXT", "d/z.txt=D/Z.TXT"]);
        let all = run(json!({ "path": ".", "types": ["txt"], "recursive": true, "load_hidden": true }))
            .await
            .unwrap();
        assert_eq!(all.len(), 5);
    }

    #[tokio::test]
    async fn what_cannot_be_read() {
        let failure = run(json!({ "path": "d" })).await.unwrap_err();
        assert!(failure.message.contains("bad.json"), "{failure}");
        assert_eq!(
            run(json!({ "path": "d", "silent_errors": true }))
                .await
                .unwrap()
                .len(),
            2
        );
        assert!(run(json!({ "depth": -1 })).await.is_err());
    }
}
