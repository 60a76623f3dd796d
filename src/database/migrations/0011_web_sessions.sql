-- Sessions of browsers in the web application. Neither a session's secret nor a token is here: the
-- id is SHA-256 of the secret in the browser's cookie, the tokens are sealed by a key made of it.
create table web_sessions (
  id text collate "C" primary key,
  -- Token subject.
  subject text not null,
  tokens bytea not null,
  -- When the sealed access token ends; it is refreshed before.
  token_expires_at timestamptz(3) not null,
  -- Counts the refreshes; one at a time, held by a lease, as refresh tokens work once.
  version int not null default 1,
  refreshing_until timestamptz,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index web_sessions_subject on web_sessions (subject);
create index web_sessions_expired on web_sessions (expires_at);
