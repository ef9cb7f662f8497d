//! Reads an RSS or Atom feed. New flows use Web Search in the mode RSS.
//!
//! - **RSS Feed URL**: the address of the feed itself, not of the page it is on.
//! - **Timeout**: seconds until it is given up.
//!
//! The result is a table with `title`, `link`, `published` and `summary`, in the order of the feed; summaries are plain
//! text.
//!
//! Example: `https://example.com/feed.xml` → Loop → …
//!
//! Common mistakes: when the feed cannot be read, there is one row titled `Error` that says why.

use ferro_engine::{Call, Component, Step};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use ferro_net::Client;

use super::search::{self, NEWS_COLUMNS};
use super::web_search::rss;
use crate::Shared;

pub(super) struct RssReader {
    net: Client,
}

impl RssReader {
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            net: shared.net.clone(),
        }
    }
}

impl Component for RssReader {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("RSSReaderSimple", "RSS Reader")
            .category("data_source")
            .icon("rss")
            .description("Reads the entries of a feed.")
            .help(include_str!("rss_reader.rs"))
            .legacy()
            .field(
                FieldSpec::message_text("rss_url", "RSS Feed URL")
                    .info("The address of the feed.")
                    .required()
                    .tool(),
            )
            .field(search::timeout_field())
            .output(OutputSpec::new("articles", "Articles", "read_rss", &["Table"]))
    }

    fn run(&self, call: Call) -> Step {
        let net = self.net.clone();
        Step::later(
            async move { search::outcome("articles", NEWS_COLUMNS, rss(&call, &net, "rss_url").await) },
        )
    }
}
