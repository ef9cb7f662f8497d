//! What a statement is, as far as must be known before it is run: whether it is one, and its first word.

use super::{ExternalError, ExternalMode};

/// Reading, on either database.
const READS: &[&str] = &["SELECT", "WITH", "VALUES", "EXPLAIN"];
const SQLITE_WRITES: &[&str] = &[
    "INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP", "REINDEX", "ANALYZE",
];
const SQLITE_PRAGMAS: &[&str] = &[
    "TABLE_INFO",
    "TABLE_XINFO",
    "TABLE_LIST",
    "INDEX_LIST",
    "INDEX_INFO",
    "FOREIGN_KEY_LIST",
];
const POSTGRES_READS: &[&str] = &["TABLE", "SHOW"];

pub(super) fn check_sqlite(sql: &str, mode: ExternalMode) -> Result<(), ExternalError> {
    let words = words(sql)?;
    let (first, second) = (words.first.as_str(), words.second.as_str());
    let allowed = READS.contains(&first)
        || (first == "PRAGMA" && SQLITE_PRAGMAS.contains(&second))
        || (mode == ExternalMode::ReadWrite && SQLITE_WRITES.contains(&first));
    if allowed {
        Ok(())
    } else {
        Err(refused(first, mode))
    }
}

/// What changes data is refused by the transaction and a second statement by the server. This refuses what a read-only
/// transaction lets through, such as `COPY … TO PROGRAM`.
pub(super) fn check_postgres(sql: &str, mode: ExternalMode) -> Result<(), ExternalError> {
    let rest = skip_blank(no_nul(sql)?, POSTGRES_BLANK);
    let first = word(rest).to_ascii_uppercase();
    if rest.is_empty() {
        return Err(empty());
    }
    let reads = READS.contains(&first.as_str()) || POSTGRES_READS.contains(&first.as_str());
    if reads || mode == ExternalMode::ReadWrite {
        Ok(())
    } else {
        Err(refused(&first, mode))
    }
}

fn empty() -> ExternalError {
    ExternalError::Refused("it is empty".into())
}

/// SQLite takes NUL for the end of the text, so what stands behind it would not have been looked at by it.
fn no_nul(sql: &str) -> Result<&str, ExternalError> {
    if sql.contains('\0') {
        return Err(ExternalError::Refused("it holds the character NUL".into()));
    }
    Ok(sql)
}

fn refused(word: &str, mode: ExternalMode) -> ExternalError {
    let word: String = word.chars().take(40).collect();
    ExternalError::Refused(match mode {
        ExternalMode::ReadOnly => {
            format!("{word} is more than reading; begin with SELECT, or allow the component to change data")
        }
        ExternalMode::ReadWrite => format!("{word} reaches beyond the database's own tables"),
    })
}

/// How a database reads what is not there to be run. A difference from what it really does would hide a word from us.
#[derive(Clone, Copy)]
struct Blank {
    /// A comment inside a comment must end too.
    nests: bool,
    /// What ends a comment that began with `--`.
    line_ends: &'static [char],
}

const SQLITE_BLANK: Blank = Blank {
    nests: false,
    line_ends: &['\n'],
};
const POSTGRES_BLANK: Blank = Blank {
    nests: true,
    line_ends: &['\n', '\r'],
};

/// What is left after white space and comments.
fn skip_blank(text: &str, blank: Blank) -> &str {
    let mut rest = text;
    loop {
        let before = rest.len();
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}' || c == '\u{feff}');
        if rest.starts_with("--") {
            rest = rest.find(blank.line_ends).map_or("", |at| &rest[at..]);
        } else if rest.starts_with("/*") {
            rest = &rest[comment_end(rest, blank)..];
        }
        if rest.len() == before {
            return rest;
        }
    }
}

fn comment_end(text: &str, blank: Blank) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (1, 2);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"*/") => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            Some(b"/*") if blank.nests => {
                depth += 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
    text.len()
}

fn word(text: &str) -> &str {
    text.split(|c: char| !is_word(c)).next().unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Words {
    first: String,
    second: String,
}

/// The first two words of a SQLite statement, in capitals, if it is one statement.
fn words(sql: &str) -> Result<Words, ExternalError> {
    let mut found = Vec::new();
    let mut ended = false;
    let mut rest = skip_blank(no_nul(sql)?, SQLITE_BLANK);
    while let Some(first) = rest.chars().next() {
        let end = token_end(rest, first);
        if first == ';' {
            ended = true;
        } else if ended {
            return Err(ExternalError::Refused(
                "it holds several statements: send one at a time".into(),
            ));
        } else if found.len() < 2 {
            found.push(rest[..end].to_ascii_uppercase());
        }
        rest = skip_blank(&rest[end..], SQLITE_BLANK);
    }
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(first), second) => Ok(Words {
            first,
            second: second.unwrap_or_default(),
        }),
        (None, _) => Err(empty()),
    }
}

fn token_end(text: &str, first: char) -> usize {
    let closing = match first {
        '\'' | '"' | '`' => first,
        '[' => ']',
        _ if is_word(first) => return word(text).len(),
        _ => return first.len_utf8(),
    };
    // A doubled quote ends one piece and begins the next, which comes to the same.
    text[1..].find(closing).map_or(text.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sql: &str, sqlite: [bool; 2], postgres: [bool; 2]) {
        let modes = [ExternalMode::ReadOnly, ExternalMode::ReadWrite];
        assert_eq!(
            modes.map(|mode| check_sqlite(sql, mode).is_ok()),
            sqlite,
            "SQLite: {sql}"
        );
        assert_eq!(
            modes.map(|mode| check_postgres(sql, mode).is_ok()),
            postgres,
            "PostgreSQL: {sql}"
        );
    }

    #[test]
    fn one_statement_of_an_allowed_kind_gets_through() {
        let (both, write, neither) = ([true, true], [false, true], [false, false]);
        check("SELECT 1", both, both);
        check("  select 1 ; ", both, both);
        check("-- why\n/* not */ SELECT ';' AS \"a;b\" -- ;", both, both);
        check("WITH a AS (SELECT 1) SELECT * FROM a;;", both, both);
        check("select 'it''s; fine'", both, both);
        check("select [a;b] from t", both, both);
        check("INSERT INTO t VALUES (1)", write, write);
        check("PRAGMA table_info(t)", both, write);
        check("SHOW server_version", neither, both);
        // PostgreSQL itself refuses two statements; SQLite would run both.
        check("select 1; select 2", neither, both);
        check("select $x$; ATTACH 'x' AS y; select $x$", neither, both);
        check("ATTACH '/etc/passwd' AS x", neither, write);
        check("VACUUM INTO '/tmp/x'", neither, write);
        check("PRAGMA writable_schema = 1", neither, write);
        check("COPY t TO PROGRAM 'sh'", neither, write);
        check("DO $$ BEGIN COMMIT; END $$", neither, write);
        check("", neither, neither);
        check(" -- nothing", neither, neither);
        check("/* open", neither, neither);
        check("SELECT 1\0; DROP TABLE t", neither, neither);
        check("'open", neither, write);
        check("(SELECT 1)", neither, write);
    }

    #[test]
    fn the_first_word_is_the_one_the_database_sees() {
        let read = |sql| check_postgres(sql, ExternalMode::ReadOnly).is_ok();
        assert!(!read("/* /* */ SELECT */ COPY t TO PROGRAM 'sh'"));
        assert!(!read("-- \rCOPY t TO PROGRAM 'sh' --\nSELECT 1"));
        assert!(read("/* /* */ COPY */ SELECT 1"));
        let read = |sql| check_sqlite(sql, ExternalMode::ReadOnly).is_ok();
        assert!(!read("/* /* */ ATTACH 'x' AS y; /* */ */ SELECT 1"));
        assert!(!read("-- \rSELECT 1\nATTACH 'x' AS y"));
    }
}
