-- What is told of a kept value that is the token of another service, at which its user signed in.
alter table kept_values add column connection jsonb;
-- Until when a node has the right to renew the token: one at a time, since services give a new refresh
-- token for each and may take a second use of the old one for a theft.
alter table kept_values add column renewing_until timestamptz;

-- Sign-ins at other services that have begun. What binds one to its browser is in a cookie there.
create table connection_attempts (
  -- SHA-256 of the state.
  id text primary key,
  server text not null references servers (name) on delete cascade,
  subject text not null references users (subject) on delete cascade,
  name text not null,
  -- What the user has agreed to.
  terms jsonb not null,
  -- Endpoints, issuer, scopes and where the client comes from; no secret.
  service jsonb not null,
  expires_at timestamptz not null
);
create index connection_attempts_expires on connection_attempts (expires_at);

-- What Berth is at other services: clients that owners have registered there, or that it registered
-- itself. Sealed as kept values are.
create table service_clients (
  server text not null references servers (name) on delete cascade,
  name text not null,
  origin text not null check (origin in ('owner', 'registered')),
  key_id text not null,
  wrapped bytea not null,
  sealed bytea not null,
  -- For which service, and of which owner of the server.
  service text not null,
  owner text not null,
  set_at timestamptz not null,
  primary key (server, name, origin)
);
create index service_clients_key on service_clients (key_id);

-- Tokens that are not used any more, until their service has been told (RFC 7009). Whatever removes a
-- connection (its user, the end of an account or of a server) leaves them here.
create table connection_endings (
  id bigint generated always as identity primary key,
  server text not null,
  subject text,
  name text not null,
  key_id text not null,
  wrapped bytea not null,
  sealed bytea not null,
  attempts int not null default 0,
  due_at timestamptz not null default now()
);
create index connection_endings_due on connection_endings (due_at);

create function note_connection_ending() returns trigger language plpgsql as $$
begin
  insert into connection_endings (server, subject, name, key_id, wrapped, sealed)
  values (old.server, old.subject, old.name, old.key_id, old.wrapped, old.sealed);
  return null;
end
$$;

create trigger connection_ended after delete on kept_values
  for each row when (old.connection is not null) execute function note_connection_ending();
