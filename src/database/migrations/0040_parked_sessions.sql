-- Parked sessions that have left the memory of their node, to go on wherever their next request comes.
-- The parts are sealed under the operator's key; all of the row but the sizes is bound to them.
create table parked_sessions (
  -- The value of Mcp-Session-Id.
  id text collate "C" primary key,
  -- The session in execution_sessions. With another there, this row is of the past.
  instance uuid not null,
  server text collate "C" not null,
  archive_sha256 text not null,
  -- Token subject of who began it; null when begun without a token.
  user_id text,
  -- Whose session it is, as limits count.
  client text not null,
  -- The interpreter that it began in, and the digest of its image; null for none.
  runtime text not null,
  image text,
  -- Which of the operator's keys sealed it.
  key_id text not null,
  size bigint not null check (size > 0),
  -- When it ends for being idle.
  expires_at timestamptz not null
);
create index parked_sessions_server on parked_sessions (server);
create index parked_sessions_expires on parked_sessions (expires_at);

create table parked_session_parts (
  id text collate "C" not null references parked_sessions on delete cascade,
  part int not null,
  bytes bytea not null,
  primary key (id, part)
);
-- They do not compress.
alter table parked_session_parts alter column bytes set storage external;
