-- What a person chose for themselves: default models, shortcuts and the like. The values are JSON.
CREATE TABLE preferences (
    user_id    BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    value      TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, name)
);
