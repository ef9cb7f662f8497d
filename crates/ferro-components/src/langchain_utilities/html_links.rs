//! Finds the links in pages.
//!
//! Each object comes out as it went in, with one more key: `links`, a list of `{"kind", "direction", "tag"}`. The tag is the address;
//! `out` are links of the page, `in` is the page itself, when its address is known.
//!
//! | field | what it does |
//! |---|---|
//! | Input | pages: objects whose text is HTML |
//! | Kind of edge | a name that every link gets |
//! | Drop URL fragments | leaves out what comes after `#` |
//!
//! Addresses are completed with the page's own, taken from its key `source` or `url`.
//!
//! **Example.** `<a href="/about">` on a page with the source `https://example.com/` gives `https://example.com/about`.
//!
//! **Common mistakes.** The text must still be HTML: set URL to the format HTML. A page without a known address keeps short addresses
//! as they are.

use std::collections::BTreeSet;

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};
use url::Url;

use crate::text::fields::{list, objects, on_by_default, paced, text_or, weight};

pub(crate) struct HtmlLinkExtractor;

impl Component for HtmlLinkExtractor {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("HtmlLinkExtractor", "HTML Link Extractor")
            .category("langchain_utilities")
            .icon("link")
            .description("Finds the links in pages.")
            .help(include_str!("html_links.rs"))
            .field(
                FieldSpec::text("kind", "Kind of edge")
                    .value("hyperlink")
                    .info("A name that every link gets."),
            )
            .field(
                FieldSpec::bool("drop_fragments", "Drop URL fragments", true)
                    .info("Leave out what comes after #."),
            )
            .field(
                FieldSpec::handle("data_input", "Input", &["Document", "Data", "JSON"])
                    .required()
                    .list()
                    .info("Pages whose text is HTML."),
            )
            .output(OutputSpec::new("data", "Data", "transform_data", &["JSON"]))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_input"), move || extract(&call))
    }
}

fn extract(call: &Call) -> Result<Outcome, Failure> {
    let kind = text_or(call, "kind", "hyperlink");
    let fragments = if on_by_default(call, "drop_fragments") {
        Fragments::Drop
    } else {
        Fragments::Keep
    };
    let mut pages = objects(call, "data_input")?;
    for page in &mut pages {
        let base = ["source", "url"]
            .iter()
            .find_map(|key| Url::parse(page.map.get(*key)?.as_str()?).ok());
        let html = page.text().into_owned();
        let found: BTreeSet<String> = hrefs(&html)
            .iter()
            .filter_map(|href| address(href, base.as_ref(), fragments))
            .collect();
        let itself = base
            .iter()
            .map(|url| json!({ "kind": kind, "direction": "in", "tag": url.as_str() }));
        let links: Vec<Json> = found
            .iter()
            .map(|tag| json!({ "kind": kind, "direction": "out", "tag": tag }))
            .chain(itself)
            .collect();
        page.map.insert("links".to_owned(), links.into());
    }
    Ok(Outputs::one("data", list(pages)))
}

/// What happens to the part of an address after `#`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fragments {
    Keep,
    Drop,
}

fn address(href: &str, base: Option<&Url>, fragments: Fragments) -> Option<String> {
    let href = href.trim().replace("&amp;", "&");
    if href.is_empty() || href.starts_with('#') {
        return None;
    }
    let parsed = match base {
        Some(base) => base.join(&href).ok(),
        None => Url::parse(&href).ok(),
    };
    match parsed {
        Some(mut url) if matches!(url.scheme(), "http" | "https") => {
            if fragments == Fragments::Drop {
                url.set_fragment(None);
            }
            Some(url.into())
        }
        Some(_) => None,
        None if fragments == Fragments::Drop => Some(href.split('#').next().unwrap_or_default().to_owned()),
        None => Some(href),
    }
}

/// The `href` of every `<a …>`, quoted or not.
fn hrefs(html: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let Some(attributes) = rest
            .strip_prefix(['a', 'A'])
            .filter(|after| after.starts_with(char::is_whitespace))
        else {
            continue;
        };
        if let Some(value) = href(attributes) {
            found.push(value);
        }
    }
    found
}

fn href(mut rest: &str) -> Option<&str> {
    loop {
        rest = rest.trim_start();
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>'))
            .filter(|&end| end > 0)?;
        let (name, after) = rest.split_at(end);
        let Some(after) = after.trim_start().strip_prefix('=') else {
            rest = after;
            continue;
        };
        let after = after.trim_start();
        let (value, next) = match after.chars().next()? {
            quote @ ('"' | '\'') => after[1..].split_once(quote)?,
            _ => after.split_at(
                after
                    .find(|c: char| c.is_whitespace() || c == '>')
                    .unwrap_or(after.len()),
            ),
        };
        if name.eq_ignore_ascii_case("href") {
            return Some(value);
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_links_however_they_are_written() {
        let html = r#"<A class='x' HREF="/a">1</A><a href=b>2</a><a href='c' >3</a><abbr href="no"><a name=x><a title="<" href="d">"#;
        assert_eq!(hrefs(html), ["/a", "b", "c", "d"]);
        for broken in [
            "<a",
            "<a ",
            "<a href",
            "<a href=",
            "<a href=\"x",
            "<a =",
            "<",
            "<a\u{a0}href=\"é\">",
        ] {
            let _ = hrefs(broken);
        }
    }
}
