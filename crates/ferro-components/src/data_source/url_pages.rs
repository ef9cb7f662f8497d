//! Reads web pages, and on request the pages they link to.
//!
//! - **URLs**: one or several addresses. `https://` is added where it is missing.
//! - **Depth**: `1` reads only these pages, `2` also those they link to, and so on up to `5`. At most fifty pages are
//!   read, each once.
//! - **Prevent Outside**: only links below the folder of the first address are followed: from
//!   `https://example.com/docs/index.html` that is `https://example.com/docs/…`.
//! - **Output Format**: `Text` for reading, `Markdown` keeps headings, lists, links and tables, `HTML` gives the source.
//! - **Headers**: sent with every request, such as a `User-Agent` or an `Authorization`.
//! - **Continue on Failure**: a page that cannot be read is left out; off, it fails the component.
//! - **Check Response Status**: treats 404 and the like as a failure, instead of reading the error page.
//!
//! **Extracted Pages** is a table with `text`, `url`, `title`, `description`, `content_type` and `language`; **Raw
//! Content** is the text of all pages as one message.
//!
//! Example: `https://example.com/docs/`, depth 2, format Markdown → Split Text → a knowledge base.
//!
//! Common mistakes: pages that are built by JavaScript come without their content; pictures and PDFs are left out; if no
//! page at all can be read, the component fails whatever **Continue on Failure** says.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use ferro_net::Client;
use serde_json::json;

use super::crawl::{Format, How, Page, Settings, crawl};
use super::fetch;
use crate::Shared;
use crate::text::fields;

pub(super) struct UrlPages {
    net: Client,
}

const MAX_PAGE: u64 = 8 * 1024 * 1024;

impl UrlPages {
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            net: shared.net.clone(),
        }
    }
}

impl Component for UrlPages {
    fn descriptor(&self) -> Descriptor {
        let schema = json!([
            { "name": "key", "display_name": "Header", "type": "str", "description": "Name of the header" },
            { "name": "value", "display_name": "Value", "type": "str", "description": "What it says" },
        ]);
        let switch =
            |name: &str, label: &str, info: &str| FieldSpec::bool(name, label, true).info(info).advanced();
        Descriptor::new("URLComponent", "URL")
            .category("data_source")
            .icon("layout-template")
            .description("Reads web pages, and the pages they link to.")
            .help(include_str!("url_pages.rs"))
            .field(
                FieldSpec::message_text("urls", "URLs")
                    .info("One or several addresses.")
                    .list()
                    .tool(),
            )
            .field(
                FieldSpec::slider("max_depth", "Depth", 1.0, (1.0, 5.0, 1.0))
                    .info("1 reads only these pages, 2 those they link to as well, and so on.")
                    .value(1),
            )
            .field(switch(
                "prevent_outside",
                "Prevent Outside",
                "Follow only links below the first address.",
            ))
            .field(switch(
                "use_async",
                "Use Async",
                "Kept for older files: pages are always read side by side.",
            ))
            .field(switch(
                "follow_redirects",
                "Follow Redirects",
                "Go where a page has moved to.",
            ))
            .field(
                FieldSpec::dropdown("format", "Output Format", &["Text", "HTML", "Markdown"], "Text")
                    .info("How pages are written down.")
                    .advanced(),
            )
            .field(
                FieldSpec::int("timeout", "Timeout", 30)
                    .info("Seconds until a page is given up.")
                    .advanced(),
            )
            .field(
                FieldSpec::table(
                    "headers",
                    "Headers",
                    schema,
                    json!([{ "key": "User-Agent", "value": "Ferroflow" }]),
                )
                .info("Sent with every request.")
                .advanced(),
            )
            .field(switch(
                "filter_text_html",
                "Filter Text/HTML",
                "Leave style sheets and scripts out.",
            ))
            .field(switch(
                "continue_on_failure",
                "Continue on Failure",
                "Leave out pages that cannot be read.",
            ))
            .field(
                FieldSpec::bool("check_response_status", "Check Response Status", false)
                    .info("Treat a status of 400 and above as a failure.")
                    .advanced(),
            )
            .field(switch(
                "autoset_encoding",
                "Autoset Encoding",
                "Find out how a page is encoded when its server does not say.",
            ))
            .output(OutputSpec::new(
                "page_results",
                "Extracted Pages",
                "fetch_content",
                &["Table"],
            ))
            .output(
                OutputSpec::new(
                    "raw_results",
                    "Raw Content",
                    "fetch_content_as_message",
                    &["Message"],
                )
                .no_tool(),
            )
    }

    fn run(&self, call: Call) -> Step {
        let net = self.net.clone();
        Step::later(async move {
            let settings = settings(&call)?;
            let mut starts = Vec::new();
            for text in call
                .texts("urls")
                .iter()
                .flat_map(|text| text.lines())
                .filter(|text| !text.trim().is_empty())
            {
                starts.push(fetch::address("urls", text)?);
            }
            if starts.is_empty() {
                return Err(
                    Failure::input("urls", "There is no address to read").advice("Fill in at least one URL.")
                );
            }
            let pages = crawl(&call, &net, starts, &settings).await?;
            if pages.is_empty() {
                return Err(Failure::outside(
                    "None of the addresses leads to a page that can be read as text",
                )
                .advice("Pictures and PDFs are not read by this component: use API Request and Read File."));
            }
            Ok(outcome(pages))
        })
    }
}

fn settings(call: &Call) -> Result<Settings, Failure> {
    let depth = call.float("max_depth")?.unwrap_or(1.0).clamp(1.0, 5.0);
    let format = match call.text("format").as_str() {
        "HTML" | "Raw HTML" => Format::Html,
        "Markdown" => Format::Markdown,
        _ => Format::Text,
    };
    let headers = fields::pairs(&call.json("headers"));
    let text = |value: serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(Settings {
        depth: depth as usize,
        how: How {
            format,
            stays_inside: fields::on_by_default(call, "prevent_outside"),
            detects_encoding: fields::on_by_default(call, "autoset_encoding"),
        },
        limits: fetch::limits(call, 30, MAX_PAGE)?,
        headers: headers
            .into_iter()
            .map(|(name, value)| (name, text(value)))
            .filter(|(name, value)| !name.is_empty() && !value.is_empty())
            .collect(),
        follows_redirects: fields::on_by_default(call, "follow_redirects"),
        only_pages: fields::on_by_default(call, "filter_text_html"),
        goes_on: fields::on_by_default(call, "continue_on_failure"),
        checks_status: call.bool("check_response_status"),
    })
}

fn outcome(pages: Vec<Page>) -> Outcome {
    let columns = ["text", "url", "title", "description", "content_type", "language"];
    let raw = pages
        .iter()
        .map(|page| page.text.as_str())
        .collect::<Vec<_>>()
        .join("\n\n");
    let mut table = Table::new(columns.map(str::to_owned).to_vec());
    for page in pages {
        let row = [
            page.text,
            page.url,
            page.title,
            page.description,
            page.content_type,
            page.language,
        ];
        table.cells.push(row.map(Into::into).to_vec());
    }
    Outputs::new()
        .with("page_results", Value::table(table))
        .with("raw_results", Value::text(raw))
        .done()
}
