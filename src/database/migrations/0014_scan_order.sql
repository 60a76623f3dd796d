-- The order in which the reports of a record were stored. The clocks of nodes differ and step back,
-- so that times do not give it.
alter table scan_reports add column position bigint;
update scan_reports set position = ordered.position
from (
  select scan_id, row_number() over (order by finished_at, started_at, id) as position
  from scan_reports join scans on id = scan_id
) ordered
where ordered.scan_id = scan_reports.scan_id;
alter table scan_reports alter column position set not null;
alter table scan_reports alter column position add generated always as identity;
select setval(
  pg_get_serial_sequence('scan_reports', 'position'),
  coalesce((select max(position) from scan_reports), 0) + 1,
  false
);
create unique index scan_reports_order on scan_reports (server, position);
drop index scan_reports_server;
