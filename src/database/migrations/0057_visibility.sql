-- Who may read a server: everybody, every user, or those who are named. The lists are in the record, so
-- that what is kept of it ends with them.
alter table servers
  add column visibility text not null default 'public'
    check (visibility in ('public', 'internal', 'private')),
  -- Token subjects, and names as the identity provider's claim has them.
  add column readers text[] not null default '{}',
  add column reader_groups text[] not null default '{}';
create index servers_visibility on servers (visibility, name);
create index servers_readers on servers using gin (readers);

-- As the last token said that named any, and when that was issued.
alter table users
  add column groups text[] not null default '{}',
  add column groups_at timestamptz;
