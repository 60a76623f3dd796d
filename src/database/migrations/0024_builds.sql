-- Whether a server starts here, as its build said (null: no build has said it), why not in a few
-- words, and when a node that runs servers may try: while one does, the time after which it counts
-- as lost.
alter table servers
  add column runs text check (runs in ('yes', 'no', 'needs_variables', 'needs_network', 'not_tried')),
  add column runs_reason text,
  add column build_at timestamptz;
create index servers_build on servers (build_at) where build_at is not null;
