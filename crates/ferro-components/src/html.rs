//! HTML as text or Markdown, with its title, links and language.
//!
//! Reads the stream of tags without building a tree: pages are nested and broken in every way there is, and a tree
//! of them costs more than it tells.

mod render;
mod walk;

pub(crate) use walk::{Piece, walk};

/// How a page is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Text,
    Markdown,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub title: String,
    pub description: String,
    pub language: String,
    /// What links are relative to, when the page says so.
    pub base: Option<String>,
    /// The targets of its links as they are written, without repetitions.
    pub links: Vec<String>,
    pub text: String,
}

pub(crate) fn read(html: &str, style: Style) -> Page {
    let mut reader = render::Renderer::new(style);
    walk(html, |piece| reader.take(&piece));
    reader.finish()
}

/// A piece of HTML as one line of text.
pub(crate) fn line(html: &str) -> String {
    read(html, Style::Text)
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const PAGE: &str = r##"<!doctype html><html lang="en-GB"><head><title>A &amp; B</title>
        <meta name="description" content="What it is about"><style>p { color: red }</style>
        <script>if (a < b) { document.write("<p>no</p>") }</script></head>
        <body><h1>Top</h1><p>One   <b>bold</b> and <em>soft</em>
        word.<br>Next</p><ul><li>first<li>second <a href="/x?a=1&amp;b=2">link</a></ul>
        <pre>  kept
   as is</pre><table><tr><th>k<th>v</tr><tr><td>1<td>a|b</tr></table><ol><li>uno</li><li>due</li></ol>
        <blockquote><p>said</p><p>twice</p></blockquote><img src="i.png" alt="a picture"><a href="/x?a=1&amp;b=2"></a></body></html>"##;

    #[test]
    fn as_text() {
        let page = read(PAGE, Style::Text);
        assert_eq!((page.title.as_str(), page.language.as_str()), ("A & B", "en-GB"));
        assert_eq!(page.description, "What it is about");
        assert_eq!(page.links, ["/x?a=1&b=2"]);
        expect![[r#"
            Top

            One bold and soft word.
            Next

            - first
            - second link

              kept
               as is

            k	v
            1	a|b

            1. uno
            2. due

            said

            twice"#]]
        .assert_eq(&page.text);
    }

    #[test]
    fn as_markdown() {
        expect![[r#"
            # Top

            One **bold** and *soft* word.
            Next

            - first
            - second [link](/x?a=1&b=2)

            ```
              kept
               as is
            ```

            | k | v |
            | --- | --- |
            | 1 | a\|b |

            1. uno
            2. due

            > said
            > 
            > twice

            ![a picture](i.png)"#]]
        .assert_eq(&read(PAGE, Style::Markdown).text);
    }

    #[test]
    fn broken_and_deep_pages_are_read_all_the_same() {
        assert_eq!(line("<b>a<i>b</b>c</i>"), "abc");
        assert_eq!(
            line("a <!-- x > y --> b &nbsp; &#8364; &bogus; <"),
            "a b € &bogus; <"
        );
        let deep = "<div><b>".repeat(200_000) + "x";
        assert_eq!(line(&deep), "x");
        let unbalanced = "</i>".repeat(200_000) + "x";
        assert_eq!(read(&unbalanced, Style::Markdown).text, "x");
    }
}
