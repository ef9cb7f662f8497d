//! What a database URL names.

use std::{net::SocketAddr, path::PathBuf};

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use url::Url;

use super::ExternalError;

/// Where a URL points, for whoever decides whether that may be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Sqlite(PathBuf),
    Postgres { host: String, port: u16 },
}

impl Target {
    /// Takes `sqlite:///file.db`, `postgresql://user:password@host:5432/database` and forms that name a driver, such as
    /// `postgresql+psycopg2://`.
    pub fn parse(url: &str) -> Result<Self, ExternalError> {
        let scheme = url.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
        match scheme.split_once('+').map_or(scheme, |(scheme, _)| scheme) {
            "sqlite" => {
                let rest = url.get(scheme.len() + 1..).unwrap_or_default();
                // Three slashes begin a relative path and four an absolute one; without any it is what it says.
                let path = rest
                    .strip_prefix("///")
                    .or_else(|| rest.strip_prefix("//"))
                    .unwrap_or(rest);
                let path = path.split('?').next().unwrap_or_default();
                if path.is_empty() || path.starts_with(":memory:") {
                    return Err(ExternalError::Address(
                        "name a file, as in sqlite:///data.db".into(),
                    ));
                }
                Ok(Self::Sqlite(path.into()))
            }
            "postgres" | "postgresql" => {
                let url = parse(url)?;
                let host = url
                    .host_str()
                    .unwrap_or_default()
                    .trim_matches(['[', ']'])
                    .to_owned();
                if host.is_empty() {
                    return Err(ExternalError::Address(
                        "it names no host: use postgresql://user:password@host:5432/database".into(),
                    ));
                }
                Ok(Self::Postgres {
                    host,
                    port: url.port().unwrap_or(5432),
                })
            }
            _ => Err(ExternalError::Address(
                "it must begin with sqlite:// or postgresql://; other databases cannot be asked yet".into(),
            )),
        }
    }
}

// The parser's own error could quote what it could not read, and that could be a password.
fn parse(url: &str) -> Result<Url, ExternalError> {
    Url::parse(url).map_err(|_| {
        ExternalError::Address(
            "use postgresql://user:password@host:5432/database, with special characters in the password as %XX".into(),
        )
    })
}

/// Everything is set here and nothing is taken from the environment: another host must not get this server's own password.
pub(super) fn postgres(url: &str, connect_to: SocketAddr) -> Result<PgConnectOptions, ExternalError> {
    let url = parse(url)?;
    let decoded = |text: &str| {
        percent_decode(text)
            .ok_or_else(|| ExternalError::Address("the user name or the password holds a broken %XX".into()))
    };
    let database = decoded(url.path().trim_start_matches('/'))?;
    let username = decoded(url.username())?;
    if username.is_empty() || database.is_empty() {
        return Err(ExternalError::Address(
            "it must name a user and a database: postgresql://user:password@host:5432/database".into(),
        ));
    }
    let mut ssl = PgSslMode::Prefer;
    for (name, value) in url.query_pairs() {
        if name == "sslmode" {
            ssl = ssl_mode(&value)?;
        }
    }
    Ok(PgConnectOptions::new_without_pgpass()
        .host(&connect_to.ip().to_string())
        .port(connect_to.port())
        .username(&username)
        .password(&decoded(url.password().unwrap_or_default())?)
        .database(&database)
        .ssl_mode(ssl)
        .application_name("ferroflow")
        .statement_cache_capacity(0))
}

fn ssl_mode(text: &str) -> Result<PgSslMode, ExternalError> {
    match text {
        // Without a name to check there is nothing to be full about; weaker than asked for would be worse.
        "verify-full" => Err(ExternalError::Address(
            "sslmode=verify-full is not possible here: use verify-ca or require".into(),
        )),
        other => other.parse().map_err(|_| {
            ExternalError::Address("sslmode is one of disable, allow, prefer, require and verify-ca".into())
        }),
    }
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        if first == b'%' {
            let digits = std::str::from_utf8(more.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = more.get(2..)?;
        } else {
            bytes.push(first);
            rest = more;
        }
    }
    String::from_utf8(bytes).ok()
}
