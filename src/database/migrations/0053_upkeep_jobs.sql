-- The last run of each job that one node does for all.
create table upkeep_jobs (
  name text primary key,
  node text not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  removed bigint not null default 0,
  failure text
);
