-- The documents that runs use, shared by content: a flow that runs a thousand times unchanged is kept once.
CREATE TABLE run_documents (
    hash BLOB NOT NULL PRIMARY KEY,
    body BLOB NOT NULL
);

CREATE TABLE runs (
    id              BLOB NOT NULL PRIMARY KEY,
    user_id         BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- No reference: a run outlives its flow until retention or the emptied trash takes it.
    flow_id         BLOB NOT NULL,
    flow_name       TEXT NOT NULL,
    kind            TEXT NOT NULL,
    session_id      TEXT NOT NULL,
    document_hash   BLOB NOT NULL REFERENCES run_documents (hash),
    request         TEXT NOT NULL,
    status          TEXT NOT NULL
        CHECK (status IN ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'timed_out')),
    -- The number of the last event in the log; 0 before the first.
    last_seq        BIGINT NOT NULL,
    -- Who runs it, until when, and how often it changed hands: writes of an older epoch are refused.
    worker          BLOB,
    epoch           BIGINT NOT NULL,
    lease_until     BIGINT,
    -- The run it was forked from, and after which event.
    parent_id       BLOB,
    parent_seq      BIGINT,
    idempotency_key TEXT,
    error           TEXT,
    output          TEXT,
    input_tokens    BIGINT,
    output_tokens   BIGINT,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    finished_at     BIGINT
);
CREATE INDEX runs_flow ON runs (user_id, flow_id, created_at, id);
CREATE INDEX runs_session ON runs (user_id, session_id, created_at);
CREATE INDEX runs_document ON runs (document_hash, user_id);
CREATE INDEX runs_unfinished ON runs (created_at, id) WHERE finished_at IS NULL;
CREATE INDEX runs_finished ON runs (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX runs_key ON runs (user_id, flow_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- The log, one row per write: a JSON array of the events first_seq to last_seq, compressed (packed.rs).
CREATE TABLE run_events (
    run_id    BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    first_seq BIGINT NOT NULL,
    last_seq  BIGINT NOT NULL,
    body      BLOB NOT NULL,
    PRIMARY KEY (run_id, first_seq)
);

-- A session is what shares user_id, flow_id and session_id. The flow is no reference: a shared flow's visitors have one
-- of their own that is nobody's row.
CREATE TABLE messages (
    id               BLOB NOT NULL PRIMARY KEY,
    user_id          BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    flow_id          BLOB NOT NULL,
    session_id       TEXT NOT NULL,
    context_id       TEXT,
    run_id           BLOB,
    timestamp        BIGINT NOT NULL,
    sender           TEXT NOT NULL,
    sender_name      TEXT NOT NULL,
    text             TEXT NOT NULL,
    -- JSON, as are properties, content_blocks and session_metadata.
    files            TEXT NOT NULL,
    error            BOOLEAN NOT NULL,
    edit             BOOLEAN NOT NULL,
    properties       TEXT NOT NULL,
    category         TEXT NOT NULL,
    content_blocks   TEXT NOT NULL,
    session_metadata TEXT,
    is_output        BOOLEAN NOT NULL,
    duration_ms      BIGINT
);
CREATE INDEX messages_session ON messages (user_id, flow_id, session_id, timestamp, id);
