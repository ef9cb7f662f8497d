//! Reading files that people bring: text, tables, pages and office documents.
//!
//! Every reader is bounded in what it takes and in what it makes of it, and the parsers that others wrote run where a
//! panic of theirs becomes a failure of ours. All of it keeps a processor busy: call it on a thread of its own.

pub(crate) mod archive;
pub(crate) mod decode;
pub(crate) mod pdf;
pub(crate) mod separated;
pub(crate) mod sheet;
pub(crate) mod slides;
pub(crate) mod word;
pub(crate) mod xml;

use std::panic::AssertUnwindSafe;

use ferro_engine::{Failure, Table};
use serde_json::Value as Json;

use crate::html;

/// The largest file that is read.
pub(crate) const MAX_BYTES: usize = 64 * 1024 * 1024;
/// The most text that is made of one file.
pub(crate) const MAX_TEXT: usize = 32 * 1024 * 1024;
/// The most cells that are made of one file.
pub(crate) const MAX_CELLS: usize = 2_000_000;

/// What is known of a file by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Markup,
    Separated,
    Json,
    Sheet,
    Pdf,
    Word,
    Slides,
    Picture,
}

/// Endings of names, without the dot.
pub(crate) const ENDINGS: [&str; 44] = [
    "csv", "json", "pdf", "txt", "md", "mdx", "yaml", "yml", "xml", "html", "htm", "docx", "py", "sh", "sql",
    "js", "ts", "tsx", "adoc", "asciidoc", "asc", "bmp", "dotx", "dotm", "docm", "jpg", "jpeg", "png",
    "potx", "ppsx", "pptm", "potm", "ppsm", "pptx", "tiff", "xlsx", "xlsm", "xhtml", "webp", "gif", "tsv",
    "log", "toml", "rs",
];

pub(crate) fn ending(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.')
        .map(|(_, ending)| ending.to_lowercase())
        .unwrap_or_default()
}

/// `None` for what cannot be read.
pub(crate) fn kind(name: &str) -> Option<Kind> {
    Some(match ending(name).as_str() {
        "txt" | "md" | "mdx" | "yaml" | "yml" | "xml" | "py" | "sh" | "sql" | "js" | "ts" | "tsx" | "jsx"
        | "adoc" | "asciidoc" | "asc" | "log" | "toml" | "rs" | "ini" | "cfg" | "css" | "java" | "go"
        | "c" | "h" | "cpp" | "rst" | "jsonl" => Kind::Text,
        "html" | "htm" | "xhtml" => Kind::Markup,
        "csv" | "tsv" => Kind::Separated,
        "json" => Kind::Json,
        "xlsx" | "xlsm" => Kind::Sheet,
        "pdf" => Kind::Pdf,
        "docx" | "docm" | "dotx" | "dotm" => Kind::Word,
        "pptx" | "pptm" | "ppsx" | "ppsm" | "potx" | "potm" => Kind::Slides,
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "bmp" | "tiff" | "tif" => Kind::Picture,
        _ => return None,
    })
}

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// All there is to read; empty for a picture.
    pub text: String,
    /// Of files that are tables.
    pub table: Option<Table>,
    /// Of JSON files.
    pub json: Option<Json>,
}

pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Document, Failure> {
    let Some(kind) = kind(name) else {
        return Err(unsupported(name));
    };
    if bytes.len() > MAX_BYTES {
        return Err(too_large(name));
    }
    let mut document = guarded(name, || read_kind(kind, name, bytes))?;
    if document.text.len() > MAX_TEXT {
        let end = document.text.floor_char_boundary(MAX_TEXT);
        document.text.truncate(end);
    }
    Ok(document)
}

pub(crate) fn unsupported(name: &str) -> Failure {
    let ending = ending(name);
    let what = if ending.is_empty() {
        "without an ending".to_owned()
    } else {
        format!("of the kind .{ending}")
    };
    let advice = if ending == "xls" {
        "Save it as .xlsx."
    } else {
        "Convert it to text, CSV, JSON, PDF, .docx, .pptx or .xlsx."
    };
    Failure::input(
        "path",
        format!("{} cannot be read: files {what} are not supported", shown(name)),
    )
    .advice(advice)
}

fn too_large(name: &str) -> Failure {
    let limit = MAX_BYTES / 1024 / 1024;
    Failure::limit(format!("{} is larger than {limit} MB", shown(name)))
        .advice("Split it, or keep only what is needed.")
}

fn read_kind(kind: Kind, name: &str, bytes: &[u8]) -> Result<Document, Failure> {
    let text = |text: String| Document {
        text,
        ..Document::default()
    };
    Ok(match kind {
        Kind::Text => text(decode::text(bytes, None)),
        Kind::Markup => text(html::read(&decode::page(bytes, None), html::Style::Text).text),
        Kind::Separated => {
            let source = decode::text(bytes, None);
            let table = separated::read(&source)?;
            Document {
                text: source,
                table: Some(table),
                json: None,
            }
        }
        Kind::Json => {
            let source = decode::text(bytes, None);
            let json: Json = serde_json::from_str(source.trim()).map_err(|error| {
                broken(name, "JSON")
                    .advice("Correct the file.")
                    .detail(error.to_string())
            })?;
            Document {
                text: source,
                table: None,
                json: Some(json),
            }
        }
        Kind::Sheet => sheet::read(name, bytes)?,
        Kind::Pdf => text(pdf::read(name, bytes)?),
        Kind::Word => text(word::read(name, bytes)?),
        Kind::Slides => text(slides::read(name, bytes)?),
        Kind::Picture => Document::default(),
    })
}

/// A file that is not what its name says.
pub(crate) fn broken(name: &str, what: &str) -> Failure {
    Failure::input("path", format!("{} is not readable as {what}", shown(name)))
        .advice("Open it in its own program and save it again; it may be damaged or protected.")
}

/// A file's name for messages.
fn shown(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    format!("{:?}", file.chars().take(80).collect::<String>())
}

/// Runs a parser that may panic on what nobody thought of.
fn guarded<T>(name: &str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // Nothing of what it touched is used afterwards.
    match std::panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done,
        Err(_) => Err(broken(name, "what its name says")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_failure() {
        let failure = guarded::<()>("a.pdf", || panic!("on purpose")).unwrap_err();
        assert!(failure.message.contains("a.pdf"), "{failure}");
    }

    #[test]
    fn plain_files() {
        assert_eq!(read("a.txt", b"hi").unwrap().text, "hi");
        assert_eq!(read("a.html", b"<p>a</p><p>b</p>").unwrap().text, "a\n\nb");
        assert_eq!(read("a.json", b"{\"a\": 1}").unwrap().json.unwrap()["a"], 1);
        assert_eq!(
            read("a.csv", b"a,b\n1,x\n").unwrap().table.unwrap().columns,
            ["a", "b"]
        );
        assert_eq!(read("A.PNG", &[0x89]).unwrap().text, "");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        assert!(read("a.json", b"{").unwrap_err().message.contains("JSON"));
        assert!(read("a.xls", b"").unwrap_err().advice.contains(".xlsx"));
        assert!(read("a", b"").is_err());
        for name in ["a.pdf", "a.docx", "a.pptx", "a.xlsx"] {
            let failure = read(name, b"PK\x03\x04 not really").unwrap_err();
            assert!(failure.message.contains(name), "{failure}");
        }
    }

    #[test]
    fn every_listed_ending_is_known() {
        for ending in ENDINGS {
            assert!(kind(&format!("x.{ending}")).is_some(), "{ending}");
        }
    }
}
