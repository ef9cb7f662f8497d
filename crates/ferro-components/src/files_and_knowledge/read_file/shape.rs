//! The fields of Read File, and its outputs for the files that are chosen.

use ferro_model::{FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use crate::documents::{self, ENDINGS, Kind};
use crate::text::fields;

pub(super) fn main_fields() -> Vec<FieldSpec> {
    let places = [
        ("Local", "hard-drive"),
        ("AWS", "Amazon"),
        ("Google Drive", "google"),
    ];
    vec![
        FieldSpec::sortable_list("storage_location", "Storage Location", &places)
            .info("Where the files are. Only Local is available.")
            .value(json!([{ "name": "Local", "icon": "hard-drive" }]))
            .set("limit", 1)
            .advanced()
            .refresh(),
        FieldSpec::file("path", "Files", &ENDINGS)
            .info("Your files.")
            .list()
            .refresh()
            .set("file_path", json!([])),
        FieldSpec::handle("file_path", "Server File Path", &["Data", "JSON", "Message"])
            .info("Paths from another component, instead of Files.")
            .list()
            .advanced(),
        FieldSpec::text("separator", "Separator")
            .info("Stands between the texts of several files.")
            .value("\n\n")
            .advanced(),
        FieldSpec::bool("silent_errors", "Silent Errors", false)
            .info("Leave out files that cannot be read.")
            .advanced(),
        FieldSpec::bool(
            "delete_server_file_after_processing",
            "Delete Server File After Processing",
            true,
        )
        .info("Kept for older files: your files are kept.")
        .advanced(),
        FieldSpec::bool(
            "ignore_unsupported_extensions",
            "Ignore Unsupported Extensions",
            true,
        )
        .info("Leave out files of unknown kinds.")
        .advanced(),
        FieldSpec::bool("ignore_unspecified_files", "Ignore Unspecified Files", false)
            .info("Leave out JSON that names no file.")
            .advanced(),
        FieldSpec::text("file_path_str", "File Path")
            .info("A path, given by an agent.")
            .advanced()
            .hidden()
            .tool(),
    ]
}

pub(super) fn cloud_fields() -> Vec<FieldSpec> {
    vec![
        FieldSpec::secret("aws_access_key_id", "AWS Access Key ID")
            .required()
            .hidden(),
        FieldSpec::secret("aws_secret_access_key", "AWS Secret Key")
            .required()
            .hidden(),
        FieldSpec::text("bucket_name", "S3 Bucket Name")
            .required()
            .hidden(),
        FieldSpec::text("aws_region", "AWS Region").hidden(),
        FieldSpec::text("s3_file_key", "S3 File Key").required().hidden(),
        FieldSpec::secret("service_account_key", "GCP Credentials Secret Key")
            .required()
            .hidden(),
        FieldSpec::text("file_id", "Google Drive File ID")
            .required()
            .hidden(),
    ]
}

pub(super) fn parser_fields() -> Vec<FieldSpec> {
    vec![
        FieldSpec::bool("advanced_mode", "Advanced Parser", false)
            .info("Kept for older files: the plain text is read.")
            .refresh(),
        FieldSpec::dropdown("pipeline", "Pipeline", &["standard", "vlm"], "standard")
            .advanced()
            .refresh(),
        FieldSpec::dropdown("ocr_engine", "OCR Engine", &["None", "easyocr"], "easyocr")
            .advanced()
            .hidden(),
        FieldSpec::text("md_image_placeholder", "Image placeholder")
            .value("<!-- image -->")
            .advanced()
            .hidden(),
        FieldSpec::text("md_page_break_placeholder", "Page break placeholder")
            .advanced()
            .hidden(),
        FieldSpec::message_text("doc_key", "Doc Key")
            .value("doc")
            .advanced()
            .hidden(),
        FieldSpec::bool("use_multithreading", "[Deprecated] Use Multithreading", true).advanced(),
        FieldSpec::int("concurrency_multithreading", "Processing Concurrency", 1).advanced(),
        FieldSpec::bool("markdown", "Markdown Export", false).hidden(),
    ]
}

pub(super) fn message_output() -> OutputSpec {
    OutputSpec::new("message", "Raw Content", "load_files_message", &["Message"])
}

/// The outputs for the files that are chosen.
pub(super) fn outputs(node: &Json, field: &str, value: &Json) -> Vec<OutputSpec> {
    let names = |json: &Json| -> Vec<String> {
        match json {
            Json::String(name) if !name.is_empty() => vec![name.clone()],
            Json::Array(items) => items.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    };
    let saved = node
        .pointer("/template/path/file_path")
        .map(names)
        .unwrap_or_default();
    let mut files = if field == "path" { names(value) } else { Vec::new() };
    if files.is_empty() {
        files = saved;
    }
    if files.len() > 1 {
        return vec![OutputSpec::new("dataframe", "Files", "load_files", &["Table"])];
    }
    let advanced = field == "advanced_mode" && *value == json!(true)
        || field != "advanced_mode" && fields::value_of(node, "advanced_mode") == json!(true);
    let path = OutputSpec::new("path", "File Path", "load_files_path", &["Message"]);
    let Some(file) = files.first() else {
        return vec![message_output()];
    };
    if advanced {
        return vec![
            OutputSpec::new(
                "advanced_dataframe",
                "Structured Output",
                "load_files_dataframe",
                &["Table"],
            ),
            OutputSpec::new(
                "advanced_markdown",
                "Markdown",
                "load_files_markdown",
                &["Message"],
            ),
            path,
        ];
    }
    let mut all = match documents::kind(file) {
        Some(Kind::Separated | Kind::Sheet) => {
            vec![OutputSpec::new(
                "dataframe",
                "Structured Content",
                "load_files_structured",
                &["Table"],
            )]
        }
        Some(Kind::Json) => vec![OutputSpec::new(
            "json",
            "Structured Content",
            "load_files_json",
            &["JSON"],
        )],
        _ => Vec::new(),
    };
    all.extend([message_output(), path]);
    all
}
