//! Bytes as text, in whatever encoding they are.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// The encoding that was said, or the one a mark at the start says, or UTF-8, or what old Windows wrote.
pub(crate) fn text(bytes: &[u8], charset: Option<&str>) -> String {
    if let Some(encoding) = charset.and_then(|label| Encoding::for_label(label.trim().as_bytes())) {
        return encoding.decode(bytes).0.into_owned();
    }
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if looks_binary(bytes) => UTF_8.decode(bytes).0.into_owned(),
        Err(_) => WINDOWS_1252.decode(bytes).0.into_owned(),
    }
}

/// As [`text`], but a page may say its encoding itself.
pub(crate) fn page(bytes: &[u8], charset: Option<&str>) -> String {
    let said = || {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_ascii_lowercase();
        let value = head.split("charset=").nth(1)?;
        let value = value.trim_start_matches(['"', '\'', ' ']);
        let end = value.find(['"', '\'', ' ', ';', '>', '/'])?;
        Some(value[..end].to_owned())
    };
    match charset {
        Some(charset) => text(bytes, Some(charset)),
        None => text(bytes, said().as_deref()),
    }
}

/// The `charset` of a content type.
pub(crate) fn charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches('"'))
    })
}

fn looks_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(1024).any(|&byte| byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        assert_eq!(text("é".as_bytes(), None), "é");
        assert_eq!(text(b"\xe9", None), "é");
        assert_eq!(text(b"\xff\xfeh\0i\0", None), "hi");
        assert_eq!(text(b"\xef\xbb\xbfhi", None), "hi");
        assert_eq!(text(b"\x82\xa0", Some("shift_jis")), "あ");
        assert_eq!(
            page(b"<meta charset=\"shift_jis\">\x82\xa0", None),
            "<meta charset=\"shift_jis\">あ"
        );
        assert_eq!(charset("text/html; Charset=\"iso-8859-1\""), Some("iso-8859-1"));
    }
}
