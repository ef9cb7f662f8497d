//! Follows links from page to page, within bounds.

use std::collections::HashSet;

use ferro_engine::{Call, Cause, Context, Failure};
use ferro_net::{Client, Limits, Request, Secret};
use futures_util::StreamExt as _;
use url::Url;

use super::fetch::{self, Fetched, fetch};
use super::secrecy;
use crate::documents::decode;
use crate::html::{self, Style};
use crate::wait::busy;

/// Of one crawl, whatever its depth.
pub(super) const MAX_PAGES: usize = 50;
/// All texts together.
const MAX_TEXT: usize = 16 * 1024 * 1024;
/// Pages asked for at a time.
const AT_ONCE: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Html,
    Markdown,
}

pub(super) struct Settings {
    pub depth: usize,
    pub how: How,
    pub limits: Limits,
    pub headers: Vec<(String, String)>,
    pub follows_redirects: bool,
    /// Style sheets and scripts are left out.
    pub only_pages: bool,
    pub goes_on: bool,
    /// 404 and the like are failures.
    pub checks_status: bool,
}

/// How a page is read.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub format: Format,
    /// Links that leave the folder of the address they started from are not followed.
    pub stays_inside: bool,
    /// The page itself may say how it is encoded.
    pub detects_encoding: bool,
}

pub(super) struct Page {
    pub url: String,
    pub title: String,
    pub description: String,
    pub language: String,
    pub content_type: String,
    pub text: String,
}

struct Step {
    url: Url,
    /// The folder its crawl began in.
    root: Url,
}

pub(super) async fn crawl(
    call: &Call,
    net: &Client,
    starts: Vec<Url>,
    settings: &Settings,
) -> Result<Vec<Page>, Failure> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut level: Vec<Step> = starts
        .into_iter()
        .map(|url| Step {
            root: folder(&url),
            url,
        })
        .collect();
    let (mut pages, mut asked, mut weight) = (Vec::new(), 0, 0);
    let mut first_failure = None;
    for depth in 1..=settings.depth {
        level.retain(|step| seen.insert(key(&step.url)));
        level.truncate(MAX_PAGES - asked);
        asked += level.len();
        let mut next = Vec::new();
        let visits = level.into_iter().map(|step| visit(&call.cx, net, step, settings));
        let mut visits = futures_util::stream::iter(visits).buffered(AT_ONCE);
        while let Some(visited) = visits.next().await {
            match visited {
                Ok(None) => {}
                Ok(Some(visited)) => {
                    // Two addresses that lead to the same page.
                    if visited.redirected && !seen.insert(key(&visited.at)) {
                        continue;
                    }
                    weight += visited.page.text.len();
                    if weight > MAX_TEXT {
                        call.cx.log(
                            "URL",
                            format!("Stopped after {} pages: there is too much text.", pages.len()),
                        );
                        return Ok(pages);
                    }
                    pages.push(visited.page);
                    if depth < settings.depth {
                        next.extend(visited.links.into_iter().map(|url| Step {
                            url,
                            root: visited.root.clone(),
                        }));
                    }
                }
                Err(failure) if failure.cause == Cause::Cancelled || !settings.goes_on => {
                    return Err(failure);
                }
                Err(failure) => {
                    call.cx.log("URL", failure.to_string());
                    first_failure.get_or_insert(failure);
                }
            }
        }
        level = next;
    }
    match first_failure {
        Some(failure) if pages.is_empty() => Err(failure),
        _ => Ok(pages),
    }
}

struct Visited {
    page: Page,
    at: Url,
    redirected: bool,
    root: Url,
    links: Vec<Url>,
}

/// `None` for what is not a page.
async fn visit(
    cx: &Context,
    net: &Client,
    step: Step,
    settings: &Settings,
) -> Result<Option<Visited>, Failure> {
    let mut request = Request::get(step.url.clone()).limits(settings.limits);
    if !settings.follows_redirects {
        request = request.no_redirects();
    }
    for (name, value) in &settings.headers {
        let set = if secrecy::is_secret(name) {
            request.secret_header(name, &Secret::new(value.as_str()))
        } else {
            request.header(name, value)
        };
        request = set.map_err(fetch::failure)?;
    }
    let answer = fetch(cx, net, request).await?;
    if settings.checks_status && answer.status >= 400 {
        return Err(Failure::outside(format!(
            "{} answered with status {}",
            secrecy::address(&step.url),
            answer.status
        ))
        .advice("Check the address, or turn off Check Response Status."));
    }
    let kind = answer.content_type();
    if !is_readable(&kind) || (settings.only_pages && matches!(kind.as_str(), "text/css" | "text/javascript"))
    {
        return Ok(None);
    }
    let how = settings.how;
    busy(cx, move || Ok(Some(read(&answer, kind, step, how)))).await
}

fn is_readable(kind: &str) -> bool {
    let texts = [
        "application/json",
        "application/xml",
        "application/xhtml+xml",
        "application/javascript",
    ];
    kind.is_empty()
        || kind.starts_with("text/")
        || kind.ends_with("+json")
        || kind.ends_with("+xml")
        || texts.contains(&kind)
}

fn read(answer: &Fetched, kind: String, step: Step, how: How) -> Visited {
    let charset = decode::charset(answer.full_content_type());
    let source = match charset {
        Some(charset) => decode::page(&answer.body, Some(charset)),
        None if how.detects_encoding => decode::page(&answer.body, None),
        None => String::from_utf8_lossy(&answer.body).into_owned(),
    };
    let is_html = kind.contains("html") || (kind.is_empty() && source.trim_start().starts_with('<'));
    let read = if is_html {
        html::read(
            &source,
            if how.format == Format::Markdown {
                Style::Markdown
            } else {
                Style::Text
            },
        )
    } else {
        html::Page::default()
    };
    let base = read
        .base
        .as_deref()
        .and_then(|base| answer.url.join(base).ok())
        .unwrap_or_else(|| answer.url.clone());
    let links = read.links.iter().filter_map(|link| base.join(link).ok());
    let links = links.filter(|link| {
        matches!(link.scheme(), "http" | "https") && (!how.stays_inside || is_inside(&step.root, link))
    });
    let links = links.take(MAX_PAGES * 4).collect();
    let text = if is_html && how.format != Format::Html {
        read.text
    } else {
        source
    };
    Visited {
        redirected: key(&answer.url) != key(&step.url),
        page: Page {
            url: secrecy::address(&answer.url),
            title: read.title,
            description: read.description,
            language: read.language,
            content_type: kind,
            text,
        },
        at: answer.url.clone(),
        root: step.root,
        links,
    }
}

/// The same page under another fragment is the same page.
fn key(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    url.to_string()
}

fn folder(url: &Url) -> Url {
    let mut folder = url.join(".").unwrap_or_else(|_| url.clone());
    folder.set_query(None);
    folder.set_fragment(None);
    folder
}

fn is_inside(root: &Url, url: &Url) -> bool {
    url.origin() == root.origin() && url.path().starts_with(root.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_is_below_the_folder() {
        let url = |text: &str| Url::parse(text).unwrap();
        let root = folder(&url("https://a.test/docs/index.html?x#y"));
        assert_eq!(root.as_str(), "https://a.test/docs/");
        assert!(is_inside(&root, &url("https://a.test/docs/b/c")));
        assert!(!is_inside(&root, &url("https://a.test/other")));
        assert!(!is_inside(&root, &url("https://b.test/docs/")));
        assert!(!is_inside(&root, &url("http://a.test/docs/")));
        assert_eq!(key(&url("https://a.test/x#1")), key(&url("https://a.test/x#2")));
    }
}
