//! A command line, parted as a shell would.

use ferro_engine::Failure;

use super::bad;

/// The words of a command line, as a shell would part them.
pub(super) fn split(command: &str) -> Result<Vec<String>, Failure> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.trim().chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // A line goes on after `\`, and on Windows after `^`.
            '\\' | '^' if matches!(chars.peek(), Some('\n' | '\r')) => {
                while matches!(chars.peek(), Some('\n' | '\r')) {
                    chars.next();
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '\'' => quoted(&mut chars, word.get_or_insert_default())?,
            '"' => double_quoted(&mut chars, word.get_or_insert_default())?,
            '$' if chars.peek() == Some(&'\'') => {
                chars.next();
                ansi_quoted(&mut chars, word.get_or_insert_default())?;
            }
            c if c.is_whitespace() => words.extend(word.take()),
            '|' | ';' | '>' | '<' => {
                return Err(bad(format!(
                    "The curl command goes on after {c:?}, which is not a part of it"
                )));
            }
            // `&` inside an address that was not quoted: a shell would part it there, people do not mean that.
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn unclosed() -> Failure {
    bad("A quote in the curl command is not closed")
}

fn quoted(chars: &mut Chars<'_>, word: &mut String) -> Result<(), Failure> {
    loop {
        match chars.next().ok_or_else(unclosed)? {
            '\'' => return Ok(()),
            c => word.push(c),
        }
    }
}

fn double_quoted(chars: &mut Chars<'_>, word: &mut String) -> Result<(), Failure> {
    loop {
        match chars.next().ok_or_else(unclosed)? {
            '"' => return Ok(()),
            '\\' => match chars.next().ok_or_else(unclosed)? {
                '\n' => {}
                c @ ('"' | '\\' | '$' | '`') => word.push(c),
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

/// `$'…'`, as browsers write bodies with quotes in them.
fn ansi_quoted(chars: &mut Chars<'_>, word: &mut String) -> Result<(), Failure> {
    loop {
        match chars.next().ok_or_else(unclosed)? {
            '\'' => return Ok(()),
            '\\' => match chars.next().ok_or_else(unclosed)? {
                'n' => word.push('\n'),
                'r' => word.push('\r'),
                't' => word.push('\t'),
                'u' => {
                    let digits: String = (0..4)
                        .map_while(|_| chars.next_if(char::is_ascii_hexdigit))
                        .collect();
                    word.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                }
                c => word.push(c),
            },
            c => word.push(c),
        }
    }
}
