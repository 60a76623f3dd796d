-- The icon of what was scanned, drawn anew: making it takes a process of its own, and what it is made
-- of does not change.
create table server_icons (
  archive_sha256 text collate "C" not null references archives on delete cascade,
  folder text not null,
  -- A PNG that Berth has written; null where the repository has no icon that can be drawn.
  png bytea,
  -- The beginning of its SHA-256, by which pages ask for it.
  digest text collate "C",
  primary key (archive_sha256, folder)
);
create index server_icons_digest on server_icons (digest) where digest is not null;

-- Name and tools of a server, in which misspelt words of searches are looked for.
create function server_names(search_text text) returns text
  language sql immutable strict parallel safe
  return split_part(search_text, E'\n', 1) || ' ' || split_part(search_text, E'\n', 2);
create index servers_names on servers using gin (server_names(search_text) gin_trgm_ops);
