-- Nodes that hold sessions together. A row is one run of a node: it is deleted when the node leaves, or
-- others take it for lost, and its id never comes back.
create table nodes (
  id uuid primary key,
  -- Where other nodes reach it.
  url text not null check (length(url) <= 2000),
  -- What it signs forwarded requests with (Ed25519).
  public_key bytea not null check (length(public_key) = 32),
  -- Others wait so long without a new beat before they take it for lost.
  lease_ms int not null check (lease_ms > 0),
  -- Rises while the node lives.
  beat bigint not null default 0,
  joined_at timestamptz not null default now()
);

-- The node that holds the session; null where nodes do not share sessions, and while it is stored.
alter table execution_sessions add column node uuid;
