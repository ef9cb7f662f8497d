//! Values that must not be shown: credentials, and URLs that may carry them.

use std::fmt;

use url::Url;
use zeroize::Zeroizing;

/// A credential. It cannot be printed or serialised, and its memory is wiped when it is dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Self(Zeroizing::new(value.into()))
    }

    /// The content, for the one place that sends it. Do not keep a copy.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<String> for Secret {
    fn from(value: String) -> Self {
        Self::new(value)
    }
}

impl From<&str> for Secret {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

/// A URL that is safe in logs and errors: no user, password or fragment, and no query values.
#[derive(Clone, PartialEq, Eq)]
pub struct RedactedUrl(String);

impl RedactedUrl {
    pub fn new(url: &Url) -> Self {
        let mut shown = url.clone();
        // Both refuse URLs without a host, which have no user either.
        let _ = shown.set_username("");
        let _ = shown.set_password(None);
        shown.set_fragment(None);
        shown.set_query(None);
        let mut text = shown.to_string();
        let names: Vec<String> = url
            .query()
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| match pair.split_once('=') {
                Some((name, _)) => format!("{name}=…"),
                // A bare word may be the token itself.
                None => "…".to_owned(),
            })
            .collect();
        if !names.is_empty() {
            text.push('?');
            text.push_str(&names.join("&"));
        }
        Self(text)
    }
}

impl From<&Url> for RedactedUrl {
    fn from(url: &Url) -> Self {
        Self::new(url)
    }
}

impl fmt::Display for RedactedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RedactedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
