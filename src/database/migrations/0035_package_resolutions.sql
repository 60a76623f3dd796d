-- What was resolved for manifests, by the digest of all that the result follows from: the same again
-- is not searched, fetched and packed once more.
create table package_resolutions (
  key text primary key check (key ~ '^[0-9a-f]{64}$'),
  -- As in a report.
  result jsonb not null,
  made_at timestamptz not null
);
create index package_resolutions_made_at on package_resolutions (made_at);
