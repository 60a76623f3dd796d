-- Tokens with which Berth reads private repositories for those who publish from them. Sealed as kept
-- values are.
create table code_host_tokens (
  subject text not null references users (subject) on delete cascade,
  host text not null check (length(host) between 1 and 300),
  -- What it is for, in lower case: an owner, a group, a repository; empty for everything there.
  path text not null check (length(path) <= 1000),
  key_id text not null,
  wrapped bytea not null,
  sealed bytea not null,
  set_at timestamptz not null,
  used_at timestamptz,
  -- When the host took it no more.
  refused_at timestamptz,
  primary key (subject, host, path)
);
create index code_host_tokens_key on code_host_tokens (key_id);

-- Whether what was scanned came from a repository that some may not read.
alter table servers add column repository_private boolean not null default false;
