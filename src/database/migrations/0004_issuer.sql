-- The embedded issuer: accounts, links sent to them, what the OpenID provider remembers, keys.
create table issuer_accounts (
  -- Subject of the account's tokens.
  id text primary key,
  email text,
  -- The address in lower case; only where it was verified, so that nobody reserves another's.
  email_key text collate "C" unique,
  email_verified boolean not null,
  -- Salted hash; null where the account signs in through another provider only.
  password text,
  password_changed_at timestamptz,
  created_at timestamptz not null,
  check (email_key is null or email_verified)
);

-- Sign-ins through other providers.
create table issuer_identities (
  provider text not null,
  subject text not null,
  account_id text not null references issuer_accounts on delete cascade,
  created_at timestamptz not null,
  primary key (provider, subject)
);
create index issuer_identities_account on issuer_identities (account_id);

-- Links that work once. Only a digest of their secret is here.
create table issuer_links (
  digest text primary key,
  purpose text not null check (purpose in ('sign_up', 'reset', 'admin')),
  email text,
  account_id text references issuer_accounts on delete cascade,
  -- Sign-in that goes on afterwards.
  interaction text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index issuer_links_expiry on issuer_links (expires_at);

-- Sessions, grants, codes, refresh tokens and registered clients, by the provider's model names.
create table issuer_state (
  model text not null,
  -- A digest where the id itself is the secret that clients hold.
  id text not null,
  payload jsonb not null,
  grant_id text,
  account_id text,
  user_code text,
  uid text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);
create index issuer_state_grant on issuer_state (grant_id) where grant_id is not null;
create index issuer_state_account on issuer_state (account_id) where account_id is not null;
create index issuer_state_user_code on issuer_state (user_code) where user_code is not null;
create index issuer_state_uid on issuer_state (uid) where uid is not null;
create index issuer_state_expiry on issuer_state (expires_at) where expires_at is not null;

create table issuer_keys (
  kid text primary key,
  purpose text not null check (purpose in ('signing', 'cookies')),
  -- Private JWK, or a text; never logged.
  secret jsonb not null,
  created_at timestamptz not null,
  -- From when on it is used; published before.
  active_from timestamptz not null,
  -- Until when what it signed is accepted; null until it has a successor.
  expires_at timestamptz
);

alter table users add column is_admin boolean not null default false;
