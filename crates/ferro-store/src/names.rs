//! Names that people may give twice: the second one becomes "Name (1)".

/// The wanted name, or the first free "name (n)". `taken` need only hold names that begin with the wanted one's stem.
pub(crate) fn free_name(wanted: &str, taken: &[String]) -> String {
    if !taken.iter().any(|name| name == wanted) {
        return wanted.to_owned();
    }
    let stem = stem(wanted);
    (1_u64..)
        .map(|n| format!("{stem} ({n})"))
        .find(|name| !taken.contains(name))
        .unwrap_or_else(|| wanted.to_owned())
}

/// The first free "name-n", for names that stand in addresses.
pub(crate) fn free_endpoint(wanted: &str, taken: &[String]) -> String {
    if !taken.iter().any(|name| name == wanted) {
        return wanted.to_owned();
    }
    (1_u64..)
        .map(|n| format!("{}-{n}", cut(wanted)))
        .find(|name| !taken.contains(name))
        .unwrap_or_else(|| wanted.to_owned())
}

/// The first free "name (n).ext".
pub(crate) fn free_file_name(wanted: &str, taken: &[String]) -> String {
    if !taken.iter().any(|name| name == wanted) {
        return wanted.to_owned();
    }
    let (base, extension) = match wanted.rsplit_once('.') {
        Some((base, extension)) if !base.is_empty() => (base, format!(".{extension}")),
        _ => (wanted, String::new()),
    };
    (1_u64..)
        .map(|n| format!("{base} ({n}){extension}"))
        .find(|name| !taken.contains(name))
        .unwrap_or_else(|| wanted.to_owned())
}

/// "Report (2)" counts on from "Report".
pub(crate) fn stem(name: &str) -> &str {
    name.strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
        .filter(|(_, digits)| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .map_or_else(|| cut(name), |(stem, _)| cut(stem))
}

/// Leaves room for a number: a name of the longest kind must still be allowed when it has one.
pub(crate) fn cut(name: &str) -> &str {
    const LONGEST: usize = 240;
    name.char_indices()
        .nth(LONGEST)
        .map_or(name, |(at, _)| &name[..at])
}

/// A `LIKE` pattern for text that contains `needle`, with `\` as the escape.
pub(crate) fn containing(needle: &str) -> String {
    format!("%{}%", escape(&needle.to_lowercase()))
}

/// A `LIKE` pattern for text that begins with `prefix`, with `\` as the escape.
pub(crate) fn beginning(prefix: &str) -> String {
    format!("{}%", escape(prefix))
}

fn escape(text: &str) -> String {
    text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_count_on() {
        let taken = ["Echo", "Echo (1)", "a.txt"].map(str::to_owned);
        assert_eq!(free_name("Echo", &taken), "Echo (2)");
        assert_eq!(free_name("Echo (1)", &taken), "Echo (2)");
        assert_eq!(free_name("Other", &taken), "Other");
        assert_eq!(free_endpoint("Echo", &taken), "Echo-1");
        assert_eq!(free_file_name("a.txt", &taken), "a (1).txt");
        assert_eq!(stem("Report (x)"), "Report (x)");
        assert_eq!(containing("50%_"), r"%50\%\_%");
    }
}
