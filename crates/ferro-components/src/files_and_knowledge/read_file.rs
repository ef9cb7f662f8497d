//! Reads files: text, Markdown, HTML, CSV, JSON, Excel (`.xlsx`), PDF, Word (`.docx`), PowerPoint (`.pptx`) and pictures.
//!
//! - **Files**: one or several of your files. What the component gives depends on them:
//!   - one CSV or Excel file: **Structured Content**, a table; one JSON file: **Structured Content** as JSON;
//!   - one file of any other kind: **Raw Content**, its text;
//!   - several files: **Files**, a table with a row for each: `file_path`, `text`.
//! - **Server File Path**: a path from another component instead.
//! - **Separator**: what stands between the texts of several files in **Raw Content**.
//! - **Silent Errors**: a file that cannot be read is left out; off, it fails the component.
//! - **Ignore Unsupported Extensions**: files of unknown kinds are left out; off, they are an error.
//!
//! Pictures have no text: they go along with the message as attachments, for a model that can see.
//!
//! Example: `prices.xlsx` → Structured Content → Loop.
//!
//! Common mistakes: scanned PDFs are pictures of text and give nothing; old `.doc` and `.xls` files must be saved anew;
//! only the first sheet of a workbook becomes the table, though **Raw Content** has them all. Files on AWS and Google
//! Drive, layout recognition and OCR (**Advanced Parser**) are not available here: the plain text is read instead. Files are
//! kept after reading.

mod shape;

use ferro_engine::{Call, Component, Failure, Message, Outcome, Outputs, Step, Table, Value};
use ferro_model::Descriptor;
use serde_json::{Value as Json, json};

use self::shape::{cloud_fields, main_fields, message_output, outputs, parser_fields};
use super::paths::paths_in;
use crate::documents::{self, Document, Kind};
use crate::text::fields;
use crate::text::template::unescape;
use crate::wait::{busy, unless_stopped};

pub(super) struct ReadFile;

const MAX_FILES: usize = 200;

impl Component for ReadFile {
    fn descriptor(&self) -> Descriptor {
        let mut descriptor = Descriptor::new("File", "Read File")
            .category("files_and_knowledge")
            .icon("file-text")
            .description("Reads one or several files.")
            .help(include_str!("read_file.rs"));
        for field in main_fields()
            .into_iter()
            .chain(cloud_fields())
            .chain(parser_fields())
        {
            descriptor = descriptor.field(field);
        }
        descriptor.output(message_output())
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move {
            let read = read(&call).await?;
            outcome(&call, read)
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        match field {
            "path" | "advanced_mode" | "pipeline" => fields::set_outputs(node, &outputs(node, field, value)),
            "storage_location" => {
                let aws = [
                    "aws_access_key_id",
                    "aws_secret_access_key",
                    "bucket_name",
                    "aws_region",
                    "s3_file_key",
                ];
                let drive = ["service_account_key", "file_id"];
                let all = [&aws[..], &drive[..], &["path"]].concat();
                let shown: &[&str] = match fields::choice(value).as_str() {
                    "AWS" => &aws,
                    "Google Drive" => &drive,
                    _ => &["path"],
                };
                fields::show_only(node, &all, shown);
            }
            _ => {}
        }
        Ok(())
    }
}

struct Read {
    path: String,
    name: String,
    document: Document,
}

async fn read(call: &Call) -> Result<Vec<Read>, Failure> {
    let place = fields::chosen(call, "storage_location");
    if !matches!(place.as_str(), "" | "Local") {
        return Err(
            Failure::unavailable(format!("Files on {place} cannot be read here"))
                .advice("Upload the file and choose Local, or get it with API Request."),
        );
    }
    let mut paths = paths_in(call, "file_path_str");
    if paths.is_empty() {
        paths = paths_in(call, "file_path");
    }
    if paths.is_empty() {
        paths = paths_in(call, "path");
    }
    let silent = call.bool("silent_errors");
    if paths.is_empty() {
        if silent || (call.bool("ignore_unspecified_files") && call.is_wired("file_path")) {
            return Ok(Vec::new());
        }
        return Err(Failure::input("path", "No file is chosen").advice("Choose a file, or wire a path in."));
    }
    if paths.len() > MAX_FILES {
        return Err(Failure::limit(format!(
            "{} files are too many: at most {MAX_FILES} are read at once",
            paths.len()
        ))
        .advice("Go through them with a Loop."));
    }
    let leave_out = fields::on_by_default(call, "ignore_unsupported_extensions");
    let mut all = Vec::new();
    for path in paths {
        match read_one(call, path, leave_out).await {
            Ok(read) => all.extend(read),
            Err(failure) if silent && failure.cause != ferro_engine::Cause::Cancelled => {
                call.cx.log("Read File", failure.to_string())
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(all)
}

/// `None` for a file of an unknown kind that is left out.
async fn read_one(call: &Call, path: String, leave_out: bool) -> Result<Option<Read>, Failure> {
    let is_left_out = |name: &str| {
        let left_out = leave_out && documents::kind(name).is_none();
        if left_out {
            let why = documents::unsupported(name);
            call.cx.log("Read File", format!("Left out: {why}"));
        }
        left_out
    };
    // The path of a stored file has no ending: only its name tells what it is.
    let says_kind = !documents::ending(&path).is_empty();
    if says_kind && is_left_out(&path) {
        return Ok(None);
    }
    let file = unless_stopped(&call.cx, call.cx.host.read_file(&path)).await?;
    // A stored file may have lost the ending of its name.
    let name = if says_kind && documents::kind(&file.name).is_none() {
        path.clone()
    } else {
        file.name
    };
    if is_left_out(&name) {
        return Ok(None);
    }
    let shown = name.clone();
    let document = busy(&call.cx, move || documents::read(&name, &file.bytes)).await?;
    Ok(Some(Read {
        path,
        name: shown,
        document,
    }))
}

fn outcome(call: &Call, read: Vec<Read>) -> Result<Outcome, Failure> {
    let wants = |name: &str| call.wants(name);
    let mut outputs = Outputs::new();
    for name in ["message", "advanced_markdown"]
        .into_iter()
        .filter(|name| wants(name))
    {
        outputs = outputs.with(name, Value::Message(message(call, &read).into()));
    }
    if wants("path") {
        let paths: Vec<&str> = read.iter().map(|read| read.path.as_str()).collect();
        outputs = outputs.with("path", Value::text(paths.join("\n")));
    }
    for name in ["dataframe", "advanced_dataframe"]
        .into_iter()
        .filter(|name| wants(name))
    {
        outputs = outputs.with(name, Value::table(table(&read)));
    }
    let asked = call.node.wired_outputs.iter().any(|output| output == "json");
    if wants("json") && (asked || read.iter().any(|read| read.document.json.is_some())) {
        outputs = outputs.with("json", json_value(&read)?);
    }
    Ok(outputs.done())
}

/// Texts one after the other; pictures go along.
fn message(call: &Call, read: &[Read]) -> Message {
    let separator = unescape(&fields::text_or(call, "separator", "\n\n"));
    let texts: Vec<&str> = read
        .iter()
        .map(|read| read.document.text.as_str())
        .filter(|text| !text.is_empty())
        .collect();
    let mut message = Message::text(texts.join(&separator));
    let pictures = read
        .iter()
        .filter(|read| documents::kind(&read.name) == Some(Kind::Picture));
    message.files = pictures.map(|read| read.path.clone()).collect();
    let paths: Vec<&str> = read.iter().map(|read| read.path.as_str()).collect();
    message.data.insert(
        "file_path".to_owned(),
        if let [one] = paths[..] {
            json!(one)
        } else {
            json!(paths)
        },
    );
    message
}

/// A single table as it is; anything else with one row for each file.
fn table(read: &[Read]) -> Table {
    if let [
        Read {
            document: Document {
                table: Some(table), ..
            },
            ..
        },
    ] = read
    {
        return table.clone();
    }
    let mut table = Table::new(vec!["file_path".to_owned(), "text".to_owned()]);
    for read in read {
        table
            .cells
            .push(vec![read.path.clone().into(), read.document.text.clone().into()]);
    }
    table
}

fn json_value(read: &[Read]) -> Result<Value, Failure> {
    let mut values: Vec<Json> = read
        .iter()
        .filter_map(|read| read.document.json.clone())
        .collect();
    match values.len() {
        0 => {
            Err(Failure::input("path", "There is no JSON file among the files")
                .advice("Choose a .json file."))
        }
        1 => Ok(match values.remove(0) {
            value @ (Json::Object(_) | Json::Array(_)) => Value::from_json(value),
            other => Value::from_json(json!({ "value": other })),
        }),
        _ => Ok(Value::from_json(Json::Array(values))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ferro_engine::{Context, FileContent, Host, NodeInfo, RunInfo};
    use futures_util::future::BoxFuture;

    use super::*;

    struct Files(Vec<(&'static str, Vec<u8>)>);

    impl Host for Files {
        fn read_file<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<FileContent, Failure>> {
            let found = self.0.iter().find(|(known, _)| *known == path);
            let found = found.map(|(known, bytes)| FileContent {
                name: match *known {
                    "user/1" => "notes.txt",
                    "user/2" => "tool.exe",
                    name => name,
                }
                .to_owned(),
                path: path.to_owned(),
                bytes: bytes.clone(),
            });
            Box::pin(
                async move { found.ok_or_else(|| Failure::outside(format!("There is no file {path:?}"))) },
            )
        }
    }

    async fn run(fields: Json) -> Result<Outputs, Failure> {
        let files = vec![
            ("a.txt", b"alpha".to_vec()),
            ("b.md", b"# beta".to_vec()),
            ("t.csv", b"k,n\nx,1\n".to_vec()),
            ("j.json", b"[{\"a\": 1}]".to_vec()),
            ("p.png", vec![1]),
            ("bad.pdf", b"no".to_vec()),
            ("x.exe", vec![1]),
            ("user/1", b"stored".to_vec()),
            ("user/2", vec![1]),
        ];
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let host: Arc<dyn Host> = Arc::new(Files(files));
        let call = Call::new(
            NodeInfo::default(),
            fields,
            vec![],
            Context::silent(RunInfo::default(), host),
        );
        let Step::Later(work) = ReadFile.run(call) else {
            panic!("it takes a while")
        };
        match work.await? {
            Outcome::Done(outputs) => Ok(outputs),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn texts_and_pictures() {
        let outputs = run(json!({ "path": ["a.txt", "b.md", "p.png", "x.exe"], "separator": "\\n--\\n" }))
            .await
            .unwrap();
        let Some(Value::Message(message)) = outputs.get("message") else {
            panic!("a message")
        };
        assert_eq!(message.text, "alpha\n--\n# beta");
        assert_eq!(message.files, ["p.png"]);
        let Some(Value::Table(table)) = outputs.get("dataframe") else {
            panic!("a table")
        };
        assert_eq!(table.cells[1], [json!("b.md"), json!("# beta")]);
        assert_eq!(outputs.get("path").unwrap().to_text(), "a.txt\nb.md\np.png");
    }

    /// Uploaded files are named by a path without an ending.
    #[tokio::test]
    async fn a_stored_file_is_known_by_its_name() {
        let outputs = run(json!({ "path": ["user/1", "user/2"] })).await.unwrap();
        assert_eq!(outputs.get("message").unwrap().to_text(), "stored");
        assert_eq!(outputs.get("path").unwrap().to_text(), "user/1");
        let strict = run(json!({ "path": "user/2", "ignore_unsupported_extensions": false }))
            .await
            .unwrap_err();
        assert!(strict.message.contains("tool.exe"), "{strict}");
    }

    #[tokio::test]
    async fn tables_and_json() {
        let outputs = run(json!({ "path": "t.csv" })).await.unwrap();
        assert_eq!(
            outputs.get("dataframe").unwrap().to_json(),
            json!([{ "k": "x", "n": 1 }])
        );
        let outputs = run(json!({ "path": "j.json" })).await.unwrap();
        assert_eq!(outputs.get("json").unwrap().to_json(), json!([{ "a": 1 }]));
    }

    #[tokio::test]
    async fn what_goes_wrong() {
        assert_eq!(run(json!({})).await.unwrap_err().field.as_deref(), Some("path"));
        assert!(
            run(json!({ "path": "gone.txt" }))
                .await
                .unwrap_err()
                .message
                .contains("gone.txt")
        );
        assert!(
            run(json!({ "path": "bad.pdf" }))
                .await
                .unwrap_err()
                .message
                .contains("bad.pdf")
        );
        let quiet = run(json!({ "path": ["bad.pdf", "a.txt"], "silent_errors": true }))
            .await
            .unwrap();
        assert_eq!(quiet.get("message").unwrap().to_text(), "alpha");
        let strict = run(json!({ "path": "x.exe", "ignore_unsupported_extensions": false }))
            .await
            .unwrap_err();
        assert!(strict.message.contains(".exe"));
        let cloud = run(json!({ "storage_location": [{ "name": "AWS" }] }))
            .await
            .unwrap_err();
        assert_eq!(cloud.cause, ferro_engine::Cause::Unavailable);
    }

    #[test]
    fn outputs_follow_the_files() {
        let names = |value: Json| {
            let mut node = ReadFile.descriptor().to_node();
            ReadFile.refresh(&mut node, "path", &value).unwrap();
            let outputs = node["outputs"].as_array().cloned().unwrap_or_default();
            outputs
                .iter()
                .filter_map(|output| Some(output["name"].as_str()?.to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(json!("a.csv")), ["dataframe", "message", "path"]);
        assert_eq!(names(json!(["a.json"])), ["json", "message", "path"]);
        assert_eq!(names(json!(["a.pdf"])), ["message", "path"]);
        assert_eq!(names(json!(["a.pdf", "b.pdf"])), ["dataframe"]);
        assert_eq!(names(json!([])), ["message"]);
    }
}
