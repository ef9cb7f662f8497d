//! RSS and Atom feeds.

use crate::documents::xml::{self, Piece};
use crate::html;

/// More entries than anyone reads.
const MAX_ENTRIES: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub title: String,
    pub link: String,
    pub published: String,
    /// As plain text.
    pub summary: String,
}

/// The entries of a feed; `None` when it is no feed at all.
pub(crate) fn read(source: &str) -> Option<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut current: Option<Entry> = None;
    let mut is_feed = false;
    let mut text = String::new();
    let mut depth = 0_usize;
    // What could be read before the XML broke is still worth having.
    let _ = xml::walk(source, |piece| match piece {
        Piece::Open(tag) => {
            match tag.name() {
                "rss" | "feed" | "RDF" | "channel" => is_feed = true,
                "item" | "entry" if entries.len() < MAX_ENTRIES => {
                    current = Some(Entry::default());
                    depth = 0;
                }
                "link" => {
                    if let (Some(entry), Some(link)) = (&mut current, tag.attribute("href"))
                        && (entry.link.is_empty() || tag.attribute("rel").as_deref() == Some("alternate"))
                    {
                        entry.link = link;
                    }
                }
                _ => {}
            }
            depth += 1;
            text.clear();
        }
        Piece::Text(piece) => text.push_str(piece),
        Piece::Close("item" | "entry") => entries.extend(current.take().map(tidy)),
        Piece::Close(name) => {
            // Only what stands directly in an entry: a source or an author has titles and links of its own.
            if depth == 2
                && let Some(entry) = &mut current
            {
                put(entry, name, text.trim());
            }
            depth = depth.saturating_sub(1);
            text.clear();
        }
    });
    is_feed.then_some(entries)
}

fn put(entry: &mut Entry, name: &str, text: &str) {
    let field = match name {
        "title" => &mut entry.title,
        "link" | "guid" | "id" => &mut entry.link,
        "pubDate" | "published" | "date" | "updated" => &mut entry.published,
        "description" | "summary" | "content" | "encoded" => &mut entry.summary,
        _ => return,
    };
    let is_fallback = matches!(name, "guid" | "id") && !text.starts_with("http");
    if field.is_empty() && !is_fallback {
        text.clone_into(field);
    }
}

fn tidy(entry: Entry) -> Entry {
    Entry {
        title: html::line(&entry.title),
        summary: html::line(&entry.summary),
        ..entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rss() {
        let feed = r#"<?xml version="1.0"?><rss><channel><title>Feed</title><link>https://feed</link>
            <item><title>One &amp; only</title><link>https://one</link><pubDate>Mon, 01 Jan 2024</pubDate>
              <description>&lt;p&gt;Hello &lt;b&gt;there&lt;/b&gt;&lt;/p&gt;</description><source url="x"><title>no</title></source></item>
            <item><title><![CDATA[Two <i>x</i>]]></title><guid>https://two</guid></item></channel></rss>"#;
        let entries = read(feed).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(
            entries[0],
            Entry {
                title: "One & only".to_owned(),
                link: "https://one".to_owned(),
                published: "Mon, 01 Jan 2024".to_owned(),
                summary: "Hello there".to_owned()
            }
        );
        assert_eq!(
            (entries[1].title.as_str(), entries[1].link.as_str()),
            ("Two x", "https://two")
        );
    }

    #[test]
    fn atom_and_what_is_no_feed() {
        let feed = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><title>A</title>
            <link rel="self" href="https://self"/><link rel="alternate" href="https://a"/><updated>2024-01-01</updated>
            <author><name>N</name></author><summary type="html">s</summary></entry></feed>"#;
        let entries = read(feed).unwrap();
        assert_eq!(
            (entries[0].link.as_str(), entries[0].published.as_str()),
            ("https://a", "2024-01-01")
        );
        assert_eq!(
            read("<rss><channel><item><title>x</title></item>").unwrap().len(),
            1
        );
        assert_eq!(read("<html><body>no</body></html>"), None);
        assert_eq!(read("{}"), None);
    }
}
