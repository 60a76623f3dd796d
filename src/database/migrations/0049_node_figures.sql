-- Calls that failed, among those of a server and day.
alter table server_calls add column errors bigint not null default 0;

-- What administrators' charts are drawn from: for each node one row a minute, kept for a day, and one
-- an hour, kept for three months. Amounts (sessions, memory) are the highest of the row's time; the
-- rest is what was counted in it.
create table node_figures (
  node text not null check (length(node) <= 100),
  step text not null check (step in ('minute', 'hour')),
  at timestamptz(0) not null,
  sessions int not null,
  parked int not null,
  main_bytes bigint not null,
  host_bytes bigint not null,
  starts bigint not null,
  calls bigint not null,
  call_ms double precision not null,
  call_errors bigint not null,
  session_faults bigint not null,
  server_errors bigint not null,
  refused_requests bigint not null,
  scans_passed bigint not null,
  scans_failed bigint not null,
  scans_unfinished bigint not null,
  scan_ms double precision not null,
  primary key (step, at, node)
);
