-- What a server's author declares of its variables; null where what the scan found counts.
alter table servers add column configuration jsonb;
