-- Clients that registered themselves at the embedded issuer, and sign-ins on their way through
-- another provider.
create table issuer_clients (
  id text primary key,
  metadata jsonb not null,
  created_at timestamptz not null,
  -- Last sign-in, to the day; null before the first.
  used_at timestamptz
);
create index issuer_clients_used on issuer_clients (used_at, created_at);

create table issuer_upstream_sign_ins (
  -- Digests: of the state that the other provider gives back, and of the cookie of the browser
  -- that began.
  state text primary key,
  browser text not null,
  provider text not null,
  -- The sign-in here that goes on afterwards.
  interaction text not null,
  nonce text not null,
  verifier text not null,
  -- Whom the other provider named; null until it did.
  account_id text,
  expires_at timestamptz not null
);
create index issuer_upstream_sign_ins_expiry on issuer_upstream_sign_ins (expires_at);
