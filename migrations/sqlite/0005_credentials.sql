-- Who may call: keys of services and operators, and from when on tokens of a person count. Secrets are not here.

CREATE TABLE service_keys (
    hash        BLOB    PRIMARY KEY CHECK (length(hash) = 32), -- SHA-256 of the key, or of a client's certificate (DER)
    tenant      TEXT,             -- whose backend; NULL: an operator
    scopes      TEXT    NOT NULL, -- what a backend may do: words with spaces between them
    label       TEXT    NOT NULL, -- for people
    create_time INTEGER NOT NULL, -- times are milliseconds since the beginning of 1970, UTC
    expire_time INTEGER,
    revoke_time INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE token_revocations (
    tenant     TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    not_before INTEGER NOT NULL, -- tokens of this subject that were issued earlier are refused

    PRIMARY KEY (tenant, subject)
) STRICT, WITHOUT ROWID;
