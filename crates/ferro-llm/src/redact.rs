//! Takes keys out of what providers say: some repeat the one they refuse, whole or in part.

use ferro_net::Secret;

const HIDDEN: &str = "[hidden]";

/// How keys and tokens begin, in lower case.
const PREFIXES: [&str; 12] = [
    "sk-", "sk_", "gsk_", "xai-", "pplx-", "hf_", "aiza", "eyj", "ghp_", "tgp_", "fw_", "r8_",
];
/// Shorter words that begin so are just words.
const SHORTEST: usize = 8;

/// The text without the key, and without anything that looks like one.
pub(crate) fn redact(text: &str, key: Option<&Secret>) -> String {
    let key = key.map(Secret::expose).unwrap_or_default();
    // A very short key would take half of the words with it; as a word of its own it still goes, below.
    let text = if key.len() >= SHORTEST {
        text.replace(key, HIDDEN)
    } else {
        text.to_owned()
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    let mut after_bearer = false;
    while let Some(first) = rest.chars().next() {
        let is_word = is_part(first);
        let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
        let (piece, left) = rest.split_at(end);
        rest = left;
        if !is_word {
            out.push_str(piece);
            continue;
        }
        let hide = piece == key || looks_like_key(piece) || (after_bearer && piece.len() >= SHORTEST);
        out.push_str(if hide { HIDDEN } else { piece });
        after_bearer = piece.eq_ignore_ascii_case("bearer");
    }
    out
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '*' | '.' | '+' | '/' | '=' | '~')
}

fn looks_like_key(word: &str) -> bool {
    // Half hidden by the provider already; what it left is still part of a key.
    if word.contains("***") {
        return true;
    }
    // `key=sk-…` and paths that carry one.
    let parts = word.split(['=', '/']);
    let mut named = parts.filter(|part| part.len() >= SHORTEST);
    named.any(|part| {
        let head: String = part.chars().take(5).collect::<String>().to_ascii_lowercase();
        PREFIXES.iter().any(|prefix| head.starts_with(prefix))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, key: &str, expected: &str) {
        assert_eq!(redact(text, Some(&Secret::new(key))), expected);
    }

    #[test]
    fn the_key_itself_goes_wherever_it_stands() {
        check("bad key my-own-key!", "my-own-key", "bad key [hidden]!");
        check("url?k=my-own-key&x=1", "my-own-key", "url?k=[hidden]&x=1");
        check(
            "the key abc is bad, abcd is a word",
            "abc",
            "the key [hidden] is bad, abcd is a word",
        );
    }

    #[test]
    fn what_looks_like_a_key_goes_too() {
        check(
            "Incorrect API key provided: sk-proj-12345.",
            "other-key",
            "Incorrect API key provided: [hidden]",
        );
        check(
            "provided: my-se***********-key, see",
            "other-key",
            "provided: [hidden], see",
        );
        check("gsk_abcdefgh (AIzaSyAbcdef)", "other-key", "[hidden] ([hidden])");
        check(
            "Authorization: Bearer abcdefgh12",
            "other-key",
            "Authorization: Bearer [hidden]",
        );
        check("key=sk-12345678", "other-key", "[hidden]");
    }

    #[test]
    fn words_stay() {
        let text = "The model `gpt-4o` is a sk-y one: risk-free, bearer of news, 3 * 4 = 12 €.";
        check(text, "other-key", text);
        assert_eq!(redact(text, None), text);
    }
}
