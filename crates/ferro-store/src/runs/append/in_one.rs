//! A whole new run in one statement, for PostgreSQL: one trip over the network instead of one for each row and two more for
//! the transaction around them.

use sqlx::{PgConnection, Postgres};

use super::Prepared;
use crate::messages::insert;

const CREATE: &str = concat!(
    "WITH run AS (
        INSERT INTO runs (id, user_id, flow_id, flow_name, kind, session_id, document_hash, request, status, last_seq, worker,
        epoch, lease_until, parent_id, parent_seq, idempotency_key, error, output, input_tokens, output_tokens, created_at,
        updated_at, finished_at, cost_nanousd)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21, $22, $43)
        RETURNING id
    ), events AS (
        INSERT INTO run_events (run_id, first_seq, last_seq, body) SELECT id, $23, $10, $24 FROM run
    ) ",
    insert!(
        select "SELECT m.id, $2, m.flow_id, m.session_id, m.context_id, m.run_id, m.timestamp, m.sender, m.sender_name, m.text,
        m.files, m.error, m.edit, m.properties, m.category, m.content_blocks, m.session_metadata, m.is_output, m.duration_ms
        FROM unnest($25::uuid[], $26::uuid[], $27::text[], $28::text[], $29::uuid[], $30::bigint[], $31::text[], $32::text[],
        $33::text[], $34::text[], $35::boolean[], $36::boolean[], $37::text[], $38::text[], $39::text[], $40::text[],
        $41::boolean[], $42::bigint[])
        AS m (id, flow_id, session_id, context_id, run_id, timestamp, sender, sender_name, text, files, error, edit, properties,
        category, content_blocks, session_metadata, is_output, duration_ms)"
    )
);

/// Whether it is one of those that can be written here.
pub(super) fn takes(prepared: &Prepared) -> bool {
    let append = &prepared.append;
    append.create.is_some()
        && append.chunk.is_some()
        && append.speaker.is_none()
        && append.removed.is_empty()
        && append.durations.is_empty()
}

/// All of it or nothing: a statement is a transaction.
pub(super) async fn write(connection: &mut PgConnection, prepared: &Prepared) -> Result<(), sqlx::Error> {
    let Prepared { append, body, now } = prepared;
    let (Some(new), Some(chunk), Some(body)) = (&append.create, &append.chunk, body) else {
        return Err(sqlx::Error::InvalidArgument(
            "only a new run with events".to_owned(),
        ));
    };
    let (worker, lease_until) = prepared.first_lease(new);
    let (parent_id, parent_seq) = new.parent.unzip();
    let statement = sqlx::query::<Postgres>(CREATE)
        .bind(append.run_id)
        .bind(append.owner)
        .bind(new.flow_id)
        .bind(&new.flow_name)
        .bind(&new.kind)
        .bind(&new.session_id)
        .bind(new.document.hash)
        .bind(&new.request)
        .bind(prepared.first_status(new))
        .bind(chunk.last_seq)
        .bind(worker)
        .bind(Prepared::first_epoch(new))
        .bind(lease_until)
        .bind(parent_id)
        .bind(parent_seq)
        .bind(new.idempotency_key.as_deref())
        .bind(append.update.error.as_deref())
        .bind(append.update.output.as_deref())
        .bind(append.update.input_tokens)
        .bind(append.update.output_tokens)
        .bind(now)
        .bind(prepared.finished_at())
        .bind(chunk.first_seq)
        .bind(body);
    macro_rules! column {
        (|$message:ident| $value:expr) => {
            append
                .messages
                .iter()
                .map(|$message| $value)
                .collect::<Vec<_>>()
        };
    }
    statement
        .bind(column!(|m| m.id.0))
        .bind(column!(|m| m.flow_id.0))
        .bind(column!(|m| m.session_id.as_str()))
        .bind(column!(|m| m.context_id.as_deref()))
        .bind(column!(|m| m.run_id.map(|id| id.0)))
        .bind(column!(|m| m.timestamp.0))
        .bind(column!(|m| m.sender.as_str()))
        .bind(column!(|m| m.sender_name.as_str()))
        .bind(column!(|m| m.text.as_str()))
        .bind(column!(|m| m.files.as_str()))
        .bind(column!(|m| m.error))
        .bind(column!(|m| m.edit))
        .bind(column!(|m| m.properties.as_str()))
        .bind(column!(|m| m.category.as_str()))
        .bind(column!(|m| m.content_blocks.as_str()))
        .bind(column!(|m| m.session_metadata.as_deref()))
        .bind(column!(|m| m.is_output))
        .bind(column!(|m| m.duration_ms))
        .bind(append.update.cost_nanousd)
        .execute(connection)
        .await?;
    Ok(())
}
