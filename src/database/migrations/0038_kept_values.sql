-- Keys of the operator (SECRETS_KEY) under which values are kept, by the beginning of their SHA-256.
-- A node that does not have the newest, or one that values are kept under, does not start.
create table secrets_keys (
  id text primary key check (id ~ '^[0-9a-f]{16}$'),
  added_at timestamptz not null
);

-- Values of variables that are kept for sessions: of a user, or (subject null) of every user of the
-- server. `sealed` is encrypted under a key of its own, `wrapped` is that key under the operator's.
create table kept_values (
  server text not null references servers (name) on delete cascade,
  subject text references users (subject) on delete cascade,
  name text not null check (name ~ '^[A-Za-z_][A-Za-z0-9_]{0,127}$'),
  key_id text not null,
  wrapped bytea not null,
  sealed bytea not null,
  -- What whoever entered it agreed to: owner of the server, how the code gets it, hosts.
  terms jsonb not null,
  set_at timestamptz not null,
  used_at timestamptz,
  unique nulls not distinct (server, subject, name)
);
create index kept_values_subject on kept_values (subject);
create index kept_values_key on kept_values (key_id);
