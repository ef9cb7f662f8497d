//! What must not be shown of a request: credentials in headers and in addresses.

use http::HeaderMap;
use serde_json::{Map, Value as Json};
use url::Url;

const HIDDEN: &str = "**********";

/// Parts of names that credentials go by.
const TELLING: [&str; 12] = [
    "auth",
    "cookie",
    "token",
    "secret",
    "passw",
    "api-key",
    "apikey",
    "api_key",
    "credential",
    "signature",
    "session",
    "bearer",
];

pub(crate) fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    TELLING.iter().any(|part| name.contains(part))
        || name == "key"
        || name.ends_with("-key")
        || name.ends_with("_key")
}

/// Headers for people to see.
pub(super) fn headers<'a>(headers: impl Iterator<Item = (&'a str, &'a str)>) -> Json {
    let mut shown = Map::new();
    for (name, value) in headers {
        let value = if is_secret(name) { HIDDEN } else { value };
        match shown.get_mut(name) {
            Some(Json::String(known)) => {
                known.push_str(", ");
                known.push_str(value);
            }
            _ => {
                shown.insert(name.to_owned(), value.into());
            }
        }
    }
    Json::Object(shown)
}

pub(super) fn received(map: &HeaderMap) -> Json {
    headers(
        map.iter()
            .map(|(name, value)| (name.as_str(), value.to_str().unwrap_or(""))),
    )
}

/// An address without its password, and without the values of parameters that are credentials by their name.
pub(super) fn address(url: &Url) -> String {
    let mut shown = url.clone();
    // Both refuse only addresses that have no host, and those have no user either.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    if url.query_pairs().any(|(name, _)| is_secret(&name)) {
        let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        shown.query_pairs_mut().clear().extend_pairs(
            pairs
                .iter()
                .map(|(name, value)| (name, if is_secret(name) { HIDDEN } else { value })),
        );
    }
    shown.to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn credentials_are_not_shown() {
        let all = [
            ("Authorization", "Bearer x"),
            ("X-API-Key", "x"),
            ("Accept", "a"),
            ("set-cookie", "x"),
        ];
        let shown = headers(all.into_iter());
        assert_eq!(
            shown,
            json!({ "Authorization": HIDDEN, "X-API-Key": HIDDEN, "Accept": "a", "set-cookie": HIDDEN })
        );
        let url = Url::parse("https://u:p@a.test/x?q=1&access_token=x").unwrap();
        let shown = address(&url);
        assert!(
            shown.starts_with("https://a.test/x?q=1&access_token=*"),
            "{shown}"
        );
        assert_eq!(
            address(&Url::parse("https://a.test/x?q=a%20b").unwrap()),
            "https://a.test/x?q=a%20b"
        );
    }
}
