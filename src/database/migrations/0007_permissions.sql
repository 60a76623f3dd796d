-- Author names with several owners, invitations to own one, and offers of servers.

-- A name is shown as its first owner wrote it.
alter table author_namespaces add column author text;
update author_namespaces n set author = coalesce(
  (select s.author from servers s where s.author_key = n.author_key order by s.created_at limit 1),
  n.author_key);
alter table author_namespaces alter column author set not null;

-- Every name has at least one owner. Who changes the owners holds the name's row.
create table namespace_owners (
  author_key text collate "C" not null references author_namespaces on delete cascade,
  owner text not null,
  created_at timestamptz(3) not null,
  primary key (author_key, owner)
);
insert into namespace_owners select author_key, owner, created_at from author_namespaces;
create index namespace_owners_owner on namespace_owners (owner, author_key);
alter table author_namespaces drop column owner;

create table namespace_invitations (
  author_key text collate "C" not null references author_namespaces on delete cascade,
  invitee text not null,
  -- The owner or administrator who invited.
  inviter text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (author_key, invitee)
);
create index namespace_invitations_invitee on namespace_invitations (invitee);

-- The latest offer of each server. Closed ones stay, so that whoever comes too late learns why.
create table server_transfers (
  server text collate "C" primary key references servers on delete cascade,
  recipient text not null,
  state text not null check (state in ('open', 'accepted', 'declined', 'cancelled')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index server_transfers_recipient on server_transfers (recipient) where state = 'open';
