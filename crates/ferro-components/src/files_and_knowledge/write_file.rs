//! Writes what comes in to one of your files.
//!
//! - **Input**: a table, JSON or a message.
//! - **File Name**: without an ending; the right one is added.
//! - **File Format**: `csv`, `excel`, `json`, `markdown`, `txt` or `html`.
//! - **Append**: adds to the file of that name, instead of replacing it. Rows are added to tables, entries to a JSON
//!   list, lines to texts.
//!
//! **File Path** is a message that says where the file is; its `file_path` is the path alone.
//!
//! Example: a Loop's Done → Write File, format `excel`, name `results`.
//!
//! Common mistakes: appending to a table that has other columns gives a table with all of them; a file is never written
//! twice by itself after a crash: the run asks first. AWS and Google Drive are not available here.

mod content;

use ferro_engine::{Call, Component, Failure, Message, Outcome, Outputs, Step, Value, WriteMode};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use self::content::{Format, content};
use crate::documents;
use crate::text::fields;
use crate::wait::{busy, unless_stopped};

pub(super) struct WriteFile;

const FORMATS: [&str; 6] = ["csv", "excel", "json", "markdown", "txt", "html"];

impl Component for WriteFile {
    fn descriptor(&self) -> Descriptor {
        let places = [
            ("Local", "hard-drive"),
            ("AWS", "Amazon"),
            ("Google Drive", "google"),
        ];
        let cloud_format = |name: &str, label: &str| {
            FieldSpec::dropdown(name, label, &["txt", "json", "csv", "xlsx", "md", "html"], "txt").hidden()
        };
        Descriptor::new("SaveToFile", "Write File")
            .category("files_and_knowledge")
            .icon("save")
            .description("Writes a table, JSON or a message to a file.")
            .help(include_str!("write_file.rs"))
            .field(
                FieldSpec::sortable_list("storage_location", "Storage Location", &places)
                    .info("Where the file goes. Only Local is available.")
                    .value(json!([{ "name": "Local", "icon": "hard-drive" }]))
                    .set("limit", 1)
                    .advanced()
                    .refresh(),
            )
            .field(
                FieldSpec::handle(
                    "input",
                    "File Content",
                    &["Data", "JSON", "DataFrame", "Table", "Message"],
                )
                .info("What is written.")
                .required()
                .tool(),
            )
            .field(
                FieldSpec::text("file_name", "File Name")
                    .info("Without an ending.")
                    .required()
                    .tool(),
            )
            .field(
                FieldSpec::text("file_format", "File Format")
                    .info("The format, given by an agent.")
                    .hidden()
                    .tool(),
            )
            .field(
                FieldSpec::bool("append_mode", "Append", false)
                    .info("Add to the file instead of replacing it."),
            )
            .field(
                FieldSpec::dropdown("local_format", "File Format", &FORMATS, "json")
                    .info("How it is written."),
            )
            .field(cloud_format("aws_format", "AWS File Format"))
            .field(cloud_format("gdrive_format", "Google Drive File Format"))
            .field(
                FieldSpec::secret("aws_access_key_id", "AWS Access Key ID")
                    .advanced()
                    .hidden(),
            )
            .field(
                FieldSpec::secret("aws_secret_access_key", "AWS Secret Key")
                    .advanced()
                    .hidden(),
            )
            .field(
                FieldSpec::text("bucket_name", "S3 Bucket Name")
                    .advanced()
                    .hidden(),
            )
            .field(FieldSpec::text("aws_region", "AWS Region").advanced().hidden())
            .field(FieldSpec::text("s3_prefix", "S3 Prefix").advanced().hidden())
            .field(
                FieldSpec::secret("service_account_key", "GCP Credentials Secret Key")
                    .required()
                    .advanced()
                    .hidden(),
            )
            .field(
                FieldSpec::text("folder_id", "Google Drive Folder ID")
                    .required()
                    .advanced()
                    .hidden(),
            )
            .output(OutputSpec::new(
                "message",
                "File Path",
                "save_to_file",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move { write(&call).await })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field == "storage_location" {
            let aws = [
                "aws_format",
                "aws_access_key_id",
                "aws_secret_access_key",
                "bucket_name",
                "aws_region",
                "s3_prefix",
            ];
            let drive = ["gdrive_format", "service_account_key", "folder_id"];
            let local = ["local_format", "append_mode"];
            let all = [&aws[..], &drive[..], &local[..]].concat();
            let shown: &[&str] = match fields::choice(value).as_str() {
                "AWS" => &aws,
                "Google Drive" => &drive,
                _ => &local,
            };
            fields::show_only(node, &all, shown);
        }
        Ok(())
    }
}

async fn write(call: &Call) -> Result<Outcome, Failure> {
    let place = fields::chosen(call, "storage_location");
    if !matches!(place.as_str(), "" | "Local") {
        return Err(
            Failure::unavailable(format!("Files cannot be written to {place} here")).advice("Choose Local."),
        );
    }
    let asked = Some(call.text("file_format")).filter(|format| !format.is_empty());
    let asked = asked.unwrap_or_else(|| fields::text_or(call, "local_format", "json"));
    let Some(format) = Format::of(&asked) else {
        return Err(
            Failure::input("local_format", format!("There is no format {asked:?}"))
                .advice(format!("Use one of {}.", FORMATS.join(", "))),
        );
    };
    let name = file_name(&call.required_text("file_name")?, format)?;
    let value = call.required("input")?.into_owned();
    let old = if call.bool("append_mode") {
        existing(call, &name).await?
    } else {
        None
    };
    let mode = if old.is_some() && format.grows() {
        WriteMode::Append
    } else {
        WriteMode::Replace
    };
    let old_name = name.clone();
    let bytes = busy(&call.cx, move || {
        content(&value, format, &old_name, old.as_deref())
    })
    .await?;
    let size = bytes.len();
    call.cx.begin_effect().await?;
    let path = call.cx.host.write_file(&name, bytes, mode).await?;
    let mut message = Message::text(format!("Saved to {path}"));
    message.data.insert("file_path".to_owned(), path.clone().into());
    message.files = vec![path];
    let outputs = Outputs::new().with("message", Value::Message(message.into()));
    Ok(outputs.status(format!("{name}: {size} bytes")).done())
}

/// The name with the format's ending. It may lie in folders, but not outside of them.
fn file_name(given: &str, format: Format) -> Result<String, Failure> {
    let given = given.trim().replace('\\', "/");
    let stem = match given.rsplit_once('.') {
        Some((stem, ending))
            if Format::of(ending) == Some(format)
                || documents::kind(&given).is_some() && !ending.contains('/') =>
        {
            stem
        }
        _ => &given,
    };
    let parts = || stem.split('/');
    let bad = stem.len() > 200
        || stem.starts_with('/')
        || stem.contains(|c: char| c.is_control() || c == ':')
        || parts().any(|part| part.is_empty() || part.trim_matches(['.', ' ']).is_empty());
    if bad {
        return Err(Failure::input(
            "file_name",
            format!(
                "{:?} cannot be a file's name",
                given.chars().take(80).collect::<String>()
            ),
        )
        .advice("Use letters, digits, `-`, `_`, and `/` between folders."));
    }
    Ok(format!("{stem}.{}", format.ending()))
}

/// What the file of that name holds now.
async fn existing(call: &Call, name: &str) -> Result<Option<Vec<u8>>, Failure> {
    let host = &call.cx.host;
    let files = unless_stopped(&call.cx, host.list_files(".")).await?;
    let Some(entry) = files
        .into_iter()
        .find(|entry| entry.name == name || entry.path == name || entry.path.ends_with(&format!("/{name}")))
    else {
        return Ok(None);
    };
    Ok(Some(
        unless_stopped(&call.cx, host.read_file(&entry.path)).await?.bytes,
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    use ferro_engine::{Context, FileContent, FileEntry, Host, NodeInfo, RunInfo, Table};
    use futures_util::future::BoxFuture;

    use super::*;

    #[derive(Default)]
    struct Files(Mutex<BTreeMap<String, Vec<u8>>>);

    impl Host for Files {
        fn read_file<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<FileContent, Failure>> {
            let bytes = self.0.lock().unwrap()[path].clone();
            Box::pin(async move {
                Ok(FileContent {
                    name: path.to_owned(),
                    path: path.to_owned(),
                    bytes,
                })
            })
        }

        fn list_files<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<FileEntry>, Failure>> {
            let names: Vec<String> = self.0.lock().unwrap().keys().cloned().collect();
            Box::pin(async move {
                Ok(names
                    .into_iter()
                    .map(|name| FileEntry {
                        path: name.clone(),
                        name,
                        size: 0,
                    })
                    .collect())
            })
        }

        fn write_file<'a>(
            &'a self,
            name: &'a str,
            bytes: Vec<u8>,
            mode: WriteMode,
        ) -> BoxFuture<'a, Result<String, Failure>> {
            let mut files = self.0.lock().unwrap();
            let file = files.entry(name.to_owned()).or_default();
            if mode == WriteMode::Replace {
                file.clear();
            }
            file.extend(bytes);
            Box::pin(async move { Ok(name.to_owned()) })
        }
    }

    async fn save(host: &Arc<Files>, value: Value, fields: Json) -> Result<String, Failure> {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let cx = Context::silent(RunInfo::default(), Arc::clone(host) as Arc<dyn Host>);
        let call = Call::new(NodeInfo::default(), fields, vec![("input", value)], cx);
        let Step::Later(work) = WriteFile.run(call) else {
            panic!("it takes a while")
        };
        let Outcome::Done(outputs) = work.await? else {
            panic!("it is done")
        };
        let Some(Value::Message(message)) = outputs.get("message") else {
            panic!("a message")
        };
        Ok(message.files[0].clone())
    }

    fn text(host: &Files, name: &str) -> String {
        String::from_utf8(host.0.lock().unwrap()[name].clone()).unwrap()
    }

    fn rows(json: Json) -> Value {
        Value::table(Table::from_rows(Value::from_json(json).rows()))
    }

    #[tokio::test]
    async fn every_format_and_appending() {
        let host = Arc::new(Files::default());
        for format in FORMATS {
            for value in [json!([{ "a": 1, "b": "x" }]), json!([{ "a": 2, "c": "<" }])] {
                let fields = json!({ "file_name": "out", "local_format": format, "append_mode": true });
                save(&host, rows(value), fields).await.unwrap();
            }
        }
        assert_eq!(text(&host, "out.csv"), "a,b,c\n1,x,\n2,,<\n");
        let all: Json = serde_json::from_str(&text(&host, "out.json")).unwrap();
        assert_eq!(all, json!([{ "a": 1, "b": "x" }, { "a": 2, "c": "<" }]));
        assert!(text(&host, "out.html").contains("<td>&lt;</td>"));
        assert_eq!(text(&host, "out.md").matches("| a |").count(), 2);
        let book = host.0.lock().unwrap()["out.xlsx"].clone();
        assert_eq!(
            documents::read("out.xlsx", &book).unwrap().text,
            "a,b,c\n1,x,\n2,,<"
        );
    }

    #[tokio::test]
    async fn replaces_and_names() {
        let host = Arc::new(Files::default());
        let fields = json!({ "file_name": "notes/day.txt", "local_format": "txt" });
        assert_eq!(
            save(&host, Value::text("one"), fields.clone()).await.unwrap(),
            "notes/day.txt"
        );
        save(&host, Value::text("two"), fields).await.unwrap();
        assert_eq!(text(&host, "notes/day.txt"), "two");
        assert_eq!(file_name("v1.2", Format::Csv).unwrap(), "v1.2.csv");
        assert_eq!(file_name("a.JSON", Format::Csv).unwrap(), "a.csv");
        for bad in ["../x", "/etc/x", "a//b", "c:x", " ", "..", "a/./b"] {
            assert!(file_name(bad, Format::Text).is_err(), "{bad}");
        }
        let unknown = save(
            &host,
            Value::text("x"),
            json!({ "file_name": "x", "local_format": "exe" }),
        )
        .await
        .unwrap_err();
        assert_eq!(unknown.field.as_deref(), Some("local_format"));
    }
}
