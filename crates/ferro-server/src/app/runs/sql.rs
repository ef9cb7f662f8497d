//! Queries against somebody's own database, by the address policy that HTTP goes by.

use std::path::PathBuf;
use std::time::Duration;

use ferro_engine::{Cause, Failure, SqlRequest, Table};
use ferro_net::AddressPolicy;
use ferro_store::external::{Caps, ExternalDatabase, ExternalError, ExternalMode, Target, query as external};

const TIME: Duration = Duration::from_secs(30);
const BYTES: usize = 16 << 20;

/// An SQLite file that the person owns.
pub struct OwnFile {
    /// Where it lies on disk.
    pub path: PathBuf,
    /// How large a statement may make it.
    pub limit: Option<u64>,
}

pub async fn query(
    policy: &AddressPolicy,
    request: SqlRequest,
    file: Option<OwnFile>,
) -> Result<Table, Failure> {
    let file_bytes = file.as_ref().and_then(|file| file.limit);
    let database = match file {
        Some(file) => ExternalDatabase::Sqlite(file.path),
        None => postgres(policy, &request.url).await?,
    };
    let mode = if request.read_only {
        ExternalMode::ReadOnly
    } else {
        ExternalMode::ReadWrite
    };
    let caps = Caps {
        rows: request.max_rows,
        bytes: BYTES,
        file_bytes,
        time: TIME,
    };
    let rows = external(&database, &request.query, mode, caps)
        .await
        .map_err(failure)?;
    Ok(Table {
        columns: rows.columns,
        cells: rows.rows,
    })
}

async fn postgres(policy: &AddressPolicy, url: &str) -> Result<ExternalDatabase, Failure> {
    let Target::Postgres { host, port } = Target::parse(url).map_err(failure)? else {
        return Err(Failure::input("database_url", "there is no such SQLite file"));
    };
    let addresses = tokio::net::lookup_host((host.as_str(), port))
        .await
        .map_err(|error| {
            Failure::outside(format!("the host {host} was not found")).detail(error.to_string())
        })?;
    // Which addresses may be reached is decided as for HTTP; databases have ports of their own.
    let policy = policy.clone().allow_port(port);
    let mut refused = None;
    for address in addresses {
        match policy.check_address(&host, address.ip(), port) {
            Ok(()) => {
                return Ok(ExternalDatabase::Postgres {
                    url: url.to_owned(),
                    connect_to: address,
                });
            }
            Err(error) => refused = Some(error),
        }
    }
    Err(match refused {
        Some(error) => Failure::outside(error.to_string()),
        None => Failure::outside(format!("the host {host} has no address")),
    })
}

/// The path of an SQLite file, if the URL is of one.
pub fn sqlite_path(url: &str) -> Result<Option<PathBuf>, Failure> {
    match Target::parse(url).map_err(failure)? {
        Target::Sqlite(path) => Ok(Some(path)),
        Target::Postgres { .. } => Ok(None),
    }
}

fn failure(error: ExternalError) -> Failure {
    let message = error.to_string();
    match error {
        ExternalError::Address(_) => Failure::input("database_url", message),
        ExternalError::Refused(_) | ExternalError::Statement(_) => Failure::input("query", message),
        ExternalError::Unreachable(_) => Failure::outside(message),
        ExternalError::TooLarge(_) => Failure::limit(message)
            .advice("Delete rows you do not need, or have the limit for uploads raised."),
        ExternalError::TooSlow(_) => Failure::new(Cause::Timeout, message),
    }
}
