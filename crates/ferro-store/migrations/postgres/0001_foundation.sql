-- Times are microseconds since 1970 UTC. Documents keep the exact text the user sent, compressed (packed.rs).
CREATE TABLE users (
    id            UUID NOT NULL PRIMARY KEY,
    username      TEXT NOT NULL,
    username_key  TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    role          TEXT NOT NULL CHECK (role IN ('admin', 'user')),
    is_active     BOOLEAN NOT NULL,
    profile_image TEXT,
    optins        TEXT NOT NULL,
    -- Raised when every open session must end: a token of an older epoch is void.
    epoch         BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    last_login_at BIGINT
);

-- Browser sessions and bearer tokens. Only the SHA-256 of a token is kept.
CREATE TABLE tokens (
    hash       BYTEA NOT NULL PRIMARY KEY,
    user_id    UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('session', 'access', 'refresh')),
    -- All tokens that descend from one sign-in; revoked together.
    family     UUID NOT NULL,
    epoch      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX tokens_family ON tokens (family);
CREATE INDEX tokens_user ON tokens (user_id);
CREATE INDEX tokens_expiry ON tokens (expires_at);

CREATE TABLE api_keys (
    id           UUID NOT NULL PRIMARY KEY,
    user_id      UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    hash         BYTEA NOT NULL UNIQUE,
    is_active    BOOLEAN NOT NULL,
    total_uses   BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at   BIGINT
);
CREATE INDEX api_keys_user ON api_keys (user_id, created_at);

CREATE TABLE variables (
    id             UUID NOT NULL PRIMARY KEY,
    user_id        UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name           TEXT NOT NULL,
    kind           TEXT NOT NULL CHECK (kind IN ('Generic', 'Credential')),
    -- Exactly one of the two: plain text for Generic, ciphertext for Credential.
    value          TEXT,
    sealed         BYTEA,
    default_fields TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    CHECK ((kind = 'Credential') = (value IS NULL))
);
CREATE UNIQUE INDEX variables_name ON variables (user_id, name);

CREATE TABLE projects (
    id            UUID NOT NULL PRIMARY KEY,
    user_id       UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name          TEXT NOT NULL,
    description   TEXT,
    parent_id     UUID REFERENCES projects (id) ON DELETE SET NULL,
    auth_settings TEXT,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    deleted_at    BIGINT
);
CREATE UNIQUE INDEX projects_name ON projects (user_id, name) WHERE deleted_at IS NULL;
CREATE INDEX projects_trash ON projects (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE flows (
    id                 UUID NOT NULL PRIMARY KEY,
    user_id            UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    folder_id          UUID NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name               TEXT NOT NULL,
    description        TEXT,
    endpoint_name      TEXT,
    icon               TEXT,
    icon_bg_color      TEXT,
    gradient           TEXT,
    tags               TEXT NOT NULL,
    locked             BOOLEAN NOT NULL,
    is_component       BOOLEAN NOT NULL,
    webhook            BOOLEAN NOT NULL,
    mcp_enabled        BOOLEAN NOT NULL,
    action_name        TEXT,
    action_description TEXT,
    access_type        TEXT NOT NULL CHECK (access_type IN ('PRIVATE', 'PUBLIC')),
    flow_type          TEXT NOT NULL,
    a2a_enabled        BOOLEAN NOT NULL,
    -- Top-level fields of the file that we have no column for, as one JSON object.
    extra              TEXT NOT NULL,
    search_text        TEXT NOT NULL,
    node_count         BIGINT NOT NULL,
    edge_count         BIGINT NOT NULL,
    note_count         BIGINT NOT NULL,
    revision           BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    deleted_at         BIGINT
);
CREATE UNIQUE INDEX flows_name ON flows (user_id, name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX flows_endpoint ON flows (user_id, endpoint_name) WHERE deleted_at IS NULL AND endpoint_name IS NOT NULL;
CREATE INDEX flows_recent ON flows (user_id, updated_at);
CREATE INDEX flows_folder ON flows (folder_id, updated_at);
CREATE INDEX flows_trash ON flows (deleted_at) WHERE deleted_at IS NOT NULL;

-- Apart from the flow, so that renaming or listing never touches the large text.
CREATE TABLE flow_data (
    flow_id UUID NOT NULL PRIMARY KEY REFERENCES flows (id) ON DELETE CASCADE,
    data    BYTEA
);

CREATE TABLE flow_versions (
    id          UUID NOT NULL PRIMARY KEY,
    flow_id     UUID NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    user_id     UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    description TEXT,
    node_count  BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    data        BYTEA
);
CREATE UNIQUE INDEX flow_versions_number ON flow_versions (flow_id, number);

CREATE TABLE files (
    id         UUID NOT NULL PRIMARY KEY,
    user_id    UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    mime_type  TEXT NOT NULL,
    size       BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX files_name ON files (user_id, name);

-- Append-only; each row's hash covers the row before it. No foreign keys: it outlives what it tells of.
CREATE TABLE audit (
    seq        BIGINT NOT NULL PRIMARY KEY,
    at         BIGINT NOT NULL,
    actor      UUID,
    action     TEXT NOT NULL,
    target     TEXT NOT NULL,
    ip         TEXT,
    request_id TEXT,
    hash       BYTEA NOT NULL
);

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
