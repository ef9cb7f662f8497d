//! Components that bring data from the outside: pages, services, searches, databases.

mod api_request;
mod crawl;
mod curl;
pub(crate) mod fetch;
mod load_csv;
mod load_json;
mod mock_data;
mod news_search;
mod one_source;
mod rss_reader;
mod search;
pub(crate) mod secrecy;
mod sql_database;
mod url_pages;
mod web_search;

use std::sync::Arc;

use ferro_engine::Component;

use crate::Shared;

pub(crate) fn all(shared: &Shared) -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(api_request::ApiRequest::new(shared)),
        Arc::new(url_pages::UrlPages::new(shared)),
        Arc::new(web_search::WebSearch::new(shared)),
        Arc::new(news_search::NewsSearch::new(shared)),
        Arc::new(rss_reader::RssReader::new(shared)),
        Arc::new(sql_database::SqlDatabase),
        Arc::new(mock_data::MockData),
        Arc::new(load_csv::LoadCsv),
        Arc::new(load_json::LoadJson),
    ]
}
