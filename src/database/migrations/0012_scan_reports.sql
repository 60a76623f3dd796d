-- The report of every stored scan, as long as its record exists: scans can be compared and exported.
create table scan_reports (
  scan_id text collate "C" primary key references scans on delete cascade,
  server text collate "C" not null references servers on delete cascade,
  -- The stored scan of the record before this one.
  previous text collate "C",
  -- The record's version that was scanned.
  version text not null,
  source_commit text not null,
  -- Findings that the scan before had not, and that this one has no more.
  new_issues int not null,
  fixed_issues int not null,
  report json not null
);
create index scan_reports_server on scan_reports (server);

-- A scan that the registry begins because other advisories apply to what a record uses.
alter table scans drop constraint scans_action_check;
alter table scans add constraint scans_action_check
  check (action in ('create', 'update', 'rescan', 'retry', 'advisories'));

-- When the record's dependencies were last held against the advisories.
alter table servers add column advisories_checked_at timestamptz not null default now();
create index servers_advisories on servers (advisories_checked_at);
