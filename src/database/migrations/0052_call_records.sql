-- Calls of tools: who called what, when, and what came of it, without arguments and results. `id` rises
-- with the order in which rows are written, and `stored_at` says when: who reads on from an id must not
-- pass by rows that another node is just writing.
create table call_records (
  id bigint generated always as identity primary key,
  stored_at timestamptz not null default clock_timestamp(),
  at timestamptz not null,
  ms double precision not null,
  node text not null check (length(node) <= 100),
  user_id text,
  server text not null,
  version text,
  tool text not null check (length(tool) <= 128),
  result text not null,
  session text not null,
  trace_id text
);
create index call_records_stored_at on call_records using brin (stored_at);
