-- Users all of whose tokens up to a time are refused: who signed out everywhere, or chose a new
-- password. Every node keeps them in memory, as it does revoked tokens.
create table revoked_users (
  subject text primary key,
  -- Tokens that were issued before are refused.
  issued_before timestamptz(3) not null,
  -- By the database's clock, so that nodes ask for what is new since they last asked.
  added_at timestamptz not null default clock_timestamp()
);
create index revoked_users_added on revoked_users (added_at);
