//! Many writes to runs at once, for SQLite.
//!
//! Each statement is a trip to the database's own thread and back, and each savepoint makes SQLite copy every page it
//! touches afterwards. So what waits together is written together: new rows of one table in one statement, and no savepoints.
//! When one of the writes is refused nobody can tell which, and the writer begins again with each for itself.

use std::sync::Arc;

use sqlx::{Sqlite, SqliteConnection, query::Query, sqlite::SqliteArguments};

use super::{NewRun, Prepared, RunUpdate};
use crate::{
    EventChunk, MessageRecord, Packed, UserId,
    messages::{bind_message, insert, session_now, upsert},
};

type Statement = Query<'static, Sqlite, SqliteArguments>;

/// One text for 1, 2, 4, … 32 rows: any number is a few of them, and each is prepared once.
const SIZES: usize = 6;

macro_rules! bulk {
    ($insert:expr, $row:expr) => {
        [
            concat!($insert, rows!(1, $row)),
            concat!($insert, rows!(2, $row)),
            concat!($insert, rows!(4, $row)),
            concat!($insert, rows!(8, $row)),
            concat!($insert, rows!(16, $row)),
            concat!($insert, rows!(32, $row)),
        ]
    };
}

macro_rules! rows {
    (1, $row:expr) => {
        $row
    };
    (2, $row:expr) => {
        concat!($row, ", ", $row)
    };
    (4, $row:expr) => {
        concat!(rows!(2, $row), ", ", rows!(2, $row))
    };
    (8, $row:expr) => {
        concat!(rows!(4, $row), ", ", rows!(4, $row))
    };
    (16, $row:expr) => {
        concat!(rows!(8, $row), ", ", rows!(8, $row))
    };
    (32, $row:expr) => {
        concat!(rows!(16, $row), ", ", rows!(16, $row))
    };
}

const RUNS: [&str; SIZES] = bulk!(
    "INSERT INTO runs (id, user_id, flow_id, flow_name, kind, session_id, document_hash, request, status, last_seq, worker, epoch,
     lease_until, parent_id, parent_seq, idempotency_key, error, output, input_tokens, output_tokens, created_at, updated_at,
     finished_at, cost_nanousd) VALUES ",
    "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
);
const EVENTS: [&str; SIZES] = bulk!(
    "INSERT INTO run_events (run_id, first_seq, last_seq, body) VALUES ",
    "(?, ?, ?, ?)"
);
/// Without a rule for ids that are there already: a new run's messages are new, and if not, the long way knows what to do.
const MESSAGES: [&str; SIZES] = bulk!(
    insert!(""),
    "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
);

/// More events of runs that go on as they are, as a model's tokens make them: the most common write by far while models
/// speak. So many runs to a trip.
macro_rules! more {
    (1) => {
        "UPDATE runs SET last_seq = ?, updated_at = ?
         WHERE id = ? AND user_id = ? AND epoch = ? AND finished_at IS NULL AND last_seq = ? - 1;
         INSERT INTO run_events (run_id, first_seq, last_seq, body)
         VALUES (CASE WHEN changes() = 1 THEN ? END, ?, ?, ?);"
    };
    (2) => {
        concat!(more!(1), more!(1))
    };
    (4) => {
        concat!(more!(2), more!(2))
    };
    (8) => {
        concat!(more!(4), more!(4))
    };
    (16) => {
        concat!(more!(8), more!(8))
    };
    (32) => {
        concat!(more!(16), more!(16))
    };
}

const MORE: [&str; SIZES] = [more!(1), more!(2), more!(4), more!(8), more!(16), more!(32)];

// When the run is not as it should be, nothing was updated, and the NULL that then stands for its id is refused.
macro_rules! update {
    () => {
        "UPDATE runs SET last_seq = $4, status = COALESCE($5, status), error = COALESCE($6, error),
         output = COALESCE($7, output), input_tokens = COALESCE($8, input_tokens),
         output_tokens = COALESCE($9, output_tokens), cost_nanousd = COALESCE($15, cost_nanousd), updated_at = $10, finished_at = $11,
         worker = CASE WHEN $14 THEN NULL ELSE worker END, lease_until = CASE WHEN $14 THEN NULL ELSE lease_until END
         WHERE id = $1 AND user_id = $2 AND epoch = $3 AND finished_at IS NULL AND last_seq = $12 - 1;
         INSERT INTO run_events (run_id, first_seq, last_seq, body)
         VALUES (CASE WHEN changes() = 1 THEN $1 END, $12, $4, $13)"
    };
}

/// With no, one or two messages. That one text may hold several statements is something sqlx would rather not promise; were
/// it taken away, the tests of `append_run` would fail.
const UPDATE: [&str; 3] = [
    update!(),
    concat!(
        update!(),
        "; ",
        upsert!(
            "($16, $2, $17, ",
            session_now!("$1", "$18", "$34"),
            ", $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33)"
        )
    ),
    concat!(
        update!(),
        "; ",
        upsert!(
            "($16, $2, $17, ",
            session_now!("$1", "$18", "$52"),
            ", $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33), ",
            "($34, $2, $35, ",
            session_now!("$1", "$36", "$52"),
            ", $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51)"
        )
    ),
];

/// Whether it is one of those that can be written here.
pub(super) fn takes(prepared: &Prepared) -> bool {
    let append = &prepared.append;
    append.chunk.is_some()
        && append.speaker.is_none()
        && append.removed.is_empty()
        && append.durations.is_empty()
        && (append.create.is_some() || append.messages.len() < UPDATE.len())
}

/// All of them, or an error and whatever came before it.
pub(crate) async fn write(
    connection: &mut SqliteConnection,
    batch: &[Arc<Prepared>],
) -> Result<(), sqlx::Error> {
    let (mut runs, mut events, mut messages) = (Vec::new(), Vec::new(), Vec::new());
    let (mut more, mut updates) = (Vec::new(), Vec::new());
    for prepared in batch {
        let append = &prepared.append;
        match (&append.create, &append.chunk, &prepared.body) {
            (Some(new), Some(chunk), Some(body)) => {
                runs.push((&**prepared, new));
                events.push((&**prepared, chunk, body));
                messages.extend(append.messages.iter().map(|message| (append.owner, message)));
            }
            (None, Some(chunk), Some(body)) if only_events(prepared) => {
                more.push((&**prepared, chunk, body));
            }
            _ => updates.push(update(prepared)),
        }
    }
    insert_rows(connection, &RUNS, &runs, bind_run).await?;
    insert_rows(connection, &EVENTS, &events, bind_events).await?;
    insert_rows(connection, &MESSAGES, &messages, bind_said).await?;
    insert_rows(connection, &MORE, &more, bind_more).await?;
    for update in updates {
        update.execute(&mut *connection).await?;
    }
    Ok(())
}

async fn insert_rows<T>(
    connection: &mut SqliteConnection,
    texts: &[&'static str; SIZES],
    rows: &[T],
    bind: impl Fn(Statement, &T) -> Statement,
) -> Result<(), sqlx::Error> {
    let mut rest = rows;
    for (power, text) in texts.iter().enumerate().rev() {
        while let Some((rows, more)) = rest.split_at_checked(1 << power) {
            let statement = rows.iter().fold(sqlx::query::<Sqlite>(*text), &bind);
            statement.execute(&mut *connection).await?;
            rest = more;
        }
    }
    Ok(())
}

fn bind_run(statement: Statement, (prepared, new): &(&Prepared, &NewRun)) -> Statement {
    let append = &prepared.append;
    let (worker, lease_until) = prepared.first_lease(new);
    let (parent_id, parent_seq) = new.parent.unzip();
    statement
        .bind(append.run_id)
        .bind(append.owner)
        .bind(new.flow_id)
        .bind(new.flow_name.clone())
        .bind(new.kind.clone())
        .bind(new.session_id.clone())
        .bind(new.document.hash)
        .bind(new.request.clone())
        .bind(prepared.first_status(new))
        .bind(prepared.last_seq())
        .bind(worker)
        .bind(Prepared::first_epoch(new))
        .bind(lease_until)
        .bind(parent_id)
        .bind(parent_seq)
        .bind(new.idempotency_key.clone())
        .bind(append.update.error.clone())
        .bind(append.update.output.clone())
        .bind(append.update.input_tokens)
        .bind(append.update.output_tokens)
        .bind(prepared.now)
        .bind(prepared.now)
        .bind(prepared.finished_at())
        .bind(append.update.cost_nanousd)
}

fn bind_events(
    statement: Statement,
    (prepared, chunk, body): &(&Prepared, &EventChunk, &Packed),
) -> Statement {
    statement
        .bind(prepared.append.run_id)
        .bind(chunk.first_seq)
        .bind(chunk.last_seq)
        .bind((*body).clone())
}

fn bind_said(statement: Statement, (owner, message): &(UserId, &MessageRecord)) -> Statement {
    let statement = statement.bind(message.id).bind(owner);
    bind_message!(statement, (*message).clone())
}

/// The run stays as it is, and nobody says anything.
fn only_events(prepared: &Prepared) -> bool {
    let RunUpdate {
        status,
        error,
        output,
        input_tokens,
        output_tokens,
        cost_nanousd,
    } = &prepared.append.update;
    prepared.append.messages.is_empty()
        && status.is_none()
        && error.is_none()
        && output.is_none()
        && input_tokens.is_none()
        && output_tokens.is_none()
        && cost_nanousd.is_none()
}

fn bind_more(
    statement: Statement,
    row @ (prepared, chunk, _): &(&Prepared, &EventChunk, &Packed),
) -> Statement {
    let append = &prepared.append;
    let statement = statement
        .bind(chunk.last_seq)
        .bind(prepared.now)
        .bind(append.run_id)
        .bind(append.owner)
        .bind(append.epoch)
        .bind(chunk.first_seq);
    bind_events(statement, row)
}

fn update(prepared: &Prepared) -> Statement {
    let append = &prepared.append;
    let text = UPDATE.get(append.messages.len()).unwrap_or(&UPDATE[0]);
    let statement = sqlx::query::<Sqlite>(*text)
        .bind(append.run_id)
        .bind(append.owner)
        .bind(append.epoch)
        .bind(prepared.last_seq())
        .bind(append.update.status)
        .bind(append.update.error.clone())
        .bind(append.update.output.clone())
        .bind(append.update.input_tokens)
        .bind(append.update.output_tokens)
        .bind(prepared.now)
        .bind(prepared.finished_at())
        .bind(prepared.first_seq())
        .bind(prepared.body.clone())
        .bind(prepared.drops_lease())
        .bind(append.update.cost_nanousd);
    let statement = append.messages.iter().fold(statement, |statement, message| {
        let statement = statement.bind(message.id);
        bind_message!(statement, message.clone())
    });
    match append.messages.as_slice() {
        [] => statement,
        _ => statement.bind(append.session_id.clone()),
    }
}
