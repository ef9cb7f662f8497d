//! Searches the web, the news, or reads a feed; no account is needed.
//!
//! - **Search Mode**: `Web` asks DuckDuckGo and reads the pages it finds; `News` asks Google News; `RSS` reads the feed
//!   whose address is the query.
//! - **Search Query**: words to search for, or the address of a feed.
//! - **Max Results**: how many pages a web search reads. **Max Content Length**: how many characters of each page are kept.
//! - **Language**, **Country**, **Topic**, **Location**: for news only. A topic (`WORLD`, `TECHNOLOGY`, …) or a place
//!   takes the place of the query.
//! - **Timeout**: seconds until a page is given up.
//!
//! Web results have the columns `title`, `link`, `snippet`, `content`; news and feeds have `title`, `link`, `published`,
//! `summary`.
//!
//! Example: mode `News`, query `rust programming` → Parser with `{title}: {link}` → Chat Output.
//!
//! Common mistakes: when the search fails, there is one row titled `Error` that says why, not a failure of the node, so
//! that an agent can read it; a search engine that is asked too often answers with nothing for a while.

use ferro_engine::{Call, Cause, Component, Context, Failure, Step, Table};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use ferro_net::{Client, Limits};
use futures_util::StreamExt as _;
use serde_json::Value as Json;
use url::Url;

use super::fetch::{self, fetch};
use super::search::{self, Hit, MAX_FEED, NEWS_COLUMNS};
use crate::Shared;
use crate::documents::decode;
use crate::html;
use crate::text::fields;
use crate::wait::busy;

pub(super) struct WebSearch {
    net: Client,
    engine: String,
    news: String,
}

const WEB_COLUMNS: [&str; 4] = ["title", "link", "snippet", "content"];
const ENGINE: &str = "https://html.duckduckgo.com/html/";
pub(super) const NEWS: &str = "https://news.google.com/";
/// More pages than this are not read in one search.
const MAX_RESULTS: usize = 50;
const MAX_PAGE: u64 = 4 * 1024 * 1024;
const AT_ONCE: usize = 5;

impl WebSearch {
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            net: shared.net.clone(),
            engine: ENGINE.to_owned(),
            news: NEWS.to_owned(),
        }
    }
}

impl Component for WebSearch {
    fn descriptor(&self) -> Descriptor {
        let descriptor = Descriptor::new("UnifiedWebSearch", "Web Search")
            .category("data_source")
            .icon("search")
            .description("Searches the web or the news, or reads a feed.")
            .help(include_str!("web_search.rs"))
            .field(
                FieldSpec::tab("search_mode", "Search Mode", &["Web", "News", "RSS"], "Web")
                    .info("What to search.")
                    .tool()
                    .refresh(),
            )
            .field(search::query_field(
                "Words to search for, or the address of a feed.",
            ));
        search::with_news_fields(descriptor)
            .field(
                FieldSpec::int("max_results", "Max Results", 5)
                    .info("How many pages a web search reads.")
                    .advanced(),
            )
            .field(
                FieldSpec::int("max_content_length", "Max Content Length", 2000)
                    .info("Characters kept of each page.")
                    .advanced(),
            )
            .output(OutputSpec::new(
                "results",
                "Results",
                "perform_search",
                &["Table"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let (net, engine, news) = (self.net.clone(), self.engine.clone(), self.news.clone());
        Step::later(async move {
            let mode = fields::text_or(&call, "search_mode", "Web");
            let columns = if mode == "Web" { WEB_COLUMNS } else { NEWS_COLUMNS };
            let found = match mode.as_str() {
                "Web" => web(&call, &net, &engine).await,
                "News" => headlines(&call, &net, &news).await,
                "RSS" => rss(&call, &net, "query").await,
                other => Err(
                    Failure::input("search_mode", format!("There is no mode {other:?}"))
                        .advice("Use Web, News or RSS."),
                ),
            };
            search::outcome("results", columns, found)
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field != "search_mode" {
            return Ok(());
        }
        let news = ["hl", "gl", "ceid", "topic", "location"];
        let web = ["max_results", "max_content_length"];
        let all = [&news[..], &web[..]].concat();
        let shown: &[&str] = match value.as_str() {
            Some("News") => &news,
            Some("RSS") => &[],
            _ => &web,
        };
        fields::show_only(node, &all, shown);
        let label = if value == "RSS" {
            "RSS Feed URL"
        } else {
            "Search Query"
        };
        fields::set(node, "query", "display_name", label);
        Ok(())
    }
}

async fn web(call: &Call, net: &Client, engine: &str) -> Result<Table, Failure> {
    let query = call.required_text("query")?;
    let limits = fetch::limits(call, 5, MAX_PAGE)?;
    let count = fields::count(call, "max_results", 5, 1)?.min(MAX_RESULTS);
    let length = fields::count(call, "max_content_length", 2000, 0)?;
    let mut url = fetch::address("query", engine)?;
    url.query_pairs_mut().append_pair("q", query.trim());
    let answer = fetch(&call.cx, net, fetch::page_request(url, limits)?).await?;
    if answer.status != 200 {
        return Err(Failure::outside(format!(
            "The search engine answered with status {}",
            answer.status
        ))
        .advice("It may have been asked too often: wait a while and try again."));
    }
    let mut hits = busy(&call.cx, move || Ok(search::hits(&answer.text()))).await?;
    hits.truncate(count);
    let pages = hits
        .into_iter()
        .map(|hit| content(&call.cx, net, hit, limits, length));
    let mut pages = futures_util::stream::iter(pages).buffered(AT_ONCE);
    let mut table = Table::new(WEB_COLUMNS.map(str::to_owned).to_vec());
    while let Some(page) = pages.next().await {
        let (hit, content) = page?;
        table.cells.push(
            [hit.title, hit.link, hit.snippet, content]
                .map(Json::String)
                .to_vec(),
        );
    }
    Ok(table)
}

/// The text of a page that was found, or why it could not be read.
async fn content(
    cx: &Context,
    net: &Client,
    hit: Hit,
    limits: Limits,
    length: usize,
) -> Result<(Hit, String), Failure> {
    let read = async {
        let answer = fetch(
            cx,
            net,
            fetch::page_request(fetch::address("query", &hit.link)?, limits)?,
        )
        .await?;
        if answer.status >= 400 {
            return Err(Failure::outside(format!("status {}", answer.status)));
        }
        let kind = answer.content_type();
        if !kind.is_empty() && !kind.starts_with("text/") && !kind.contains("html") && !kind.contains("json")
        {
            return Err(Failure::outside(format!("it is {kind}")));
        }
        busy(cx, move || {
            let source = decode::page(&answer.body, decode::charset(answer.full_content_type()));
            let text = if kind == "text/plain" || kind.contains("json") {
                source
            } else {
                html::read(&source, html::Style::Text).text
            };
            Ok(text.chars().take(length).collect::<String>())
        })
        .await
    };
    match read.await {
        Ok(text) => Ok((hit, text)),
        Err(failure) if failure.cause == Cause::Cancelled => Err(failure),
        Err(failure) => Ok((hit, format!("(The page could not be read: {failure})"))),
    }
}

pub(super) async fn headlines(call: &Call, net: &Client, news: &str) -> Result<Table, Failure> {
    let url = search::news_feed(
        call,
        &Url::parse(news).map_err(|_| Failure::unavailable("The news cannot be reached"))?,
    )?;
    let found = search::entries(&call.cx, net, url, fetch::limits(call, 5, MAX_FEED)?).await?;
    Ok(search::articles(found))
}

pub(super) async fn rss(call: &Call, net: &Client, field: &str) -> Result<Table, Failure> {
    let url = fetch::address(field, &call.required_text(field)?)?;
    let found = search::entries(&call.cx, net, url, fetch::limits(call, 5, MAX_FEED)?).await?;
    Ok(search::articles(found))
}

#[cfg(test)]
#[path = "../../tests/web/server.rs"]
#[expect(dead_code, reason = "the integration tests use all of it")]
mod server;

#[cfg(test)]
mod tests {
    use ferro_engine::{NodeInfo, Outcome};
    use serde_json::json;

    use super::server::{Reply, Server, answer, page};
    use super::*;

    async fn search(server: &Server, fields: Json) -> Vec<serde_json::Map<String, Json>> {
        let policy = ferro_net::AddressPolicy::default().allow(server.address.to_string().parse().unwrap());
        let net = Client::new(policy).unwrap();
        let component = WebSearch {
            net,
            engine: server.url("/html/"),
            news: server.url("/"),
        };
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let call = Call::new(NodeInfo::default(), fields, vec![], Context::nowhere());
        let Step::Later(work) = component.run(call) else {
            panic!("it takes a while")
        };
        let Ok(Outcome::Done(outputs)) = work.await else {
            panic!("it is done")
        };
        outputs.get("results").unwrap().rows()
    }

    fn hit(title: &str, address: &str) -> String {
        let wrapped: String = url::form_urlencoded::byte_serialize(address.as_bytes()).collect();
        format!(
            r#"<a class="result__a" href="//duckduckgo.com/l/?uddg={wrapped}">{title}</a><a class="result__snippet">about {title}</a>"#
        )
    }

    #[tokio::test]
    async fn a_web_search_reads_the_pages_it_finds() {
        let server = Server::start(|path, request| {
            let host = request
                .lines()
                .find_map(|line| line.strip_prefix("host: "))
                .unwrap_or_default();
            let at = |path: &str| format!("http://{host}{path}");
            match path {
                "/html/?q=rust+%26+co" => page(
                    &[
                        hit("one", &at("/one")),
                        hit("two", &at("/two")),
                        hit("in", "http://10.0.0.1/"),
                        hit("four", &at("/four")),
                    ]
                    .concat(),
                ),
                "/one" => page("<title>x</title><p>First page of many words</p>"),
                "/two" => answer("404 Not Found", "", ""),
                _ => answer("200 OK", "content-type: application/pdf\r\n", "%PDF"),
            }
        })
        .await;
        let rows = search(
            &server,
            json!({ "query": "rust & co", "max_results": 3, "max_content_length": 10 }),
        )
        .await;
        assert_eq!(rows.len(), 3);
        assert_eq!(
            Json::Object(rows[0].clone()),
            json!({ "title": "one", "link": server.url("/one"), "snippet": "about one", "content": "First page" })
        );
        assert!(rows[1]["content"].as_str().unwrap().contains("404"));
        assert!(rows[2]["content"].as_str().unwrap().contains("private network"));
        assert!(!server.paths().contains(&"/four".to_owned()));
    }

    #[tokio::test]
    async fn news_and_an_engine_that_refuses() {
        let server = Server::start(|path, _| match path {
            "/rss/search?q=rust&hl=en-US&gl=US&ceid=US%3Aen" => answer(
                "200 OK",
                "",
                "<rss><channel><item><title>N</title></item></channel></rss>",
            ),
            _ => answer("202 Accepted", "", "try later"),
        })
        .await;
        let rows = search(&server, json!({ "search_mode": "News", "query": "rust" })).await;
        assert_eq!(rows[0]["title"], "N");
        let rows = search(&server, json!({ "query": "rust" })).await;
        assert_eq!((rows.len(), rows[0]["title"].clone()), (1, json!("Error")));
        assert!(rows[0]["snippet"].as_str().unwrap().contains("202"), "{rows:?}");
        let rows = search(&server, json!({ "query": "" })).await;
        assert_eq!(rows[0]["title"], "Error");
        let rows = search(&server, json!({ "search_mode": "Maps", "query": "x" })).await;
        assert!(rows[0]["summary"].as_str().unwrap().contains("Maps"), "{rows:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn an_engine_that_hangs_is_given_up() {
        let server = Server::start(|_, _| Reply::Silence).await;
        let rows = search(&server, json!({ "query": "rust", "timeout": 2 })).await;
        assert!(
            rows[0]["snippet"].as_str().unwrap().contains("longer than 2s"),
            "{rows:?}"
        );
    }
}
