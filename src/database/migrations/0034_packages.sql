-- The packages of servers, as sessions import them: each once, under the digest of the wheel that it
-- was packed from. `format` is the way of packing. Parts as in archives.
create table packages (
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  format int not null,
  name text not null,
  version text not null,
  modules jsonb not null,
  -- Bytes without the compression.
  size bigint not null check (size >= 0),
  used_at timestamptz not null,
  primary key (sha256, format)
);

create table package_parts (
  sha256 text not null,
  format int not null,
  part int not null,
  bytes bytea not null,
  primary key (sha256, format, part),
  foreign key (sha256, format) references packages on delete cascade
);
alter table package_parts alter column bytes set storage external;

-- Which wheels the sessions of a server need.
create table server_packages (
  server text not null references servers (name) on delete cascade,
  sha256 text not null,
  primary key (server, sha256)
);
create index server_packages_sha256 on server_packages (sha256);
