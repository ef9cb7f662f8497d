//! The web UI, out of the binary. In debug builds it is read from `web/dist`, so that rebuilding the page is enough.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::error::AppError;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><title>Ferroflow</title><h1>The web UI is not built</h1>\
    <p>The API works. To get the page, start the server with <code>cargo xtask run</code>.</p></html>";

/// Everything that is no API route: a file of the UI, or its page, which finds the rest of the way itself.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return AppError::no_such_address().into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return AppError::method_not_allowed().into_response();
    }
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    if !path.is_empty() && !hidden && Dist::get(path).is_some() {
        return file(path, &headers);
    }
    // A missing script must not be answered with a page.
    if path.starts_with("assets/") || path.starts_with("embed/") {
        return AppError::no_such_address().into_response();
    }
    if Dist::get("index.html").is_some() {
        file("index.html", &headers)
    } else {
        axum::response::Html(NOT_BUILT).into_response()
    }
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let accepts = |name: &str| {
        accepted.split(',').any(|part| {
            let mut pieces = part.split(';').map(str::trim);
            pieces.next() == Some(name) && !pieces.any(|piece| piece == "q=0" || piece == "q=0.0")
        })
    };
    let variants = [("br", ".br"), ("gzip", ".gz")];
    let packed = variants
        .iter()
        .filter(|(encoding, _)| accepts(encoding))
        .find_map(|(encoding, suffix)| Some((*encoding, Dist::get(&format!("{path}{suffix}"))?)));
    let (encoding, found) = match packed {
        Some((encoding, found)) => (Some(encoding), found),
        None => match Dist::get(path) {
            Some(found) => (None, found),
            None => return AppError::no_such_address().into_response(),
        },
    };
    let etag = etag(&found);
    let unchanged = headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == etag.as_bytes());
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Body::from(found.data))
    };
    let out = response.headers_mut();
    for (name, value) in described(path, &etag) {
        if let Ok(value) = HeaderValue::try_from(value) {
            out.insert(name, value);
        }
    }
    if let Some(encoding) = encoding {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn described(path: &str, etag: &str) -> [(HeaderName, String); 4] {
    let mime = mime_guess::from_path(path)
        .first_raw()
        .unwrap_or("application/octet-stream");
    let mime = if mime.starts_with("text/") {
        format!("{mime}; charset=utf-8")
    } else {
        mime.to_owned()
    };
    // Names under assets/ change with their content; the page, and the script that other sites embed, must be asked for
    // each time.
    let cache = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    [
        (header::CONTENT_TYPE, mime),
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::ETAG, etag.to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ]
}

fn etag(file: &EmbeddedFile) -> String {
    let mut text = String::from("\"");
    for byte in file.metadata.sha256_hash().iter().take(12) {
        text.push_str(&format!("{byte:02x}"));
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_change_with_their_content_are_kept_for_good() {
        let told = |path: &str| {
            let [mime, cache, etag, _] = described(path, "\"1\"").map(|(_, value)| value);
            (mime, cache, etag)
        };
        let script = "text/javascript; charset=utf-8".to_owned();
        let asked = "no-cache".to_owned();
        assert_eq!(
            told("embed/chat.js"),
            (script.clone(), asked.clone(), "\"1\"".to_owned())
        );
        let (mime, cache, _) = told("assets/index-3f2a.js");
        assert_eq!(
            (mime, cache),
            (script, "public, max-age=31536000, immutable".to_owned())
        );
        assert_eq!(told("index.html").1, asked);
    }
}
