//! Cutting long text into chunks that overlap. Sizes count characters, not bytes.

use std::collections::VecDeque;

use ferro_engine::Failure;

/// How large chunks may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub chunk: usize,
    pub overlap: usize,
}

impl Sizes {
    pub(crate) fn new(chunk: usize, overlap: usize) -> Result<Self, Failure> {
        if overlap > chunk {
            return Err(Failure::input(
                "chunk_overlap",
                format!("The overlap of chunks ({overlap}) is larger than the chunks themselves ({chunk})"),
            )
            .advice("Make the overlap smaller, or the chunks larger."));
        }
        Ok(Self { chunk, overlap })
    }
}

/// What happens to separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// They stand between the pieces of a chunk, not at its ends.
    No,
    /// At the start of what follows them.
    Start,
    /// At the end of what they follow.
    End,
}

/// A part of the text and its length in characters.
type Part<'a> = (&'a str, usize);

/// Bytes all chunks of a text may have together: a large overlap makes many times the text out of it.
const LIMIT: usize = if cfg!(test) { 1 << 20 } else { 128 << 20 };

#[derive(Default)]
struct Chunks {
    texts: Vec<String>,
    bytes: usize,
}

/// Cuts at one separator. A piece without a separator stays whole, however long it is.
pub(crate) fn by_separator(
    text: &str,
    separator: &str,
    keep: Keep,
    sizes: Sizes,
) -> Result<Vec<String>, Failure> {
    let glue = if keep == Keep::No { separator } else { "" };
    let mut chunks = Chunks::default();
    chunks.merge(&parts(text, separator, keep), glue, sizes)?;
    Ok(chunks.texts)
}

/// Cuts at the first separator that occurs, and what is still too long at the next one.
pub(crate) fn recursively(text: &str, separators: &[String], sizes: Sizes) -> Result<Vec<String>, Failure> {
    let mut chunks = Chunks::default();
    recurse(text, separators, sizes, &mut chunks)?;
    Ok(chunks.texts)
}

// As deep as there are separators, which the callers bound.
fn recurse(text: &str, separators: &[String], sizes: Sizes, chunks: &mut Chunks) -> Result<(), Failure> {
    let at = separators
        .iter()
        .position(|separator| separator.is_empty() || text.contains(separator.as_str()));
    let (separator, rest) = match at {
        Some(at) => (separators[at].as_str(), &separators[at + 1..]),
        None => return chunks.merge(&[measured(text)], "", sizes),
    };
    let mut fitting: Vec<Part<'_>> = Vec::new();
    for part in parts(text, separator, Keep::Start) {
        if part.1 < sizes.chunk {
            fitting.push(part);
            continue;
        }
        chunks.merge(&fitting, "", sizes)?;
        fitting.clear();
        if rest.is_empty() || separator.is_empty() {
            chunks.merge(&[part], "", sizes)?;
        } else {
            recurse(part.0, rest, sizes, chunks)?;
        }
    }
    chunks.merge(&fitting, "", sizes)
}

fn measured(text: &str) -> Part<'_> {
    (text, text.chars().count())
}

fn parts<'a>(text: &'a str, separator: &str, keep: Keep) -> Vec<Part<'a>> {
    if separator.is_empty() {
        return text
            .char_indices()
            .map(|(at, c)| (&text[at..at + c.len_utf8()], 1))
            .collect();
    }
    let cut: Vec<&str> = match keep {
        Keep::No => text.split(separator).collect(),
        Keep::End => text.split_inclusive(separator).collect(),
        Keep::Start => {
            let mut starts: Vec<usize> = text.match_indices(separator).map(|(at, _)| at).collect();
            starts.push(text.len());
            let mut from = 0;
            let cut = |to: usize| {
                let part = &text[from..to];
                from = to;
                part
            };
            starts.into_iter().map(cut).collect()
        }
    };
    cut.into_iter()
        .filter(|part| !part.is_empty())
        .map(measured)
        .collect()
}

/// Sentences, found by their closing marks.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '.' | '!' | '?' | '…' => chars.peek().is_none_or(|&(_, next)| next.is_whitespace()),
            '。' | '！' | '？' | '।' => true,
            '\n' => text[at..].starts_with("\n\n"),
            _ => false,
        };
        if ends {
            let end = at + c.len_utf8();
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Packs texts into chunks, with `glue` between them.
pub(crate) fn pack(texts: &[&str], glue: &str, sizes: Sizes) -> Result<Vec<String>, Failure> {
    let parts: Vec<Part<'_>> = texts.iter().map(|text| measured(text)).collect();
    let mut chunks = Chunks::default();
    chunks.merge(&parts, glue, sizes)?;
    Ok(chunks.texts)
}

impl Chunks {
    /// Fills chunks part by part; each begins with as much of the end of the one before as the overlap allows.
    fn merge(&mut self, parts: &[Part<'_>], glue: &str, sizes: Sizes) -> Result<(), Failure> {
        let glue_len = glue.chars().count();
        let mut current: VecDeque<Part<'_>> = VecDeque::new();
        let mut total = 0;
        for &(text, len) in parts {
            let joined = |total: usize, current: &VecDeque<Part<'_>>| {
                total + len + if current.is_empty() { 0 } else { glue_len }
            };
            if !current.is_empty() && joined(total, &current) > sizes.chunk {
                self.push(&current, glue)?;
                while !current.is_empty() && (total > sizes.overlap || joined(total, &current) > sizes.chunk)
                {
                    if let Some((_, gone)) = current.pop_front() {
                        total -= gone + if current.is_empty() { 0 } else { glue_len };
                    }
                }
            }
            total = joined(total, &current);
            current.push_back((text, len));
        }
        self.push(&current, glue)
    }

    fn push(&mut self, current: &VecDeque<Part<'_>>, glue: &str) -> Result<(), Failure> {
        let texts: Vec<&str> = current.iter().map(|(text, _)| *text).collect();
        let chunk = texts.join(glue);
        let chunk = chunk.trim();
        if chunk.is_empty() {
            return Ok(());
        }
        self.bytes += chunk.len();
        if self.bytes > LIMIT {
            return Err(Failure::limit("The chunks together are larger than 128 MB")
                .advice("Make the overlap much smaller than the chunks."));
        }
        self.texts.push(chunk.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(chunk: usize, overlap: usize) -> Sizes {
        Sizes::new(chunk, overlap).unwrap()
    }

    #[test]
    fn chunks_overlap() {
        let chunks = by_separator("one two three four", " ", Keep::No, sizes(9, 4)).unwrap();
        assert_eq!(chunks, ["one two", "two three", "four"]);
    }

    #[test]
    fn separators_can_stay() {
        assert_eq!(
            by_separator("a.b.c", ".", Keep::Start, sizes(2, 0)).unwrap(),
            ["a", ".b", ".c"]
        );
        assert_eq!(
            by_separator("a.b.c", ".", Keep::End, sizes(2, 0)).unwrap(),
            ["a.", "b.", "c"]
        );
        assert_eq!(
            by_separator("abcd", "", Keep::No, sizes(2, 0)).unwrap(),
            ["ab", "cd"]
        );
        assert_eq!(
            by_separator("", ".", Keep::No, sizes(2, 0)).unwrap(),
            Vec::<String>::new()
        );
    }

    #[test]
    fn characters_count_not_bytes() {
        assert_eq!(
            by_separator("äöü", "", Keep::No, sizes(2, 1)).unwrap(),
            ["äö", "öü"]
        );
    }

    #[test]
    fn what_is_too_long_is_cut_finer() {
        let separators = ["\n\n", "\n", " ", ""].map(str::to_owned);
        let chunks = recursively("aa bb\n\ncccccc", &separators, sizes(5, 0)).unwrap();
        assert_eq!(chunks, ["aa bb", "cccc", "cc"]);
        assert_eq!(
            recursively("abcdef", &["x".to_owned()], sizes(2, 0)).unwrap(),
            ["abcdef"]
        );
    }

    #[test]
    fn no_chunk_is_longer_than_asked() {
        let text = "word ".repeat(2_000) + &"x".repeat(500);
        let separators = ["\n\n", "\n", " ", ""].map(str::to_owned);
        for (chunk, overlap) in [(1, 0), (7, 3), (100, 100), (100, 20)] {
            let chunks = recursively(&text, &separators, sizes(chunk, overlap)).unwrap();
            assert!(
                chunks.iter().all(|one| one.chars().count() <= chunk),
                "{chunk} {overlap}"
            );
            assert!(chunks.len() < 40_000);
        }
    }

    #[test]
    fn an_overlap_beyond_the_chunk_is_refused() {
        assert!(Sizes::new(10, 11).unwrap_err().message.contains("larger"));
    }

    #[test]
    fn an_overlap_that_multiplies_the_text_is_stopped() {
        let failure = by_separator(&"x".repeat(10_000), "", Keep::No, sizes(1_000, 999)).unwrap_err();
        assert!(failure.message.contains("128 MB"), "{failure:?}");
    }

    #[test]
    fn finds_sentences() {
        assert_eq!(
            sentences("It costs 3.50 now. Really? Yes!\n\nTitle\n\n好。是"),
            ["It costs 3.50 now.", "Really?", "Yes!", "Title", "好。", "是"]
        );
    }
}
