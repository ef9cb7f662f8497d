//! What searches have in common: reading the engine's page, addresses of news feeds, and tables of results.

use ferro_engine::{Call, Cause, Context, Failure, Outcome, Outputs, Table, Value};
use ferro_model::{Descriptor, FieldSpec};
use ferro_net::{Client, Limits};
use url::Url;

use super::fetch::{self, fetch};
use crate::feed::{self, Entry};
use crate::html::{self, Piece};
use crate::wait::busy;

pub(super) const MAX_FEED: u64 = 8 * 1024 * 1024;
pub(super) const NEWS_COLUMNS: [&str; 4] = ["title", "link", "published", "summary"];

pub(super) fn query_field(info: &str) -> FieldSpec {
    FieldSpec::message_text("query", "Search Query")
        .info(info)
        .required()
        .tool()
}

pub(super) fn timeout_field() -> FieldSpec {
    FieldSpec::int("timeout", "Timeout", 5)
        .info("Seconds until an answer is given up.")
        .advanced()
}

/// The fields of every search of the news.
pub(super) fn with_news_fields(descriptor: Descriptor) -> Descriptor {
    let text = |name: &str, label: &str, info: &str| {
        FieldSpec::message_text(name, label)
            .accepts(&[])
            .info(info)
            .advanced()
    };
    let topics = "WORLD, NATION, BUSINESS, TECHNOLOGY, ENTERTAINMENT, SCIENCE, SPORTS or HEALTH.";
    descriptor
        .field(text("hl", "Language (hl)", "Such as en-US, fr or de."))
        .field(text("gl", "Country (gl)", "Such as US, FR or DE."))
        .field(text("ceid", "Country:Language (ceid)", "Such as US:en or FR:fr.").value("US:en"))
        .field(text("topic", "Topic", topics))
        .field(text(
            "location",
            "Location (Geo)",
            "A city, a region or a country.",
        ))
        .field(timeout_field())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hit {
    pub title: String,
    pub link: String,
    pub snippet: String,
}

/// The results on the engine's page, advertisements left out.
pub(super) fn hits(page: &str) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    let mut reading = Reading::Nothing;
    html::walk(page, |piece| match piece {
        Piece::Open(tag) if tag.name() == "a" && tag.has_class("result__a") => {
            let link = tag.attribute("href").and_then(target).unwrap_or_default();
            hits.push(Hit {
                link,
                ..Hit::default()
            });
            reading = Reading::Title;
        }
        Piece::Open(tag) if tag.has_class("result__snippet") => {
            reading = Reading::Snippet(tag.name().to_owned())
        }
        Piece::Open(_) => {}
        Piece::Text(text) => {
            if let Some(hit) = hits.last_mut() {
                match reading {
                    Reading::Title => hit.title.push_str(text),
                    Reading::Snippet(_) => hit.snippet.push_str(text),
                    Reading::Nothing => {}
                }
            }
        }
        Piece::Close(name) => {
            let ends = match &reading {
                Reading::Title => name == "a",
                Reading::Snippet(tag) => tag == name,
                Reading::Nothing => false,
            };
            if ends {
                reading = Reading::Nothing;
            }
        }
    });
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    hits.retain(|hit| !hit.link.is_empty());
    for hit in &mut hits {
        hit.title = tidy(&hit.title);
        hit.snippet = tidy(&hit.snippet);
    }
    hits
}

enum Reading {
    Nothing,
    Title,
    /// Until this tag is closed.
    Snippet(String),
}

/// Where a result leads: the engine wraps addresses in one of its own. `None` for advertisements.
fn target(href: &str) -> Option<String> {
    let base = Url::parse("https://duckduckgo.com/").ok()?;
    let url = base.join(href).ok()?;
    let own = url
        .host_str()
        .is_some_and(|host| host == "duckduckgo.com" || host.ends_with(".duckduckgo.com"));
    if !own {
        return matches!(url.scheme(), "http" | "https").then(|| url.to_string());
    }
    let inner = url
        .query_pairs()
        .find(|(name, _)| name == "uddg")
        .map(|(_, value)| value.into_owned())?;
    let inner = Url::parse(&inner).ok()?;
    let is_ad = inner
        .host_str()
        .is_some_and(|host| host.ends_with("duckduckgo.com"));
    (!is_ad && matches!(inner.scheme(), "http" | "https")).then(|| inner.to_string())
}

/// The feed for a topic, a place or a search, in this order of preference.
pub(super) fn news_feed(call: &Call, base: &Url) -> Result<Url, Failure> {
    let or = |name: &str, default: &str| {
        Some(call.text(name))
            .filter(|text| !text.trim().is_empty())
            .unwrap_or_else(|| default.to_owned())
    };
    let (topic, location, query) = (call.text("topic"), call.text("location"), call.text("query"));
    let mut url = base.clone();
    let mut path = url
        .path_segments_mut()
        .map_err(|()| Failure::input("query", "The news cannot be reached"))?;
    path.pop_if_empty().push("rss");
    if !topic.trim().is_empty() {
        path.extend(["headlines", "section", "topic"])
            .push(topic.trim().to_uppercase().as_str());
    } else if !location.trim().is_empty() {
        path.extend(["headlines", "section", "geo"]).push(location.trim());
    } else if !query.trim().is_empty() {
        path.push("search");
    } else {
        return Err(Failure::input("query", "There is nothing to search for")
            .advice("Fill in a query, a topic or a location."));
    }
    drop(path);
    let is_search = url.path().ends_with("/search");
    let mut pairs = url.query_pairs_mut();
    if is_search {
        pairs.append_pair("q", query.trim());
    }
    pairs
        .append_pair("hl", &or("hl", "en-US"))
        .append_pair("gl", &or("gl", "US"))
        .append_pair("ceid", &or("ceid", "US:en"));
    drop(pairs);
    Ok(url)
}

/// Reads a feed.
pub(super) async fn entries(
    cx: &Context,
    net: &Client,
    url: Url,
    limits: Limits,
) -> Result<Vec<Entry>, Failure> {
    let host = url.host_str().unwrap_or_default().to_owned();
    let answer = fetch(cx, net, fetch::page_request(url, limits)?).await?;
    if answer.status != 200 {
        return Err(
            Failure::outside(format!("`{host}` answered with status {}", answer.status))
                .advice("Check the address, or try again later."),
        );
    }
    busy(cx, move || {
        feed::read(&answer.text()).ok_or_else(|| {
            Failure::outside(format!("What `{host}` answered is not a feed"))
                .advice("Give the address of the RSS or Atom feed itself, not of the page it is on.")
        })
    })
    .await
}

pub(super) fn articles(entries: Vec<Entry>) -> Table {
    let mut table = Table::new(NEWS_COLUMNS.map(str::to_owned).to_vec());
    for entry in entries {
        table.cells.push(
            [entry.title, entry.link, entry.published, entry.summary]
                .map(Into::into)
                .to_vec(),
        );
    }
    table
}

/// A search that failed is a result too: one row titled `Error`, so that an agent can read what went wrong.
pub(super) fn outcome(
    output: &'static str,
    columns: [&str; 4],
    found: Result<Table, Failure>,
) -> Result<Outcome, Failure> {
    let table = match found {
        Ok(table) => table,
        Err(failure) if failure.cause == Cause::Cancelled => return Err(failure),
        Err(failure) => {
            let text = if failure.advice.is_empty() {
                failure.message
            } else {
                format!("{}. {}", failure.message, failure.advice)
            };
            let mut table = Table::new(columns.map(str::to_owned).to_vec());
            let cell = |name: &str| match name {
                "title" => "Error".into(),
                "snippet" | "summary" => text.clone().into(),
                _ => "".into(),
            };
            table.cells.push(columns.iter().map(|name| cell(name)).collect());
            table
        }
    };
    Ok(Outputs::one(output, Value::table(table)))
}

#[cfg(test)]
mod tests {
    use ferro_engine::NodeInfo;
    use serde_json::{Map, Value as Json, json};

    use super::*;

    const PAGE: &str = r#"<div class="result results_links web-result">
        <h2><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2Fa%3Fx%3D1&amp;rut=z">An <b>example</b></a></h2>
        <a class="result__url" href="x">example.com</a>
        <a class="result__snippet" href="y">What <b>it</b> says</a></div>
        <div class="result result--ad"><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad">Buy</a>
        <a class="result__snippet">now</a></div>
        <div class="result"><a class="result__a" href="https://direct.test/">Direct</a></div>
        <div class="result"><a class="result__a" href="javascript:alert(1)">Bad</a></div>"#;

    #[test]
    fn results_without_advertisements() {
        let hit = |title: &str, link: &str, snippet: &str| Hit {
            title: title.to_owned(),
            link: link.to_owned(),
            snippet: snippet.to_owned(),
        };
        assert_eq!(
            hits(PAGE),
            [
                hit("An example", "https://example.com/a?x=1", "What it says"),
                hit("Direct", "https://direct.test/", "")
            ]
        );
        assert!(hits("<html>blocked</html>").is_empty());
    }

    fn feed(fields: Json) -> Result<String, Failure> {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let call = Call::new(NodeInfo::default(), fields, vec![], Context::nowhere());
        news_feed(&call, &Url::parse("https://news.test").unwrap()).map(|url| url.to_string())
    }

    #[test]
    fn addresses_of_news() {
        let tail = "hl=en-US&gl=US&ceid=US%3Aen";
        assert_eq!(
            feed(json!({ "query": "a & b" })).unwrap(),
            format!("https://news.test/rss/search?q=a+%26+b&{tail}")
        );
        let topic =
            feed(json!({ "query": "x", "topic": "world", "hl": "de", "gl": "DE", "ceid": "DE:de" })).unwrap();
        assert_eq!(
            topic,
            "https://news.test/rss/headlines/section/topic/WORLD?hl=de&gl=DE&ceid=DE%3Ade"
        );
        assert!(
            feed(json!({ "location": "São Paulo/x" }))
                .unwrap()
                .contains("/geo/S%C3%A3o%20Paulo%2Fx?")
        );
        assert!(feed(Json::Object(Map::new())).is_err());
    }
}
