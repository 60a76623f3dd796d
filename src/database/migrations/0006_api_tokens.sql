-- API tokens, the tokens that are refused before their expiry, and reading the audit log.
-- No table holds a token: digests are SHA-256 of what its signature covers.

create table api_tokens (
  id uuid primary key,
  digest text collate "C" not null unique,
  -- Token subject of whom it is for.
  owner text not null,
  name text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- Exact to a minute.
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_tokens_owner on api_tokens (owner, created_at desc);
create index api_tokens_expired on api_tokens (expires_at);

-- Revoked tokens until they would have expired: every node keeps them in memory.
create table revoked_tokens (
  digest text collate "C" primary key,
  expires_at timestamptz(3) not null,
  -- By the database's clock, so that nodes ask for what is new since they last asked.
  added_at timestamptz not null default clock_timestamp()
);
create index revoked_tokens_added on revoked_tokens (added_at);
create index revoked_tokens_expired on revoked_tokens (expires_at);

create index audit_log_at on audit_log (at);
create index audit_log_action on audit_log (action, id desc);
