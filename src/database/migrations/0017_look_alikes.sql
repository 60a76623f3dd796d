-- How author names look (the skeleton of UTS #39): who claims one is held against those of others.
-- Names that are older get theirs when a registry node starts.
create table author_looks (
  look text collate "C" not null,
  author_key text collate "C" not null references author_namespaces on delete cascade,
  primary key (look, author_key)
);
create index author_looks_author on author_looks (author_key);

-- The same for names of servers, which have few characters.
create function server_look(name text) returns text
  language sql immutable strict parallel safe
  return translate(replace(name, 'm', 'rn'), '01', 'ol');
create index servers_look on servers (server_look(name));
create index reserved_names_look on reserved_names (server_look(name));
