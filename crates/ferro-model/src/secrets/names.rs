//! What secrets are called.

/// Classes of Langflow's fields that hold nothing but secrets.
pub(super) const SECRET_INPUTS: [&str; 3] = ["SecretStrInput", "MultilineSecretInput", "AuthInput"];

/// How the names of secrets end, without what stands between words.
const ENDINGS: [&str; 15] = [
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "token",
    "credential",
    "credentials",
    "authorization",
    "auth",
    "cookie",
];

/// `x-api-key`, `accessToken`, `DB_PASSWORD` and their like.
pub(super) fn is_secret_name(name: &str) -> bool {
    // Names are short; what is longer is a text.
    if name.len() > 128 {
        return false;
    }
    let letters = name.chars().filter(|char| !matches!(char, '_' | '.' | ' ' | '-'));
    let plain: String = letters.collect::<String>().to_ascii_lowercase();
    ENDINGS.iter().any(|ending| plain.ends_with(ending))
}

/// `{name}`, `{{name}}`, `${name}` and `$NAME`, also after a scheme: a place for a secret, not one.
pub(super) fn is_reference(text: &str) -> bool {
    let text = text[scheme(text)..].trim();
    let is_name = |name: &str| {
        let first = name.chars().next();
        first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && name
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '.' | '-' | ' '))
    };
    let between = |start: &str, end: &str| {
        let inner = text.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        inner.is_some_and(|name| is_name(name.trim()))
    };
    let shouted = text.strip_prefix('$').is_some_and(|name| {
        is_name(name)
            && name
                .chars()
                .all(|char| !char.is_ascii_lowercase() && !matches!(char, ' ' | '.' | '-'))
    });
    shouted || between("{", "}") || between("{{", "}}") || between("${", "}")
}

/// The length of `Bearer ` and other schemes at the start of a header's value.
pub(super) fn scheme(text: &str) -> usize {
    let lower = text.get(..7).unwrap_or(text).to_ascii_lowercase();
    ["bearer ", "basic ", "token "]
        .iter()
        .find(|scheme| lower.starts_with(**scheme))
        .map_or(0, |scheme| scheme.len())
}
