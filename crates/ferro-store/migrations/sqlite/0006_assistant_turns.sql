-- What a person and the assistant said to each other lately. Numbered per person over all their sessions, so the
-- highest number of a session also tells how lately the session was used.
CREATE TABLE assistant_turns (
    user_id    BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    seq        BIGINT NOT NULL,
    session_id TEXT NOT NULL,
    asked      TEXT NOT NULL,
    answered   TEXT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (user_id, seq)
);
CREATE INDEX assistant_turns_session ON assistant_turns (user_id, session_id, seq);
CREATE INDEX assistant_turns_at ON assistant_turns (at);
