//! Searches Google News. New flows use Web Search in the mode News.
//!
//! - **Search Query**: words to search for.
//! - **Topic** or **Location**: the headlines of a topic (`WORLD`, `BUSINESS`, …) or of a place, instead of a search.
//! - **Language**, **Country**, **Country:Language**: which edition, such as `de`, `DE` and `DE:de`.
//!
//! The result is a table with `title`, `link`, `published` and `summary`.
//!
//! Example: topic `SCIENCE`, language `fr`, country `FR`, `FR:fr`.
//!
//! Common mistakes: a topic or a location takes the place of the query; links lead to Google first. When the search
//! fails, there is one row titled `Error`.

use ferro_engine::{Call, Component, Step};
use ferro_model::{Descriptor, OutputSpec};
use ferro_net::Client;

use super::search::{self, NEWS_COLUMNS};
use super::web_search::{NEWS, headlines};
use crate::Shared;

pub(super) struct NewsSearch {
    net: Client,
}

impl NewsSearch {
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            net: shared.net.clone(),
        }
    }
}

impl Component for NewsSearch {
    fn descriptor(&self) -> Descriptor {
        let descriptor = Descriptor::new("NewsSearch", "News Search")
            .category("data_source")
            .icon("newspaper")
            .description("Searches Google News.")
            .help(include_str!("news_search.rs"))
            .legacy()
            .field(search::query_field("Words to search for."));
        search::with_news_fields(descriptor).output(OutputSpec::new(
            "articles",
            "News Articles",
            "search_news",
            &["Table"],
        ))
    }

    fn run(&self, call: Call) -> Step {
        let net = self.net.clone();
        Step::later(
            async move { search::outcome("articles", NEWS_COLUMNS, headlines(&call, &net, NEWS).await) },
        )
    }
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo, Outcome};

    use super::*;

    #[tokio::test]
    async fn nothing_to_search_for_is_a_row_that_says_so() {
        let net = Client::new(ferro_net::AddressPolicy::default()).unwrap();
        let call = Call::new(
            NodeInfo::default(),
            serde_json::Map::new(),
            vec![],
            Context::nowhere(),
        );
        let Step::Later(work) = (NewsSearch { net }).run(call) else {
            panic!("it takes a while")
        };
        let Ok(Outcome::Done(outputs)) = work.await else {
            panic!("it is done")
        };
        let rows = outputs.get("articles").unwrap().rows();
        assert_eq!(rows[0]["title"], "Error");
        assert!(
            rows[0]["summary"]
                .as_str()
                .unwrap()
                .contains("nothing to search for")
        );
    }
}
