-- Who may call: keys of services and operators, and from when on tokens of a person count. Secrets are not here.

CREATE TABLE service_keys (
    hash        bytea  PRIMARY KEY CHECK (length(hash) = 32), -- SHA-256 of the key, or of a client's certificate (DER)
    tenant      text   COLLATE "C", -- whose backend; NULL: an operator
    scopes      text   COLLATE "C" NOT NULL, -- what a backend may do: words with spaces between them
    label       text   NOT NULL, -- for people
    create_time bigint NOT NULL, -- times are milliseconds since 1970, UTC
    expire_time bigint,
    revoke_time bigint
);

CREATE TABLE token_revocations (
    tenant     text   COLLATE "C" NOT NULL,
    subject    text   COLLATE "C" NOT NULL,
    not_before bigint NOT NULL, -- tokens of this subject that were issued earlier are refused

    PRIMARY KEY (tenant, subject)
);

-- A key is never changed but to be revoked, and what was revoked stays so.
GRANT SELECT, INSERT, UPDATE (revoke_time) ON service_keys TO chaquete_app;
GRANT SELECT, INSERT, UPDATE ON token_revocations TO chaquete_app;
GRANT SELECT (tenant, scopes, label, create_time, expire_time, revoke_time) ON service_keys TO chaquete_auditor;
GRANT SELECT ON token_revocations TO chaquete_auditor;
