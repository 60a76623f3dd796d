-- Server records, their reports and sources, scans, names, and the log of changes.
-- Texts that take part in an ordering or a cursor use the "C" collation: the same order everywhere.

create extension if not exists pg_trgm;

-- The archives that were scanned and that run, by the digest of their bytes. They are kept in
-- parts so that neither a message nor a buffer of the embedded database grows with the archive.
create table archives (
  sha256 text collate "C" primary key,
  size bigint not null,
  created_at timestamptz not null
);

create table archive_parts (
  sha256 text collate "C" not null references archives on delete cascade,
  part int not null,
  bytes bytea not null,
  primary key (sha256, part)
);
-- They are compressed already.
alter table archive_parts alter column bytes set storage external;

-- What full-text search reads: the words of name and tools, the stems of the description. `text` has
-- the three, one a line.
create function server_search(text text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('pg_catalog.simple', split_part(text, E'\n', 1)), 'A')
    || setweight(to_tsvector('pg_catalog.simple', split_part(text, E'\n', 2)), 'B')
    || setweight(to_tsvector('pg_catalog.english', split_part(text, E'\n', 3)), 'C')
$$;

create table servers (
  name text collate "C" primary key,
  -- Token subject of the owner; never shown.
  owner text not null,
  version text not null,
  description text not null,
  -- The description as lists show it.
  summary text not null,
  author text not null,
  -- The author after NFKC and case folding.
  author_key text collate "C" not null,
  lang text not null,
  license text not null,
  -- The expression and each license it names, in lower case.
  license_keys text[] not null,
  entrypoint text not null,
  repository_type text not null,
  repository_url text not null,
  tools text[] not null,
  -- True when the tools are those that a scan found, and the next scan replaces them.
  tools_discovered boolean not null,
  price_currency text not null,
  price_amount numeric(15, 4) not null,
  scan_status text not null check (scan_status in ('passed', 'failed', 'error')),
  scan_passed boolean not null generated always as (scan_status = 'passed') stored,
  total_issues int not null,
  critical_issues int not null,
  -- What was scanned: owner, name and url of the repository, commit, ref, folder, files, bytes.
  source jsonb not null,
  archive_sha256 text collate "C" not null references archives,
  -- Counts the changes of the record.
  revision int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- A record whose scan ended in `error` is scanned again at this time.
  retry_at timestamptz,
  retries int not null default 0,
  -- Name, tools and description, one a line, in the form that searches compare. Made outside the
  -- database, as its lower() depends on its locale.
  search_text text not null,
  search tsvector not null generated always as (server_search(search_text)) stored
);
create index servers_author on servers (author_key, name);
create index servers_updated on servers (updated_at desc, name);
create index servers_created on servers (created_at desc, name);
create index servers_lang on servers (lang, name);
create index servers_scan_passed on servers (scan_passed, name);
create index servers_price on servers (price_amount, name);
-- Lets what a list's total counts be read from the index alone.
create index servers_facets on servers (lang, scan_passed, price_amount, author_key);
create index servers_archive on servers (archive_sha256);
create index servers_owner on servers (owner, name);
create index servers_retry on servers (retry_at) where retry_at is not null;
create index servers_tools on servers using gin (tools);
create index servers_licenses on servers using gin (license_keys);
create index servers_search on servers using gin (search);
create index servers_search_text on servers using gin (search_text gin_trgm_ops);
create index servers_name_words on servers using gin (name gin_trgm_ops);

-- Apart from the record, so that a list never reads past them.
create table server_reports (
  name text collate "C" primary key references servers on delete cascade,
  report json not null
);

-- Scans, while they run and after. A running one holds its server's name: no second creation or
-- change that scans can begin. Its node renews the lease; one that has run out belongs to a node
-- that died.
create table scans (
  id text collate "C" primary key,
  server text collate "C" not null,
  action text not null check (action in ('create', 'update', 'rescan', 'retry')),
  state text not null check (state in ('running', 'stored', 'refused')),
  -- Who began it.
  actor text not null,
  -- Who owns the server.
  owner text not null,
  request_id text not null,
  stages jsonb not null,
  -- Outcome of a stored scan: the report's status and summary.
  outcome jsonb,
  -- Why a refused one was: code, message, details, errors.
  failure jsonb,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  lease_until timestamptz not null
);
create unique index scans_running on scans (server) where state = 'running';
create index scans_server on scans (server, started_at desc);
create index scans_finished on scans (finished_at);

-- The first user to publish under an author name owns it; a username is such a name too.
create table author_namespaces (
  author_key text collate "C" primary key,
  owner text not null,
  created_at timestamptz not null
);
create index author_namespaces_owner on author_namespaces (owner);

-- Names of removed servers, kept for their owners.
create table reserved_names (
  name text collate "C" primary key,
  owner text not null,
  until timestamptz not null
);

-- Every change: who, what, when, and in which request.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Token subject, or 'system'.
  actor text not null,
  action text not null,
  subject text not null,
  request_id text not null,
  details jsonb not null default '{}'
);
create index audit_log_subject on audit_log (subject, id desc);
create index audit_log_actor on audit_log (actor, id desc);

-- Times of counted requests over a sliding hour, by user or address.
create table rate_limit_log (
  id bigint generated always as identity primary key,
  window_key text collate "C" not null,
  at timestamptz not null
);
create index rate_limit_log_window on rate_limit_log (window_key, at);
create index rate_limit_log_at on rate_limit_log (at);
